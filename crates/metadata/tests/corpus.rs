//! Counts over real configurations, checked against what the files hold.

use metascope_metadata::{Configuration, Details, Kind, SupportState, TemplateKind, names, read};
use support::require_corpus;

fn open(name: &str) -> Configuration {
    read(&require_corpus(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn count(configuration: &Configuration, kind: &str) -> usize {
    configuration.objects.iter().filter(|o| o.kind.is(kind)).count()
}

fn count_items(configuration: &Configuration, owner: &str, kind: &str) -> usize {
    let kind = Kind::named(kind).expect("a kind");
    let objects = configuration.objects.iter().filter(|o| o.kind.is(owner));
    objects.map(|o| o.items_of(kind).count()).sum()
}

#[test]
#[ignore = "corpus"]
fn the_standard_subsystems_library_is_read_whole() {
    let configuration = open("ssl_3_1");
    assert_eq!(configuration.problems, []);
    for (kind, expected) in [
        ("EventSubscription", 91),
        ("ScheduledJob", 51),
        ("Enum", 104),
        ("DefinedType", 72),
        ("Constant", 173),
        ("Role", 107),
        ("CommonModule", 561),
        ("Subsystem", 87),
    ] {
        assert_eq!(count(&configuration, kind), expected, "{kind}");
    }
    assert_eq!((configuration.modules.len(), configuration.forms.len()), (2197, 874));
    assert_eq!(configuration.roles.len(), 107);
    assert_eq!(configuration.forms.iter().map(|f| f.events.len()).sum::<usize>(), 1921);
    assert_eq!(configuration.forms.iter().flat_map(|f| &f.items).map(|i| i.events.len()).sum::<usize>(), 3154);
    assert_eq!(configuration.forms.iter().flat_map(|f| &f.commands).map(|c| c.actions.len()).sum::<usize>(), 2611);
    assert_eq!(count_items(&configuration, "HTTPService", "Method"), 15);
    assert_eq!(count_items(&configuration, "WebService", "Operation"), 143);
    let schemas = configuration.templates.iter().filter(|t| t.kind == TemplateKind::DataCompositionSchema).count();
    assert_eq!((configuration.templates.len(), schemas), (144, 52));

    let properties = &configuration.properties;
    assert_eq!(&*properties.name, "БиблиотекаСтандартныхПодсистем");
    assert_eq!((&*properties.script_variant, &*properties.export_version), ("Russian", "2.20"));
    assert_eq!((&*properties.version, properties.default_roles.len()), ("3.1.12.238", 3));
    assert_eq!(properties.listed.len(), count_listed(&configuration));
}

/// Objects that the configuration itself lists: all but nested subsystems.
fn count_listed(configuration: &Configuration) -> usize {
    configuration.objects.iter().filter(|o| o.parent.is_none()).count()
}

#[test]
#[ignore = "corpus"]
fn every_handler_of_the_library_names_a_module_that_is_there() {
    let configuration = open("ssl_3_1");
    let modules: Vec<&str> = configuration.modules.iter().map(|m| &*m.full_name).collect();
    for object in &configuration.objects {
        let method = match &object.details {
            Details::EventSubscription { handler, handler_line, .. } if *handler_line > 0 => handler,
            Details::ScheduledJob { method, method_line, .. } if *method_line > 0 => method,
            _ => continue,
        };
        let (module, _) = method.rsplit_once('.').expect("a method of a module");
        assert!(modules.contains(&module), "{} -> {method}", object.full_name);
    }
    for module in &configuration.modules {
        let path = configuration.path(module.file);
        assert_eq!(names::module_of_path(path).as_deref(), Some(&*module.full_name));
        assert_eq!(names::path_of_module(&module.full_name).as_deref(), Some(path));
        assert_eq!(names::canonical(&module.full_name).as_deref(), Some(&*module.full_name));
    }
}

#[test]
#[ignore = "corpus"]
fn sources_of_subscriptions_expand_to_objects() {
    let configuration = open("ssl_3_1");
    let expander = names::Expander::new(&configuration);
    let subscriptions = configuration.objects.iter().filter(|o| o.kind.is("EventSubscription"));
    let empty: Vec<&str> =
        subscriptions.filter(|s| expander.objects(&s.types).is_empty()).map(|s| &*s.full_name).collect();
    // Sources that are sets of kinds which this configuration has no object of, or empty defined types.
    assert!(empty.len() < 20, "{empty:?}");
}

#[test]
#[ignore = "corpus"]
fn links_and_full_names_of_the_library_are_canonical() {
    let configuration = open("ssl_3_1");
    let known = |name: &str| configuration.object(name).is_some();
    let mut missing = Vec::new();
    for object in &configuration.objects {
        for item in &object.items {
            assert_eq!(names::canonical(&item.full_name).as_deref(), Some(&*item.full_name));
        }
        for link in object.links.iter().filter(|l| matches!(&*l.property, "Owners" | "RegisterRecords" | "BasedOn")) {
            if !known(&link.target) {
                missing.push(&*link.target);
            }
        }
    }
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
#[ignore = "corpus"]
fn barbershop_holds_what_the_library_does_not() {
    let configuration = open("barbershop");
    assert_eq!(configuration.problems, []);
    assert_eq!((count(&configuration, "AccumulationRegister"), configuration.modules.len()), (7, 316));
    assert_eq!((configuration.forms.len(), configuration.roles.len()), (121, 27));
    let recorders = configuration
        .objects
        .iter()
        .filter(|o| o.kind.is("AccumulationRegister"))
        .flat_map(|o| &o.items)
        .filter(|i| &*i.name == "Recorder");
    assert!(recorders.clone().count() == 7 && recorders.clone().all(|r| !r.types.is_empty()));
}

/// How many objects, forms, templates, commands have each state: locked, editable, removed, own.
fn by_state(configuration: &Configuration) -> [usize; 4] {
    let objects = configuration.objects.iter().map(|o| &o.uuid);
    let forms = configuration.forms.iter().filter(|f| f.owner.is_some()).map(|f| &f.uuid);
    let templates = configuration.templates.iter().filter(|t| t.owner.is_some()).map(|t| &t.uuid);
    let commands = configuration.commands.iter().filter(|c| c.owner.is_some()).map(|c| &c.uuid);
    let mut counts = [0; 4];
    for uuid in objects.chain(forms).chain(templates).chain(commands) {
        assert_eq!(uuid.len(), 36, "every thing of a dump has its uuid");
        counts[configuration.support.of(uuid) as usize] += 1;
    }
    counts
}

#[test]
#[ignore = "corpus"]
fn support_by_vendors() {
    let library = open("ssl_3_1");
    assert_eq!(by_state(&library), [3723, 0, 0, 0]);
    assert_eq!(library.support.of(&library.properties.uuid), SupportState::Locked);
    // The project of EDT, of another version, holds such a file, too.
    let project = by_state(&open("ssl_3_1_edt"));
    assert_eq!(project, [3495, 0, 0, 0]);
    let shop = open("barbershop");
    let vendor = shop.support.vendors.first().expect("a vendor");
    assert_eq!((&*vendor.name, &*vendor.version), ("БиблиотекаСтандартныхПодсистем", "3.1.9.337"));
    // The vendor's 6,535 objects that were taken off support are not in this configuration any more.
    assert_eq!(by_state(&shop), [635, 3, 0, 99]);
    let state = |name: &str| shop.object(name).map(|object| shop.support.of(&object.uuid));
    // Ten objects whose uuids were looked up in the file by hand.
    for (name, expected) in [
        ("Catalog.Пользователи", SupportState::Editable),
        ("Language.Русский", SupportState::Editable),
        ("CommonModule.ПодсистемыКонфигурацииПереопределяемый", SupportState::Editable),
        ("Enum.СтатусыОбработчиковОбновления", SupportState::Locked),
        ("Enum.ВидыДополнительныхОтчетовИОбработок", SupportState::Locked),
        ("Enum.ФорматыСохраненияОтчетов", SupportState::Locked),
        ("Enum.ПорядокОбработчиковОбновления", SupportState::Locked),
        ("Document.ПерсональнаяСкидка", SupportState::Own),
        ("Document.ПоступлениеДенежныхСредств", SupportState::Own),
        ("Document.СписаниеЗапасов", SupportState::Own),
    ] {
        assert_eq!(state(name), Some(expected), "{name}");
    }
}

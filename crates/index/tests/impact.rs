//! What breaks, what is dead, what can be joined: on the demo configuration, against facts read by hand.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use graph::dead::OutsideUse;
use metascope_index::build::{Options, Stop, build};
use metascope_index::{Change, Error, Impact, ImpactQuery, Index, Location, Reason, Severity, State, Walk};
use std::sync::OnceLock;
use support::{description, put};

/// The demo's index, built once for all tests of this file.
fn demo() -> Index {
    static MADE: OnceLock<(tempfile::TempDir, Location)> = OnceLock::new();
    let (_, location) = MADE.get_or_init(|| {
        let dir = support::temp_dir();
        let location = Location::at(dir.path().join("index.db"));
        build(&support::demo(), &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
        (dir, location)
    });
    Index::open(location).unwrap()
}

fn impact(name: &str, change: Change) -> (Impact, State) {
    let index = demo();
    let target = index.require_target(name).unwrap();
    index.impact(&target, &ImpactQuery { change, limit: 1000, ..ImpactQuery::default() }).unwrap()
}

/// Direct breaks as `what kind file:line`.
fn direct(impact: &Impact, severity: Severity) -> Vec<String> {
    let breaks = impact.breaks.iter().filter(|row| row.depth == 1 && row.severity == severity);
    breaks.map(|row| format!("{} {} {}:{}", row.what, row.kind, row.file, row.line)).collect()
}

fn has(rows: &[String], part: &str) -> bool {
    rows.iter().any(|row| row.starts_with(part))
}

#[test]
fn deleting_an_attribute_breaks_forms_lists_and_code() {
    let (found, _) = impact("Справочник.Товары.Реквизит.Артикул", Change::Delete);
    let build = direct(&found, Severity::Build);
    for expected in [
        "Catalog.Товары.Form.ФормаСписка form_data_path Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:33",
        "Catalog.Товары.Form.ФормаСписка form_dynamic_list_query Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:67",
        "Catalog.Товары.Form.ФормаЭлемента form_data_path Catalogs/Товары/Forms/ФормаЭлемента/Ext/Form.xml:45",
    ] {
        assert!(has(&build, expected), "{expected}: {build:#?}");
    }
    let runtime = direct(&found, Severity::Runtime);
    assert!(has(&runtime, "Catalog.Товары.ObjectModule.ПередЗаписью bsl_property"), "{runtime:#?}");
    assert!(has(&runtime, "Catalog.Товары.ManagerModule.ТоварПоАртикулу bsl_attribute_name_string"), "{runtime:#?}");
    assert!(has(&direct(&found, Severity::Data), "Catalog.Товары.Attribute.Артикул own_data Catalogs/Товары.xml"));

    // What follows: whoever finds goods by that attribute, up to the service that another system calls.
    let service = found.breaks.iter().find(|row| row.kind == "http_service" && row.entry).unwrap();
    assert_eq!(service.chain.last().unwrap().target, "Catalog.Товары.Attribute.Артикул");
    assert!(service.chain.len() == 3 && service.depth == 3, "{service:#?}");
    assert!(service.chain.windows(2).all(|steps| steps[0].target == steps[1].source), "{service:#?}");

    // Sure and short ones come first in each group; the change itself is the last step of the order.
    let runtime: Vec<_> = found.breaks.iter().filter(|row| row.severity == Severity::Runtime).collect();
    assert_eq!((runtime[0].certainty.as_str(), runtime[0].depth), ("exact", 1));
    assert_eq!(found.order.last().unwrap().names, ["Catalog.Товары.Attribute.Артикул"]);
    assert!(found.order.len() > 2 && found.order.iter().rev().skip(1).all(|step| step.phase.is_some()));
}

#[test]
fn a_new_name_leaves_metadata_to_the_designer() {
    let (found, _) = impact("Справочник.Товары.Реквизит.Артикул", Change::Name);
    let path = found.breaks.iter().find(|row| row.kind == "form_data_path").unwrap();
    assert_eq!(path.severity, Severity::Looks);
    assert!(has(&direct(&found, Severity::Runtime), "Catalog.Товары.ObjectModule.ПередЗаписью"));
}

#[test]
fn deleting_a_method_breaks_its_callers_by_every_channel() {
    let (found, state) = impact("ОстаткиСкладов.ОстатокТовараНаСкладе", Change::Delete);
    let index = demo();
    let target = index.require("ОстаткиСкладов.ОстатокТовараНаСкладе").unwrap();
    let callers = index.callers(target.id, &Walk::default()).unwrap();
    let broken: Vec<&str> = found.breaks.iter().filter(|row| row.depth == 1).map(|row| row.what.as_str()).collect();
    for edge in &callers.rows {
        assert!(broken.contains(&edge.source.as_str()), "{} is missing: {broken:?}", edge.source);
    }
    // The own module doesn't compile without it, another one fails when the call runs.
    let own =
        found.breaks.iter().find(|row| row.what == "CommonModule.ОстаткиСкладов.ПроверитьПорогиОстатков").unwrap();
    assert_eq!((own.severity, own.kind.as_str()), (Severity::Build, "direct"));
    let other = found.breaks.iter().find(|row| row.what == "HTTPService.МагазинAPI.Module.ОстатокТовараGET").unwrap();
    assert_eq!(other.severity, Severity::Runtime);
    assert_eq!(state.complete, state.reasons.is_empty());
}

#[test]
fn a_method_that_is_no_longer_exported_still_serves_its_own_module() {
    let (found, _) = impact("ОстаткиСкладов.ОстатокТовараНаСкладе", Change::Export);
    let what: Vec<&str> = found.breaks.iter().filter(|row| row.depth == 1).map(|row| row.what.as_str()).collect();
    assert!(what.contains(&"HTTPService.МагазинAPI.Module.ОстатокТовараGET"));
    assert!(!what.contains(&"CommonModule.ОстаткиСкладов.ПроверитьПорогиОстатков"), "{what:?}");
}

#[test]
fn changing_where_a_method_compiles_says_where_its_callers_run() {
    let (found, _) = impact("ОстаткиСкладов.ОстатокТовараНаСкладе", Change::Context);
    let row = found.breaks.iter().find(|row| row.what == "HTTPService.МагазинAPI.Module.ОстатокТовараGET").unwrap();
    assert!(row.note.contains("server"), "{row:?}");
}

#[test]
fn roles_subscriptions_predefined_items_and_sections() {
    let (role, _) = impact("Роль.Кладовщик", Change::Delete);
    assert!(has(&direct(&role, Severity::Data), "Catalog.Товары rights_object Roles/Кладовщик"));
    assert_eq!(role.order.last().unwrap().names, ["Role.Кладовщик"], "{:?}", role.order);

    let (subscription, _) = impact("ПодпискаНаСобытие.ПроверкаДатыЗапретаТорговли", Change::Delete);
    assert!(subscription.breaks.iter().any(|row| row.kind == "event_subscription_source"), "{subscription:#?}");

    let (item, _) = impact("Справочник.МестаХранения.ОсновнойСклад", Change::Delete);
    assert_eq!((item.target.as_str(), item.kind.as_str()), ("Catalog.МестаХранения.ОсновнойСклад", "predefined"));
    assert!(item.breaks.iter().any(|row| row.kind == "bsl_predefined_value"), "{item:#?}");
    assert!(item.breaks.iter().all(|row| row.chain.last().unwrap().target == item.target), "{item:#?}");

    let (section, _) = impact("Документ.ПродажаТоваров.ТабличнаяЧасть.Товары", Change::Delete);
    assert!(has(&direct(&section, Severity::Build), "Document.ПродажаТоваров.Form.ФормаДокумента form_data_path"));
    let queries = direct(&section, Severity::Runtime);
    assert!(has(&queries, "Document.ПродажаТоваров.ManagerModule.ДанныеНакладных bsl_query"), "{queries:#?}");
}

#[test]
fn deleting_an_object_breaks_types_rights_subsystems_and_code_outside_it() {
    let (found, _) = impact("Справочник.Товары", Change::Delete);
    let kinds: Vec<&str> = found.breaks.iter().map(|row| row.kind.as_str()).collect();
    for kind in ["metadata_type", "rights_object", "subsystem_content", "bsl_manager", "bsl_query", "own_data"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let inside = found.breaks.iter().filter(|row| row.what.starts_with("Catalog.Товары.")).count();
    assert_eq!(inside, 0, "what goes with the object is no break");
    let unknown = demo().require_target("Справочник.Товары.НетТакого").unwrap_err();
    assert!(matches!(unknown, Error::UnknownName { .. }), "{unknown}");
}

#[test]
fn dead_methods_are_those_that_nothing_reaches() {
    let index = demo();
    let found = index.dead_methods(&OutsideUse::default()).unwrap();
    let names: Vec<&str> = found.rows.iter().map(|row| row.full_name.as_str()).collect();
    assert!(names.contains(&"CommonModule.РегламентыТорговли.СрокПросрочкиПоУмолчанию"), "{names:?}");
    for row in &found.rows {
        let id = index.require(&row.full_name).unwrap().id;
        let callers = index.callers(id, &Walk::default()).unwrap();
        assert!(callers.rows.iter().all(|edge| edge.source == edge.target), "{} is called", row.full_name);
        assert_eq!(row.doubts.is_empty(), row.certainty == "proven");
    }
}

#[test]
fn an_answer_names_only_what_could_hide_more_of_it() {
    let index = demo();
    // Nothing outside its module sees a private method, and nothing inside computes a name.
    let dead = index.require("РегламентыТорговли.СрокПросрочкиПоУмолчанию").unwrap();
    let answer = index.callers(dead.id, &Walk::default()).unwrap();
    let computed = answer.state.reasons.iter().any(|reason| matches!(reason, Reason::DynamicSites { .. }));
    assert!(!computed, "{:?}", answer.state);
    let walk = Walk { depth: 10, ..Walk::default() };
    let called = index.require("ОбщиеСредства.МодульПоИмени").unwrap();
    let deep = index.callers(called.id, &walk).unwrap();
    assert!(deep.rows.iter().any(|edge| edge.depth > 2));
    assert!(deep.rows.iter().filter(|edge| edge.cycle).all(|edge| edge.depth > 0));
}

#[test]
fn calls_know_where_they_run() {
    let index = demo();
    let passport = |name: &str| index.method_passport(index.require(name).unwrap().id).unwrap().unwrap();
    let client = passport("Документ.ПродажаТоваров.Форма.ФормаДокумента.ТоварыТоварПриИзменении");
    assert!(client.contexts.contains(&"thin_client".to_owned()) && !client.contexts.contains(&"server".to_owned()));
    let form = index.require("Документ.ПродажаТоваров.Форма.ФормаДокумента.ЗаполнитьПоЗаказуНаСервере").unwrap();
    let passport = index.method_passport(form.id).unwrap().unwrap();
    assert!(passport.server_call && passport.contexts.contains(&"server".to_owned()), "{passport:?}");
    assert!(passport.callers.rows.iter().any(|edge| edge.crosses), "{:?}", passport.callers.rows);
    let all = index.require("Документ.ПродажаТоваров.Форма.ФормаДокумента").unwrap();
    let edges = index.callees(all.id, &Walk { limit: 10_000, ..Walk::default() }).unwrap();
    assert!(edges.rows.iter().all(|edge| !edge.impossible), "genuine code compiles: {:?}", edges.rows);
}

#[test]
fn tables_are_joined_the_natural_way_first() {
    let index = demo();
    let named = |name: &str| index.require(name).unwrap();
    let paths = |from: &str, to: &str| index.relation_paths(&named(from), &named(to), 5).unwrap();
    let first = &paths("Документ.ПродажаТоваров", "Справочник.Партнеры")[0];
    assert_eq!((first.steps.len(), first.expression.as_str()), (1, "ПродажаТоваров.Партнер"));
    let stock = &paths("Справочник.Товары", "РегистрНакопления.ОстаткиТоваров")[0];
    assert!(stock.query.contains("РегистрНакопления.ОстаткиТоваров.Остатки КАК ОстаткиТоваров"), "{}", stock.query);
    let moved = &paths("Документ.ПродажаТоваров", "РегистрНакопления.ОстаткиТоваров")[0];
    assert!(moved.query.contains("ОстаткиТоваров.Регистратор = ПродажаТоваров.Ссылка"), "{}", moved.query);
    for from in ["Документ.ПродажаТоваров", "Справочник.Товары", "РегистрНакопления.ОстаткиТоваров"]
    {
        for to in ["Справочник.Партнеры", "Документ.ЗаказПокупателя", "РегистрСведений.ЦеныТоваров"]
        {
            let found = paths(from, to);
            assert!(found.windows(2).all(|pair| pair[0].cost <= pair[1].cost), "{from} {to}");
            for path in &found {
                let query = bsl::query::parse(&path.query, bsl::query::TextKind::Query);
                assert!(query.problems.is_empty(), "{:?}\n{}", query.problems, path.query);
            }
        }
    }
    let error = index.relation_paths(&named("Роль.Кладовщик"), &named("Справочник.Товары"), 5).unwrap_err();
    assert_eq!(error.code(), "not_a_table");
}

#[test]
fn modules_that_belong_together_form_groups() {
    let overview = demo().overview().unwrap();
    assert!(!overview.communities.is_empty());
    assert!(overview.communities.iter().all(|group| group.modules >= 3 && group.members.contains(&group.centre)));
}

#[test]
fn what_names_a_command_that_an_option_lists_doesnt_break_with_the_option() {
    let dir = support::temp_dir();
    let root = dir.path().join("base");
    let listed = "<CommonModule>М</CommonModule><CommonCommand>Напомнить</CommonCommand><FunctionalOption>Нужно</FunctionalOption>";
    put(&root, "Configuration.xml", &description("Configuration", "База", "", listed));
    put(&root, "CommonModules/М.xml", &description("CommonModule", "М", "<Server>true</Server>", ""));
    put(&root, "CommonModules/М/Ext/Module.bsl", "Процедура А() Экспорт\n\tИмя = \"Напомнить\";\nКонецПроцедуры\n");
    put(&root, "CommonCommands/Напомнить.xml", &description("CommonCommand", "Напомнить", "", ""));
    let content = "<Content><xr:Object>CommonCommand.Напомнить</xr:Object></Content>";
    put(&root, "FunctionalOptions/Нужно.xml", &description("FunctionalOption", "Нужно", content, ""));
    let location = Location::at(dir.path().join("index.db"));
    build(&root, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let index = Index::open(&location).unwrap();
    let target = index.require_target("ФункциональнаяОпция.Нужно").unwrap();
    let query = ImpactQuery { change: Change::Delete, limit: 1000, ..ImpactQuery::default() };
    let (found, _) = index.impact(&target, &query).unwrap();
    assert!(has(&direct(&found, Severity::Looks), "CommonCommand.Напомнить functional_option_content"));
    assert_eq!(direct(&found, Severity::Runtime), [""; 0]);
}

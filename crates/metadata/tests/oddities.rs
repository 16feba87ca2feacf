//! What real repositories hold beside what the platform writes today: old versions, other layouts, other line ends, files that
//! can't be read.

use metascope_metadata::{Configuration, FormKind, ProblemKind, SupportState, TemplateKind, read};
use std::fs;
use std::path::Path;

const SPACES: &str = r#"xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:v8="http://v8.1c.ru/8.1/data/core" xmlns:xs="http://www.w3.org/2001/XMLSchema""#;

/// A file: its path in the hierarchical layout, in the flat one, and with folders in the singular; its text.
struct File(&'static str, &'static str, &'static str, String);

fn described(inner: &str, version: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MetaDataObject {SPACES} version=\"{version}\">\n{inner}\n</MetaDataObject>\n"
    )
}

/// A catalog with an English name and a form, a common module, a role, a report with a schema.
fn dump(version: &str) -> Vec<File> {
    let described = |inner: &str| described(inner, version);
    vec![
        File("Configuration.xml", "Configuration.xml", "Configuration.xml", described(
            "<Configuration uuid=\"5c55913b-6573-4f45-b848-a90373dafdac\">\n<Properties>\n<Name>Trade</Name>\n<ScriptVariant>English</ScriptVariant>\n</Properties>\n<ChildObjects>\n<Catalog>Goods</Catalog>\n<CommonModule>Общий</CommonModule>\n<Role>Роль</Role>\n<Report>Отчет</Report>\n</ChildObjects>\n</Configuration>")),
        File("Catalogs/Goods.xml", "Catalog.Goods.xml", "Catalog/Goods/Goods.xml", described(
            "<Catalog uuid=\"db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e\">\n<Properties>\n<Name>Goods</Name>\n<Comment>first line\nsecond line</Comment>\n</Properties>\n<ChildObjects>\n<Attribute>\n<Properties>\n<Name>Price</Name>\n<Type>\n<v8:Type>xs:decimal</v8:Type>\n</Type>\n</Properties>\n</Attribute>\n<Form>ItemForm</Form>\n</ChildObjects>\n</Catalog>")),
        File("Catalogs/Goods/Ext/ObjectModule.bsl", "Catalog.Goods.ObjectModule.txt", "Catalog/Goods/ObjectModule.txt",
            "Procedure BeforeWrite(Cancel)\nEndProcedure\n".to_owned()),
        File("Catalogs/Goods/Ext/Predefined.xml", "Catalog.Goods.Predefined.xml", "Catalog/Goods/Predefined.xml",
            "<PredefinedData>\n<Item>\n<Name>Main</Name>\n</Item>\n</PredefinedData>\n".to_owned()),
        File("Catalogs/Goods/Forms/ItemForm.xml", "Catalog.Goods.Form.ItemForm.xml", "Catalog/Goods/Form/ItemForm/ItemForm.xml",
            described("<Form>\n<Properties>\n<Name>ItemForm</Name>\n</Properties>\n</Form>")),
        File("Catalogs/Goods/Forms/ItemForm/Ext/Form.xml", "Catalog.Goods.Form.ItemForm.Form.xml", "Catalog/Goods/Form/ItemForm/Form.xml",
            "<Form>\n<Events>\n<Event name=\"OnOpen\">OnOpen</Event>\n</Events>\n<Commands>\n<Command name=\"Print\">\n<Action callType=\"Before\">First</Action>\n<Action callType=\"After\">Second</Action>\n</Command>\n</Commands>\n</Form>\n".to_owned()),
        File("Catalogs/Goods/Forms/ItemForm/Ext/Form/Module.bsl", "Catalog.Goods.Form.ItemForm.Form.Module.txt", "Catalog/Goods/Form/ItemForm/Module.txt",
            "&AtClient\nProcedure OnOpen(Cancel)\nEndProcedure\n".to_owned()),
        File("CommonModules/Общий.xml", "CommonModule.Общий.xml", "CommonModule/Общий/Общий.xml",
            described("<CommonModule>\n<Properties>\n<Name>Общий</Name>\n<Server>true</Server>\n</Properties>\n</CommonModule>")),
        File("CommonModules/Общий/Ext/Module.bsl", "CommonModule.Общий.Module.bsl", "CommonModule/Общий/Module.bsl", "Перем А;\n".to_owned()),
        File("Roles/Роль.xml", "Role.Роль.xml", "Role/Роль/Роль.xml",
            described("<Role>\n<Properties>\n<Name>Роль</Name>\n</Properties>\n</Role>")),
        File("Roles/Роль/Ext/Rights.xml", "Role.Роль.Rights.xml", "Role/Роль/Rights.xml",
            "<Rights>\n<object>\n<name>Catalog.Goods</name>\n<right>\n<name>Read</name>\n<value>true</value>\n<restrictionByCondition>\n<field>Price</field>\n<field>Code</field>\n<condition>А</condition>\n</restrictionByCondition>\n<restrictionByCondition>\n<condition>Б</condition>\n</restrictionByCondition>\n</right>\n</object>\n</Rights>\n".to_owned()),
        File("Reports/Отчет.xml", "Report.Отчет.xml", "Report/Отчет/Отчет.xml", described(
            "<Report>\n<Properties>\n<Name>Отчет</Name>\n</Properties>\n<ChildObjects>\n<Template>Схема</Template>\n</ChildObjects>\n</Report>")),
        File("Reports/Отчет/Templates/Схема.xml", "Report.Отчет.Template.Схема.xml", "Report/Отчет/Template/Схема/Схема.xml",
            described("<Template>\n<Properties>\n<Name>Схема</Name>\n</Properties>\n</Template>")),
        File("Reports/Отчет/Templates/Схема/Ext/Template.xml", "Report.Отчет.Template.Схема.Template.xml", "Report/Отчет/Template/Схема/Template.xml",
            SCHEMA.to_owned()),
    ]
}

const SCHEMA: &str = "<?xml version=\"1.0\"?>\n<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\">\n<calculatedField>\n<expression>Общий.Сумма(А)</expression>\n</calculatedField>\n</DataCompositionSchema>\n";

fn put(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// Writes a dump and reads it.
fn written(files: &[File], path: impl Fn(&File) -> &'static str, bytes: impl Fn(&str) -> Vec<u8>) -> Configuration {
    let dir = support::temp_dir();
    files.iter().for_each(|file| put(dir.path(), path(file), &bytes(&file.3)));
    read(dir.path()).expect("a dump")
}

/// What a dump says, whatever its files are called and how their lines end.
fn facts(configuration: &Configuration) -> Vec<String> {
    let mut facts: Vec<String> = configuration.problems.iter().map(|p| format!("problem {p:?}")).collect();
    for object in &configuration.objects {
        let items: Vec<_> = object.items.iter().map(|i| format!("{} {}", i.full_name, i.types.text())).collect();
        facts.push(format!("{} {:?} {items:?} {:?}", object.full_name, object.comment, object.details));
    }
    facts.extend(configuration.modules.iter().map(|m| format!("{} of {}", m.full_name, m.owner)));
    for form in &configuration.forms {
        let handlers: Vec<_> = form.events.iter().map(|e| format!("{} {}", e.event, e.handler)).collect();
        let actions = form.commands.iter().flat_map(|c| &c.actions).map(|a| format!("{} {}", a.handler, a.call_type));
        facts.push(format!("{} {:?} {handlers:?} {:?}", form.full_name, form.kind, actions.collect::<Vec<_>>()));
    }
    for right in configuration.roles.iter().flat_map(|role| &role.objects).flat_map(|object| &object.rights) {
        let restrictions = right.restrictions.iter().map(|r| format!("{:?} {}", r.fields, r.condition));
        facts.push(format!("{} {} {:?}", right.name, right.value, restrictions.collect::<Vec<_>>()));
    }
    facts.extend(configuration.predefined.iter().map(|p| format!("{} {}", p.owner, p.name)));
    for template in &configuration.templates {
        let expressions = template.expressions.iter().map(|e| &*e.text);
        facts.push(format!("{} {:?} {:?}", template.full_name, template.kind, expressions.collect::<Vec<_>>()));
    }
    facts.sort();
    facts
}

fn plain(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

#[test]
fn the_dump_says_what_it_says() {
    let facts = facts(&written(&dump("2.20"), |file| file.0, plain));
    assert!(facts.iter().all(|fact| !fact.starts_with("problem")), "{facts:#?}");
    for fact in [
        "Catalog.Goods.ObjectModule of Catalog.Goods",
        "Catalog.Goods.Form.ItemForm Managed [\"OnOpen OnOpen\"] [\"First Before\", \"Second After\"]",
        "Read true [\"[\\\"Price\\\", \\\"Code\\\"] А\", \"[] Б\"]",
        "Report.Отчет.Template.Схема DataCompositionSchema [\"Общий.Сумма(А)\"]",
        "Catalog.Goods Main",
    ] {
        assert!(facts.iter().any(|known| known == fact), "{fact} is not among {facts:#?}");
    }
}

#[test]
fn every_layout_says_the_same() {
    let files = dump("2.20");
    let expected = facts(&written(&files, |file| file.0, plain));
    assert_eq!(facts(&written(&files, |file| file.1, plain)), expected, "flat");
    assert_eq!(facts(&written(&files, |file| file.2, plain)), expected, "folders in the singular");
}

#[test]
fn every_version_of_the_export_says_the_same() {
    let expected = facts(&written(&dump("2.20"), |file| file.0, plain));
    for version in (1..=21).map(|minor| format!("2.{minor}")) {
        let configuration = written(&dump(&version), |file| file.0, plain);
        assert_eq!(&*configuration.properties.export_version, version);
        assert_eq!(facts(&configuration), expected, "{version}");
    }
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let files = dump("2.20");
    let expected = facts(&written(&files, |file| file.0, plain));
    type Ends = fn(&str) -> String;
    let variants: [(&str, Ends); 5] = [
        ("CR LF", |text| text.replace('\n', "\r\n")),
        ("lone CR", |text| text.replace('\n', "\r")),
        ("mixed", |text| text.replacen('\n', "\r\n", 2).replace(">\n<", ">\r<")),
        ("no line end", |text| text.replace(">\n<", "><").trim_end().to_owned()),
        ("byte order mark", |text| format!("\u{feff}{text}")),
    ];
    for (name, variant) in variants {
        let read = facts(&written(&files, |file| file.0, |text| variant(text).into_bytes()));
        // XML makes one LF of every line end, in texts too.
        let read: Vec<String> = read.iter().map(|fact| fact.replace("\\r\\n", "\\n").replace("\\r", "\\n")).collect();
        assert_eq!(read, expected, "{name}");
    }
}

#[test]
fn folders_with_blanks_and_cyrillic_and_long_paths() {
    let dir = support::temp_dir();
    let long = "Очень длинное имя папки (копия)/".repeat(6);
    let root = dir.path().join("Мои документы 1С").join(long);
    dump("2.20").iter().for_each(|file| put(&root, file.0, file.3.as_bytes()));
    let configuration = read(&root).expect("a dump");
    assert_eq!(configuration.problems, []);
    assert!(configuration.layers[0].root.to_string_lossy().len() > 260);
    // Paths within a dump have `/` on every system, and open.
    for module in &configuration.modules {
        let path = configuration.path(module.file);
        assert!(path.contains('/') && !path.contains('\\'), "{path}");
        assert!(configuration.full_path(module.file).is_file(), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn what_can_not_be_read_costs_that_file_alone() {
    let dir = support::temp_dir();
    let missing = "Catalogs/Goods/Ext/Predefined.xml";
    dump("2.20").iter().filter(|file| file.0 != missing).for_each(|file| put(dir.path(), file.0, file.3.as_bytes()));
    std::os::unix::fs::symlink("nowhere", dir.path().join(missing)).expect("a link");
    // A link to a file counts as the file.
    let kept = support::temp_dir();
    put(kept.path(), "Module.bsl", b"");
    let manager = dir.path().join("Catalogs/Goods/Ext/ManagerModule.bsl");
    std::os::unix::fs::symlink(kept.path().join("Module.bsl"), manager).expect("a link");
    let configuration = read(dir.path()).expect("a dump");
    let problems: Vec<_> = configuration.problems.iter().map(|p| (&*p.path, &p.kind)).collect();
    assert!(matches!(&*problems, [(path, ProblemKind::Unreadable(_))] if *path == missing), "{problems:?}");
    assert_eq!((configuration.objects.len(), configuration.modules.len()), (4, 4));
}

#[test]
fn a_schema_stored_as_bytes() {
    let template = |bytes: &[u8]| {
        let dir = support::temp_dir();
        for file in dump("2.20").iter().filter(|file| !file.0.ends_with("Template.xml")) {
            put(dir.path(), file.0, file.3.as_bytes());
        }
        put(dir.path(), "Reports/Отчет/Templates/Схема/Ext/Template.bin", bytes);
        let configuration = read(dir.path()).expect("a dump");
        let template = configuration.templates.first().expect("a template");
        (template.kind, template.expressions.len(), configuration.problems.into_iter().next().map(|p| p.kind))
    };
    assert_eq!(template(SCHEMA.as_bytes()), (TemplateKind::DataCompositionSchema, 1, None));
    assert_eq!(template(&container("schema", SCHEMA.as_bytes())), (TemplateKind::DataCompositionSchema, 1, None));
    let (kind, expressions, problem) = template(&container("data", b"{1}"));
    assert_eq!((kind, expressions), (TemplateKind::BinaryData, 0));
    assert!(matches!(problem, Some(ProblemKind::NotReadYet(_))), "{problem:?}");
    let whole = container("schema", SCHEMA.as_bytes());
    let (.., problem) = template(whole.get(..whole.len() - 10).unwrap_or_default());
    assert!(matches!(problem, Some(ProblemKind::Container(_))), "{problem:?}");
}

#[test]
fn an_ordinary_form_and_a_compiled_module_of_the_flat_layout() {
    let dir = support::temp_dir();
    for file in dump("2.20").iter().filter(|file| !file.1.contains("ItemForm.Form") && !file.1.ends_with(".Module.bsl"))
    {
        put(dir.path(), file.1, file.3.as_bytes());
    }
    put(dir.path(), "Catalog.Goods.Form.ItemForm.Form", &container("module", b"A = 1;"));
    put(dir.path(), "CommonModule.Общий.Module", &container("image", b"0"));
    let configuration = read(dir.path()).expect("a dump");
    let form = configuration.forms.first().expect("a form");
    assert_eq!(form.kind, FormKind::Ordinary);
    let text = |name: &str| {
        let module = configuration.modules.iter().find(|module| &*module.full_name == name).expect("a module");
        metascope_metadata::module_text(&configuration.full_path(module.file))
    };
    assert_eq!(text("Catalog.Goods.Form.ItemForm").expect("a text"), b"A = 1;");
    assert!(text("CommonModule.Общий").is_err());
    assert!(configuration.problems.iter().any(|p| p.kind == ProblemKind::Protected("CommonModule.Общий".into())));
}

#[test]
fn support_is_read_in_every_layout() {
    let support = "{6,0,1,9233322b-dfdb-4c66-91fe-1299292d40a5,0,fa04bf1e-69c0-4998-a939-039fcaba83c8,\"1\",\"В\",\"И\",1,1,0,db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e,db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e,0,0}";
    for (path, flat) in [("Ext/ParentConfigurations.bin", false), ("Configuration.ParentConfigurations.bin", true)] {
        let dir = support::temp_dir();
        dump("2.20").iter().for_each(|file| put(dir.path(), if flat { file.1 } else { file.0 }, file.3.as_bytes()));
        put(dir.path(), path, support.as_bytes());
        let configuration = read(dir.path()).expect("a dump");
        let catalog = configuration.object("Catalog.Goods").expect("a catalog");
        assert_eq!(configuration.support.of(&catalog.uuid), SupportState::Editable);
        assert_eq!(configuration.support.of(&configuration.properties.uuid), SupportState::Own);
    }
}

/// A container with one document, as the platform writes it.
fn container(name: &str, document: &[u8]) -> Vec<u8> {
    let block = |document: &[u8], page: usize| {
        let mut block = format!("\r\n{:08x} {page:08x} 7fffffff \r\n", document.len()).into_bytes();
        block.extend(document);
        block.resize(31 + page, 0);
        block
    };
    let header: Vec<u8> = [0; 20].into_iter().chain(name.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let header = block(&header, header.len());
    let start = 16 + 31 + 0x200;
    let table = [start, start + u32::try_from(header.len()).expect("small"), 0x7FFF_FFFF];
    let table: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
    let head = [0x7FFF_FFFF_u32, 0x200, 0, 0].into_iter().flat_map(u32::to_le_bytes);
    head.chain(block(&table, 0x200)).chain(header).chain(block(document, document.len())).collect()
}

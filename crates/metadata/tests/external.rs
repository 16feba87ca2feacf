//! External data processors and reports in every way in which they are dumped: folders of the Designer, the flat layout, projects
//! of EDT. All say the same.

use metascope_metadata::{Configuration, Format, LayerKind, ReadError, detect, detect_layers, read};
use std::fs;
use std::path::Path;

const SPACES: &str = r#"xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:v8="http://v8.1c.ru/8.1/data/core" xmlns:xr="http://v8.1c.ru/8.3/xcf/readable" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#;
const EDT_SPACES: &str = r#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:core="http://g5.1c.ru/v8/dt/mcore" xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass""#;

const OBJECT_MODULE: &str = "Функция Остаток(Товар) Экспорт\n\tВозврат ОстаткиСкладов.Остаток(Товар);\nКонецФункции\n";
const FORM_MODULE: &str = "&НаКлиенте\nПроцедура ПриОткрытии(Отказ)\nКонецПроцедуры\n";
const SCHEMA: &str = "<?xml version=\"1.0\"?>\n<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\"><calculatedField><expression>ОстаткиСкладов.Остаток(Товар)</expression></calculatedField></DataCompositionSchema>\n";

fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, text).expect("a file");
}

fn described(inner: &str) -> String {
    format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<MetaDataObject {SPACES} version=\"2.20\">\r\n{inner}</MetaDataObject>"
    )
}

/// The report as the Designer writes it: description, form, form's content, template.
fn designer() -> [String; 4] {
    let synonym = |text: &str| {
        format!("<Synonym><v8:item><v8:lang>ru</v8:lang><v8:content>{text}</v8:content></v8:item></Synonym>")
    };
    let types = "<Type><v8:Type>xs:string</v8:Type><v8:StringQualifiers><v8:Length>10</v8:Length><v8:AllowedLength>Variable</v8:AllowedLength></v8:StringQualifiers></Type>";
    let report = format!(
        "<ExternalReport uuid=\"5c55913b-6573-4f45-b848-a90373dafdac\"><InternalInfo><xr:ContainedObject><xr:ClassId>e41aff26-25cf-4bb6-b6c1-3f478a75f374</xr:ClassId><xr:ObjectId>0aae8f14-6e6b-4f1f-9b63-5a5e6f1f6f7c</xr:ObjectId></xr:ContainedObject></InternalInfo>\
         <Properties><Name>Остатки</Name>{}<Comment/><DefaultForm>ExternalReport.Остатки.Form.Форма</DefaultForm><AuxiliaryForm/><MainDataCompositionSchema>ExternalReport.Остатки.Template.Схема</MainDataCompositionSchema><DefaultSettingsForm/><AuxiliarySettingsForm/><DefaultVariantForm/><VariantsStorage/><SettingsStorage/></Properties>\
         <ChildObjects><Attribute uuid=\"db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e\"><Properties><Name>Склад</Name>{}{types}</Properties></Attribute>\
         <TabularSection uuid=\"9233322b-dfdb-4c66-91fe-1299292d40a5\"><Properties><Name>Товары</Name></Properties><ChildObjects><Attribute uuid=\"fa04bf1e-69c0-4998-a939-039fcaba83c8\"><Properties><Name>Товар</Name>{types}</Properties></Attribute></ChildObjects></TabularSection>\
         <Form>Форма</Form><Template>Схема</Template></ChildObjects></ExternalReport>",
        synonym("Остатки товаров"),
        synonym("Склад")
    );
    let form = "<Form uuid=\"1b3cb7a5-96bd-40b3-8f6e-8c8f0a2c2f11\"><Properties><Name>Форма</Name><FormType>Managed</FormType></Properties></Form>";
    let template = "<Template uuid=\"2b3cb7a5-96bd-40b3-8f6e-8c8f0a2c2f12\"><Properties><Name>Схема</Name><TemplateType>DataCompositionSchema</TemplateType></Properties></Template>";
    let content = "<Form><Events><Event name=\"OnOpen\">ПриОткрытии</Event></Events></Form>".to_owned();
    [described(&report), described(form), content, described(template)]
}

/// In folders.
fn hierarchical(root: &Path) {
    let [report, form, content, template] = designer();
    put(root, "Остатки.xml", &report);
    put(root, "Остатки/Ext/ObjectModule.bsl", OBJECT_MODULE);
    put(root, "Остатки/Forms/Форма.xml", &form);
    put(root, "Остатки/Forms/Форма/Ext/Form.xml", &content);
    put(root, "Остатки/Forms/Форма/Ext/Form/Module.bsl", FORM_MODULE);
    put(root, "Остатки/Templates/Схема.xml", &template);
    put(root, "Остатки/Templates/Схема/Ext/Template.xml", SCHEMA);
}

/// In the flat layout: a file bears the name of the thing that it is of, behind `prefix`.
fn flat(root: &Path, stem: &str, prefix: &str) {
    let [report, form, content, template] = designer();
    put(root, &format!("{stem}.xml"), &report);
    put(root, &format!("{prefix}.ObjectModule.txt"), OBJECT_MODULE);
    put(root, &format!("{prefix}.Form.Форма.xml"), &form);
    put(root, &format!("{prefix}.Form.Форма.Form.xml"), &content);
    put(root, &format!("{prefix}.Form.Форма.Form.Module.txt"), FORM_MODULE);
    put(root, &format!("{prefix}.Template.Схема.xml"), &template);
    put(root, &format!("{prefix}.Template.Схема.Template.xml"), SCHEMA);
    // What lies beside is nothing of it.
    put(root, "Другое.Form.Форма.xml", &form);
    put(root, &format!("{prefix}.epf"), "");
    put(root, "readme.txt", "");
}

/// A project of EDT with the nature of external objects.
fn project(root: &Path) {
    put(
        root,
        ".project",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription>\n<name>Отчеты</name>\n<natures>\n<nature>org.eclipse.xtext.ui.shared.xtextNature</nature>\n<nature>com._1c.g5.v8.dt.core.V8ExternalObjectsNature</nature>\n</natures>\n</projectDescription>\n",
    );
    put(root, "DT-INF/PROJECT.PMF", "Manifest-Version: 1.0\nBase-Project: База\nRuntime-Version: 8.3.24\n");
    let types = "<type><types>String</types><stringQualifiers><length>10</length></stringQualifiers></type>";
    let synonym = |text: &str| format!("<synonym><key>ru</key><value>{text}</value></synonym>");
    let report = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mdclass:ExternalReport {EDT_SPACES} uuid=\"5c55913b-6573-4f45-b848-a90373dafdac\">\n\
         <producedTypes><objectType typeId=\"078f49fe-15b6-4e41-b545-8cf701728b3b\" valueTypeId=\"3412c81c-c86e-4568-8310-2f7c98698e0b\"/></producedTypes>\n\
         <name>Остатки</name>\n{}\n<containedObjects classId=\"e41aff26-25cf-4bb6-b6c1-3f478a75f374\" objectId=\"0aae8f14-6e6b-4f1f-9b63-5a5e6f1f6f7c\"/>\n\
         <defaultForm>ExternalReport.Остатки.Form.Форма</defaultForm>\n<mainDataCompositionSchema>ExternalReport.Остатки.Template.Схема</mainDataCompositionSchema>\n\
         <attributes uuid=\"db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e\"><name>Склад</name>{}{types}</attributes>\n\
         <tabularSections uuid=\"9233322b-dfdb-4c66-91fe-1299292d40a5\"><name>Товары</name><attributes uuid=\"fa04bf1e-69c0-4998-a939-039fcaba83c8\"><name>Товар</name>{types}</attributes></tabularSections>\n\
         <forms uuid=\"1b3cb7a5-96bd-40b3-8f6e-8c8f0a2c2f11\"><name>Форма</name></forms>\n\
         <templates uuid=\"2b3cb7a5-96bd-40b3-8f6e-8c8f0a2c2f12\"><name>Схема</name><templateType>DataCompositionSchema</templateType></templates>\n</mdclass:ExternalReport>\n",
        synonym("Остатки товаров"),
        synonym("Склад")
    );
    let own = "src/ExternalReports/Остатки";
    put(root, &format!("{own}/Остатки.mdo"), &report);
    put(root, &format!("{own}/ObjectModule.bsl"), OBJECT_MODULE);
    put(
        root,
        &format!("{own}/Forms/Форма/Form.form"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<form:Form xmlns:form=\"http://g5.1c.ru/v8/dt/form\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><handlers><event>OnOpen</event><name>ПриОткрытии</name></handlers></form:Form>\n",
    );
    put(root, &format!("{own}/Forms/Форма/Module.bsl"), FORM_MODULE);
    put(root, &format!("{own}/Templates/Схема/Template.dcs"), SCHEMA);
}

/// What a dump says, whatever its files are called.
fn facts(configuration: &Configuration) -> Vec<String> {
    let mut facts: Vec<String> = configuration.problems.iter().map(|p| format!("problem {p:?}")).collect();
    for layer in &configuration.layers {
        facts.push(format!("layer {} {:?}", layer.name, layer.kind));
    }
    for object in &configuration.objects {
        let items: Vec<_> =
            object.items.iter().map(|i| format!("{} {} {}", i.full_name, i.types.text(), i.uuid)).collect();
        let links: Vec<_> = object.links.iter().map(|link| format!("{} {}", link.property, link.target)).collect();
        facts.push(format!("{} {} {:?} {items:?} {links:?}", object.full_name, object.uuid, object.synonym));
    }
    facts.extend(configuration.modules.iter().map(|m| format!("module {} of {}", m.full_name, m.owner)));
    for form in &configuration.forms {
        let handlers: Vec<_> = form.events.iter().map(|e| format!("{} {}", e.event, e.handler)).collect();
        facts.push(format!("form {} {} {:?} {handlers:?}", form.full_name, form.uuid, form.kind));
    }
    for template in &configuration.templates {
        let expressions: Vec<_> = template.expressions.iter().map(|e| &*e.text).collect();
        facts.push(format!("template {} {:?} {expressions:?}", template.full_name, template.kind));
    }
    facts.sort();
    facts
}

fn facts_of(write: impl Fn(&Path)) -> Vec<String> {
    let dir = support::temp_dir();
    write(dir.path());
    let configuration = read(dir.path()).expect("a dump");
    for (text, module) in [(OBJECT_MODULE, "ObjectModule"), (FORM_MODULE, "Форма")] {
        let module = configuration.modules.iter().find(|m| m.full_name.ends_with(module)).expect("a module");
        let read = metascope_metadata::module_text(&configuration.full_path(module.file)).expect("a text");
        assert_eq!(read, text.as_bytes());
    }
    facts(&configuration)
}

#[test]
fn a_report_says_the_same_in_every_layout_and_format() {
    let expected = facts_of(hierarchical);
    for fact in [
        "layer Остатки External",
        "module Остатки::ExternalReport.Остатки.ObjectModule of Остатки::ExternalReport.Остатки",
        "template Остатки::ExternalReport.Остатки.Template.Схема DataCompositionSchema [\"ОстаткиСкладов.Остаток(Товар)\"]",
        "form Остатки::ExternalReport.Остатки.Form.Форма 1b3cb7a5-96bd-40b3-8f6e-8c8f0a2c2f11 Managed [\"OnOpen ПриОткрытии\"]",
    ] {
        assert!(expected.iter().any(|known| known == fact), "{fact} is not among {expected:#?}");
    }
    assert!(expected.iter().all(|fact| !fact.starts_with("problem")), "{expected:#?}");
    assert_eq!(facts_of(project), expected, "EDT");
    for (stem, prefix) in [
        ("Остатки", "ExternalReport.Остатки"),
        ("ExternalReport.Остатки", "ExternalReport.Остатки"),
        ("Остатки", "Остатки"),
        ("отчет", "отчет"),
    ] {
        assert_eq!(facts_of(|root| flat(root, stem, prefix)), expected, "flat: {stem}.xml, {prefix}.…");
    }
}

#[test]
fn a_project_of_external_objects_is_found_from_anywhere_around_it() {
    let dir = support::temp_dir();
    let root = dir.path().join("ws").join("Отчеты");
    project(&root);
    let second = fs::read_to_string(root.join("src/ExternalReports/Остатки/Остатки.mdo")).expect("a file");
    let second = second.replace("ExternalReport", "ExternalDataProcessor").replace("Остатки", "Загрузка");
    put(&root, "src/ExternalDataProcessors/Загрузка/Загрузка.mdo", &second);
    let names = |path: &str, layers: usize| {
        let found = detect_layers(&dir.path().join(path), &[], &[]).expect("layers");
        assert!(
            found.iter().all(|d| d.format == Format::Edt && d.kind == LayerKind::External && d.root == root),
            "{path}"
        );
        let names: Vec<_> = found.iter().filter_map(|d| d.external.as_ref()).map(|e| e.name.to_string()).collect();
        assert_eq!(names.len(), layers, "{path}: {names:?}");
        names
    };
    for path in ["ws", "ws/Отчеты", "ws/Отчеты/src"] {
        assert_eq!(names(path, 2), ["Загрузка", "Остатки"]);
    }
    for path in ["src/ExternalReports", "src/ExternalReports/Остатки", "src/ExternalReports/Остатки/Остатки.mdo"]
    {
        assert_eq!(names(&format!("ws/Отчеты/{path}"), 1), ["Остатки"]);
    }
    // Beside a configuration in the workspace it is a layer that is asked for.
    let base = dir.path().join("ws").join("База");
    put(
        &base,
        "src/Configuration/Configuration.mdo",
        "<mdclass:Configuration xmlns:mdclass=\"u\"><name>База</name></mdclass:Configuration>",
    );
    assert_eq!(detect(&dir.path().join("ws")).expect("a configuration").root, base);
    let layers = detect_layers(&base, &[], std::slice::from_ref(&root)).expect("layers");
    assert_eq!(layers.len(), 3);
    // What only looks like one.
    put(dir.path(), "other/Загрузка.mdo", &second);
    assert!(matches!(detect(&dir.path().join("other")), Err(ReadError::NoDump { .. })));
}

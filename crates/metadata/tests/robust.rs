//! Damaged dumps: nothing panics, and a damaged file costs that file alone.

use metascope_metadata::{Configuration, ProblemKind, read};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

const HEAD: &str = r#"<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:v8="http://v8.1c.ru/8.1/data/core" xmlns:xr="http://v8.1c.ru/8.3/xcf/readable" xmlns:xs="http://www.w3.org/2001/XMLSchema" version="2.20">"#;

fn dump() -> Vec<(&'static str, String)> {
    let described = |inner: &str| format!("\u{feff}<?xml version=\"1.0\"?>\n{HEAD}\n{inner}\n</MetaDataObject>");
    vec![
        ("Configuration.xml", described("<Configuration uuid=\"1\"><Properties><Name>К</Name><Synonym><v8:item><v8:lang>ru</v8:lang><v8:content>К</v8:content></v8:item></Synonym></Properties>\n<ChildObjects><Catalog>Товары</Catalog>\n<Role>Р</Role><BusinessProcess>П</BusinessProcess></ChildObjects></Configuration>")),
        ("Catalogs/Товары.xml", described("<Catalog><Properties><Name>Товары</Name><Owners><xr:Item>Catalog.Товары</xr:Item></Owners></Properties><ChildObjects>\n<Attribute><Properties><Name>А</Name><Type><v8:Type>cfg:CatalogRef.Товары</v8:Type><v8:Type>xs:string</v8:Type></Type></Properties></Attribute>\n<TabularSection><Properties><Name>Т</Name></Properties><ChildObjects><Attribute><Properties><Name>Б</Name></Properties></Attribute></ChildObjects></TabularSection><Form>Ф</Form></ChildObjects></Catalog>")),
        ("Catalogs/Товары/Forms/Ф.xml", described("<Form><Properties><Name>Ф</Name></Properties></Form>")),
        ("Catalogs/Товары/Forms/Ф/Ext/Form.xml", "<Form><Events><Event name=\"OnOpen\">А &amp; Б</Event></Events><ChildItems><Table name=\"Т\" id=\"1\"><ChildItems><InputField name=\"П\" id=\"2\"><DataPath>О.П</DataPath></InputField></ChildItems></Table></ChildItems><Commands><Command name=\"К\"><Action>К</Action></Command></Commands></Form>".to_owned()),
        ("Catalogs/Товары/Ext/Predefined.xml", "<PredefinedData><Item><Name>А</Name><ChildItems><Item><Name>Б</Name></Item></ChildItems></Item></PredefinedData>".to_owned()),
        ("Roles/Р.xml", described("<Role><Properties><Name>Р</Name></Properties></Role>")),
        ("Roles/Р/Ext/Rights.xml", "<Rights><object><name>Catalog.Товары</name><right><name>Read</name><value>true</value></right></object></Rights>".to_owned()),
        ("BusinessProcesses/П.xml", described("<BusinessProcess><Properties><Name>П</Name></Properties></BusinessProcess>")),
        ("BusinessProcesses/П/Ext/Flowchart.xml", "<GraphicalSchema><Items><Start><Properties><Name>С</Name></Properties><Events><Event name=\"BeforeStart\">М</Event></Events></Start></Items></GraphicalSchema>".to_owned()),
    ]
}

/// The same as a project of EDT: only the files that EDT has.
fn project() -> Vec<(&'static str, String)> {
    let mdo = |kind: &str, inner: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<mdclass:{kind} xmlns:mdclass=\"u\" xmlns:xsi=\"x\" uuid=\"1\">\n{inner}\n</mdclass:{kind}>"
        )
    };
    vec![
        ("src/Configuration/Configuration.mdo", mdo("Configuration", "<name>К</name><synonym><key>ru</key><value>К</value></synonym>\n<catalogs>Catalog.Товары</catalogs><roles>Role.Р</roles><businessProcesses>BusinessProcess.П</businessProcesses>")),
        ("src/Catalogs/Товары/Товары.mdo", mdo("Catalog", "<name>Товары</name><owners>Catalog.Товары</owners>\n<attributes uuid=\"2\"><name>А</name><type><types>CatalogRef.Товары</types><types>String</types></type></attributes>\n<tabularSections uuid=\"3\"><name>Т</name><attributes uuid=\"4\"><name>Б</name></attributes></tabularSections><predefined><items id=\"5\"><name>А</name><content id=\"6\"><name>Б</name></content></items></predefined><forms uuid=\"7\"><name>Ф</name></forms>")),
        ("src/Catalogs/Товары/Forms/Ф/Form.form", "<form:Form xmlns:form=\"u\" xmlns:xsi=\"x\"><items xsi:type=\"form:Table\"><name>Т</name><id>1</id><items xsi:type=\"form:FormField\"><name>П</name><id>2</id><dataPath xsi:type=\"form:DataPath\"><segments>О.П</segments></dataPath><type>InputField</type></items></items><handlers><event>OnOpen</event><name>А &amp; Б</name></handlers><formCommands><name>К</name><action xsi:type=\"c\"><handler><name>К</name></handler></action></formCommands></form:Form>".to_owned()),
        ("src/Roles/Р/Р.mdo", mdo("Role", "<name>Р</name>")),
        ("src/Roles/Р/Rights.rights", "<Rights><object><name>Catalog.Товары</name><right><name>Read</name><value>true</value></right></object></Rights>".to_owned()),
        ("src/BusinessProcesses/П/П.mdo", mdo("BusinessProcess", "<name>П</name>")),
        ("src/BusinessProcesses/П/Flowchart.scheme", "<GraphicalSchema><Items><Start><Properties><Name>С</Name></Properties><Events><Event name=\"BeforeStart\">М</Event></Events></Start></Items></GraphicalSchema>".to_owned()),
    ]
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, bytes).expect("a file");
}

/// Writes the files with one of them changed, and reads them.
fn read_with(files: &[(&'static str, String)], changed: usize, change: impl Fn(&[u8]) -> Vec<u8>) -> Configuration {
    let root = tempfile::tempdir().expect("a folder");
    for (i, (path, text)) in files.iter().enumerate() {
        let bytes = if i == changed { change(text.as_bytes()) } else { text.clone().into_bytes() };
        write(root.path(), path, &bytes);
    }
    read(root.path()).expect("a dump")
}

#[test]
fn the_whole_dump_has_no_problem() {
    for files in [dump(), project()] {
        let configuration = read_with(&files, usize::MAX, <[u8]>::to_vec);
        assert_eq!(configuration.problems, []);
        assert_eq!(configuration.objects.len(), 3);
        assert_eq!(configuration.forms.iter().map(|f| (f.events.len(), f.items.len())).collect::<Vec<_>>(), [(1, 2)]);
        let counts = (configuration.roles.len(), configuration.predefined.len(), configuration.flowcharts.len());
        assert_eq!(counts, (1, 2, 1));
    }
}

#[test]
fn files_without_owners_and_owners_without_files() {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in dump().iter().filter(|(path, _)| *path != "Roles/Р.xml") {
        write(root.path(), path, text.as_bytes());
    }
    write(
        root.path(),
        "Catalogs/Лишний.xml",
        format!("{HEAD}<Catalog><Properties/></Catalog></MetaDataObject>").as_bytes(),
    );
    write(root.path(), "Catalogs/Лишний/Ext/ObjectModule.bsl", b"");
    let configuration = read(root.path()).expect("a dump");
    let kinds: Vec<_> = configuration.problems.iter().map(|p| (&*p.path, &p.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("Catalogs/Лишний.xml", &ProblemKind::Unlisted("Catalog.Лишний".into())),
            ("Configuration.xml", &ProblemKind::MissingFile("Role.Р".into())),
        ]
    );
    assert!(configuration.object("Catalog.Лишний").is_none() && configuration.modules.is_empty());
}

#[test]
fn every_truncation_is_a_problem_of_that_file_alone() {
    for files in [dump(), project()] {
        every_truncation(&files);
    }
}

fn every_truncation(files: &[(&'static str, String)]) {
    for (i, (path, text)) in files.iter().enumerate() {
        let step = (text.len() / 12).max(1);
        for length in (1..text.len() - 1).step_by(step) {
            let configuration = read_with(files, i, |bytes| bytes.get(..length).unwrap_or_default().to_vec());
            let mut damaged = configuration.problems.iter().filter(|p| !matches!(p.kind, ProblemKind::MissingFile(_)));
            assert!(damaged.all(|p| &*p.path == *path), "{path} cut at {length}: {:?}", configuration.problems);
            assert!(!configuration.problems.is_empty(), "{path} cut at {length}");
            let intact = configuration.roles.iter().map(|r| r.objects.len()).sum::<usize>();
            assert!(intact == 1 || path.contains("Roles"), "{path} cut at {length}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_damage_is_survived(is_edt in any::<bool>(), file in 0_usize..9, at in 0.0_f64..1.0, length in 0_usize..40, junk in "[<>&;/\"a-zа-я=\u{0}-\u{20}]{0,12}") {
        let files = if is_edt { project() } else { dump() };
        let configuration = read_with(&files, file, |bytes| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            let from = (at * bytes.len() as f64) as usize;
            let to = (from + length).min(bytes.len());
            [bytes.get(..from).unwrap_or_default(), junk.as_bytes(), bytes.get(to..).unwrap_or_default()].concat()
        });
        for problem in &configuration.problems {
            prop_assert!(!problem.message(metascope_metadata::Language::Russian).is_empty());
        }
    }
}

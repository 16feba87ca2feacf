//! Ordinary forms and protected modules in an index.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
use metascope_index::scan::{Limits, Pattern};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location, Reason, Resolution, Walk};
use std::fs;
use std::path::Path;

fn made(dump: &Path) -> (tempfile::TempDir, Index) {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    build(dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let index = Index::open(&location).unwrap();
    (dir, index)
}

fn rows(index: &Index, sql: &str) -> Vec<String> {
    let rows = select(index.path(), sql, SqlLimits::default()).unwrap().rows;
    let text = |cell: &serde_json::Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    rows.iter().map(|row| row.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
}

fn found(index: &Index, name: &str) -> u32 {
    match index.resolve(name).unwrap() {
        Resolution::Found(thing) => thing.id,
        other => panic!("{name}: {other:?}"),
    }
}

/// A container as the platform writes it: documents stand as they are.
fn container(entries: &[(&str, &str)]) -> Vec<u8> {
    let block = |document: &[u8], page: usize| {
        let mut block = format!("\r\n{:08x} {page:08x} 7fffffff \r\n", document.len()).into_bytes();
        block.extend(document);
        block.resize(31 + page, 0);
        block
    };
    let (mut table, mut blocks) = (Vec::new(), Vec::new());
    let start = 16 + 31 + 0x200;
    for (name, text) in entries {
        let header: Vec<u8> = [0; 20].into_iter().chain(name.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for document in [&header[..], text.as_bytes()] {
            table.extend(u32::try_from(start + blocks.len()).unwrap().to_le_bytes());
            blocks.extend(block(document, document.len()));
        }
        table.extend(0x7FFF_FFFF_u32.to_le_bytes());
    }
    let head = [0x7FFF_FFFF_u32, 0x200, 0, 0].into_iter().flat_map(u32::to_le_bytes);
    head.chain(block(&table, 0x200)).chain(blocks).collect()
}

const FORM: &str = r#"{27,{16,{{1,1,{"ru","Форма"}},3,0},{0}},{{-1},0},{0,0},
{1,{70001,e1692cc2-605b-4535-84dd-28440238746c,{3,"ПриОткрытии",{1,"ПриОткрытии",{1,0}}}}},1}"#;
const MODULE: &str = "\u{feff}Процедура ПриОткрытии()\r\n\tДобавитьСтроку();\r\nКонецПроцедуры\r\n\r\nПроцедура ДобавитьСтроку()\r\n\tА = 1;\r\nКонецПроцедуры";

/// A dump of a common form and two common modules.
fn dump(form: &[u8]) -> tempfile::TempDir {
    let dir = support::temp_dir();
    let put = |path: &str, bytes: &[u8]| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let description = |kind: &str, name: &str, inner: &str| {
        format!(
            "<MetaDataObject xmlns=\"http://v8.1c.ru/8.3/MDClasses\"><{kind}><Properties><Name>{name}</Name></Properties>{inner}</{kind}></MetaDataObject>"
        )
    };
    let listed = "<ChildObjects><CommonForm>Ф</CommonForm><CommonModule>А</CommonModule><CommonModule>Б</CommonModule></ChildObjects>";
    put("Configuration.xml", description("Configuration", "К", listed).as_bytes());
    put("CommonForms/Ф.xml", description("CommonForm", "Ф", "").as_bytes());
    put("CommonForms/Ф/Ext/Form.bin", form);
    for name in ["А", "Б"] {
        put(&format!("CommonModules/{name}.xml"), description("CommonModule", name, "").as_bytes());
    }
    put("CommonModules/А/Ext/Module.bin", &container(&[("image", "binary")]));
    put("CommonModules/Б/Ext/Module.bsl", &container(&[("image", "binary")]));
    dir
}

#[test]
fn a_module_within_a_form_is_a_module_like_any_other() {
    let dump = dump(&container(&[("form", FORM), ("module", MODULE)]));
    let (_at, index) = made(dump.path());
    assert_eq!(rows(&index, "SELECT form, kind FROM forms"), ["CommonForm.Ф ordinary"]);
    assert_eq!(rows(&index, "SELECT element, event, handler FROM form_handlers"), ["null OnOpen ПриОткрытии"]);
    let edges = rows(&index, "SELECT source, target, channel, line FROM edges ORDER BY channel");
    assert_eq!(
        edges,
        [
            "CommonForm.Ф.ПриОткрытии CommonForm.Ф.ДобавитьСтроку direct 2",
            "CommonForm.Ф CommonForm.Ф.ПриОткрытии form_event 1"
        ]
    );
    let method = found(&index, "CommonForm.Ф.ДобавитьСтроку");
    let source = index.method_source(method).unwrap();
    assert_eq!((source.line, source.text.lines().next()), (5, Some("Процедура ДобавитьСтроку()")));
    let pattern = Pattern { text: "А = 1".to_owned(), regex: false, case_sensitive: true };
    let scan = index.scan(&pattern, Limits::default()).unwrap();
    assert_eq!(
        scan.hits.iter().map(|hit| (&*hit.full_name, hit.line)).collect::<Vec<_>>(),
        [("CommonForm.Ф.ДобавитьСтроку", 6)]
    );
    // The two protected modules: neither counts as empty.
    assert_eq!(scan.unread, 2);
}

#[test]
fn protected_modules_are_listed_and_make_no_zero_proven() {
    let dump = dump(&container(&[("form", FORM), ("module", MODULE)]));
    let (_at, index) = made(dump.path());
    assert_eq!(
        rows(&index, "SELECT full_name, lines FROM modules WHERE object LIKE 'CommonModule%' ORDER BY 1"),
        ["CommonModule.А 0", "CommonModule.Б 0"]
    );
    let problems: Vec<String> = index.problems(100).unwrap().iter().map(|p| format!("{} {}", p.file, p.kind)).collect();
    assert_eq!(problems, ["CommonModules/А/Ext/Module.bin protected", "CommonModules/Б/Ext/Module.bsl protected"]);
    let method = found(&index, "CommonForm.Ф.ПриОткрытии");
    let answer = index.callers(method, &Walk::default()).unwrap();
    let reasons = format!("{:?}", answer.state);
    assert!(reasons.contains(&format!("{:?}", Reason::ProtectedModules { count: 2 })), "{reasons}");
}

#[test]
fn a_damaged_form_makes_no_zero_proven() {
    let whole = container(&[("form", FORM), ("module", MODULE)]);
    let dump = dump(whole.get(..whole.len() - 300).unwrap());
    let (_at, index) = made(dump.path());
    assert_eq!(rows(&index, "SELECT form, kind FROM forms"), ["CommonForm.Ф ordinary"]);
    let problems = index.problems(100).unwrap();
    let damaged = problems.iter().find(|p| p.kind == "container").unwrap();
    assert!(damaged.file.ends_with("Form.bin") && damaged.message_ru.contains("обрезан"), "{damaged:?}");
    let answer = index.callers(found(&index, "CommonForm.Ф"), &Walk::default()).unwrap();
    let reasons = format!("{:?}", answer.state);
    assert!(reasons.contains(&format!("{:?}", Reason::UnreadFiles { count: 1 })), "{reasons}");
}

#[test]
#[ignore = "corpus"]
fn genuine_forms() {
    let dump = support::temp_dir();
    support::dump_of_forms(&support::require_corpus("ordinary_forms"), dump.path());
    let (_at, index) = made(dump.path());
    assert_eq!(index.problems(100).unwrap(), []);
    let counts = "SELECT (SELECT count(*) FROM forms WHERE kind = 'ordinary'), (SELECT count(*) FROM modules),
        (SELECT count(*) FROM methods), (SELECT count(*) FROM form_handlers),
        (SELECT count(*) FROM edges WHERE channel = 'form_event'),
        (SELECT count(*) FROM edges WHERE channel = 'form_element_event')";
    assert_eq!(rows(&index, counts), ["25 25 345 246 42 187"]);
    // Each handler whose procedure is there gives its edge; a button that stands twice in a menu is one source.
    let linked = "SELECT count(DISTINCT h.form || '.' || coalesce(h.element, '') || '.' || lower(h.handler)) FROM form_handlers h
        JOIN methods m ON m.module = h.form AND m.name = h.handler COLLATE NOCASE";
    assert_eq!(rows(&index, linked), ["229"]);
}

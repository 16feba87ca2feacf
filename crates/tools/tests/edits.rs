//! Pending changes on a copy of the demo: kept, shown, applied, taken back; what is refused has no effect.

mod support;

use std::sync::Mutex;

use metascope_tools::edits::{Draft, EditError, EditState, Pending, Revision};
use metascope_tools::{Context, Language, Stop, ToolError};
use serde_json::json;
use support::Scratch;

const PRICES: &str = "CommonModules/ЦеныИСкидки/Ext/Module.bsl";
const EVENTS: &str = "CommonModules/СобытияТорговли/Ext/Module.bsl";

/// Proposes to replace texts in files.
fn propose(scratch: &Scratch, changes: &[(&str, &str, &str)]) -> Result<Pending, ToolError> {
    let (index, edits) = (scratch.index(), scratch.tools.edits());
    let mut files: Vec<(String, Revision)> = Vec::new();
    for (path, old, new) in changes {
        let text = edits.text(&index, path)?;
        let mut revision = Revision::new(text);
        let at = revision.text().find(old).expect("it stands there");
        revision.replace(at..at + old.len(), new).expect("a place");
        files.push(((*path).to_owned(), revision));
    }
    keep(scratch, files)
}

fn keep(scratch: &Scratch, files: Vec<(String, Revision)>) -> Result<Pending, ToolError> {
    let (index, edits) = (scratch.index(), scratch.tools.edits());
    let (stop, meaning) = (Stop::default(), Mutex::new(metascope_tools::Meaning::none("")));
    let context = Context {
        index: &index,
        edits: &edits,
        language: Language::Russian,
        stop: &stop,
        until: index::Deadline::NEVER,
        meaning: &meaning,
        web: None,
    };
    edits.propose(&context, Draft { title: "правка".into(), tool: "test", arguments: json!({}), files })
}

fn edit_error<T: std::fmt::Debug>(result: Result<T, ToolError>) -> EditError {
    match result {
        Err(ToolError::Edit(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_change_waits_is_applied_and_taken_back_byte_for_byte() {
    let scratch = Scratch::demo();
    let before = scratch.everything();
    let edits = scratch.tools.edits();
    let version = edits.version().unwrap();
    let pending =
        propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 2;\r\n\t// х"), (EVENTS, "\r\n", "\r\n\r\n")]).unwrap();
    assert_eq!((pending.id, pending.state, pending.files.len()), (1, EditState::Pending, 2));
    assert_ne!(edits.version().unwrap(), version);
    assert_eq!(scratch.everything(), before, "only proposed");
    assert!(edits.text(&scratch.index(), PRICES).unwrap().contains("Возврат 2;"));

    let applied = edits.apply(&scratch.index(), &[1]).unwrap();
    assert_eq!(applied.files, [EVENTS, PRICES]);
    let after = scratch.everything();
    assert_eq!(after.len(), before.len(), "no other file comes or goes");
    let changed: Vec<_> = after.iter().filter(|(path, bytes)| before[*path] != **bytes).map(|(path, _)| path).collect();
    assert_eq!(changed.len(), 2);
    let text = String::from_utf8(scratch.bytes(PRICES)).unwrap();
    let old = String::from_utf8(before[&scratch.root.join(PRICES)].clone()).unwrap();
    assert_eq!(text, old.replacen("Возврат 1;", "Возврат 2;\r\n\t// х", 1));
    assert!(matches!(
        edit_error(edits.apply(&scratch.index(), &[1])),
        EditError::State { state: EditState::Applied, .. }
    ));

    edits.undo(&scratch.index(), 1).unwrap();
    assert_eq!(scratch.everything(), before);
    assert_eq!(edits.get(1).unwrap().state, EditState::Undone);
    assert!(matches!(edit_error(edits.undo(&scratch.index(), 1)), EditError::State { state: EditState::Undone, .. }));
    assert!(matches!(edit_error(edits.undo(&scratch.index(), 7)), EditError::Unknown { id: 7, .. }));
}

#[test]
fn a_file_that_changed_is_a_conflict_and_stays() {
    let scratch = Scratch::demo();
    let edits = scratch.tools.edits();
    propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 2;"), (EVENTS, "\r\n", "\r\n\r\n")]).unwrap();
    let foreign = [scratch.bytes(PRICES), b"// by hand".to_vec()].concat();
    std::fs::write(scratch.root.join(PRICES), &foreign).unwrap();
    let before = scratch.everything();
    let error = edit_error(edits.apply(&scratch.index(), &[1]));
    assert!(matches!(&error, EditError::Conflict { id: 1, path, by: None } if path == PRICES), "{error:?}");
    assert_eq!(scratch.everything(), before);
    assert_eq!(edits.conflicts(&scratch.index()).unwrap(), [(1, PRICES.to_owned())]);
    // It stands in nobody's way: the next change is made for the file as it is.
    propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 3;")]).unwrap();
    edits.apply(&scratch.index(), &[2]).unwrap();
    // What was changed by hand after it was applied isn't taken back.
    let foreign = [scratch.bytes(PRICES), b"// again".to_vec()].concat();
    std::fs::write(scratch.root.join(PRICES), &foreign).unwrap();
    assert!(matches!(edit_error(edits.undo(&scratch.index(), 2)), EditError::Conflict { id: 2, by: None, .. }));
    assert_eq!(scratch.bytes(PRICES), foreign);
    assert_eq!(edits.discard(&scratch.index(), 1).unwrap().state, EditState::Discarded);
}

#[test]
fn changes_of_one_file_stand_on_each_other_only_where_they_touch() {
    let scratch = Scratch::demo();
    let edits = scratch.tools.edits();
    let original = scratch.bytes(PRICES);
    propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 10;")]).unwrap();
    propose(&scratch, &[(PRICES, "1000000", "2000000")]).unwrap();
    propose(&scratch, &[(PRICES, "Возврат 10;", "Возврат 100;")]).unwrap();
    let text = |number: &str| String::from_utf8(scratch.bytes(PRICES)).unwrap().contains(number);
    // The third one changes what the first one put in.
    assert!(matches!(edit_error(edits.apply(&scratch.index(), &[3])), EditError::StandsOn { id: 3, first: 1 }));
    assert!(matches!(edit_error(edits.discard(&scratch.index(), 1)), EditError::StandsOn { id: 3, first: 1 }));
    // The second one goes first, and the others still fit.
    edits.apply(&scratch.index(), &[2]).unwrap();
    assert!(text("2000000") && text("Возврат 1;"));
    edits.apply(&scratch.index(), &[1, 3]).unwrap();
    assert!(text("Возврат 100;"));
    // The last one applied is the first to be taken back.
    assert!(matches!(edit_error(edits.undo(&scratch.index(), 1)), EditError::Conflict { by: Some(3), .. }));
    for id in [3, 1, 2] {
        edits.undo(&scratch.index(), id).unwrap();
    }
    assert_eq!(scratch.bytes(PRICES), original);
}

#[test]
fn a_change_that_waits_fits_after_another_one_was_dropped_or_taken_back() {
    let scratch = Scratch::demo();
    let edits = scratch.tools.edits();
    let original = String::from_utf8(scratch.bytes(PRICES)).unwrap();
    propose(&scratch, &[(PRICES, "Цена <> 0", "Цена > 0")]).unwrap();
    propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 10;")]).unwrap();
    edits.apply(&scratch.index(), &[1]).unwrap();
    propose(&scratch, &[(PRICES, "1000000", "2000000")]).unwrap();
    edits.undo(&scratch.index(), 1).unwrap();
    edits.discard(&scratch.index(), 2).unwrap();
    edits.apply(&scratch.index(), &[3]).unwrap();
    assert_eq!(String::from_utf8(scratch.bytes(PRICES)).unwrap(), original.replace("1000000", "2000000"));
}

#[test]
fn paths_that_lead_out_are_refused() {
    let scratch = Scratch::demo();
    std::fs::write(scratch.folder().join("secret.bsl"), "А = 1;").unwrap();
    let before = scratch.everything();
    let absolute = scratch.root.join(PRICES).to_string_lossy().into_owned();
    for path in [
        "../secret.bsl",
        "CommonModules/../../secret.bsl",
        "CommonModules/ЦеныИСкидки/../ЦеныИСкидки/Ext/Module.bsl",
        "./CommonModules/ЦеныИСкидки/Ext/Module.bsl",
        "/etc/passwd",
        &absolute,
        "C:\\Windows\\win.ini",
        "Расш::../secret.bsl",
        "CommonModules\\ЦеныИСкидки\\Ext\\Module.bsl",
        "",
    ] {
        let error = edit_error(scratch.tools.edits().text(&scratch.index(), path));
        assert!(matches!(error, EditError::Outside { .. } | EditError::NotAFile { .. }), "{path}: {error:?}");
        // Nor is it let in by a text that somebody brings along.
        let mut revision = Revision::new("А = 1;");
        revision.replace(0..0, "Б = 2;").unwrap();
        let error = edit_error(keep(&scratch, vec![(path.to_owned(), revision)]));
        assert!(matches!(error, EditError::Blocked { .. }), "{path}: {error:?}");
    }
    assert_eq!(scratch.everything(), before);
    assert!(scratch.tools.edits().list().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_replaced() {
    let scratch = Scratch::demo();
    let outside = scratch.folder().join("outside.bsl");
    std::fs::write(&outside, scratch.bytes(PRICES)).unwrap();
    let edits = scratch.tools.edits();
    propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 2;")]).unwrap();
    let file = scratch.root.join(PRICES);
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&outside, &file).unwrap();
    assert!(matches!(edit_error(edits.text(&scratch.index(), PRICES)), EditError::Outside { .. }));
    assert!(matches!(edit_error(edits.apply(&scratch.index(), &[1])), EditError::Conflict { .. }));
    // A folder above the file leads elsewhere.
    let module = scratch.root.join("CommonModules/СобытияТорговли");
    let moved = scratch.folder().join("moved");
    std::fs::rename(&module, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &module).unwrap();
    let before = std::fs::read(moved.join("Ext/Module.bsl")).unwrap();
    assert!(matches!(edit_error(edits.text(&scratch.index(), EVENTS)), EditError::Outside { .. }));
    assert_eq!(std::fs::read(moved.join("Ext/Module.bsl")).unwrap(), before);
    assert!(file.is_symlink() && std::fs::read_to_string(&outside).unwrap().contains("Возврат 1;"));
}

#[test]
fn too_much_and_nothing_are_refused() {
    let scratch = Scratch::demo();
    let huge = "я".repeat(5 << 20);
    assert!(matches!(edit_error(propose(&scratch, &[(PRICES, "Возврат 1;", &huge)])), EditError::TooLarge { .. }));
    assert!(matches!(edit_error(propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 1;")])), EditError::Nothing));
    assert!(matches!(edit_error(propose(&scratch, &[(PRICES, "Возврат 1;", "\0")])), EditError::Blocked { .. }));
    let stale = Revision::new("другой текст");
    let mut changed = stale.clone();
    changed.replace(0..0, "А").unwrap();
    assert!(matches!(edit_error(keep(&scratch, vec![(PRICES.to_owned(), changed)])), EditError::Conflict { .. }));
    assert!(scratch.tools.edits().list().unwrap().is_empty());
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    let scratch = Scratch::demo();
    for bytes in [&b"\xcf\xf0\xee\xf6"[..], b"a\0b"] {
        std::fs::write(scratch.root.join(PRICES), bytes).unwrap();
        assert!(matches!(edit_error(scratch.tools.edits().text(&scratch.index(), PRICES)), EditError::NotText { .. }));
    }
}

#[test]
fn what_a_vendor_locked_is_refused_and_what_stays_on_support_is_remarked() {
    let uuid_of = |xml: &str| {
        let at = xml.find("uuid=\"").expect("a uuid") + 6;
        xml[at..at + 36].to_owned()
    };
    let scratch = Scratch::of(|root| {
        ::support::copy_folder(&::support::demo(), root);
        let uuid = |path: &str| uuid_of(&std::fs::read_to_string(root.join(path)).unwrap());
        let whole = uuid("Configuration.xml");
        let locked = uuid("CommonModules/ЦеныИСкидки.xml");
        let editable = uuid("CommonModules/СобытияТорговли.xml");
        let records = format!("1,0,{whole},{whole},0,0,{locked},{locked},1,0,{editable},{editable}");
        let text = format!("\u{feff}{{6,0,1,{whole},0,{whole},\"1.0\",\"Поставщик\",\"Демо\",3,{records}}}");
        ::support::put(root, "Ext/ParentConfigurations.bin", &text);
    });
    let error = edit_error(propose(&scratch, &[(PRICES, "Возврат 1;", "Возврат 2;")]));
    let EditError::Blocked { found } = error else { panic!("{error:?}") };
    assert_eq!((found[0].gate.as_str(), found[0].path.as_str()), ("support", PRICES));
    let pending = propose(&scratch, &[(EVENTS, "\r\n", "\r\n\r\n")]).unwrap();
    assert_eq!(pending.remarks.len(), 1);
    assert!(!pending.remarks[0].blocking && pending.remarks[0].ru.contains("поддержке"));
    let tells = "Ext/ParentConfigurations.bin";
    let error = edit_error(propose(&scratch, &[(tells, "0,0,", "1,0,")]));
    assert!(matches!(error, EditError::Blocked { .. } | EditError::NotAFile { .. }), "{error:?}");
}

#[test]
fn two_programs_propose_and_each_change_has_its_number() {
    let scratch = Scratch::demo();
    std::thread::scope(|scope| {
        for number in 0..2 {
            let scratch = &scratch;
            scope.spawn(move || {
                for turn in 0..10 {
                    // The other one may have been faster between the look at the text and the proposal.
                    loop {
                        let new =
                            format!("Процедура Новая{number}{turn}()\r\nКонецПроцедуры\r\n\r\n// Скидка партнера");
                        match propose(scratch, &[(PRICES, "// Скидка партнера", &new)]) {
                            Ok(_) => break,
                            Err(ToolError::Edit(EditError::Conflict { .. })) => {}
                            Err(other) => panic!("{other}"),
                        }
                    }
                }
            });
        }
    });
    let all = scratch.tools.edits().list().unwrap();
    assert_eq!(all.iter().map(|one| one.id).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    let ids: Vec<u32> = (1..=20).collect();
    scratch.tools.edits().apply(&scratch.index(), &ids).unwrap();
    assert_eq!(String::from_utf8(scratch.bytes(PRICES)).unwrap().matches("Процедура Новая").count(), 20);
}

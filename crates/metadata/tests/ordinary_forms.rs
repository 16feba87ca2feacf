//! Genuine ordinary forms: every module and handler is read, every damage is told.

use metascope_metadata::{Configuration, FormKind, ProblemKind, module_text, read};
use std::fs;
use std::path::Path;
use support::{dump_of_forms, require_corpus, temp_dir};

fn open(to: &Path) -> (Configuration, Vec<String>) {
    let names = dump_of_forms(&require_corpus("ordinary_forms"), to);
    (read(to).unwrap_or_else(|error| panic!("{error}")), names)
}

#[test]
#[ignore = "corpus"]
fn all_modules_and_handlers_are_read() {
    let dir = temp_dir();
    let (configuration, names) = open(dir.path());
    assert_eq!(configuration.problems, []);
    let forms: Vec<&str> = configuration.forms.iter().map(|form| &*form.full_name).collect();
    assert_eq!(forms, names);
    assert_eq!((forms.len(), configuration.modules.len()), (25, 25));
    assert!(configuration.forms.iter().all(|form| form.kind == FormKind::Ordinary));
    let handlers = |form: &metascope_metadata::Form| {
        let all = form.events.iter().chain(form.items.iter().flat_map(|item| &item.events));
        all.map(|event| (event.event.clone(), event.handler.clone())).collect::<Vec<_>>()
    };
    let mut unnamed = Vec::new();
    let mut missing = Vec::new();
    let mut lines = 0;
    for module in &configuration.modules {
        let text = module_text(&configuration.full_path(module.file)).expect("a module");
        let text = String::from_utf8(text).expect("UTF-8").trim_start_matches('\u{feff}').to_lowercase();
        lines += text.lines().count();
        let form = configuration.forms.iter().find(|form| form.full_name == module.full_name).expect("its form");
        for (event, handler) in handlers(form) {
            let named = text.lines().any(|line| {
                let words = line.trim_start().strip_prefix("процедура").map(str::trim_start).unwrap_or_default();
                words.split('(').next().map(str::trim) == Some(&handler.to_lowercase())
            });
            if !named {
                missing.push(format!("{}.{handler}", form.full_name));
            }
            if !event.is_ascii() {
                unnamed.push(format!("{}: {event} -> {handler}", form.full_name));
            }
        }
    }
    let of_forms: usize = configuration.forms.iter().map(|form| form.events.len()).sum();
    let of_items: usize = configuration.forms.iter().flat_map(|f| &f.items).map(|item| item.events.len()).sum();
    assert_eq!(unnamed, Vec::<String>::new());
    // Every procedure that the notation names by the class of actions: 160 events, 86 actions.
    assert_eq!(of_forms + of_items, 246);
    assert_eq!((of_forms, lines), (43, 7281));
    // Forms that name what their modules don't have.
    assert_eq!(missing.len(), 8, "{missing:#?}");
}

#[test]
#[ignore = "corpus"]
fn a_damaged_form_is_a_clear_error_of_that_form_alone() {
    let dir = temp_dir();
    dump_of_forms(&require_corpus("ordinary_forms"), dir.path());
    let damaged = "CommonForms/ПечатьДокументов/Ext/Form.bin";
    let path = dir.path().join(damaged);
    let whole = fs::read(&path).expect("a form");
    let mut looped = whole.clone();
    // The first page of the table of contents is followed by itself.
    looped[16..47].copy_from_slice(b"\r\n00000400 00000200 00000010 \r\n");
    let half = whole.get(..whole.len() / 2).unwrap_or_default();
    for (bytes, what) in [(&[][..], "empty"), (half, "cut off"), (&looped, "leads back"), (b"text", "no container")] {
        fs::write(&path, bytes).expect("a file");
        let configuration = read(dir.path()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!configuration.problems.is_empty(), "{what}");
        for problem in &configuration.problems {
            assert_eq!(&*problem.path, damaged);
            let message = problem.message(metascope_metadata::Language::English);
            assert!(matches!(problem.kind, ProblemKind::Container(_)) && message.contains(what), "{message}");
        }
        assert_eq!(configuration.forms.iter().filter(|form| form.kind == FormKind::Ordinary).count(), 25);
        assert!(configuration.modules.len() >= 24);
    }
}

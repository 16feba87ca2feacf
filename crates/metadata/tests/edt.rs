//! Projects of 1C:EDT: the demo says the same in both formats.

#![allow(clippy::expect_used, reason = "helpers of tests, where a panic is the message")]

mod facts;

use metascope_metadata::{Configuration, Format, list_files, read};
use std::path::Path;

fn open(path: &Path) -> Configuration {
    read(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_demo_says_the_same_in_both_formats() {
    let (designer, edt) = (open(&support::demo()), open(&support::demo_edt()));
    let format = |configuration: &Configuration| configuration.layers.first().map(|layer| layer.format);
    assert_eq!((format(&designer), format(&edt)), (Some(Format::Designer), Some(Format::Edt)));
    assert_eq!(edt.problems, []);
    let (first, second) = (facts::of(&designer), facts::of(&edt));
    let differences: Vec<String> = facts::differences(&first, &second).iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(first.len() > 5000);
}

#[test]
fn the_order_of_what_an_object_consists_of_is_the_same() {
    let (designer, edt) = (open(&support::demo()), open(&support::demo_edt()));
    for (a, b) in designer.objects.iter().zip(&edt.objects) {
        assert_eq!(a.full_name, b.full_name);
        let items = |o: &metascope_metadata::Object| o.items.iter().map(|i| i.full_name.clone()).collect::<Vec<_>>();
        assert_eq!(items(a), items(b));
        let properties = |o: &metascope_metadata::Object| {
            o.properties.iter().map(|p| (p.name.clone(), p.value.clone())).collect::<Vec<_>>()
        };
        assert_eq!(properties(a), properties(b), "{}", a.full_name);
    }
    for (a, b) in designer.forms.iter().zip(&edt.forms) {
        let items =
            |f: &metascope_metadata::Form| f.items.iter().map(|i| (i.name.clone(), i.parent)).collect::<Vec<_>>();
        assert_eq!(items(a), items(b), "{}", a.full_name);
    }
}

#[test]
fn lines_and_files_are_those_of_edt() {
    let edt = open(&support::demo_edt());
    for object in &edt.objects {
        let path = edt.path(object.file);
        let text = std::fs::read_to_string(edt.full_path(object.file)).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        for item in object.items.iter().filter(|i| i.name_ru.is_none() && i.file.is_none()) {
            let after = lines.get(item.line as usize - 1..).expect("a line of the file");
            let name = format!("<name>{}</name>", item.name);
            let own = after.iter().find(|l| l.trim().starts_with("<name>")).expect("a name");
            assert_eq!(own.trim(), name, "{path}:{}", item.line);
        }
    }
    for form in &edt.forms {
        let content = form.content.expect("a file with the content");
        let path = edt.path(content);
        let text = std::fs::read_to_string(edt.full_path(content)).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        let events = form.events.iter().chain(form.items.iter().flat_map(|i| &i.events));
        for event in events {
            let near = lines.get(event.line as usize - 1..event.line as usize + 2).expect("lines").join(" ");
            assert!(near.contains(&*event.event) && near.contains(&*event.handler), "{path}:{}", event.line);
        }
    }
}

#[test]
fn the_committed_twin_of_the_demo_is_what_the_writer_writes() {
    let made = support::temp_dir();
    support::write_edt(&support::demo(), made.path()).expect("a twin");
    let committed = support::demo_edt();
    let files = |root: &Path| {
        let (files, problems) = list_files(root).expect("files");
        assert_eq!(problems, []);
        files.into_iter().map(|file| file.path).collect::<Vec<_>>()
    };
    assert_eq!(files(made.path()), files(&committed));
    for file in files(made.path()) {
        let of = |root: &Path| std::fs::read_to_string(root.join(&*file)).expect("a file");
        assert_eq!(of(made.path()), of(&committed), "{file}: write it anew with the example edt_twin");
    }
}

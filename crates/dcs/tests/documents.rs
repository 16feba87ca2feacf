//! What holds for every schema: the demo's, and every genuine one.

use std::collections::BTreeMap;

use metascope_dcs::Document;
use metascope_dcs::formal::{DeviationKind, conform};
use support::{SchemaFile, demo_schemas, genuine_schemas};

/// What is refused in a file: the platform's own files have none of it. The other kinds are remarks.
fn is_refused(kind: &DeviationKind) -> bool {
    !matches!(kind, DeviationKind::UnusualType)
}

fn check(files: &[SchemaFile]) {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut refused = Vec::new();
    for file in files {
        let path = file.path.display().to_string();
        let document = Document::parse(file.bytes.clone());
        assert_eq!(&*document.bytes(), &*file.bytes, "{path}");
        assert_eq!(document.problems(), [], "{path}");
        assert!(document.is_schema(), "{path}");
        for deviation in conform(&document) {
            let name = format!("{:?}", deviation.kind);
            let name = name.split([' ', '{']).next().unwrap_or_default().to_owned();
            found.entry(name).or_insert((0, path.clone())).0 += 1;
            if is_refused(&deviation.kind) {
                let line = document.tree().line(deviation.place.start);
                refused.push(format!("{path}:{line}: {:?} {:?}", deviation.kind, &document.text()[deviation.place]));
            }
        }
    }
    println!("{found:#?}");
    assert!(
        refused.is_empty(),
        "{} of {} files:\n{}",
        refused.len(),
        files.len(),
        refused[..refused.len().min(30)].join("\n")
    );
}

#[test]
fn the_demo_conforms() {
    let files = demo_schemas();
    assert_eq!(files.len(), 6);
    check(&files);
}

#[test]
#[ignore = "corpus"]
fn every_genuine_schema_conforms_and_keeps_its_bytes() {
    let files = genuine_schemas();
    assert!(files.len() >= 270, "{}", files.len());
    check(&files);
}

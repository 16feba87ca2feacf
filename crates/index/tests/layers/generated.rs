//! Extensions that are generated over a base: everything resolves, and exactly what drifted is reported.

use super::Built;
use std::collections::BTreeSet;
use std::path::Path;
use support::extension::{Generated, Pair, Plan, generate};

/// Generates an extension of a base, indexes both, and compares what is found with what was generated.
pub fn check(base: &Path, plan: Plan) -> Generated {
    let dir = support::temp_dir();
    let generated = generate(base, dir.path(), plan).unwrap();
    let built = Built::of(base, &[dir.path()], &[]);
    let sorted = |pairs: &[Pair], line: &dyn Fn(&Pair) -> String| {
        let mut lines: Vec<String> = pairs.iter().map(line).collect();
        lines.sort();
        lines
    };
    let all: Vec<Pair> = generated.annotated.iter().chain(&generated.handlers).cloned().collect();
    let expected: BTreeSet<String> =
        sorted(&all, &|pair| format!("{} | {} | {}", pair.extension, pair.base, pair.kind)).into_iter().collect();
    let found = built.rows(
        "SELECT full_name, override_of, override_kind FROM methods WHERE override_kind IS NOT NULL ORDER BY full_name",
    );
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    let expected: BTreeSet<String> =
        sorted(&all, &|pair| format!("{} | {}", pair.extension, pair.base)).into_iter().collect();
    let found = built.rows("SELECT DISTINCT source, target FROM edges WHERE channel = 'extension_override'");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);

    let drifted: Vec<Pair> = generated.annotated.iter().filter(|pair| pair.drifted).cloned().collect();
    let expected = sorted(&drifted, &|pair| pair.extension.clone());
    let mut found = built.rows(
        "SELECT m.full_name FROM problems p JOIN modules x ON x.file = p.file JOIN methods m ON m.module = x.full_name
         AND p.line BETWEEN m.line AND m.end_line WHERE p.kind = 'drifted_control'",
    );
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(built.rows("SELECT * FROM problems WHERE kind = 'absent_base'"), Vec::<String>::new());

    let index = built.open();
    for pair in &all {
        let steps = index.effective(index.require(&pair.base).unwrap().id).unwrap();
        let step = steps.iter().find(|step| step.full_name == pair.extension);
        let step = step.unwrap_or_else(|| panic!("{pair:?}\n{steps:?}"));
        assert_eq!((step.kind.as_str(), step.drifted), (pair.kind, pair.drifted), "{pair:?}");
    }
    generated
}

#[test]
fn over_the_demo() {
    for seed in 1..4 {
        let generated = check(&support::demo(), Plan { methods: 6, forms: 3, controls: 8, seed });
        let controls = generated.annotated.iter().filter(|pair| pair.kind == "change_and_validate");
        assert_eq!(generated.annotated.len(), 6 * 4 + 8, "seed {seed}");
        assert_eq!(controls.filter(|pair| pair.drifted).count(), 4);
        assert!(generated.handlers.len() >= 3);
    }
}

#[test]
#[ignore = "corpus"]
fn over_the_standard_subsystems_library() {
    let base = support::require_corpus("ssl_3_1").join("src/cf");
    let generated = check(&base, Plan { methods: 200, forms: 20, controls: 20, seed: 7 });
    let drifted = generated.annotated.iter().filter(|pair| pair.drifted).count();
    assert_eq!((generated.annotated.len(), drifted), (200 * 4 + 20, 10));
    assert!(generated.handlers.len() >= 20, "{}", generated.handlers.len());
}

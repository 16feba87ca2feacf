//! Real extensions and external processors.

use super::Built;
use metascope_index::Reason;
use std::path::{Path, PathBuf};

fn library() -> PathBuf {
    support::require_corpus("ssl_3_1").join("src/cf")
}

/// Annotations that resolve to methods of the library, those that are listed as absent, and those of events of the platform which
/// a module of the library doesn't handle, so that the extension's method does.
fn annotations(extension: &Path) -> (usize, usize, usize) {
    let built = Built::of(&library(), &[extension], &[]);
    let count = |sql: &str| built.rows(sql)[0].parse().unwrap();
    // Handlers that a form calls before or after the base's have no annotation.
    let annotated = "NOT EXISTS (SELECT 1 FROM form_handlers h WHERE h.form = m.module AND h.handler = m.name AND h.call_type <> '')
        AND NOT EXISTS (SELECT 1 FROM form_commands c WHERE c.form = m.module AND c.action = m.name AND c.call_type <> '')";
    let resolved = count(&format!("SELECT count(*) FROM methods m WHERE override_of IS NOT NULL AND {annotated}"));
    let all: usize = count(&format!("SELECT count(*) FROM methods m WHERE override_kind IS NOT NULL AND {annotated}"));
    let listed = count(
        "SELECT count(*) FROM problems p JOIN modules x ON x.file = p.file
         WHERE p.kind = 'absent_base' AND p.message_en LIKE 'base object not in this configuration: %'",
    );
    let events = count(
        "SELECT count(*) FROM methods m JOIN edges e ON e.target = m.full_name
         WHERE m.override_kind IS NOT NULL AND e.channel = 'platform_handler'",
    );
    assert_eq!(resolved + listed + events, all);
    (resolved, listed, events)
}

#[test]
#[ignore = "corpus"]
fn an_extension_for_files_in_s3() {
    assert_eq!(annotations(&support::require_corpus("ext_s3_ssl")), (5, 13, 0));
}

#[test]
#[ignore = "corpus"]
fn an_extension_of_another_product() {
    assert_eq!(annotations(&support::require_corpus("ext_tips_in_cd3")), (3, 11, 1));
}

/// Every annotation names a method of the base, or an event that the extension handles alone; nothing is absent or drifted.
fn all_resolve(built: &Built) {
    let lost = "SELECT full_name FROM methods WHERE override_kind IS NOT NULL AND override_of IS NULL
                AND full_name NOT IN (SELECT target FROM edges WHERE channel = 'platform_handler')";
    assert_eq!(built.rows(lost), Vec::<String>::new());
    let problems = "SELECT kind, file, line, message_en FROM problems WHERE kind IN ('absent_base', 'drifted_control')";
    assert_eq!(built.rows(problems), Vec::<String>::new());
    assert_ne!(built.rows("SELECT count(*) FROM methods WHERE override_kind IS NOT NULL"), ["0"]);
}

/// Its configuration has no application modules: the extension handles their events alone, in both languages.
#[test]
#[ignore = "corpus"]
fn an_extension_for_tests_over_its_configuration() {
    let project = support::require_corpus("pssl").join("src");
    all_resolve(&Built::of(&project.join("cf"), &[&project.join("cfe/YAXUnit")], &[]));
}

/// A configuration and two extensions, each a project of EDT.
#[test]
#[ignore = "corpus"]
fn extensions_that_are_projects_of_edt() {
    let project = support::require_corpus("yaxunit");
    let extensions = ["exts/yaxunit", "tests"].map(|folder| project.join(folder));
    let built = Built::of(&project.join("fixtures/demo-configuration"), &[&extensions[0], &extensions[1]], &[]);
    all_resolve(&built);
    assert_ne!(built.rows("SELECT count(*) FROM methods WHERE override_of IS NOT NULL"), ["0"]);
}

#[test]
#[ignore = "corpus"]
fn extensions_alone() {
    for name in ["ext_s3_ssl", "ext_tips_in_cd3"] {
        let built = Built::of(&support::require_corpus(name), &[], &[]);
        let problems = built
            .rows("SELECT kind, file, line, message_en FROM problems WHERE kind IN ('absent_base', 'drifted_control')");
        assert_eq!(problems, Vec::<String>::new(), "{name}");
        let index = built.open();
        let method = built.rows("SELECT full_name FROM methods LIMIT 1").remove(0);
        let callers = index.callers(index.require(&method).unwrap().id, &Default::default()).unwrap();
        assert!(callers.state.reasons.contains(&Reason::BaseAbsent), "{name}: {:?}", callers.state);
    }
}

#[test]
#[ignore = "corpus"]
fn external_processors_over_the_library_and_alone() {
    let tools = ["epf_request_console9000", "vanessa_automation"].map(support::require_corpus);
    let built = Built::of(&library(), &[], &[&tools[0], &tools[1]]);
    let layers: usize = built.rows("SELECT count(*) FROM layers WHERE kind = 'external'")[0].parse().unwrap();
    assert!(layers >= 12, "{layers}");
    let calls: usize = built.rows("SELECT count(*) FROM edges WHERE source LIKE '%::%' AND target NOT LIKE '%::%'")[0]
        .parse()
        .unwrap();
    assert!(calls > 0, "{calls}");
    // The repository of the second one holds configurations, too: what is meant is named.
    for tool in [tools[0].clone(), tools[1].join("VanessaAutomation.xml")] {
        let alone = Built::of(&tool, &[], &[]);
        let methods: usize = alone.rows("SELECT count(*) FROM methods")[0].parse().unwrap();
        assert!(methods > 100, "{methods}");
    }
}

//! The one-way arrows between the crates: `app -> agent -> tools -> validators, index -> dcs, graph -> metadata, bsl`;
//! and that the crates which shall do no I/O don't.

use crate::cargo;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::path::Path;

/// The crates from top to bottom; a crate may depend on those of lower rows only.
const LAYERS: &[&[&str]] = &[
    &["xtask", "metascope-fuzz"],
    &["metascope-tests"],
    &["metascope"],
    &["metascope-agent"],
    &["metascope-tools"],
    &["metascope-index", "metascope-validators"],
    &["metascope-dcs", "metascope-graph"],
    &["metascope-bsl", "metascope-metadata"],
    &["metascope-paths"],
];

/// Libraries that only some crates may name. A crate's own concern stays its own: windows and terminals in `app`, HTTP in
/// `agent`, the database and the network of vectors in `index`.
const RESERVED: &[(&str, &[&str])] = &[
    ("clap", &["metascope", "xtask"]),
    ("fastembed", &["metascope-index"]),
    ("i-slint-backend-testing", &["metascope"]),
    ("indicatif", &["metascope", "xtask"]),
    ("ort", &["metascope-index"]),
    ("reqwest", &["metascope-agent"]),
    ("rusqlite", &["metascope-index"]),
    ("slint", &["metascope"]),
    ("slint-build", &["metascope"]),
];

/// Crates that take text or data and give data; the modules of `std` that they may not name.
const PURE: &[&str] = &["crates/bsl", "crates/dcs", "crates/graph", "crates/validators"];
const INPUT_OUTPUT: &[&str] = &["std::env", "std::fs", "std::net", "std::process"];

/// Test helpers (where the real configurations lie): any crate's tests may use them.
const TEST_SUPPORT: &str = "metascope-tests";

/// What `cargo metadata --no-deps` says, as far as it matters here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// None: normal; else "dev" or "build".
    kind: Option<String>,
}

/// `cargo xtask arrows`.
pub fn command() -> Result<()> {
    let json = cargo::output(cargo::cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata wrote what is not its format")?;
    let mut violations = violations(&metadata);
    for folder in PURE {
        io_below(&cargo::root().join(folder).join("src"), &mut violations)?;
    }
    if violations.is_empty() {
        eprintln!("arrows: {} crates, all one way", metadata.packages.len());
        return Ok(());
    }
    bail!("the house rules between crates are broken:\n  {}", violations.join("\n  "))
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&name))
}

/// One sentence for each dependency that must not be.
fn violations(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Some(own) = layer(name) else {
            found.push(format!("{name} has no place among the layers: add it to LAYERS in xtask/src/arrows.rs"));
            continue;
        };
        for dependency in &package.dependencies {
            let on = dependency.name.as_str();
            let is_dev = dependency.kind.as_deref() == Some("dev");
            if let Some(other) = layer(on)
                && other <= own
                && !(is_dev && on == TEST_SUPPORT)
            {
                found.push(format!("{name} depends on {on}, which does not lie below it"));
            }
            if let Some((_, allowed)) = RESERVED.iter().find(|(library, _)| *library == on)
                && !allowed.contains(&name)
            {
                found.push(format!("{name} depends on {on}, which is reserved for {}", allowed.join(" and ")));
            }
        }
    }
    found
}

/// Sources below a folder that name what reads or writes; a folder that is not there (yet) has none.
fn io_below(folder: &Path, found: &mut Vec<String>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            io_below(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.strip_prefix(cargo::root()).unwrap_or(&path).display();
            found.extend(
                io_in(&source).map(|(line, what)| format!("{name}:{line} names {what}: this crate does no I/O")),
            );
        }
    }
    Ok(())
}

/// Line number and what stands there.
fn io_in(source: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    source.lines().map(code).zip(1..).flat_map(|(line, number)| {
        INPUT_OUTPUT.iter().filter(move |what| line.contains(**what)).map(move |what| (number, *what))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_and_output_are_seen_in_code_only() {
        let source = "// std::fs is for others\nuse std::fmt;\nlet text = std::fs::read(path); // no\n";
        assert_eq!(io_in(source).collect::<Vec<_>>(), [(3, "std::fs")]);
    }

    fn graph(dependencies: &[(&str, &str, Option<&str>)]) -> Metadata {
        let packages = dependencies.iter().map(|(name, on, kind)| Package {
            name: (*name).to_owned(),
            dependencies: vec![Dependency { name: (*on).to_owned(), kind: kind.map(str::to_owned) }],
        });
        Metadata { packages: packages.collect() }
    }

    #[test]
    fn downward_arrows_pass() {
        let good = graph(&[
            ("metascope", "metascope-bsl", None),
            ("metascope-index", "metascope-graph", None),
            ("metascope-index", "rusqlite", None),
            ("metascope", "slint-build", Some("build")),
            ("metascope-bsl", "metascope-tests", Some("dev")),
            ("metascope-bsl", "tree-sitter", None),
        ]);
        assert_eq!(violations(&good), Vec::<String>::new());
    }

    #[test]
    fn every_bad_arrow_is_named() {
        let bad = graph(&[
            ("metascope-bsl", "metascope-index", None),
            ("metascope-graph", "metascope-dcs", None),
            ("metascope-tools", "metascope-agent", Some("dev")),
            ("metascope-bsl", "metascope-tests", None),
            ("metascope-tools", "rusqlite", None),
            ("metascope-agent", "slint", None),
            ("metascope-index", "reqwest", Some("dev")),
            ("metascope-new", "serde", None),
        ]);
        let found = violations(&bad);
        assert_eq!(found.len(), 8, "{found:#?}");
        assert!(found[0].starts_with("metascope-bsl depends on metascope-index"), "{found:#?}");
        assert!(found[7].starts_with("metascope-new has no place"), "{found:#?}");
    }

    #[test]
    fn the_output_of_cargo_is_understood() {
        let json = r#"{"packages":[{"name":"metascope-bsl","version":"0.1.0","dependencies":[
            {"name":"metascope-agent","kind":null,"req":"*"},{"name":"serde","kind":"dev"}]}],"workspace_root":"/x"}"#;
        let metadata: Metadata = serde_json::from_str(json).unwrap();
        assert_eq!(violations(&metadata), ["metascope-bsl depends on metascope-agent, which does not lie below it"]);
    }
}

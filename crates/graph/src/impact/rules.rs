//! What a reference costs, by its kind: `data/impact_rules.tsv` and `data/link_kinds.tsv`.

use super::{Change, Phase, Severity};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What follows from a reference of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What has to be edited.
    pub phase: Phase,
    /// By change, in the order of [`Change::ALL`].
    severities: [Option<Severity>; Change::ALL.len()],
}

impl Rule {
    /// What breaks; None if nothing does.
    pub fn severity(&self, change: Change) -> Option<Severity> {
        let place = Change::ALL.iter().position(|one| *one == change)?;
        self.severities.get(place).copied().flatten()
    }
}

static RULES: LazyLock<FxHashMap<&'static str, Rule>> =
    LazyLock::new(|| rows(include_str!("../../data/impact_rules.tsv")).filter_map(parse).collect());

static LINKS: LazyLock<Vec<[&'static str; 3]>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        Some([cells.next()?, cells.next()?, cells.next()?])
    };
    rows(include_str!("../../data/link_kinds.tsv")).filter_map(row).collect()
});

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1)
}

fn parse(line: &'static str) -> Option<(&'static str, Rule)> {
    let mut cells = line.split('\t');
    let (kind, phase) = (cells.next()?, cells.next()?);
    let phase = Phase::ALL.into_iter().find(|one| one.as_str() == phase)?;
    let mut severities = [None; Change::ALL.len()];
    for severity in &mut severities {
        let word = cells.next()?;
        *severity = Severity::ALL.into_iter().find(|one| one.as_str() == word);
        if severity.is_none() && word != "-" {
            return None;
        }
    }
    Some((kind, Rule { phase, severities }))
}

/// The rule of a channel or kind of reference; of one that the table doesn't know: code that fails when it runs.
pub fn rule(kind: &str) -> Rule {
    let unknown = || {
        let runtime = Some(Severity::Runtime);
        Rule { phase: Phase::Code, severities: [runtime; Change::ALL.len()] }
    };
    RULES.get(kind).copied().unwrap_or_else(unknown)
}

/// The rule of an edge of the graph; `own`: its source stands in the target's module.
pub fn edge_rule(channel: &str, own: bool) -> Rule {
    if own && let Some(rule) = RULES.get(format!("{channel}.own").as_str()) {
        return *rule;
    }
    rule(channel)
}

/// The kind of reference of a property of an object of that kind.
pub fn link_kind(property: &str, owner: &str) -> &'static str {
    let fits = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => property.starts_with(prefix),
        None => property == pattern,
    };
    let row = LINKS.iter().find(|[pattern, kind, _]| fits(pattern) && (kind.is_empty() || *kind == owner));
    row.map_or("metadata_property", |[_, _, kind]| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_every_channel_has_one() {
        assert_eq!(RULES.len(), rows(include_str!("../../data/impact_rules.tsv")).count());
        for channel in crate::channels::all() {
            assert!(RULES.contains_key(channel.channel().0), "{}", channel.channel().0);
        }
        for [_, owner, kind] in LINKS.iter() {
            assert!(RULES.contains_key(kind), "{kind}");
            assert!(owner.is_empty() || metadata::Kind::named(owner).is_some(), "{owner}");
        }
    }

    #[test]
    fn what_a_change_does() {
        let own = edge_rule("direct", true);
        assert_eq!(own.severity(Change::Delete), Some(Severity::Build));
        assert_eq!(own.severity(Change::Export), None, "a module sees its own methods");
        assert_eq!(edge_rule("direct", false).severity(Change::Export), Some(Severity::Runtime));
        assert_eq!(rule("form_data_path").severity(Change::Name), Some(Severity::Looks));
        assert_eq!(rule("rights_object").severity(Change::Delete), Some(Severity::Data));
        assert_eq!(rule("no such kind").phase, Phase::Code);
    }

    #[test]
    fn properties_have_kinds() {
        assert_eq!(link_kind("Content", "Subsystem"), "subsystem_content");
        assert_eq!(link_kind("Content", "FunctionalOption"), "functional_option_content");
        assert_eq!(link_kind("DefaultListForm", "Catalog"), "default_form");
        assert_eq!(link_kind("Task", "BusinessProcess"), "metadata_property");
        assert_eq!(link_kind("Picture", "CommonCommand"), "command_interface");
        assert_eq!(link_kind("TextColor", "Form"), "form_property");
        assert_eq!(link_kind("MainTable", "Form"), "form_main_table");
    }
}

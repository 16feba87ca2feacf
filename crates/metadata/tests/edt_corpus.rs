//! The library in both formats. They are different releases, so they do differ; every difference must be one of the files,
//! not of the readers: of each kind of difference twenty random cases are looked up in the raw files of both sides.

#![allow(clippy::expect_used, reason = "helpers of tests, where a panic is the message")]

mod facts;
mod raw;

use facts::{Difference, Facts};
use metascope_metadata::{Configuration, detect, read};
use raw::{Raw, Side};
use std::collections::{BTreeMap, HashSet};
use support::require_corpus;

/// Facts that a thing is there; all others are about a thing.
const THINGS: [&str; 12] = [
    "object",
    "attribute",
    "form",
    "form item",
    "form attribute",
    "form command",
    "form parameter",
    "command",
    "template",
    "predefined",
    "route point",
    "module",
];

/// Facts that stand in files of their own, or in lists of names.
const OWN_FILES: [&str; 7] = ["module", "help", "exchange", "predefined", "right", "interface", "expression"];

const CASES: usize = 20;

fn open(name: &str) -> Configuration {
    read(&require_corpus(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// The differences by kind: `attribute absent in EDT`, `type differs` … Below a thing that is absent nothing counts.
fn by_kind<'f>(all: Vec<Difference<'f>>, first: &Facts, second: &Facts) -> BTreeMap<String, Vec<Difference<'f>>> {
    let subjects = |facts: &Facts| facts.keys().map(|k| k.subject.clone()).collect::<HashSet<_>>();
    let (in_first, in_second) = (subjects(first), subjects(second));
    let mut kinds: BTreeMap<String, Vec<Difference<'f>>> = BTreeMap::new();
    for difference in all {
        let subject = &difference.key.subject;
        let kind = difference.key.kind;
        let present = (in_first.contains(subject), in_second.contains(subject));
        let name = match present {
            (true, true) => format!("{kind} differs"),
            _ if !THINGS.contains(&kind) => continue,
            (true, false) if holder(subject).is_none_or(|h| in_second.contains(h)) => format!("{kind} absent in EDT"),
            (false, true) if holder(subject).is_none_or(|h| in_first.contains(h)) => {
                format!("{kind} absent in the Designer")
            }
            _ => continue,
        };
        kinds.entry(name).or_default().push(difference);
    }
    kinds
}

/// What holds a thing: two words less; None at the top.
fn holder(subject: &str) -> Option<&str> {
    let (rest, _) = subject.rsplit_once('.')?;
    let (holder, _) = rest.rsplit_once('.')?;
    let holder = holder.trim_end_matches('.');
    holder.contains('.').then_some(holder)
}

/// Some of the cases, in an order that only depends on the seed.
fn sample<T>(mut cases: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed | 1;
    for i in (1..cases.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        cases.swap(i, usize::try_from(state >> 33).unwrap_or(0) % (i + 1));
    }
    cases.truncate(CASES);
    cases
}

/// The word of a value as the files have it: types without qualifiers and as each format names them, handlers without call
/// type, references without the value that belongs to them.
fn word(side: Side, kind: &str, value: &str) -> String {
    match kind {
        "type" => {
            let name = value.split('(').next().unwrap_or(value);
            let renamed = [
                ("String", "xs:string"),
                ("Number", "xs:decimal"),
                ("Boolean", "xs:boolean"),
                ("Date", "xs:dateTime"),
                ("AnyRef", "AnyIBRef"),
                ("ValueList", "ValueListType"),
            ];
            let designer = renamed.iter().find(|(edt, _)| *edt == name).map_or(name, |(_, designer)| *designer);
            if side == Side::Edt { name.to_owned() } else { designer.to_owned() }
        }
        "reference" if value.starts_with("StyleItem.") => {
            let space = if side == Side::Edt { "Style." } else { "style:" };
            value.trim().replacen("StyleItem.", space, 1)
        }
        "handler" | "reference" | "command" => value.split(' ').next().unwrap_or(value).to_owned(),
        "required" => if value == "true" { "ShowError" } else { "DontCheck" }.to_owned(),
        "indexing" if value.is_empty() => "DontIndex".to_owned(),
        "property" if side == Side::Edt && value.starts_with("Version8") => {
            value.replacen("Version", "", 1).replace('_', ".")
        }
        _ => value.trim().to_owned(),
    }
}

/// Whether the raw files hold a value. What EDT leaves out stands at its default: then the values that the reader gives
/// for it count, provided that the element is not there.
fn found(raw: &mut Raw, difference: &Difference<'_>, value: &str, own: &[String]) -> bool {
    let key = difference.key;
    let wanted = word(raw.side, key.kind, value);
    match raw.values(&key.subject, key.kind, &key.what) {
        Some(values) if key.kind == "dynamic list" => {
            let has = |text: &str| values.iter().any(|v| v == text);
            let (_, query) = value.split_once(' ').and_then(|(_, rest)| rest.split_once(' ')).unwrap_or(("", ""));
            query.is_empty() || has(query.trim())
        }
        Some(values) => values.iter().any(|v| {
            let local = v.rsplit_once(':').map_or(v.as_str(), |(_, local)| local);
            let is_type = key.what == "AvailableTypes" && v.rsplit('.').next() == wanted.rsplit('.').next();
            *v == wanted || is_type || (key.kind == "type" && local == wanted) || v.trim() == value.trim()
        }),
        None => {
            let default =
                matches!(key.kind, "required" | "indexing") && matches!(wanted.as_str(), "DontCheck" | "DontIndex");
            default || (raw.side == Side::Edt && key.kind == "property" && own.iter().any(|v| v == value))
        }
    }
}

/// A fact that stands in a file of its own: whether the raw file holds that value. None for other facts.
fn in_own_file(raw: &mut Raw, difference: &Difference<'_>, value: &str) -> Option<bool> {
    let (subject, what) = (&difference.key.subject, difference.key.what.as_str());
    Some(match difference.key.kind {
        "module" => {
            let kind = value.split(' ').next().unwrap_or("");
            let (designer, edt) = if kind == "FormModule" { ("Form/Module", "Module") } else { (kind, kind) };
            raw.has_file(what, &format!("{designer}.bsl"), &format!("{edt}.bsl"))
        }
        "help" => raw.has_file(subject, &format!("Help/{what}.html"), &format!("Help/{what}.html")),
        "exchange" => {
            let own = subject.rsplit_once('.').map_or("", |(_, name)| name);
            raw.file_holds(subject, ("Content.xml", &format!("{own}.mdo")), "", &[], what)
        }
        "predefined" => {
            let (owner, name) = subject.split_once(".Predefined.")?;
            let own = owner.rsplit_once('.').map_or("", |(_, name)| name);
            let within = if raw.side == Side::Edt { "predefined" } else { "" };
            raw.file_holds(owner, ("Predefined.xml", &format!("{own}.mdo")), within, &[], name)
        }
        "right" => {
            let (object, right) = what.split_once(' ')?;
            let value = value.split(' ').next().unwrap_or("");
            let files = ("Rights.xml", "Rights.rights");
            raw.file_holds(subject, files, "object", &[object], right) && !value.is_empty()
        }
        "interface" => raw.file_holds(subject, ("CommandInterface.xml", "CommandInterface.cmi"), what, &[], value),
        "expression" => raw.file_holds(subject, ("Template.xml", "Template.dcs"), "", &[], value),
        _ => return None,
    })
}

/// What is wrong with a case; None if the raw files confirm it.
fn refuted(difference: &Difference<'_>, kind: &str, designer: &mut Raw, edt: &mut Raw) -> Option<String> {
    let subject = &difference.key.subject;
    for (values, others, is_first) in
        [(difference.first, difference.second, true), (difference.second, difference.first, false)]
    {
        for value in values.iter().filter(|v| !others.contains(v)) {
            let (here, there) = if is_first { (&mut *designer, &mut *edt) } else { (&mut *edt, &mut *designer) };
            let Some(stands) = in_own_file(here, difference, value) else { continue };
            if !stands || in_own_file(there, difference, value) == Some(true) {
                return Some(format!("{difference}: {value:?} is there: {stands}"));
            }
        }
    }
    if OWN_FILES.contains(&difference.key.kind) {
        return None;
    }
    if kind.ends_with("absent in EDT") || kind.ends_with("absent in the Designer") {
        let is_designer = kind.ends_with("EDT");
        let present = (designer.holds(subject), edt.holds(subject));
        return (present != (is_designer, !is_designer)).then(|| format!("{difference}: raw {present:?}"));
    }
    if difference.key.kind == "form item" {
        // Its element, or the item that holds it: each raw file has what its reader says, and not what the other one says.
        let is = |values: &[String], raw: &Option<String>| {
            values.iter().any(|value| raw.as_ref().is_some_and(|raw| raw.eq_ignore_ascii_case(value)))
        };
        let raw = (designer.form_item(subject), edt.form_item(subject));
        let confirmed = is(difference.first, &raw.0)
            && is(difference.second, &raw.1)
            && !is(difference.second, &raw.0)
            && !is(difference.first, &raw.1);
        return (!confirmed).then(|| format!("{difference}: raw {raw:?}"));
    }
    let names =
        |values: &[String]| values.iter().map(|v| word(Side::Edt, difference.key.kind, v)).collect::<HashSet<_>>();
    let only = |a: &[String], b: &[String]| {
        let b = names(b);
        let a: Vec<String> =
            a.iter().filter(|v| !b.contains(&word(Side::Edt, difference.key.kind, v))).cloned().collect();
        a
    };
    for value in only(difference.first, difference.second) {
        let (here, there) =
            (found(designer, difference, &value, difference.first), found(edt, difference, &value, difference.second));
        if !here || there {
            return Some(format!("{difference}: {value:?} Designer {here}, EDT {there}"));
        }
    }
    for value in only(difference.second, difference.first) {
        let (here, there) =
            (found(edt, difference, &value, difference.second), found(designer, difference, &value, difference.first));
        if !here || there {
            return Some(format!("{difference}: {value:?} EDT {here}, Designer {there}"));
        }
    }
    None
}

#[test]
#[ignore = "corpus"]
fn every_difference_between_the_library_in_both_formats_is_one_of_the_files() {
    let (first, second) = (open("ssl_3_1"), open("ssl_3_1_edt"));
    assert_eq!(second.problems, []);
    let root = |configuration: &Configuration| configuration.layers.first().expect("a dump").root.clone();
    let (mut designer, mut edt) = (Raw::new(Side::Designer, &root(&first)), Raw::new(Side::Edt, &root(&second)));
    let (first, second) = (facts::of(&first), facts::of(&second));
    let kinds = by_kind(facts::differences(&first, &second), &first, &second);
    let mut wrong = Vec::new();
    for (kind, cases) in kinds {
        // Standard attributes and details follow from properties, which are compared themselves.
        let derived = |c: &Difference<'_>| c.key.subject.contains(".StandardAttribute.") || c.key.kind == "details";
        let cases: Vec<_> = cases.into_iter().filter(|c| !derived(c)).collect();
        let count = cases.len();
        let confirmed = sample(cases, 20_260_101);
        println!("{kind}: {count}, looked up {}", confirmed.len());
        for case in &confirmed {
            wrong.extend(refuted(case, &kind, &mut designer, &mut edt).map(|w| format!("{kind}: {w}")));
        }
    }
    assert!(wrong.is_empty(), "{} refuted:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "corpus"]
fn what_both_formats_have_in_common_is_nearly_all() {
    let (first, second) = (facts::of(&open("ssl_3_1")), facts::of(&open("ssl_3_1_edt")));
    let common: Vec<_> = first.keys().filter(|key| second.contains_key(key)).collect();
    let equal = common.iter().filter(|key| first.get(key) == second.get(key)).count();
    // Releases 3.1.12 and 3.1.10: of what both have, less than one in a hundred changed.
    assert!(common.len() > 100_000, "{}", common.len());
    assert!(equal * 100 > common.len() * 99, "{equal} of {}", common.len());
}

#[test]
#[ignore = "corpus"]
fn projects_of_yaxunit() {
    let root = require_corpus("yaxunit");
    // The only configuration among extensions is the one meant.
    let found = detect(&root).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.root.ends_with("fixtures/demo-configuration"), "{}", found.root.display());
    let repository = found.root.parent().and_then(std::path::Path::parent).expect("a repository").to_path_buf();
    for (project, modules, forms) in
        [("fixtures/demo-configuration", 120, 88), ("exts/yaxunit", 132, 8), ("exts/smoke", 3, 0), ("tests", 62, 0)]
    {
        let configuration = read(&repository.join(project)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((configuration.modules.len(), configuration.forms.len()), (modules, forms), "{project}");
        assert_eq!(configuration.problems, [], "{project}");
    }
}

//! Edits at random places of every schema: other bytes are kept, what is undone is as before.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_dcs::edit::{Edit, New, Patch};
use metascope_dcs::formal::{Content, Deviation, DeviationKind, Member, conform};
use metascope_dcs::meaning::{ChangeKind, diff, meaning};
use metascope_dcs::{Document, Element, name};
use proptest::prelude::*;
use rayon::prelude::*;
use support::{SchemaFile, demo_schemas, genuine_schemas};

/// Numbers without end, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

/// An element that a place allows: as little as its type asks for.
fn some_element(member: &Member, depth: usize) -> Option<New> {
    let formal = metascope_dcs::formal::Formal::get();
    let Some(of) = formal.of(member.of) else {
        let text = New::text(member.name, "т").typed(name("xs:string"));
        return Some(if member.nil { New::nil(member.name) } else { text });
    };
    if depth > 8 {
        return None;
    }
    Some(match &of.content {
        Content::Simple(simple) if simple.name() == "xs:QName" => {
            New::type_name(member.name, "http://v8.1c.ru/8.1/data/enterprise/current-config", "CatalogRef.Х")
        }
        Content::Simple(simple) => New::text(member.name, simple.example()),
        Content::Enumeration(values) => New::text(member.name, values[0]),
        Content::Opaque => New::empty(member.name),
        Content::Elements => {
            let mut of = of;
            let mut typed = None;
            if of.is_abstract {
                of = formal.types().iter().find(|other| {
                    !other.is_abstract
                        && formal.find(other.name.ns, other.name.local).is_some_and(|id| formal.is_a(id, member.of))
                })?;
                typed = Some(of.name);
            }
            let required = of.children.iter().filter(|child| child.count.required);
            let elements: Option<Vec<New>> = required.map(|child| some_element(child, depth + 1)).collect();
            let mut new = New::with(member.name, elements?);
            new.attributes =
                of.attributes.iter().filter(|a| a.count.required).map(|a| (a.name.local, "х".to_owned())).collect();
            new.of = typed;
            new
        }
    })
}

/// Deviations from the model that no genuine file has.
fn refused(document: &Document) -> Vec<Deviation> {
    conform(document).into_iter().filter(|found| found.kind != DeviationKind::UnusualType).collect()
}

fn elements(document: &Document) -> Vec<Element<'_>> {
    document.root().map(|root| root.descendants().collect()).unwrap_or_default()
}

/// Applies a patch, holds it against the bytes, undoes it.
fn apply(document: &Document, patch: &Patch, what: &str) -> Document {
    let applied = document.apply(patch).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(applied.document.problems(), [], "{what}");
    // All bytes outside of the splices are there, in order.
    let (mut old, mut new) = (0, 0);
    for splice in patch.splices() {
        let kept = splice.range.start - old;
        assert_eq!(&document.text()[old..splice.range.start], &applied.document.text()[new..new + kept], "{what}");
        old = splice.range.end;
        new += kept + splice.text.len();
    }
    assert_eq!(&document.text()[old..], &applied.document.text()[new..], "{what}");
    let undone = applied.document.apply(&applied.undo).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(&*undone.document.bytes(), &*document.bytes(), "{what}");
    applied.document
}

/// One round of edits at a random place.
fn round(document: &Document, dice: &mut Dice, path: &str) {
    let all = elements(document);
    let element = all[dice.roll(all.len())];
    let what = format!("{path}: {}", element.path());
    // Insert, and remove what was inserted.
    if let Some(of) = element.of().filter(|of| of.content == Content::Elements && !of.children.is_empty()) {
        let member = &of.children[dice.roll(of.children.len())];
        let is_free = member.count.many || element.child(member.name.local).is_none();
        if let Some(new) = some_element(member, 0).filter(|_| is_free && !element.is_nil()) {
            let mut edit = Edit::of(document).unwrap();
            edit.insert(element, &new).unwrap_or_else(|error| panic!("{what}: {error}"));
            let changed = apply(document, &edit.finish().unwrap(), &what);
            let refused = refused(&changed);
            assert!(refused.is_empty(), "{what}: {:?} {:?}", member.name, refused);
            let parent =
                elements(&changed).into_iter().find(|other| other.range().start == element.range().start).unwrap();
            let inserted = parent.all(member.name.local).last().unwrap();
            // The meaning differs by that one thing; a default that is written out is no difference.
            let changes = diff(&meaning(document).unwrap(), &meaning(&changed).unwrap());
            let is_one = matches!(&changes[..], [change] if matches!(change.kind, ChangeKind::Added { .. }));
            let is_key = parent.path() != element.path();
            let is_text = of.name.local == "LocalStringType";
            assert!(
                is_one || is_key || is_text || (changes.is_empty() && member.default.is_some()),
                "{what}: {changes:#?}"
            );
            let mut edit = Edit::of(&changed).unwrap();
            edit.remove(inserted).unwrap();
            let restored = apply(&changed, &edit.finish().unwrap(), &what);
            assert_eq!(restored.text(), document.text(), "{what}: {}", member.name);
        }
    }
    // Remove, whatever it is.
    if element.parent().is_some() {
        let mut edit = Edit::of(document).unwrap();
        edit.remove(element).unwrap();
        apply(document, &edit.finish().unwrap(), &what);
    }
    // A text.
    if element.children().next().is_none() && !element.is_nil() {
        let text = ["", "а", "ВЫБРАТЬ\n\t\"1 < 2\" & 3", "  х "][dice.roll(4)];
        let mut edit = Edit::of(document).unwrap();
        edit.set_text(element, text).unwrap();
        let changed = apply(document, &edit.finish().unwrap(), &what);
        let same = elements(&changed).into_iter().find(|other| other.range().start == element.range().start).unwrap();
        assert_eq!(same.text(), text, "{what}");
        // A part of it.
        let old = element.text();
        let cuts: Vec<usize> = old.char_indices().map(|(at, _)| at).chain([old.len()]).collect();
        let (one, two) = (cuts[dice.roll(cuts.len())], cuts[dice.roll(cuts.len())]);
        let range = one.min(two)..one.max(two);
        let mut edit = Edit::of(document).unwrap();
        edit.patch_text(element, range.clone(), "<я>\n").unwrap_or_else(|error| panic!("{what}: {error} {range:?}"));
        let changed = apply(document, &edit.finish().unwrap(), &what);
        let same = elements(&changed).into_iter().find(|other| other.range().start == element.range().start).unwrap();
        assert_eq!(same.text(), format!("{}<я>\n{}", &old[..range.start], &old[range.end..]), "{what}");
    }
}

fn rounds(files: &[SchemaFile], count: usize) {
    files.par_iter().enumerate().for_each(|(number, file)| {
        let document = Document::parse(file.bytes.clone());
        let mut dice = Dice(number as u64 + 1);
        for _ in 0..count {
            round(&document, &mut dice, &file.path.display().to_string());
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_of_the_demo(seed in any::<u64>(), number in 0_usize..6) {
        let file = &demo_schemas()[number];
        round(&Document::parse(file.bytes.clone()), &mut Dice(seed), &file.path.display().to_string());
    }

    /// Several edits at once are one patch, undone as one.
    #[test]
    fn several_edits_at_once(seed in any::<u64>(), number in 0_usize..6, count in 1_usize..12) {
        let file = &demo_schemas()[number];
        let document = Document::parse(file.bytes.clone());
        let mut dice = Dice(seed);
        let all = elements(&document);
        let mut edit = Edit::of(&document).unwrap();
        let mut inserted = 0;
        for _ in 0..count {
            let element = all[dice.roll(all.len())];
            let Some(of) = element.of().filter(|of| of.content == Content::Elements) else { continue };
            let Some(member) = of.children.iter().find(|child| child.count.many) else { continue };
            let Some(new) = some_element(member, 0) else { continue };
            edit.insert(element, &new).unwrap();
            inserted += 1;
        }
        let patch = edit.finish().unwrap();
        prop_assert!(patch.splices().len() <= inserted);
        let changed = apply(&document, &patch, "several");
        prop_assert_eq!(refused(&changed), vec![]);
    }
}

#[test]
#[ignore = "corpus"]
fn edits_of_every_genuine_schema() {
    rounds(&genuine_schemas(), 20);
}

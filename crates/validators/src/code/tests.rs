//! The examples beside the checks, as tests; and what holds for all checks.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use bsl::catalog::{Catalog, Names, Spelling};
use graph::contexts::ModulePlace;
use graph::outline::{Outline, Outlines};
use graph::world::ModuleId;
use graph::{ModuleSummary, Settings, World};
use metadata::{Configuration, Kind};

use super::*;
use crate::dcs::Severity;

/// The demo configuration.
struct Demo {
    configuration: Configuration,
    texts: Vec<Vec<u8>>,
    world: World,
    places: Vec<ModulePlace>,
    outlines: Vec<Arc<Outline>>,
}

impl Outlines for Demo {
    fn outline(&self, module: ModuleId) -> Option<Arc<Outline>> {
        self.outlines.get(module.0 as usize).cloned()
    }
}

/// Objects and their own fields; nothing is known of other tables.
impl Catalog for Demo {
    fn has_table(&self, table: &str) -> Option<bool> {
        let (kind, name) = table.split_once('.').filter(|(_, name)| !name.contains('.'))?;
        let ident = self.world.ident(name);
        Some(ident.is_some_and(|name| Kind::named(kind).is_some_and(|kind| self.world.object(kind, name).is_some())))
    }

    fn has_field(&self, table: &str, field: &str) -> Option<bool> {
        let is_object = self.has_table(table) == Some(true) && table.starts_with("Catalog.");
        self.world.find(table).filter(|_| is_object).map(|node| self.world.has_field(node, field))
    }

    fn fields(&self, table: &str, _: Spelling) -> Names {
        let names = self.world.find(table).map(|node| self.world.names_in(node, true)).unwrap_or_default();
        names.into_iter().map(Box::from).collect()
    }

    fn targets(&self, _: &str, _: &str) -> Option<Names> {
        None
    }

    fn nearest(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

static DEMO: LazyLock<Demo> = LazyLock::new(|| {
    let configuration = metadata::read(&support::demo()).expect("the demo configuration");
    let text =
        |module: &metadata::Module| metadata::module_text(&configuration.full_path(module.file)).expect("a text");
    let texts: Vec<Vec<u8>> = configuration.modules.iter().map(text).collect();
    let facts: Vec<_> = texts.iter().map(|text| bsl::read_module(text)).collect();
    let summaries: Vec<_> = facts.iter().map(ModuleSummary::of).collect();
    let configuration = graph::sight(&configuration);
    let world = World::new(&configuration, &summaries, &Settings::default());
    let place =
        |module: &metadata::Module| ModulePlace { kind: module.kind, flags: module.flags, ordinary_form: false };
    let places = configuration.modules.iter().map(place).collect();
    let outlines = facts.iter().map(|facts| Arc::new(Outline::of(facts))).collect();
    Demo { configuration, texts, world, places, outlines }
});

impl Demo {
    fn module(&self, name: &str) -> usize {
        let place = self.configuration.modules.iter().position(|module| *module.full_name == *name);
        place.unwrap_or_else(|| panic!("the demo has no {name}"))
    }

    fn check(&self, module: usize, is_part: bool, text: &[u8], only: &[String]) -> Report {
        let facts = bsl::read_module(text);
        let ground = Ground {
            world: &self.world,
            configuration: &self.configuration,
            places: &self.places,
            outlines: self,
            catalog: Some(self),
            module,
            is_part,
        };
        check(&Subject::new(&facts, Some(ground)), &Options { only })
    }
}

fn found(check: &Check, example: &Example) -> Vec<String> {
    let report = DEMO.check(DEMO.module(example.module), false, example.text.as_bytes(), &[check.code.to_owned()]);
    assert_eq!(report.skipped, [] as [&str; 0]);
    report.findings.into_iter().map(|finding| finding.name).collect()
}

#[test]
fn every_check_finds_its_invalid_examples_and_nothing_in_its_valid_ones() {
    for check in CHECKS {
        let code = check.code;
        assert!(!check.examples.valid.is_empty() && !check.examples.invalid.is_empty(), "{code}");
        for example in check.examples.valid {
            assert_eq!(found(check, example), [] as [&str; 0], "{code}: {}", example.text);
        }
        for (example, name) in check.examples.invalid {
            assert_eq!(found(check, example), [*name], "{code}: {}", example.text);
        }
    }
}

#[test]
fn checks_have_names_of_their_own_and_say_what_they_are_for() {
    let mut codes: Vec<&str> = CHECKS.iter().map(|check| check.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), CHECKS.len());
    for check in CHECKS {
        let is_code =
            check.code.starts_with("code-") && check.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(is_code && !check.title.0.is_empty() && !check.title.1.is_empty(), "{}", check.code);
        assert!(!check.source.is_empty(), "{}", check.code);
    }
}

/// The demo compiles: whatever is found in it would be a mistake of ours.
#[test]
fn nothing_in_the_demo_is_wrong() {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (place, text) in DEMO.texts.iter().enumerate() {
        for finding in DEMO.check(place, false, text, &[]).findings {
            let module = &DEMO.configuration.modules[place].full_name;
            all.entry(finding.check).or_default().push(format!("{module}:{}: {}", finding.line, finding.what.en));
        }
    }
    assert_eq!(all, BTreeMap::new());
}

#[test]
fn a_finding_says_where_what_and_the_nearest_name() {
    let text = "Процедура А()\n\tБ = Справочники.Партнёры.НайтиПоКоду(1);\nКонецПроцедуры";
    let report = DEMO.check(DEMO.module("CommonModule.ПроведениеТорговли"), false, text.as_bytes(), &[]);
    let [finding] = &report.findings[..] else { panic!("{:#?}", report.findings) };
    assert_eq!((finding.check, finding.line, finding.method.as_deref()), ("code-metadata-unknown", 2, Some("А")));
    assert_eq!(
        (&*finding.name, finding.nearest.first().map(String::as_str)),
        ("Справочники.Партнёры", Some("Партнеры"))
    );
    assert_eq!(finding.mend.ru, "Ближайшие имена: Партнеры");
    assert!(report.blocks() && finding.severity == Severity::Blocking);
}

/// Without a configuration only how a text reads is judged, and the rest is said to be left out.
#[test]
fn checks_that_need_a_configuration_are_skipped_without_one() {
    let facts = bsl::read_module("Процедура А()\n\tНетТакого(1);\nКонецПроцедуры".as_bytes());
    let report = check(&Subject::new(&facts, None), &Options::default());
    let expected: Vec<&str> =
        CHECKS.iter().filter(|check| check.needs == Needs::Configuration).map(|check| check.code).collect();
    assert_eq!((report.skipped, report.findings), (expected, Vec::new()));
}

/// A part of a module sees what the rest of it declares; variables of statements may be those of the method around them.
#[test]
fn a_part_stands_in_its_module() {
    let module = DEMO.module("CommonModule.ПроведениеТорговли");
    let own = DEMO.outlines[module].methods.first().expect("a method").name.clone();
    let count = DEMO.outlines[module].methods[0].params.len();
    let arguments = vec!["1"; count].join(", ");
    let text = format!("{own}({arguments}, 1);\nА = Неизвестная;");
    let names = |is_part| {
        let findings = DEMO.check(module, is_part, text.as_bytes(), &[]).findings;
        findings.into_iter().map(|finding| finding.check).collect::<Vec<_>>()
    };
    assert_eq!(names(true), ["code-arity"]);
    assert_eq!(names(false), ["code-method-unknown", "code-variable-unknown"]);
}

/// Whatever text there is, checks end.
#[test]
fn broken_texts_are_checked_as_far_as_they_go() {
    let module = DEMO.module("Document.ПродажаТоваров.ObjectModule");
    let text = String::from_utf8_lossy(&DEMO.texts[module]).into_owned();
    for length in (0..text.len()).step_by(97).filter(|&at| text.is_char_boundary(at)) {
        DEMO.check(module, false, &text.as_bytes()[..length], &[]);
    }
    let many = "Процедура А()\n\tНет1.Нет2(Нет3);\nКонецПроцедуры\n".repeat(2_000);
    let report = DEMO.check(module, false, many.as_bytes(), &[]);
    assert!(report.findings.len() <= 200 * CHECKS.len() && !report.findings.is_empty());
}

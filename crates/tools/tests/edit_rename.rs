//! A method gets another name: no edge is lost, whatever channel it is of, and nothing else changes.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ::support::extension::{Plan, generate};
use index::build::{LayerPaths, Options, Stop, build};
use index::sql::{SqlLimits, select};
use serde_json::json;
use support::Scratch;

/// Rows by view, as texts.
type Rows = BTreeMap<&'static str, Vec<String>>;

/// All rows of the views that a name stands in.
fn rows(scratch: &Scratch) -> Rows {
    let index = scratch.index();
    [
        ("edges", "SELECT source, target, channel, confidence, file, line FROM edges"),
        (
            "methods",
            "SELECT full_name, module, module || '.' || name, is_export, params, returns, line, end_line FROM methods",
        ),
        ("form_handlers", "SELECT form, element, event, form || '.' || handler FROM form_handlers"),
        ("form_commands", "SELECT form, name, form || '.' || action FROM form_commands"),
        ("scheduled_jobs", "SELECT name, method FROM scheduled_jobs"),
        ("event_subscriptions", "SELECT name, event, handler, source_object FROM event_subscriptions"),
        ("dynamic_sites", "SELECT method, line, kind, known FROM dynamic_sites"),
        ("method_types", "SELECT method, param, type, source FROM method_types"),
        ("overrides", "SELECT full_name, override_of, override_kind FROM methods WHERE override_kind IS NOT NULL"),
    ]
    .into_iter()
    .map(|(view, sql)| {
        let limits = SqlLimits { rows: 5_000_000, bytes: 1 << 30, time: Duration::from_secs(600) };
        let answer = select(index.path(), sql, limits).expect("rows");
        assert!(!answer.truncated, "{view}: all rows");
        let mut rows: Vec<String> = answer.rows.iter().map(|row| format!("{row:?}")).collect();
        rows.sort();
        (view, rows)
    })
    .collect()
}

/// The rows with one method under another name.
fn renamed(
    rows: &BTreeMap<&'static str, Vec<String>>,
    full_name: &str,
    new: &str,
) -> BTreeMap<&'static str, Vec<String>> {
    let (module, _) = full_name.rsplit_once('.').expect("a method");
    let own = |text: &str| text.replace(&format!("{full_name}\""), &format!("{module}.{new}\""));
    rows.iter()
        .map(|(view, rows)| {
            let mut rows: Vec<String> = rows.iter().map(|row| own(row)).collect();
            rows.sort();
            (*view, rows)
        })
        .collect()
}

fn same(before: &Rows, after: &Rows, what: &str) {
    for (view, rows) in before {
        let after = &after[view];
        if rows == after {
            continue;
        }
        let gone: Vec<&String> = rows.iter().filter(|row| !after.contains(row)).take(5).collect();
        let come: Vec<&String> = after.iter().filter(|row| !rows.contains(row)).take(5).collect();
        panic!("{what}, {view}: gone {gone:#?}, come {come:#?}");
    }
}

/// Proposes, applies and indexes anew; the rows before and after are the same but for the name. The error, if it is refused for another
/// reason than code that runs a text nobody knows, or files that nobody can read.
fn rename(scratch: &Scratch, before: &Rows, name: &str, new: &str) -> Result<Rows, String> {
    let call = |accept: bool| {
        let result = scratch.call("propose_rename", json!({ "name": name, "new_name": new, "accept_unsure": accept }));
        (result.ok, serde_json::from_str::<serde_json::Value>(&result.content).expect("JSON"))
    };
    let (mut ok, mut answer) = call(false);
    if answer["error"]["code"] == "unsure" {
        let places = answer["error"]["places"].as_array().cloned().unwrap_or_default();
        let unknown = |place: &str| place.contains("dynamic") || place.contains("unread files");
        if places.iter().all(|place| place.as_str().is_some_and(unknown)) {
            (ok, answer) = call(true);
        }
    }
    if !ok {
        return Err(format!("{} {}", answer["error"]["message"], answer["error"]["hint"]));
    }
    scratch.apply(answer["edit"].as_u64().expect("a number"));
    scratch.update();
    let after = rows(scratch);
    same(&renamed(before, name, new), &after, name);
    Ok(after)
}

/// Methods with the channels that lead to them.
fn targets(scratch: &Scratch) -> Vec<(String, BTreeSet<String>)> {
    let sql =
        "SELECT DISTINCT m.full_name, e.channel FROM methods m JOIN edges e ON e.target = m.full_name ORDER BY 1, 2";
    let limits = SqlLimits { rows: 1_000_000, ..SqlLimits::default() };
    let answer = select(scratch.index().path(), sql, limits).expect("methods");
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in &answer.rows {
        let text = |at: usize| row[at].as_str().expect("a text").to_owned();
        found.entry(text(0)).or_default().insert(text(1));
    }
    found.into_iter().collect()
}

/// Renames methods until every channel was tried that one can be renamed for.
fn every_channel(scratch: &Scratch) -> (BTreeSet<String>, Vec<String>) {
    let mut before = rows(scratch);
    let mut targets = targets(scratch);
    let (mut covered, mut refused) = (BTreeSet::new(), Vec::new());
    loop {
        let new_channels = |channels: &BTreeSet<String>| channels.difference(&covered).count();
        let Some(best) = (0..targets.len()).max_by_key(|&at| (new_channels(&targets[at].1), usize::MAX - at)) else {
            break;
        };
        let (name, channels) = targets.swap_remove(best);
        if new_channels(&channels) == 0 {
            break;
        }
        let new = format!("{}Новое", name.rsplit('.').next().expect("a name"));
        match rename(scratch, &before, &name, &new) {
            Ok(after) => {
                before = after;
                covered.extend(channels);
            }
            Err(why) => refused.push(format!("{name}: {why}")),
        }
    }
    (covered, refused)
}

#[test]
fn no_edge_of_the_demo_is_lost_whatever_channel_it_is_of() {
    let scratch = Scratch::demo();
    let (covered, refused) = every_channel(&scratch);
    println!("{covered:?}\n{}", refused.join("\n"));
    for channel in ["direct", "event_subscription"] {
        assert!(covered.contains(channel), "{channel}: {covered:?} {refused:#?}");
    }
    assert!(covered.len() >= 15, "{covered:?} {refused:#?}");
}

#[test]
fn handlers_in_a_project_of_edt_are_renamed_as_well() {
    let scratch = Scratch::of(|root| ::support::copy_folder(&::support::demo_edt(), root));
    let mut before = rows(&scratch);
    let mut tried = BTreeSet::new();
    for (name, channels) in targets(&scratch) {
        let Some(channel) = channels.into_iter().find(|channel| METADATA.contains(&channel.as_str())) else { continue };
        if !tried.contains(&channel)
            && let Ok(after) = rename(&scratch, &before, &name, "ДругоеИмя")
        {
            before = after;
            tried.insert(channel);
        }
    }
    assert_eq!(tried.iter().map(String::as_str).collect::<Vec<_>>(), METADATA);
}

/// Channels whose places stand in files of metadata.
const METADATA: &[&str] =
    &["event_subscription", "form_command", "form_element_event", "form_event", "http_service", "scheduled_job"];

/// `&Перед("Имя")` and the like name a method of what is extended: they get its new name, whatever the annotation.
#[test]
fn annotations_of_an_extension_are_renamed_with_the_method() {
    let scratch = Scratch::demo();
    let extension = scratch.folder().join("extension");
    let plan = Plan { methods: 4, forms: 0, controls: 2, seed: 7 };
    let generated = generate(&scratch.root, &extension, plan).expect("an extension");
    let layers = Some(LayerPaths { extensions: vec![extension.clone()], external: Vec::new() });
    let options = Options { layers, ..Options::default() };
    build(&scratch.root, scratch.tools.location(), &options, &Stop::default(), &|_| {}).expect("the index is built");
    let mut before = rows(&scratch);
    assert_eq!(before["overrides"].len(), generated.annotated.len());

    let mut annotations: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut done, mut refused) = (BTreeSet::new(), Vec::new());
    for pair in generated.annotated.iter().filter(|pair| !pair.drifted) {
        if annotations.contains_key(pair.kind) || !done.insert(&pair.base) {
            continue;
        }
        let old = pair.base.rsplit('.').next().expect("a name");
        let new = format!("{old}Иначе");
        match rename(&scratch, &before, &pair.base, &new) {
            Ok(after) => before = after,
            Err(why) => {
                refused.push(why);
                continue;
            }
        }
        let outline = scratch.index().require(&pair.extension).expect("the method of the extension");
        let source = scratch.index().method_source(outline.id).expect("its source");
        // The annotation stands above the method.
        let source =
            scratch.index().lines(&source.file, source.line.saturating_sub(2), source.end_line).expect("text").text;
        let names = |annotation: &str, name: &str| source.contains(&format!("&{annotation}(\"{name}\")"));
        let annotation = ["Перед", "После", "Вместо", "ИзменениеИКонтроль"].into_iter().find(|one| names(one, &new));
        annotations.insert(pair.kind, annotation.unwrap_or_else(|| panic!("{pair:?}: {source}")));
    }
    let expected =
        [("after", "После"), ("around", "Вместо"), ("before", "Перед"), ("change_and_validate", "ИзменениеИКонтроль")];
    assert_eq!(annotations.into_iter().collect::<Vec<_>>(), expected, "{refused:#?}");
}

#[test]
fn a_name_that_the_platform_sets_or_that_may_be_meant_elsewhere_is_refused() {
    let scratch = Scratch::demo();
    let files = scratch.everything();
    let error = scratch
        .error("propose_rename", json!({ "name": "Справочник.Товары.МодульОбъекта.ПередЗаписью", "new_name": "А" }));
    assert_eq!(error["code"], "no_place");
    let error =
        scratch.error("propose_rename", json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "new_name": "ЦенаТовара" }));
    assert_eq!(error["code"], "no_place", "taken");
    assert_eq!(
        scratch.error("propose_rename", json!({ "name": "Справочник.Товары", "new_name": "А" }))["code"],
        "wrong_kind"
    );
    // A change that waits may bring calls of it.
    scratch.ok(
        "propose_patch",
        json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Возврат 2;" }),
    );
    let error =
        scratch.error("propose_rename", json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "new_name": "ПростаяСкидка" }));
    assert_eq!(error["code"], "no_place");
    scratch.ok("discard_edit", json!({ "edit": 1 }));
    // A literal that is the name, and that no edge explains.
    let path = "CommonModules/ЦеныИСкидки/Ext/Module.bsl";
    let text = String::from_utf8(scratch.bytes(path)).expect("text");
    std::fs::write(scratch.root.join(path), text.replace("Возврат 1;", "А = \"СкидкаПартнера\";\r\n\tВозврат 1;"))
        .expect("written");
    let rename = |accept: bool| json!({ "name": "ЦеныИСкидки.СкидкаПартнера", "new_name": "СкидкаПокупателя", "accept_unsure": accept });
    assert_eq!(scratch.error("propose_rename", rename(true))["code"], "no_place", "the index is older than the file");
    scratch.update();
    let error = scratch.error("propose_rename", rename(false));
    assert_eq!(error["code"], "unsure");
    assert!(
        error["places"]
            .as_array()
            .is_some_and(|places| places.iter().any(|one| one.as_str().is_some_and(|one| one.ends_with("string")))),
        "{error}"
    );
    let answer = scratch.ok("propose_rename", rename(true));
    assert_eq!(answer["state"]["complete"], false);
    let proposed = scratch.tools.edits().text(&scratch.index(), path).expect("text");
    assert!(proposed.contains("\"СкидкаПартнера\"") && proposed.contains("Функция СкидкаПокупателя("), "{proposed}");
    std::fs::write(scratch.root.join(path), text).expect("written");
    assert_eq!(scratch.everything(), files);
}

#[test]
#[ignore = "corpus"]
fn no_edge_of_the_library_is_lost() {
    let corpus = ::support::require_corpus("ssl_3_1").join("src/cf");
    // Files are replaced, never written to: links keep what they link to.
    let scratch = Scratch::of(|root| {
        ::support::link_folder(&corpus, root);
        // The vendor's lock on every object, which refuses each change; tested apart.
        std::fs::remove_file(root.join("Ext/ParentConfigurations.bin")).expect("the library is on support");
    });
    let mut before = rows(&scratch);
    for (name, new) in [
        // Two subscriptions; then a handler whose name another module's method bears; a job; a method that very many call.
        ("CommonModule.УправлениеДоступомСлужебный.ПроверитьДоступПередЗаписью", "ПроверитьПраваПередЗаписью"),
        (
            "CommonModule.РаботаСФайламиКлиентСервер.ОпределитьФормуПрисоединенногоФайла",
            "НайтиФормуПрисоединенногоФайла",
        ),
        ("CommonModule.ПолнотекстовыйПоискСервер.ОбновлениеИндексаППДПоРасписанию", "ОбновитьИндексПоРасписанию"),
        ("CommonModule.ОбщегоНазначения.ЗначениеРеквизитаОбъекта", "ЗначениеОдногоРеквизита"),
    ] {
        let started = std::time::Instant::now();
        let result = scratch.call("propose_rename", json!({ "name": name, "new_name": new }));
        println!("{name}: {:?} {}", started.elapsed(), &result.content.chars().take(1500).collect::<String>());
        before = rename(&scratch, &before, name, new).expect("renamed");
    }
}

//! The index of the demo configuration: build, read, rebuild, kill.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Outcome, Phase, Report, Scope, Stop, build};
use metascope_index::scan::{Limits, Pattern};
use metascope_index::schema::all_views;
use metascope_index::sql::{SqlLimits, select};
use metascope_index::text::Filter;
use metascope_index::{Error, Index, Location, NodeKey, Reason, Resolution, Walk};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

fn make(dump: &Path, location: &Location) -> Report {
    build(dump, location, &Options::default(), &Stop::default(), &|_| {}).unwrap()
}

/// The demo's index, built once for all tests of this file.
fn demo() -> Index {
    static MADE: OnceLock<(tempfile::TempDir, Location)> = OnceLock::new();
    let (_, location) = MADE.get_or_init(|| {
        let dir = support::temp_dir();
        let location = Location::at(dir.path().join("index.db"));
        make(&support::demo(), &location);
        (dir, location)
    });
    Index::open(location).unwrap()
}

fn count(index: &Index, sql: &str) -> i64 {
    select(index.path(), sql, SqlLimits::default()).unwrap().rows[0][0].as_i64().unwrap()
}

#[test]
fn every_view_can_be_read() {
    let index = demo();
    for view in all_views() {
        let columns = view.columns.iter().map(|c| format!("\"{c}\"")).collect::<Vec<_>>().join(", ");
        let answer =
            select(index.path(), &format!("SELECT {columns} FROM {}", view.name), SqlLimits::default()).unwrap();
        assert_eq!(answer.columns, view.columns);
    }
    for filled in [
        "objects",
        "attributes",
        "attribute_types",
        "modules",
        "methods",
        "edges",
        "forms",
        "form_items",
        "form_attributes",
        "form_commands",
        "form_handlers",
        "query_fields",
        "dcs_datasets",
        "dcs_fields",
        "dcs_parameters",
        "dcs_variants",
        "query_tables",
        "register_movements",
        "role_rights",
        "rls",
        "enum_values",
        "predefined",
        "event_subscriptions",
        "scheduled_jobs",
        "subsystem_content",
        "functional_options",
        "defined_types",
        "exchange_plan_content",
        "dcs_schemas",
        "queries",
        "strings",
        "meta",
    ] {
        assert!(count(&index, &format!("SELECT count(*) FROM {filled}")) > 0, "{filled} is empty");
    }
}

#[test]
fn names_resolve_as_people_type_them() {
    let index = demo();
    let found = |typed: &str| match index.resolve(typed).unwrap() {
        Resolution::Found(named) => named.full_name,
        other => panic!("{typed}: {other:?}"),
    };
    for typed in [
        "Catalog.Товары",
        "Справочник.Товары",
        "справочники.ТОВАРЫ",
        "СправочникСсылка.Товары",
        "cfg:CatalogRef.Товары",
    ] {
        assert_eq!(found(typed), "Catalog.Товары", "{typed}");
    }
    let method = "CommonModule.ОстаткиСкладов.ОстатокТовараНаСкладе";
    for typed in [
        "ОстаткиСкладов.ОстатокТовараНаСкладе",
        "остатоктоваранаскладе",
        "ОбщийМодуль.ОстаткиСкладов.ОстатокТовараНаСкладе",
    ] {
        assert_eq!(found(typed), method, "{typed}");
    }
    assert_eq!(found("ОстаткиСкладов"), "CommonModule.ОстаткиСкладов");
    // Words for kinds of parts may be left out.
    for (typed, full) in [
        ("Справочник.Товары.ОсновнойПоставщик", "Catalog.Товары.Attribute.ОсновнойПоставщик"),
        ("catalog.товары.ОСНОВНОЙПОСТАВЩИК", "Catalog.Товары.Attribute.ОсновнойПоставщик"),
        ("Партнеры.ЛимитДолга", "Catalog.Партнеры.Attribute.ЛимитДолга"),
        ("Перечисление.СостоянияЗаказаПокупателя.Отгружен", "Enum.СостоянияЗаказаПокупателя.EnumValue.Отгружен"),
        (
            "Документ.ПродажаТоваров.Товары.ПроцентСкидки",
            "Document.ПродажаТоваров.TabularSection.Товары.Attribute.ПроцентСкидки",
        ),
        (
            "document.продажатоваров.ТабличнаяЧасть.Товары.ПроцентСкидки",
            "Document.ПродажаТоваров.TabularSection.Товары.Attribute.ПроцентСкидки",
        ),
        ("РегистрНакопления.ОборотыПродаж.Менеджер", "AccumulationRegister.ОборотыПродаж.Dimension.Менеджер"),
        ("Справочник.Товары.Наименование", "Catalog.Товары.StandardAttribute.Description"),
        ("Catalog.Товары.Description", "Catalog.Товары.StandardAttribute.Description"),
        ("Справочники.Партнеры.ПартнерПоИНН", "Catalog.Партнеры.ManagerModule.ПартнерПоИНН"),
    ] {
        assert_eq!(found(typed), full, "{typed}");
    }
    let typed = "справочник.Партнеры.ФормаЭлемента.ПроверитьИНН";
    let Resolution::Ambiguous(several) = index.resolve(typed).unwrap() else { panic!() };
    let names: Vec<&str> = several.iter().map(|named| named.full_name.as_str()).collect();
    let form = "Catalog.Партнеры.Form.ФормаЭлемента";
    assert_eq!(names, [format!("{form}.ПроверитьИНН"), format!("{form}.Command.ПроверитьИНН")]);
    assert!(matches!(index.resolve("Справочник.Товары.НетТакого").unwrap(), Resolution::Unknown { .. }));
    assert!(matches!(index.resolve("ПередЗаписью").unwrap(), Resolution::Ambiguous(some) if some.len() > 1));
    let Err(Error::UnknownName { nearest, .. }) = index.require("ОстаткиСкладов.ОстатокТоваруНаСклад")
    else {
        panic!()
    };
    assert_eq!(nearest.first().map(String::as_str), Some(method));
    let Err(Error::UnknownName { nearest, .. }) = index.require("Справочник.Товоры") else { panic!() };
    assert_eq!(nearest.first().map(String::as_str), Some("Catalog.Товары"));
    assert!(matches!(index.require(""), Err(Error::UnknownName { .. })));
}

#[test]
fn callers_callees_paths_and_entries() {
    let index = demo();
    let id = |name: &str| index.require(name).unwrap().id;
    let target = id("ОстаткиСкладов.ОстатокТовараНаСкладе");
    let callers = index.callers(target, &Walk::default()).unwrap();
    let bot = callers.rows.iter().find(|e| e.source == "Bot.ПомощникКладовщика.Module.ОтветНаАртикул").unwrap();
    assert_eq!((bot.channel.as_str(), bot.confidence.as_str(), bot.line), ("direct", "exact", 14));
    assert_eq!(bot.file, "Bots/ПомощникКладовщика/Ext/Module.bsl");

    let one = index.callers(target, &Walk { limit: 1, ..Walk::default() }).unwrap();
    assert_eq!(one.rows.len(), 1);
    assert!(one.state.reasons.contains(&Reason::LimitReached { limit: 1 }));
    let only = Walk { channels: vec!["common_module_var".to_owned()], ..Walk::default() };
    assert!(index.callers(target, &only).unwrap().rows.iter().all(|e| e.channel == "common_module_var"));

    let bot_id = id("Bot.ПомощникКладовщика.Module.ОтветНаАртикул");
    assert!(index.callees(bot_id, &Walk::default()).unwrap().rows.contains(bot));
    let path = index.path_between(bot_id, target).unwrap();
    assert_eq!(path.rows.len(), 1);
    assert!(index.path_between(target, bot_id).unwrap().rows.is_empty());

    // Through a form command: Form.Command -> action -> helper.
    let helper = id("Catalog.Партнеры.Form.ФормаЭлемента.ПроверитьИННФормы");
    let entries = index.entries(helper, 20).unwrap();
    assert!(entries.rows.iter().any(|e| e.channel == "form_command" && e.chain.len() == 2), "{entries:?}");
    assert!(
        entries
            .rows
            .iter()
            .all(|e| e.chain.last().unwrap().target == "Catalog.Партнеры.Form.ФормаЭлемента.ПроверитьИННФормы")
    );
}

#[test]
fn queries_show_their_tables_and_fields() {
    let index = demo();
    let rows = |sql: &str| {
        let answer = select(index.path(), sql, SqlLimits::default()).unwrap();
        let row =
            |row: Vec<serde_json::Value>| row.iter().map(|cell| cell.to_string().replace('"', "")).collect::<Vec<_>>();
        answer.rows.into_iter().map(|cells| row(cells).join(" ")).collect::<Vec<_>>()
    };
    // A dynamic list: the form owns its query, lines are those of Form.xml.
    assert_eq!(
        rows(
            "SELECT line, \"table\", kind, query_line FROM query_tables
              WHERE owner = 'Catalog.Товары.Form.ФормаСписка' ORDER BY line"
        ),
        ["71 Catalog.Товары physical 64", "72 AccumulationRegister.ОстаткиТоваров.Balance virtual 64"]
    );
    assert_eq!(
        rows("SELECT line, owner FROM query_fields WHERE \"table\" = 'Catalog.Товары' AND field = 'Артикул'"),
        // And a set of data: the schema owns its query.
        ["67 Catalog.Товары.Form.ФормаСписка", "152 Report.АнализПродажТоваров.Template.ОсновнаяСхема"]
    );
    // A method, and a path through a reference.
    let sales = "Document.ПродажаТоваров.TabularSection.Товары";
    assert_eq!(
        rows(&format!(
            "SELECT line, owner FROM query_fields WHERE \"table\" = '{sales}' AND field = 'Ссылка.Партнер' ORDER BY line"
        )),
        [
            "71 Document.ПродажаТоваров.ManagerModule.ДанныеНакладных",
            // ИТОГИ МАКСИМУМ(Партнер): the column shows that field.
            "86 Document.ПродажаТоваров.ManagerModule.ДанныеНакладных",
        ]
    );
    // Whatever names metadata names it as the other views do.
    let strangers = "SELECT DISTINCT \"table\" FROM query_tables WHERE kind IN ('physical', 'tabular_section')
                        AND \"table\" NOT IN (SELECT full_name FROM objects)";
    assert_eq!(rows(strangers), [""; 0]);
    assert_eq!(count(&index, "SELECT count(*) FROM queries WHERE owner IS NULL"), 0);
}

#[test]
fn an_empty_answer_says_why() {
    let index = demo();
    let uncalled = select(
        index.path(),
        "SELECT full_name FROM methods WHERE full_name NOT IN (SELECT target FROM edges)",
        SqlLimits::default(),
    );
    let rows = uncalled.unwrap().rows;
    assert!(!rows.is_empty());
    let (mut proven, mut doubtful) = (0, 0);
    for row in &rows {
        let name = row[0].as_str().unwrap();
        let answer = index.callers(index.require(name).unwrap().id, &Walk::default()).unwrap();
        assert!(answer.rows.is_empty(), "{name}");
        assert_eq!(answer.state.complete, answer.state.reasons.is_empty(), "{name}");
        let missing = answer.state.reasons.iter().any(|reason| matches!(reason, Reason::ChannelsNotBuilt { .. }));
        assert!(!missing, "every channel is derived: {:?}", answer.state);
        if answer.state.complete { proven += 1 } else { doubtful += 1 }
    }
    assert!(proven + doubtful == rows.len() && doubtful > 0, "{proven} proven, {doubtful} with a reason");
}

#[test]
fn passports_outlines_and_sources() {
    let index = demo();
    let catalog = index.require("Справочник.Товары").unwrap();
    let passport = index.object_passport(catalog.id).unwrap().unwrap();
    assert_eq!(passport.object.kind, "Catalog");
    assert!(!passport.attributes.is_empty() && !passport.forms.is_empty() && !passport.modules.is_empty());
    assert!(passport.attributes.iter().any(|a| a.kind == "StandardAttribute"));
    assert!(!passport.rights.is_empty());
    let document = index.require("Документ.ПродажаТоваров").unwrap();
    let passport = index.object_passport(document.id).unwrap().unwrap();
    assert!(!passport.movements.is_empty() && !passport.subscriptions.is_empty(), "{passport:?}");

    let method = index.require("ОстаткиСкладов.ОстатокТовараНаСкладе").unwrap();
    let passport = index.method_passport(method.id).unwrap().unwrap();
    assert!(passport.signature.contains("ОстатокТовараНаСкладе("), "{}", passport.signature);
    assert_eq!(passport.params.len(), passport.method.params.split(',').count());
    assert!(!passport.callers.rows.is_empty());
    let source = index.method_source(method.id).unwrap();
    assert!(source.text.contains("ОстатокТовараНаСкладе") && !source.stale);
    assert_eq!((source.line, source.end_line), (passport.method.line, passport.method.end_line));
    assert_eq!(index.method_at(&source.file, source.line).unwrap(), Some(method.id));

    let module = index.require("ОстаткиСкладов").unwrap();
    let outline = index.outline(module.id).unwrap().unwrap();
    assert!(outline.methods.iter().any(|m| m.id == method.id));
    assert!(index.outline(catalog.id).unwrap().is_none());
    assert!(index.lines("../../../etc/passwd", 1, 2).is_err());
}

#[test]
fn full_text_and_scan_find() {
    let index = demo();
    let hits = index.fulltext("остаток товаров на складах", Filter::Methods, 10).unwrap();
    assert!(
        hits.iter().take(3).any(|h| h.full_name == "CommonModule.ОстаткиСкладов.ОстатокТовараНаСкладе"),
        "{hits:?}"
    );
    let objects = index.fulltext("товары", Filter::Objects, 30).unwrap();
    assert!(
        objects.iter().all(|h| h.is_object) && objects.iter().any(|h| h.full_name == "Catalog.Товары"),
        "{objects:?}"
    );
    assert!(index.fulltext("  \"*", Filter::All, 5).unwrap().is_empty());

    let pattern = |text: &str, regex, case_sensitive| Pattern { text: text.to_owned(), regex, case_sensitive };
    let found = index.scan(&pattern("остаткискладов.", false, false), Limits::default()).unwrap();
    assert!(found.hits.iter().any(|h| h.full_name == "Bot.ПомощникКладовщика.Module.ОтветНаАртикул"), "{found:?}");
    assert!(index.scan(&pattern("остаткискладов.", false, true), Limits::default()).unwrap().hits.is_empty());
    let one = Limits { hits: 1, ..Limits::default() };
    let cut = index.scan(&pattern(r"(?i)функция\s+\w+", true, true), one).unwrap();
    assert!(cut.truncated && cut.hits.len() == 1 && cut.total > 1);
    assert!(matches!(index.scan(&pattern("(", true, true), one), Err(Error::Pattern(_))));
}

#[test]
fn the_tree_holds_every_object_and_method() {
    let index = demo();
    let (mut objects, mut methods, mut attributes) = (0, 0, 0);
    let mut open = vec![NodeKey::Root];
    while let Some(key) = open.pop() {
        let nodes = index.tree(&key).unwrap();
        for node in nodes {
            match &node.key {
                NodeKey::Object(_) => objects += 1,
                NodeKey::Leaf(_) if node.kind == "method" => methods += 1,
                NodeKey::Leaf(_) => attributes += 1,
                _ => {}
            }
            open.push(node.key);
        }
    }
    assert_eq!(methods, count(&index, "SELECT count(*) FROM methods"));
    assert_eq!(attributes, count(&index, "SELECT count(*) FROM attributes"));
    assert_eq!(objects, count(&index, "SELECT count(*) FROM objects WHERE kind <> 'Configuration'"));
}

#[test]
fn status_and_overview() {
    let index = demo();
    let status = index.status().unwrap();
    assert_eq!((status.layers.len(), status.changed_files), (1, Some(0)));
    let overview = index.overview().unwrap();
    assert_eq!(i64::from(overview.methods), count(&index, "SELECT count(*) FROM methods"));
    assert!(!overview.hubs.is_empty() && !overview.entries.is_empty() && !overview.subsystems.is_empty());
    assert!(overview.integrations.iter().any(|name| name.starts_with("HTTPService.")));
    let mut edges = 0;
    metascope_index::for_each_edge(&index, |edge| {
        assert!(!edge.source.is_empty() && !edge.target.is_empty() && !edge.channel.is_empty());
        edges += 1;
        true
    })
    .unwrap();
    assert_eq!(edges, count(&index, "SELECT count(*) FROM edges"));
}

#[test]
fn only_a_change_builds_anew_and_readers_keep_what_they_opened() {
    let dir = support::temp_dir();
    let dump = dir.path().join("dump");
    support::copy_folder(&support::demo(), &dump);
    let location = Location::at(dir.path().join("out/index.db"));
    assert_eq!(make(&dump, &location).outcome, Outcome::Built);
    assert_eq!(make(&dump, &location).outcome, Outcome::Unchanged);
    let (first, second) = (Index::open(&location).unwrap(), Index::open(&location).unwrap());
    let module = dump.join("CommonModules/ОстаткиСкладов/Ext/Module.bsl");
    let mut text = std::fs::read_to_string(&module).unwrap();
    text.push_str("\nПроцедура НоваяПроцедура() Экспорт\nКонецПроцедуры\n");
    std::fs::write(&module, text).unwrap();
    assert_eq!(first.status().unwrap().changed_files, Some(1));

    // Another module registers all exported methods of this one: it is derived again.
    let scope = Scope::Modules { read: 1, derived: 2 };
    assert_eq!(make(&dump, &location).outcome, Outcome::Updated { changed: 1, scope });
    for old in [&first, &second] {
        assert!(matches!(old.resolve("ОстаткиСкладов.НоваяПроцедура").unwrap(), Resolution::Unknown { .. }));
        assert!(count_of(old) > 0);
    }
    let new = Index::open(&location).unwrap();
    assert!(matches!(new.resolve("ОстаткиСкладов.НоваяПроцедура").unwrap(), Resolution::Found(_)));
    assert_eq!(count_of(&new), count_of(&first) + 1);
    assert!(new.method_source(new.require("НоваяПроцедура").unwrap().id).unwrap().text.starts_with("Процедура"));

    std::fs::remove_file(dump.join("CommonModules/ОстаткиСкладов/Ext/Module.bsl")).unwrap();
    assert!(matches!(make(&dump, &location).outcome, Outcome::Updated { changed: 1, scope: Scope::Metadata { .. } }));
}

fn count_of(index: &Index) -> usize {
    index.overview().unwrap().methods as usize
}

#[test]
fn a_build_that_is_stopped_leaves_the_old_index() {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    make(&support::demo(), &location);
    let before = location.current().unwrap();
    for phase in [Phase::Metadata, Phase::Modules, Phase::Edges, Phase::Finish] {
        let stop = Stop::default();
        let options = Options { rebuild: true, ..Options::default() };
        let result = build(&support::demo(), &location, &options, &stop, &|progress| {
            if progress.phase == phase {
                stop.stop();
            }
        });
        assert!(matches!(result, Err(Error::Stopped)), "{phase:?}: {result:?}");
        assert_eq!(location.current().unwrap(), before);
        assert!(count_of(&Index::open(&location).unwrap()) > 0);
    }
    let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // Readers leave the log that they looked at.
    let files = names.filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm")).count();
    assert_eq!(files, 5, "pointer, generation, its world, lock, tasks");
}

/// Not a test of its own: the process that the next test kills.
#[test]
#[ignore = "run by a_kill_at_any_moment_leaves_a_whole_index"]
fn child_that_builds() {
    let Some(file) = std::env::var_os("METASCOPE_TEST_INDEX") else { return };
    let options = Options { rebuild: true, ..Options::default() };
    let _ = build(&support::demo(), &Location::at(file), &options, &Stop::default(), &|_| {});
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_index() {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    make(&support::demo(), &location);
    let methods = count_of(&Index::open(&location).unwrap());
    for step in 0..12_u64 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_builds", "--ignored", "--nocapture"])
            .env("METASCOPE_TEST_INDEX", location.pointer())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 + step * 45));
        child.kill().unwrap();
        child.wait().unwrap();
        let index = Index::open(&location).unwrap();
        assert_eq!(count_of(&index), methods);
        assert_eq!(index.status().unwrap().changed_files, Some(0));
    }
    let rebuilt = Options { rebuild: true, ..Options::default() };
    build(&support::demo(), &location, &rebuilt, &Stop::default(), &|_| {}).unwrap();
    let generations = std::fs::read_dir(dir.path())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().ends_with(".db"));
    assert_eq!(generations.count(), 3, "the pointer, one generation, the table of tasks");
}

#[test]
fn another_format_is_rebuilt_and_says_so() {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    make(&support::demo(), &location);
    let file = location.current().unwrap().unwrap();
    rusqlite::Connection::open(&file).unwrap().pragma_update(None, "user_version", 999).unwrap();
    assert!(matches!(Index::open(&location), Err(Error::Format { found, .. }) if found == "999"));
    assert_eq!(make(&support::demo(), &location).outcome, Outcome::FormatChanged { found: "999".to_owned() });
    Index::open(&location).unwrap();
    // Rubbish in place of an index is no reason to give up.
    let file = location.current().unwrap().unwrap();
    std::fs::write(&file, "rubbish ".repeat(1000)).unwrap();
    assert!(matches!(make(&support::demo(), &location).outcome, Outcome::FormatChanged { .. }));
}

#[test]
fn no_index_and_no_dump_are_told_apart() {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    assert!(matches!(Index::open(&location), Err(Error::NoIndex { .. })));
    let result = build(&dir.path().join("nowhere"), &location, &Options::default(), &Stop::default(), &|_| {});
    assert!(matches!(result, Err(Error::Metadata(_))), "{result:?}");
}

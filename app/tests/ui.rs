//! The window over the real index of the demo configuration, without a display: what a person does is done through the
//! accessible elements and keys, and what they would see is looked at.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]
#![cfg(feature = "desktop")]

mod desk;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;

use desk::{click, desk, element, key, key_with, settle, window};
use i_slint_backend_testing::{AccessibleRole, ElementHandle, ElementQuery};
use index::Location;
use index::build::{Options, Stop, build};
use metascope::window::controller::Controller;
use metascope::window::ui::{EdgeItem, L};
use slint::platform::{Key, WindowEvent};
use slint::{ComponentHandle, Model};
use support::demo;

/// The index of the demo, built once for all tests.
fn location() -> Location {
    static BUILT: OnceLock<(tempfile::TempDir, Location)> = OnceLock::new();
    let (_, location) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::at(folder.path().join("index.db"));
        build(&demo(), &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
        (folder, location)
    });
    location.clone()
}

fn opened() -> Rc<Controller> {
    let controller = window();
    controller.start(Some(demo()), Some(location()));
    settle(&controller);
    controller
}

fn edges(controller: &Controller) -> Vec<EdgeItem> {
    desk(controller).get_edges().iter().collect()
}

const CALLED: &str = "CommonModule.ОстаткиСкладов.ОстатокТовараНаСкладе";
const CALLER: &str = "Bot.ПомощникКладовщика.Module.ОтветНаАртикул";

/// Where the rows of the tree and the lines of the code are that exist as elements: only what is in sight should. (A query
/// finds a repeated element once for each of its ancestors.)
fn list_items(controller: &Controller) -> BTreeSet<(i32, i32)> {
    let items =
        ElementQuery::from_root(controller.app()).match_descendants().match_accessible_role(AccessibleRole::ListItem);
    let place = |item: ElementHandle| {
        let at = item.absolute_position();
        (at.x.round() as i32, at.y.round() as i32)
    };
    items.find_all().into_iter().map(place).collect()
}

#[test]
fn from_the_tree_to_the_code() {
    let controller = opened();
    assert!(desk(&controller).get_project().len() > 3);
    let count = controller.tree().row_count();
    element(&controller, "Общие модули").invoke_accessible_expand_action();
    settle(&controller);
    assert!(controller.tree().row_count() > count + 5);
    let row = element(&controller, "Общие модули");
    assert_eq!(row.accessible_expanded(), Some(true));
    click(&controller, "ОбщиеСредства");
    assert_eq!(desk(&controller).get_title(), "ОбщийМодуль.ОбщиеСредства");
    assert!(desk(&controller).get_line_count() > 120);
    assert!(desk(&controller).get_passport().row_count() > 3, "the passport of the module is shown");
    let places = list_items(&controller);
    assert!((50..=75).contains(&places.len()), "{} rows and lines exist", places.len());
}

#[test]
fn an_edge_leads_from_the_method_to_its_caller_and_back() {
    let controller = opened();
    key_with(&controller, Key::Control, "p");
    element(&controller, "Поиск по конфигурации").set_accessible_value("ОстатокТовараНаСкладе");
    settle(&controller);
    let hits = desk(&controller).get_hits();
    assert_eq!(hits.row_data(0).map(|hit| hit.target.to_string()).as_deref(), Some(CALLED), "an exact name leads");
    key(&controller, Key::Return);
    assert!(!desk(&controller).get_searching());
    assert_eq!(desk(&controller).get_method(), CALLED);
    // The very first text that is shown is scrolled to the place.
    let line = (desk(&controller).get_caret_line() + 1).to_string();
    let shown = element(&controller, &line).absolute_position();
    assert!(line.len() == 2 && (100.0..700.0).contains(&shown.y), "line {line} at {}", shown.y);

    let caller = edges(&controller).into_iter().find(|edge| edge.target == CALLER).expect("the bot calls it");
    assert_eq!((caller.channel.as_str(), caller.confidence.as_str()), ("прямой вызов", "точно"));
    assert_eq!((caller.file.as_str(), caller.line), ("Bots/ПомощникКладовщика/Ext/Module.bsl", 14));
    click(&controller, CALLER);
    assert_eq!(desk(&controller).get_place(), "Bots/ПомощникКладовщика/Ext/Module.bsl:14");
    assert_eq!(desk(&controller).get_method(), CALLER);
    let line = desk(&controller).get_lines().row_data(13).unwrap();
    let text: String = line.segs.iter().map(|seg| seg.text.to_string()).collect();
    assert!(text.contains("ОстатокТовараНаСкладе"), "{text}");

    // The same way by the name in the code.
    key(&controller, Key::F12);
    let column = text_column(&controller, 13, "ОстатокТовараНаСкладе");
    desk(&controller).invoke_press(13, column as f32 + 2.0, false, false);
    key(&controller, Key::F12);
    assert_eq!(desk(&controller).get_method(), CALLED);
    key_with(&controller, Key::Alt, Key::LeftArrow);
    assert_eq!(desk(&controller).get_method(), CALLER);
    assert!(desk(&controller).get_can_forward());
    key_with(&controller, Key::Alt, Key::RightArrow);
    assert_eq!(desk(&controller).get_method(), CALLED);
}

/// The column as shown of a word in a line of the open text.
fn text_column(controller: &Controller, line: usize, word: &str) -> usize {
    let line = desk(controller).get_lines().row_data(line).unwrap();
    let seg = line.segs.iter().find(|seg| seg.text.contains(word)).unwrap();
    let byte = seg.text.find(word).unwrap();
    usize::try_from(seg.column).unwrap() + seg.text[..byte].chars().count()
}

#[test]
fn an_answer_says_how_complete_it_is() {
    let controller = opened();
    desk(&controller).invoke_go(CALLED.into(), "".into(), 0);
    settle(&controller);
    let edges = edges(&controller);
    let headings: Vec<_> = edges.iter().filter(|edge| edge.kind == 0).map(|edge| edge.title.to_string()).collect();
    assert_eq!(headings.len(), 2);
    let callers = edges.iter().skip(1).take_while(|edge| edge.kind == 1).count();
    assert_eq!(headings[0], format!("Кто вызывает: {callers}"));
    assert_eq!(edges.iter().filter(|edge| edge.kind >= 2).count(), 2, "both lists say whether they are complete");
}

#[test]
fn the_picture_of_links_is_walked() {
    let controller = opened();
    desk(&controller).invoke_go(CALLED.into(), "".into(), 0);
    settle(&controller);
    click(&controller, "Нарисовать связи");
    assert!(desk(&controller).get_picturing());
    let nodes = |controller: &Controller| desk(controller).get_picture_nodes().iter().collect::<Vec<_>>();
    assert_eq!((nodes(&controller)[0].target.as_str(), nodes(&controller)[0].column), (CALLED, 0));
    assert!(nodes(&controller).iter().any(|node| node.target == CALLER && node.column == -1));
    assert!(desk(&controller).get_picture_lines().row_count() + 1 >= nodes(&controller).len());
    assert!(!desk(&controller).get_picture_can_back());
    // A click puts a caller in the centre, and there is a way back.
    desk(&controller).invoke_draw(CALLER.into());
    settle(&controller);
    assert_eq!(nodes(&controller)[0].target, CALLER);
    assert!(nodes(&controller).iter().any(|node| node.target == CALLED && node.column == 1));
    click(&controller, "Назад по схеме");
    assert_eq!(nodes(&controller)[0].target, CALLED);
    key(&controller, Key::Escape);
    assert!(!desk(&controller).get_picturing());
}

#[test]
fn find_in_the_module_and_go_to_a_line() {
    let controller = opened();
    desk(&controller).invoke_go(CALLED.into(), "".into(), 0);
    settle(&controller);
    key_with(&controller, Key::Control, "а"); // the key of F in the Russian layout
    assert_eq!(desk(&controller).get_bar(), 1);
    element(&controller, "Найти в модуле").set_accessible_value("КОНЕЦФУНКЦИИ");
    settle(&controller);
    assert!(desk(&controller).get_found().contains(" / "));
    assert_eq!(controller.selected_text(), "КонецФункции");
    let first = desk(&controller).get_caret_line();
    key(&controller, Key::F3);
    assert!(desk(&controller).get_caret_line() > first);
    key(&controller, Key::Escape);
    assert_eq!(desk(&controller).get_bar(), 0);

    key_with(&controller, Key::Control, "g");
    let field = element(&controller, "Номер строки");
    field.set_accessible_value("3");
    desk(&controller).invoke_go_to_line("3".into());
    assert_eq!(desk(&controller).get_caret_line(), 2);
    // Selection with the keyboard.
    controller.app().window().dispatch_event(WindowEvent::KeyPressed { text: Key::Shift.into() });
    key(&controller, Key::DownArrow);
    controller.app().window().dispatch_event(WindowEvent::KeyReleased { text: Key::Shift.into() });
    assert!(controller.selected_text().ends_with('\n'));
}

#[test]
fn the_filter_and_the_language() {
    let controller = opened();
    let whole = controller.tree().row_count();
    element(&controller, "Фильтр дерева").set_accessible_value("товаропоставщик нет такого");
    settle(&controller);
    assert_eq!(desk(&controller).get_tree_note(), "Ничего не найдено");
    element(&controller, "Фильтр дерева").set_accessible_value("партнер");
    settle(&controller);
    let labels: Vec<_> = (0..controller.tree().row_count())
        .filter_map(|row| controller.tree().row_data(row))
        .map(|row| row.label)
        .collect();
    assert!(labels.iter().any(|label| label == "Партнеры"), "{labels:?}");
    element(&controller, "Фильтр дерева").set_accessible_value("");
    settle(&controller);
    assert_eq!(controller.tree().row_count(), whole);
    desk(&controller).invoke_set_language(false);
    settle(&controller);
    assert!(!controller.app().global::<L<'_>>().get_ru());
    element(&controller, "Common modules");
    element(&controller, "Filter the tree");
}

#[test]
fn the_agent_shows_every_step() {
    let controller = opened();
    desk(&controller).set_panel(2);
    desk(&controller).invoke_ask(format!("кто вызывает {CALLED}").into());
    settle(&controller);
    let rows: Vec<_> = desk(&controller).get_chat().iter().collect();
    assert_eq!(rows.first().map(|row| row.kind), Some(0));
    let call = rows.iter().find(|row| row.kind == 2).expect("a tool was called");
    assert!(call.detail.starts_with('✓'), "{}", call.detail);
    let answer = rows.iter().rfind(|row| row.kind == 4).expect("an answer came");
    assert!(answer.links.iter().any(|link| link.target == CALLED), "the answer's evidence can be clicked");
    assert!(!desk(&controller).get_asking());
}

#[test]
fn indexing_runs_beside_the_window() {
    let controller = window();
    let folder = tempfile::tempdir().unwrap();
    let location = Location::at(folder.path().join("index.db"));
    controller.start(Some(demo()), Some(location));
    assert!(desk(&controller).get_building(), "a project without an index is indexed");
    settle(&controller);
    assert!(!desk(&controller).get_building());
    assert!(controller.tree().row_count() > 10);
    assert!(desk(&controller).get_message().starts_with("Индекс построен"), "{}", desk(&controller).get_message());
    element(&controller, "Справочники");
}

#[test]
fn without_a_project_the_window_asks_for_one() {
    let controller = window();
    controller.start(None, None);
    settle(&controller);
    assert!(desk(&controller).get_opening());
    element(&controller, "Путь к папке");
    desk(&controller).invoke_open_project("/нет/такой/папки".into());
    settle(&controller);
    assert!(desk(&controller).get_open_error().contains("/нет/такой/папки"));
    key(&controller, Key::Escape);
    assert!(!desk(&controller).get_opening());
}

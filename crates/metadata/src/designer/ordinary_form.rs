//! An ordinary form: `Ext/Form.bin`, a container with the module and the content.
//!
//! The content is bracket notation that no document describes, and its head differs from version to version. So it is not read
//! by places but by shapes, wherever they stand:
//!
//! ```text
//! control    {class, id, {properties}, {position}, {14,"Name",…}, {children}}
//! event      {number, PROCEDURE, {3,"Handler",{1,"Default name",…}}}
//! action     {6, id, 1, PROCEDURE, {3,"Handler",{1,…}}, …}        of a command bar
//! button     {…, id of its action, {8,"Name",…,{1,1,{"ru","Title"}},…}, …}
//! column     {…,"Name",{},…,class of its editor,{{#base64:…},…}}    within a table; the editor is such a content again, packed
//! attribute  {{id},…,"Name",{"Pattern",{"S"},…}}                  within {{id of the main one},n,{count,…}}
//! ```
//!
//! What stands within a container has no line that a person could go to. The procedure that handles an event has one in the
//! module's text, and that is the handler's line; it is 0 where the module has no such procedure. All other lines are 0.

use super::Context;
use crate::brackets::{self, Node};
use crate::container::{self, Container, ContainerError, Document};
use crate::kinds::fold;
use crate::model::form::{Form, FormAttribute, FormItem, FormKind, Handler};
use crate::model::problem::ProblemKind;
use crate::model::support::uuid_number;
use crate::model::types::{TypeRef, Types};
use crate::model::{Localized, Text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The class of an action that is a procedure of the module; other classes are standard actions.
const PROCEDURE: &str = "e1692cc2-605b-4535-84dd-28440238746c";
/// Name of the panel that every ordinary form has and whose content doesn't name it.
const MAIN_PANEL: &str = "Панель";
/// Kind of an item that is a button of a command bar.
const BUTTON: &str = "CommandBarButton";
/// Event of such a button.
const ACTION: &str = "Action";
/// Kind of an item that is a column of a table.
const COLUMN: &str = "Column";
/// What a packed value begins with.
const PACKED: &str = "#base64:";
/// First bytes of a packed control, before raw deflate.
const PACKED_HEAD: &[u8] =
    &[2, 1, 0x53, 0x4B, 0x6F, 0xF4, 0x88, 0x8D, 0xC1, 0x4E, 0xA0, 0xD5, 0xEB, 0xB6, 0xBD, 0xA0, 0xA7, 0x0D];
/// Bytes of its size, before its text.
const BEFORE_TEXT: usize = 8;
/// Most bytes of all packed controls of a form.
const MOST_UNPACKED: u64 = 64 << 20;
/// Controls within controls that are packed; in genuine forms none stands within another.
const MOST_EDITORS: usize = 3;
/// Kind of a control whose class isn't known.
const UNKNOWN: &str = "Control";

static CONTROLS: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    rows(include_str!("../../data/ordinary_controls.tsv")).filter_map(|row| row.split_once('\t')).collect()
});

/// A row of `data/ordinary_events.tsv`.
struct Event {
    number: &'static str,
    controls: Vec<&'static str>,
    ru: &'static str,
    en: &'static str,
}

static EVENTS: LazyLock<Vec<Event>> = LazyLock::new(|| {
    let event = |row: &'static str| {
        let mut cells = row.split('\t');
        let (number, controls) = (cells.next()?, cells.next()?.split(' ').collect());
        Some(Event { number, controls, ru: cells.next()?, en: cells.next()? })
    };
    rows(include_str!("../../data/ordinary_events.tsv")).filter_map(event).collect()
});

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1)
}

/// Reads a container into a form. Gives true if it holds a module.
pub fn read(context: &mut Context<'_>, bytes: &[u8], form: &mut Form) -> bool {
    form.kind = FormKind::Ordinary;
    let container = match Container::open(bytes) {
        Ok(container) => container,
        Err(error) => {
            context.problem(0, ProblemKind::Container(error));
            return false;
        }
    };
    if let Some(content) = document(context, &container, Document::Form) {
        self::content(context, &String::from_utf8_lossy(&content), form);
    }
    let Some(module) = document(context, &container, Document::Module) else { return false };
    lines_of_handlers(&String::from_utf8_lossy(&module), form);
    true
}

/// Words that begin a method.
const METHODS: [&str; 4] = ["процедура", "функция", "procedure", "function"];
/// Words that may stand before them.
const ASYNC: [&str; 2] = ["асинх", "async"];

/// Gives each handler the line in which its procedure begins in the module's text.
fn lines_of_handlers(module: &str, form: &mut Form) {
    let mut lines: FxHashMap<String, u32> = FxHashMap::default();
    for (line, text) in (1..).zip(module.split('\n')) {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let first = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').chars().next();
        let Some(word) = words.next().filter(|_| first.is_some_and(char::is_alphabetic)) else { continue };
        let word = fold(word);
        let word = if ASYNC.contains(&word.as_str()) { words.next().map(fold).unwrap_or_default() } else { word };
        if METHODS.contains(&word.as_str())
            && let Some(name) = words.next()
        {
            lines.entry(fold(name)).or_insert(line);
        }
    }
    let of_items = form.items.iter_mut().flat_map(|item| &mut item.events);
    for handler in form.events.iter_mut().chain(of_items).filter(|handler| handler.line == 0) {
        handler.line = lines.get(&fold(&handler.handler)).copied().unwrap_or(0);
    }
}

fn document(context: &mut Context<'_>, container: &Container<'_>, which: Document) -> Option<Vec<u8>> {
    let found = container.entry(which.name()).and_then(|found| found.ok_or(ContainerError::Missing(which)));
    found.map_err(|error| context.problem(0, ProblemKind::Container(error))).ok()
}

/// Reads the content.
pub fn content(context: &mut Context<'_>, source: &str, form: &mut Form) {
    let read = brackets::parse(source);
    if let Some((line, what)) = read.failure {
        let message = format!("{what} (form, line {line})");
        context.problem(0, ProblemKind::Malformed(message.as_str().into()));
    }
    let Some(root) = read.nodes.first() else { return };
    // {27, {16, {title, …}, panel, …}, attributes, …}
    let body = root.list().get(1).map_or(&[][..], Node::list);
    form.title = body.get(1).and_then(|head| head.list().first()).map(|n| localized(context, n)).unwrap_or_default();
    attributes(context, root.list().get(2).map_or(&[], Node::list), form);
    let mut reader = Reader { context, form, unpacked: 0, damage: None };
    reader.scope(None, root.list(), 0);
    if let Some(damage) = reader.damage {
        context.problem(0, ProblemKind::Malformed(damage.into()));
    }
}

/// What a control's content tells of itself, until all of it is known.
#[derive(Default)]
struct Scope<'n> {
    /// Its place among the items; None: the form itself.
    item: Option<u32>,
    /// Within how many editors it stands.
    packed: usize,
    /// Actions of its own: identifier and procedure.
    actions: Vec<(&'n str, &'n str)>,
    /// Buttons: identifier of the action, name, title.
    buttons: Vec<(&'n str, &'n str, Localized)>,
}

struct Reader<'r, 'x> {
    context: &'r Context<'x>,
    form: &'r mut Form,
    /// Bytes of editors that were unpacked.
    unpacked: u64,
    /// What is wrong with an editor.
    damage: Option<&'static str>,
}

impl Reader<'_, '_> {
    /// Reads what belongs to one item (None: the form itself). `packed`: within how many editors it stands.
    fn scope(&mut self, item: Option<u32>, list: &[Node<'_>], packed: usize) {
        let mut scope = Scope { item, packed, ..Scope::default() };
        self.walk(list, &mut scope);
        for (id, procedure) in scope.actions {
            let buttons: Vec<_> = scope.buttons.iter().filter(|(action, ..)| *action == id).collect();
            for (_, name, title) in &buttons {
                let button = self.item(name, BUTTON, item, title.clone());
                self.handle(button, self.context.text(ACTION), procedure);
            }
            if buttons.is_empty() {
                self.handle(item, self.context.text(ACTION), procedure);
            }
        }
    }

    /// Depth of recursion: that of the notation, which is bounded.
    fn walk<'n>(&mut self, list: &'n [Node<'_>], scope: &mut Scope<'n>) {
        self.procedure(list, scope);
        for (id, button) in list.iter().zip(list.iter().skip(1)) {
            if let [kind, name, ..] = button.list()
                && let Some(name) = name.text().filter(|_| kind.atom() == "8" && is_uuid(id.atom()))
            {
                let title = button.list().iter().skip(2).map(|n| localized(self.context, n)).find(|t| !t.is_empty());
                scope.buttons.push((id.atom(), name, title.unwrap_or_default()));
            }
        }
        for node in list {
            let inner = node.list();
            if let Some((class, name)) = control(inner) {
                let kind = CONTROLS.get(class).copied().unwrap_or(UNKNOWN);
                let item = self.item(name, kind, scope.item, Localized::default());
                self.scope(item, inner, scope.packed);
            } else if let Some((name, editor)) = column(inner) {
                self.column(name, editor, scope);
            } else {
                self.walk(inner, scope);
            }
        }
    }

    /// A column of a table: an item that is named after both, as managed forms name theirs, and handlers after it.
    fn column(&mut self, name: &str, editor: &[Node<'_>], scope: &Scope<'_>) {
        let table = scope.item.and_then(|place| self.form.items.get(place as usize)).map_or("", |table| &table.name);
        let item = self.item(&format!("{table}{name}"), COLUMN, scope.item, Localized::default());
        let mut lists = vec![editor];
        while let Some(list) = lists.pop() {
            for node in list {
                if let Some(packed) = node.atom().strip_prefix(PACKED) {
                    self.editor(packed, item, scope.packed + 1);
                }
                lists.push(node.list());
            }
        }
    }

    /// The control that edits a column, if that is what was packed: pictures are packed alike.
    fn editor(&mut self, base64: &str, item: Option<u32>, depth: usize) {
        let base64: String = base64.split_ascii_whitespace().collect();
        let Ok(bytes) = BASE64.decode(base64) else {
            self.damage = Some("base64 is damaged (form)");
            return;
        };
        let Some(packed) = bytes.strip_prefix(PACKED_HEAD) else { return };
        let left = MOST_UNPACKED.saturating_sub(self.unpacked);
        let Ok(Some(text)) = container::unpack(packed, left) else {
            self.damage = Some("the control of a column can't be unpacked (form)");
            return;
        };
        self.unpacked = self.unpacked.saturating_add(text.len() as u64);
        let text = text.get(BEFORE_TEXT..).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let read = brackets::parse(&text);
        if read.failure.is_some() || depth > MOST_EDITORS {
            self.damage = Some("the control of a column is damaged (form)");
        }
        if depth <= MOST_EDITORS {
            self.scope(item, &read.nodes, depth);
        }
    }

    /// A list that names a procedure of the module: an event or an action.
    fn procedure<'n>(&mut self, list: &'n [Node<'_>], scope: &mut Scope<'n>) {
        let Some(place) = list.iter().position(|node| node.atom() == PROCEDURE) else { return };
        let Some([_, named, default, ..]) = list.get(place + 1).map(Node::list) else { return };
        let Some(procedure) = named.text().filter(|name| !name.is_empty()) else { return };
        let default = default.list().get(1).and_then(Node::text).unwrap_or(procedure);
        let first = list.first().map_or("", Node::atom);
        match place {
            1 => {
                let event = self.event(first, default, scope.item);
                self.handle(scope.item, event, procedure);
            }
            _ => scope.actions.push((list.get(1).map_or("", Node::atom), procedure)),
        }
    }

    /// Name of the event of that number. Numbers of events that a kind of object adds to its forms mean several events; the
    /// default name of the handler (`ТоварыПриИзменении`) tells which.
    fn event(&self, number: &str, default: &str, item: Option<u32>) -> Text {
        let item = item.and_then(|place| self.form.items.get(place as usize));
        let kind = item.map_or("Form", |item| &*item.kind);
        let of_kind = |event: &&Event| event.controls.contains(&kind) || (kind != "Form" && event.controls == ["*"]);
        let ends = |event: &&Event| default.ends_with(event.ru) || default.ends_with(event.en);
        let numbered: Vec<&Event> = EVENTS.iter().filter(of_kind).filter(|event| event.number == number).collect();
        let found =
            numbered.iter().find(|event| ends(event)).or(if numbered.len() == 1 { numbered.first() } else { None });
        let found = found.copied();
        let found = found.or_else(|| EVENTS.iter().filter(of_kind).filter(ends).max_by_key(|event| event.ru.len()));
        if let Some(event) = found {
            return self.context.text(event.en);
        }
        let own = item.and_then(|item| default.strip_prefix(&*item.name)).unwrap_or(default);
        if own.is_empty() { self.context.text(&format!("Event{number}")) } else { self.context.text(own) }
    }

    fn item(&mut self, name: &str, kind: &str, parent: Option<u32>, title: Localized) -> Option<u32> {
        let empty = self.context.text("");
        let place = u32::try_from(self.form.items.len()).ok()?;
        self.form.items.push(FormItem {
            name: self.context.text(name),
            kind: self.context.text(kind),
            parent,
            data_path: empty.clone(),
            command: empty,
            title,
            events: Vec::new(),
            line: 0,
        });
        Some(place)
    }

    fn handle(&mut self, item: Option<u32>, event: Text, procedure: &str) {
        let handler =
            Handler { event, handler: self.context.text(procedure), call_type: self.context.text(""), line: 0 };
        match item.and_then(|place| self.form.items.get_mut(place as usize)) {
            Some(item) => item.events.push(handler),
            None => self.form.events.push(handler),
        }
    }
}

/// Class and name of a control.
fn control<'n>(list: &'n [Node<'_>]) -> Option<(&'n str, &'n str)> {
    let class = list.first().map(Node::atom).filter(|class| is_uuid(class))?;
    let named = list.iter().find_map(|node| match node.list() {
        [kind, name, ..] if kind.atom() == "14" => name.text(),
        _ => None,
    });
    // The main panel has no name of its own, nor an identifier: properties follow its class at once.
    let is_main = || CONTROLS.get(class) == Some(&"Panel") && matches!(list.get(1), Some(Node::List(_)));
    named.or_else(|| is_main().then_some(MAIN_PANEL)).map(|name| (class, name))
}

/// Name of a column, and what describes the control that edits it.
fn column<'n, 't>(list: &'n [Node<'t>]) -> Option<(&'n str, &'n [Node<'t>])> {
    let place = list.iter().zip(list.iter().skip(1)).position(|(name, empty)| {
        name.text().is_some_and(|name| !name.is_empty()) && *empty == Node::List(Vec::new())
    })?;
    let rest = list.get(place + 2..)?;
    let class = rest.iter().position(|class| is_uuid(class.atom()))?;
    Some((list.get(place)?.text()?, rest.get(class + 1..)?))
}

fn is_uuid(atom: &str) -> bool {
    uuid_number(atom).is_some()
}

/// `{1,2,{"ru","Текст"},{"en","Text"}}`; empty if it is something else.
fn localized(context: &Context<'_>, node: &Node<'_>) -> Localized {
    let pair = |node: &Node<'_>| match node.list() {
        [language, text] => Some((context.text(language.text()?), context.text(text.text()?))),
        _ => None,
    };
    Localized(node.list().iter().filter_map(pair).collect())
}

/// `{{id of the main one},n,{count,{{id},…,"Name",{"Pattern",…}},…},…}`.
fn attributes(context: &Context<'_>, list: &[Node<'_>], form: &mut Form) {
    let main = list.first().filter(|main| main.list().first().is_some_and(|id| id.atom() != "-1"));
    for node in list.iter().flat_map(Node::list) {
        let attribute = node.list();
        let named = attribute.iter().zip(attribute.iter().skip(1)).find_map(|(name, pattern)| {
            let is_pattern = pattern.list().first().and_then(Node::text) == Some("Pattern");
            name.text().filter(|_| is_pattern).map(|name| (name, pattern.list()))
        });
        let Some((name, pattern)) = named else { continue };
        form.attributes.push(FormAttribute {
            name: context.text(name),
            title: Localized::default(),
            types: types(context, pattern),
            value_types: Types::default(),
            is_main: main.is_some() && attribute.first() == main,
            columns: Vec::new(),
            dynamic_list: None,
            functional_options: Vec::new(),
            line: 0,
        });
    }
}

/// `{"Pattern",{"S",10,1},{"#",uuid}}`: primitive types. The others are named by identifiers that the configuration's
/// descriptions don't tell: if there is one, the types stay unknown.
fn types(context: &Context<'_>, pattern: &[Node<'_>]) -> Types {
    let primitive = |node: &Node<'_>| {
        let name = match node.list().first().and_then(Node::text)? {
            "S" => "String",
            "N" => "Number",
            "D" => "Date",
            "B" => "Boolean",
            _ => return None,
        };
        Some(TypeRef { name: context.text(name), qualifiers: context.text(""), line: 0 })
    };
    Types(pattern.iter().skip(1).map(primitive).collect::<Option<_>>().unwrap_or_default())
}

#[cfg(test)]
mod tests;

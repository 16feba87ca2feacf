//! Going to places: by name, by file and line, by definition, back and forward.

use std::rc::Rc;

use index::{Index, MethodRow, NameId};

use super::buffer::{Position, Syntax, TextBuffer};
use super::controller::Controller;
use super::labels;
use super::lines::to_i32;
use super::passport;
use super::ui::FactRow;

/// Where a person has been.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// File, relative to the root of the dump.
    pub file: String,
    /// Place in it.
    pub at: Position,
}

/// Places in the order they were visited, and where among them one stands.
#[derive(Debug, Default)]
pub struct History {
    spots: Vec<Spot>,
    at: usize,
}

/// Places that are kept.
const KEPT: usize = 200;

impl History {
    /// A new place: what lay ahead is forgotten. The same line twice is one place.
    pub fn push(&mut self, spot: Spot) {
        if let Some(here) = self.spots.get_mut(self.at)
            && here.file == spot.file
            && here.at.line == spot.at.line
        {
            *here = spot;
            return;
        }
        self.spots.truncate(self.at + 1);
        self.spots.push(spot);
        if self.spots.len() > KEPT {
            self.spots.remove(0);
        }
        self.at = self.spots.len() - 1;
    }

    /// One place back.
    pub fn back(&mut self) -> Option<Spot> {
        self.at = self.at.checked_sub(1)?;
        self.spots.get(self.at).cloned()
    }

    /// One place on.
    pub fn forward(&mut self) -> Option<Spot> {
        let spot = self.spots.get(self.at + 1)?.clone();
        self.at += 1;
        Some(spot)
    }

    /// Whether there is a place before, and one after.
    #[must_use]
    pub fn ways(&self) -> (bool, bool) {
        (self.at > 0, self.at + 1 < self.spots.len())
    }
}

/// A file with what the index knows of it.
struct Opened {
    file: String,
    buffer: TextBuffer,
    stale: bool,
    module: String,
    methods: Vec<MethodRow>,
    at: Position,
    /// The passport to show; none: the one of the method under the caret follows.
    passport: Vec<FactRow>,
}

/// What a name leads to.
enum Found {
    /// Text.
    Opened(Box<Opened>),
    /// A thing without code: its passport.
    Passport(String, Vec<FactRow>),
}

impl Controller {
    /// Goes to a file's line, if one is given, else to what a name means (`file:line` is a name too).
    pub(super) fn go(&self, name: &str, file: &str, line: i32) {
        if !file.is_empty() {
            return self.open_spot(Spot { file: file.to_owned(), at: line_start(line) });
        }
        if let Some((file, line)) = name.rsplit_once(':')
            && let Ok(line) = line.parse::<i32>()
            && !file.ends_with(':')
        {
            return self.open_spot(Spot { file: file.to_owned(), at: line_start(line) });
        }
        self.open_name(name.to_owned());
    }

    /// Opens a place and remembers it.
    pub(super) fn open_spot(&self, spot: Spot) {
        self.remember();
        self.load(spot, true);
    }

    fn load(&self, spot: Spot, remember: bool) {
        if spot.file == self.state.borrow().file {
            self.arrive(spot.at);
            if remember {
                self.remember();
            }
            return;
        }
        self.browse.ask(
            self.asked.open.next(),
            move |index| open(index, &spot.file, spot.at, Vec::new()),
            move |me, opened| {
                me.show(opened);
                if remember {
                    me.remember();
                }
            },
        );
    }

    fn open_name(&self, name: String) {
        self.remember();
        let language = self.language();
        self.browse.ask(
            self.asked.open.next(),
            move |index| find(index, &name, language),
            |me, found| match found {
                Found::Opened(opened) => {
                    me.show(*opened);
                    me.remember();
                }
                Found::Passport(name, rows) => {
                    me.say(labels::spoken(&name, me.language()));
                    me.show_passport(rows);
                    me.desk().set_panel(1);
                }
            },
        );
    }

    fn show(&self, opened: Opened) {
        let Opened { file, buffer, stale, module, methods, at, passport } = opened;
        let desk = self.desk();
        desk.set_line_count(to_i32(buffer.line_count()));
        desk.set_stale(stale);
        desk.set_found("".into());
        self.lines.show(Rc::new(buffer));
        {
            let mut state = self.state.borrow_mut();
            (state.file, state.module, state.methods) = (file, module, methods);
            state.matches.clear();
            // The caret's method of the new file is a new one, whatever it is called.
            state.subject.clear();
        }
        self.show_title();
        let own_passport = !passport.is_empty();
        if own_passport {
            self.show_passport(passport);
        }
        self.arrive(at);
        self.follow_in_tree();
    }

    /// What is open, above its text.
    pub(super) fn show_title(&self) {
        let state = self.state.borrow();
        let title = match state.module.as_str() {
            "" => state.file.clone(),
            module => labels::spoken(module, self.language()),
        };
        drop(state);
        self.desk().set_title(title.into());
    }

    fn arrive(&self, at: Position) {
        self.set_caret(at, false);
        self.app().invoke_reveal(to_i32(at.line), true);
        if !self.desk().get_searching() && !self.desk().get_opening() {
            self.app().invoke_focus_code();
        }
    }

    /// Marks the row of the open method or module, if it is in sight.
    fn follow_in_tree(&self) {
        let names = { [self.subject_at_caret(), self.state.borrow().module.clone()] };
        if let Some(row) = names.iter().find_map(|name| self.tree.row_of(name)) {
            self.desk().set_tree_current(to_i32(row));
        }
    }

    /// Notes the caret's place in the history.
    pub(super) fn remember(&self) {
        let mut state = self.state.borrow_mut();
        if state.file.is_empty() {
            return;
        }
        let spot = Spot { file: state.file.clone(), at: state.caret };
        state.history.push(spot);
        drop(state);
        self.show_ways();
    }

    pub(super) fn show_ways(&self) {
        let (back, forward) = self.state.borrow().history.ways();
        self.desk().set_can_back(back);
        self.desk().set_can_forward(forward);
    }

    /// To the place before.
    pub(super) fn back(&self) {
        let spot = self.state.borrow_mut().history.back();
        self.revisit(spot);
    }

    /// To the place after.
    pub(super) fn forward(&self) {
        let spot = self.state.borrow_mut().history.forward();
        self.revisit(spot);
    }

    fn revisit(&self, spot: Option<Spot>) {
        self.show_ways();
        if let Some(spot) = spot {
            self.load(spot, false);
        }
    }

    /// Full name of the method around the caret, else of the module; empty if the file is no module.
    pub(super) fn subject_at_caret(&self) -> String {
        let state = self.state.borrow();
        let line = u32::try_from(state.caret.line + 1).unwrap_or(u32::MAX);
        let method = state.methods.iter().find(|method| (method.line..=method.end_line).contains(&line));
        method.map_or_else(|| state.module.clone(), |method| method.full_name.clone())
    }

    /// The links follow the caret.
    pub(super) fn caret_moved(&self) {
        let subject = self.subject_at_caret();
        if subject == self.state.borrow().subject || subject.is_empty() {
            return;
        }
        self.state.borrow_mut().subject.clone_from(&subject);
        self.desk().set_method(subject.as_str().into());
        self.after(&self.rests.links, 40, |me| {
            let subject = me.state.borrow().subject.clone();
            me.ask_links(subject);
        });
    }

    /// Goes where the name under the caret is defined.
    pub(super) fn go_to_definition(&self) {
        let buffer = self.lines.buffer();
        let (caret, file, module) = {
            let state = self.state.borrow();
            (state.caret, state.file.clone(), state.module.clone())
        };
        let Some(chain) = buffer.chain_at(caret) else { return };
        let (subject, language) = (self.subject_at_caret(), self.language());
        self.remember();
        let line = u32::try_from(caret.line + 1).unwrap_or(u32::MAX);
        let shown = chain.clone();
        self.browse.ask(
            self.asked.open.next(),
            move |index| match definition(index, &chain, &subject, &module, &file, line)? {
                Some(name) => find(index, &name, language).map(Some),
                None => Ok(None),
            },
            move |me, found| match found {
                Some(Found::Opened(opened)) => {
                    me.show(*opened);
                    me.remember();
                }
                Some(Found::Passport(_, rows)) => {
                    me.show_passport(rows);
                    me.desk().set_panel(1);
                }
                None => me.say(format!("{}: {shown}", me.pick("определение не найдено", "no definition found"))),
            },
        );
    }
}

fn line_start(line: i32) -> Position {
    Position::new(usize::try_from(line.max(1) - 1).unwrap_or(0), 0)
}

/// The full name that a name in code means: an edge from that line proves it, else the own module, else the names of the
/// configuration.
fn definition(
    index: &Index,
    chain: &str,
    subject: &str,
    module: &str,
    file: &str,
    line: u32,
) -> index::Result<Option<String>> {
    let word = chain.rsplit('.').next().unwrap_or(chain);
    let same = |name: &str| bsl::same_name(name.rsplit('.').next().unwrap_or(name), word);
    if let index::Resolution::Found(method) = index.resolve(subject)? {
        let edges = index.callees(method.id, &index::Walk::default())?.rows;
        let on_line = edges.into_iter().find(|edge| edge.line == line && edge.file == file && same(&edge.target));
        if let Some(edge) = on_line {
            return Ok(Some(edge.target));
        }
    }
    let names =
        if chain.contains('.') { vec![chain.to_owned()] } else { vec![format!("{module}.{word}"), word.to_owned()] };
    for name in names {
        if let index::Resolution::Found(found) = index.resolve(&name)? {
            return Ok(Some(found.full_name));
        }
    }
    Ok(None)
}

/// What a name leads to: text for what has code, else a passport.
fn find(index: &Index, name: &str, language: metadata::Language) -> index::Result<Found> {
    let name = name.strip_suffix(".$body").unwrap_or(name);
    let named = index.require(name)?;
    if named.kind == "method" {
        let source = index.method_source(named.id)?;
        let opened = open(index, &source.file, Position::new(source.line.saturating_sub(1) as usize, 0), Vec::new())?;
        return Ok(Found::Opened(Box::new(opened)));
    }
    // An attribute, an item or a command of a form: the nearest thing around it that has a passport.
    let mut owner = Some((named.id, named.full_name.as_str()));
    let mut rows = Vec::new();
    while let Some((id, name)) = owner {
        rows = passport::of_object(index, id, language)?;
        if !rows.is_empty() {
            break;
        }
        owner = parent(index, name)?;
    }
    let outline = match owner {
        Some((id, _)) if named.kind != "module" => index.outline(id)?,
        _ => index.outline(named.id)?,
    };
    match outline {
        Some(outline) => Ok(Found::Opened(Box::new(open(index, &outline.file, Position::default(), rows)?))),
        None => Ok(Found::Passport(named.full_name, rows)),
    }
}

fn parent<'name>(index: &Index, name: &'name str) -> index::Result<Option<(NameId, &'name str)>> {
    let mut name = name;
    while let Some((owner, _)) = name.rsplit_once('.') {
        if let index::Resolution::Found(found) = index.resolve(owner)?
            && bsl::same_name(&found.full_name, owner)
        {
            return Ok(Some((found.id, owner)));
        }
        name = owner;
    }
    Ok(None)
}

/// Reads a file of the dump, with colours made.
fn open(index: &Index, file: &str, at: Position, passport: Vec<FactRow>) -> index::Result<Opened> {
    let source = index.lines(file, 1, u32::MAX)?;
    let module = metadata::names::module_of_path(file);
    let outline = match module.as_deref().map(|module| index.resolve(module)).transpose()? {
        Some(index::Resolution::Found(found)) => index.outline(found.id)?,
        _ => None,
    };
    let (module, methods) = outline.map(|outline| (outline.full_name, outline.methods)).unwrap_or_default();
    let buffer = TextBuffer::new(source.text, Syntax::of_file(file));
    Ok(Opened { file: source.file, buffer, stale: source.stale, module, methods, at, passport })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(line: usize) -> Spot {
        Spot { file: "a.bsl".to_owned(), at: Position::new(line, 0) }
    }

    #[test]
    fn history_goes_both_ways_and_forgets_what_lay_ahead() {
        let mut history = History::default();
        for line in [1, 5, 9] {
            history.push(spot(line));
        }
        assert_eq!(history.back(), Some(spot(5)));
        assert_eq!(history.back(), Some(spot(1)));
        assert_eq!(history.back(), None);
        assert_eq!(history.forward(), Some(spot(5)));
        history.push(spot(7));
        assert_eq!(history.forward(), None);
        assert_eq!(history.ways(), (true, false));
        assert_eq!(history.back(), Some(spot(5)));
    }

    #[test]
    fn the_same_line_is_one_place_and_old_ones_go() {
        let mut history = History::default();
        history.push(spot(1));
        history.push(Spot { at: Position::new(1, 7), ..spot(1) });
        assert_eq!(history.ways(), (false, false));
        for line in 0..KEPT * 2 {
            history.push(spot(line));
        }
        assert_eq!(history.spots.len(), KEPT);
        assert_eq!(history.ways(), (true, false));
    }
}

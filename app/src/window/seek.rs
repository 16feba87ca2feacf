//! Search as you type (names and full text at once, by meaning when the text rests), and the filter of the tree.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use index::search::{Meaning, Mode, Options};
use index::sql::{SqlLimits, select};
use index::vectors::corpus::Class;
use index::vectors::texts::doc_description;
use index::{Index, NodeKey, TreeNode};
use metadata::Language;
use slint::Model;
use slint::platform::Key;

use super::controller::{Controller, replace};
use super::keys::Press;
use super::labels;
use super::lines::to_i32;
use super::ui::HitRow;

/// Hits that are shown.
const HITS: usize = 40;
/// Hits by name that lead.
const BY_NAME: usize = 12;
/// Things that the filter shows of objects, and of methods.
const FILTERED: usize = 500;
/// Shortest text that filters methods too.
const METHODS_FROM: usize = 3;

/// A name that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    /// Own name, folded.
    folded: String,
    full_name: String,
    /// Synonym of an object.
    synonym: String,
    method: bool,
}

/// Everything of one generation of an index that can be found by its name.
#[derive(Debug, Default)]
pub struct Catalogue {
    file: PathBuf,
    names: Vec<Name>,
    /// Objects by kind, as rows of the tree, with what they are found by.
    groups: Vec<(TreeNode, Vec<(String, TreeNode)>)>,
}

/// The catalogue of the open index, read when it is first needed.
#[derive(Debug, Default)]
pub struct Names(Mutex<Arc<Catalogue>>);

impl Names {
    fn of(&self, index: &Index) -> index::Result<Arc<Catalogue>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.file != index.path() {
            *kept = Arc::new(Catalogue::read(index)?);
        }
        Ok(Arc::clone(&kept))
    }
}

impl Catalogue {
    fn read(index: &Index) -> index::Result<Self> {
        let mut groups = Vec::new();
        let mut names = Vec::new();
        for group in index.tree(&NodeKey::Root)? {
            if group.kind != "group" {
                continue;
            }
            let nodes: Vec<(String, TreeNode)> = index
                .tree(&group.key)?
                .into_iter()
                .map(|node| (bsl::fold(&format!("{}\n{}", node.label, node.detail)), node))
                .collect();
            names.extend(nodes.iter().map(|(_, node)| Name {
                folded: bsl::fold(&node.label),
                full_name: node.full_name.clone(),
                synonym: node.detail.clone(),
                method: false,
            }));
            groups.push((group, nodes));
        }
        names.extend(methods(index.path())?);
        Ok(Self { file: index.path().to_path_buf(), names, groups })
    }

    /// The names that hold what was typed: exact ones first, then those that begin with it, the shorter the better.
    fn by_name(&self, typed: &str, scope: Option<Class>, most: usize) -> Vec<&Name> {
        let folded = bsl::fold(typed.trim());
        let wanted = folded.rsplit('.').next().unwrap_or(&folded);
        if wanted.chars().count() < 2 || wanted.contains(char::is_whitespace) {
            return Vec::new();
        }
        let in_scope = |name: &&Name| scope.is_none_or(|scope| (scope == Class::Method) == name.method);
        let mut found: Vec<(usize, usize, &Name)> = Vec::new();
        for name in self.names.iter().filter(in_scope) {
            let Some(at) = name.folded.find(wanted) else { continue };
            if folded.contains('.') && !bsl::fold(&name.full_name).contains(&folded) {
                continue;
            }
            let rank = if name.folded.len() == wanted.len() {
                0
            } else if at == 0 {
                1
            } else {
                2
            };
            found.push((rank, name.folded.len(), name));
        }
        found.sort_by(|a, b| (a.0, a.1, &a.2.full_name).cmp(&(b.0, b.1, &b.2.full_name)));
        found.into_iter().take(most).map(|(_, _, name)| name).collect()
    }

    /// The groups of the tree with what holds the text; whether there is more than is shown.
    fn filtered(&self, typed: &str) -> (Vec<(TreeNode, Vec<TreeNode>)>, bool) {
        let wanted = bsl::fold(typed.trim());
        let (mut left, mut more) = (FILTERED, false);
        let mut groups = Vec::new();
        for (group, nodes) in &self.groups {
            let found = nodes.iter().filter(|(text, _)| text.contains(&wanted)).map(|(_, node)| node.clone());
            let all: Vec<TreeNode> = found.collect();
            more |= all.len() > left;
            let shown: Vec<TreeNode> = all.into_iter().take(left).collect();
            left -= shown.len();
            if !shown.is_empty() {
                groups.push((TreeNode { children: count(shown.len()), ..group.clone() }, shown));
            }
        }
        if wanted.chars().count() >= METHODS_FROM {
            let methods = self.by_name(&wanted, Some(Class::Method), FILTERED + 1);
            more |= methods.len() > FILTERED;
            let nodes: Vec<TreeNode> =
                methods.into_iter().take(FILTERED).map(|name| method_node(&name.full_name)).collect();
            if !nodes.is_empty() {
                groups.push((group_node("Method", nodes.len()), nodes));
            }
        }
        (groups, more)
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn group_node(kind: &str, children: usize) -> TreeNode {
    TreeNode {
        key: NodeKey::Kind(kind.to_owned()),
        label: kind.to_owned(),
        full_name: String::new(),
        kind: "group".to_owned(),
        detail: String::new(),
        children: count(children),
    }
}

fn method_node(full_name: &str) -> TreeNode {
    let (name, owner) = labels::split(full_name);
    TreeNode {
        key: NodeKey::Leaf(0),
        label: name.to_owned(),
        full_name: full_name.to_owned(),
        kind: "method".to_owned(),
        detail: owner.to_owned(),
        children: 0,
    }
}

fn methods(file: &Path) -> index::Result<Vec<Name>> {
    let limits = SqlLimits { rows: 1_000_000, bytes: 256 << 20, time: Duration::from_secs(30) };
    let answer = select(file, "SELECT name, full_name FROM methods", limits)?;
    let text =
        |row: &[serde_json::Value], at: usize| row.get(at).and_then(|value| value.as_str()).unwrap_or("").to_owned();
    let name = |row: &Vec<serde_json::Value>| Name {
        folded: bsl::fold(&text(row, 0)),
        full_name: text(row, 1),
        synonym: String::new(),
        method: true,
    };
    Ok(answer.rows.iter().map(name).collect())
}

/// What is said of methods beside their names: what the comment begins with, and where they stand.
fn about(file: &Path, methods: &[&Name]) -> index::Result<HashMap<String, (String, String, u32)>> {
    if methods.is_empty() {
        return Ok(HashMap::new());
    }
    let quoted = |name: &&Name| format!("'{}'", name.full_name.replace('\'', "''"));
    let sql = format!(
        "SELECT m.full_name, m.doc, x.file, m.line FROM methods m JOIN modules x ON x.full_name = m.module
         WHERE m.full_name IN ({})",
        methods.iter().map(quoted).collect::<Vec<_>>().join(", ")
    );
    let answer = select(file, &sql, SqlLimits::default())?;
    let row = |row: &Vec<serde_json::Value>| {
        let text = |at: usize| row.get(at).and_then(serde_json::Value::as_str).unwrap_or("");
        let line = row.get(3).and_then(serde_json::Value::as_u64).and_then(|line| u32::try_from(line).ok());
        (text(0).to_owned(), (doc_description(text(1)), text(2).to_owned(), line.unwrap_or(0)))
    };
    Ok(answer.rows.iter().map(row).collect())
}

/// What a search shows.
struct Shown {
    hits: Vec<HitRow>,
    notes: Vec<String>,
}

fn look(
    index: &Index,
    names: &Names,
    query: &str,
    options: Options,
    meaning: &Mutex<Meaning>,
    language: Language,
) -> index::Result<Shown> {
    let catalogue = names.of(index)?;
    let mut seen = HashSet::new();
    let mut hits = Vec::new();
    let by_name = catalogue.by_name(query, options.kind, BY_NAME);
    let methods: Vec<&Name> = by_name.iter().copied().filter(|name| name.method).collect();
    let about = about(index.path(), &methods)?;
    for name in by_name {
        if seen.insert(name.full_name.clone()) {
            hits.push(match about.get(&name.full_name) {
                Some((doc, file, line)) => hit_row(&name.full_name, "method", doc, file, *line, language),
                None => hit_row(&name.full_name, "object", &name.synonym, "", 0, language),
            });
        }
    }
    let mut meaning = meaning.lock().unwrap_or_else(PoisonError::into_inner);
    let found = index::search::search(index, query, options, &mut meaning)?;
    for hit in &found.hits {
        if seen.insert(hit.full_name.clone()) {
            hits.push(hit_row(&hit.full_name, hit.kind, &hit.snippet, &hit.file, hit.line, language));
        }
    }
    hits.truncate(HITS);
    Ok(Shown { hits, notes: found.notes.iter().map(|note| note.message(language)).collect() })
}

fn hit_row(full_name: &str, kind: &str, snippet: &str, file: &str, line: u32, language: Language) -> HitRow {
    let own_kind = if kind == "object" { full_name.split('.').next().unwrap_or(kind) } else { kind };
    let (badge, tint) = labels::badge_of(own_kind, language);
    let spoken = labels::spoken(full_name, language);
    let (label, owner) = labels::split(&spoken);
    let one_line = snippet.split_whitespace().collect::<Vec<_>>().join(" ");
    HitRow {
        label: label.into(),
        owner: owner.into(),
        snippet: one_line.into(),
        place: if file.is_empty() { "".into() } else { labels::short_path(&format!("{file}:{line}")).into() },
        badge: badge.into(),
        tint,
        target: full_name.into(),
        file: file.into(),
        line: to_i32(line as usize),
    }
}

impl Controller {
    /// The text of the search changed: names and words at once, meaning when it rests.
    pub(super) fn search(&self, query: String) {
        self.state.borrow_mut().query.clone_from(&query);
        self.rests.search.stop();
        if query.trim().is_empty() {
            self.asked.search.next();
            replace(&self.models.hits, Vec::new());
            self.desk().set_search_note("".into());
            return;
        }
        self.run_search(query, Mode::Fulltext);
        self.after(&self.rests.search, 350, |me| {
            let query = me.state.borrow().query.clone();
            if me.desk().get_searching() {
                me.run_search(query, Mode::Hybrid);
            }
        });
    }

    fn run_search(&self, query: String, mode: Mode) {
        let kind = match self.desk().get_scope() {
            1 => Some(Class::Method),
            2 => Some(Class::Object),
            _ => None,
        };
        let options = Options { mode, kind, limit: HITS, ..Options::default() };
        let (names, meaning, language) = (Arc::clone(&self.names), Arc::clone(&self.meaning), self.language());
        self.seek.ask(
            self.asked.search.next(),
            move |index| look(index, &names, &query, options, &meaning, language),
            |me, shown| {
                replace(&me.models.hits, shown.hits);
                me.desk().set_hit(0);
                me.desk().set_search_note(shown.notes.join("\n").into());
            },
        );
    }

    /// A key while the search is open; true if it meant something.
    pub(super) fn search_key(&self, press: Press) -> bool {
        let desk = self.desk();
        let last = to_i32(self.models.hits.row_count()) - 1;
        let step = match press {
            _ if press.is(Key::UpArrow) => -1,
            _ if press.is(Key::DownArrow) => 1,
            _ if press.is(Key::PageUp) => -8,
            _ if press.is(Key::PageDown) => 8,
            _ => return false,
        };
        desk.set_hit((desk.get_hit() + step).clamp(0, last.max(0)));
        true
    }

    /// Opens a hit: where the text was found, or what the name means.
    pub(super) fn open_hit(&self, hit: i32) {
        let Some(hit) = usize::try_from(hit).ok().and_then(|hit| self.models.hits.row_data(hit)) else { return };
        self.desk().set_searching(false);
        self.app().invoke_focus_code();
        if hit.badge == "ƒ" && !hit.file.is_empty() {
            self.go(&hit.target, &hit.file, hit.line);
        } else {
            self.go(&hit.target, "", 0);
        }
    }

    /// The text of the filter changed.
    pub(super) fn filter(&self, text: String) {
        let ticket = self.asked.filter.next();
        if text.trim().is_empty() {
            self.rests.filter.stop();
            self.tree.unfilter();
            self.desk().set_tree_note("".into());
            self.desk().set_tree_current(-1);
            return;
        }
        self.after(&self.rests.filter, 120, move |me| {
            let (names, text) = (Arc::clone(&me.names), text.clone());
            me.seek.ask(
                ticket.clone(),
                move |index| Ok(names.of(index)?.filtered(&text)),
                |me, (groups, more)| {
                    let note = match (groups.is_empty(), more) {
                        (true, _) => me.pick("Ничего не найдено", "Nothing found"),
                        (_, true) => me.pick("Показаны не все: уточните", "Not all are shown: type more"),
                        _ => "",
                    };
                    me.desk().set_tree_note(note.into());
                    me.desk().set_tree_current(-1);
                    me.tree.filter(groups);
                },
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        let name = |full_name: &str, method| Name {
            folded: bsl::fold(labels::split(full_name).0),
            full_name: full_name.to_owned(),
            synonym: String::new(),
            method,
        };
        let currency = TreeNode {
            kind: "Catalog".into(),
            full_name: "Catalog.Валюты".into(),
            label: "Валюты".into(),
            ..method_node("")
        };
        Catalogue {
            file: PathBuf::new(),
            names: vec![
                name("CommonModule.РаботаСКурсами.КурсВалюты", true),
                name("CommonModule.РаботаСКурсами.Курс", true),
                name("CommonModule.Прочее.ЗаписатьКурс", true),
                name("InformationRegister.КурсыВалют", false),
            ],
            groups: vec![(group_node("Catalog", 1), vec![(bsl::fold("Валюты\nВалюты учёта"), currency)])],
        }
    }

    fn found(typed: &str, scope: Option<Class>) -> Vec<String> {
        catalogue()
            .by_name(typed, scope, 10)
            .into_iter()
            .map(|name| labels::split(&name.full_name).0.to_owned())
            .collect()
    }

    #[test]
    fn the_exact_name_leads_then_beginnings_then_the_rest() {
        assert_eq!(found("курс", None), ["Курс", "КурсВалюты", "КурсыВалют", "ЗаписатьКурс"]);
        assert_eq!(found("курс", Some(Class::Object)), ["КурсыВалют"]);
        assert_eq!(found("Прочее.Записать", None), ["ЗаписатьКурс"]);
        assert!(found("курс валюты", None).is_empty());
        assert!(found("к", None).is_empty());
    }

    #[test]
    fn the_filter_looks_at_synonyms_and_methods() {
        let (groups, more) = catalogue().filtered("учёта");
        assert_eq!(
            groups.iter().map(|(group, rows)| (group.label.as_str(), rows.len())).collect::<Vec<_>>(),
            [("Catalog", 1)]
        );
        assert!(!more);
        let (groups, _) = catalogue().filtered("курс");
        assert_eq!(
            groups.iter().map(|(group, rows)| (group.label.as_str(), rows.len())).collect::<Vec<_>>(),
            [("Method", 3)]
        );
        assert!(catalogue().filtered("нечто").0.is_empty());
    }
}

//! What uses a thing, from all tools that were asked: one line for each user, with everything that it does to the thing and where.
//! What refers to the thing itself comes before what only leads there.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::offline::case::{Case, Found};
use crate::offline::covered;
use crate::offline::evidence::{list, text, texts};

/// Lines of one thing.
const LINES: usize = 80;
/// Lines of one thing that the question doesn't name.
const GUESSED: usize = 30;
/// Users that only lead to the thing, at most.
const FOLLOWING: usize = 12;
/// Lines of one file that a user is shown with.
const PLACES: usize = 8;
/// Users without a place that are named.
const NAMED: usize = 12;
/// More lines with a text than this prove nothing: it is a word that everything uses.
const COMMON: u64 = 60;
/// Kinds that say nothing of use: a thing's own data, that the configuration lists its objects.
const NO_USE: &[&str] = &["configuration_childobjects", "own_data"];
/// Kinds that only show a thing.
const SHOWN: &[&str] = &["help", "subsystem_content"];

/// How near a user is to the thing; nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Code,
    Metadata,
    Perhaps,
    Named,
    Shown,
    Following,
}

/// A user of the thing.
struct User {
    name: String,
    rank: Rank,
    kinds: Vec<String>,
    /// Files, each with its lines.
    places: Vec<(String, Vec<u64>)>,
}

/// Results that are told together, by their number: those on the uses of one thing.
pub(in crate::offline) fn groups(case: &Case) -> Vec<Vec<usize>> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    let results = || case.results.iter().enumerate().filter(|(_, found)| found.value.get("error").is_none());
    for (at, found) in results().filter(|(_, found)| matches!(found.tool.as_str(), "impact_analysis" | "find_usages")) {
        let name = text(&found.arguments, "name");
        match groups.iter_mut().find(|(other, _)| other == name) {
            Some((_, group)) => group.push(at),
            None => groups.push((name.to_owned(), vec![at])),
        }
    }
    for (at, found) in results() {
        let (name, literal) = (text(&found.arguments, "name"), text(&found.arguments, "text"));
        let group = groups.iter_mut().find(|(other, _)| match found.tool.as_str() {
            "callers" => other == name,
            "sql_select" => text(&found.arguments, "sql").contains(&format!("/* {other} */")),
            "literal_search" => other.rsplit('.').next() == Some(literal),
            _ => false,
        });
        if let Some((_, group)) = group {
            group.push(at);
            group.sort_unstable();
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The users that a group of results names.
pub(in crate::offline) fn told(case: &Case, group: &[usize]) -> String {
    let results: Vec<&Found> = group.iter().filter_map(|at| case.results.get(*at)).collect();
    let named = results.iter().find(|found| !text(&found.value, "full_name").is_empty());
    let Some(name) = named.map(|found| text(&found.value, "full_name").to_owned()) else { return String::new() };
    let mut users = Users::default();
    for found in &results {
        users.read(found, &name);
    }
    let mut rows = users.rows;
    rows.sort_by_key(|user| user.rank);
    let following = rows.iter().filter(|user| user.rank == Rank::Following).count();
    let direct = rows.len() - following;
    if rows.is_empty() {
        let states = results.iter().filter_map(|found| found.value.get("state"));
        let mut reasons: Vec<&str> = states.flat_map(|state| texts(state, "reasons").into_iter().next()).collect();
        reasons.dedup();
        return if reasons.is_empty() { String::new() } else { format!("`{name}`: {}\n", reasons.join("; ")) };
    }
    let head = case.say("используют и затронет, мест", "used by, and affected");
    let more = if results.iter().any(|found| goes_on(case, found)) { "+" } else { "" };
    let mut out = format!("`{name}` — {head}: {direct}{more}\n");
    // Of what was only found by its words the users are seldom all that is asked.
    let most = if case.of("sql_select").any(covered::looks) { GUESSED } else { LINES };
    for user in rows.iter().take(direct.min(most)).chain(rows.iter().skip(direct).take(FOLLOWING)) {
        let _ = writeln!(out, "{}", line(case, user));
    }
    let unplaced: Vec<String> =
        users.unplaced.iter().filter(|name| !rows.iter().any(|user| user.name == **name)).cloned().collect();
    if !unplaced.is_empty() {
        let names: Vec<String> = unplaced.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let dots = if unplaced.len() > NAMED { ", …" } else { "" };
        let _ = writeln!(out, "{}: {}{dots}", case.say("Ещё", "Others"), names.join(", "));
    }
    out
}

/// Whether a list goes on beyond what was asked for.
fn goes_on(case: &Case, found: &Found) -> bool {
    let next =
        |key: &str| found.value.get(key).map(|omitted| omitted.get("next").and_then(|next| next.get("arguments")));
    match next("usages_omitted") {
        Some(Some(arguments)) => !case.of("find_usages").any(|page| page.arguments == *arguments),
        Some(None) => true,
        None => next("breaks_omitted").is_some() && case.of("find_usages").next().is_none(),
    }
}

fn line(case: &Case, user: &User) -> String {
    let mut places = Vec::new();
    for (file, lines) in &user.places {
        let numbers: Vec<String> = lines.iter().take(PLACES).map(u64::to_string).collect();
        let dots = if lines.len() > PLACES { ", …" } else { "" };
        places.push(if numbers.is_empty() { file.clone() } else { format!("{file}:{}{dots}", numbers.join(", ")) });
    }
    let mut kinds = user.kinds.join(", ");
    if user.rank == Rank::Following {
        kinds = format!("{}: {kinds}", case.say("дальше по вызовам", "through calls"));
    }
    format!("- `{}` — {kinds} — {}", user.name, places.join("; "))
}

/// The users that results name, each once.
#[derive(Default)]
struct Users {
    rows: Vec<User>,
    numbers: HashMap<String, usize>,
    /// Names of which a result says no place.
    unplaced: Vec<String>,
}

impl Users {
    fn read(&mut self, found: &Found, name: &str) {
        let value = &found.value;
        match found.tool.as_str() {
            "impact_analysis" => {
                for row in list(value, "breaks") {
                    let depth = row.get("depth").and_then(Value::as_u64).unwrap_or(1);
                    let (kind, certainty) = (text(row, "kind"), text(row, "certainty"));
                    let rank = match (depth, certainty) {
                        (2.., _) => Rank::Following,
                        (_, "candidate") => Rank::Perhaps,
                        _ => rank_of(kind, text(row, "file")),
                    };
                    self.add(text(row, "what"), rank, kind, certainty, row);
                }
                // The order of work names all that refers to the thing, also what has no room among the breaks.
                let phases =
                    list(value, "order").iter().filter(|phase| phase.get("phase").is_some_and(Value::is_string));
                self.unplaced.extend(
                    phases
                        .flat_map(|phase| texts(phase, "names"))
                        .filter(|one| *one != "Configuration" && *one != name)
                        .map(str::to_owned),
                );
            }
            "find_usages" => {
                for row in list(value, "usages") {
                    let kind = text(row, "kind");
                    self.add(text(row, "source"), rank_of(kind, text(row, "file")), kind, "", row);
                }
            }
            "sql_select" => {
                for row in list(value, "rows") {
                    self.add(text(row, "source"), Rank::Metadata, text(row, "kind"), "", row);
                }
            }
            "callers" => {
                for row in list(value, "edges") {
                    self.add(text(row, "source"), Rank::Code, text(row, "channel"), text(row, "confidence"), row);
                }
            }
            "literal_search" if value.get("total").and_then(Value::as_u64).unwrap_or(0) <= COMMON => {
                let of_code = text(&found.arguments, "text");
                for row in list(value, "hits").iter().filter(|row| is_use(text(row, "snippet"), of_code)) {
                    let who = text(row, "full_name").trim_end_matches(".$body");
                    if who != name && !self.numbers.contains_key(who) {
                        self.add(who, Rank::Named, "text", "", row);
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, who: &str, rank: Rank, kind: &str, certainty: &str, row: &Value) {
        if who.is_empty() || NO_USE.contains(&kind) {
            return;
        }
        let number = *self.numbers.entry(who.to_owned()).or_insert_with(|| {
            self.rows.push(User { name: who.to_owned(), rank, kinds: Vec::new(), places: Vec::new() });
            self.rows.len() - 1
        });
        let Some(user) = self.rows.get_mut(number) else { return };
        user.rank = user.rank.min(rank);
        for word in [kind, certainty].into_iter().filter(|word| !word.is_empty()) {
            if !user.kinds.iter().any(|known| known == word) {
                user.kinds.push(word.to_owned());
            }
        }
        let (file, line) = (text(row, "file"), row.get("line").and_then(Value::as_u64).unwrap_or(0));
        let at = user.places.iter().position(|(known, _)| known == file).unwrap_or_else(|| {
            user.places.push((file.to_owned(), Vec::new()));
            user.places.len() - 1
        });
        if let Some((_, lines)) = user.places.get_mut(at).filter(|_| line > 0)
            && !lines.contains(&line)
        {
            lines.push(line);
            lines.sort_unstable();
        }
    }
}

fn rank_of(kind: &str, file: &str) -> Rank {
    match kind {
        kind if SHOWN.contains(&kind) => Rank::Shown,
        _ if file.ends_with(".bsl") => Rank::Code,
        _ => Rank::Metadata,
    }
}

/// Whether a line of code with a name uses it: no comment, no declaration, no member of something else's name.
fn is_use(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    let starts = |word: &str| line.to_lowercase().starts_with(word);
    if line.starts_with("//")
        || ["процедура ", "функция ", "procedure ", "function ", "асинх "].iter().any(|word| starts(word))
    {
        return false;
    }
    // The name whole: «ЦенаТовара» is no use of «Цена».
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, found)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + found.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::Message;

    fn found(tool: &str, arguments: Value, value: Value) -> Found {
        Found { tool: tool.into(), value, arguments }
    }

    #[test]
    fn one_line_for_each_user() {
        let mut case = Case::read(&[Message::user("Что сломается без Catalog.А?")]);
        let row = |what: &str, depth: u32, line: u32| json!({"what": what, "kind": "bsl_manager", "certainty": "exact", "depth": depth, "file": "М/Module.bsl", "line": line});
        case.results = vec![
            found(
                "impact_analysis",
                json!({"name": "Catalog.А"}),
                json!({"full_name": "Catalog.А", "breaks": [row("М.Дальний", 2, 9), row("М.Х", 1, 7), row("М.Х", 1, 3)]}),
            ),
            found(
                "find_usages",
                json!({"name": "Catalog.А"}),
                json!({"full_name": "Catalog.А", "usages": [
                    {"source": "М.Х", "kind": "bsl_query", "file": "М/Module.bsl", "line": 5},
                    {"source": "Configuration", "kind": "configuration_childobjects", "file": "Configuration.xml", "line": 2},
                    {"source": "Role.Р", "kind": "rights_object", "file": "Roles/Р.xml", "line": 4},
                ]}),
            ),
            found(
                "literal_search",
                json!({"text": "А"}),
                json!({"total": 2, "hits": [
                    {"full_name": "М.Текст", "snippet": "Имя = \"А\";", "file": "М/Module.bsl", "line": 11},
                    {"full_name": "М.Слова", "snippet": "// А", "file": "М/Module.bsl", "line": 12},
                ]}),
            ),
        ];
        let groups = groups(&case);
        assert_eq!(groups, [[0, 1, 2]]);
        assert_eq!(
            told(&case, &groups[0]),
            "`Catalog.А` — используют и затронет, мест: 3\n- `М.Х` — bsl_manager, exact, bsl_query — М/Module.bsl:3, 5, 7\n\
             - `Role.Р` — rights_object — Roles/Р.xml:4\n- `М.Текст` — text — М/Module.bsl:11\n\
             - `М.Дальний` — дальше по вызовам: bsl_manager, exact — М/Module.bsl:9\n"
        );
    }

    #[test]
    fn a_line_uses_a_name_whole() {
        assert!(is_use("Х = Константы.Версия.Получить();", "Версия"));
        assert!(is_use("|\tЗначенияКонстант.Версия КАК В,", "Версия"));
        for line in ["// Версия", "Функция Версия() Экспорт", "Х = ВерсияДанных;"]
        {
            assert!(!is_use(line, "Версия"), "{line}");
        }
    }
}

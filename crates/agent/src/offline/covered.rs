//! Things that a question names by no name: its words stand in their names and synonyms, or in those of what they hold. Words that
//! few things have say more than words that many have.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::case::{Case, Found};
use super::evidence::{list, text};
use super::investigate::Ask;
use super::plan;
use super::things::{Thing, asks_for};
use super::words::{ROOT, Telling, holds, plain, sorts, stems, telling};

/// Words of a question that are looked for.
const WORDS: usize = 24;
/// Objects that are asked for.
const FOUND: u32 = 100;
/// Things that are looked at.
const THINGS: usize = 4;
/// Things of one kind that are looked at.
const OF_KIND: usize = 2;
/// How the query begins.
const SELECT: &str = "WITH w(i, s)";
/// About what a word weighs, by the number of things that have it: the database has no logarithm.
const WEIGHT: &str = "CASE WHEN f.c < 4 THEN 6 WHEN f.c < 9 THEN 5 WHEN f.c < 20 THEN 4 WHEN f.c < 60 THEN 3 WHEN f.c < 200 THEN 2 ELSE 1 END";
/// Letters of a stem beyond which what follows it is an ending, mostly.
const LONG: usize = 4;
/// Kinds whose objects only look like what is asked about.
const NO_SUBJECTS: &[&str] = &["Configuration", "CommonPicture", "Style"];
/// How much a word counts that stands only in what a thing holds.
const IN_PARTS: f64 = 0.5;
/// Weights of things of a kind that the question names, of kinds that stand beside data, of what no query reads where one is
/// asked for, and of things that are there to be deleted.
const ASKED: f64 = 1.5;
const ASIDE: f64 = 0.6;
const NO_TABLE: f64 = 0.4;
const OBSOLETE: f64 = 0.4;
/// How near to the best a thing comes that is looked at, too: the first of a kind that the question names, the next one, another one.
const NEAR_ASKED: f64 = 0.5;
const NEAR_NEXT: f64 = 0.6;
const NEAR: f64 = 0.8;
/// How near its words come to those of the best.
const SAME: f64 = 0.95;
/// The least that a thing's words weigh, as a share of what a word weighs that no other thing has.
const LEAST: f64 = 0.9;
/// How near to the best row of a list another one comes that is told, too.
const NEAR_LIST: f64 = 0.75;
/// Rows of a list beyond which those are chosen that the question is about, and how many at most.
const LONG_LIST: usize = 12;
const CHOSEN: usize = 4;

/// The call that looks for them; `None` if the question has no words.
pub(super) fn call(question: &str) -> Option<Ask> {
    let words = telling(question);
    if words.is_empty() {
        return None;
    }
    // Stems are letters and digits alone.
    let mut rows: Vec<String> = Vec::new();
    for (number, word) in words.iter().enumerate().take(WORDS) {
        for stem in &word.stems {
            let root: String = stem.chars().take(ROOT).collect();
            rows.push(format!("({number}, '{root}')"));
        }
    }
    let kinds: Vec<String> = kinds().map(|kind| format!("'{kind}'")).collect();
    let text = |of: &str| {
        let bare = ["-", "(", ")", ",", ".", "_", ":", "\""]
            .iter()
            .fold(of.to_owned(), |text, sign| format!("replace({text}, '{sign}', ' ')"));
        format!("' ' || replace(fold({bare}), 'ё', 'е') || ' '")
    };
    // A short stem begins many words: few letters may follow it.
    let holds = |of: &str| {
        format!(
            "CASE WHEN length(w.s) > {LONG} THEN instr({of}.s, ' ' || w.s) > 0 ELSE {of}.s LIKE '% ' || w.s || ' %' OR \
             {of}.s LIKE '% ' || w.s || '_ %' OR {of}.s LIKE '% ' || w.s || '__ %' OR {of}.s LIKE '% ' || w.s || '___ %' END"
        )
    };
    let sql = format!(
        "{SELECT} AS (VALUES {}), \
         d AS MATERIALIZED (SELECT full_name, synonym, {} AS s FROM objects WHERE kind IN ({})), \
         a AS MATERIALIZED (SELECT object, {} AS s FROM attributes WHERE kind <> 'StandardAttribute' GROUP BY object), \
         o AS MATERIALIZED (SELECT DISTINCT full_name AS n, i FROM d JOIN w ON {} OR length(w.s) > 5 AND instr(d.s, w.s) > 0), \
         t AS MATERIALIZED (SELECT DISTINCT object AS n, i FROM a JOIN w ON {} WHERE object IN (SELECT full_name FROM d)), \
         f AS MATERIALIZED (SELECT i, count(*) AS c FROM (SELECT n, i FROM o UNION SELECT n, i FROM t) GROUP BY i) \
         SELECT d.full_name, d.synonym, x.own, x.parts, CASE WHEN row_number() OVER (ORDER BY x.y DESC, x.n) = 1 \
         THEN (SELECT count(*) FROM d) || ';' || (SELECT group_concat(i || ':' || c) FROM f) END AS counts FROM \
         (SELECT n, sum(y) AS y, group_concat(CASE WHEN z THEN i END) AS own, group_concat(CASE WHEN NOT z THEN i END) AS parts FROM \
         (SELECT n, f.i, 1 AS z, 2 * {WEIGHT} AS y FROM o JOIN f USING (i) UNION ALL SELECT n, f.i, 0, {WEIGHT} FROM t JOIN f USING (i)) \
         GROUP BY n ORDER BY 2 DESC, n LIMIT {FOUND}) x JOIN d ON d.full_name = x.n ORDER BY x.y DESC, x.n",
        rows.join(", "),
        text("coalesce(synonym, '') || ' ' || name"),
        kinds.join(", "),
        text("group_concat(coalesce(synonym, '') || ' ' || name, ' ')"),
        holds("d"),
        holds("a"),
    );
    Some(("sql_select", json!({ "sql": sql, "limit": FOUND })))
}

fn kinds() -> impl Iterator<Item = &'static str> {
    let all = sorts("kind:").into_iter();
    all.filter(|kind| kind.starts_with(char::is_uppercase) && !NO_SUBJECTS.contains(kind))
}

/// Whether a result is one of such a call.
pub(super) fn looks(found: &Found) -> bool {
    text(&found.arguments, "sql").starts_with(SELECT)
}

/// A thing that words of the question stand in.
struct Hit {
    thing: Thing,
    score: f64,
    /// What its words weigh, whatever its kind.
    plain: f64,
    is_asked: bool,
}

/// The things found, best first: the best of each kind that the question names, then others that come near.
pub(super) fn things(case: &Case) -> Vec<Thing> {
    let hits = hits(case);
    let Some(best) = hits.first().map(|hit| hit.score) else { return Vec::new() };
    let most = hits.iter().map(|hit| hit.plain).fold(0.0, f64::max);
    let mut chosen: Vec<&Hit> = Vec::new();
    for asked in [true, false] {
        for hit in &hits {
            let of_kind = chosen.iter().filter(|one| one.thing.kind == hit.thing.kind).count();
            let is_near = match (asked, of_kind) {
                (true, 0) => hit.is_asked && hit.score >= best * NEAR_ASKED,
                (true, _) => hit.is_asked && hit.score >= best * NEAR_NEXT,
                // What has the same name as what is meant may be meant, too.
                (false, _) => {
                    hit.score >= best * NEAR || hit.plain >= most * SAME && plan::is_of("table", &hit.thing.kind)
                }
            };
            let is_new = !chosen.iter().any(|one| one.thing == hit.thing);
            if is_near && is_new && of_kind < OF_KIND && chosen.len() < THINGS {
                chosen.push(hit);
            }
        }
    }
    chosen.sort_by(|a, b| b.score.total_cmp(&a.score));
    chosen.into_iter().map(|hit| hit.thing.clone()).collect()
}

fn hits(case: &Case) -> Vec<Hit> {
    let words = telling(&case.question);
    let Some(found) = case.results.iter().find(|found| found.tool == "sql_select" && looks(found)) else {
        return Vec::new();
    };
    let rows = list(&found.value, "rows");
    let Some((all, counts)) = rows.first().and_then(|row| text(row, "counts").split_once(';')) else {
        return Vec::new();
    };
    let all: f64 = all.parse().unwrap_or(1.0);
    let counts: HashMap<usize, f64> = counts
        .split(',')
        .filter_map(|pair| pair.split_once(':'))
        .filter_map(|(i, c)| Some((i.parse().ok()?, c.parse().ok()?)))
        .collect();
    let weight = |number: &usize| {
        let word = words.get(*number).map_or(0.0, |word| word.weight);
        word * (1.0 + all / (1.0 + counts.get(number).copied().unwrap_or(0.0))).ln()
    };
    let numbers = |row: &Value, key: &str| -> Vec<usize> {
        text(row, key).split(',').filter_map(|one| one.parse().ok()).collect()
    };
    let least = LEAST * (1.0 + all).ln();
    let of_query = asks_for_a_query(&case.question);
    let mut hits: Vec<Hit> = Vec::new();
    for row in rows {
        let name = text(row, "full_name");
        let Some((kind, last)) = name.split_once('.') else { continue };
        let synonym = text(row, "synonym");
        let label = stems(if synonym.is_empty() { last } else { synonym });
        let of_label: Vec<String> = stems(&format!("{synonym} {last}"));
        let own: Vec<usize> = numbers(row, "own")
            .into_iter()
            .filter(|i| words.get(*i).is_some_and(|word| of_label.iter().any(|stem| word.is(stem))))
            .collect();
        let parts: Vec<usize> = numbers(row, "parts").into_iter().filter(|i| !own.contains(i)).collect();
        let held =
            label.iter().filter(|stem| own.iter().filter_map(|i| words.get(*i)).any(|word| word.is(stem))).count();
        let share = if label.is_empty() { 0.0 } else { count(held) / count(label.len()) };
        let is_table = plan::is_of("table", kind);
        let of_parts = if is_table { parts.iter().map(weight).sum::<f64>() * IN_PARTS } else { 0.0 };
        let plain = own.iter().map(weight).sum::<f64>() * (0.5 + share / 2.0) + of_parts;
        let is_asked = asks_for(&case.question, kind);
        // One word is enough only if it is all that the thing is called, and the question names its kind.
        let says = own.len() + parts.len() > 1 || is_asked && share >= 1.0;
        if !says {
            continue;
        }
        let mut score = plain;
        score *= match () {
            () if is_asked => ASKED,
            () if plan::is_of("aside", kind) => ASIDE,
            () => 1.0,
        };
        if of_query && (!is_table || matches!(kind, "Enum" | "Constant")) {
            score *= NO_TABLE;
        }
        if is_obsolete(synonym) {
            score *= OBSOLETE;
        }
        if score >= least {
            hits.push(Hit { thing: Thing { name: name.to_owned(), kind: kind.to_owned() }, score, plain, is_asked });
        }
    }
    // Of equals, what data stands in comes before what shows it.
    let rank = |hit: &Hit| !plan::is_of("table", &hit.thing.kind);
    hits.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| rank(a).cmp(&rank(b))).then_with(|| a.thing.name.cmp(&b.thing.name))
    });
    hits
}

/// Synonyms by which things say that they are no longer used stand in brackets before the rest.
fn is_obsolete(synonym: &str) -> bool {
    synonym.starts_with('(')
}

/// Whether the question is about a query that the person writes.
fn asks_for_a_query(question: &str) -> bool {
    let words = plain(question);
    holds(&words, "queries") && !holds(&words, "report") && !holds(&words, "schemas")
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(0.0, f64::from)
}

/// The rows of a long list that the question's words speak of; all of them if it speaks of none.
pub(super) fn spoken_of<'a>(case: &Case, rows: &'a [Value], keys: &[&str]) -> Vec<&'a Value> {
    let all: Vec<&Value> = rows.iter().collect();
    if rows.len() <= LONG_LIST {
        return all;
    }
    let words = telling(&case.question);
    let words: Vec<&Telling> = words.iter().filter(|word| word.weight >= 1.0).collect();
    let held: Vec<Vec<usize>> = rows
        .iter()
        .map(|row| {
            let stems = stems(
                &keys
                    .iter()
                    .map(|key| text(row, key).rsplit('.').next().unwrap_or_default())
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            (0..words.len())
                .filter(|i| words.get(*i).is_some_and(|word| stems.iter().any(|stem| word.is(stem))))
                .collect()
        })
        .collect();
    let of_word = |i: &usize| count(held.iter().filter(|row| row.contains(i)).count());
    let scores: Vec<f64> =
        held.iter().map(|row| row.iter().map(|i| (1.0 + count(rows.len()) / of_word(i)).ln()).sum()).collect();
    let Some(best) = (0..rows.len())
        .filter(|at| held.get(*at).is_some_and(|row| row.len() > 1))
        .filter_map(|at| scores.get(at))
        .copied()
        .max_by(f64::total_cmp)
    else {
        return all;
    };
    let mut chosen: Vec<(f64, &Value)> =
        scores.into_iter().zip(rows).filter(|(score, _)| *score >= best * NEAR_LIST).collect();
    chosen.sort_by(|a, b| b.0.total_cmp(&a.0));
    chosen.truncate(CHOSEN);
    chosen.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    fn found(question: &str, rows: &[Value]) -> Vec<String> {
        let mut case = Case::read(&[Message::user(question)]);
        case.results = vec![Found {
            tool: "sql_select".into(),
            value: json!({ "rows": rows }),
            arguments: json!({ "sql": SELECT }),
        }];
        things(&case).into_iter().map(|thing| thing.name).collect()
    }

    #[test]
    fn words_that_few_things_have_say_more() {
        // The words that tell: состоит, регистр, хранящий (little), курсы, валют.
        let row = |name: &str, synonym: &str, own: &str, counts: &str| json!({"full_name": name, "synonym": synonym, "own": own, "counts": counts});
        let question = "Из чего состоит регистр, хранящий курсы валют?";
        let words = telling(question);
        let at = |stem: &str| words.iter().position(|word| word.is(stem)).unwrap();
        let (rate, currency) = (at("курс"), at("валю"));
        let both = format!("{rate},{currency}");
        let rows = [
            row("DataProcessor.Загрузка", "Загрузка курсов валют", &both, &format!("1000;{rate}:5,{currency}:20")),
            row("InformationRegister.КурсыВалют", "Курсы валют", &both, ""),
            row("Catalog.Валюты", "Валюты", &currency.to_string(), ""),
        ];
        assert_eq!(found(question, &rows), ["InformationRegister.КурсыВалют"]);
        assert!(call("?").is_none());
        let (_, arguments) = call("Где курсы валют").unwrap();
        assert!(text(&arguments, "sql").contains("'валю')"), "{arguments}");
    }

    #[test]
    fn rows_that_the_question_speaks_of() {
        let case = Case::read(&[Message::user("Какое задание загружает курсы валют?")]);
        let mut rows: Vec<Value> =
            (0..20).map(|n| json!({"name": format!("ScheduledJob.Иное{n}"), "method": ""})).collect();
        rows.push(json!({"name": "ScheduledJob.ЗагрузкаКурсовВалют", "method": "CommonModule.А.Б"}));
        let names: Vec<&str> =
            spoken_of(&case, &rows, &["name", "method"]).into_iter().map(|row| text(row, "name")).collect();
        assert_eq!(names, ["ScheduledJob.ЗагрузкаКурсовВалют"]);
        let none = Case::read(&[Message::user("Какие есть задания?")]);
        assert_eq!(spoken_of(&none, &rows, &["name", "method"]).len(), 21);
    }
}

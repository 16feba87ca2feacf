//! What stands in the code as it was typed: the literal and regular-expression modes, and the first stage of the hybrid.

use rustc_hash::FxHashMap;

use super::{Found, Hit, Note, Options, RARE};
use crate::Result;
use crate::read::Index;
use crate::scan::{Limits, Pattern, Scan, ScanHit};
use crate::vectors::corpus::Class;

/// Shorter queries stand everywhere.
const SHORTEST: usize = 3;

/// Methods whose text holds the pattern, in the order of files; one hit a method, at its first line.
pub(super) fn hits(
    index: &Index,
    query: &str,
    regex: bool,
    options: Options,
    notes: &mut Vec<Note>,
) -> Result<Vec<Hit>> {
    if options.kind == Some(Class::Object) {
        return objects(index, query, regex, options.limit);
    }
    let pattern = Pattern { text: query.to_owned(), regex, case_sensitive: false };
    let scan =
        index.scan(&pattern, Limits { hits: options.limit.saturating_mul(20).max(200), until: options.until })?;
    let mut grouped = by_method(index, &scan)?;
    if options.kind == Some(Class::Method) {
        grouped.retain(|hit| hit.kind == "method");
    }
    if scan.truncated || grouped.len() > options.limit {
        notes.push(Note::Truncated { total: scan.total });
    }
    if scan.timed_out {
        notes.push(Note::TimedOut { scanned: scan.scanned, of: scan.files });
    }
    if scan.unread > 0 {
        notes.push(Note::UnreadFiles { count: scan.unread });
    }
    grouped.truncate(options.limit);
    Ok(grouped)
}

/// The first stage of the hybrid: methods that hold a rare query lead, in the order in which the other legs rank them.
pub(super) fn lead(index: &Index, query: &str, found: &mut Found, options: Options) -> Result<()> {
    let limit = options.limit;
    if query.chars().count() < SHORTEST {
        return Ok(());
    }
    let pattern = Pattern { text: query.to_owned(), regex: false, case_sensitive: false };
    let scan = match index.scan(&pattern, Limits { hits: RARE + 1, until: options.until }) {
        Ok(scan) => scan,
        // A query that is no pattern (too long) stands nowhere in the code.
        Err(crate::Error::Pattern(_)) => return Ok(()),
        Err(error) => return Err(error),
    };
    if scan.timed_out {
        // A text that is rare so far may be frequent: nothing leads by it.
        found.notes.push(Note::TimedOut { scanned: scan.scanned, of: scan.files });
        return Ok(());
    }
    if scan.total == 0 || scan.total > RARE {
        return Ok(());
    }
    let mut leading: Vec<Hit> = by_method(index, &scan)?.into_iter().filter(|hit| hit.kind == "method").collect();
    let ranks: FxHashMap<&str, usize> =
        found.hits.iter().zip(0..).map(|(hit, rank)| (hit.full_name.as_str(), rank)).collect();
    let lines: FxHashMap<&str, usize> = scan.hits.iter().fold(FxHashMap::default(), |mut lines, hit| {
        *lines.entry(hit.full_name.as_str()).or_default() += 1;
        lines
    });
    let names_it =
        |hit: &Hit| hit.full_name.rsplit('.').next().is_some_and(|name| metadata::fold(name) == metadata::fold(query));
    leading.sort_by_key(|hit| {
        let rank = ranks.get(hit.full_name.as_str()).copied().unwrap_or(usize::MAX);
        let lines = lines.get(hit.full_name.as_str()).copied().unwrap_or(0);
        (!names_it(hit), rank, std::cmp::Reverse(lines))
    });
    let best = found.hits.first().map_or(0.0, |hit| hit.score.max(0.0));
    let count = leading.len();
    for (place, hit) in leading.iter_mut().enumerate() {
        hit.score = best + (count - place) as f64;
    }
    found.hits.retain(|hit| leading.iter().all(|leading| leading.full_name != hit.full_name));
    found.hits.splice(0..0, leading);
    found.hits.truncate(limit);
    Ok(())
}

/// One hit a method, at the first line; a comment above a method belongs to it.
fn by_method(index: &Index, scan: &Scan) -> Result<Vec<Hit>> {
    let mut out: Vec<Hit> = Vec::new();
    for hit in &scan.hits {
        let full_name = match hit.method {
            Some(_) => Some(hit.full_name.clone()),
            None => documented(index, hit)?,
        };
        let (full_name, kind) = match full_name {
            Some(name) => (name, "method"),
            None => (hit.full_name.clone(), "module"),
        };
        if out.iter().all(|known| known.full_name != full_name) {
            let score = 1.0;
            out.push(Hit {
                full_name,
                kind,
                score,
                file: hit.file.clone(),
                line: hit.line,
                snippet: hit.snippet.clone(),
            });
        }
    }
    Ok(out)
}

/// The method in whose doc comment a line stands.
fn documented(index: &Index, hit: &ScanHit) -> Result<Option<String>> {
    let next = index.rows(
        "SELECT n.name, m.line, d.text FROM file f JOIN module x ON x.file = f.id JOIN method m ON m.module = x.id
         JOIN names n ON n.id = m.id LEFT JOIN texts d ON d.id = m.doc WHERE f.path = ?1 AND m.line > ?2 ORDER BY m.line LIMIT 1",
        (&hit.file, hit.line),
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?, row.get::<_, Option<String>>(2)?)),
    )?;
    Ok(next.into_iter().next().and_then(|(name, line, doc)| {
        let doc = doc?;
        // Directives stand between the comment and the header: two lines at most.
        let first = line.saturating_sub(doc.lines().count() as u32 + 2);
        let comment = hit.snippet.trim_start().strip_prefix("//")?.trim();
        (hit.line >= first && doc.contains(comment)).then_some(name)
    }))
}

/// Objects whose name or synonym holds the text, or matches the expression.
fn objects(index: &Index, query: &str, regex: bool, limit: usize) -> Result<Vec<Hit>> {
    let text = if regex { query.to_owned() } else { regex::escape(query) };
    let matcher = regex::RegexBuilder::new(&text)
        .case_insensitive(true)
        .size_limit(1 << 20)
        .build()
        .map_err(|error| crate::Error::Pattern(error.to_string()))?;
    let all = index.rows("SELECT id, name, synonym FROM object ORDER BY id", [], |row| {
        Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let mut hits = Vec::new();
    for (id, name, synonym) in all {
        if hits.len() == limit {
            break;
        }
        if matcher.is_match(&name) || synonym.is_some_and(|synonym| matcher.is_match(&synonym)) {
            hits.extend(super::describe(index, id, Class::Object, 1.0)?);
        }
    }
    Ok(hits)
}

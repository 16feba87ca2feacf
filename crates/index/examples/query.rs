//! Asks an index one question and prints what it took: `query INDEX callers|callees|entries|path|show|search|scan|regex|
//! resolve|sql|overview|status|tree ARGUMENT…`.

use metascope_index::scan::{Limits, Pattern};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::text::Filter;
use metascope_index::{Index, Location, NodeKey, Walk};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let index = Index::open(&Location::at(argument(0)))?;
    let id = |place| index.require(argument(place)).map(|named| named.id);
    let pattern = |regex| Pattern { text: argument(2).to_owned(), regex, case_sensitive: false };
    let depth = argument(3).parse().unwrap_or(1);
    let walk = Walk { depth, limit: 100_000, ..Walk::default() };
    let found = match argument(1) {
        "callers" => show(&index.callers(id(2)?, &walk)?.rows),
        "callees" => show(&index.callees(id(2)?, &walk)?.rows),
        "entries" => show(&index.entries(id(2)?, 20)?.rows),
        "path" => show(&index.path_between(id(2)?, id(3)?)?.rows),
        "show" => show(&[index.object_passport(id(2)?)?]),
        "method" => show(&[index.method_passport(id(2)?)?]),
        "search" => show(&index.fulltext(argument(2), Filter::All, 20)?),
        "scan" => show(&index.scan(&pattern(false), Limits::default())?.hits),
        "regex" => show(&index.scan(&pattern(true), Limits::default())?.hits),
        "sql" => show(&select(index.path(), argument(2), SqlLimits::default())?.rows),
        "overview" => show(&[index.overview()?]),
        "status" => show(&[index.status()?]),
        "tree" => show(&index.tree(&NodeKey::Root)?),
        "resolve" => show(&[format!("{:?}", index.resolve(argument(2))?)]),
        other => return Err(format!("unknown question: {other}").into()),
    };
    eprintln!("{found} rows in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

fn show(rows: &[impl std::fmt::Debug]) -> usize {
    for row in rows.iter().take(5) {
        let text = format!("{row:?}");
        println!("{}", text.chars().take(400).collect::<String>());
    }
    rows.len()
}

//! Builds an index and prints what it cost: `build DUMP INDEX [--rebuild]`.

use metascope_index::build::{Options, Stop, build};
use metascope_index::{Index, Location};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(dump), Some(file)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: build DUMP INDEX [--rebuild]".into());
    };
    let options = Options { rebuild: arguments.iter().any(|a| a == "--rebuild"), ..Options::default() };
    let location = Location::at(file);
    let report = build(Path::new(dump), &location, &options, &Stop::default(), &|_| {})?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    let index = Index::open(&location)?;
    let sizes = index.table_sizes()?;
    for (name, bytes) in sizes.iter().take(30) {
        println!("{:>8.2} MB  {name}", *bytes as f64 / 1e6);
    }
    Ok(())
}

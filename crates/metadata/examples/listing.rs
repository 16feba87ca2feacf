//! Lists a folder and reads the dump in it, and prints seconds: `cargo run --release --example listing -- PATH`.

use metascope_metadata::{list_files, read};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let Some(path) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: listing PATH");
        std::process::exit(2);
    };
    for _ in 0..3 {
        let start = Instant::now();
        let files = list_files(&path).map_or(0, |(files, _)| files.len());
        println!("listing {files} files: {:.3} s", start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    match read(&path) {
        Ok(configuration) => println!(
            "reading {} modules, {} problems: {:.3} s",
            configuration.modules.len(),
            configuration.problems.len(),
            start.elapsed().as_secs_f64()
        ),
        Err(error) => println!("{error}"),
    }
}

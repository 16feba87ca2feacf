//! The whole standard library: every method with its lines, and both parsers of one mind.

use std::path::PathBuf;

use metascope_bsl::{Engine, fold, read_module, read_module_with};
use rayon::prelude::*;

fn modules() -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(support::require_corpus("ssl_3_1")).into_iter().filter_map(Result::ok);
    let modules = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "bsl"));
    modules.map(walkdir::DirEntry::into_path).collect()
}

/// Name, first and last line of each method, found line by line: no lexer, no grammar.
fn scan(text: &str) -> Vec<(String, u32, u32)> {
    let mut found = Vec::new();
    let mut open: Option<(String, u32)> = None;
    for (line, number) in text.trim_start_matches('\u{FEFF}').split('\n').zip(1u32..) {
        let mut words = line.trim_start().splitn(3, |c: char| !(c.is_alphanumeric() || c == '_'));
        let first = fold(words.next().unwrap_or(""));
        let mut rest = line.trim_start().get(first.len()..).unwrap_or("").trim_start();
        let mut keyword = first;
        if keyword == "асинх" {
            keyword = fold(rest.split_whitespace().next().unwrap_or(""));
            rest = rest.get(keyword.len()..).unwrap_or("").trim_start();
        }
        match keyword.as_str() {
            "процедура" | "функция" => {
                let name = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
                open = Some((name.to_owned(), number));
            }
            "конецпроцедуры" | "конецфункции" => {
                if let Some((name, start)) = open.take() {
                    found.push((name, start, number));
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
#[ignore = "corpus"]
fn every_method_of_the_library_has_its_lines() {
    let modules = modules();
    let methods: usize = modules
        .par_iter()
        .map(|path| {
            let source = std::fs::read(path).unwrap();
            let facts = read_module(&source);
            let methods = facts.methods.iter();
            let read: Vec<_> =
                methods.map(|method| (facts.text(method.name).to_owned(), method.line, method.end_line)).collect();
            assert_eq!(read, scan(&String::from_utf8_lossy(&source)), "{}", path.display());
            assert_eq!(facts.problems, [], "{}", path.display());
            read.len()
        })
        .sum();
    assert_eq!((modules.len(), methods), (2197, 38310));
}

#[test]
#[ignore = "corpus"]
fn the_grammar_and_the_token_parser_agree() {
    let modules = modules();
    modules.par_iter().for_each(|path| {
        let source = std::fs::read(path).unwrap();
        let (by_tree, stats) = read_module_with(&source, Engine::Tree);
        assert_eq!(stats.by_tokens, 0, "{}", path.display());
        assert_eq!(by_tree.dump(), read_module_with(&source, Engine::Tokens).0.dump(), "{}", path.display());
    });
}

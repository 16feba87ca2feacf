//! The queries of the standard library.

use metascope_bsl::query::{BranchFacts, ColumnKind, QueryFacts};
use metascope_bsl::{fold, query_texts, read_module};
use rayon::prelude::*;

#[test]
#[ignore = "corpus"]
fn queries_of_the_library_are_read() {
    let files = walkdir::WalkDir::new(support::require_corpus("ssl_3_1")).into_iter().filter_map(Result::ok);
    let modules: Vec<_> = files.filter(|file| file.path().extension().is_some_and(|end| end == "bsl")).collect();
    let (plain, wrong, fields, known) = modules
        .par_iter()
        .map(|file| {
            let facts = read_module(&std::fs::read(file.path()).unwrap());
            let (mut plain, mut wrong, mut fields, mut known) = (0, 0, 0, 0);
            for text in query_texts(&facts) {
                let read = text.read();
                plain += usize::from(!read.placeholders);
                wrong += usize::from(!read.problems.is_empty());
                if !read.placeholders {
                    check(&text.text, &read);
                }
                fields += read.fields.len();
                known += read.fields.iter().filter(|field| field.table.is_some() || field.column.is_some()).count();
            }
            (plain, wrong, fields, known)
        })
        .reduce(|| (0, 0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3));
    assert!(plain > 1900, "{plain} queries without placeholders");
    assert!(wrong * 200 <= plain, "{wrong} of {plain} queries have problems");
    assert!(known * 100 >= fields * 99, "{known} of {fields} fields have a table");
}

/// What the platform demands of every query that it runs: as many columns in each branch of a union, each alias once.
fn check(text: &str, facts: &QueryFacts) {
    for select in &facts.selects {
        let has_star = |branch: &BranchFacts| {
            branch.columns.iter().any(|column| matches!(column.kind, ColumnKind::Star | ColumnKind::StarOf(_)))
        };
        if let Some(first) = select.branches.first().filter(|_| !select.branches.iter().any(has_star)) {
            for branch in &select.branches {
                assert_eq!(branch.columns.len(), first.columns.len(), "{}\n{text}", branch.span.line);
            }
        }
        for branch in &select.branches {
            let mut aliases: Vec<String> =
                branch.columns.iter().filter(|column| column.explicit).map(|column| fold(&column.name)).collect();
            let all = aliases.len();
            aliases.sort_unstable();
            aliases.dedup();
            assert_eq!(aliases.len(), all, "{}\n{text}", branch.span.line);
        }
    }
}

//! Small slips in short words.

/// The words nearest to one, best first: at most `limit`, and none that differs in more than a third of its letters.
pub(crate) fn nearest<'a>(word: &str, among: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted: Vec<char> = word.chars().take(80).flat_map(char::to_lowercase).collect();
    let mut scored: Vec<(usize, &str)> = among
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
            let most = (wanted.len().max(letters.len()) / 3).max(1);
            index::names::distance(&wanted, &letters, most).map(|distance| (distance, candidate))
        })
        .collect();
    scored.sort_unstable();
    scored.into_iter().take(limit).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let words = || ["callers", "callees", "sql_select"].into_iter();
        assert_eq!(nearest("Callrs", words(), 2), ["callers", "callees"]);
        assert_eq!(nearest("read_module_please", words(), 2), Vec::<&str>::new());
        assert_eq!(nearest("", words(), 2), Vec::<&str>::new());
    }
}

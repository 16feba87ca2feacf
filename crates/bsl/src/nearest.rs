//! The nearest right name for a wrong one: what messages offer.

/// More names than these are not looked at: a message is not worth more time.
const MOST: usize = 2000;

/// The names nearest to a wrong one, best first: at most `limit`, none that differs in more than a third of its letters. Case
/// doesn't count. Of very many names the first ones are looked at.
pub fn nearest<'n>(wrong: &str, among: impl IntoIterator<Item = &'n str>, limit: usize) -> Vec<&'n str> {
    let letters = |name: &str| name.chars().take(120).flat_map(char::to_lowercase).collect::<Vec<char>>();
    let wanted = letters(wrong);
    let mut scored: Vec<(usize, &str)> = Vec::new();
    for name in among.into_iter().take(MOST) {
        let other = letters(name);
        let most = (wanted.len().max(other.len()) / 3).max(1);
        if let Some(steps) = distance(&wanted, &other, most).filter(|_| !wanted.is_empty()) {
            scored.push((steps, name));
        }
    }
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// Edit distance (insert, delete, replace, swap of neighbours) between two strings, or None if it is above `limit`.
#[must_use]
pub fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        if row.iter().min().is_none_or(|&least| least > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first_and_far_ones_not_at_all() {
        let names = ["Количество", "Количества", "Сумма", "СуммаОборот"];
        assert_eq!(nearest("количесво", names, 2), ["Количество", "Количества"]);
        assert_eq!(nearest("Сума", names, 5), ["Сумма"]);
        assert_eq!(nearest("", names, 5), [] as [&str; 0]);
    }

    #[test]
    fn near_and_far() {
        let words = || ["callers", "callees", "sql_select"].into_iter();
        assert_eq!(nearest("Callrs", words(), 2), ["callers", "callees"]);
        assert_eq!(nearest("read_module_please", words(), 2), Vec::<&str>::new());
        assert_eq!(nearest("", words(), 2), Vec::<&str>::new());
    }

    #[test]
    fn distances() {
        let d =
            |a: &str, b: &str, limit| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>(), limit);
        assert_eq!(d("валюты", "валюты", 3), Some(0));
        assert_eq!(d("валюты", "валбты", 3), Some(1));
        assert_eq!(d("валюты", "влаюты", 3), Some(1));
        assert_eq!(d("валюты", "валют", 3), Some(1));
        assert_eq!(d("валюты", "контрагенты", 3), None);
        assert_eq!(d("", "", 0), Some(0));
    }
}

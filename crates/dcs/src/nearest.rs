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
        if wanted.len().abs_diff(other.len()) <= most {
            let steps = steps(&wanted, &other);
            if steps <= most && !wanted.is_empty() {
                scored.push((steps, name));
            }
        }
    }
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// Letters to insert, delete or replace.
fn steps(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
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
}

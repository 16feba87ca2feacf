//! The words of `data/offline_words.tsv`: which of them a question holds, and where.

use std::sync::LazyLock;

use tools::topics::is_name;

/// How much a word says of what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    Strong,
    /// Gives way to strong ones.
    Weak,
    /// A noun, that may only say what sort of thing a name behind it is.
    Noun,
    /// A form of a word that isn't meant.
    Not,
}

/// What a row stands for, and the beginnings of words that stand beside each other.
struct Row {
    what: &'static str,
    stems: Vec<&'static str>,
    strength: Strength,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!("../../data/offline_words.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let (what, stems) = (cells.next()?, cells.next()?);
        let strength = match cells.next() {
            Some("weak") => Strength::Weak,
            Some("noun") => Strength::Noun,
            Some("not") => Strength::Not,
            _ => Strength::Strong,
        };
        Some(Row { what, stems: stems.split(' ').collect(), strength })
    };
    lines.filter_map(row).collect()
});

/// Stands among the words of a text that names a place as errors do: `{ОбщийМодуль.Обмен.Модуль(12)}`.
const PLACE: &str = "{…}";
/// Words between one that says who may, and the right that it is about, at most.
const NEAR: usize = 3;

/// A word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Lower case, `ё` as `е`.
    pub(super) word: String,
    /// As it is written, without what stands around it.
    pub(super) written: String,
    /// Whether it may be a name: an identifier, or a capital where no sentence begins.
    pub(super) is_name: bool,
}

/// The words of a question in their order, names among them.
pub(super) fn tokens(question: &str) -> Vec<Token> {
    let mut begins = true;
    let mut found = Vec::new();
    let plain_words = || question.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_russian = plain_words().any(|word| !word.is_empty() && word.chars().all(is_small_cyrillic));
    let is_english = !is_russian && plain_words().any(|word| word.chars().all(|c| c.is_ascii_lowercase()));
    for raw in question.split_whitespace() {
        let written = raw.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let written = written.split('(').next().unwrap_or(written);
        if written.is_empty() {
            continue;
        }
        let is_long = written.chars().count() > 2;
        // «СКД», «HTTP»: what is written in capitals alone is seldom a name.
        let capital = is_long && !begins && written.chars().next().is_some_and(char::is_uppercase);
        let capital = capital && written.chars().any(char::is_lowercase);
        // In an English sentence what is written in Russian is a name.
        let foreign = is_long && is_english && written.chars().any(|c| matches!(c, 'а'..='я'));
        let is_name = is_identifier(written) || capital || foreign;
        let word = written.to_lowercase().replace('ё', "е");
        found.push(Token { word, written: written.to_owned(), is_name });
        begins = raw.ends_with(['.', '?', '!', ':']);
    }
    found
}

fn is_small_cyrillic(c: char) -> bool {
    matches!(c, 'а'..='я' | 'ё')
}

/// Whether a word is an identifier beyond doubt.
pub(super) fn is_identifier(word: &str) -> bool {
    is_name(word) && word.chars().any(char::is_alphabetic)
}

/// The words of a text: lower case, `ё` as `е`, without what stands around them; identifiers are none.
pub(super) fn plain(text: &str) -> Vec<String> {
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = trimmed.filter(|word| !word.is_empty() && !is_name(word));
    let words = words.map(|word| word.to_lowercase().replace('ё', "е"));
    words.chain(has_place(text).then(|| PLACE.to_owned())).collect()
}

/// Whether a text holds `{…(12)}` or `{…(12, 5)}`.
fn has_place(text: &str) -> bool {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).any(|(inside, _)| {
        let numbers = inside.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        numbers.is_some_and(|(module, numbers)| {
            !module.trim().is_empty() && numbers.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '))
        })
    })
}

/// Whether the words hold a row of this sort. Identifiers are no words of the language.
pub(super) fn holds(words: &[String], what: &str) -> bool {
    ROWS.iter().filter(|row| row.what == what && row.strength != Strength::Not).any(|row| {
        words
            .windows(row.stems.len())
            .any(|window| window.iter().zip(&row.stems).all(|(word, stem)| begins(word, stem)))
    })
}

/// The sorts of a family (`kind:`, `right:`) that begin at a word, each with the number of its words, longest first.
pub(super) fn family<'t>(tokens: &'t [Token], at: usize, family: &'t str) -> Vec<(&'static str, usize)> {
    let rows = ROWS.iter().filter_map(|row| Some((row, row.what.strip_prefix(family)?)));
    let mut found: Vec<(&'static str, usize)> =
        rows.filter(|(row, _)| stands(tokens, at, &row.stems)).map(|(row, name)| (name, row.stems.len())).collect();
    found.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
    found
}

/// All sorts of a family, each once.
pub(super) fn sorts(family: &str) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = ROWS.iter().filter_map(|row| row.what.strip_prefix(family)).collect();
    all.dedup();
    all
}

/// Letters of a word that stay in most of its forms.
fn stem(word: &str) -> Option<String> {
    let letters = word.chars().count();
    let kept = match letters {
        0..=2 => return None,
        3 => 3,
        4..=6 => letters - 1,
        7..=8 => letters - 2,
        _ => letters - 3,
    };
    Some(word.chars().take(kept).collect())
}

/// The stems of a text's words, small ones left out; of a name made of several words, those of each.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split(|c: char| !c.is_alphanumeric()) {
        let mut word = String::new();
        let mut small = false;
        for letter in part.chars() {
            if small && letter.is_uppercase() {
                words.push(std::mem::take(&mut word));
            }
            small = letter.is_lowercase();
            word.push(letter);
        }
        words.push(word);
    }
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let word = word.to_lowercase().replace('ё', "е");
        if let Some(stem) = stem(&word).filter(|stem| !found.contains(stem)) {
            found.push(stem);
        }
    }
    found
}

/// Letters before a vowel that only some forms of a word have, at least.
const FLEETING: usize = 3;

/// Whether two stems are those of forms of one word.
pub(super) fn same_stem(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    long.starts_with(short) && short.chars().count() + 2 >= long.chars().count()
        || has_fleeting(one, other)
        || has_fleeting(other, one)
}

/// Whether a vowel of one form is none of the other's: «скидок», «скидка».
fn has_fleeting(one: &str, other: &str) -> bool {
    let Some(base) = one.strip_suffix(['о', 'е']).filter(|base| base.chars().count() >= FLEETING) else {
        return false;
    };
    other.strip_prefix(base).is_some_and(|rest| rest.starts_with('к') && rest.chars().count() <= 2)
}

/// A word of a question that may tell what it is about.
pub(super) struct Telling {
    /// Its stem, and those of words that names may have instead.
    pub(super) stems: Vec<String>,
    /// How much it tells: words for kinds and parts stand in questions about anything.
    pub(super) weight: f64,
}

impl Telling {
    /// Whether a stem is that of a form of this word.
    pub(super) fn is(&self, stem: &str) -> bool {
        self.stems.iter().any(|one| same_stem(one, stem) || is_kin(one, stem))
    }
}

/// Letters that long words of one root share: «редактирование», «редактирует».
pub(super) const ROOT: usize = 8;
/// Weights of words for kinds of things, and of words for parts.
const OF_KIND: f64 = 0.35;
const OF_PARTS: f64 = 0.25;
/// Sorts of words that tell little.
const VAGUE: &[&str] = &["vague", "kind:part", "kind:value", "queries", "parts", "type"];

/// Whether two stems are those of long words of one root.
fn is_kin(one: &str, other: &str) -> bool {
    let root = |stem: &str| stem.chars().take(ROOT).collect::<String>();
    one.chars().count() > ROOT && other.chars().count() >= ROOT && root(one) == root(other)
}

/// What things are called otherwise: the beginning of a word, other words for it.
static TERMS: LazyLock<Vec<(&'static str, Vec<&'static str>)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/offline_terms.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once('\t'))
        .map(|(word, others)| (word, others.split([',', ' ']).collect()))
        .collect()
});

/// The words of a question that tell what it is about, each once; identifiers are looked up as such.
pub(super) fn telling(question: &str) -> Vec<Telling> {
    let tokens = tokens(question);
    let mut found: Vec<Telling> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !is_identifier(&token.written)) {
        for word in token.word.split(|c: char| !c.is_alphanumeric()) {
            let one = [Token { word: word.to_owned(), written: word.to_owned(), is_name: false }];
            let says = |what: &str| ROWS.iter().any(|row| row.what == what && stands(&one, 0, &row.stems));
            let others = TERMS.iter().filter(|(term, _)| begins(word, term)).flat_map(|(_, others)| others);
            let mut stems: Vec<String> = others.filter_map(|other| stem(other)).collect();
            // Of two letters only an abbreviation that the terms know tells anything: «ЭП».
            let own = stem(word).or_else(|| Some(word.to_owned()).filter(|_| !stems.is_empty()));
            let Some(own) = own.filter(|_| !says("empty")) else { continue };
            stems.insert(0, own);
            // Forms of one word tell no more than one of them.
            if found
                .iter()
                .any(|known| stems.first().is_some_and(|own| known.stems.iter().any(|one| same_stem(one, own))))
            {
                continue;
            }
            let of_kind = !token.is_name
                && (at.saturating_sub(2)..=at)
                    .any(|from| family(&tokens, from, "kind:").iter().any(|(_, length)| from + length > at));
            let weight = match () {
                () if VAGUE.iter().any(|what| says(what)) => OF_PARTS,
                () if of_kind => OF_KIND,
                () => 1.0,
            };
            found.push(Telling { stems, weight });
        }
    }
    found
}

/// Names of a family's sorts that the question holds: `event:ПриЗаписи,ПередЗаписью` gives both names.
pub(super) fn held(question: &str, of: &'static str) -> Vec<&'static str> {
    let tokens = tokens(question);
    let mut found: Vec<&'static str> = Vec::new();
    for at in 0..tokens.len() {
        for (name, _) in family(&tokens, at, of) {
            found.extend(name.split(',').filter(|name| !found.contains(name)).collect::<Vec<_>>());
        }
    }
    found
}

/// Whether words stand there; names are none.
fn stands(tokens: &[Token], at: usize, stems: &[&str]) -> bool {
    let there = tokens.get(at..at + stems.len());
    there.is_some_and(|there| there.iter().zip(stems).all(|(token, stem)| !token.is_name && begins(&token.word, stem)))
}

/// Whether a word begins so; is it, where a `$` ends the beginning.
fn begins(word: &str, stem: &str) -> bool {
    stem.strip_suffix('$').map_or_else(|| word.starts_with(stem), |whole| word == whole)
}

/// Whether what stands before a word only says what sort of thing the name at it is: «отчёт Продажи», «регистра сведений Цены».
/// A word for another kind between them is what the name is: «форма документа Заказ».
fn describes(tokens: &[Token], mut at: usize) -> bool {
    while !family(tokens, at, "companion").is_empty() {
        at += 1;
    }
    tokens.get(at).is_some_and(|token| token.is_name)
}

/// The right that a question names, behind a word that says who may, and where: `право удаления`, `who may read`.
pub(super) fn named_right(tokens: &[Token]) -> Option<(&'static str, usize)> {
    (0..tokens.len()).find_map(|at| {
        let (right, _) = family(tokens, at, "right:").into_iter().next()?;
        let may = (at.saturating_sub(NEAR)..at).any(|before| !family(tokens, before, "may").is_empty());
        may.then_some((right, at))
    })
}

/// How many words of a question weakly ask for one of these.
pub(super) fn weak_words(tokens: &[Token], known: &[&str]) -> usize {
    let rows = || ROWS.iter().filter(|row| row.strength == Strength::Weak && known.contains(&row.what));
    (0..tokens.len()).filter(|at| rows().any(|row| stands(tokens, *at, &row.stems))).count()
}

/// What of these a question asks for, strong and weak words apart.
pub(super) fn intents(tokens: &[Token], known: &[&'static str]) -> (Vec<&'static str>, Vec<&'static str>) {
    let right = named_right(tokens).map(|(_, at)| at);
    let asked = |what: &str, strengths: &[Strength]| {
        let of_it = || ROWS.iter().filter(|row| row.what == what);
        let rows = of_it().filter(|row| strengths.contains(&row.strength));
        let isnt = |at: usize| of_it().any(|row| row.strength == Strength::Not && stands(tokens, at, &row.stems));
        rows.into_iter().any(|row| {
            (0..tokens.len()).filter(|at| stands(tokens, *at, &row.stems)).any(|at| {
                // A word that names a right, that a thing is of some sort, or that stands for nothing here.
                let is_right = right == Some(at) && row.stems.len() == 1;
                let which = at.checked_sub(1).and_then(|before| tokens.get(before));
                let which = which.is_some_and(|token| {
                    ["каки", "каких", "which", "what"].iter().any(|asks| token.word.starts_with(asks))
                });
                let is_sort = row.strength == Strength::Noun && !which && describes(tokens, at + row.stems.len());
                !is_right && !is_sort && !isnt(at)
            })
        })
    };
    let strong = known.iter().copied().filter(|what| asked(what, &[Strength::Strong, Strength::Noun]));
    let weak = known.iter().copied().filter(|what| asked(what, &[Strength::Weak]));
    (strong.collect(), weak.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["impact", "refers", "rights", "report", "form", "callees", "calls", "notify"];

    fn strong(question: &str) -> Vec<&'static str> {
        intents(&tokens(question), KNOWN).0
    }

    #[test]
    fn forms_of_a_word_may_lose_a_vowel() {
        let same = |one: &str, other: &str| same_stem(&stem(one).unwrap(), &stem(other).unwrap());
        assert!(same("скидок", "скидка") && same("заявок", "заявки") && same("карточек", "карточка"));
        assert!(!same("скидок", "скидывать") && !same("порок", "портик"));
    }

    #[test]
    fn abbreviations_of_two_letters_that_the_terms_know_tell() {
        let stems = |question: &str| telling(question).into_iter().map(|word| word.stems).collect::<Vec<_>>();
        assert!(stems("Отчёт по ЭП").iter().any(|stems| stems.iter().any(|stem| "электронная".starts_with(stem))));
        assert!(stems("на ТВ").is_empty());
    }

    #[test]
    fn stems_of_both_languages() {
        let words = plain("В схемах компоновки каких отчётов?");
        assert!(holds(&words, "report") && holds(&words, "kind:Report") && !holds(&words, "rights"));
        assert!(holds(&plain("Which roles may delete it"), "rights"));
        assert!(!holds(&plain("ОтчетПоПродажам"), "report") && !holds(&plain("что править"), "rights"));
        assert!(!holds(&plain("набор строк"), "report") && holds(&plain("набор данных"), "report"));
        assert!(holds(&plain("Как устроена форма?"), "form") && !holds(&plain("не формируется"), "form"));
    }

    #[test]
    fn nouns_that_say_what_a_name_is_are_no_intents() {
        assert_eq!(strong("Роль КладовщикСклада хотим исключить"), ["impact"]);
        assert_eq!(strong("Что с предопределённой ролью ГлавныйКладовщик?"), [""; 0]);
        assert_eq!(strong("В каких ролях ЦеныТоваров?"), ["rights"]);
        assert_eq!(strong("Какие отчёты читает регистр сведений ЦеныТоваров"), ["report"]);
        assert_eq!(strong("Который отчёт ОборотыСклада"), [""; 0]);
        assert_eq!(strong("Что на форме документа ЗаказТоваров"), ["form"]);
    }

    #[test]
    fn a_right_is_no_change() {
        assert_eq!(strong("Кто может удалять ЦеныТоваров?"), ["rights"]);
        assert_eq!(named_right(&tokens("даёт право удаления")).map(|(right, _)| right), Some("Delete"));
        assert_eq!(named_right(&tokens("Хочу удалить ЦеныТоваров")), None);
        assert_eq!(strong("Can I drop the ЦеныТоваров, which roles have it?"), ["impact", "rights"]);
        assert_eq!(strong("Кто её зовёт и что вызывает она сама?"), ["callees", "calls"]);
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [("курсы", "курсов"), ("валюта", "валют"), ("файлы", "файла"), ("текущей", "текущая")]
        {
            assert!(same_stem(&stems(one)[0], &stems(other)[0]), "{one} {other}");
        }
        assert!(!same_stem(&stems("задача")[0], &stems("задание")[0]));
        assert_eq!(stems("ОтправкаSMS по тому"), ["отправ", "sms", "том"]);
    }

    #[test]
    fn names_are_told_from_words() {
        let names = |question: &str| -> Vec<String> {
            tokens(question).into_iter().filter(|token| token.is_name).map(|token| token.written).collect()
        };
        assert_eq!(names("Кто ссылается на Валюты и ТипЦен?"), ["Валюты", "ТипЦен"]);
        assert_eq!(names("Справочник нужен? Какой"), [""; 0]);
        assert_eq!(names("drop the catalog Партнеры now"), ["Партнеры"]);
    }

    #[test]
    fn places_of_errors_are_seen() {
        for text in ["{ОбщийМодуль.Обмен.Модуль(12)}: нет", "почему {Форма.А.Форма(1, 5)}"]
        {
            assert!(holds(&plain(text), "error"), "{text}");
        }
        for text in ["{(5)}", "{а}", "}{", "{А.Модуль(х)}", "f(5)"] {
            assert!(!has_place(text), "{text}");
        }
    }
}

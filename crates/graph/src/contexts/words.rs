//! Names of contexts for people and JSON.

use bsl::Contexts;

/// Each context with its English word (JSON, data files) and its Russian name, in the order in which people expect them.
const WORDS: [(Contexts, &str, &str); 8] = [
    (Contexts::SERVER, "server", "сервер"),
    (Contexts::THIN_CLIENT, "thin_client", "тонкий клиент"),
    (Contexts::WEB_CLIENT, "web_client", "веб-клиент"),
    (Contexts::THICK_CLIENT_MANAGED, "thick_client", "толстый клиент"),
    (Contexts::THICK_CLIENT_ORDINARY, "ordinary", "обычное приложение"),
    (Contexts::EXTERNAL_CONNECTION, "external_connection", "внешнее соединение"),
    (Contexts::MOBILE_CLIENT, "mobile_client", "мобильный клиент"),
    (Contexts::MOBILE_SERVER, "mobile_server", "мобильный сервер"),
];

/// The English words of contexts.
pub fn words(contexts: Contexts) -> Vec<&'static str> {
    WORDS.iter().filter(|(one, ..)| contexts.contains(*one)).map(|&(_, word, _)| word).collect()
}

/// The Russian name of a context's English word; the word itself if it is none.
pub fn ru(word: &str) -> &str {
    WORDS.iter().find(|(_, known, _)| *known == word).map_or(word, |&(.., ru)| ru)
}

/// Contexts from English words with blanks between them; unknown words say nothing.
pub fn parse(text: &str) -> Contexts {
    let one = |word: &str| WORDS.iter().find(|(_, known, _)| *known == word).map(|&(one, ..)| one);
    text.split_whitespace().filter_map(one).fold(Contexts::empty(), |all, one| all | one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_context_has_a_word_that_is_read_back() {
        let all = words(Contexts::all());
        assert_eq!(parse(&all.join(" ")), Contexts::all());
        assert!(all.iter().all(|word| ru(word) != *word));
        assert_eq!(parse("server  нечто"), Contexts::SERVER);
    }
}

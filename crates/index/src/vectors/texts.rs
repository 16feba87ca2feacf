//! What is embedded: the texts of methods and objects, made by pure functions.
//!
//! A method has two texts. A, *what it is called*: split name, owner, synonym of the owner, doc comment, the first
//! comments and strings of the body. B, *what it does*: A's head, then comments, strings and identifiers of the body.
//! An object has one text (kind, name, synonym, attributes) and one more for each chunk of its help pages.
//!
//! A text is cut by characters, not by the tokenizer: what is hashed is exactly what is embedded.

use rustc_hash::FxHashSet;

use super::words::{Token, clean_phrase, is_keyword, split_name, tokens};

/// Longest text A, in characters: about 64 tokens.
const NAME_TEXT: usize = 280;
/// Longest text B, in characters: about 128 tokens.
const BODY_TEXT: usize = 560;
/// Longest chunk of a help page, in characters.
const HELP_CHUNK: usize = 520;
/// Longest part of a doc comment in a text, in characters.
const DOC_PART: usize = 200;
/// Most chunks of help an object gets.
const HELP_CHUNKS: usize = 24;

/// A method, as far as its texts need it.
#[derive(Clone, Copy, Debug, Default)]
pub struct MethodSource<'a> {
    /// Name as written.
    pub name: &'a str,
    /// Full name of the module (`Catalog.Валюты.Form.ФормаЭлемента`).
    pub module: &'a str,
    /// Synonym of the object or form that holds the module.
    pub owner_synonym: Option<&'a str>,
    /// The comment above the header, `//` taken off.
    pub doc: Option<&'a str>,
    /// The source, header and closing keyword included.
    pub source: &'a str,
}

/// An object, as far as its texts need it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObjectSource<'a> {
    /// Its kind in the users' language (`Справочник`).
    pub kind: &'a str,
    /// Name as written.
    pub name: &'a str,
    /// Synonym.
    pub synonym: Option<&'a str>,
    /// Comment.
    pub comment: Option<&'a str>,
    /// Attributes, tabular sections, enum values …: the synonym, or the split name where there is none.
    pub attributes: &'a [String],
}

/// Text A of a method.
pub fn method_name_text(method: &MethodSource<'_>) -> String {
    let mut text = Limited::new(NAME_TEXT);
    method_head(method, &mut text);
    for token in tokens(body(method.source)) {
        if text.is_full() {
            break;
        }
        match token {
            Token::Comment(phrase) | Token::String(phrase) => text.phrase(&phrase),
            Token::Name(_) | Token::QueryName(_) => {}
        }
    }
    text.finish()
}

/// Text B of a method; None if the body says nothing beyond text A.
pub fn method_body_text(method: &MethodSource<'_>) -> Option<String> {
    let mut text = Limited::new(BODY_TEXT);
    method_head(method, &mut text);
    let head = text.len();
    let body = body(method.source);
    // Sentences before identifiers: the model was trained on prose.
    for token in tokens(body) {
        match token {
            _ if text.is_full() => break,
            Token::Comment(phrase) | Token::String(phrase) => text.phrase(&phrase),
            Token::Name(_) | Token::QueryName(_) => {}
        }
    }
    let mut seen = FxHashSet::default();
    for token in tokens(body) {
        match token {
            _ if text.is_full() => break,
            Token::Name(name) if seen.insert(name) && !is_keyword(name) => text.new_words(&split_name(name)),
            Token::QueryName(name) => text.new_words(&split_name(&name)),
            _ => {}
        }
    }
    (text.len() > head).then(|| text.finish())
}

fn method_head(method: &MethodSource<'_>, text: &mut Limited) {
    text.phrase(&split_name(method.name));
    let mut owner = String::new();
    // The first component is the English kind; module kinds (`ObjectModule`) say nothing to a searcher.
    for part in method
        .module
        .split('.')
        .skip(1)
        .filter(|part| !part.ends_with("Module") && *part != "Form" && *part != "Command")
    {
        if !owner.is_empty() {
            owner.push(' ');
        }
        owner.push_str(&split_name(part));
    }
    text.phrase(&owner);
    if let Some(synonym) = method.owner_synonym {
        text.unless_known(&clean_phrase(synonym));
    }
    if let Some(doc) = method.doc {
        text.phrase(&doc_description(doc));
    }
}

/// The description in a doc comment: what stands before its sections (parameters, result, example).
pub fn doc_description(doc: &str) -> String {
    const SECTIONS: [&str; 10] = [
        "параметры",
        "возвращаемое значение",
        "пример",
        "примеры",
        "варианты вызова",
        "parameters",
        "returns",
        "return value",
        "example",
        "call options",
    ];
    let mut out = Limited::new(DOC_PART);
    for line in doc.lines() {
        let line = clean_phrase(line);
        if SECTIONS.iter().any(|section| line.to_lowercase().strip_suffix(':').map(str::trim_end) == Some(*section)) {
            break;
        }
        out.continue_phrase(&line);
    }
    out.finish()
}

/// A method's source without its header (up to the parenthesis that closes the parameters) and closing keyword.
fn body(source: &str) -> &str {
    let mut depth = 0_u32;
    let mut in_string = false;
    for (offset, c) in source.char_indices() {
        match c {
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return source.get(offset + 1..).unwrap_or("");
                }
            }
            _ => {}
        }
    }
    source
}

/// The text of an object.
pub fn object_text(object: &ObjectSource<'_>) -> String {
    let mut text = Limited::new(BODY_TEXT);
    text.phrase(&object_head(object));
    if let Some(comment) = object.comment {
        text.unless_known(&clean_phrase(comment));
    }
    for attribute in object.attributes {
        text.unless_known(&clean_phrase(attribute));
    }
    text.finish()
}

fn object_head(object: &ObjectSource<'_>) -> String {
    let name = split_name(object.name);
    let mut text = Limited::new(DOC_PART);
    text.continue_phrase(object.kind);
    text.continue_phrase(object.synonym.unwrap_or(&name));
    text.unless_known(&name);
    text.finish()
}

/// The texts of an object's help pages, given as [`metadata::help_text`] reads them: each page's prose, cut in chunks, every
/// chunk led by the object's name.
pub fn help_texts<'p>(object: &ObjectSource<'_>, pages: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let head = object_head(object);
    let mut texts = Vec::new();
    for page in pages {
        let mut chunk = Limited::new(HELP_CHUNK);
        chunk.phrase(&head);
        for paragraph in page.lines().map(clean_phrase).filter(|paragraph| !paragraph.is_empty()) {
            if !chunk.fits(&paragraph) && chunk.len() > head.len() {
                texts.push(std::mem::replace(&mut chunk, Limited::new(HELP_CHUNK)).finish());
                chunk.phrase(&head);
            }
            chunk.phrase(&paragraph);
        }
        if chunk.len() > head.len() {
            texts.push(chunk.finish());
        }
    }
    texts.truncate(HELP_CHUNKS);
    texts
}

/// A text that grows phrase by phrase up to a limit, never in the middle of a word.
struct Limited {
    text: String,
    chars: usize,
    limit: usize,
    words: FxHashSet<String>,
}

impl Limited {
    fn new(limit: usize) -> Self {
        Self { text: String::new(), chars: 0, limit, words: FxHashSet::default() }
    }

    fn len(&self) -> usize {
        self.text.len()
    }

    fn is_full(&self) -> bool {
        self.chars >= self.limit
    }

    fn fits(&self, phrase: &str) -> bool {
        self.chars + phrase.chars().count() < self.limit
    }

    /// Appends a phrase as a sentence of its own.
    fn phrase(&mut self, phrase: &str) {
        if phrase.is_empty() || self.is_full() {
            return;
        }
        if !self.text.is_empty() {
            let closed = self.text.ends_with(['.', '!', '?', ':', ';']);
            self.push(if closed { " " } else { ". " });
        }
        self.append_words(phrase);
    }

    /// Appends a phrase to the sentence before.
    fn continue_phrase(&mut self, phrase: &str) {
        if phrase.is_empty() || self.is_full() {
            return;
        }
        if !self.text.is_empty() {
            self.push(" ");
        }
        self.append_words(phrase);
    }

    /// Appends a phrase unless all of its words stand in the text already.
    fn unless_known(&mut self, phrase: &str) {
        if phrase.split_whitespace().any(|word| !self.words.contains(&key(word))) {
            self.phrase(phrase);
        }
    }

    /// Appends those words that the text does not hold yet.
    fn new_words(&mut self, phrase: &str) {
        for word in phrase.split_whitespace() {
            if word.chars().nth(2).is_some() && !self.words.contains(&key(word)) {
                self.continue_phrase(word);
            }
        }
    }

    fn append_words(&mut self, phrase: &str) {
        let mut first = true;
        for word in phrase.split_whitespace() {
            let length = word.chars().count();
            if self.chars + length >= self.limit {
                self.chars = self.limit;
                return;
            }
            if !first {
                self.push(" ");
            }
            first = false;
            self.words.insert(key(word));
            self.text.push_str(word);
            self.chars += length;
        }
    }

    fn push(&mut self, separator: &str) {
        self.text.push_str(separator);
        self.chars += separator.len();
    }

    fn finish(self) -> String {
        let end = self.text.trim_end().len();
        let mut text = self.text;
        text.truncate(end);
        text
    }
}

fn key(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SOURCE: &str = "Процедура ПроверитьРазмерТома(Том, Знач Предел = 10 * (2 + 3), Имя = \")\") Экспорт
        // Размер считается по файлам.
        Если Том.ТекущийРазмер > Предел Тогда
            ВызватьИсключение НСтр(\"ru = 'Превышен размер тома'; en = 'Too large'\");
        КонецЕсли;
    КонецПроцедуры";

    fn method() -> MethodSource<'static> {
        MethodSource {
            name: "ПроверитьРазмерТома",
            module: "Catalog.ТомаХраненияФайлов.ObjectModule",
            owner_synonym: Some("Тома хранения файлов"),
            doc: Some(
                " Не даёт тому вырасти\n сверх предела.\n\n Параметры:\n  Том - СправочникСсылка.ТомаХраненияФайлов - том.",
            ),
            source: SOURCE,
        }
    }

    #[test]
    fn a_method_is_what_it_is_called_and_what_it_does() {
        assert_eq!(
            method_name_text(&method()),
            "проверить размер тома. тома хранения файлов. Не даёт тому вырасти сверх предела. Размер считается по файлам. \
             Превышен размер тома"
        );
        assert_eq!(
            method_body_text(&method()).unwrap(),
            "проверить размер тома. тома хранения файлов. Не даёт тому вырасти сверх предела. Размер считается по файлам. \
             Превышен размер тома том текущий предел"
        );
    }

    #[test]
    fn an_owner_synonym_counts_where_it_says_more_and_module_kinds_never() {
        let other =
            MethodSource { owner_synonym: Some("Сетевые диски"), doc: None, source: "", ..method() };
        assert_eq!(method_name_text(&other), "проверить размер тома. тома хранения файлов. Сетевые диски");
        let form = MethodSource {
            name: "ПриОткрытии",
            module: "Document.Встреча.Form.ФормаДокумента",
            owner_synonym: None,
            ..MethodSource::default()
        };
        assert_eq!(method_name_text(&form), "при открытии. встреча форма документа");
        assert_eq!(method_body_text(&form), None);
    }

    #[test]
    fn a_doc_comment_ends_at_its_sections() {
        assert_eq!(doc_description("Делает дело.\nВозвращаемое значение:\n Булево"), "Делает дело.");
        assert_eq!(doc_description("----------\n Пример  дела\n----------"), "Пример дела");
        assert_eq!(doc_description("Параметры:\n А - Число"), "");
    }

    #[test]
    fn an_object_is_its_synonym_its_attributes_and_its_help() {
        let object = ObjectSource {
            kind: "справочник",
            name: "КурсыВалют",
            synonym: Some("Курсы валют"),
            comment: None,
            attributes: &["Валюта".into(), "Кратность".into(), "Валют".into()],
        };
        assert_eq!(object_text(&object), "справочник Курсы валют. Валюта. Кратность");
        let page = format!("Котировки.\n{}\n---\nКонец.", "слово ".repeat(90));
        let texts = help_texts(&object, [page.as_str(), ""]);
        assert_eq!(texts.len(), 3);
        assert!(texts.iter().all(|text| text.starts_with("справочник Курсы валют. ")), "{texts:?}");
        assert!(texts[0].contains("Котировки") && texts[2].ends_with("Конец."), "{texts:?}");
    }

    proptest! {
        #[test]
        fn any_source_gives_texts_within_their_limits(name in "\\PC{0,40}", doc in "(?s).{0,400}", source in "(?s).{0,1200}") {
            let method = MethodSource { name: &name, module: "CommonModule.М", owner_synonym: None, doc: Some(&doc), source: &source };
            let text = method_name_text(&method);
            prop_assert!(text.chars().count() <= NAME_TEXT + 2);
            prop_assert!(method_body_text(&method).is_none_or(|text| text.chars().count() <= BODY_TEXT + 2));
            prop_assert_eq!(text, method_name_text(&method));
        }
    }
}

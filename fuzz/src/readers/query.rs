//! `query`: texts in the query language and restrictions of access, each read as all three kinds.

use super::{Reader, ends_in};
use crate::seeds::Seed;
use crate::syntax::Syntax;
use bsl::query::{TextKind, parse, read};
use metadata::Format;

/// Elements whose texts are queries, or restrictions.
const ELEMENTS: [&str; 5] = ["query", "QueryText", "queryText", "condition", "expression"];

/// The reader.
pub struct Query;

impl Reader for Query {
    fn name(&self) -> &'static str {
        "query"
    }

    fn wants(&self, _: Format, path: &str) -> bool {
        ends_in(path, &["bsl", "dcs", "rights", "form"])
            || path.ends_with("Rights.xml")
            || path.ends_with("Template.xml")
            || path.ends_with("Form.xml")
    }

    fn seeds(&self, _: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        let texts: Vec<String> = if path.ends_with(".bsl") {
            bsl::query_texts(&bsl::read_module(&bytes)).into_iter().map(|text| text.text).collect()
        } else {
            let text = String::from_utf8_lossy(&bytes);
            ELEMENTS.iter().flat_map(|element| texts(&text, element)).collect()
        };
        let seed = |text: String| Seed {
            path: path.to_owned(),
            syntax: Syntax::Query,
            around: None,
            bytes: text.into_bytes(),
        };
        texts.into_iter().map(seed).collect()
    }

    /// Three kinds, each parsed twice, and a column or field may be of one letter.
    fn passes(&self) -> u32 {
        16
    }

    fn read(&self, _: &Seed, input: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(input);
        let mut broken = Vec::new();
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32 + 1;
        for kind in [TextKind::Query, TextKind::Fragment, TextKind::Restriction] {
            let query = parse(&text, kind);
            let selects = query.selects.iter().flat_map(|select| &select.branches);
            if selects
                .into_iter()
                .any(|branch| text.get(branch.select_list.start as usize..branch.select_list.end as usize).is_none())
            {
                broken.push(format!("{kind:?}: a list of columns out of range"));
            }
            if query.problems.iter().any(|problem| problem.span.line == 0 || problem.span.line > lines) {
                broken.push(format!("{kind:?}: line of a problem"));
            }
            let facts = read(&text, kind);
            if facts.tables.iter().any(|table| table.span.line == 0 || table.span.line > lines) {
                broken.push(format!("{kind:?}: line of a table"));
            }
            let size: usize = facts.fields.iter().map(|field| 1 + field.origins.len() + field.parts.len()).sum();
            let size = size + facts.tables.len() + facts.selects.len() + facts.problems.len();
            if size > 4 * text.len() + 1000 {
                broken.push(format!("{kind:?}: more facts than text"));
            }
        }
        broken
    }
}

/// Texts of the elements of a name, with or without prefix.
fn texts(text: &str, element: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(element) {
        rest = after;
        if let Some((content, after)) = after.strip_prefix('>').and_then(|after| after.split_once("</"))
            && !content.is_empty()
            && !content.contains('<')
        {
            found.push(content.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&quot;", "\""));
            rest = after;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_modules_and_files() {
        let module = "Процедура А()\nЗ = \"ВЫБРАТЬ 1 КАК А\";\nКонецПроцедуры".as_bytes().to_vec();
        let seeds = Query.seeds(Format::Designer, "CommonModules/М/Ext/Module.bsl", module);
        assert_eq!(seeds.iter().map(|seed| &*seed.bytes).collect::<Vec<_>>(), ["ВЫБРАТЬ 1 КАК А".as_bytes()]);
        let rights = "<restrictionByCondition><condition>ГДЕ А &lt; 1</condition></restrictionByCondition>";
        let seeds = Query.seeds(Format::Designer, "Roles/Р/Ext/Rights.xml", rights.as_bytes().to_vec());
        assert_eq!(seeds.iter().map(|seed| &*seed.bytes).collect::<Vec<_>>(), ["ГДЕ А < 1".as_bytes()]);
    }
}

//! Full text: words of names, comments and strings, folded and stemmed, ranked by BM25F.

mod fulltext;
mod words;

pub use fulltext::{Filter, Hit};
pub(crate) use words::{Document, Splitter};
pub use words::{query_terms, sentence_words};

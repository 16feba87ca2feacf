//! Full text: words of names, comments and strings, folded and stemmed, ranked by BM25F.

mod fulltext;
mod words;

pub use fulltext::{Filter, Hit};
pub use words::query_terms;
pub(crate) use words::{Document, Splitter};

//! Ranked search over the full-text table.

use super::query_terms;
use crate::Result;
use crate::read::{Index, NameId};
use serde::Serialize;

/// Weights of the columns name, owner, doc, body: measured on queries with known answers.
const WEIGHTS: &str = "10.0, 5.0, 5.0, 1.0";

/// What to search among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Methods and objects.
    #[default]
    All,
    /// Methods only.
    Methods,
    /// Objects only.
    Objects,
}

/// A ranked hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// Number of the method or object.
    #[serde(skip)]
    pub id: NameId,
    /// Its full name.
    pub full_name: String,
    /// True for an object.
    pub is_object: bool,
    /// BM25F score: higher is better; comparable within one query only.
    pub score: f64,
}

impl Index {
    /// The best hits for the words of a query; any of them may be missing from a hit.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn fulltext(&self, query: &str, filter: Filter, limit: usize) -> Result<Vec<Hit>> {
        let terms = query_terms(query);
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let expression = terms.iter().map(|term| format!("\"{term}\"")).collect::<Vec<_>>().join(" OR ");
        let condition = match filter {
            Filter::All => "",
            Filter::Methods => "AND d.is_object = 0",
            Filter::Objects => "AND d.is_object = 1",
        };
        let sql = format!(
            "SELECT d.name, n.name, d.is_object, x.score
             FROM (SELECT rowid AS id, -bm25(fulltext, {WEIGHTS}) AS score FROM fulltext WHERE fulltext MATCH ?1) x
             JOIN doc d ON d.id = x.id JOIN names n ON n.id = d.name WHERE 1 {condition} ORDER BY x.score DESC, n.name LIMIT ?2"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.rows(&sql, (expression, limit), |row| {
            Ok(Hit { id: row.get(0)?, full_name: row.get(1)?, is_object: row.get(2)?, score: row.get(3)? })
        })
    }
}

//! What checks ask of the configuration: one small trait, implemented by whoever has an index.

/// Names of a configuration, as far as queries of schemas use them. Names are canonical full names; case doesn't count.
pub trait Catalog: Sync {
    /// Whether there is such a table: `Catalog.Валюты`, `Document.Счет.TabularSection.Товары`, `AccumulationRegister.Х.Balance`.
    /// None: it can't be said (a part of the configuration isn't there).
    fn has_table(&self, table: &str) -> Option<bool>;

    /// Names of the fields of a table, in the languages that queries may use. None: they are not known in full.
    fn fields(&self, table: &str) -> Option<Vec<String>>;

    /// Canonical names of the tables that a reference in a field may lead to. None: not known.
    fn targets(&self, table: &str, field: &str) -> Option<Vec<String>>;

    /// Existing names near to a wrong one.
    fn nearest(&self, table: &str) -> Vec<String>;
}

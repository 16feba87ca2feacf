//! Rows on their way to the writer.

use super::names::Name;
use metadata::Text;

/// A value of a row, before the writer turns words and texts into numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    /// A full name, by its number in the world or in the [table of names](super::names::NameTable): see [`super::numbers`].
    Node(u32),
    /// A text of its own.
    Text(String),
    /// A word of the short vocabulary.
    Word(Text),
    /// The same, known beforehand.
    Known(&'static str),
    /// A text that repeats, or is long: stored once.
    Shared(Box<str>),
    Blob(Vec<u8>),
}

impl Cell {
    /// A text, NULL if it is empty.
    pub fn text(text: &str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text.to_owned()) }
    }

    /// A word, NULL if it is empty.
    pub fn word(word: &Text) -> Self {
        if word.is_empty() { Self::Null } else { Self::Word(word.clone()) }
    }

    /// A shared text, NULL if it is empty.
    pub fn shared(text: &str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Shared(text.into()) }
    }

    /// Something that may be missing.
    pub fn maybe(thing: Option<impl Into<Self>>) -> Self {
        thing.map_or(Self::Null, Into::into)
    }
}

impl From<Name> for Cell {
    fn from(Name(number): Name) -> Self {
        Self::Node(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

macro_rules! tables {
    ($($name:ident $table:literal $columns:literal)*) => {
        /// A table that rows go to, all columns in order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Table { $($name),* }

        impl Table {
            #[cfg(test)]
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $table),* }
            }

            pub fn columns(self) -> usize {
                match self { $(Self::$name => $columns),* }
            }
        }
    };
}

tables! {
    Layer "layer" 7
    File "file" 4
    Problem "problem" 5
    Object "object" 12
    Attribute "attribute" 11
    TypeOf "type_of" 3
    Property "property" 3
    Link "link" 6
    Form "form" 6
    FormItem "form_item" 9
    FormAttribute "form_attribute" 7
    FormCommand "form_command" 6
    FormHandler "form_handler" 7
    Movement "movement" 3
    RoleRight "role_right" 4
    Restriction "restriction" 10
    PredefinedItem "predefined_item" 6
    Subscription "subscription" 3
    SubscriptionSource "subscription_source" 2
    Job "job" 5
    Template "template" 4
    HelpPage "help_page" 3
    SchemaDataSet "dcs_dataset" 5
    SchemaField "dcs_field" 6
    SchemaParameter "dcs_parameter" 5
    SchemaVariant "dcs_variant" 3
    Module "module" 11
    Facts "facts" 3
    ModuleWords "module_words" 2
    ModuleInput "module_input" 3
    Method "method" 15
    Condition "condition" 4
    MethodType "method_type" 4
    Strings "string" 3
    StringName "string_name" 3
    Query "query" 3
    QueryTables "query_table" 5
    QueryFields "query_field" 5
    Reference "reference" 5
    Doc "doc" 4
}

/// Rows of one table, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    pub table: Table,
    cells: Vec<Cell>,
}

impl Rows {
    pub fn new(table: Table) -> Self {
        Self { table, cells: Vec::new() }
    }

    /// Adds a row; it must have as many cells as the table has columns.
    pub fn push<const N: usize>(&mut self, row: [Cell; N]) {
        debug_assert_eq!(N, self.table.columns(), "{}", self.table.name());
        self.cells.extend(row);
    }

    /// Adds a row of another one's.
    pub fn push_cells(&mut self, row: &[Cell]) {
        self.cells.extend_from_slice(row);
    }

    pub fn len(&self) -> usize {
        self.cells.len() / self.table.columns()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub fn chunks(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks_exact(self.table.columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_as_many_columns_as_the_schema_says() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        crate::schema::create(&connection).unwrap();
        for table in Table::ALL {
            let statement = connection.prepare(&format!("SELECT * FROM \"{}\"", table.name())).unwrap();
            assert_eq!(statement.column_count(), table.columns(), "{}", table.name());
        }
    }
}

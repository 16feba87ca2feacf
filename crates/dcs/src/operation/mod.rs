//! Operations: changes of a schema by meaning.
//!
//! An operation is plain data ([`Operation`]), read from a line of shorthand or from JSON ([`Operation::parse`], [`batch`]). Its
//! [`Plan`] holds the splices and the change of the meaning that it declares. What can't be is refused with the names that
//! may have been meant ([`Refusal`]). What something else needs is not removed, unless with it.
//!
//! ```
//! use metascope_dcs::{Document, operation::{Operation, run}};
//! # let bytes = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\">\
//! #     <dataSource><name>А</name><dataSourceType>Local</dataSourceType></dataSource></DataCompositionSchema>";
//! let document = Document::parse(bytes);
//! let operation = Operation::parse("добавить-параметр Курс: Число(10,4) \"Курс\"").unwrap();
//! let ran = run(&document, &[operation], false).unwrap();
//! assert_eq!(ran.plans[0].declared[0].path, "parameter[Курс]");
//! assert_eq!(&*ran.document.apply(&ran.plans[0].undo).unwrap().document.bytes(), bytes.as_bytes());
//! ```

mod appearance;
mod calculated;
mod data_set;
mod draft;
mod drill_down;
mod expected;
mod field;
mod field_use;
mod filter;
mod help;
mod link;
mod needs;
mod nested;
mod order;
mod parameter;
mod query;
mod refusal;
mod role;
mod selection;
mod settings_value;
mod shorthand;
mod spot;
mod structure;
mod target;
mod template;
mod total;
mod user_field;
mod user_settings;
mod uses;
mod values;
mod variant;
mod words;

use serde_json::{Map, Value as Json};

use crate::document::Document;
use crate::edit::Patch;
use crate::meaning::Change;
use crate::view::Schema;

pub use help::{Help, help};
pub use nested::new_schema;
pub use refusal::{Need, Refusal, Say};
pub use shorthand::{Flag, Form, Names, Texts};

use draft::Draft;
use shorthand::OptionValue;

/// What an operation does to a document.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it does, in a sentence.
    pub title: Say,
    /// The splices.
    pub patch: Patch,
    /// What the meaning differs in afterwards: this and nothing else.
    pub declared: Vec<Change>,
    /// What is removed too because it needs what is removed.
    pub removed_too: Vec<Need>,
    /// The splices that bring the former bytes back.
    pub undo: Patch,
}

/// A document after operations.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The document.
    pub document: Document,
    /// What each operation did, to the document that the one before it left.
    pub plans: Vec<Plan>,
}

/// Where an operation works.
struct At<'d> {
    schema: Schema<'d>,
    /// What needs a removed thing is removed too.
    cascade: bool,
    removed_too: Vec<Need>,
}

/// The options of an operation, and what it does.
trait Apply {
    /// Names of the options, with what they are.
    const OPTIONS: &'static [(&'static str, &'static str)];
    /// What it does, in English.
    const SUMMARY: &'static str;

    /// Gathers the changes.
    fn apply<'d>(&self, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal>;
}

/// A name without the mark of one that is a word of Rust.
const fn plain(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'r' && bytes[1] == b'#' { name.split_at(2).1 } else { name }
}

/// The options of an operation: a struct that JSON gives, with the documentation at hand.
macro_rules! options {
    ($(#[doc = $summary:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $option:ident: $of:ty,)* }) => {
        $(#[doc = $summary])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $option: $of,)*
        }

        impl $name {
            const OPTIONS: &'static [(&'static str, &'static str)] =
                &[$(($crate::operation::plain(stringify!($option)), concat!($($doc),+)),)*];
            const SUMMARY: &'static str = concat!($($summary),+);

            /// Reads the options; those that aren't given are empty.
            pub(super) fn read(
                mut options: serde_json::Map<String, serde_json::Value>,
            ) -> Result<Self, $crate::operation::Refusal> {
                use $crate::operation::shorthand::OptionValue;
                Ok(Self {
                    $($option: {
                        let own = $crate::operation::plain(stringify!($option));
                        OptionValue::read(own, options.remove(own))?
                    },)*
                })
            }

            /// The options that are given, as [`Self::read`] takes them.
            pub(super) fn write(&self) -> serde_json::Map<String, serde_json::Value> {
                use $crate::operation::shorthand::OptionValue;
                let mut options = serde_json::Map::new();
                $(if self.$option.is_given() {
                    let own = $crate::operation::plain(stringify!($option));
                    options.insert(own.to_owned(), self.$option.json());
                })*
                options
            }
        }
    };
}
use options;

/// What an operation does: `applies!(AddField, |this, at, draft| …)`.
macro_rules! applies {
    ($name:ident, $function:path) => {
        impl $crate::operation::Apply for $name {
            const OPTIONS: &'static [(&'static str, &'static str)] = Self::OPTIONS;
            const SUMMARY: &'static str = Self::SUMMARY;

            fn apply<'d>(
                &self,
                at: &mut $crate::operation::At<'d>,
                draft: &mut $crate::operation::draft::Draft<'d>,
            ) -> Result<$crate::operation::Say, $crate::operation::Refusal> {
                $function(self, at, draft)
            }
        }
    };
}
use applies;

/// A kind of operation: its names and options.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its name in Russian.
    pub russian: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Its options, with what they are.
    pub options: &'static [(&'static str, &'static str)],
    /// What the subject of its line is.
    pub form: Form,
}

/// The list of operations.
macro_rules! operations {
    ($($name:literal $russian:literal $variant:ident($path:path) $form:expr;)*) => {
        /// An operation with its options.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum What {
            $($variant($path),)*
        }

        impl What {
            fn read(name: &str, options: Map<String, Json>) -> Option<Result<Self, Refusal>> {
                match name {
                    $($name => Some(<$path>::read(options).map(Self::$variant)),)*
                    _ => None,
                }
            }

            fn write(&self) -> (&'static str, Map<String, Json>) {
                match self {
                    $(Self::$variant(options) => ($name, options.write()),)*
                }
            }

            fn apply<'d>(&self, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
                match self {
                    $(Self::$variant(options) => options.apply(at, draft),)*
                }
            }
        }

        /// All kinds of operations.
        pub const KINDS: &[Kind] = &[
            $(Kind {
                name: $name,
                russian: $russian,
                summary: <$path as Apply>::SUMMARY,
                options: <$path as Apply>::OPTIONS,
                form: $form,
            },)*
        ];
    };
}

const THING: Form = Form::Thing("expression");
const VALUE: Form = Form::Thing("value");
const QUERY: Form = Form::Thing("query");
const FIELDS: Form = Form::Whole("fields");
const NAME: Form = Form::Whole("name");

operations! {
    "add-field" "добавить-поле" AddField(field::AddField) THING;
    "modify-field" "изменить-поле" ModifyField(field::ModifyField) THING;
    "field-role" "роль-поля" FieldRole(role::FieldRole) NAME;
    "field-restrictions" "ограничения-поля" FieldRestrictions(field::FieldRestrictions) NAME;
    "remove-field" "удалить-поле" RemoveField(field::RemoveField) NAME;
    "rename-field" "переименовать-поле" RenameField(field_use::RenameField) Form::Renaming;
    "add-calculated" "добавить-вычисляемое" AddCalculated(calculated::AddCalculated) THING;
    "modify-calculated" "изменить-вычисляемое" ModifyCalculated(calculated::ModifyCalculated) THING;
    "remove-calculated" "удалить-вычисляемое" RemoveCalculated(calculated::RemoveCalculated) NAME;
    "add-total" "добавить-итог" AddTotal(total::AddTotal) THING;
    "modify-total" "изменить-итог" ModifyTotal(total::ModifyTotal) THING;
    "remove-total" "удалить-итог" RemoveTotal(total::RemoveTotal) NAME;
    "add-parameter" "добавить-параметр" AddParameter(parameter::AddParameter) Form::Thing("value");
    "modify-parameter" "изменить-параметр" ModifyParameter(parameter::ModifyParameter) Form::Thing("value");
    "rename-parameter" "переименовать-параметр" RenameParameter(parameter::RenameParameter) Form::Renaming;
    "move-parameter" "переставить-параметр" MoveParameter(parameter::MoveParameter) NAME;
    "remove-parameter" "удалить-параметр" RemoveParameter(parameter::RemoveParameter) NAME;
    "add-variant" "добавить-вариант" AddVariant(variant::AddVariant) THING;
    "copy-variant" "скопировать-вариант" CopyVariant(variant::CopyVariant) Form::Renaming;
    "rename-variant" "переименовать-вариант" RenameVariant(variant::RenameVariant) Form::Renaming;
    "move-variant" "переставить-вариант" MoveVariant(variant::MoveVariant) NAME;
    "remove-variant" "удалить-вариант" RemoveVariant(variant::RemoveVariant) NAME;
    "add-user-field" "добавить-пользовательское-поле" AddUserField(user_field::AddUserField) THING;
    "modify-user-field" "изменить-пользовательское-поле" ModifyUserField(user_field::ModifyUserField) THING;
    "rename-user-field" "переименовать-пользовательское-поле" RenameUserField(user_field::RenameUserField) Form::Renaming;
    "remove-user-field" "удалить-пользовательское-поле" RemoveUserField(user_field::RemoveUserField) NAME;
    "add-selection" "выбрать-поля" AddSelection(selection::AddSelection) FIELDS;
    "modify-selection" "изменить-выбранное" ModifySelection(selection::ModifySelection) THING;
    "remove-selection" "убрать-выбранное" RemoveSelection(selection::RemoveSelection) NAME;
    "add-filter" "добавить-отбор" AddFilter(filter::AddFilter) Form::Whole("condition");
    "modify-filter" "изменить-отбор" ModifyFilter(filter::ModifyFilter) NAME;
    "remove-filter" "удалить-отбор" RemoveFilter(filter::RemoveFilter) NAME;
    "add-order" "добавить-порядок" AddOrder(order::AddOrder) FIELDS;
    "modify-order" "изменить-порядок" ModifyOrder(order::ModifyOrder) NAME;
    "remove-order" "удалить-порядок" RemoveOrder(order::RemoveOrder) NAME;
    "add-appearance" "добавить-оформление" AddAppearance(appearance::AddAppearance) Form::Whole("appearance");
    "modify-appearance" "изменить-оформление" ModifyAppearance(appearance::ModifyAppearance) NAME;
    "remove-appearance" "удалить-оформление" RemoveAppearance(appearance::RemoveAppearance) NAME;
    "set-output" "задать-вывод" SetOutput(settings_value::SetOutput) VALUE;
    "remove-output" "убрать-вывод" RemoveOutput(settings_value::RemoveOutput) NAME;
    "set-data-parameter" "задать-параметр-данных" SetDataParameter(settings_value::SetDataParameter) VALUE;
    "remove-data-parameter" "убрать-параметр-данных" RemoveDataParameter(settings_value::RemoveDataParameter) NAME;
    "user-settings" "настройки-пользователя" UserSettings(user_settings::UserSettings) Form::Whole("of");
    "clear-settings" "очистить-настройки" ClearSettings(user_settings::ClearSettings) Form::Whole("of");
    "add-group" "добавить-группировку" AddGroup(structure::AddGroup) FIELDS;
    "add-table" "добавить-таблицу" AddTable(structure::AddTable) NAME;
    "add-chart" "добавить-диаграмму" AddChart(structure::AddChart) NAME;
    "modify-structure" "изменить-структуру" ModifyStructure(structure::ModifyStructure) Form::Whole("at");
    "move-structure" "переставить-структуру" MoveStructure(structure::MoveStructure) Form::Whole("at");
    "remove-structure" "удалить-структуру" RemoveStructure(structure::RemoveStructure) Form::Whole("at");
    "add-data-set" "добавить-набор" AddDataSet(data_set::AddDataSet) QUERY;
    "rename-data-set" "переименовать-набор" RenameDataSet(data_set::RenameDataSet) Form::Renaming;
    "remove-data-set" "удалить-набор" RemoveDataSet(data_set::RemoveDataSet) NAME;
    "add-data-source" "добавить-источник" AddDataSource(data_set::AddDataSource) NAME;
    "remove-data-source" "удалить-источник" RemoveDataSource(data_set::RemoveDataSource) NAME;
    "set-query" "задать-запрос" SetQuery(data_set::SetQuery) QUERY;
    "patch-query" "изменить-запрос" PatchQuery(data_set::PatchQuery) NAME;
    "add-link" "добавить-связь" AddLink(link::AddLink) Form::Renaming;
    "modify-link" "изменить-связь" ModifyLink(link::ModifyLink) Form::Renaming;
    "remove-link" "удалить-связь" RemoveLink(link::RemoveLink) Form::Renaming;
    "bind-template" "привязать-макет" BindTemplate(template::BindTemplate) NAME;
    "unbind-template" "отвязать-макет" UnbindTemplate(template::UnbindTemplate) NAME;
    "remove-template" "удалить-макет" RemoveTemplate(template::RemoveTemplate) NAME;
    "drill-down" "расшифровка" DrillDown(drill_down::DrillDown) NAME;
    "add-nested" "добавить-вложенную-схему" AddNested(nested::AddNested) QUERY;
    "remove-nested" "удалить-вложенную-схему" RemoveNested(nested::RemoveNested) NAME;
}

/// An operation, and the nested schema it works in.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Names of nested schemas, from the outermost on; empty: the schema itself.
    pub schema: Vec<String>,
    /// What it does.
    pub what: What,
}

impl Operation {
    /// Names of all operations, in both languages.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KINDS.iter().flat_map(|kind| [kind.name, kind.russian])
    }

    fn kind(name: &str) -> Option<&'static Kind> {
        let folded = name.to_lowercase();
        KINDS.iter().find(|kind| kind.name == folded || kind.russian == folded)
    }

    fn form(name: &str) -> Option<(&'static str, Form)> {
        Self::kind(name).map(|kind| (kind.name, kind.form))
    }

    /// Reads a line of shorthand.
    ///
    /// # Errors
    /// If it doesn't keep to the grammar, or names an operation or an option that there isn't.
    pub fn parse(line: &str) -> Result<Self, Refusal> {
        Self::from_json(shorthand::line(line, Self::form)?)
    }

    /// Reads JSON: an object with the operation's name under `do`, or a line of shorthand.
    ///
    /// # Errors
    /// As [`Operation::parse`].
    pub fn from_json(json: Json) -> Result<Self, Refusal> {
        let mut map = match json {
            Json::String(line) => return Self::parse(&line),
            Json::Object(map) => map,
            other => {
                return Err(Refusal::new(
                    format!("Действие — строка или объект с ключом do, а не {other}"),
                    format!("An operation is a line or an object with the key do, not {other}"),
                ));
            }
        };
        let name = match map.remove("do") {
            Some(Json::String(name)) => name,
            _ => return Err(Refusal::missing("do", "действие", "the operation")),
        };
        let Some(kind) = Self::kind(&name) else {
            return Err(Refusal::unknown(("действие", "operation"), &name, Self::names()));
        };
        // A nested schema to work in.
        let schema = match map.remove("schema") {
            Some(Json::String(path)) => path.split('/').map(|name| name.trim().to_owned()).collect(),
            other => Names::read("schema", other)?.0,
        };
        for key in map.keys() {
            if !kind.options.iter().any(|(option, _)| option == key) {
                let options = kind.options.iter().flat_map(|(option, _)| [*option, words::option_in_russian(option)]);
                return Err(Refusal::unknown(("параметр этого действия", "option of this operation"), key, options));
            }
        }
        match What::read(kind.name, map) {
            Some(what) => Ok(Self { schema, what: what? }),
            None => Err(Refusal::unknown(("действие", "operation"), &name, Self::names())),
        }
    }

    /// The operation as JSON that [`Operation::from_json`] reads as the same one.
    pub fn to_json(&self) -> Json {
        let (name, options) = self.what.write();
        let mut map = Map::new();
        map.insert("do".to_owned(), Json::from(name));
        if !self.schema.is_empty() {
            // A name with a slash in it can't be told from two.
            let is_plain = |name: &String| !name.is_empty() && !name.contains('/') && name.trim() == name;
            let path = if self.schema.iter().all(is_plain) {
                Json::from(self.schema.join("/"))
            } else {
                Json::from(self.schema.clone())
            };
            map.insert("schema".to_owned(), path);
        }
        map.extend(options);
        Json::Object(map)
    }

    /// What the operation would do to a document.
    ///
    /// # Errors
    /// If it can't be carried out: why, and what may have been meant.
    pub fn plan(&self, document: &Document, cascade: bool) -> Result<Plan, Refusal> {
        let (plan, _) = self.plan_and_apply(document, cascade)?;
        Ok(plan)
    }

    fn plan_and_apply(&self, document: &Document, cascade: bool) -> Result<(Plan, Document), Refusal> {
        let mut draft = Draft::of(document)?;
        let schema = target::schema(document, &self.schema)?;
        let mut at = At { schema, cascade, removed_too: Vec::new() };
        let title = self.what.apply(&mut at, &mut draft)?;
        let removed_too = at.removed_too;
        let (patch, declared) = draft.finish()?;
        if patch.is_empty() {
            return Err(Refusal::new("Менять нечего: всё уже так", "Nothing to change: all is so already"));
        }
        let applied = document.apply(&patch)?;
        Ok((Plan { title, patch, declared, removed_too, undo: applied.undo }, applied.document))
    }
}

/// Carries out operations one after another. All or none.
///
/// # Errors
/// The number of the operation that can't be carried out, and why.
pub fn run(document: &Document, operations: &[Operation], cascade: bool) -> Result<Ran, (usize, Refusal)> {
    let mut ran = Ran { document: document.clone(), plans: Vec::new() };
    for (number, operation) in operations.iter().enumerate() {
        let (plan, document) = operation.plan_and_apply(&ran.document, cascade).map_err(|refusal| (number, refusal))?;
        ran.document = document;
        ran.plans.push(plan);
    }
    Ok(ran)
}

impl serde::Serialize for Operation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Operation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Self::from_json(json).map_err(serde::de::Error::custom)
    }
}

/// Writes operations as a batch: JSON, an operation a line.
pub fn write_batch(operations: &[Operation]) -> String {
    if operations.is_empty() {
        return "[]\n".to_owned();
    }
    let lines: Vec<String> = operations.iter().map(|operation| operation.to_json().to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads a batch: lines of shorthand, or JSON.
///
/// # Errors
/// The 1-based number of the line (in JSON: of the operation) that can't be read, and why.
pub fn batch(text: &str) -> Result<Vec<Operation>, (usize, Refusal)> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        let all: Vec<Json> = serde_json::from_str(text).map_err(|error| (error.line(), refusal::not_json(&error)))?;
        let read = |(at, json)| Operation::from_json(json).map_err(|refusal| (at + 1, refusal));
        return all.into_iter().enumerate().map(read).collect();
    }
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| Operation::parse(line).map_err(|refusal| (at, refusal))).collect()
}

//! Report schemas that tools read: by a template's name, by an object that has one, or by a file of the project.

use bsl::Catalog;
use dcs::Document;
use serde_json::{Value, json};

use crate::answer::call;
use crate::context::Context;
use crate::error::ToolError;
use crate::page::text;
use crate::params::Param;

/// A schema as it stands in its file.
pub(crate) struct Schema {
    /// Full name of the template; empty if a file was named.
    pub full_name: String,
    /// Path relative to the root of the dump.
    pub file: String,
    /// The document.
    pub document: Document,
}

/// The argument that names a schema.
pub(crate) const NAME: Param = Param {
    name: "name",
    aliases: &["schema", "template", "file", "path", "full_name", "report", "object", "имя", "схема", "макет", "файл"],
    kind: crate::params::ParamKind::Text,
    required: true,
    about: "Template (`Отчет.Продажи.Макет.ОсновнаяСхема`), a report with one schema, or a file of the dump \
            (`Reports/Продажи/Templates/ОсновнаяСхема/Ext/Template.xml`).",
};

impl Schema {
    /// What was asked for, for the next call.
    pub fn asked(&self) -> &str {
        if self.full_name.is_empty() { &self.file } else { &self.full_name }
    }
}

/// Opens the schema that an argument names; `tool` is named in ready calls.
///
/// # Errors
/// An unknown name; a path that leads out of the project; a file that can't be read or holds no schema; an object with several
/// schemas or none, with ready calls for them.
pub(crate) fn open(context: &Context<'_>, named: &str, tool: &str) -> Result<Schema, ToolError> {
    let schema = open_any(context, named, tool)?;
    if schema.document.is_schema() {
        return Ok(schema);
    }
    let wanted = WANTED;
    Err(ToolError::WrongKind { name: schema.asked().to_owned(), kind: "XML".to_owned(), wanted, next: Vec::new() })
}

const WANTED: (&str, &str) = ("схема компоновки данных", "a data composition schema");

/// As [`open`], also a file that can't be told to be a schema: what is wrong with it checks say.
pub(crate) fn open_any(context: &Context<'_>, named: &str, tool: &str) -> Result<Schema, ToolError> {
    if is_path(named) {
        return read(context, String::new(), named);
    }
    let thing = context.index.require(named)?;
    let sql = "SELECT full_name, file, kind FROM templates WHERE full_name = ?1 OR object = ?1 ORDER BY full_name";
    let templates = context.index.view(sql, &[&thing.full_name])?;
    let schemas: Vec<_> = templates.iter().filter(|row| text(row, "kind") == "DataCompositionSchema").collect();
    let one = schemas.iter().find(|row| text(row, "full_name") == thing.full_name).or(match schemas.as_slice() {
        [only] => Some(only),
        _ => None,
    });
    match one {
        Some(row) => read(context, text(row, "full_name").to_owned(), text(row, "file")),
        None => {
            let ready = |row: &&index::ViewRow| call(tool, &json!({ "name": text(row, "full_name") }));
            let mut next: Vec<Value> = schemas.iter().map(ready).collect();
            if next.is_empty() {
                next.push(call("object_passport", &json!({ "name": thing.full_name })));
            }
            Err(ToolError::WrongKind { name: thing.full_name, kind: thing.kind, wanted: WANTED, next })
        }
    }
}

fn is_path(named: &str) -> bool {
    let lower = named.to_lowercase();
    named.contains(['/', '\\'])
        || [".xml", ".dcs"].iter().any(|ending| lower.ends_with(ending))
        || named.starts_with('.')
}

fn read(context: &Context<'_>, full_name: String, file: &str) -> Result<Schema, ToolError> {
    let Some(path) = context.index.layer_roots()?.inside(file) else {
        return Err(ToolError::Outside { path: file.chars().take(200).collect() });
    };
    let bytes = std::fs::read(&path)
        .map_err(|error| ToolError::File { file: file.chars().take(200).collect(), why: error.to_string() })?;
    Ok(Schema { full_name, file: file.to_owned(), document: Document::parse(bytes) })
}

/// What checks ask of the configuration. None: its tables can't be read, and checks that need them are listed as left out.
pub(crate) fn catalog(context: &Context<'_>) -> Option<Box<dyn Catalog>> {
    context.index.tables().ok().map(|tables| Box::new(tables) as Box<dyn Catalog>)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_names() {
        for path in ["Reports/Р/Template.xml", "Template.dcs", "..\\x", "/etc/passwd", "../x", "./T.XML"] {
            assert!(is_path(path), "{path}");
        }
        for name in ["Отчет.Продажи", "Report.Продажи.Template.Схема", "Расш::Отчет.Х"]
        {
            assert!(!is_path(name), "{name}");
        }
    }
}

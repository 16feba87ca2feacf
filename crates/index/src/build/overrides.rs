//! Problems of extensions over their base: what they extend and the configuration doesn't have, and methods under
//! `&ИзменениеИКонтроль` whose base is another by now. They follow from rows and from texts of a few methods, so that a build and an
//! update find them in the same way.

use crate::read::{ProblemRow, Roots};
use crate::{Error, Result};
use bsl::control::{Drift, drift};
use rusqlite::{Connection, params};
use std::collections::HashMap;

/// The kind of a problem: an extension extends what the configuration doesn't have.
pub(crate) const ABSENT: &str = "absent_base";
/// The kind of a problem: the base of a method under control is another than the extension was made for.
pub(crate) const DRIFTED: &str = "drifted_control";

/// The flag of a method whose form says what it overrides.
const OF_FORM: i64 = 8;

/// Notes what handlers stand around that an extension's form calls before, after or instead of the base's (`callType`), as
/// annotations of methods are noted with their modules.
fn note_handlers(connection: &Connection) -> Result<()> {
    // What an earlier update noted may hold no more: its base is gone, or the form calls another procedure.
    connection.execute(
        "UPDATE method SET override_of = NULL, override_kind = NULL, flags = flags & ~?1 WHERE flags & ?1",
        [OF_FORM],
    )?;
    let sql = "SELECT m.id, min(e.target), m.module, m.name FROM edge e JOIN words k ON k.id = e.channel
               JOIN method m ON m.id = e.source WHERE k.word = 'extension_override' AND m.override_of IS NULL GROUP BY m.id";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?, row.get::<_, String>(3)?))
    })?;
    let methods: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
    for (method, base, form, name) in methods {
        let Some(kind) = called(connection, form, &name)?.as_deref().and_then(kind_of_call) else { continue };
        let known = "INSERT INTO words (word) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM words WHERE word = ?1)";
        connection.execute(known, [kind])?;
        connection.execute(
            "UPDATE method SET override_of = ?2, override_kind = (SELECT id FROM words WHERE word = ?3), flags = flags | ?4
             WHERE id = ?1",
            params![method, base, kind, OF_FORM],
        )?;
    }
    Ok(())
}

/// The `callType` by which a form calls a procedure.
fn called(connection: &Connection, form: i64, name: &str) -> Result<Option<String>> {
    let sql = "SELECT w.word, h.handler FROM form_handler h JOIN words w ON w.id = h.call_type WHERE h.form = ?1
               UNION ALL SELECT w.word, c.action FROM form_command c JOIN words w ON w.id = c.call_type WHERE c.form = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([form], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
    Ok(rows.into_iter().find(|(_, handler)| bsl::same_name(handler, name)).map(|(word, _)| word))
}

/// How a handler of that `callType` stands to the base's: as an annotation of the same meaning.
fn kind_of_call(call_type: &str) -> Option<&'static str> {
    match call_type {
        "Before" => Some("before"),
        "After" => Some("after"),
        "Override" => Some("around"),
        _ => None,
    }
}

/// Puts the problems in the place of those that stood there, after noting what handlers of forms override. Without a main
/// configuration there is neither.
pub(crate) fn write_problems(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM problem WHERE kind IN (?1, ?2)", [ABSENT, DRIFTED])?;
    let layers: HashMap<String, usize> = connection
        .prepare("SELECT kind, count(*) FROM layer GROUP BY kind")?
        .query_map([], |row| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize)))?
        .collect::<rusqlite::Result<_>>()?;
    if !layers.contains_key("main") || !layers.contains_key("extension") {
        return Ok(());
    }
    note_handlers(connection)?;
    let mut problems = absent(connection)?;
    problems.extend(drifted(connection)?);
    let mut insert = connection.prepare("INSERT INTO problem VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for ProblemRow { file, line, kind, message_ru, message_en } in problems {
        insert.execute(params![file, line, kind, message_ru, message_en])?;
    }
    Ok(())
}

/// Annotations, and handlers of forms, whose base the configuration doesn't have; a place once.
fn absent(connection: &Connection) -> Result<Vec<ProblemRow>> {
    let sql = "SELECT DISTINCT f.path, d.line, d.known FROM dynamic_site d JOIN file f ON f.id = d.file
               JOIN words w ON w.id = d.kind WHERE w.word = ?1 ORDER BY f.path, d.line, d.known";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([graph::channels::extension_override::ABSENT], |row| {
        let known: String = row.get(2)?;
        Ok(ProblemRow {
            file: row.get(0)?,
            line: row.get(1)?,
            kind: ABSENT.to_owned(),
            message_ru: format!("расширяемого объекта нет в этой конфигурации: {known}"),
            message_en: format!("base object not in this configuration: {known}"),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A method of a module.
struct Text {
    name: String,
    path: String,
    line: u32,
    end_line: u32,
}

/// Methods under control whose unmarked text is no longer their base's.
fn drifted(connection: &Connection) -> Result<Vec<ProblemRow>> {
    let sql = "SELECT en.name, ef.path, e.line, e.end_line, bn.name, bf.path, b.line, b.end_line
               FROM method e JOIN method b ON b.id = e.override_of JOIN module em ON em.id = e.module
               JOIN module bm ON bm.id = b.module JOIN file ef ON ef.id = em.file JOIN file bf ON bf.id = bm.file
               JOIN names en ON en.id = e.id JOIN names bn ON bn.id = b.id JOIN words w ON w.id = e.override_kind
               WHERE w.word = 'change_and_validate' ORDER BY ef.path, e.line";
    let mut statement = connection.prepare(sql)?;
    let text = |row: &rusqlite::Row<'_>, from: usize| {
        let (name, path) = (row.get(from)?, row.get(from + 1)?);
        Ok::<_, rusqlite::Error>(Text { name, path, line: row.get(from + 2)?, end_line: row.get(from + 3)? })
    };
    let pairs: Vec<(Text, Text)> =
        statement.query_map([], |row| Ok((text(row, 0)?, text(row, 4)?)))?.collect::<rusqlite::Result<_>>()?;
    let mut files = Files { roots: Roots::of(connection)?, read: HashMap::new() };
    let mut problems = Vec::new();
    for (extension, base) in pairs {
        // What can't be read is a problem of its own, listed where modules are read.
        let (Ok(base_text), Ok(text)) = (files.method(&base), files.method(&extension)) else { continue };
        if let Some(Drift { base: base_line, extension: line }) = drift(&base_text, &text) {
            let place = format!("{}:{}", base.path, base.line.saturating_add(base_line));
            problems.push(ProblemRow {
                file: extension.path,
                line: extension.line.saturating_add(line),
                kind: DRIFTED.to_owned(),
                message_ru: format!(
                    "{}: &ИзменениеИКонтроль сделано для другого текста метода {}, расхождение с {place}; расширение не подключится",
                    extension.name, base.name
                ),
                message_en: format!(
                    "{}: &ChangeAndValidate was made for another text of {}, first difference at {place}; the extension won't \
                     be connected",
                    extension.name, base.name
                ),
            });
        }
    }
    Ok(problems)
}

/// Texts of modules, the last ones read.
struct Files {
    roots: Roots,
    read: HashMap<String, String>,
}

/// So many modules are kept at once.
const MOST_FILES: usize = 16;

impl Files {
    fn method(&mut self, method: &Text) -> Result<String> {
        if !self.read.contains_key(&method.path) {
            if self.read.len() >= MOST_FILES {
                self.read.clear();
            }
            let path = self.roots.path(&method.path);
            let bytes = metadata::module_text(&path).map_err(Error::source_of(&path))?;
            self.read.insert(method.path.clone(), String::from_utf8_lossy(&bytes).into_owned());
        }
        let text = self.read.get(&method.path).map_or("", String::as_str);
        let (first, count) =
            (method.line.saturating_sub(1) as usize, method.end_line.saturating_sub(method.line) as usize);
        Ok(text.split_inclusive('\n').skip(first).take(count + 1).collect())
    }
}

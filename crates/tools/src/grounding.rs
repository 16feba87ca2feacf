//! Whether a dotted name in a text is one of the configuration.

use index::{Index, Resolution};
use metadata::kinds::Kind;

/// What is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameState {
    /// It exists.
    Known,
    /// It has the shape of a configuration's name, and no such thing exists.
    Unknown {
        /// The nearest names, best first.
        nearest: Vec<String>,
    },
    /// Nothing says that it is a name of the configuration.
    NotAName,
}

/// Looks a dotted name up.
///
/// A name that begins with a kind (`Справочник.Валюты`, `Catalog.Валюты.Attribute.Курс`) or with a common module
/// (`ОбщегоНазначения.Метод`) is judged; any other is not one, since a variable of any name may stand before a dot. After a
/// manager (`Справочники.Валюты.НайтиПоКоду`) members of the platform may follow: there only the object is judged.
///
/// # Errors
/// If the index can't be read.
pub fn check(index: &Index, name: &str) -> index::Result<NameState> {
    let name = name.trim_end_matches(".$body");
    let mut parts: Vec<&str> = name.split('.').collect();
    if parts.len() > 2
        && parts.first().is_some_and(|first| matches!(first.to_lowercase().as_str(), "метаданные" | "metadata"))
    {
        parts.remove(0);
    }
    let [first, second, ..] = parts.as_slice() else { return Ok(NameState::NotAName) };
    let word = Kind::from_word(first).filter(|kind| kind.is_top());
    if let Some(kind) = word.or_else(|| Kind::from_type(first).map(|(kind, _)| kind)) {
        if is_known(index, &parts.join("."))? {
            return Ok(NameState::Known);
        }
        let object = format!("{}.{second}", kind.en());
        let info = kind.info();
        let is_manager =
            [info.ru_plural, info.en_plural].iter().any(|plural| plural.to_lowercase() == first.to_lowercase());
        if is_manager && is_known(index, &object)? {
            return Ok(NameState::Known);
        }
        let canonical = format!("{}.{}", kind.en(), parts.get(1..).unwrap_or_default().join("."));
        return unknown(index, &canonical);
    }
    let module = format!("CommonModule.{first}");
    if !is_known(index, &module)? {
        return Ok(NameState::NotAName);
    }
    let full = format!("CommonModule.{}", parts.join("."));
    if is_known(index, &full)? { Ok(NameState::Known) } else { unknown(index, &full) }
}

/// Whether a name means a thing as a whole, not only by its last part.
fn is_known(index: &Index, name: &str) -> index::Result<bool> {
    Ok(match index.resolve(name)? {
        Resolution::Found(_) => true,
        Resolution::Ambiguous(_) | Resolution::Unknown { .. } => false,
    })
}

fn unknown(index: &Index, name: &str) -> index::Result<NameState> {
    let nearest = index.nearest(name, 3)?.into_iter().map(|named| named.full_name).collect();
    Ok(NameState::Unknown { nearest })
}

//! From a name as a person types it to a number, and to the nearest names where there is none.

use super::{Index, NameId};
use crate::names::{self, last_part, trigrams};
use crate::{Error, Result};
use bsl::distance;
use graph::world::layers::without_layer;
use serde::Serialize;

/// How many names are offered for an unknown or ambiguous one.
const OFFERED: usize = 5;
/// How many of the things that share a name are offered: an event handler's name is every form's.
const CANDIDATES: usize = 20;
/// How many names pass the trigram filter to be compared letter by letter.
const COMPARED: usize = 400;

/// A thing with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its number in this index.
    #[serde(skip)]
    pub id: NameId,
    /// Canonical full name.
    pub full_name: String,
    /// Kind: a kind of metadata, `method` or `module`; `Item` and `Command` of a form.
    pub kind: String,
}

/// What a typed name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// This one.
    Found(Named),
    /// One of these.
    Ambiguous(Vec<Named>),
    /// Nothing; these come near, best first.
    Unknown {
        /// The nearest names.
        nearest: Vec<Named>,
    },
}

impl Index {
    /// Resolves a name: Russian kinds, plurals, type names and any case are understood
    /// (`Справочники.Валюты`, `СправочникСсылка.Валюты`); so is a bare name that only one thing has, and a path without the
    /// words for kinds of parts (`Справочник.Валюты.Курс`, `Документ.Заказ.Товары.Цена`).
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn resolve(&self, typed: &str) -> Result<Resolution> {
        let typed = typed.trim();
        let canonical = metadata::names::canonical(typed).unwrap_or_else(|| typed.to_owned());
        for name in [canonical.as_str(), typed] {
            if let Some(found) = self.by_key(name)? {
                return Ok(Resolution::Found(found));
            }
        }
        if let Some(found) = self.by_module_name(typed)? {
            return Ok(Resolution::Found(found));
        }
        let mut same = self.by_last_part(typed)?;
        if same.is_empty() {
            same = self.by_short_path(&canonical)?;
        }
        match same.len() {
            0 => Ok(Resolution::Unknown { nearest: self.nearest(&canonical, OFFERED)? }),
            1 => Ok(Resolution::Found(same.remove(0))),
            _ => Ok(Resolution::Ambiguous(same)),
        }
    }

    /// Resolves a name that must be there.
    ///
    /// # Errors
    /// [`Error::UnknownName`] with the nearest names, [`Error::AmbiguousName`] with the candidates.
    pub fn require(&self, typed: &str) -> Result<Named> {
        let names = |list: Vec<Named>| list.into_iter().map(|n| n.full_name).collect();
        match self.resolve(typed)? {
            Resolution::Found(named) => Ok(named),
            Resolution::Ambiguous(mut candidates) => {
                let total = candidates.len();
                candidates.truncate(CANDIDATES);
                Err(Error::AmbiguousName { name: typed.to_owned(), candidates: names(candidates), total })
            }
            Resolution::Unknown { nearest } => {
                Err(Error::UnknownName { name: typed.to_owned(), nearest: names(nearest) })
            }
        }
    }

    /// The thing of that full name, in any case.
    pub(crate) fn by_key(&self, full_name: &str) -> Result<Option<Named>> {
        let rows =
            self.rows("SELECT id, name FROM names WHERE key = ?1 AND NOT ghost", [names::key(full_name)], |row| {
                Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?))
            })?;
        match rows.into_iter().find(|(_, name)| bsl::same_name(name, full_name)) {
            Some((id, _)) => self.named(id).map(Some),
            None => Ok(None),
        }
    }

    /// A thing by its number, with its kind.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn named(&self, id: NameId) -> Result<Named> {
        let kind = self.rows(
            "SELECT w.word FROM object o JOIN words w ON w.id = o.kind WHERE o.id = ?1
             UNION ALL SELECT 'method' FROM method WHERE id = ?1
             UNION ALL SELECT w.word FROM attribute a JOIN words w ON w.id = a.kind WHERE a.id = ?1
             UNION ALL SELECT 'module' FROM module WHERE id = ?1 LIMIT 1",
            [id],
            |row| row.get(0),
        )?;
        let full_name = self.full_name(id)?;
        let kind = match kind.into_iter().next() {
            Some(kind) => kind,
            None if self.is_predefined(&full_name)? => "predefined".to_owned(),
            // A form's items and commands have no rows of their own there: the name says what they are.
            None => full_name.rsplit('.').nth(1).unwrap_or("").to_owned(),
        };
        Ok(Named { id, kind, full_name })
    }

    /// Whether a full name is that of a predefined item.
    fn is_predefined(&self, full_name: &str) -> Result<bool> {
        let Some((owner, item)) = full_name.rsplit_once('.') else { return Ok(false) };
        let found = self.rows(
            "SELECT 1 FROM names n JOIN predefined_item p ON p.owner = n.id WHERE n.key = ?1 AND p.name = ?2",
            (names::key(owner), item),
            |_| Ok(()),
        )?;
        Ok(!found.is_empty())
    }

    /// `ОбщегоНазначения.Метод` and `ОбщегоНазначения`: how code writes a common module.
    fn by_module_name(&self, typed: &str) -> Result<Option<Named>> {
        if typed.is_empty() || typed.matches('.').count() > 1 {
            return Ok(None);
        }
        self.by_key(&format!("CommonModule.{typed}"))
    }

    /// Things whose last part (or parts) are what was typed: methods and objects before their parts.
    fn by_last_part(&self, typed: &str) -> Result<Vec<Named>> {
        let folded = bsl::fold(typed);
        if folded.chars().count() < 2 {
            return Ok(Vec::new());
        }
        let wanted = trigrams(&folded).cast_signed();
        let candidates =
            self.rows("SELECT id, name FROM names WHERE trigrams & ?1 = ?1 AND NOT ghost", [wanted], |row| {
                Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?))
            })?;
        let mut found = Vec::new();
        for (id, name) in candidates {
            if bsl::fold(&name).strip_suffix(&folded).is_some_and(|before| before.ends_with('.')) {
                found.push(self.named(id)?);
            }
        }
        let rank = |named: &Named| match named.kind.as_str() {
            "Item" => 3,
            "method" | "module" => 0,
            _ if named.full_name.matches('.').count() == 1 => 0,
            _ => 1,
        };
        let best = found.iter().map(rank).min().unwrap_or(0);
        found.retain(|named| rank(named) == best && !named.full_name.ends_with("$body"));
        found.sort_by(|a, b| a.full_name.len().cmp(&b.full_name.len()).then_with(|| a.full_name.cmp(&b.full_name)));
        Ok(found)
    }

    /// Things whose full name is what was typed with words for kinds put in: `Catalog.Валюты.Курс` is
    /// `Catalog.Валюты.Attribute.Курс`, and so is `Валюты.Курс`. Those of the configuration before those of extensions, unless a
    /// layer is typed.
    fn by_short_path(&self, canonical: &str) -> Result<Vec<Named>> {
        let typed: Vec<&str> = canonical.split('.').collect();
        let (Some(last), 2..) = (typed.last(), typed.len()) else { return Ok(Vec::new()) };
        let mut found: Vec<(bool, Named)> = Vec::new();
        for stored in std::iter::once(*last).chain(metadata::standard::names_of(last)) {
            let wanted = bsl::fold(&format!(".{stored}"));
            let set = trigrams(&wanted).cast_signed();
            let candidates =
                self.rows("SELECT id, name FROM names WHERE trigrams & ?1 = ?1 AND NOT ghost", [set], |row| {
                    Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?))
                })?;
            for (id, name) in candidates.into_iter().filter(|(_, name)| bsl::fold(name).ends_with(&wanted)) {
                let whole = if canonical.contains("::") { name.as_str() } else { without_layer(&name) };
                let full: Vec<&str> = whole.split('.').collect();
                let renamed = stored != *last;
                if (!renamed || name.contains(".StandardAttribute.")) && leaves_out_kinds(&full, &typed, renamed) {
                    found.push((whole.len() < name.len(), self.named(id)?));
                }
            }
        }
        let in_base = found.iter().any(|(of_extension, _)| !of_extension);
        found.retain(|(of_extension, _)| !(in_base && *of_extension));
        found.sort_by(|(_, a), (_, b)| (a.full_name.len(), &a.full_name).cmp(&(b.full_name.len(), &b.full_name)));
        Ok(found.into_iter().map(|(_, named)| named).collect())
    }

    /// The names nearest to a typed one, best first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn nearest(&self, typed: &str, limit: usize) -> Result<Vec<Named>> {
        let folded = bsl::fold(typed);
        let (whole, last) = (trigrams(&folded), trigrams(last_part(&folded)));
        let mut candidates: Vec<(u32, NameId)> = Vec::new();
        let mut statement = self.connection.prepare_cached("SELECT id, trigrams FROM names WHERE NOT ghost")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let set = row.get::<_, i64>(1)?.cast_unsigned();
            let missing =
                (last & !set).count_ones() * 4 + (whole & !set).count_ones() * 2 + (set & !whole).count_ones();
            candidates.push((missing, row.get(0)?));
        }
        let compared = COMPARED.min(candidates.len());
        if compared < candidates.len() {
            candidates.select_nth_unstable(compared);
        }
        candidates.truncate(compared);
        let wanted: Vec<char> = folded.chars().collect();
        let wanted_last: Vec<char> = last_part(&folded).chars().collect();
        let mut scored = Vec::new();
        for (_, id) in candidates {
            let name = self.full_name(id)?;
            if name.ends_with("$body") {
                continue;
            }
            let folded = bsl::fold(&name);
            let own: Vec<char> = last_part(&folded).chars().collect();
            let limit = (wanted_last.len().max(own.len()) / 2).max(2);
            let Some(near) = distance(&wanted_last, &own, limit) else { continue };
            let chars: Vec<char> = folded.chars().collect();
            let whole = distance(&wanted, &chars, wanted.len().max(chars.len())).unwrap_or(usize::MAX / 4);
            scored.push((near * 3 + whole, name.len(), id));
        }
        scored.sort_unstable();
        scored.into_iter().take(limit).map(|(_, _, id)| self.named(id)).collect()
    }
}

/// Whether the parts of a full name are those typed, but for words for kinds. `renamed`: the last part has another name.
fn leaves_out_kinds(full: &[&str], typed: &[&str], renamed: bool) -> bool {
    match (full, typed) {
        ([_], [_]) if renamed => true,
        ([part, rest @ ..], [one, others @ ..])
            if bsl::same_name(part, one) && leaves_out_kinds(rest, others, renamed) =>
        {
            true
        }
        ([word, rest @ ..], _) => is_kind_word(word) && leaves_out_kinds(rest, typed, renamed),
        ([], rest) => rest.is_empty(),
    }
}

/// Whether a part of a full name says only of which kind the next one is.
fn is_kind_word(word: &str) -> bool {
    word == "Item"
        || metadata::Kind::named(word).is_some()
        || metadata::ModuleKind::ALL.into_iter().any(|kind| kind.as_str() == word)
}

#[cfg(test)]
mod tests {
    use super::leaves_out_kinds;

    fn fits(full: &str, typed: &str) -> bool {
        let (full, typed): (Vec<&str>, Vec<&str>) = (full.split('.').collect(), typed.split('.').collect());
        leaves_out_kinds(&full, &typed, false)
    }

    #[test]
    fn only_words_for_kinds_may_be_left_out() {
        let cell = "Document.Заказ.TabularSection.Товары.Attribute.Цена";
        for typed in ["Document.Заказ.Товары.Цена", "Document.Заказ.TabularSection.Товары.цена", "заказ.Товары.Цена"]
        {
            assert!(fits(cell, typed), "{typed}");
        }
        for typed in
            ["Document.Заказ.Цена", "Catalog.Заказ.Товары.Цена", "Document.Товары.Цена", "Document.Заказ.Товары"]
        {
            assert!(!fits(cell, typed), "{typed}");
        }
        assert!(fits("Enum.Цвета.EnumValue.Красный", "Enum.Цвета.Красный"));
        assert!(
            fits("Catalog.А.ManagerModule.Найти", "Catalog.А.Найти")
                && !fits("Catalog.А.Form.Б.Найти", "Catalog.А.Найти")
        );
    }
}

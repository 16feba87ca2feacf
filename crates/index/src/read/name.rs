//! From a name as a person types it to a number, and to the nearest names where there is none.

use super::{Index, NameId};
use crate::names::{self, last_part, trigrams};
use crate::{Error, Result};
use bsl::distance;
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
    /// (`Справочники.Валюты`, `СправочникСсылка.Валюты`); so is a bare name that only one thing has.
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

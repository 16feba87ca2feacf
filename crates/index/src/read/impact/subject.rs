//! The thing whose change is looked at: its numbers, and what code calls it.

use super::super::{Index, NameId, Named};
use crate::{Error, Result};
use graph::impact::mentions::{Part, Role, Wanted};
use graph::world::layers::without_layer;
use metadata::Kind;
use rustc_hash::FxHashSet;

/// Parts of a tabular section that are looked for in code.
const MOST_PARTS: usize = 60;
/// Kinds of which values are stored in the database; attributes of other objects live as long as the object in memory.
const STORED: [&str; 13] = [
    "Catalog",
    "Document",
    "ChartOfCharacteristicTypes",
    "ChartOfAccounts",
    "ChartOfCalculationTypes",
    "BusinessProcess",
    "Task",
    "ExchangePlan",
    "InformationRegister",
    "AccumulationRegister",
    "AccountingRegister",
    "CalculationRegister",
    "Constant",
];

/// A thing whose change is looked at.
pub(crate) struct Subject {
    pub id: NameId,
    pub full_name: String,
    /// Kind, as [`Named`](super::super::Named) has it.
    pub kind: String,
    /// Its object of the top level (`Catalog.X`).
    pub top: String,
    /// Everything that goes away with it: its parts, its modules and their methods, its forms and their items.
    pub inside: FxHashSet<NameId>,
    /// What code may name.
    pub wanted: Vec<Wanted>,
    /// By wanted piece: its number.
    pub wanted_ids: Vec<NameId>,
}

impl Subject {
    pub fn is_object(&self) -> bool {
        self.full_name == self.top
    }

    pub fn is_method(&self) -> bool {
        self.kind == "method"
    }

    /// Kind and own name of its object.
    pub fn object(&self) -> Option<(Kind, &str)> {
        let (kind, name) = without_layer(&self.top).split_once('.')?;
        Some((Kind::named(kind)?, name))
    }

    /// Whether values of it are stored in the database.
    pub fn is_stored(&self) -> bool {
        let parts = ["Attribute", "Dimension", "Resource", "TabularSection", "AddressingAttribute", "AccountingFlag"];
        let stored = self.object().is_some_and(|(kind, _)| STORED.contains(&kind.en()));
        let value = matches!(self.kind.as_str(), "EnumValue" | "predefined");
        value || stored && (self.is_object() || parts.contains(&self.kind.as_str()))
    }
}

/// What a typed name means: a thing of the index, or a predefined item, which has no number of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactTarget {
    /// The thing; of a predefined item its owner.
    pub named: Named,
    /// Own name of a predefined item.
    pub item: Option<String>,
}

impl ImpactTarget {
    /// Its full name.
    #[must_use]
    pub fn full_name(&self) -> String {
        match &self.item {
            Some(item) => format!("{}.{item}", self.named.full_name),
            None => self.named.full_name.clone(),
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        if self.item.is_some() { "predefined" } else { &self.named.kind }
    }
}

impl From<Named> for ImpactTarget {
    fn from(named: Named) -> Self {
        Self { named, item: None }
    }
}

/// Kinds of objects that code also names without their kind, as what: a common attribute is a field of whatever has it, a
/// constant one of a set of constants; the others are keys.
const NAMED_ALONE: [(&str, Role); 5] = [
    ("CommonAttribute", Role::Field),
    ("Constant", Role::Field),
    ("FunctionalOptionsParameter", Role::Named),
    ("CommonPicture", Role::Named),
    ("StyleItem", Role::Named),
];

impl Index {
    /// Resolves a name that must be there, predefined items (`Справочник.Валюты.Рубль`) among them.
    ///
    /// # Errors
    /// As [`Index::require`].
    pub fn require_target(&self, typed: &str) -> Result<ImpactTarget> {
        let error = match self.require(typed) {
            Ok(named) if named.kind != "predefined" => return Ok(named.into()),
            Ok(named) => Error::UnknownName { name: named.full_name, nearest: Vec::new() },
            Err(error) => error,
        };
        let typed = match &error {
            Error::UnknownName { name, nearest } if nearest.is_empty() => name.clone(),
            _ => typed.to_owned(),
        };
        let typed = metadata::names::canonical(&typed).unwrap_or(typed);
        if let Some((owner, item)) = typed.rsplit_once('.')
            && let Some(named) = self.by_key(owner)?
        {
            let items = self
                .rows("SELECT name FROM predefined_item WHERE owner = ?1", [named.id], |row| row.get::<_, String>(0))?;
            if let Some(item) = items.into_iter().find(|name| bsl::same_name(name, item)) {
                return Ok(ImpactTarget { named, item: Some(item) });
            }
        }
        Err(error)
    }

    /// Support of the innermost object that a thing is, or belongs to.
    pub(crate) fn support_of(&self, full_name: &str) -> Result<String> {
        let mut name = full_name;
        loop {
            if let Some(named) = self.by_key(name)?
                && let Some(object) = self.object(named.id)?
            {
                return Ok(object.support);
            }
            let Some((shorter, _)) = name.rsplit_once('.') else { return Ok(String::new()) };
            name = shorter;
        }
    }

    pub(crate) fn subject(&self, target: &ImpactTarget) -> Result<Subject> {
        let mut named = target.named.clone();
        let id = named.id;
        if let Some(item) = &target.item {
            named.full_name = format!("{}.{item}", named.full_name);
            named.kind = "predefined".to_owned();
        }
        let top: String = named.full_name.split('.').take(2).collect::<Vec<_>>().join(".");
        let mut inside = FxHashSet::default();
        if target.item.is_none() {
            inside.insert(id);
        }
        if named.kind != "method" {
            // `/` comes right after `.`: all names that go on with a dot.
            let range = [format!("{}.", named.full_name), format!("{}/", named.full_name)];
            inside.extend(
                self.rows("SELECT id FROM names WHERE name > ?1 AND name < ?2", range, |row| row.get::<_, NameId>(0))?,
            );
        }
        let mut subject = Subject {
            id,
            kind: named.kind,
            top,
            inside,
            wanted: Vec::new(),
            wanted_ids: Vec::new(),
            full_name: named.full_name,
        };
        self.find_wanted(&mut subject)?;
        Ok(subject)
    }

    /// A subject that is an object of the top level, for what refers to it in code.
    pub(crate) fn object_wanted(full_name: &str) -> Option<Wanted> {
        let (kind, name) = without_layer(full_name).split_once('.')?;
        let kind = Kind::named(kind).filter(|kind| kind.is_top())?;
        // Of nested subsystems code writes the names on the way to them; the last one tells them apart.
        let object = name.rsplit('.').next().unwrap_or(name).to_owned();
        Some(Wanted { kind, object, part: None, unique: false })
    }

    fn find_wanted(&self, subject: &mut Subject) -> Result<()> {
        let (id, full_name) = (subject.id, subject.full_name.clone());
        if subject.is_method() || subject.kind == "module" && !subject.is_object() {
            return Ok(());
        }
        if subject.is_object() || without_layer(&subject.top).starts_with("Subsystem.") {
            if let Some(wanted) = Self::object_wanted(&full_name) {
                let role = NAMED_ALONE.iter().find(|(kind, _)| wanted.kind.is(kind)).map(|(_, role)| *role);
                let part = |role| Part { role, name: wanted.object.clone(), name_en: None, section: None, kind: None };
                subject.wanted.extend(role.map(|role| Wanted { part: Some(part(role)), ..wanted.clone() }));
                subject.wanted.insert(0, wanted);
                subject.wanted_ids.resize(subject.wanted.len(), id);
            }
            return Ok(());
        }
        let Some((kind, object)) = subject.object().map(|(kind, name)| (kind, name.to_owned())) else { return Ok(()) };
        let mut push = |id: NameId, part: Part, unique: bool| {
            subject.wanted.push(Wanted { kind, object: object.clone(), part: Some(part), unique });
            subject.wanted_ids.push(id);
        };
        let attributes = self.rows(
            "SELECT a.id, a.name, n.name, w.word, h.name FROM attribute a JOIN words w ON w.id = a.kind
             JOIN names n ON n.id = a.id LEFT JOIN object h ON h.id = a.holder WHERE a.id = ?1 OR a.holder = ?1",
            [id],
            |row| {
                Ok((
                    row.get::<_, NameId>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, String>(3)?,
                    row.get::<_, Option<String>>(4)?,
                ))
            },
        )?;
        for (id, name, full_name, kind, section) in attributes.into_iter().take(MOST_PARTS) {
            let standard = kind == "StandardAttribute";
            let role = match (kind.as_str(), &section) {
                ("EnumValue", _) => Role::Value,
                (_, Some(_)) => Role::RowField,
                _ => Role::Field,
            };
            let name_en = standard.then(|| name.clone());
            let name = crate::names::standard_ru(&full_name).map_or(name, str::to_owned);
            let unique = !standard && self.is_unique(&name)?;
            push(id, Part { role, name, name_en, section, kind: None }, unique);
        }
        let own = crate::names::last_part(&full_name).to_owned();
        let subject_kind = subject.kind.clone();
        match subject_kind.as_str() {
            "TabularSection" => {
                let unique = self.is_unique(&own)?;
                let part = Part { role: Role::Field, name: own, name_en: None, section: None, kind: None };
                subject.wanted.insert(0, Wanted { kind, object, part: Some(part), unique });
                subject.wanted_ids.insert(0, id);
            }
            "Form" | "Template" | "Command" => {
                let kind = Kind::named(&subject_kind);
                push(id, Part { role: Role::Named, name: own, name_en: None, section: None, kind }, false);
            }
            "predefined" => {
                push(id, Part { role: Role::Value, name: own, name_en: None, section: None, kind: None }, false);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether one object alone has a field or a tabular section of that name.
    fn is_unique(&self, name: &str) -> Result<bool> {
        let count = self.rows(
            "SELECT (SELECT count(*) FROM attribute WHERE name = ?1)
                  + (SELECT count(*) FROM object WHERE name = ?1 AND parent IS NOT NULL)",
            [name],
            |row| row.get::<_, u32>(0),
        )?;
        Ok(count.first().is_some_and(|&count| count == 1))
    }
}

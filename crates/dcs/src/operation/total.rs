//! Totals (resources): add, modify, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::Names;
use super::target::{Fields, required, same};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{Schema, Total};

options! {
    /// Adds a total for a field: `Сумма`, or `Сумма = Максимум(Сумма)`.
    AddTotal {
        /// The field's path.
        name: String,
        /// How it is calculated; `Сумма(field)` if left out.
        expression: String,
        /// The groups it is calculated for; all if left out.
        groups: Names,
    }
}
applies!(AddTotal, add);

fn add<'d>(this: &AddTotal, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let fields = Fields::of(at.schema, &|_| false);
    fields.require(path)?;
    let groups_of = |total: Total<'_>| total.groups().map(|group| group.to_lowercase()).collect::<Vec<_>>();
    let wanted: Vec<String> = this.groups.0.iter().map(|group| group.to_lowercase()).collect();
    if at.schema.totals().any(|total| same(&total.data_path(), path) && groups_of(total) == wanted) {
        return Err(Refusal::exists(("итог", "total"), path));
    }
    let expression = match this.expression.trim() {
        "" => format!("Сумма({path})"),
        text => {
            fields.require_all(at.schema, text)?;
            text.to_owned()
        }
    };
    let mut parts = vec![New::text(name("sch:dataPath"), path), New::text(name("sch:expression"), expression)];
    parts.extend(this.groups.0.iter().map(|group| New::text(name("sch:group"), group.as_str())));
    draft.insert(at.schema.element(), New::with(name("sch:totalField"), parts))?;
    Ok(Say::new(format!("Добавлен итог «{path}»"), format!("Added the total \"{path}\"")))
}

/// The total of a field, of some groups if there are several.
fn total<'d>(schema: Schema<'d>, path: &str, groups: Option<&Names>) -> Result<Element<'d>, Refusal> {
    let all: Vec<Total<'d>> = schema.totals().filter(|total| same(&total.data_path(), path)).collect();
    let wanted = |total: &Total<'d>| {
        groups.is_none_or(|groups| {
            let there: Vec<String> = total.groups().map(|group| group.to_lowercase()).collect();
            there.len() == groups.0.len() && groups.0.iter().all(|group| there.contains(&group.to_lowercase()))
        })
    };
    let mut found = all.iter().copied().filter(wanted);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.element()),
        (Some(_), Some(_)) => {
            let mut refusal = Refusal::new(
                format!("У поля «{path}» несколько итогов: укажите группировки (@группировки(…))"),
                format!("The field \"{path}\" has several totals: name the groups (@groups(…))"),
            );
            let joined = |total: &Total<'d>| total.groups().collect::<Vec<_>>().join(", ");
            refusal.nearest = all.iter().map(joined).collect();
            Err(refusal)
        }
        (None, _) => {
            let names: Vec<String> = schema.totals().map(|total| total.data_path().into_owned()).collect();
            Err(Refusal::unknown(("итог", "total"), path, names.iter().map(String::as_str)))
        }
    }
}

options! {
    /// Changes a total.
    ModifyTotal {
        /// The field's path.
        name: String,
        /// Which of the field's totals, if there are several: its groups.
        of: Option<Names>,
        /// How it is calculated.
        expression: Option<String>,
        /// The groups it is calculated for.
        groups: Option<Names>,
    }
}
applies!(ModifyTotal, modify);

fn modify<'d>(this: &ModifyTotal, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let total = total(at.schema, path, this.of.as_ref())?;
    if let Some(text) = &this.expression {
        let text = required(text, "expression", "выражение", "the expression")?;
        Fields::of(at.schema, &|_| false).require_all(at.schema, text)?;
        draft.set_child(total, name("sch:expression"), Some(text))?;
    }
    if let Some(groups) = &this.groups {
        let old: Vec<Element<'d>> = total.all("group").collect();
        for (number, group) in groups.0.iter().enumerate() {
            match old.get(number) {
                Some(element) => draft.set_text(*element, group)?,
                None => draft.insert(total, New::text(name("sch:group"), group.as_str()))?,
            }
        }
        for element in old.into_iter().skip(groups.0.len()) {
            draft.remove(element)?;
        }
    }
    Ok(Say::new(format!("Изменён итог «{path}»"), format!("Changed the total \"{path}\"")))
}

options! {
    /// Removes a total.
    RemoveTotal {
        /// The field's path.
        name: String,
        /// Which of the field's totals, if there are several: its groups.
        groups: Option<Names>,
    }
}
applies!(RemoveTotal, remove);

fn remove<'d>(this: &RemoveTotal, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let total = total(at.schema, path, this.groups.as_ref())?;
    needs::remove(at, draft, &[total])?;
    Ok(Say::new(format!("Удалён итог «{path}»"), format!("Removed the total \"{path}\"")))
}

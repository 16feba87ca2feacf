//! The user's fields of a variant (`ПользовательскиеПоля.…`): an expression, or a value for each case; add, modify, rename, remove.
//!
//! A field belongs to the settings it stands in: another variant may have one of the same path.

use super::draft::{Draft, shown};
use super::filter::new_items;
use super::refusal::{Refusal, Say};
use super::shorthand::{Texts, ValuePlace, is_path, parts_at, split, titled, value};
use super::spot::{add_to, set, spot};
use super::target::{Fields, leads_from, paths, place, required, same};
use super::uses::{Named, rewrite, uses};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::Schema;

/// The folder of such fields, in both languages.
const FOLDERS: [&str; 2] = ["ПользовательскиеПоля", "UserFields"];

/// Whether a path begins in the folder of the user's fields.
pub(super) fn is_path_of_user(path: &str) -> bool {
    let folder = path.split('.').next().unwrap_or("").trim();
    FOLDERS.iter().any(|known| same(known, folder))
}

/// The settings that an element stands in, or is.
pub(super) fn settings_of(element: Element<'_>) -> Option<Element<'_>> {
    std::iter::successors(Some(element), |at| at.parent())
        .find(|at| at.of().is_some_and(|of| of.name.local == "Settings"))
}

/// The user's fields of settings.
pub(super) fn all(settings: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    settings.child("userFields").into_iter().flat_map(|list| list.all("item"))
}

/// Whether a place that names a path means the field of these settings: it stands in them, or outside of all settings while no
/// others have such a field.
pub(super) fn is_meant<'d>(schema: Schema<'d>, settings: Element<'d>, path: &str, place: Element<'d>) -> bool {
    match settings_of(place) {
        Some(around) => around == settings,
        None => {
            let others = schema.all_settings().into_iter().map(|(_, settings)| settings.element());
            !others.filter(|other| *other != settings).flat_map(all).any(|field| same(&field.text_of("dataPath"), path))
        }
    }
}

/// The name of a field without its folder.
fn tail(path: &str) -> &str {
    path.split_once('.').map_or(path, |(_, tail)| tail)
}

/// The field of a path, with or without its folder, or of a title.
fn find<'d>(settings: Element<'d>, wanted: &str) -> Result<Element<'d>, Refusal> {
    let is_wanted = |field: &Element<'d>| {
        let path = field.text_of("dataPath");
        same(&path, wanted) || same(tail(&path), wanted)
    };
    let titled: Vec<Element<'d>> = all(settings).filter(|field| same(&title_of(*field), wanted)).collect();
    let by_title = match &titled[..] {
        [one] => Some(*one),
        _ => None,
    };
    all(settings).find(is_wanted).or(by_title).ok_or_else(|| {
        let paths: Vec<String> = all(settings).map(|field| tail(&field.text_of("dataPath")).to_owned()).collect();
        Refusal::unknown(("пользовательское поле", "user field"), wanted, paths.iter().map(String::as_str))
    })
}

fn title_of(field: Element<'_>) -> String {
    let title = shown(field.child("lwsTitle"));
    if title.is_empty() { field.text_of("title").into_owned() } else { title }
}

/// The path of a new field: in the folder that the settings use already.
fn path_of(settings: Element<'_>, wanted: &str) -> Result<String, Refusal> {
    let own = if is_path_of_user(wanted) { tail(wanted) } else { wanted };
    if !is_path(own) || own.contains('.') {
        return Err(Refusal::new(
            format!("«{own}» не может быть именем пользовательского поля: буквы, цифры и подчёркивание"),
            format!("\"{own}\" can't be the name of a user's field: letters, digits and underscore"),
        ));
    }
    if is_path_of_user(wanted) {
        return Ok(wanted.to_owned());
    }
    let there = all(settings).next().map(|field| field.text_of("dataPath").into_owned());
    let folder = there.as_deref().and_then(|path| path.split('.').next()).filter(|folder| is_path_of_user(folder));
    Ok(format!("{}.{own}", folder.unwrap_or(FOLDERS[0])))
}

fn refuse_twice(settings: Element<'_>, path: &str) -> Result<(), Refusal> {
    match all(settings).any(|field| same(tail(&field.text_of("dataPath")), tail(path))) {
        true => Err(Refusal::exists(("пользовательское поле", "user field"), path)),
        false => Ok(()),
    }
}

/// An expression as the user sees it: fields by their titles.
fn presentation(schema: Schema<'_>, settings: Element<'_>, expression: &str) -> String {
    let mut titles: Vec<(String, String)> = Vec::new();
    for set in schema.all_data_sets() {
        let fields = set.fields().map(|field| field.element());
        titles.extend(fields.map(|field| (field.text_of("dataPath").into_owned(), shown(field.child("title")))));
    }
    let calculated = schema.calculated_fields().map(|field| field.element());
    titles.extend(calculated.map(|field| (field.text_of("dataPath").into_owned(), shown(field.child("title")))));
    titles.extend(all(settings).map(|field| (field.text_of("dataPath").into_owned(), title_of(field))));
    let (mut out, mut at) = (String::new(), 0);
    for used in paths(expression) {
        let title = titles.iter().find(|(path, title)| same(path, &used.path) && !title.trim().is_empty());
        let Some((_, title)) = title.filter(|(_, title)| !title.contains([']', '[', '\n'])) else { continue };
        out.push_str(&expression[at..used.range.start]);
        if is_path(title) && !title.contains('.') {
            out.push_str(title);
        } else {
            out.push_str(&format!("[{title}]"));
        }
        at = used.range.end;
    }
    out.push_str(&expression[at..]);
    out
}

options! {
    /// Adds a field of the user to a variant: `Наценка "Наценка" = Сумма - Себестоимость @total(Сумма(Сумма) - Сумма(Себестоимость))`, or
    /// with a value for each case: `Размер @cases(Сумма > 1000 -> "крупная"; иначе -> "мелкая")`.
    AddUserField {
        /// Its name, with or without the folder `ПользовательскиеПоля`.
        name: String,
        /// Its title; the name if left out.
        title: Option<Texts>,
        /// Its expression in detail records.
        expression: String,
        /// Its expression in totals; the same if left out.
        total: String,
        /// Conditions with their values, `;` between them: `CONDITION -> VALUE "TITLE"`; `else` holds always.
        cases: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The user's field to stand before.
        before: String,
        /// The user's field to stand behind.
        after: String,
    }
}
applies!(AddUserField, add);

/// Items of `cases`.
fn cases(schema: Schema<'_>, settings: Element<'_>, text: &str) -> Result<Vec<New>, Refusal> {
    let known = Fields::in_settings(schema, settings);
    let mut new = Vec::new();
    for case in split(text, ';')? {
        let parts = parts_at(&case, "->")?;
        let [condition, result] = &parts[..] else {
            return Err(Refusal::new(
                format!("Не понято: «{case}». Пример: Сумма > 1000 -> \"крупная\""),
                format!("Not understood: \"{case}\". Example: Сумма > 1000 -> \"large\""),
            ));
        };
        let conditions = match condition.to_lowercase().as_str() {
            "иначе" | "else" => Vec::new(),
            _ => new_items(schema, settings, condition, |_, parts| Ok(parts))?,
        };
        let (of, shown) = titled(result);
        let of = value(set("value"), of, ValuePlace::Condition)?;
        if of.of == Some(name("cor:Field"))
            && let crate::edit::NewContent::Text(path) = &of.content
        {
            known.require(path)?;
        }
        let mut parts = vec![New::with(set("filter"), conditions), of];
        parts.extend(
            shown
                .map(|shown| New { of: None, ..New::localized(set("lwsPresentationValue"), [("ru", shown.as_str())]) }),
        );
        new.push(New::with(set("item"), parts));
    }
    Ok(new)
}

fn add<'d>(this: &AddUserField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя поля", "the field's name")?;
    let spot = spot(at.schema, &this.variant, "")?;
    let settings = spot.element;
    let path = path_of(settings, wanted)?;
    refuse_twice(settings, &path)?;
    let title = this.title.clone().unwrap_or_else(|| Texts(vec![("ru".to_owned(), tail(&path).to_owned())]));
    let mut parts = vec![New::text(set("dataPath"), path.as_str())];
    // The platform writes no type for this one, as its type is declared.
    parts.push(New { of: None, ..title.element(set("lwsTitle")) });
    let of = match (this.expression.trim(), this.cases.trim()) {
        ("", "") => {
            return Err(Refusal::missing("expression", "выражение или варианты", "the expression or the cases"));
        }
        (detail, "") => {
            let known = Fields::in_settings(at.schema, settings);
            let total = if this.total.trim().is_empty() { detail } else { this.total.trim() };
            for (text, own, seen) in [
                (detail, "detailExpression", "detailExpressionPresentation"),
                (total, "totalExpression", "totalExpressionPresentation"),
            ] {
                known.require_all(at.schema, text)?;
                parts.push(New::text(set(own), text));
                parts.push(New::text(set(seen), presentation(at.schema, settings, text)));
            }
            "UserFieldExpression"
        }
        ("", text) if this.total.trim().is_empty() => {
            parts.push(New::with(set("cases"), cases(at.schema, settings, text)?));
            "UserFieldCase"
        }
        _ => {
            return Err(Refusal::new(
                "У поля либо выражение, либо варианты",
                "A field has an expression or cases, not both",
            ));
        }
    };
    let place = place(&this.before, &this.after, |other| find(settings, other))?;
    add_to(draft, spot, "userFields", vec![New::with(set("item"), parts).typed(set(of))], place)?;
    Ok(Say::new(format!("Добавлено пользовательское поле «{path}»"), format!("Added the user field \"{path}\"")))
}

options! {
    /// Changes a field of the user: what is given.
    ModifyUserField {
        /// Its name, with or without the folder, or its title.
        name: String,
        /// Its title.
        title: Option<Texts>,
        /// Its expression in detail records.
        expression: Option<String>,
        /// Its expression in totals.
        total: Option<String>,
        /// Conditions with their values, in place of those that it has.
        cases: Option<String>,
        /// The variant; may be left out if there is one only.
        variant: String,
    }
}
applies!(ModifyUserField, modify);

fn modify<'d>(this: &ModifyUserField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя поля", "the field's name")?;
    let settings = spot(at.schema, &this.variant, "")?.element;
    let field = find(settings, wanted)?;
    if let Some(title) = &this.title {
        // A title in several languages stands where the one in none stood.
        match (field.child("lwsTitle"), field.child("title")) {
            (None, Some(old)) => {
                draft.remove(old)?;
                draft.insert(field, New { of: None, ..title.element(set("lwsTitle")) })?;
            }
            (None, None) => draft.insert(field, New { of: None, ..title.element(set("lwsTitle")) })?,
            _ => draft.set_localized(field, set("lwsTitle"), &title.0)?,
        }
    }
    let known = Fields::in_settings(at.schema, settings);
    for (text, own, seen) in [
        (&this.expression, "detailExpression", "detailExpressionPresentation"),
        (&this.total, "totalExpression", "totalExpressionPresentation"),
    ] {
        let Some(text) = text.as_deref().map(str::trim) else { continue };
        if !field.is_of("UserFieldExpression") {
            return Err(Refusal::new("У этого поля варианты, а не выражение", "This field has cases, no expression"));
        }
        known.require_all(at.schema, text)?;
        if paths(text).iter().any(|used| leads_from(&used.path, &field.text_of("dataPath"))) {
            return Err(Refusal::new("Поле не может называть само себя", "A field can't name itself"));
        }
        draft.set_child(field, set(own), Some(text))?;
        draft.set_child(field, set(seen), Some(&presentation(at.schema, settings, text)))?;
    }
    if let Some(text) = &this.cases {
        let list = field.child("cases").filter(|_| field.is_of("UserFieldCase"));
        let list = list.ok_or_else(|| {
            Refusal::new("У этого поля выражение, а не варианты", "This field has an expression, no cases")
        })?;
        draft.replace_items(list, New::with(set("cases"), cases(at.schema, settings, text)?))?;
    }
    Ok(Say::new(format!("Изменено пользовательское поле «{wanted}»"), format!("Changed the user field \"{wanted}\"")))
}

options! {
    /// Renames a field of the user with everything in its variant that names it: `Поле1 -> Наценка`.
    RenameUserField {
        /// Its name, with or without the folder, or its title.
        name: String,
        /// The new name.
        to: String,
        /// The variant; may be left out if there is one only.
        variant: String,
    }
}
applies!(RenameUserField, rename);

fn rename<'d>(this: &RenameUserField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя поля", "the field's name")?;
    let to = required(&this.to, "to", "новое имя", "the new name")?;
    let settings = spot(at.schema, &this.variant, "")?.element;
    let field = find(settings, wanted)?;
    let old = field.text_of("dataPath").into_owned();
    let new = match (is_path_of_user(to), old.split_once('.')) {
        (false, Some((folder, _))) if is_path_of_user(folder) => path_of(settings, &format!("{folder}.{to}"))?,
        _ => path_of(settings, to)?,
    };
    if !same(tail(&old), tail(&new)) {
        refuse_twice(settings, &new)?;
    }
    draft.set_child(field, set("dataPath"), Some(&new))?;
    for used in uses(at.schema) {
        let is_it = used.named == Named::Field
            && leads_from(&used.name, &old)
            && is_meant(at.schema, settings, &old, used.element);
        if !is_it {
            continue;
        }
        // Parts in brackets are written otherwise than the path.
        let text = used.element.text();
        let (start, written) = (used.range.start, text.get(used.range).unwrap_or(""));
        let length = written.char_indices().nth(old.chars().count()).map_or(written.len(), |(at, _)| at);
        if same(&written[..length], &old) {
            rewrite(draft, used.element, start..start + length, &new)?;
        }
    }
    Ok(Say::new(
        format!("Пользовательское поле «{old}» переименовано в «{new}»"),
        format!("Renamed the user field \"{old}\" to \"{new}\""),
    ))
}

options! {
    /// Removes a field of the user from a variant.
    RemoveUserField {
        /// Its name, with or without the folder, or its title.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
    }
}
applies!(RemoveUserField, remove);

fn remove<'d>(this: &RemoveUserField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя поля", "the field's name")?;
    let settings = spot(at.schema, &this.variant, "")?.element;
    let field = find(settings, wanted)?;
    let path = field.text_of("dataPath").into_owned();
    // The list goes with its last field.
    let list = field.parent().filter(|list| list.is("userFields") && list.all("item").count() == 1);
    needs::remove(at, draft, &[list.unwrap_or(field)])?;
    Ok(Say::new(format!("Удалено пользовательское поле «{path}»"), format!("Removed the user field \"{path}\"")))
}

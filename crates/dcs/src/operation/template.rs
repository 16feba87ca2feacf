//! Drawn areas: which field, group, header or crossing of groups they are bound to.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names};
use super::target::{Fields, named, required, same};
use super::words::{TEMPLATE_PARTS, word};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{Schema, Template};

options! {
    /// Binds a drawn area: `Макет1 @field(Сумма)`, `Макет1 @group(Склад) @part(footer)`, `Макет1 @group(Склад) @header`, or where two groups
    /// cross: `Макет1 @group(Склад) @across(Период)`.
    BindTemplate {
        /// The area.
        name: String,
        /// The field that it shows.
        field: String,
        /// The name of the group that it shows.
        group: String,
        /// The fields of the group that it shows, if the group has no name.
        fields: Names,
        /// Which part of the group: header, footer, overall header …; `header` if left out.
        part: String,
        /// It is the header of the group's columns.
        header: Flag,
        /// Of totals: the name of the group that crosses.
        across: String,
        /// Of totals: the fields of the group that crosses.
        across_fields: Names,
        /// Of totals: which part of the group that crosses; `header` if left out.
        across_part: String,
    }
}
applies!(BindTemplate, bind);

pub(super) fn template<'d>(schema: Schema<'d>, wanted: &str) -> Result<Template<'d>, Refusal> {
    let all = schema.templates().map(|template| (template.name().into_owned(), template.element()));
    named(all, wanted, ("макет", "template")).map(Template)
}

/// Names of groups in all variants.
fn group_names(schema: Schema<'_>) -> Vec<String> {
    let all = schema.all_settings().into_iter().flat_map(|(_, settings)| settings.all_structure());
    let mut names: Vec<String> =
        all.map(|(_, item)| item.name().into_owned()).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn part_of(text: &str) -> Result<&'static str, Refusal> {
    match text.trim() {
        "" => Ok("Header"),
        text => word(TEMPLATE_PARTS, text, ("часть группировки", "part of the group")),
    }
}

/// A part of a group: what an area is bound to.
#[derive(Clone, Debug, Default, PartialEq)]
struct Side {
    /// The group's name.
    group: String,
    /// Its fields.
    fields: Vec<String>,
    part: String,
}

impl Side {
    /// The side that options name; names that there aren't are refused.
    fn given(schema: Schema<'_>, group: &str, fields: &Names, part: &str) -> Result<Self, Refusal> {
        let mut own = String::new();
        if !group.trim().is_empty() {
            let names = group_names(schema);
            let found = names.iter().find(|other| same(other, group.trim())).ok_or_else(|| {
                Refusal::unknown(
                    ("именованная группировка", "named group"),
                    group.trim(),
                    names.iter().map(String::as_str),
                )
            })?;
            own.clone_from(found);
        }
        let known = Fields::of(schema, &|_| false);
        fields.0.iter().try_for_each(|field| known.require(field))?;
        Ok(Self { group: own, fields: fields.0.clone(), part: part_of(part)?.to_owned() })
    }

    fn is_empty(&self) -> bool {
        self.group.is_empty() && self.fields.is_empty()
    }

    /// The side that a binding says; `number` stands behind the names of its elements.
    fn of(binding: Element<'_>, number: &str) -> Self {
        let text = |local: &str| binding.text_of(&format!("{local}{number}")).into_owned();
        let field = format!("groupField{number}");
        let fields = binding.children().filter(|child| child.is(&field)).map(|child| child.text().into_owned());
        Self { group: text("groupName"), fields: fields.collect(), part: text("templateType") }
    }

    /// Whether it is what options ask for: what they leave out may be anything.
    fn is_wanted(&self, group: &str, fields: &Names, part: Option<&str>) -> bool {
        (group.is_empty() || same(&self.group, group))
            && (fields.is_empty() || are_same(&self.fields, &fields.0))
            && part.is_none_or(|part| self.part == part)
    }

    fn is_same(&self, other: &Self) -> bool {
        same(&self.group, &other.group) && are_same(&self.fields, &other.fields) && self.part == other.part
    }

    fn elements(&self, fields: &'static str, group: &'static str, part: &'static str) -> Vec<New> {
        let mut parts: Vec<New> = self.fields.iter().map(|field| New::text(name(fields), field.as_str())).collect();
        if !self.group.is_empty() {
            parts.push(New::text(name(group), self.group.as_str()));
        }
        parts.push(New::text(name(part), self.part.as_str()));
        parts
    }
}

fn are_same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
}

fn bind<'d>(this: &BindTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let schema = at.schema;
    let own = template(schema, required(&this.name, "name", "макет", "the template")?)?.name();
    let side = Side::given(schema, &this.group, &this.fields, &this.part)?;
    let across = Side::given(schema, &this.across, &this.across_fields, &this.across_part)?;
    let field = this.field.trim();
    let area = New::text(name("sch:template"), own);
    let new = match (field, side.is_empty(), across.is_empty()) {
        ("", true, true) => return Err(Refusal::missing("group", "поле или группировка", "a field or a group")),
        ("", true, false) => return Err(Refusal::missing("group", "первая группировка", "the first group")),
        (field, true, true) => {
            Fields::of(schema, &|_| false).require(field)?;
            if schema.field_templates().any(|bound| same(&bound.field(), field)) {
                return Err(Refusal::exists(("макет поля", "template of the field"), field));
            }
            New::with(name("sch:fieldTemplate"), [New::text(name("sch:field"), field), area])
        }
        ("", false, true) => {
            let of_group = || schema.group_templates().map(|bound| bound.element());
            let of_header = || schema.group_header_templates().map(|bound| bound.element());
            let (local, is_there) = if this.header.is_on() {
                ("sch:groupHeaderTemplate", of_header().any(|bound| Side::of(bound, "").is_same(&side)))
            } else {
                ("sch:groupTemplate", of_group().any(|bound| Side::of(bound, "").is_same(&side)))
            };
            if is_there {
                return Err(Refusal::exists(("макет группировки", "template of the group"), called(&side)));
            }
            let mut parts = side.elements("sch:groupField", "sch:groupName", "sch:templateType");
            parts.push(area);
            New::with(name(local), parts)
        }
        ("", false, false) if !this.header.is_on() => {
            let is_there =
                |bound: &Element<'d>| Side::of(*bound, "1").is_same(&side) && Side::of(*bound, "2").is_same(&across);
            if schema.total_templates().map(|bound| bound.element()).any(|bound| is_there(&bound)) {
                return Err(Refusal::exists(("макет ресурсов", "template of totals"), called(&side)));
            }
            let mut parts = side.elements("sch:groupField1", "sch:groupName1", "sch:templateType1");
            parts.extend(across.elements("sch:groupField2", "sch:groupName2", "sch:templateType2"));
            parts.push(area);
            New::with(name("sch:totalFieldsTemplate"), parts)
        }
        _ => {
            return Err(Refusal::new(
                "Макет привязывают к одному: к полю, к группировке, к её шапке или к пересечению группировок",
                "An area is bound to one thing: a field, a group, its header, or where two groups cross",
            ));
        }
    };
    draft.insert(schema.element(), new)?;
    Ok(Say::new(format!("Привязан макет «{}»", this.name), format!("Bound the template \"{}\"", this.name)))
}

fn called(side: &Side) -> &str {
    let first = side.fields.first().map_or("", String::as_str);
    if side.group.is_empty() { first } else { &side.group }
}

options! {
    /// Unbinds a drawn area: `@field(Сумма)`, `@group(Склад) @part(footer)`, `@group(Склад) @header`, or all bindings of one: `Макет1`.
    UnbindTemplate {
        /// The area, if only its bindings are meant.
        name: String,
        /// The field that it shows.
        field: String,
        /// The name of the group that it shows.
        group: String,
        /// The fields of the group that it shows.
        fields: Names,
        /// Which part of the group; all if left out.
        part: String,
        /// Only headers of the group's columns; `no`: none of them.
        header: Flag,
        /// Only totals: the name of the group that crosses.
        across: String,
        /// Only totals: the fields of the group that crosses.
        across_fields: Names,
        /// Only totals: which part of the group that crosses.
        across_part: String,
    }
}
applies!(UnbindTemplate, unbind);

fn unbind<'d>(this: &UnbindTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let schema = at.schema;
    let (own, field, group, across) = (this.name.trim(), this.field.trim(), this.group.trim(), this.across.trim());
    let is_named = [own, field, group, across].iter().any(|text| !text.is_empty());
    if !is_named && this.fields.is_empty() && this.across_fields.is_empty() {
        return Err(Refusal::missing("name", "макет, поле или группировка", "a template, a field or a group"));
    }
    let part = |text: &str| if text.trim().is_empty() { Ok(None) } else { part_of(text).map(Some) };
    let (part, across_part) = (part(&this.part)?, part(&this.across_part)?);
    let of_group = !group.is_empty() || !this.fields.is_empty() || part.is_some();
    let of_totals = !across.is_empty() || !this.across_fields.is_empty() || across_part.is_some();
    let is_own = |bound: &Element<'d>| own.is_empty() || same(&bound.text_of("template"), own);
    let mut found: Vec<Element<'d>> = Vec::new();
    if !of_group && !of_totals && !this.header.is_on() {
        let bound = schema.field_templates().filter(|bound| field.is_empty() || same(&bound.field(), field));
        found.extend(bound.map(|bound| bound.element()).filter(is_own));
    }
    let is_wanted = |bound: &Element<'d>| is_own(bound) && Side::of(*bound, "").is_wanted(group, &this.fields, part);
    if field.is_empty() && !of_totals {
        if !this.header.is_on() {
            found.extend(schema.group_templates().map(|bound| bound.element()).filter(is_wanted));
        }
        if this.header.0 != Some(false) {
            found.extend(schema.group_header_templates().map(|bound| bound.element()).filter(is_wanted));
        }
    }
    if field.is_empty() && !this.header.is_on() && (of_totals || !of_group) {
        let is_wanted = |bound: &Element<'d>| {
            is_own(bound)
                && Side::of(*bound, "1").is_wanted(group, &this.fields, part)
                && Side::of(*bound, "2").is_wanted(across, &this.across_fields, across_part)
        };
        found.extend(schema.total_templates().map(|bound| bound.element()).filter(is_wanted));
    }
    if found.is_empty() {
        let mut there: Vec<String> = schema.field_templates().map(|bound| bound.field().into_owned()).collect();
        let groups = schema.group_templates().chain(schema.group_header_templates());
        there.extend(groups.map(|bound| called(&Side::of(bound.element(), "")).to_owned()));
        there.extend(schema.total_templates().map(|bound| called(&Side::of(bound.element(), "1")).to_owned()));
        there.sort_unstable();
        there.dedup();
        let fields = this.fields.0.first().map_or("", String::as_str);
        let wanted = [field, group, own, across, fields].into_iter().find(|text| !text.is_empty()).unwrap_or("");
        return Err(Refusal::unknown(
            ("привязка макета", "binding of a template"),
            wanted,
            there.iter().map(String::as_str),
        ));
    }
    needs::remove(at, draft, &found)?;
    Ok(Say::new(format!("Убрано привязок макета: {}", found.len()), format!("Removed {} bindings", found.len())))
}

options! {
    /// Removes a drawn area.
    RemoveTemplate {
        /// The area.
        name: String,
    }
}
applies!(RemoveTemplate, remove);

fn remove<'d>(this: &RemoveTemplate, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "макет", "the template")?;
    let found = template(at.schema, wanted)?.element();
    needs::remove(at, draft, &[found])?;
    Ok(Say::new(format!("Удалён макет «{wanted}»"), format!("Removed the template \"{wanted}\"")))
}

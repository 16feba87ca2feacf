//! Items of a structure: groups, details, tables, charts; add, modify, move, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, split};
use super::spot::{Spot, auto_lists, group_field, on_off, set, set_use, spot};
use super::target::{Fields, required};
use super::words::{GROUP_TYPES, word};
use super::{At, applies, needs, options, uses};
use crate::document::Element;
use crate::edit::{New, Place};
use crate::formal::Name;

options! {
    /// Adds a group: `Склад, Товар иерархия @variant(Основной) @inside(Контрагент)`; without fields it shows details.
    AddGroup {
        /// Fields, each with its kind behind it (items, hierarchy, hierarchy only) if it isn't items; none: details.
        fields: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item to stand in; the variant itself if left out.
        inside: String,
        /// In a table: `row` or `column`; in a chart: `point` or `series`.
        part: String,
        /// Its name, for templates and addresses.
        name: String,
        /// The item to stand before.
        before: String,
        /// The item to stand behind.
        after: String,
        /// Switched off.
        off: Flag,
    }
}
applies!(AddGroup, add_group);

const PARTS: super::words::Words = &[
    ("row", &["строка", "строки", "row", "rows"]),
    ("column", &["колонка", "колонки", "column", "columns"]),
    ("point", &["точка", "точки", "point", "points"]),
    ("series", &["серия", "серии", "series"]),
];

/// Items of a group: `Склад + Товар иерархия`, each with its kind behind it if that isn't items.
pub(super) fn group_items(known: &Fields, text: &str) -> Result<Vec<New>, Refusal> {
    let mut items = Vec::new();
    for text in split(text, '+')? {
        let (field, kind) = match text.split_once(char::is_whitespace) {
            Some((field, kind)) => (field, word(GROUP_TYPES, kind, ("вид группировки", "kind of group"))?),
            None => (text.as_str(), "Items"),
        };
        known.require(field)?;
        items.push(group_field(field, kind));
    }
    Ok(items)
}

/// A group of fields, to stand under a name.
fn group(
    known: &Fields,
    local: Name,
    fields: &Names,
    own: &str,
    off: bool,
    of: Option<&'static str>,
) -> Result<New, Refusal> {
    let mut items = Vec::new();
    for text in &fields.0 {
        items.extend(group_items(known, text)?);
    }
    let mut parts = Vec::new();
    if off {
        parts.push(New::text(set("use"), "false"));
    }
    if !own.trim().is_empty() {
        parts.push(New::text(set("name"), own.trim()));
    }
    if !items.is_empty() {
        parts.push(New::with(set("groupItems"), items));
    }
    parts.extend(auto_lists());
    let new = New::with(local, parts);
    Ok(match of {
        Some(of) => new.typed(set(of)),
        None => new,
    })
}

/// How a group stands in an item: its element's name, and its type if that has to be said.
fn slot(spot: Spot<'_>, part: &str) -> Result<(Name, Option<&'static str>), Refusal> {
    let refuse = |ru: &str, en: &str| Err(Refusal::new(ru, en));
    let of = spot.element.of().map_or("", |of| of.name.local);
    let part = match part.trim() {
        "" => None,
        text => Some(word(PARTS, text, ("часть", "part"))?),
    };
    match (of, part) {
        ("Settings" | "StructureItemGroup", None) => Ok((set("item"), Some("StructureItemGroup"))),
        ("TableGroup" | "ChartGroup", None) => Ok((set("item"), None)),
        ("StructureItemTable", Some(part @ ("row" | "column")))
        | ("StructureItemChart", Some(part @ ("point" | "series"))) => Ok((set(part), None)),
        ("StructureItemTable", _) => refuse(
            "В таблице укажите строки или колонки (@часть(строки))",
            "In a table say rows or columns (@part(rows))",
        ),
        ("StructureItemChart", _) => refuse(
            "В диаграмме укажите точки или серии (@часть(точки))",
            "In a chart say points or series (@part(points))",
        ),
        (_, Some(_)) => refuse("Части есть только у таблиц и диаграмм", "Only tables and charts have parts"),
        _ => refuse("Сюда группировку не вложить", "A group can't stand in this"),
    }
}

/// A place beside items that addresses name.
fn place<'d>(
    at: &At<'d>,
    variant: &str,
    before: &str,
    after: &str,
    (parent, local): (Element<'d>, &str),
) -> Result<Place<'d>, Refusal> {
    super::target::place(before, after, |address| {
        let found = spot(at.schema, variant, address)?.element;
        if found.parent() == Some(parent) && found.local() == local {
            return Ok(found);
        }
        Err(Refusal::new(
            format!("«{address}» стоит в другом месте структуры"),
            format!("\"{address}\" stands elsewhere in the structure"),
        ))
    })
}

fn add_group<'d>(this: &AddGroup, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let spot = spot(at.schema, &this.variant, &this.inside)?;
    let (local, of) = slot(spot, &this.part)?;
    let known = Fields::in_settings(at.schema, spot.element);
    let new = group(&known, local, &this.fields, &this.name, this.off.is_on(), of)?;
    let place = place(at, &this.variant, &this.before, &this.after, (spot.element, local.local))?;
    draft.insert_at(spot.element, new, place)?;
    Ok(if this.fields.is_empty() {
        Say::new("Добавлены детальные записи", "Added details")
    } else {
        let fields = this.fields.0.join(", ");
        Say::new(format!("Добавлена группировка: {fields}"), format!("Added a group: {fields}"))
    })
}

options! {
    /// Adds a table: `ПоСкладам @rows(Склад, Товар + Артикул) @columns(Период)`; each is a group of its own inside of the one before, with `+`
    /// a group of several fields.
    AddTable {
        /// Its name.
        name: String,
        /// Fields of the rows, from the outermost group on.
        rows: Names,
        /// Fields of the columns, from the outermost group on.
        columns: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The group to stand in; the variant itself if left out.
        inside: String,
        /// The item to stand before.
        before: String,
        /// The item to stand behind.
        after: String,
    }
}
applies!(AddTable, add_table);

options! {
    /// Adds a chart: `Динамика @points(Период) @series(Склад) @fields(Сумма)`.
    AddChart {
        /// Its name.
        name: String,
        /// Fields of the points, from the outermost group on.
        points: Names,
        /// Fields of the series, from the outermost group on.
        series: Names,
        /// What it shows; what the composition chooses if left out.
        fields: Names,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The group to stand in; the variant itself if left out.
        inside: String,
        /// The item to stand before.
        before: String,
        /// The item to stand behind.
        after: String,
    }
}
applies!(AddChart, add_chart);

/// Groups one in another.
fn chain(known: &Fields, local: &'static str, fields: &Names) -> Result<Option<New>, Refusal> {
    let mut inner: Option<New> = None;
    for (number, field) in fields.0.iter().enumerate().rev() {
        let local = if number == 0 { set(local) } else { set("item") };
        let mut new = group(known, local, &Names(vec![field.clone()]), "", false, None)?;
        if let crate::edit::NewContent::Elements(parts) = &mut new.content {
            parts.extend(inner.take());
        }
        inner = Some(new);
    }
    Ok(inner)
}

fn holder<'d>(at: &At<'d>, variant: &str, inside: &str) -> Result<Element<'d>, Refusal> {
    let spot = spot(at.schema, variant, inside)?;
    match spot.element.of().map_or("", |of| of.name.local) {
        "Settings" | "StructureItemGroup" => Ok(spot.element),
        _ => Err(Refusal::new(
            "Таблица и диаграмма стоят в варианте или в группировке отчёта",
            "A table or a chart stands in the variant or in a group of the report",
        )),
    }
}

fn named(own: &str) -> Option<New> {
    let own = own.trim();
    (!own.is_empty()).then(|| New::text(set("name"), own))
}

fn add_table<'d>(this: &AddTable, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let parent = holder(at, &this.variant, &this.inside)?;
    if this.rows.is_empty() && this.columns.is_empty() {
        return Err(Refusal::missing("rows", "строки или колонки", "rows or columns"));
    }
    let mut parts: Vec<New> = named(&this.name).into_iter().collect();
    let known = Fields::in_settings(at.schema, parent);
    parts.extend(chain(&known, "column", &this.columns)?);
    parts.extend(chain(&known, "row", &this.rows)?);
    let [_, selection] = auto_lists();
    parts.push(selection);
    let place = place(at, &this.variant, &this.before, &this.after, (parent, "item"))?;
    draft.insert_at(parent, New::with(set("item"), parts).typed(set("StructureItemTable")), place)?;
    Ok(Say::new(format!("Добавлена таблица {}", this.name), format!("Added the table {}", this.name)))
}

fn add_chart<'d>(this: &AddChart, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let parent = holder(at, &this.variant, &this.inside)?;
    if this.points.is_empty() && this.series.is_empty() {
        return Err(Refusal::missing("points", "точки или серии", "points or series"));
    }
    let mut parts: Vec<New> = named(&this.name).into_iter().collect();
    let known = Fields::in_settings(at.schema, parent);
    parts.extend(chain(&known, "point", &this.points)?);
    parts.extend(chain(&known, "series", &this.series)?);
    let [_, auto] = auto_lists();
    let mut shown = Vec::new();
    for field in &this.fields.0 {
        known.require(field)?;
        shown.push(New::with(set("item"), [New::text(set("field"), field.as_str())]).typed(set("SelectedItemField")));
    }
    parts.push(if shown.is_empty() { auto } else { New::with(set("selection"), shown) });
    let place = place(at, &this.variant, &this.before, &this.after, (parent, "item"))?;
    draft.insert_at(parent, New::with(set("item"), parts).typed(set("StructureItemChart")), place)?;
    Ok(Say::new(format!("Добавлена диаграмма {}", this.name), format!("Added the chart {}", this.name)))
}

options! {
    /// Changes an item of the structure.
    ModifyStructure {
        /// Its address.
        at: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// Another name; an empty one takes it away.
        name: Option<String>,
        /// Fields of a group, in place of those that it has.
        fields: Option<Names>,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
    }
}
applies!(ModifyStructure, modify);

fn item<'d>(at: &At<'d>, variant: &str, address: &str) -> Result<Element<'d>, Refusal> {
    let address = required(address, "at", "элемент структуры", "the item of the structure")?;
    Ok(spot(at.schema, variant, address)?.element)
}

fn modify<'d>(this: &ModifyStructure, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let element = item(at, &this.variant, &this.at)?;
    if let Some(own) = &this.name {
        let own = own.trim();
        let old = element.text_of("name");
        let others =
            at.schema.variants().filter_map(|variant| variant.settings()).flat_map(|settings| settings.all_structure());
        let is_used = others
            .filter(|(_, other)| other.element() != element && !old.is_empty())
            .any(|(_, other)| other.name() == old);
        // Templates follow the name of a group, unless another group bears it too.
        if !old.is_empty() && !is_used {
            let all = uses::uses(at.schema);
            let of_group =
                all.iter().filter(|used| used.named == uses::Named::Group && super::target::same(&used.name, &old));
            for used in of_group {
                if own.is_empty() {
                    return Err(Refusal {
                        needed_by: vec![super::Need::of(used.element, ("группировка", "group"), &old, false)],
                        ..Refusal::new(
                            format!("Имя «{old}» нужно макету"),
                            format!("A template needs the name \"{old}\""),
                        )
                    });
                }
                draft.set_text(used.element, own)?;
            }
        }
        draft.set_child(element, set("name"), (!own.is_empty()).then_some(own))?;
    }
    if let Some(fields) = &this.fields {
        let has = element.of().and_then(|of| of.child("groupItems")).is_some();
        if !has {
            return Err(Refusal::new("Поля есть только у группировок", "Only groups have fields"));
        }
        let known = Fields::in_settings(at.schema, element);
        let new = group(&known, set("item"), fields, "", false, None)?;
        let crate::edit::NewContent::Elements(parts) = new.content else {
            return Err(Refusal::missing("fields", "поля", "the fields"));
        };
        let items = parts.into_iter().find(|part| part.name.local == "groupItems");
        match (element.child("groupItems"), items) {
            (Some(list), Some(new)) => draft.replace_items(list, new)?,
            (Some(list), None) => draft.remove(list)?,
            (None, Some(new)) => draft.insert(element, new)?,
            (None, None) => {}
        }
    }
    set_use(draft, element, on_off(this.on, this.off))?;
    Ok(Say::new(format!("Изменён элемент структуры {}", this.at), format!("Changed the item {}", this.at)))
}

options! {
    /// Puts an item of the structure into another one, or at another place.
    MoveStructure {
        /// Its address.
        at: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item to stand in; `/` for the variant itself; where it is if left out.
        inside: String,
        /// In a table: `row` or `column`; in a chart: `point` or `series`.
        part: String,
        /// The item to stand before.
        before: String,
        /// The item to stand behind.
        after: String,
    }
}
applies!(MoveStructure, reorder);

fn reorder<'d>(this: &MoveStructure, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let element = item(at, &this.variant, &this.at)?;
    let none = || Refusal::new("Этот элемент не переставить", "This item can't be moved");
    let old = element.parent().ok_or_else(none)?;
    let new = match this.inside.trim() {
        "" => old,
        address => spot(at.schema, &this.variant, address)?.element,
    };
    if new.range().start >= element.range().start && new.range().end <= element.range().end {
        return Err(Refusal::new("Элемент нельзя вложить в него самого", "An item can't stand in itself"));
    }
    let place = place(at, &this.variant, &this.before, &this.after, (new, element.local()))?;
    if new == old {
        let all: Vec<Element<'d>> = old.children().filter(|other| other.local() == element.local()).collect();
        super::target::move_among(draft, element, &all, place, false)?;
    } else {
        let (local, of) = slot(Spot { element: new, is_settings: false }, &this.part).or_else(|refusal| {
            if element.xsi_type().is_some() && this.part.trim().is_empty() { holder_of(new) } else { Err(refusal) }
        })?;
        let is_same = local.local == element.local()
            && match (of, element.xsi_type()) {
                (None, None) => element.of().map(|of| of.name) == new.of().map(|of| of.name),
                (Some(_), Some(_)) => true,
                _ => false,
            };
        if !is_same {
            return Err(Refusal::new(
                "Так переставить нельзя: группировки отчёта, таблицы и диаграммы устроены по-разному",
                "It can't be moved so: groups of the report, of tables and of charts are different things",
            ));
        }
        draft.move_to(element, new, place)?;
    }
    Ok(Say::new(format!("Переставлен элемент структуры {}", this.at), format!("Moved the item {}", this.at)))
}

fn holder_of(element: Element<'_>) -> Result<(Name, Option<&'static str>), Refusal> {
    match element.of().map_or("", |of| of.name.local) {
        "Settings" | "StructureItemGroup" => Ok((set("item"), Some("StructureItemGroup"))),
        _ => Err(Refusal::new("Сюда это не вложить", "It can't stand in this")),
    }
}

options! {
    /// Removes an item of the structure with what it holds.
    RemoveStructure {
        /// Its address.
        at: String,
        /// The variant; may be left out if there is one only.
        variant: String,
    }
}
applies!(RemoveStructure, remove);

fn remove<'d>(this: &RemoveStructure, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let element = item(at, &this.variant, &this.at)?;
    needs::remove(at, draft, &[element])?;
    Ok(Say::new(format!("Удалён элемент структуры {}", this.at), format!("Removed the item {}", this.at)))
}

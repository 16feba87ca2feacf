//! Places in settings: a variant, an item of its structure, a list of either, an item of a list.
//!
//! An item of a structure is addressed by steps with `/` between them: its name, its fields (`Склад, Товар`), or its number
//! among its neighbours (`#2`, in tables and charts `row#1`, `column#1`, `point#1`, `series#1`, or the Russian words).

use super::draft::Draft;
use super::refusal::Refusal;
use super::shorthand::{Flag, Texts};
use super::target::{named, same};
use super::words::{LISTS, VIEW_MODES, word};
use crate::document::Element;
use crate::edit::{New, Place};
use crate::formal::{Name, name};
use crate::view::{Schema, StructureItem, StructureKind, Variant};
use crate::xml::ns;

/// A variant's settings, or an item of their structure.
#[derive(Clone, Copy)]
pub(super) struct Spot<'d> {
    pub(super) element: Element<'d>,
    /// It is the settings themselves.
    pub(super) is_settings: bool,
}

pub(super) fn variant<'d>(schema: Schema<'d>, wanted: &str) -> Result<Variant<'d>, Refusal> {
    let all: Vec<(String, Element<'d>)> =
        schema.variants().map(|variant| (variant.name().into_owned(), variant.element())).collect();
    if wanted.trim().is_empty() {
        return match &all[..] {
            [(_, one)] => Ok(Variant(*one)),
            [] => Err(Refusal::new("В схеме нет вариантов", "The schema has no variants")),
            _ => {
                let mut refusal = Refusal::missing("variant", "вариант", "the variant");
                refusal.nearest = all.into_iter().map(|(name, _)| name).collect();
                Err(refusal)
            }
        };
    }
    named(all, wanted.trim(), ("вариант", "variant")).map(Variant)
}

/// The place that options name.
pub(super) fn spot<'d>(schema: Schema<'d>, in_variant: &str, at: &str) -> Result<Spot<'d>, Refusal> {
    let settings = match (in_variant.trim(), schema.variants().next(), schema.default_settings()) {
        ("", None, Some(settings)) => settings.element(),
        (wanted, ..) => {
            let variant = variant(schema, wanted)?;
            let none = || Refusal::new("У варианта нет настроек", "The variant has no settings");
            variant.settings().ok_or_else(none)?.element()
        }
    };
    let mut found = Spot { element: settings, is_settings: true };
    let mut is_first = true;
    for step in at.split('/').map(str::trim).filter(|step| !step.is_empty()) {
        found = Spot { element: one_step(found.element, step, is_first)?, is_settings: false };
        is_first = false;
    }
    Ok(found)
}

/// Items of a structure right inside of settings or another item.
fn inner<'d>(element: Element<'d>) -> Vec<StructureItem<'d>> {
    StructureItem(element).inner().collect()
}

fn fields_of(item: StructureItem<'_>) -> String {
    item.group_fields().map(|field| field.field().into_owned()).collect::<Vec<_>>().join(", ")
}

/// What an item is called in addresses.
pub(super) fn called(item: StructureItem<'_>, number: usize) -> String {
    let own = item.name();
    if !own.is_empty() {
        return own.into_owned();
    }
    let fields = fields_of(item);
    if !fields.is_empty() {
        return fields;
    }
    match item.kind() {
        StructureKind::Row | StructureKind::Column | StructureKind::Point | StructureKind::Series => {
            format!("{}#{number}", item.kind().word())
        }
        _ => format!("#{number}"),
    }
}

const PLACES: super::words::Words = &[
    ("item", &["", "группировка", "group", "таблица", "table", "диаграмма", "chart"]),
    ("row", &["строка", "row"]),
    ("column", &["колонка", "column"]),
    ("point", &["точка", "point"]),
    ("series", &["серия", "series"]),
];

fn one_step<'d>(element: Element<'d>, step: &str, is_first: bool) -> Result<Element<'d>, Refusal> {
    let items = inner(element);
    if let Some((kind, number)) = step.split_once('#') {
        let local = word(PLACES, kind, ("вид места", "kind of place"))?;
        let number: usize = number.trim().parse().unwrap_or(0);
        let found = items.iter().filter(|item| item.element().local() == local).nth(number.wrapping_sub(1));
        return found.map(|item| item.element()).ok_or_else(|| no_step(&items, step));
    }
    // A name may stand deeper down, if the way to it isn't written.
    let mut open: Vec<StructureItem<'d>> = items.clone();
    let mut found = Vec::new();
    while let Some(item) = open.pop() {
        if same(&item.name(), step) || same(&fields_of(item), step) {
            found.push(item);
        } else if is_first {
            open.extend(item.inner());
        }
    }
    match &found[..] {
        [one] => Ok(one.element()),
        [] => Err(no_step(&items, step)),
        _ => Err(Refusal::new(
            format!("«{step}» встречается в структуре {} раза: укажите путь (@в(#1/#2))", found.len()),
            format!("\"{step}\" stands in the structure {} times: write the way to it (@at(#1/#2))", found.len()),
        )),
    }
}

fn no_step(items: &[StructureItem<'_>], step: &str) -> Refusal {
    let mut there = Vec::new();
    for item in items {
        let alike = |other: &&StructureItem<'_>| other.element().local() == item.element().local();
        let number = items.iter().filter(alike).position(|other| other == item).unwrap_or(0) + 1;
        there.push(called(*item, number));
    }
    Refusal::unknown(("элемент структуры", "item of the structure"), step, there.iter().map(String::as_str))
}

pub(super) const fn set(local: &'static str) -> Name {
    Name { ns: ns::SETTINGS, local }
}

/// A list of a place, if there is one.
pub(super) fn list<'d>(spot: Spot<'d>, local: &str) -> Option<Element<'d>> {
    spot.element.child(local)
}

/// What a list, or a property for the user, is called in Russian.
fn in_russian(local: &str) -> &str {
    let list = LISTS.iter().find(|(name, _)| *name == local).and_then(|(_, words)| words.first());
    match (list, local) {
        (Some(word), _) => word,
        (None, "userFields") => "пользовательские поля",
        (None, "viewMode") => "режим отображения",
        (None, "userSettingID") => "настройка пользователя",
        (None, "userSettingPresentation") => "заголовок для пользователя",
        (None, other) => other,
    }
}

/// The kind of an item of the structure, in Russian.
fn kind_in_russian(element: Element<'_>) -> &'static str {
    match StructureItem(element).kind() {
        StructureKind::Group => "группировка",
        StructureKind::Table => "таблица",
        StructureKind::Column => "колонка",
        StructureKind::Row => "строка",
        StructureKind::Chart => "диаграмма",
        StructureKind::Point => "точка",
        StructureKind::Series => "серия",
        StructureKind::Nested => "вложенная схема",
        StructureKind::Unknown => "настройки",
    }
}

/// Items of a list.
pub(super) fn items<'d>(list: Option<Element<'d>>) -> Vec<Element<'d>> {
    list.into_iter().flat_map(|list| list.all("item")).collect()
}

/// Adds items to a list of a place, which is made if there is none.
pub(super) fn add_to<'d>(
    draft: &mut Draft<'d>,
    spot: Spot<'d>,
    local: &'static str,
    new: Vec<New>,
    place: Place<'d>,
) -> Result<(), Refusal> {
    let has = spot.element.of().and_then(|of| of.child(local)).is_some();
    if !has {
        let kind = StructureItem(spot.element).kind().word();
        return Err(Refusal::new(
            format!("Здесь ({}) не бывает этого: {}", kind_in_russian(spot.element), in_russian(local)),
            format!("Nothing of the kind {local} can stand here ({kind})"),
        ));
    }
    match list(spot, local) {
        Some(list) => {
            for new in new {
                draft.insert_at(list, new, place)?;
            }
            Ok(())
        }
        None => draft.insert(spot.element, New::with(set(local), new)),
    }
}

/// The item of a list that a number (`#2`) names.
pub(super) fn by_number<'d>(items: &[Element<'d>], text: &str) -> Result<Element<'d>, Refusal> {
    let number: usize = text.trim().trim_start_matches('#').parse().unwrap_or(0);
    items.get(number.wrapping_sub(1)).copied().ok_or_else(|| {
        Refusal::new(
            format!("Нет элемента {text}: их {}", items.len()),
            format!("There is no item {text}: there are {}", items.len()),
        )
    })
}

/// What the user may do with a setting.
#[derive(Clone, Debug, Default)]
pub(super) struct ForUser<'o> {
    pub(super) user: Flag,
    pub(super) view: &'o str,
    pub(super) title: Option<&'o Texts>,
}

/// A number of the form that the platform gives settings of users: the same for the same document and place.
fn setting_id(document: &crate::document::Document, salt: usize) -> String {
    use std::hash::{Hash, Hasher};
    let text = document.text();
    for round in 0_u32.. {
        let mut number = 0_u128;
        for half in 0..2_u32 {
            let mut hasher = rustc_hash::FxHasher::default();
            (text.len(), salt, round, half).hash(&mut hasher);
            text.as_bytes().iter().step_by(97).collect::<Vec<_>>().hash(&mut hasher);
            number = (number << 64) | u128::from(hasher.finish());
        }
        let hex = format!("{number:032x}");
        let id = format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..]);
        if !text.contains(&id) {
            return id;
        }
    }
    String::new()
}

impl ForUser<'_> {
    pub(super) fn view_mode(&self) -> Result<Option<&'static str>, Refusal> {
        if self.view.trim().is_empty() {
            return Ok(None);
        }
        word(VIEW_MODES, self.view, ("режим", "view mode")).map(Some)
    }

    /// Elements for something new, in their order.
    pub(super) fn elements(&self, document: &crate::document::Document, salt: usize) -> Result<Vec<New>, Refusal> {
        let mut parts = Vec::new();
        parts.extend(self.view_mode()?.map(|mode| New::text(set("viewMode"), mode)));
        if self.user.is_on() {
            parts.push(New::text(set("userSettingID"), setting_id(document, salt)));
        }
        parts.extend(self.title.map(|title| title.element(set("userSettingPresentation"))));
        Ok(parts)
    }

    /// Sets what is given.
    pub(super) fn set<'d>(&self, draft: &mut Draft<'d>, element: Element<'d>) -> Result<(), Refusal> {
        let has = |local: &str| element.of().and_then(|of| of.child(local)).is_some();
        let refuse = |local: &str| {
            Err(Refusal::new(
                format!("У этого элемента нет свойства «{}»", in_russian(local)),
                format!("This item has no property {local}"),
            ))
        };
        if let Some(mode) = self.view_mode()? {
            if !has("viewMode") {
                return refuse("viewMode");
            }
            draft.set_child(element, set("viewMode"), Some(mode))?;
        }
        if let Some(user) = self.user.0 {
            if !has("userSettingID") {
                return refuse("userSettingID");
            }
            match (user, element.child("userSettingID")) {
                (true, Some(old)) if !old.text().is_empty() => {}
                (true, _) => {
                    let id = setting_id(element.document(), element.range().start);
                    draft.set_child(element, set("userSettingID"), Some(&id))?;
                }
                (false, _) => draft.set_child(element, set("userSettingID"), None)?,
            }
        }
        if let Some(title) = self.title {
            if !has("userSettingPresentation") {
                return refuse("userSettingPresentation");
            }
            draft.set_localized(element, set("userSettingPresentation"), &title.0)?;
        }
        Ok(())
    }
}

/// Switches an item on or off.
pub(super) fn set_use<'d>(draft: &mut Draft<'d>, element: Element<'d>, use_: Option<bool>) -> Result<(), Refusal> {
    let Some(use_) = use_ else { return Ok(()) };
    let Some(member) = element.of().and_then(|of| of.child("use")) else {
        return Err(Refusal::new("Этот элемент не выключается", "This item can't be switched off"));
    };
    draft.set_child(element, member.name, if use_ { None } else { Some("false") })
}

/// `@on` and `@off` as one.
pub(super) fn on_off(on: Flag, off: Flag) -> Option<bool> {
    on.0.or(off.0.map(|off| !off))
}

/// A field of group items.
pub(super) fn group_field(field: &str, kind: &str) -> New {
    let never = |local| New::text(set(local), "0001-01-01T00:00:00").typed(name("xs:dateTime"));
    New::with(
        set("item"),
        [
            New::text(set("field"), field),
            New::text(set("groupType"), kind),
            New::text(set("periodAdditionType"), "None"),
            never("periodAdditionBegin"),
            never("periodAdditionEnd"),
        ],
    )
    .typed(set("GroupItemField"))
}

/// What a new group orders by and shows.
pub(super) fn auto_lists() -> [New; 2] {
    let auto = |list, of| New::with(set(list), [New::empty(set("item")).typed(set(of))]);
    [auto("order", "OrderItemAuto"), auto("selection", "SelectedItemAuto")]
}

//! Lines of shorthand that fit a document: each kind of operation at a random place.

mod data;
mod settings;

use dcs::view::{DataSet, Schema, StructureItem, StructureKind};
use dcs::{Document, Element};

/// Numbers without end, the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    pub fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.roll(all.len())].clone()) }
    }

    fn word<'w>(&mut self, all: &[&'w str]) -> &'w str {
        all[self.roll(all.len())]
    }
}

struct Around<'d> {
    schema: Schema<'d>,
    sets: Vec<DataSet<'d>>,
    fields: Vec<String>,
    calculated: Vec<String>,
    parameters: Vec<String>,
    variants: Vec<String>,
}

impl<'d> Around<'d> {
    fn of(document: &'d Document) -> Option<Self> {
        let schema = document.schema()?;
        let sets = schema.all_data_sets();
        let is_plain = |path: &String| path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let calculated: Vec<String> = schema.calculated_fields().map(|f| f.data_path().into_owned()).collect();
        let mut fields: Vec<String> = sets
            .iter()
            .flat_map(|set| set.fields())
            .map(|field| field.data_path().into_owned())
            .filter(is_plain)
            .collect();
        fields.extend(calculated.iter().filter(|path| is_plain(path)).cloned());
        Some(Self {
            schema,
            sets,
            fields,
            calculated,
            parameters: schema.parameters().map(|p| p.name().into_owned()).collect(),
            variants: schema.variants().map(|v| v.name().into_owned()).collect(),
        })
    }

    /// A set with a field of it.
    fn field(&self, dice: &mut Dice) -> Option<(String, String)> {
        let having: Vec<DataSet<'d>> = self.sets.iter().copied().filter(|set| set.fields().next().is_some()).collect();
        let set = dice.pick(&having)?;
        let fields: Vec<String> = set.fields().map(|field| field.data_path().into_owned()).collect();
        Some((set.name().into_owned(), dice.pick(&fields)?))
    }

    fn variant(&self, dice: &mut Dice) -> Option<String> {
        dice.pick(&self.variants)
    }

    /// Addresses of a variant's structure.
    fn structure_of(&self, variant: &str) -> Vec<String> {
        let found = self.schema.variants().find(|v| v.name() == variant).and_then(|v| v.settings());
        found.map_or(Vec::new(), |settings| {
            settings.all_structure().into_iter().map(|(_, item)| address(item)).collect()
        })
    }

    fn structure(&self, dice: &mut Dice) -> Option<(String, String)> {
        let variant = self.variant(dice)?;
        let at = dice.pick(&self.structure_of(&variant))?;
        Some((variant, at))
    }

    /// A variant, and often an item to stand in, as options.
    fn inside(&self, dice: &mut Dice, kinds: &[StructureKind]) -> Option<String> {
        self.place(dice, kinds, false).map(|place| place.replace("@at(", "@inside("))
    }

    /// An item of a list somewhere in a variant: the place as options, and the item's number.
    fn item(&self, dice: &mut Dice, local: &str) -> Option<(String, usize)> {
        let variant = self.variant(dice)?;
        let settings = self.schema.variants().find(|v| v.name() == variant)?.settings()?;
        let mut lists = vec![(format!("@variant({variant})"), settings.element().child(local))];
        for (_, item) in settings.all_structure() {
            lists.push((format!("@variant({variant}) @at({})", address(item)), item.element().child(local)));
        }
        let lists: Vec<(String, usize)> = lists
            .into_iter()
            .filter_map(|(place, list)| Some((place, list?.all("item").count())))
            .filter(|(_, count)| *count > 0)
            .collect();
        let (place, count) = dice.pick(&lists)?;
        Some((place, dice.roll(count) + 1))
    }

    fn list(&self, dice: &mut Dice, local: &str) -> Option<(String, Element<'d>)> {
        let variant = self.variant(dice)?;
        let settings = self.schema.variants().find(|v| v.name() == variant)?.settings()?;
        Some((variant, settings.element().child(local)?))
    }

    fn query_set(&self, dice: &mut Dice) -> Option<DataSet<'d>> {
        let all: Vec<DataSet<'d>> = self
            .sets
            .iter()
            .copied()
            .filter(|set| set.query_element().is_some() && set.fields().any(|field| !field.source().contains('.')))
            .collect();
        dice.pick(&all)
    }

    /// A variant with a field of the user.
    fn user_field(&self, dice: &mut Dice) -> Option<(String, String)> {
        let mut all = Vec::new();
        for variant in self.schema.variants() {
            let fields = variant.settings().and_then(|settings| settings.user_fields());
            let paths = fields.into_iter().flat_map(|list| list.all("item")).map(|field| field.text_of("dataPath"));
            all.extend(paths.map(|path| (variant.name().into_owned(), path.into_owned())));
        }
        dice.pick(&all)
    }

    fn named_group(&self, dice: &mut Dice) -> Option<String> {
        let all = self.schema.all_settings().into_iter().flat_map(|(_, settings)| settings.all_structure());
        let named: Vec<String> =
            all.map(|(_, item)| item.name().into_owned()).filter(|name| !name.is_empty()).collect();
        dice.pick(&named)
    }

    fn template(&self, dice: &mut Dice) -> Option<String> {
        let all: Vec<String> = self.schema.templates().map(|template| template.name().into_owned()).collect();
        dice.pick(&all)
    }

    /// A variant, and often a place in its structure, as options.
    fn place(&self, dice: &mut Dice, kinds: &[StructureKind], must: bool) -> Option<String> {
        let variant = self.variant(dice)?;
        let found = self.schema.variants().find(|v| v.name() == variant)?.settings()?;
        let items: Vec<String> = found
            .all_structure()
            .into_iter()
            .filter(|(_, item)| kinds.contains(&item.kind()))
            .map(|(_, item)| address(item))
            .collect();
        let variant = format!("@variant({variant})");
        if !must && dice.roll(2) == 0 {
            return Some(variant);
        }
        match dice.pick(&items) {
            Some(at) => Some(format!("{variant} @at({at})")),
            None if must => None,
            None => Some(variant),
        }
    }
}

/// Numbers from the settings on: `#1/row#2`.
pub fn address(item: StructureItem<'_>) -> String {
    let mut parts = Vec::new();
    let mut at: Element<'_> = item.element();
    while let Some(parent) = at.parent() {
        if !matches!(at.local(), "item" | "column" | "row" | "point" | "series") {
            break;
        }
        let number = parent.children().filter(|other| other.local() == at.local()).position(|other| other == at);
        let word = if at.local() == "item" { "" } else { at.local() };
        parts.push(format!("{word}#{}", number.unwrap_or(0) + 1));
        at = parent;
    }
    parts.reverse();
    parts.join("/")
}
/// A line that may fit; whether it is carried out is for the document to say.
pub fn some_line(kind: &str, document: &Document, dice: &mut Dice) -> Option<String> {
    let around = Around::of(document)?;
    let fresh = format!("Новое{}", dice.roll(1_000_000));
    let rest = data::line(kind, &around, dice, &fresh).or_else(|| settings::line(kind, &around, dice, &fresh))?;
    Some(format!("{kind} {rest}"))
}

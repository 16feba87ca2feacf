//! Lines of shorthand that fit a document: each kind of operation at a random place.

use metascope_dcs::view::{DataSet, Schema, StructureItem, StructureKind};
use metascope_dcs::{Document, Element};

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
        fields.extend(calculated.iter().cloned().filter(is_plain));
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

const GROUPS: &[StructureKind] =
    &[StructureKind::Group, StructureKind::Row, StructureKind::Column, StructureKind::Point, StructureKind::Series];

/// A line that may fit; whether it is carried out is for the document to say.
pub fn some_line(kind: &str, document: &Document, dice: &mut Dice) -> Option<String> {
    let around = Around::of(document)?;
    let fresh = format!("Новое{}", dice.roll(1_000_000));
    let _ = GROUPS;
    let types = ["Число(15,2)", "Строка(50)", "Дата", "Булево", "СправочникСсылка.Валюты|Строка", "ДокументСсылка"];
    let of = dice.word(&types);
    let rest = match kind {
        "add-field" => {
            let set = dice.pick(&around.sets)?.name().into_owned();
            let expression = if dice.roll(3) > 0 { " = 1 + 2" } else { "" };
            let options = dice.word(&["", " @resource", " @dimension", " @restrict(группировка, порядок)"]);
            format!("{fresh}: {of} ru\"Новое\" en\"New\" @set({set}){options}{expression}")
        }
        "modify-field" => {
            let (set, field) = around.field(dice)?;
            match dice.roll(4) {
                0 => format!("{field} \"Другое\" @set({set})"),
                1 => format!("{field}: {of} @set({set})"),
                2 => format!("{field} @clear(заголовок) @set({set})"),
                _ => format!("{field} en\"Other\" @presentation({field}) @set({set})"),
            }
        }
        "field-role" => {
            let (set, field) = around.field(dice)?;
            let role = dice.word(&[
                "@dimension",
                "@required @dimension",
                "@balance(начальный, Г)",
                "@period(1, main)",
                "@none",
                "@account(нет) @required",
            ]);
            format!("{field} {role} @set({set})")
        }
        "field-restrictions" => {
            let (set, field) = around.field(dice)?;
            let what = dice.word(&[
                "@restrict(поле, условие)",
                "@attributes(order)",
                "@none",
                "@restrict(группировка) @attributes(поле)",
            ]);
            format!("{field} {what} @set({set})")
        }
        "remove-field" => {
            let (set, field) = around.field(dice)?;
            format!("{field} @set({set}){}", dice.word(&["", " @query"]))
        }
        "rename-field" => format!("{} -> {fresh}", dice.pick(&around.fields)?),
        "add-calculated" => {
            let field = dice.pick(&around.fields)?;
            let options = dice.word(&["", " @resource", " @restrict(условие)"]);
            format!("{fresh}: {of} \"Новое\"{options} = ВЫБОР КОГДА {field} > 0 ТОГДА {field} ИНАЧЕ 0 КОНЕЦ")
        }
        "modify-calculated" => {
            let calculated = dice.pick(&around.calculated)?;
            match dice.roll(3) {
                0 => format!("{calculated} = 1 + {}", dice.pick(&around.fields)?),
                1 => format!("{calculated}: {of} \"Другое\""),
                _ => format!("{calculated} @restrict(поле, порядок)"),
            }
        }
        "remove-calculated" => dice.pick(&around.calculated)?,
        "add-total" => {
            let field = dice.pick(&around.fields)?;
            match dice.roll(3) {
                0 => field,
                1 => format!("{field} = Максимум({field})"),
                _ => format!("{field} @groups({}, ОбщийИтог)", dice.pick(&around.fields)?),
            }
        }
        "modify-total" => {
            let totals: Vec<String> = around.schema.totals().map(|total| total.data_path().into_owned()).collect();
            let total = dice.pick(&totals)?;
            match dice.roll(2) {
                0 => format!("{total} = Среднее({total})"),
                _ => format!("{total} @groups({})", dice.pick(&around.fields)?),
            }
        }
        "remove-total" => {
            let totals: Vec<String> = around.schema.totals().map(|total| total.data_path().into_owned()).collect();
            dice.pick(&totals)?
        }
        "add-parameter" => match dice.roll(4) {
            0 => format!("{fresh}: СтандартныйПериод \"Период\" @always = ЭтотМесяц"),
            1 => format!("{fresh}: Число(5) @list @hidden = 1, 2"),
            2 => format!("{fresh}: Строка(10) @available(\"а\" \"Первый\", \"б\") = \"а\""),
            _ => match around.parameters.last() {
                Some(last) if dice.roll(2) == 0 => format!("{fresh}: Дата @before({last}) = 2024-01-31"),
                _ => format!("Период{fresh}: СтандартныйПериод @dates = 2024-01-01..2024-12-31"),
            },
        },
        "modify-parameter" => {
            let parameter = dice.pick(&around.parameters)?;
            match dice.roll(5) {
                0 => format!("{parameter} \"Другой\" @hidden @always"),
                1 => format!("{parameter}: Строка = \"x < y\""),
                2 => format!("{parameter} @list = 1, 2, 3"),
                3 => format!("{parameter} @available(1 \"Один\", 2 \"Два\") @complete"),
                _ => format!("{parameter} @clear(заголовок) @field(нет)"),
            }
        }
        "rename-parameter" => format!("{} -> {fresh}", dice.pick(&around.parameters)?),
        "move-parameter" => {
            let (one, other) = (dice.pick(&around.parameters)?, dice.pick(&around.parameters)?);
            match dice.roll(4) {
                0 => format!("{one} @first"),
                1 => format!("{one} @before({other})"),
                2 => format!("{one} @after({other})"),
                _ => one,
            }
        }
        "remove-parameter" => dice.pick(&around.parameters)?,
        _ => return None,
    };
    Some(format!("{kind} {rest}"))
}

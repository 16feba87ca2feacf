//! Lines of shorthand that fit a document: each kind of operation at a random place.

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

const ANY: &[StructureKind] = &[
    StructureKind::Group,
    StructureKind::Row,
    StructureKind::Column,
    StructureKind::Point,
    StructureKind::Series,
    StructureKind::Table,
    StructureKind::Chart,
];
const GROUPS: &[StructureKind] =
    &[StructureKind::Group, StructureKind::Row, StructureKind::Column, StructureKind::Point, StructureKind::Series];

/// A line that may fit; whether it is carried out is for the document to say.
pub fn some_line(kind: &str, document: &Document, dice: &mut Dice) -> Option<String> {
    let around = Around::of(document)?;
    let fresh = format!("Новое{}", dice.roll(1_000_000));
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
        "add-variant" => {
            let fields = dice.pick(&around.fields)?;
            match dice.roll(3) {
                0 => format!("{fresh} \"Новый\""),
                1 => format!("{fresh} @fields({fields}) @before({})", around.variant(dice)?),
                _ => format!("{fresh} ru\"Новый\" en\"New\" @groups({fields}, {})", dice.pick(&around.fields)?),
            }
        }
        "copy-variant" => format!("{} -> {fresh}", around.variant(dice)?),
        "rename-variant" => match dice.roll(2) {
            0 => format!("{} -> {fresh}", around.variant(dice)?),
            _ => format!("{} @title(ru\"Имя\" en\"Name\")", around.variant(dice)?),
        },
        "move-variant" => {
            let (one, other) = (around.variant(dice)?, around.variant(dice)?);
            match dice.roll(3) {
                0 => format!("{one} @first"),
                1 => format!("{one} @after({other})"),
                _ => one,
            }
        }
        "remove-variant" => around.variant(dice)?,
        "add-selection" => {
            let place = around.place(dice, ANY, false)?;
            let field = dice.pick(&around.fields)?;
            let options =
                dice.word(&["", " @title(Заголовок)", " @off", " @folder(Папка) @placement(вместе)", " @auto"]);
            format!("{field}, {} {place}{options}", dice.pick(&around.fields)?)
        }
        "modify-selection" => {
            let (place, number) = around.item(dice, "selection")?;
            let options = dice.word(&["@title(ru\"Поле\" en\"Field\")", "@off", "@on", "@placement(вертикально)"]);
            format!("#{number} {place} {options}")
        }
        "remove-selection" => {
            let (place, number) = around.item(dice, "selection")?;
            format!("#{number} {place}")
        }
        "add-filter" => {
            let place = around.place(dice, GROUPS, false)?;
            let (one, other) = (dice.pick(&around.fields)?, dice.pick(&around.fields)?);
            let options = dice.word(&["", " @off @user", " @user @view(быстрый) @title(Отбор)", " @view(hidden)"]);
            let condition = match dice.roll(6) {
                0 => format!("{one} > 10.5"),
                1 => format!("{one} в списке (1, \"а\", Перечисление.Статусы.Новый)"),
                2 => format!("{one} = {other} и {other} заполнено"),
                3 => format!("{one} <> Неопределено или не ({other} содержит \"x < y\")"),
                4 => format!("{one} >= НачалоЭтогоДня"),
                _ => match dice.pick(&around.parameters) {
                    Some(parameter) => format!("{one} = &{parameter}"),
                    None => format!("{one} не заполнено"),
                },
            };
            format!("{condition} {place}{options}")
        }
        "modify-filter" => {
            let (place, number) = around.item(dice, "filter")?;
            let options = match dice.roll(5) {
                0 => "@off".to_owned(),
                1 => "@user @view(обычный)".to_owned(),
                2 => "@user(нет) @on".to_owned(),
                3 => format!("@condition({} не в списке (1, 2))", dice.pick(&around.fields)?),
                _ => format!("@condition({} = Истина) @title(Отбор)", dice.pick(&around.fields)?),
            };
            format!("#{number} {place} {options}")
        }
        "remove-filter" => {
            let (place, number) = around.item(dice, "filter")?;
            format!("#{number} {place}")
        }
        "add-order" => {
            let place = around.place(dice, GROUPS, false)?;
            let options = dice.word(&["", " @auto", " @off"]);
            format!("{} убыв, {} {place}{options}", dice.pick(&around.fields)?, dice.pick(&around.fields)?)
        }
        "modify-order" => {
            let (place, number) = around.item(dice, "order")?;
            let options = dice.word(&["@descending", "@descending(нет)", "@off", "@on"]);
            format!("#{number} {place} {options}")
        }
        "remove-order" => {
            let (place, number) = around.item(dice, "order")?;
            format!("#{number} {place}")
        }
        "add-appearance" => {
            let place = around.place(dice, ANY, false)?;
            let field = dice.pick(&around.fields)?;
            let options = match dice.roll(4) {
                0 => String::new(),
                1 => format!(" @where({field} < 0)"),
                2 => format!(" @fields({field}) @where({field} заполнено и {field} <> 1) @presentation(Минус)"),
                _ => " @off @user @view(hidden)".to_owned(),
            };
            let what = dice.word(&[
                "ЦветТекста = #FF0000",
                "Формат = \"ЧДЦ=2; ЧН=-\"; МинимальнаяШирина = 10",
                "Шрифт = жирный 12; ГоризонтальноеПоложение = право",
            ]);
            format!("{what} {place}{options}")
        }
        "modify-appearance" => {
            let (place, number) = around.item(dice, "conditionalAppearance")?;
            let field = dice.pick(&around.fields)?;
            let options = match dice.roll(4) {
                0 => "@appearance(ЦветТекста = #00FF00; ЦветФона = auto)".to_owned(),
                1 => format!("@where({field} = 1)"),
                2 => format!("@fields({field}) @off"),
                _ => "@presentation(Другое) @where()".to_owned(),
            };
            format!("#{number} {place} {options}")
        }
        "remove-appearance" => {
            let (place, number) = around.item(dice, "conditionalAppearance")?;
            format!("#{number} {place}")
        }
        "set-output" => {
            let place = around.place(dice, &[], false)?;
            let what = dice.word(&[
                "ВыводитьЗаголовок = нет",
                "Заголовок = \"Отчёт\"",
                "FilterOutput = DontOutput",
                "ГоризонтальноеРасположениеОбщихИтогов = начало",
                "МакетОформления = \"ОформлениеОтчетовБежевый\"",
                "ТипЗаголовкаПолей = полный",
            ]);
            format!("{what} {place}{}", dice.word(&["", " @user", " @off", " @on"]))
        }
        "remove-output" => {
            let (variant, list) = around.list(dice, "outputParameters")?;
            let names: Vec<String> = list.all("item").map(|item| item.text_of("parameter").into_owned()).collect();
            format!("{} @variant({variant})", dice.pick(&names)?)
        }
        "set-data-parameter" => {
            let what =
                dice.word(&["= ПрошлыйМесяц @user", "= 1", "@off", "= \"т\" @view(быстрый) @user", "= Неопределено"]);
            format!("{} {what} @variant({})", dice.pick(&around.parameters)?, around.variant(dice)?)
        }
        "remove-data-parameter" => {
            let (variant, list) = around.list(dice, "dataParameters")?;
            let names: Vec<String> = list.all("item").map(|item| item.text_of("parameter").into_owned()).collect();
            format!("{} @variant({variant})", dice.pick(&names)?)
        }
        "user-settings" => {
            let list = dice.word(&["selection", "filter", "order", "conditionalAppearance"]);
            let place = around.place(dice, GROUPS, false)?;
            let options = dice.word(&["@user", "@user(нет)", "@view(скрытый)", "@user @view(normal) @title(Моё)"]);
            if place.contains("@at") && dice.roll(2) == 0 {
                format!("{place} {options}")
            } else {
                format!("{list} {place} {options}")
            }
        }
        "clear-settings" => {
            let list = dice.word(&["поля", "отбор", "порядок", "оформление", "вывод", "структура"]);
            format!("{list} {}", around.place(dice, GROUPS, false)?)
        }
        "add-group" => {
            let inside = around.inside(dice, &[StructureKind::Group])?;
            let field = dice.pick(&around.fields)?;
            match dice.roll(4) {
                0 => inside,
                1 => format!("{field}, {} иерархия {inside} @name({fresh})", dice.pick(&around.fields)?),
                2 => {
                    let table = around.inside(dice, &[StructureKind::Table])?;
                    format!("{field} {table} @part({})", dice.word(&["строки", "columns"]))
                }
                _ => format!("{field} {inside} @off"),
            }
        }
        "add-table" => format!(
            "{fresh} @rows({}) @columns({}, {}) {}",
            dice.pick(&around.fields)?,
            dice.pick(&around.fields)?,
            dice.pick(&around.fields)?,
            around.inside(dice, &[StructureKind::Group])?
        ),
        "add-chart" => format!(
            "{fresh} @points({}) @series({}) @fields({}) {}",
            dice.pick(&around.fields)?,
            dice.pick(&around.fields)?,
            dice.pick(&around.fields)?,
            around.inside(dice, &[StructureKind::Group])?
        ),
        "modify-structure" => {
            let (variant, at) = around.structure(dice)?;
            let options = match dice.roll(4) {
                0 => format!("@name({fresh})"),
                1 => format!("@fields({}, {})", dice.pick(&around.fields)?, dice.pick(&around.fields)?),
                2 => "@off".to_owned(),
                _ => "@name()".to_owned(),
            };
            format!("{at} @variant({variant}) {options}")
        }
        "move-structure" => {
            let (variant, at) = around.structure(dice)?;
            let inside = around.structure_of(&variant);
            match dice.roll(4) {
                0 => format!("{at} @variant({variant}) @inside(/)"),
                1 => format!("{at} @variant({variant}) @inside({})", dice.pick(&inside)?),
                2 => format!("{at} @variant({variant}) @before({})", dice.pick(&inside)?),
                _ => format!("{at} @variant({variant})"),
            }
        }
        "remove-structure" => {
            let (variant, at) = around.structure(dice)?;
            format!("{at} @variant({variant})")
        }
        "add-data-set" => match dice.roll(4) {
            0 => format!("{fresh} @object({fresh}) @fields(А, Б)"),
            1 => format!("{fresh} @union @fields(А)"),
            2 => {
                let unions: Vec<String> = around
                    .sets
                    .iter()
                    .filter(|set| set.element().is_of("DataSetUnion"))
                    .map(|set| set.name().into_owned())
                    .collect();
                format!("{fresh} @inside({}) = ВЫБРАТЬ 1 КАК А", dice.pick(&unions)?)
            }
            _ => format!("{fresh} = ВЫБРАТЬ Т.Код КАК К{fresh}, 1 < 2 КАК Л{fresh} ИЗ Справочник.Валюты КАК Т"),
        },
        "rename-data-set" => format!("{} -> {fresh}", dice.pick(&around.sets)?.name()),
        "remove-data-set" => dice.pick(&around.sets)?.name().into_owned(),
        "add-data-source" => fresh,
        "remove-data-source" => {
            let sources: Vec<String> = around.schema.data_sources().map(|source| source.name().into_owned()).collect();
            dice.pick(&sources)?
        }
        "set-query" => {
            let set = around.query_set(dice)?;
            let columns: Vec<String> = set
                .fields()
                .map(|f| f.source().into_owned())
                .filter(|c| !c.contains('.'))
                .map(|c| format!("1 КАК {c}"))
                .collect();
            let keep = if dice.roll(2) == 0 { columns.len() } else { columns.len() / 2 };
            format!(
                "{} = ВЫБРАТЬ 0 КАК Нуль{fresh}, {}",
                set.name(),
                columns[..keep.max(1).min(columns.len())].join(", ")
            )
        }
        "patch-query" => {
            let set = around.query_set(dice)?;
            let text = set.query();
            let words: Vec<&str> = text
                .split_whitespace()
                .filter(|word| word.len() > 12 && !word.contains(['(', ')', '[', ']', '"', '@']))
                .collect();
            let word = dice.pick(&words)?;
            format!("{} @old({word}) @new({word} )", set.name())
        }
        "add-link" => {
            let (one, other) = (dice.pick(&around.sets)?, dice.pick(&around.sets)?);
            let options = dice.word(&["", " @optional", " @condition(1 = 1)"]);
            format!("{} -> {} @source(А) @target(Б){options}", one.name(), other.name())
        }
        "modify-link" | "remove-link" => {
            let links: Vec<_> = around.schema.links().collect();
            let link = dice.pick(&links)?;
            let alike = |other: &&dcs::view::Link<'_>| {
                other.source() == link.source() && other.destination() == link.destination()
            };
            let number = links.iter().filter(alike).position(|other| *other == link)? + 1;
            let line = format!("{} -> {} @number({number})", link.source(), link.destination());
            match (kind, dice.roll(3)) {
                ("remove-link", _) => line,
                (_, 0) => format!("{line} @source(Другое)"),
                (_, 1) => format!("{line} @condition(А = Б) @list"),
                _ => format!("{line} @optional @target(Иное)"),
            }
        }
        "bind-template" => {
            let template = around.template(dice)?;
            match dice.roll(2) {
                0 => format!("{template} @field({})", dice.pick(&around.fields)?),
                _ => {
                    let all =
                        around.schema.all_settings().into_iter().flat_map(|(_, settings)| settings.all_structure());
                    let named: Vec<String> =
                        all.map(|(_, item)| item.name().into_owned()).filter(|n| !n.is_empty()).collect();
                    let part = dice.word(&["", " @part(подвал)", " @part(overall header)"]);
                    format!("{template} @group({}){part}", dice.pick(&named)?)
                }
            }
        }
        "unbind-template" | "remove-template" => around.template(dice)?,
        "drill-down" => {
            let templates: Vec<_> = around.schema.templates().collect();
            let template = dice.pick(&templates)?;
            let shown: Vec<String> = template.used_parameters().map(|value| value.text().into_owned()).collect();
            let action = dice.word(&["", " @action(открыть)"]);
            format!(
                "{} @parameter({}) @fields(Ф = {}){action} @to({fresh})",
                template.name(),
                dice.pick(&shown)?,
                dice.pick(&around.fields)?
            )
        }
        "add-nested" => {
            let shown =
                around.variant(dice).filter(|_| dice.roll(2) == 0).map_or(String::new(), |v| format!(" @variant({v})"));
            format!("{fresh} \"Вложенная\"{shown} = ВЫБРАТЬ Т.Код КАК Код ИЗ Справочник.Валюты КАК Т ГДЕ Т.Код = &Код")
        }
        "remove-nested" => {
            let nested: Vec<String> = around.schema.nested_schemas().map(|nested| nested.name().into_owned()).collect();
            dice.pick(&nested)?
        }
        _ => return None,
    };
    Some(format!("{kind} {rest}"))
}

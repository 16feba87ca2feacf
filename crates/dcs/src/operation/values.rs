//! Values of the platform's own parameters, of output and of appearance: which there are, and of which type each is.
//!
//! Names and types are those that genuine schemas have; each parameter has a Russian and an English name, and a file may use
//! either.

use super::refusal::Refusal;
use super::shorthand::{Texts, ValuePlace, is_path, unquote, value};
use super::words::{Words, word};
use crate::document::Element;
use crate::edit::New;
use crate::formal::{Name, name};
use crate::xml::ns;

/// What a parameter takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    /// A text in several languages.
    Texts,
    /// A text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// A colour: `#RRGGBB`, `style:Имя`, `web:Red`, `win:Name`, `auto`.
    Color,
    /// A font: words `жирный`, `курсив`, `подчеркнутый`, a size.
    Font,
    /// One of an enumeration: its name, and how values are written in shorthand.
    One(&'static str, Words),
}

const OUTPUT: Words = &[
    ("Output", &["да", "выводить", "yes"]),
    ("DontOutput", &["нет", "не выводить", "no"]),
    ("Auto", &["авто", "auto"]),
    ("OutputFilled", &["выводить заполненные", "filled"]),
];
const TOTALS: Words = &[
    ("None", &["нет", "none"]),
    ("Begin", &["начало", "begin"]),
    ("End", &["конец", "end"]),
    ("BeginAndEnd", &["начало и конец", "begin and end"]),
    ("Auto", &["авто", "auto"]),
];
const TITLES: Words = &[("Short", &["краткий", "short"]), ("Full", &["полный", "full"]), ("Auto", &["авто", "auto"])];
const DIRECTION: Words = &[("Vertically", &["вертикально"]), ("Horizontally", &["горизонтально"])];
const GROUP_FIELDS: Words = &[
    ("Together", &["вместе"]),
    ("Separately", &["отдельно"]),
    ("SeparatelyAndInTotalsOnly", &["отдельно и только в итогах"]),
];
const ATTRIBUTES: Words = &[
    ("WithOwnerField", &["вместе с владельцем"]),
    ("Separately", &["отдельно"]),
    ("Together", &["вместе"]),
    ("SpecialPosition", &["в отдельной позиции"]),
];
const GROUP_PLACEMENT: Words =
    &[("Begin", &["начало"]), ("End", &["конец"]), ("BeginAndEnd", &["начало и конец"]), ("None", &["нет"])];
const HORIZONTAL: Words = &[
    ("Left", &["лево", "влево"]),
    ("Center", &["центр"]),
    ("Right", &["право", "вправо"]),
    ("Justify", &["по ширине"]),
    ("Auto", &["авто"]),
];
const VERTICAL: Words = &[("Top", &["верх"]), ("Center", &["центр"]), ("Bottom", &["низ"])];
const TEXT_PLACEMENT: Words =
    &[("Cut", &["обрезать"]), ("Wrap", &["переносить"]), ("Block", &["забивать"]), ("Overflow", &["выступать"])];
const LEGEND: Words =
    &[("None", &["нет"]), ("Left", &["лево"]), ("Right", &["право"]), ("Top", &["верх"]), ("Bottom", &["низ"])];
const CHARTS: Words = &[
    ("Column", &["гистограмма"]),
    ("StackedColumn", &["гистограмма с накоплением"]),
    ("Bar", &["гистограмма горизонтальная"]),
    ("Line", &["график"]),
    ("Pie", &["круговая"]),
    ("Pie3D", &["круговая объемная"]),
    ("Column3D", &["гистограмма объемная"]),
    ("Area", &["график с областями"]),
    ("Gauge", &["измерительная"]),
];

/// A parameter: its Russian and its English name, and what it takes.
pub(super) type Known = (&'static str, &'static str, Takes);

/// Parameters of output.
pub(super) const OUTPUTS: &[Known] = &[
    ("Заголовок", "Title", Takes::Texts),
    ("ВыводитьЗаголовок", "TitleOutput", Takes::One("set:DataCompositionTextOutputType", OUTPUT)),
    ("ВыводитьОтбор", "FilterOutput", Takes::One("set:DataCompositionTextOutputType", OUTPUT)),
    ("ВыводитьПараметрыДанных", "DataParametersOutput", Takes::One("set:DataCompositionTextOutputType", OUTPUT)),
    ("МакетОформления", "AppearanceTemplate", Takes::Text),
    ("РасположениеИтогов", "TotalsPlacement", Takes::One("cor:DataCompositionTotalPlacement", TOTALS)),
    ("РасположениеОбщихИтогов", "OverallsPlacement", Takes::One("cor:DataCompositionTotalPlacement", TOTALS)),
    (
        "ГоризонтальноеРасположениеОбщихИтогов",
        "HorizontalOverallPlacement",
        Takes::One("cor:DataCompositionTotalPlacement", TOTALS),
    ),
    (
        "ВертикальноеРасположениеОбщихИтогов",
        "VerticalOverallPlacement",
        Takes::One("cor:DataCompositionTotalPlacement", TOTALS),
    ),
    ("ТипЗаголовкаПолей", "FieldsTitleType", Takes::One("cor:DataCompositionFieldsTitleType", TITLES)),
    ("РасположениеРесурсов", "ResourcePlacement", Takes::One("set:DataCompositionResourcesPlacement", DIRECTION)),
    (
        "РасположениеПолейГруппировки",
        "GroupFieldsPlacement",
        Takes::One("set:DataCompositionGroupFieldsPlacement", GROUP_FIELDS),
    ),
    ("РасположениеРеквизитов", "AttributePlacement", Takes::One("set:DataCompositionAttributesPlacement", ATTRIBUTES)),
    ("РасположениеГруппировки", "GroupPlacement", Takes::One("set:DataCompositionGroupPlacement", GROUP_PLACEMENT)),
    ("КоличествоЗаписей", "RecordsCount", Takes::Number),
    ("ПроцентЗаписей", "RecordsPercent", Takes::Number),
    ("ТипДиаграммы", "ChartType", Takes::One("ui:ChartType", CHARTS)),
    (
        "ТипДиаграммы.РасположениеЛегенды",
        "ChartType.LegendPlacement",
        Takes::One("set:DataCompositionChartLegendPlacement", LEGEND),
    ),
];

/// Parameters of appearance.
pub(super) const APPEARANCES: &[Known] = &[
    ("ЦветТекста", "TextColor", Takes::Color),
    ("ЦветФона", "BackColor", Takes::Color),
    ("ЦветГраницы", "BorderColor", Takes::Color),
    ("Шрифт", "Font", Takes::Font),
    ("Формат", "Format", Takes::Texts),
    ("Текст", "Text", Takes::Texts),
    ("ГоризонтальноеПоложение", "HorizontalAlign", Takes::One("ui:HorizontalAlign", HORIZONTAL)),
    ("ВертикальноеПоложение", "VerticalAlign", Takes::One("ui:VerticalAlign", VERTICAL)),
    ("Размещение", "Placement", Takes::One("cor:DataCompositionTextPlacementType", TEXT_PLACEMENT)),
    ("МинимальнаяШирина", "MinimumWidth", Takes::Number),
    ("МаксимальнаяШирина", "MaximumWidth", Takes::Number),
    ("МинимальнаяВысота", "MinimumHeight", Takes::Number),
    ("МаксимальнаяВысота", "MaxHeight", Takes::Number),
    ("Отступ", "Indent", Takes::Number),
    ("ОриентацияТекста", "TextOrientation", Takes::Number),
    ("ВыделятьОтрицательные", "MarkNegatives", Takes::Flag),
];

/// The parameter of a name. What it is called in a file is what was asked for: both names hold.
pub(super) fn known(all: &'static [Known], wanted: &str, kind: (&str, &str)) -> Result<(&'static str, Takes), Refusal> {
    let folded = wanted.trim().to_lowercase();
    for (russian, english, takes) in all {
        for own in [russian, english] {
            if own.to_lowercase() == folded {
                return Ok((own, *takes));
            }
        }
    }
    Err(Refusal::unknown(kind, wanted.trim(), all.iter().flat_map(|(russian, english, _)| [*russian, *english])))
}

fn wrong(text: &str, ru: &str, en: &str) -> Refusal {
    Refusal::new(format!("Не подходит «{text}»: {ru}"), format!("\"{text}\" doesn't fit: {en}"))
}

/// The element of a value, to stand in `around`.
pub(super) fn element_of(element: Name, takes: Takes, text: &str, around: Element<'_>) -> Result<New, Refusal> {
    let text = text.trim();
    let typed = |of: &'static str, text: &str| New::text(element, text).typed(name(of));
    Ok(match takes {
        Takes::Texts => Texts::parse(&unquote(text)).element(element),
        Takes::Text => typed("xs:string", &unquote(text)),
        Takes::Number => {
            if !crate::formal::Simple::Decimal.accepts(text) {
                return Err(wrong(text, "нужно число", "a number is wanted"));
            }
            typed("xs:decimal", text)
        }
        Takes::Flag => {
            let flag =
                super::words::flag(text).ok_or_else(|| wrong(text, "нужно да или нет", "yes or no is wanted"))?;
            typed("xs:boolean", if flag { "true" } else { "false" })
        }
        Takes::Color => {
            check_color(text, around)?;
            typed("ui:Color", text)
        }
        Takes::Font => font(element, text)?,
        Takes::One(of, words) => {
            let said = word(words, text, ("значение", "value"))?;
            New { of: Some(name_of(of)), ..New::text(element, said) }
        }
    })
}

fn name_of(of: &'static str) -> Name {
    name(of)
}

/// Namespaces of colours, by the prefixes that the platform gives them.
const COLORS: &[(&str, &str)] = &[
    ("style", "http://v8.1c.ru/8.1/data/ui/style"),
    ("web", "http://v8.1c.ru/8.1/data/ui/colors/web"),
    ("win", "http://v8.1c.ru/8.1/data/ui/colors/windows"),
];

fn check_color(text: &str, around: Element<'_>) -> Result<(), Refusal> {
    let is_number =
        text.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
    if is_number || text == "auto" {
        return Ok(());
    }
    let (prefix, rest) = text.split_once(':').unwrap_or(("", text));
    let Some((_, uri)) = COLORS.iter().find(|(known, _)| *known == prefix).filter(|_| is_path(rest)) else {
        return Err(wrong(
            text,
            "цвет — #RRGGBB, style:Имя, web:Имя, win:Имя или auto",
            "a colour is #RRGGBB, style:Name, web:Name, win:Name or auto",
        ));
    };
    let tree = around.document().tree();
    if tree.uri(tree.resolve(around.id(), prefix)) != *uri {
        return Err(wrong(
            text,
            "в этих настройках префикс цвета не объявлен; запишите цвет как #RRGGBB",
            "the colour's prefix isn't declared in these settings; write it as #RRGGBB",
        ));
    }
    Ok(())
}

fn font(element: Name, text: &str) -> Result<New, Refusal> {
    let mut new = New::empty(element).typed(name("ui:Font"));
    let (mut bold, mut italic, mut underline, mut height) = ("false", "false", "false", None);
    for word in text.split_whitespace() {
        match word.to_lowercase().as_str() {
            "жирный" | "bold" => bold = "true",
            "курсив" | "italic" => italic = "true",
            "подчеркнутый" | "underline" => underline = "true",
            size if size.parse::<u8>().is_ok() => height = Some(size.to_owned()),
            _ => {
                return Err(wrong(
                    text,
                    "шрифт — слова жирный, курсив, подчеркнутый и размер",
                    "a font is the words bold, italic, underline and a size",
                ));
            }
        }
    }
    // In the order in which the platform writes them.
    new.attributes.extend(height.map(|height| ("height", height)));
    for (attribute, value) in [("bold", bold), ("italic", italic), ("underline", underline), ("strikeout", "false")] {
        new.attributes.push((attribute, value.to_owned()));
    }
    new.attributes.push(("kind", "AutoFont".to_owned()));
    Ok(new)
}

/// The item of a parameter with its value.
pub(super) fn item(parameter: &str, value: New, off: bool, mut behind: Vec<New>) -> New {
    let core = |local| Name { ns: ns::CORE, local };
    let mut parts = Vec::new();
    if off {
        parts.push(New::text(core("use"), "false"));
    }
    parts.push(New::text(core("parameter"), parameter));
    parts.push(value);
    parts.append(&mut behind);
    New::with(core("item"), parts).typed(name("set:SettingsParameterValue"))
}

/// The element of a plain value.
pub(super) fn plain(text: &str) -> Result<New, Refusal> {
    value(name("cor:value"), text, ValuePlace::Constant)
}

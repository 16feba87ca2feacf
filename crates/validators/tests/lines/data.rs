//! Lines for sets, fields, parameters, variants, templates, nested schemas.

use super::{Around, Dice};

pub(super) fn line(kind: &str, around: &Around<'_>, dice: &mut Dice, fresh: &str) -> Option<String> {
    let types = ["Число(15,2)", "Строка(50)", "Дата", "Булево", "СправочникСсылка.Валюты|Строка", "ДокументСсылка"];
    let of = dice.word(&types);
    Some(match kind {
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
            let other = around.field(dice)?.1;
            let role = match dice.roll(4) {
                0 => format!("@balance(конечный, Г) @accounting(дебет) @account_field({other})"),
                1 => format!("@account_type({other}) @ignore_nulls"),
                2 => format!("@parent({other}) @dimension"),
                _ => dice
                    .word(&[
                        "@dimension",
                        "@required @dimension",
                        "@balance(начальный, Г)",
                        "@balance(нет)",
                        "@balance(none, Г) @accounting(credit)",
                        "@period(1, main)",
                        "@period(нет) @required",
                        "@none",
                        "@account(нет) @required",
                        "@parent() @attribute @main",
                    ])
                    .to_owned(),
            };
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
        "add-data-source" => fresh.to_owned(),
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
            let field = dice.pick(&around.fields)?;
            let group = around.named_group(dice);
            let part = dice.word(&["", " @part(подвал)", " @part(overall header)"]);
            match (dice.roll(6), group) {
                (0, _) => format!("{template} @field({field})"),
                (1, _) => format!("{template} @fields({field}){part}"),
                (2, _) => format!("{template} @fields({field}) @across_fields({}){part}", dice.pick(&around.fields)?),
                (_, None) => return None,
                (3, Some(group)) => format!("{template} @group({group}) @header"),
                (4, Some(group)) => format!("{template} @group({group}) @across({}){part}", around.named_group(dice)?),
                (_, Some(group)) => format!("{template} @group({group}){part}"),
            }
        }
        "unbind-template" => {
            let template = around.template(dice)?;
            match (dice.roll(4), around.named_group(dice)) {
                (0, Some(group)) => format!("@group({group})"),
                (1, Some(group)) => format!("@group({group}) @header"),
                (2, Some(group)) => format!("{template} @across({group})"),
                (3, _) => format!("{template} @header(нет)"),
                _ => template,
            }
        }
        "remove-template" => around.template(dice)?,
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
    })
}

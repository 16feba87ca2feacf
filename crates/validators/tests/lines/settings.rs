//! Lines for the settings of variants.

use dcs::view::StructureKind;

use super::{Around, Dice};

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

pub(super) fn line(kind: &str, around: &Around<'_>, dice: &mut Dice, fresh: &str) -> Option<String> {
    Some(match kind {
        "add-user-field" => {
            let variant = around.variant(dice)?;
            let field = dice.pick(&around.fields)?;
            match dice.roll(4) {
                0 => format!("{fresh} ru\"Новое\" en\"New\" = {field} * 2 @variant({variant})"),
                1 => format!(
                    "{fresh} = ВЫБОР КОГДА {field} > 0 ТОГДА 1 КОНЕЦ @total(Сумма({field})) @variant({variant})"
                ),
                2 => format!("{fresh} @cases({field} > 1 -> \"x < y\" \"Много\"; иначе -> 0) @variant({variant})"),
                _ => match around.user_field(dice) {
                    Some((variant, other)) => format!("{fresh} = {other} + 1 @before({other}) @variant({variant})"),
                    None => format!("{fresh} @cases({field} заполнено и {field} <> 1 -> {field}) @variant({variant})"),
                },
            }
        }
        "modify-user-field" => {
            let (variant, field) = around.user_field(dice)?;
            let other = dice.pick(&around.fields)?;
            match dice.roll(4) {
                0 => format!("{field} ru\"Иное\" en\"Other\" @variant({variant})"),
                1 => format!("{field} = {other} + {other} @variant({variant})"),
                2 => format!("{field} @total(Максимум({other})) @variant({variant})"),
                _ => format!(
                    "{field} @cases({other} = 1 -> \"а\"; {other} = 2 -> {other}; иначе -> Ложь) @variant({variant})"
                ),
            }
        }
        "rename-user-field" => {
            let (variant, field) = around.user_field(dice)?;
            format!("{field} -> {fresh} @variant({variant})")
        }
        "remove-user-field" => {
            let (variant, field) = around.user_field(dice)?;
            format!("{field} @variant({variant})")
        }
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
        _ => return None,
    })
}

//! Schedule of a job: `Ext/Schedule.xml`, as a short text.

use super::Context;
use crate::model::Text;
use crate::xml::{Element, Xml};

/// Reads a schedule: `every 2 d, at 08:15:00, every 3600 s, days 1 2 3, months 1 2`. What stands at its default (every
/// day, all months) is left out.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>) -> Text {
    let mut parts = Vec::new();
    context.root(source, "JobSchedule", |context, xml, _| {
        xml.children(|xml, e| {
            describe(e, &mut parts);
            xml.children(|xml, e| {
                let all = match e.name() {
                    "WeekDays" => "1 2 3 4 5 6 7",
                    "Months" => "1 2 3 4 5 6 7 8 9 10 11 12",
                    _ => return,
                };
                let word = if e.name() == "WeekDays" { "weekdays" } else { "months" };
                let value = context.word(xml);
                if !value.is_empty() && &*value != all {
                    parts.push(format!("{word} {value}"));
                }
            });
        });
    });
    context.text(&parts.join(", "))
}

fn describe(e: &Element<'_>, parts: &mut Vec<String>) {
    let number = |name: &str| e.attribute(name).and_then(|v| v.parse::<i64>().ok()).unwrap_or(0);
    let text = |name: &str, default: &str| e.attribute(name).filter(|v| !v.is_empty() && v != default);
    match number("DaysRepeatPeriod") {
        0 => parts.push("once".to_owned()),
        1 => parts.push("every day".to_owned()),
        days => parts.push(format!("every {days} d")),
    }
    for (name, word) in [("WeeksPeriod", "every {} weeks"), ("DayInMonth", "day {} of the month")] {
        let value = number(name);
        if value != 0 && !(name == "WeeksPeriod" && value == 1) {
            parts.push(word.replace("{}", &value.to_string()));
        }
    }
    let begin = text("BeginTime", "00:00:00");
    let end = text("EndTime", "00:00:00");
    parts.extend(begin.map(|t| format!("from {t}")));
    parts.extend(end.map(|t| format!("until {t}")));
    let repeat = number("RepeatPeriodInDay");
    if repeat != 0 {
        parts.push(format!("every {repeat} s"));
    }
    parts.extend(text("BeginDate", "0001-01-01").map(|t| format!("since {t}")));
    parts.extend(text("EndDate", "0001-01-01").map(|t| format!("last on {t}")));
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn in_short_words() {
        let source = "<JobSchedule xmlns:ent=\"u\"><Schedule BeginDate=\"0001-01-01\" BeginTime=\"08:15:00\" EndTime=\"00:00:00\" \
            RepeatPeriodInDay=\"3600\" WeeksPeriod=\"1\" DaysRepeatPeriod=\"1\"><ent:WeekDays>1 2 3 4 5</ent:WeekDays>\
            <ent:Months>1 2 3 4 5 6 7 8 9 10 11 12</ent:Months></Schedule></JobSchedule>";
        let (text, problems) = with_context(|context| read(context, source));
        assert_eq!(problems, []);
        assert_eq!(&*text, "every day, from 08:15:00, every 3600 s, weekdays 1 2 3 4 5");
    }
}

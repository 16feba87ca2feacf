//! Schedule of a job: days and months by name in EDT, by number in a Designer dump.

use super::values::capitalised;
use crate::tree::Node;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The Designer's document.
pub fn document(root: &Node) -> Node {
    let mut schedule = Node::new("Schedule", root.line);
    for (name, value) in root.attributes.iter().filter(|(name, _)| !name.contains(':')) {
        schedule.attributes.push((capitalised(name), value.clone()));
    }
    for (name, list, words) in [("weekDays", "WeekDays", &DAYS[..]), ("months", "Months", &MONTHS[..])] {
        let place = |node: &Node| words.iter().position(|w| *w == node.text.trim());
        let numbers: Vec<String> = root.all(name).filter_map(place).map(|i| (i + 1).to_string()).collect();
        schedule.children.push(Node::leaf(list, numbers.join(" "), root.line));
    }
    Node::new("JobSchedule", root.line).holding([schedule])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designer::schedule::read;
    use crate::designer::testing::with_context;

    #[test]
    fn in_short_words() {
        let source = "<schedule:Schedule xmlns:schedule=\"u\" beginDate=\"0001-01-01\" beginTime=\"04:00:00\" endTime=\"00:00:00\" \
            daysRepeatPeriod=\"1\" repeatPeriodInDay=\"300\" weeksPeriod=\"1\"><weekDays>Mon</weekDays><weekDays>Sun</weekDays>\
            </schedule:Schedule>";
        let root = Node::parse(source).0.expect("a root");
        let (text, problems) = with_context(|context| read(context, &document(&root)));
        assert_eq!(problems, []);
        assert_eq!(&*text, "every day, from 04:00:00, every 300 s, weekdays 1 7");
    }
}

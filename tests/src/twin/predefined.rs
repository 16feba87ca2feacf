//! Predefined items, content of exchange plans, schedules.

use super::value::types;
use super::xml::{El, child, children, feature, text, word};
use roxmltree::Node;

/// `<predefined>` of a description.
pub fn predefined(root: Node<'_, '_>, is_catalog: bool) -> El {
    El::new("predefined").holding(children(root).map(|node| item(node, "items", is_catalog)))
}

fn item(node: Node<'_, '_>, name: &str, is_catalog: bool) -> El {
    let mut all = El::new(name).with("id", node.attribute("id").unwrap_or(""));
    for own in children(node) {
        let tag = own.tag_name().name();
        match tag {
            "Code" if is_catalog => {
                let code = El::leaf("value", text(own));
                all.children.push(El::new("code").class("core:StringValue").holding([code]));
            }
            "Type" => all.children.push(El::new("type").holding(types(own))),
            "ChildItems" => all.children.extend(children(own).map(|child| item(child, "content", is_catalog))),
            "AccountingFlags" => all.children.extend(flags(own, "accountingFlags")),
            "ExtDimensionTypes" => all.children.extend(children(own).map(ext_dimension_type)),
            _ if !matches!(text(own).trim(), "" | "false") => all.children.push(El::leaf(feature(tag), text(own))),
            _ => {}
        }
    }
    all
}

/// The flags that are set.
fn flags(node: Node<'_, '_>, name: &str) -> Vec<El> {
    let set = children(node).filter(|flag| text(*flag).trim() == "true");
    set.map(|flag| El::leaf(name, flag.attribute("ref").unwrap_or(""))).collect()
}

fn ext_dimension_type(node: Node<'_, '_>) -> El {
    let mut all =
        El::new("extDimensionTypes").holding([El::leaf("characteristicType", node.attribute("name").unwrap_or(""))]);
    if word(node, "Turnover") == "true" {
        all.children.push(El::leaf("turnover", "true"));
    }
    if let Some(set) = child(node, "AccountingFlags") {
        all.children.extend(flags(set, "extDimensionAccountingFlags"));
    }
    all
}

/// `<content>` of an exchange plan's description.
pub fn exchange_plan(root: Node<'_, '_>) -> Vec<El> {
    let one = |item| {
        let auto = (word(item, "AutoRecord") == "Allow").then(|| El::leaf("autoRecord", "Allow"));
        El::new("content").holding([El::leaf("mdObject", word(item, "Metadata"))].into_iter().chain(auto))
    };
    children(root).map(one).collect()
}

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A schedule.
pub fn schedule(root: Node<'_, '_>) -> El {
    let mut all = El::new("schedule:Schedule").with("xmlns:schedule", "http://g5.1c.ru/v8/dt/schedule");
    for schedule in children(root) {
        for attribute in schedule.attributes().filter(|a| a.value() != "0") {
            all = all.with(&feature(attribute.name()), attribute.value());
        }
        for (list, name, words) in [("WeekDays", "weekDays", &DAYS[..]), ("Months", "months", &MONTHS[..])] {
            let numbers = word(schedule, list).split_whitespace().filter_map(|n| n.parse::<usize>().ok());
            let named = numbers.filter_map(|n| words.get(n.checked_sub(1)?));
            all.children.extend(named.map(|day| El::leaf(name, *day)));
        }
    }
    all
}

//! Predefined items: within the description in EDT, a file of their own in a Designer dump.

use super::values;
use crate::tree::Node;

/// The document of predefined items; None if the object has none.
pub fn document(root: &Node) -> Option<Node> {
    let predefined = root.child("predefined").filter(|p| !p.children.is_empty())?;
    Some(Node::new("PredefinedData", predefined.line).holding(predefined.all("items").map(item)))
}

/// One item. Depth is bounded by the tree's.
fn item(node: &Node) -> Node {
    let mut all = Node::new("Item", node.line);
    let (nested, own): (Vec<&Node>, Vec<&Node>) = node.children.iter().partition(|c| is_item(c));
    for (name, group) in values::groups(own) {
        match name {
            "accountingFlags" => all.children.push(flags(&group)),
            "extDimensionTypes" => all.children.push(ext_dimension_types(&group)),
            "code" => all.children.push(code(&group)),
            "type" => all.children.push(values::property("Type", &group, false)),
            name => all.children.push(values::property(&values::capitalised(name), &group, false)),
        }
    }
    if !nested.is_empty() {
        all.children.push(Node::new("ChildItems", node.line).holding(nested.into_iter().map(item)));
    }
    all
}

/// Items of a folder or account stand among its properties, under a name that differs by kind.
fn is_item(node: &Node) -> bool {
    node.attribute("id").is_some() && node.child("name").is_some()
}

/// A code is a value, or a text.
fn code(group: &[&Node]) -> Node {
    let code = values::property("Code", group, false);
    Node { attributes: Vec::new(), ..code }
}

/// Flags that are set are listed; the Designer writes each with `true`.
fn flags(group: &[&Node]) -> Node {
    let line = group.first().map_or(0, |node| node.line);
    let flags = group.iter().map(|node| Node::leaf("Flag", "true", node.line).with("ref", node.text.trim()));
    Node::new("AccountingFlags", line).holding(flags)
}

fn ext_dimension_types(group: &[&Node]) -> Node {
    let line = group.first().map_or(0, |node| node.line);
    let types = group.iter().map(|node| {
        let turnover = if node.word("turnover") == "true" { "true" } else { "false" };
        let set: Vec<&Node> = node.children.iter().filter(|c| c.name.to_lowercase().ends_with("flags")).collect();
        let cells = [Node::leaf("Turnover", turnover, node.line), flags(&set)];
        Node::new("ExtDimensionType", values::line_of(node, "characteristicType"))
            .with("name", node.word("characteristicType"))
            .holding(cells)
    });
    Node::new("ExtDimensionTypes", line).holding(types)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designer::predefined::read;
    use crate::designer::testing::with_context;

    #[test]
    fn codes_folders_accounts_and_types() {
        let source = "<r xmlns:xsi=\"x\"><predefined><items id=\"1\"><name>Группа</name><description>Г</description>\
            <code xsi:type=\"core:StringValue\"><value>01 </value></code><isFolder>true</isFolder>\n\
            <content id=\"2\"><name>Лист</name><code>02</code><accountType>Active</accountType><type><types>CatalogRef.А</types></type>\
            <extDimensionTypes><characteristicType>ChartOfCharacteristicTypes.В.К</characteristicType><turnover>true</turnover></extDimensionTypes>\
            </content></items></predefined></r>";
        let root = Node::parse(source).0.expect("a root");
        let document = document(&root).expect("items");
        let (all, problems) = with_context(|context| read(context, &document, &"ChartOfAccounts.П".into()));
        assert_eq!(problems, []);
        let rows: Vec<_> = all.iter().map(|p| (&*p.name, &*p.code, p.is_folder, p.parent, p.line)).collect();
        assert_eq!(rows, [("Группа", "01", true, None, 1), ("Лист", "02", false, Some(0), 2)]);
        let leaf = all.last().expect("a leaf");
        assert_eq!(leaf.types.text(), "CatalogRef.А");
        let properties: Vec<_> = leaf.properties.iter().map(|p| (&*p.name, &*p.value)).collect();
        assert_eq!(properties, [("AccountType", "Active"), ("ExtDimensionTypes", "true")]);
    }
}

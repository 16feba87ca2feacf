//! An object's description: one `.mdo` in EDT, several files in a Designer dump (forms, templates, tables …).

use super::table;
use super::values::{self, capitalised};
use crate::kinds::{Kind, fold};
use crate::place::Place;
use crate::tree::Node;

/// A thing with what holds it, outermost first.
pub type Owner = Vec<(Kind, String)>;

/// Elements that the model has no use for, or that are documents of their own.
const LEFT_OUT: [&str; 8] = [
    "producedTypes",
    "containedObjects",
    "help",
    "extension",
    "parentSubsystem",
    "parentDataSource",
    "parentCube",
    "transparentPixel",
];

/// The Designer's documents: the description itself, and those of what it keeps in files beside it.
pub fn documents(root: &Node, place: &Place<'_>) -> Vec<(Owner, Node)> {
    let Some(kind) = place.kind() else { return Vec::new() };
    let owner: Owner = place.owner.iter().map(|(kind, name)| (*kind, (*name).to_owned())).collect();
    let mut translator = Translator::default();
    translator.document(root, kind, owner);
    translator.documents
}

/// Objects of an exchange plan, as the Designer's document.
pub fn exchange_plan_content(root: &Node) -> Node {
    let items = root.all("content").map(|node| {
        let auto = if node.word("autoRecord") == "Allow" { "Allow" } else { "Deny" };
        let object = Node::leaf("Metadata", node.word("mdObject"), values::line_of(node, "mdObject"));
        let cells = [object, Node::leaf("AutoRecord", auto, node.line)];
        Node::new("Item", node.line).holding(cells)
    });
    Node::new("ExchangePlanContent", root.line).holding(items)
}

#[derive(Default)]
struct Translator {
    documents: Vec<(Owner, Node)>,
}

impl Translator {
    fn document(&mut self, node: &Node, kind: Kind, owner: Owner) {
        let place = self.documents.len();
        // Before what it holds: the description comes first.
        self.documents.push((owner.clone(), Node::default()));
        let part = self.part(node, kind, kind.en(), &owner);
        let document = Node::new("MetaDataObject", node.line).holding([part]);
        if let Some(slot) = self.documents.get_mut(place) {
            slot.1 = document;
        }
    }

    /// An object or a part of one. `path`: the kinds that lead to it, as the table of properties has them.
    fn part(&mut self, node: &Node, kind: Kind, path: &str, owner: &Owner) -> Node {
        let mut children = Node::new("ChildObjects", node.line);
        let mut own = Vec::new();
        for child in &node.children {
            let is_document = match child.name.as_str() {
                "content" => kind.is("ExchangePlan"),
                // Items; of a scheduled job or bot it is a flag.
                "predefined" => !child.children.is_empty(),
                _ => false,
            };
            if is_document || LEFT_OUT.contains(&child.name.as_str()) {
                continue;
            }
            match child_kind(kind, &child.name) {
                Some(part) => children.children.push(self.child(child, part, path, owner)),
                None => own.push(child),
            }
        }
        let mut part = Node::new(kind.en(), node.line);
        if let Some(uuid) = node.attribute("uuid") {
            part.attributes.push(("uuid".to_owned(), uuid.to_owned()));
        }
        part.holding([properties(node, &own, path), children])
    }

    /// A part: described here, described in a document of its own, or only listed.
    fn child(&mut self, child: &Node, kind: Kind, path: &str, owner: &Owner) -> Node {
        let Some(name) = child.child("name") else {
            let text = child.text.trim();
            let name = text.rsplit_once('.').map_or(text, |(_, name)| name);
            return Node::leaf(kind.en(), name, child.line);
        };
        let name = name.text.trim().to_owned();
        let has_own_file = (kind.is_top() || !kind.info().folder.is_empty()) && !kind.is("Command");
        if !has_own_file {
            let mut inner = owner.clone();
            inner.push((kind, name));
            return self.part(child, kind, &format!("{path}.{kind}"), &inner);
        }
        let inner: Owner = owner.iter().cloned().chain([(kind, name.clone())]).collect();
        self.document(child, kind, inner);
        Node::leaf(kind.en(), name, child.line)
    }
}

/// The kind of part that an element is: its name is the plural of a kind (`tabularSections`).
fn child_kind(parent: Kind, feature: &str) -> Option<Kind> {
    if feature == "tableFields" {
        return Kind::named("Field");
    }
    let kind = Kind::from_word(feature)?;
    let is_part = parent.info().children.contains(&kind.en()) || (parent.is("Configuration") && kind.is_top());
    (is_part && fold(kind.info().en_plural) == fold(feature)).then_some(kind)
}

/// `<Properties>`: in the Designer's order, with the defaults that EDT leaves out.
fn properties(node: &Node, own: &[&Node], path: &str) -> Node {
    let mut all = Node::new("Properties", node.line);
    let mut groups = values::groups(own.iter().copied());
    let mut take = |name: &str| {
        let place = groups.iter().position(|(feature, _)| feature.eq_ignore_ascii_case(name))?;
        Some(groups.remove(place).1)
    };
    for name in ["Name", "Synonym", "Comment"] {
        all.children.extend(take(name).map(|group| values::property(name, &group, false)));
    }
    if let Some(group) = take("StandardAttributes") {
        all.children.push(standard_attributes(&group));
    }
    if let Some(group) = take("StandardTabularSections") {
        let sections = group.iter().map(|section| {
            let attributes: Vec<&Node> = section.all("standardAttributes").collect();
            let node = Node::new("StandardTabularSection", section.line).with("name", section.word("name"));
            node.holding([standard_attributes(&attributes)])
        });
        let line = group.first().map_or(node.line, |first| first.line);
        all.children.push(Node::new("StandardTabularSections", line).holding(sections));
    }
    for property in table::properties(path) {
        if let Some(group) = take(property.name) {
            all.children.push(with_defaults(path, values::property(property.name, &group, property.list)));
        } else if !property.default.is_empty() {
            all.children.push(Node::leaf(property.name, property.default, node.line));
        }
    }
    all.children.extend(groups.iter().map(|(name, group)| values::property(&capitalised(name), group, false)));
    all
}

fn standard_attributes(group: &[&Node]) -> Node {
    let attributes = group.iter().map(|node| {
        let mut attribute = Node::new("StandardAttribute", node.line).with("name", node.word("name"));
        attribute.children = values::structure(node);
        attribute.children.retain(|c| c.name != "Name");
        attribute
    });
    Node::new("StandardAttributes", group.first().map_or(0, |node| node.line)).holding(attributes)
}

/// The one default within a list that the model keeps: whether an object has a common attribute.
fn with_defaults(path: &str, mut property: Node) -> Node {
    if path == "CommonAttribute" && property.name == "Content" {
        for item in property.children.iter_mut().filter(|item| item.child("Use").is_none()) {
            item.children.push(Node::leaf("Use", "Auto", item.line));
        }
    }
    property
}

#[cfg(test)]
mod tests {
    use super::super::describe;
    use super::*;
    use crate::designer::testing::with_context;
    use crate::model::object::{Details, Object};
    use crate::read::Content;

    fn read(path: &str, inner: &str) -> Vec<Content> {
        let place = Place::of_edt(path).unwrap_or_else(|| panic!("{path} has no place"));
        let kind = place.kind().expect("a kind");
        let source =
            format!("<mdclass:{kind} xmlns:mdclass=\"u\" xmlns:xsi=\"x\" uuid=\"u1\">\n{inner}\n</mdclass:{kind}>");
        let (contents, problems) = with_context(|context| describe(context, &source, &place));
        assert_eq!(problems, []);
        contents
    }

    fn object(contents: Vec<Content>) -> Object {
        contents
            .into_iter()
            .find_map(|content| match content {
                Content::Description(_, description) => description.object,
                _ => None,
            })
            .expect("an object")
    }

    #[test]
    fn a_catalog_with_parts_and_defaults() {
        let contents = read(
            "src/Catalogs/Товары/Товары.mdo",
            "<name>Товары</name><synonym><key>ru</key><value>Товары</value></synonym><owners>Catalog.Группы</owners>
             <codeLength>9</codeLength><producedTypes><refType typeId=\"1\"/></producedTypes>
             <attributes uuid=\"u2\"><name>Артикул</name><type><types>String</types><stringQualifiers><length>9</length></stringQualifiers></type>
               <fillChecking>ShowError</fillChecking><indexing>Index</indexing></attributes>
             <tabularSections uuid=\"u3\"><name>Цены</name><attributes uuid=\"u4\"><name>Цена</name></attributes></tabularSections>
             <commands uuid=\"u5\"><name>Печать</name><group>FormCommandBarImportant</group></commands>
             <forms uuid=\"u6\"><name>Выбор</name><synonym><key>ru</key><value>Ф</value></synonym></forms>",
        );
        let names: Vec<_> = contents
            .iter()
            .filter_map(|c| match c {
                Content::Description(name, _) => Some(&**name),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["Catalog.Товары", "Catalog.Товары.Form.Выбор"]);
        let Some(Content::Description(_, first)) = contents.first() else { panic!("nothing") };
        assert_eq!(
            first.listed.iter().map(|(n, l)| (&**n, *l)).collect::<Vec<_>>(),
            [("Catalog.Товары.Form.Выбор", 8)]
        );
        assert_eq!(first.commands.first().map(|c| &*c.full_name), Some("Catalog.Товары.Command.Печать"));
        let object = object(contents);
        let items: Vec<_> = object.items.iter().map(|i| (&*i.full_name, i.parent)).collect();
        assert_eq!(
            items,
            [
                ("Catalog.Товары.Attribute.Артикул", None),
                ("Catalog.Товары.TabularSection.Цены", None),
                ("Catalog.Товары.TabularSection.Цены.Attribute.Цена", Some(1)),
            ]
        );
        let first = object.items.first().expect("an item");
        assert!(first.required && &*first.indexing == "Index" && first.line == 4);
        assert_eq!(first.types.iter().map(|t| (&*t.name, &*t.qualifiers)).collect::<Vec<_>>(), [("String", "9")]);
        // What EDT leaves out, as the Designer writes it.
        assert_eq!(object.property("Hierarchical"), Some("false"));
        assert_eq!((object.property("CodeLength"), object.property("CodeType")), (Some("9"), Some("Number")));
        assert_eq!(object.linked("Owners").map(|l| &*l.target).collect::<Vec<_>>(), ["Catalog.Группы"]);
        assert_eq!((object.synonym.get("ru"), &*object.uuid, object.line), ("Товары", "u1", 1));
    }

    #[test]
    fn configurations_list_objects_and_hold_languages() {
        let contents = read(
            "src/Configuration/Configuration.mdo",
            "<name>К</name><compatibilityMode>8.3.21</compatibilityMode><usePurposes>PersonalComputer</usePurposes>
             <defaultRoles>Role.А</defaultRoles><defaultLanguage>Language.Русский</defaultLanguage>
             <languages uuid=\"1\"><name>Русский</name><languageCode>ru</languageCode></languages>
             <catalogs>Catalog.Товары</catalogs><xDTOPackages>XDTOPackage.П</xDTOPackages>",
        );
        let Some(Content::Description(_, first)) = contents.first() else { panic!("nothing") };
        let configuration = first.configuration.as_ref().expect("a configuration");
        let listed: Vec<_> = configuration.listed.iter().map(|(n, _)| &**n).collect();
        assert_eq!(listed, ["Language.Русский", "Catalog.Товары", "XDTOPackage.П"]);
        assert_eq!(&*configuration.compatibility_mode, "Version8_3_21");
        assert_eq!((configuration.default_roles.len(), &*configuration.default_language), (1, "Language.Русский"));
        assert!(configuration.all.iter().all(|p| &*p.name != "UsePurposes"));
        assert_eq!(object(contents).details, Details::Language { code: "ru".into() });
    }

    #[test]
    fn parts_with_files_of_their_own_and_services() {
        let contents = read(
            "src/CalculationRegisters/Р/Р.mdo",
            "<name>Р</name><recalculations uuid=\"2\"><name>П</name><dimensions uuid=\"3\"><name>И</name>\
             <registerDimension>CalculationRegister.Р.Dimension.И</registerDimension></dimensions></recalculations>",
        );
        let attached = contents.iter().find_map(|c| match c {
            Content::Description(_, description) => description.attached.as_ref(),
            _ => None,
        });
        let names: Vec<_> = attached.expect("items").items.iter().map(|i| &*i.full_name).collect();
        assert_eq!(
            names,
            ["CalculationRegister.Р.Recalculation.П", "CalculationRegister.Р.Recalculation.П.Dimension.И"]
        );
        let job = object(read("src/ScheduledJobs/З/З.mdo", "<name>З</name><predefined>true</predefined>"));
        assert!(matches!(job.details, Details::ScheduledJob { predefined: true, enabled: false, .. }));
        let service = object(read(
            "src/HTTPServices/С/С.mdo",
            "<name>С</name><rootURL>ex</rootURL><urlTemplates uuid=\"2\"><name>Ш</name><template>/v</template>\
             <methods uuid=\"3\"><name>get</name><handler>Получить</handler></methods></urlTemplates>",
        ));
        assert_eq!(service.details, Details::HttpService { root_url: "ex".into() });
        let method = service.items.last().expect("a method");
        assert_eq!(&*method.full_name, "HTTPService.С.URLTemplate.Ш.Method.get");
        assert_eq!((method.property("Handler"), method.property("HTTPMethod")), (Some("Получить"), Some("GET")));
    }

    #[test]
    fn content_of_common_attributes_and_exchange_plans() {
        let attribute = object(read(
            "src/CommonAttributes/А/А.mdo",
            "<name>А</name><content><metadata>Catalog.Б</metadata></content>\
             <content><metadata>Catalog.В</metadata><use>DontUse</use></content>",
        ));
        let links: Vec<_> = attribute.linked("Content").map(|l| (&*l.target, &*l.value)).collect();
        assert_eq!(links, [("Catalog.Б", "Auto"), ("Catalog.В", "DontUse")]);
        let contents = read(
            "src/ExchangePlans/П/П.mdo",
            "<name>П</name><content><mdObject>Catalog.А</mdObject></content>\
             <content><mdObject>Constant.Б</mdObject><autoRecord>Allow</autoRecord></content>",
        );
        let rows: Vec<_> = contents
            .iter()
            .flat_map(|c| match c {
                Content::ExchangePlan(rows) => rows.iter().map(|r| (&*r.object, r.auto_record)).collect(),
                _ => Vec::new(),
            })
            .collect();
        assert_eq!(rows, [("Catalog.А", false), ("Constant.Б", true)]);
    }
}

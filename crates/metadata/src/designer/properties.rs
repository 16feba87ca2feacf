//! `<Properties>` of any object or part of one, read by the shape of each property, not by its name:
//! a text is a simple property, a full name is a reference, `v8:Type` a type, `v8:item` a localized text.

use super::{Context, referred_by_attributes, style, types};
use crate::model::object::{Link, Property};
use crate::model::types::Types;
use crate::model::{Localized, Text};
use crate::names::is_full_name;
use crate::standard::Described;
use crate::xml::{Element, Xml};

/// Properties that name a method: texts, although they look like references to an object.
const METHODS: [&str; 2] = ["Handler", "MethodName"];

/// Elements whose text is a value that a user entered when its `xsi:type` is a string, and a reference otherwise.
const VALUES: [&str; 4] = ["value", "Value", "FillValue", "TypesFilterValue"];

/// What `<Properties>` holds.
#[derive(Debug, Default)]
pub struct Properties {
    /// `Name`.
    pub name: Word,
    /// `Synonym`.
    pub synonym: Localized,
    /// `Comment`.
    pub comment: Word,
    /// `Type`, `Source`, `CommandParameterType`.
    pub types: Types,
    /// Simple properties with a value.
    pub simple: Vec<Property>,
    /// References; `item` is None.
    pub links: Vec<Link>,
    /// Standard attributes as described.
    pub standard: Vec<Described>,
    /// The platform checks that it is filled.
    pub required: bool,
    /// How it is indexed; empty if it isn't.
    pub indexing: Word,
}

/// A text that may be missing.
pub type Word = Option<Text>;

impl Properties {
    /// Value of a simple property.
    pub fn get(&self, name: &str) -> Option<&Text> {
        self.simple.iter().find(|p| &*p.name == name).map(|p| &p.value)
    }
}

/// Reads the children of the current `<Properties>`.
pub fn read(context: &Context<'_>, xml: &mut Xml<'_>) -> Properties {
    let mut all = Properties::default();
    xml.children(|xml, e| match e.name() {
        "Name" => all.name = Some(context.word(xml)),
        "Synonym" => all.synonym = context.localized(xml),
        "Comment" => all.comment = Some(context.text(&xml.text())),
        "FillChecking" => all.required = &*context.word(xml) == "ShowError",
        "Indexing" => all.indexing = Some(context.word(xml)).filter(|w| &**w != "DontIndex"),
        "StandardAttributes" => standard_attributes(context, xml, None, &mut all),
        "StandardTabularSections" => xml.children(|xml, section| {
            let name = section.attribute("name").map(|n| context.text(&n));
            xml.children(|xml, e| {
                if e.name() == "StandardAttributes" {
                    standard_attributes(context, xml, name.as_ref(), &mut all);
                }
            });
        }),
        _ => property(context, xml, e, &mut all),
    });
    all
}

fn standard_attributes(context: &Context<'_>, xml: &mut Xml<'_>, section: Option<&Text>, all: &mut Properties) {
    xml.children(|xml, e| {
        let Some(name) = e.attribute("name") else { return };
        let mut standard = Described {
            section: section.cloned(),
            name: context.text(&name),
            synonym: Localized::default(),
            comment: context.text(""),
            required: false,
            line: xml.line(),
        };
        xml.children(|xml, e| match e.name() {
            "Synonym" => standard.synonym = context.localized(xml),
            "Comment" => standard.comment = context.text(&xml.text()),
            "FillChecking" => standard.required = &*context.word(xml) == "ShowError",
            "ChoiceParameterLinks" | "ChoiceParameters" | "LinkByType" | "ChoiceForm" | "FillValue" => {
                property(context, xml, e, all);
            }
            _ => {}
        });
        all.standard.push(standard);
    });
}

/// One property of unknown name.
fn property(context: &Context<'_>, xml: &mut Xml<'_>, e: &Element<'_>, all: &mut Properties) {
    let line = xml.line();
    let mut walk = Walk { context, property: context.text(e.name()), owner_value: context.text(""), simple: None, all };
    let is_value = is_entered(e);
    referred_by_attributes(xml, e).for_each(|target| walk.link(&target, line));
    let text = xml.content(|xml, child| walk.child(xml, child));
    let text = text.trim();
    let presentation = walk.simple.take();
    let property = walk.property;
    if let Some(target) = style(xml, e, text) {
        all.links.push(Link {
            item: None,
            property: property.clone(),
            target: context.text(&target),
            value: context.text(""),
            line,
        });
    }
    if !text.is_empty() {
        let value = context.text(if property.ends_with("ValueType") { xdto_type(text) } else { text });
        if is_full_name(text) && !is_value && !METHODS.contains(&&*property) {
            all.links.push(Link { item: None, property, target: value, value: context.text(""), line });
        } else {
            all.simple.push(Property { name: property, value, line });
        }
    } else if let Some(value) = presentation.filter(|v| !v.is_empty()) {
        all.simple.push(Property { name: property, value, line });
    }
}

/// A type of XDTO: prefixes that the Designer makes up (`d6p1:`) say nothing.
fn xdto_type(text: &str) -> &str {
    match text.split_once(':') {
        Some(("xs" | "v8", _)) | None => text,
        Some((_, name)) => name,
    }
}

fn is_entered(e: &Element<'_>) -> bool {
    VALUES.contains(&e.name()) && e.attribute("xsi:type").is_some_and(|t| t.ends_with(":string"))
}

/// The walk through what one property holds.
struct Walk<'c, 'x> {
    context: &'c Context<'x>,
    property: Text,
    /// The name that the references found next belong to (a choice parameter).
    owner_value: Text,
    /// First localized text.
    simple: Option<Text>,
    all: &'c mut Properties,
}

impl Walk<'_, '_> {
    fn child(&mut self, xml: &mut Xml<'_>, e: &Element<'_>) {
        let context = self.context;
        if types::take(context, xml, e, &mut self.all.types) {
            return;
        }
        let line = xml.line();
        if let Some(name) = e.attribute("name") {
            self.owner_value = context.text(&name);
        } else if e.name() == "item" {
            let text = context.localized_item(xml).map(|(_, text)| text);
            self.simple = self.simple.take().or(text);
            return;
        }
        referred_by_attributes(xml, e).for_each(|target| self.link(&target, line));
        let entered = is_entered(e);
        let text = xml.content(|xml, child| self.child(xml, child));
        let text = text.trim();
        match e.name() {
            "Name" => self.owner_value = context.text(text),
            "Use" => {
                if let Some(last) = self.all.links.last_mut().filter(|l| l.property == self.property) {
                    last.value = context.text(text);
                }
            }
            _ if !entered && is_full_name(text) => self.link(text, line),
            _ if !entered => style(xml, e, text).into_iter().for_each(|target| self.link(&target, line)),
            _ => {}
        }
    }

    fn link(&mut self, target: &str, line: u32) {
        let (property, value) = (self.property.clone(), self.owner_value.clone());
        self.all.links.push(Link { item: None, property, target: self.context.text(target), value, line });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;

    fn properties(inner: &str) -> Properties {
        let source = format!("<Properties{SPACES}>{inner}</Properties>");
        with_context(|context| {
            let mut all = Properties::default();
            Xml::new(&source).children(|xml, _| all = read(context, xml));
            all
        })
        .0
    }

    fn links(all: &Properties) -> Vec<(&str, &str, &str)> {
        all.links.iter().map(|l| (&*l.property, &*l.target, &*l.value)).collect()
    }

    #[test]
    fn simple_properties_and_presentations() {
        let all = properties(
            "<Name> Валюты </Name><Hierarchical>false</Hierarchical><Empty/>\
             <Explanation><v8:item><v8:lang>ru</v8:lang><v8:content>Курсы Catalog.A</v8:content></v8:item></Explanation>\
             <Handler>CommonModule.М.ПриЗаписи</Handler><FillChecking>ShowError</FillChecking><Indexing>Index</Indexing>",
        );
        assert_eq!(all.name.as_deref(), Some("Валюты"));
        let simple: Vec<_> = all.simple.iter().map(|p| (&*p.name, &*p.value)).collect();
        assert_eq!(
            simple,
            [("Hierarchical", "false"), ("Explanation", "Курсы Catalog.A"), ("Handler", "CommonModule.М.ПриЗаписи")]
        );
        assert!(all.required && all.links.is_empty());
        assert_eq!(all.indexing.as_deref(), Some("Index"));
    }

    #[test]
    fn references_whatever_holds_them() {
        let all = properties(
            r#"<Owners><xr:Item xsi:type="xr:MDObjectRef">Catalog.A</xr:Item></Owners>
               <DefaultListForm>Catalog.A.Form.F</DefaultListForm>
               <Content><xr:Item><xr:Metadata>Catalog.B</xr:Metadata><xr:Use>DontUse</xr:Use></xr:Item></Content>
               <ChoiceParameters><app:item name="Отбор.Вид"><app:value xsi:type="xr:DesignTimeRef">Enum.В.EnumValue.З</app:value></app:item>
                 <app:item name="Отбор.Текст"><app:value xsi:type="xs:string">Catalog.A</app:value></app:item></ChoiceParameters>
               <ChoiceParameterLinks><xr:Link><xr:Name>Отбор.Владелец</xr:Name>
                 <xr:DataPath xsi:type="xs:string">Catalog.A.Attribute.К</xr:DataPath></xr:Link></ChoiceParameterLinks>
               <Characteristics><xr:Characteristic><xr:CharacteristicTypes from="Catalog.Н.TabularSection.Т">
                 <xr:KeyField>Catalog.Н.TabularSection.Т.Attribute.С</xr:KeyField></xr:CharacteristicTypes></xr:Characteristic></Characteristics>"#,
        );
        assert_eq!(
            links(&all),
            [
                ("Owners", "Catalog.A", ""),
                ("DefaultListForm", "Catalog.A.Form.F", ""),
                ("Content", "Catalog.B", "DontUse"),
                ("ChoiceParameters", "Enum.В.EnumValue.З", "Отбор.Вид"),
                ("ChoiceParameterLinks", "Catalog.A.Attribute.К", "Отбор.Владелец"),
                ("Characteristics", "Catalog.Н.TabularSection.Т", ""),
                ("Characteristics", "Catalog.Н.TabularSection.Т.Attribute.С", ""),
            ]
        );
    }

    #[test]
    fn items_of_the_style() {
        let all = properties("<Value xsi:type=\"v8ui:Color\">style:Важный</Value>");
        assert_eq!(links(&all), [("Value", "StyleItem.Важный", "")]);
        assert_eq!(all.get("Value").map(|v| &**v), Some("style:Важный"));
        let all =
            properties("<Value xsi:type=\"v8ui:Font\" ref=\"style:Крупный\" bold=\"true\"/><Other>web:Red</Other>");
        assert_eq!(links(&all), [("Value", "StyleItem.Крупный", "")]);
    }

    #[test]
    fn types_and_words_of_the_same_name() {
        let all = properties("<Type>Color</Type>");
        assert!(all.types.is_empty());
        assert_eq!(all.get("Type").map(|t| &**t), Some("Color"));
        let all = properties(
            "<Source><v8:Type>cfg:DocumentObject.Д</v8:Type><v8:TypeSet>cfg:CatalogObject</v8:TypeSet></Source>",
        );
        assert_eq!(all.types.text(), "DocumentObject.Д, CatalogObject");
    }

    #[test]
    fn standard_attributes_as_described() {
        let all = properties(
            r#"<StandardAttributes><xr:StandardAttribute name="Owner"><xr:FillChecking>ShowError</xr:FillChecking>
               </xr:StandardAttribute></StandardAttributes>"#,
        );
        assert!(all.standard.iter().any(|s| &*s.name == "Owner" && s.required && s.line == 1));
    }
}

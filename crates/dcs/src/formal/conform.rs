//! What in a document deviates from the model.

use std::ops::Range;

use super::simple;
use super::typing::{declared_type, local_of, must_exist, named_type, root_type};
use super::{Content, Formal, Name, Simple, Type, TypeId};
use crate::document::Document;
use crate::xml::{ElementData, NodeId, NodeKind, Tree, ns};

/// A place that deviates from the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The element; of a missing child the one that lacks it.
    pub element: NodeId,
    /// The bytes that are wrong.
    pub place: Range<usize>,
    /// How.
    pub kind: DeviationKind,
}

/// How a place deviates from the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviationKind {
    /// A file can't begin with this element.
    UnknownRoot,
    /// The type has no such child.
    UnknownElement {
        /// The type of the element around it.
        of: Name,
    },
    /// It stands behind elements that must follow it, or before such as must precede it.
    Order {
        /// The element that stands right before it and should follow, or the one behind it that should precede.
        neighbour: Name,
        /// The neighbour stands before it.
        is_late: bool,
    },
    /// It may stand only once.
    Repeated,
    /// A child that must stand is absent.
    MissingChild {
        /// The child.
        child: Name,
    },
    /// An attribute that must stand is absent.
    MissingAttribute {
        /// The attribute.
        attribute: &'static str,
    },
    /// The type has no such attribute.
    UnknownAttribute {
        /// The attribute's name as written.
        attribute: String,
    },
    /// `xsi:type` names a type that doesn't exist.
    UnknownType,
    /// `xsi:type` names a type that can't stand here.
    WrongType {
        /// What must stand here.
        declared: Name,
    },
    /// The declared type is abstract, and `xsi:type` doesn't say what it is.
    TypeMissing {
        /// The declared type.
        declared: Name,
    },
    /// `xsi:type` names a type that was never seen in this place.
    UnusualType,
    /// A value that the enumeration hasn't.
    UnknownValue {
        /// The enumeration.
        of: Name,
        /// What is written.
        value: String,
    },
    /// A text that is no value of its type.
    BadValue {
        /// The type.
        of: Simple,
        /// What is written.
        value: String,
    },
    /// Text between elements.
    StrayText,
    /// `xsi:nil` where it isn't provided for.
    NotNillable,
}

/// Everything in a document that deviates from the model, in the order of the text. What stands inside an element that has no
/// place, or in something opaque, is not looked at.
pub fn conform(document: &Document) -> Vec<Deviation> {
    let mut walk = Walk { formal: Formal::get(), document, tree: document.tree(), found: Vec::new() };
    for number in 0..walk.tree.len() {
        walk.element(NodeId(number as u32));
    }
    walk.found
}

struct Walk<'d> {
    formal: &'static Formal,
    document: &'d Document,
    tree: &'d Tree,
    found: Vec<Deviation>,
}

impl Walk<'_> {
    fn add(&mut self, element: NodeId, place: Range<usize>, kind: DeviationKind) {
        self.found.push(Deviation { element, place, kind });
    }

    fn start_tag(&self, id: NodeId) -> Range<usize> {
        let range = self.tree.range(id);
        self.tree.element(id).map_or(range.clone(), |element| range.start..element.open_end as usize)
    }

    fn element(&mut self, id: NodeId) {
        let (Some(element), Some(parent)) = (self.tree.element(id), self.tree.parent(id)) else { return };
        let local = local_of(self.tree, element);
        let is_root = self.tree.kind(parent) == NodeKind::Document;
        let parent_type = self.document.type_id(parent);
        let declared = match is_root {
            true => root_type(self.formal, element.ns, local),
            false => declared_type(self.formal, parent_type, element.ns, local),
        };
        match declared {
            TypeId::OPAQUE => return,
            TypeId::MISPLACED => {
                let kind = match self.formal.of(parent_type) {
                    Some(of) if !is_root => DeviationKind::UnknownElement { of: of.name },
                    _ => DeviationKind::UnknownRoot,
                };
                self.add(id, self.start_tag(id), kind);
                return;
            }
            _ => {}
        }
        self.named_type(id, element, declared, parent_type, local);
        if element.nil {
            let of = self.formal.of(parent_type);
            let member = of.and_then(|of| of.position(element.ns, local).map(|at| &of.children[at]));
            if member.is_some_and(|member| !member.nil) {
                self.add(id, self.start_tag(id), DeviationKind::NotNillable);
            }
            return;
        }
        let Some(of) = self.formal.of(self.document.type_id(id)) else { return };
        match &of.content {
            Content::Opaque => {}
            Content::Elements => {
                self.attributes(id, element, of);
                self.children(id, of);
            }
            Content::Simple(simple) => self.simple(id, element, *simple),
            Content::Enumeration(values) => {
                let value = self.tree.text_of(id);
                if !values.contains(&&*value) {
                    let kind = DeviationKind::UnknownValue { of: of.name, value: value.into_owned() };
                    self.add(id, element.open_end as usize..element.close_start as usize, kind);
                }
            }
        }
    }

    fn simple(&mut self, id: NodeId, element: &ElementData, simple: Simple) {
        let value = self.tree.text_of(id);
        // A name must be bound; the names of a configuration's types are not ours to know.
        let is_bound = || self.tree.resolve_name(id, value.trim()).0 != ns::UNBOUND;
        if !simple.accepts(&value) || (simple == Simple::QName && !is_bound()) {
            let kind = DeviationKind::BadValue { of: simple, value: value.into_owned() };
            self.add(id, element.open_end as usize..element.close_start as usize, kind);
        }
    }

    /// What `xsi:type` says against what the place says.
    fn named_type(&mut self, id: NodeId, element: &ElementData, declared: TypeId, parent: TypeId, local: &str) {
        let declared_type = self.formal.of(declared);
        let Some((ns, name)) = named_type(self.tree, element) else {
            if let Some(of) = declared_type.filter(|of| of.is_abstract && !element.nil) {
                self.add(id, self.start_tag(id), DeviationKind::TypeMissing { declared: of.name });
            }
            return;
        };
        let value = &self.tree.attributes[element.type_attribute as usize].value;
        let place = value.start as usize..value.end as usize;
        let Some(named) = self.formal.find(ns, name) else {
            if must_exist(self.formal, ns) {
                self.add(id, place, DeviationKind::UnknownType);
            } else if let Some(of) = declared_type.filter(|of| self.formal.is_closed(of.name.ns) && ns.is_known()) {
                // A type of `data/core` can't inherit from one of report schemas.
                self.add(id, place, DeviationKind::WrongType { declared: of.name });
            }
            return;
        };
        let Some(of) = declared_type else {
            let seen =
                super::slot_of(self.formal, parent, element.ns, local).map(|slot| self.formal.seen_in_slot(slot));
            if seen.is_some_and(|seen| !seen.is_empty() && !seen.iter().any(|seen| seen.ns == ns && seen.local == name))
            {
                self.add(id, place, DeviationKind::UnusualType);
            }
            return;
        };
        let is_simple = |id| self.formal.of(id).is_some_and(|of| matches!(of.content, Content::Simple(_)));
        let fits = self.formal.is_a(named, declared) || (is_simple(named) && is_simple(declared));
        if !fits {
            self.add(id, place, DeviationKind::WrongType { declared: of.name });
        }
    }

    fn attributes(&mut self, id: NodeId, element: &ElementData, of: &Type) {
        let numbers = element.attributes.start as usize..element.attributes.end as usize;
        for number in numbers.clone() {
            let attribute = &self.tree.attributes[number];
            let name = &self.tree.text()[attribute.name.start as usize..attribute.name.end as usize];
            let place = attribute.name.start as usize..attribute.value.end as usize + 1;
            if attribute.ns != ns::NONE {
                continue;
            }
            match of.attributes.iter().find(|known| known.name.local == name) {
                None => self.add(id, place, DeviationKind::UnknownAttribute { attribute: name.to_owned() }),
                Some(known) => {
                    let value = &self.tree.text()[attribute.value.start as usize..attribute.value.end as usize];
                    if let Some(Content::Simple(simple)) = self.formal.of(known.of).map(|of| &of.content)
                        && !simple.accepts(value)
                    {
                        self.add(id, place, DeviationKind::BadValue { of: *simple, value: value.to_owned() });
                    }
                }
            }
        }
        for known in of.attributes.iter().filter(|known| known.count.required) {
            let is_there = numbers.clone().any(|number| {
                let name = &self.tree.attributes[number].name;
                &self.tree.text()[name.start as usize..name.end as usize] == known.name.local
            });
            if !is_there {
                let kind = DeviationKind::MissingAttribute { attribute: known.name.local };
                self.add(id, self.start_tag(id), kind);
            }
        }
    }

    /// Order, counts and stray text.
    fn children(&mut self, id: NodeId, of: &Type) {
        let mut seen = vec![0_u32; of.children.len()];
        // Children with their places in the order.
        let mut placed: Vec<(NodeId, usize)> = Vec::new();
        for child in self.tree.children(id) {
            match self.tree.element(child) {
                Some(element) => {
                    let Some(at) = of.position(element.ns, local_of(self.tree, element)) else { continue };
                    seen[at] += 1;
                    if seen[at] > 1 && !of.children[at].count.many {
                        self.add(child, self.start_tag(child), DeviationKind::Repeated);
                    }
                    placed.push((child, at));
                }
                None => {
                    let is_text = matches!(self.tree.kind(child), NodeKind::Text | NodeKind::CData);
                    let range = self.tree.range(child);
                    if is_text && !self.tree.text()[range.clone()].trim().is_empty() {
                        self.add(id, range, DeviationKind::StrayText);
                    }
                }
            }
        }
        self.order(of, &placed);
        for (at, member) in of.children.iter().enumerate() {
            if member.count.required && seen[at] == 0 {
                self.add(id, self.start_tag(id), DeviationKind::MissingChild { child: member.name });
            }
        }
    }

    /// The fewest children that must move so that the rest is in order.
    fn order(&mut self, of: &Type, placed: &[(NodeId, usize)]) {
        if placed.is_sorted_by_key(|&(_, at)| at) {
            return;
        }
        let stays = longest_run(&placed.iter().map(|&(_, at)| at).collect::<Vec<_>>());
        for (number, &(child, at)) in placed.iter().enumerate() {
            if stays[number] {
                continue;
            }
            let before = placed[..number].iter().rev().find(|&&(_, other)| other > at);
            let (neighbour, is_late) = match before {
                Some(&(_, other)) => (other, true),
                None => match placed[number + 1..].iter().find(|&&(_, other)| other < at) {
                    Some(&(_, other)) => (other, false),
                    None => continue,
                },
            };
            let kind = DeviationKind::Order { neighbour: of.children[neighbour].name, is_late };
            self.add(child, self.start_tag(child), kind);
        }
    }
}

/// Which numbers belong to a longest run that never falls.
pub(crate) fn longest_run(numbers: &[usize]) -> Vec<bool> {
    // `ends[n]`: the last member of the best run of n + 1 members.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, &number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|&end| numbers[end] <= number);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stays = vec![false; numbers.len()];
    let mut at = ends.last().copied();
    while let Some(member) = at {
        stays[member] = true;
        at = before[member];
    }
    stays
}

impl Simple {
    /// An example of a value, for messages.
    pub fn example(self) -> &'static str {
        simple::example(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::name;
    use super::*;

    fn found(body: &str) -> Vec<(String, DeviationKind)> {
        let text = format!(
            "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
             xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
             xmlns:c=\"http://v8.1c.ru/8.1/data-composition-system/core\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{body}</DataCompositionSchema>"
        );
        let document = Document::parse(text);
        assert_eq!(document.problems(), [], "{body}");
        let found = conform(&document);
        found.into_iter().map(|found| (document.text()[found.place].to_owned(), found.kind)).collect()
    }

    #[test]
    fn each_kind_of_deviation_names_its_place() {
        use DeviationKind::*;
        let source = "<dataSource><name>А</name><dataSourceType>Local</dataSourceType></dataSource>";
        let cases = [
            (source.to_owned(), vec![]),
            (
                format!("<parameter><name>П</name></parameter>{source}"),
                vec![("<parameter>", Order { neighbour: name("sch:dataSource"), is_late: false })],
            ),
            (
                "<dataSource><dataSourceType>Local</dataSourceType><name>А</name><name>Б</name></dataSource>".into(),
                vec![("<name>", Repeated), ("<dataSourceType>", Order { neighbour: name("sch:name"), is_late: false })],
            ),
            (
                "<dataSource><name>А</name><kind/></dataSource>".into(),
                vec![
                    ("<dataSource>", MissingChild { child: name("sch:dataSourceType") }),
                    ("<kind/>", UnknownElement { of: name("sch:DataSource") }),
                ],
            ),
            ("<dataSet xsi:type='DataSetQuer'><x/></dataSet>".into(), vec![("DataSetQuer", UnknownType)]),
            (
                "<dataSet xsi:type='TotalField'><dataPath>А</dataPath><expression>Б</expression></dataSet>".into(),
                vec![("TotalField", WrongType { declared: name("sch:DataSet") })],
            ),
            ("<dataSet xsi:type='v8:Array'/>".into(), vec![("v8:Array", WrongType { declared: name("sch:DataSet") })]),
            (
                "<dataSet><name>А</name></dataSet>".into(),
                vec![("<dataSet>", TypeMissing { declared: name("sch:DataSet") })],
            ),
            (
                "<parameter><name>П</name><use>Never</use></parameter>".into(),
                vec![("Never", UnknownValue { of: name("cor:DataCompositionParameterUse"), value: "Never".into() })],
            ),
            (
                "<parameter><name>П</name><valueType><v8:Type>q:x</v8:Type></valueType>\
                 <useRestriction>да</useRestriction></parameter>"
                    .into(),
                vec![
                    ("q:x", BadValue { of: Simple::QName, value: "q:x".into() }),
                    ("да", BadValue { of: Simple::Boolean, value: "да".into() }),
                ],
            ),
            ("лишнее".into(), vec![("лишнее", StrayText)]),
            // Types of other namespaces are opaque, and what is in them.
            (
                "<parameter><name>П</name><value xmlns:q='urn:q' xsi:type='q:T'><q:x/></value></parameter>".into(),
                vec![],
            ),
            ("<parameter><name>П</name><value xsi:type='v8:ValueStorage'><x/></value></parameter>".into(), vec![]),
        ];
        for (body, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(place, kind)| (place.to_owned(), kind)).collect();
            assert_eq!(found(&body), expected, "{body}");
        }
    }

    #[test]
    fn a_file_begins_with_a_schema_or_settings() {
        let document =
            Document::parse("<schema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\"><x/></schema>");
        let kinds: Vec<_> = conform(&document).into_iter().map(|found| found.kind).collect();
        assert_eq!(kinds, [DeviationKind::UnknownRoot]);
    }

    #[test]
    fn the_longest_run_stays() {
        assert_eq!(longest_run(&[0, 3, 1, 1, 2]), [true, false, true, true, true]);
        assert_eq!(longest_run(&[]), [] as [bool; 0]);
    }
}

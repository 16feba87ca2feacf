use proptest::prelude::*;

use super::*;
use crate::xml::{NodeId, NodeKind};

fn tree(text: &str) -> Tree {
    parse(text.as_bytes().to_vec())
}

/// The tree in one line: elements with their resolved names, texts in quotes.
fn shown(tree: &Tree) -> String {
    let mut out = String::new();
    let mut at = Some(NodeId(0));
    while let Some(id) = at {
        match tree.kind(id) {
            NodeKind::Element => {
                let element = tree.element(id).unwrap();
                let depth = std::iter::successors(tree.parent(id), |&up| tree.parent(up)).count();
                let name = &tree.text[element.name.start as usize + element.prefix as usize..element.name.end as usize];
                out.push_str(&format!("{}{}:{name} ", ">".repeat(depth), element.ns.0));
            }
            NodeKind::Text => out.push_str(&format!("{:?} ", tree.text[tree.range(id)].trim())),
            _ => {}
        }
        at = tree.following(id, NodeId(0));
    }
    out.trim().to_owned()
}

fn kinds(tree: &Tree) -> Vec<XmlProblemKind> {
    tree.problems.iter().map(|problem| problem.kind).collect()
}

#[test]
fn prefixes_resolve_by_what_they_are_bound_to() {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a xmlns=\"http://v8.1c.ru/8.1/data/core\">\
        <d4p1:b xmlns:d4p1=\"http://v8.1c.ru/8.1/data/ui\" d4p1:x='1'>т</d4p1:b><b/></a>";
    let tree = tree(text);
    assert_eq!(kinds(&tree), []);
    assert_eq!(shown(&tree), "\"\" >7:a >>8:b \"т\" >>7:b");
    assert_eq!(tree.resolve(tree.root().unwrap(), "d4p1"), ns::UNBOUND);
}

#[test]
fn whatever_is_wrong_the_rest_is_there() {
    use XmlProblemKind::*;
    for (text, problems, seen) in [
        ("<a><b></a>", vec![Unclosed], ">0:a >>0:b"),
        ("<a></b></a>", vec![UnexpectedEnd], ">0:a \"</b>\""),
        ("<a><b>x", vec![Unclosed, Unclosed], ">0:a >>0:b \"x\""),
        ("<a x=1>t</a>", vec![BadAttribute, BadName, BadAttribute], ">0:a \"t\""),
        ("<a x='1' x='2'/>", vec![RepeatedAttribute], ">0:a"),
        ("<a>&nbsp;</a>", vec![BadEntity], ">0:a \"&nbsp;\""),
        ("<p:a/>", vec![UnboundPrefix], ">14:a"),
        ("<a/><b/>", vec![SecondRoot], ">0:a >0:b"),
        ("text", vec![TextOutside, NoRoot], "\"text\""),
        ("<a>\u{1}</a>", vec![BadCharacter], ">0:a \"\\u{1}\""),
        ("<a", vec![Unclosed, Broken], ">0:a"),
        ("<a>< b</a>", vec![BadCharacter], ">0:a \"< b\""),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", vec![DocumentType], ">0:a"),
        ("", vec![NoRoot], ""),
    ] {
        let tree = tree(text);
        assert_eq!((kinds(&tree), shown(&tree).as_str()), (problems, seen), "{text}");
        assert_eq!(&*tree.bytes(), text.as_bytes());
    }
}

#[test]
fn bytes_that_are_no_text_are_kept() {
    let tree = parse(b"<a>\xff</a>".to_vec());
    assert_eq!(kinds(&tree), [XmlProblemKind::Unclosed, XmlProblemKind::NotUtf8]);
    assert_eq!(&*tree.bytes(), b"<a>\xff</a>");
}

#[test]
fn depth_costs_no_stack_and_no_square() {
    let depth = 200_000;
    let mut text = "<a>".repeat(depth);
    text.push_str(&"</a>".repeat(depth));
    assert_eq!(kinds(&tree(&text)), []);
    // Start tags that nothing closes, end tags that close nothing, prefixes bound anew at each level.
    let hostile = "<b>".repeat(depth) + &"</c>".repeat(depth);
    assert_eq!(tree(&hostile).problems.len(), MAX_PROBLEMS);
    let bound: String = (0..20_000).map(|n| format!("<p{n}:a xmlns:p{n}='u{n}' xsi:type='p0:x'>")).collect();
    assert!(!tree(&bound).problems.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Another reader of XML agrees on what is well-formed.
    #[test]
    fn well_formed_means_the_same_to_another_reader(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "<p:d xmlns:p='u'>", "</p:d>", "<p:e/>", "t", " ", "&amp;", "&x;",
            "<!-- k -->", "<!-- a--b -->", "<![CDATA[<]]>", "]]>", "<?pi x?>", "<?xml version='1.0'?>", "<", ">", "&",
            "<f x='1' x='2'/>", "<g y=\"a'b\" z='&lt;'/>", "<h y='<'/>", "<i x='1'y='2'/>", "я", "\u{2}", "<1/>",
        ]), 0..12),
        wrapped in any::<bool>(),
    ) {
        let mut text = pieces.concat();
        if wrapped {
            text = format!("<r>{text}</r>");
        }
        let tree = tree(&text);
        prop_assert_eq!(&*tree.bytes(), text.as_bytes());
        let other = roxmltree::Document::parse(&text);
        prop_assert_eq!(tree.problems.is_empty(), other.is_ok(), "{}: {:?} {:?}", text, tree.problems, other.err());
    }

    /// Every byte belongs to a node or to the tag of one, in order.
    #[test]
    fn nodes_cover_the_text(text in "[<>/ab='\" &;!\\-\\[\\]?я]{0,60}") {
        let tree = tree(&text);
        for id in (0..tree.len() as u32).map(NodeId) {
            let range = tree.range(id);
            let mut at = tree.element(id).map_or(range.start, |element| element.open_end as usize);
            for child in tree.children(id) {
                prop_assert_eq!(tree.range(child).start, at);
                at = tree.range(child).end;
            }
            let end = tree.element(id).map_or(range.end, |element| element.close_start as usize);
            prop_assert!(tree.kind(id) != NodeKind::Element && tree.children(id).next().is_none() || at == end);
        }
    }
}

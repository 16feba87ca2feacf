//! Genuine schemas, broken on purpose in many ways: some check must name the place.
//!
//! Each kind of mutation says what must catch it and whether that must block. A mutation that can't be made in a file is left
//! out; of the others 99 of 100 must be caught.
#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use dcs::edit::{Edit, New, Place};
use dcs::formal::{Content, Formal, Simple};
use dcs::view::{DataSetKind, Schema};
use dcs::{Document, Element, name};
use metascope_validators::dcs::{Finding, Options, Severity, check};
use rayon::prelude::*;
use support::{SchemaFile, demo_schemas, genuine_schemas};

/// Numbers without end, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    fn pick<T>(&mut self, mut of: Vec<T>) -> Option<T> {
        let at = self.roll(of.len());
        (!of.is_empty()).then(|| of.swap_remove(at))
    }
}

/// A broken text, and the bytes at which a finding counts.
struct Mutant {
    text: String,
    place: Range<usize>,
}

type Mutate = fn(&Document, &mut Dice) -> Option<Mutant>;

/// A kind of mutation: what it is called, whether it must block, what makes it.
struct Kind(&'static str, bool, Mutate);

/// Replaces bytes; the place is what stands there then, with some bytes around it.
fn splice(document: &Document, range: Range<usize>, with: &str) -> Option<Mutant> {
    let text = format!("{}{with}{}", document.text().get(..range.start)?, document.text().get(range.end..)?);
    let place = range.start..range.start + with.len().max(1);
    Some(Mutant { text, place })
}

/// Makes an edit; the place is where it was asked for, as far as it grew.
fn edited<'d>(
    document: &'d Document,
    place: Range<usize>,
    change: impl FnOnce(&mut Edit<'d>) -> Option<()>,
) -> Option<Mutant> {
    let mut edit = Edit::of(document).ok()?;
    change(&mut edit)?;
    let patch = edit.finish().ok()?;
    let grown: isize =
        patch.splices().iter().map(|splice| splice.text.len() as isize - splice.range.len() as isize).sum();
    let text = document.apply(&patch).ok()?.document.text().to_owned();
    let end = (place.end as isize + grown.max(0)) as usize;
    Some(Mutant { place: place.start..end.min(text.len()), text })
}

fn all<'d>(document: &'d Document, wanted: impl Fn(&Element<'d>) -> bool) -> Vec<Element<'d>> {
    document.root().map(|root| root.descendants().filter(wanted).collect()).unwrap_or_default()
}

fn schema(document: &Document) -> Option<Schema<'_>> {
    document.schema()
}

/// An element by its content.
fn by_content(document: &Document, dice: &mut Dice, wanted: impl Fn(&Content) -> bool) -> Option<Range<usize>> {
    let fits = |element: &Element<'_>| {
        !element.is_nil() && element.of().is_some_and(|of| wanted(&of.content)) && !element.inner_range().is_empty()
    };
    dice.pick(all(document, fits)).map(Element::inner_range)
}

fn simple(document: &Document, dice: &mut Dice, simple: Simple, bad: &str) -> Option<Mutant> {
    let range = by_content(document, dice, |content| *content == Content::Simple(simple))?;
    splice(document, range, bad)
}

/// Changes the text of one of these elements.
fn retext(document: &Document, dice: &mut Dice, elements: Vec<Element<'_>>, text: &str) -> Option<Mutant> {
    let element = dice.pick(elements.into_iter().filter(|element| !element.inner_range().is_empty()).collect())?;
    splice(document, element.inner_range(), text)
}

/// Writes one of these elements a second time, behind the first.
fn double<'d>(document: &'d Document, dice: &mut Dice, elements: Vec<Element<'d>>) -> Option<Mutant> {
    let element = dice.pick(elements)?;
    let text = &document.text()[element.range()];
    let at = element.range().end;
    let mutant = splice(document, at..at, text)?;
    Some(Mutant { place: element.range().start..mutant.place.end, ..mutant })
}

/// Takes an element out: what lacks it is the one around it.
fn remove(document: &Document, element: Element<'_>) -> Option<Mutant> {
    let mutant = splice(document, element.range(), "")?;
    Some(Mutant { place: element.parent()?.start_tag(), ..mutant })
}

fn children<'d>(document: &'d Document, local: &'static str) -> Vec<Element<'d>> {
    document.root().map(|root| root.all(local).collect()).unwrap_or_default()
}

fn queries<'d>(document: &'d Document) -> Vec<Element<'d>> {
    let sets = schema(document).map(|schema| schema.all_data_sets()).unwrap_or_default();
    sets.into_iter().filter(|set| set.kind() == DataSetKind::Query).filter_map(|set| set.query_element()).collect()
}

/// A query without parts that are replaced or were not understood.
fn clean_query<'d>(document: &'d Document, dice: &mut Dice) -> Option<(Element<'d>, String)> {
    let certain = |element: &Element<'d>| {
        let facts = bsl::query::read(&element.text(), bsl::query::TextKind::Query);
        !facts.placeholders && facts.problems.is_empty() && !facts.statements.is_empty()
    };
    let element = dice.pick(queries(document).into_iter().filter(certain).collect())?;
    Some((element, element.text().into_owned()))
}

fn with_query(document: &Document, element: Element<'_>, text: &str) -> Option<Mutant> {
    splice(document, element.inner_range(), &dcs::xml::escape_text(text))
}

/// Whether all fields of a schema are described: then an unknown name is certainly unknown.
fn knows_its_fields(document: &Document) -> bool {
    let Some(schema) = schema(document) else { return false };
    let sets = schema.all_data_sets();
    let is_known = |set: &dcs::view::DataSet<'_>| {
        let facts = bsl::query::read(&set.query(), bsl::query::TextKind::Query);
        let columns = facts.selects.iter().flat_map(|select| &select.branches).flat_map(|branch| &branch.columns);
        let is_clean = !facts.placeholders && facts.problems.is_empty() && !facts.statements.is_empty();
        let is_star = |kind| matches!(kind, bsl::query::ColumnKind::Star | bsl::query::ColumnKind::StarOf(_));
        set.kind() != DataSetKind::Query
            || !set.auto_fill()
            || (is_clean && !columns.map(|column| column.kind).any(is_star))
    };
    schema.nested_schemas().next().is_none() && !sets.is_empty() && sets.iter().all(is_known)
}

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    // Level 1.
    Kind("end tag removed", true, |d, dice| {
        let element = dice.pick(all(d, |e| !e.is_self_closing()))?;
        let mutant = splice(d, element.inner_range().end..element.range().end, "")?;
        Some(Mutant { place: 0..mutant.text.len(), ..mutant })
    }),
    Kind("start tag broken", true, |d, dice| {
        let element = dice.pick(all(d, |e| !e.is_self_closing()))?;
        let mutant = splice(d, element.range().start..element.range().start + 1, "")?;
        Some(Mutant { place: 0..mutant.text.len(), ..mutant })
    }),
    Kind("bare ampersand", true, |d, dice| { let r = by_content(d, dice, |c| *c == Content::Simple(Simple::String))?; splice(d, r, "А & Б") }),
    Kind("unknown entity", true, |d, dice| { let r = by_content(d, dice, |c| *c == Content::Simple(Simple::String))?; splice(d, r, "А&nbsp;Б") }),
    Kind("control character", true, |d, dice| { let r = by_content(d, dice, |c| *c == Content::Simple(Simple::String))?; splice(d, r, "\u{2}") }),
    Kind("unbound prefix", true, |d, dice| {
        let element = dice.pick(all(d, |e| e.is_self_closing()))?;
        splice(d, element.range(), "<zz:a/>")
    }),
    Kind("attribute repeated", true, |d, dice| {
        let element = dice.pick(all(d, |e| e.xsi_type().is_some()))?;
        let at = element.xsi_type_attribute()?.value.end as usize + 1;
        splice(d, at..at, " a=\"1\" a=\"2\"")
    }),
    Kind("second root", true, |d, _| splice(d, d.text().len()..d.text().len(), "<a/>")),
    Kind("text outside", true, |d, _| splice(d, d.text().len()..d.text().len(), "лишнее")),
    Kind("cut off", true, |d, dice| {
        let range = d.root()?.inner_range();
        let at = range.start + dice.roll(range.len());
        let at = (at..).find(|&at| d.text().is_char_boundary(at))?;
        Some(Mutant { text: d.text()[..at].to_owned(), place: 0..at + 1 })
    }),
    Kind("another root", true, |d, _| {
        let text = d.text().replace("DataCompositionSchema", "CompositionSchema").replace("/data-CompositionSchema", "");
        Some(Mutant { place: 0..text.len(), text })
    }),
    Kind("sections swapped", true, |d, dice| {
        let sections: Vec<_> = d.root()?.children().collect();
        let pairs = sections.windows(2).filter(|p| p[0].local() != p[1].local()).map(|p| (p[0], p[1])).collect();
        swap(d, dice.pick(pairs)?)
    }),
    // Level 2.
    Kind("children swapped", true, |d, dice| {
        let parents = all(d, |e| e.parent().is_some() && e.of().is_some_and(|of| of.content == Content::Elements));
        let pairs = parents.into_iter().flat_map(|parent| {
            let children: Vec<_> = parent.children().collect();
            children.windows(2).filter(|p| p[0].local() != p[1].local()).map(|p| (p[0], p[1])).collect::<Vec<_>>()
        });
        swap(d, dice.pick(pairs.collect())?)
    }),
    Kind("unknown element", true, |d, dice| {
        let parent = dice.pick(all(d, |e| !e.is_self_closing() && e.of().is_some_and(|of| of.content == Content::Elements)))?;
        let at = parent.inner_range().start;
        splice(d, at..at, "<hint>х</hint>")
    }),
    Kind("element renamed", true, |d, dice| {
        let element = dice.pick(all(d, |e| e.is_self_closing() && e.member().is_some()))?;
        let at = element.range().start + 1 + element.name().len();
        splice(d, at..at, "X").map(|m| Mutant { place: at - 1..at + 1, ..m })
    }),
    Kind("element of another namespace", true, |d, dice| {
        let element = dice.pick(all(d, |e| e.children().next().is_none() && e.member().is_some()))?;
        splice(d, element.range(), &format!("<{} xmlns=\"urn:x\"/>", element.local()))
    }),
    Kind("required child removed", false, |d, dice| {
        let required = |e: &Element<'_>| e.member().is_some_and(|m| m.count.required && !m.count.many);
        let element = dice.pick(all(d, required))?;
        remove(d, element)
    }),
    Kind("single child doubled", true, |d, dice| double(d, dice, all(d, |e| e.member().is_some_and(|m| !m.count.many)))),
    Kind("unknown value", true, |d, dice| {
        let r = by_content(d, dice, |c| matches!(c, Content::Enumeration(_)))?;
        splice(d, r, "Nothing")
    }),
    Kind("bad boolean", false, |d, dice| simple(d, dice, Simple::Boolean, "да")),
    Kind("bad number", false, |d, dice| simple(d, dice, Simple::Decimal, "1,5")),
    Kind("bad date", false, |d, dice| simple(d, dice, Simple::DateTime, "31.12.2024")),
    Kind("type name with an unbound prefix", false, |d, dice| simple(d, dice, Simple::QName, "zz:string")),
    Kind("unknown type", true, |d, dice| {
        let element = dice.pick(all(d, |e| e.member().is_some() && e.xsi_type().is_some_and(|(ns, _)| ns.0 < 7)))?;
        let at = element.xsi_type_attribute()?.value.end as usize;
        splice(d, at..at, "X")
    }),
    Kind("wrong type", true, |d, dice| {
        let declared = |e: &Element<'_>| e.member().and_then(|m| Formal::get().of(m.of)).is_some_and(|of| of.is_abstract);
        let element = dice.pick(all(d, |e| declared(e) && e.xsi_type().is_some()))?;
        let schema = d.tree().prefix_of(element.id(), dcs::xml::ns::SCHEMA)?;
        let prefix = if schema.is_empty() { String::new() } else { format!("{schema}:") };
        let value = &element.xsi_type_attribute()?.value;
        splice(d, value.start as usize..value.end as usize, &format!("{prefix}TotalField"))
    }),
    Kind("type missing", true, |d, dice| {
        let declared = |e: &Element<'_>| e.member().and_then(|m| Formal::get().of(m.of)).is_some_and(|of| of.is_abstract);
        let element = dice.pick(all(d, |e| declared(e) && e.xsi_type().is_some()))?;
        let attribute = element.xsi_type_attribute()?;
        splice(d, attribute.name.start as usize - 1..attribute.value.end as usize + 1, "")
            .map(|m| Mutant { place: element.range().start..element.range().start + 1, ..m })
    }),
    Kind("unknown attribute", false, |d, dice| {
        let element = dice.pick(all(d, |e| e.of().is_some_and(|of| of.content == Content::Elements)))?;
        let at = element.range().start + 1 + element.name().len();
        splice(d, at..at, " zz=\"1\"")
    }),
    Kind("stray text", false, |d, dice| {
        let parent = dice.pick(all(d, |e| !e.is_self_closing() && e.of().is_some_and(|of| of.content == Content::Elements)))?;
        let at = parent.inner_range().start;
        splice(d, at..at, "лишнее")
    }),
    Kind("nil where none may be", false, |d, dice| {
        let element = dice.pick(all(d, |e| e.member().is_some_and(|m| !m.nil) && e.xsi_type().is_none() && !e.is_nil()))?;
        let xsi = d.tree().prefix_of(element.id(), dcs::xml::ns::XSI)?;
        splice(d, element.range(), &format!("<{} {xsi}:nil=\"true\"/>", element.name()))
    }),
    Kind("value of an unusual type", false, |d, dice| {
        let element = dice.pick(all(d, |e| e.local() == "right" && e.xsi_type().is_some()))?;
        let set = d.tree().prefix_of(element.id(), dcs::xml::ns::SETTINGS)?;
        let value = &element.xsi_type_attribute()?.value;
        splice(d, value.start as usize..value.end as usize, &format!("{set}:Filter"))
    }),
    // Level 3.
    Kind("data source of a set dangling", false, |d, dice| {
        let sets = schema(d)?.all_data_sets();
        retext(d, dice, sets.into_iter().filter_map(|set| set.element().child("dataSource")).collect(), "НетТакого")
    }),
    Kind("data source renamed", false, |d, dice| {
        let named = schema(d)?.data_sources().filter_map(|s| s.element().child("name"));
        let names: HashSet<String> = schema(d)?.all_data_sets().iter().map(|set| set.data_source().into_owned()).collect();
        let used = named.filter(|name| names.contains(&*name.text())).collect();
        let m = retext(d, dice, used, "Другой")?;
        Some(Mutant { place: 0..m.text.len(), ..m })
    }),
    Kind("data source doubled", false, |d, dice| double(d, dice, children(d, "dataSource"))),
    Kind("data set doubled", false, |d, dice| double(d, dice, children(d, "dataSet"))),
    Kind("data set of a link dangling", false, |d, dice| {
        let links = children(d, "dataSetLink").into_iter();
        retext(d, dice, links.flat_map(|l| ["sourceDataSet", "destinationDataSet"].map(|n| l.child(n))).flatten().collect(), "НетТакого")
    }),
    Kind("expression of a link emptied", false, |d, dice| {
        let links = children(d, "dataSetLink").into_iter();
        let element = dice.pick(links.filter_map(|l| l.child("sourceExpression")).filter(|e| !e.text().is_empty()).collect())?;
        splice(d, element.inner_range(), "").map(|m| Mutant { place: element.range().start..element.range().start + 30, ..m })
    }),
    Kind("parameter of a link dangling", false, |d, dice| {
        retext(d, dice, children(d, "dataSetLink").into_iter().filter_map(|l| l.child("parameter")).collect(), "НетТакого")
    }),
    Kind("template of a binding dangling", false, |d, dice| {
        let bound = ["fieldTemplate", "groupTemplate", "groupHeaderTemplate", "totalFieldsTemplate"].into_iter();
        retext(d, dice, bound.flat_map(|n| children(d, n)).filter_map(|b| b.child("template")).collect(), "НетТакого")
    }),
    Kind("template doubled", false, |d, dice| double(d, dice, children(d, "template"))),
    Kind("parameter of a cell dangling", false, |d, dice| {
        retext(d, dice, schema(d)?.templates().flat_map(|t| t.used_parameters()).collect(), "НетТакого")
    }),
    Kind("parameter of a template doubled", false, |d, dice| {
        double(d, dice, schema(d)?.templates().flat_map(|t| t.parameters().map(|p| p.element())).collect())
    }),
    Kind("group of a template dangling", false, |d, dice| {
        let bound = ["groupTemplate", "groupHeaderTemplate"].into_iter();
        retext(d, dice, bound.flat_map(|n| children(d, n)).filter_map(|b| b.child("groupName")).collect(), "НетТакой")
    }),
    Kind("parameter doubled", false, |d, dice| double(d, dice, children(d, "parameter"))),
    Kind("parameter of a query renamed", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let facts = bsl::query::read(&text, bsl::query::TextKind::Query);
        let used = dice.pick(facts.parameters)?;
        let range = used.span.range();
        with_query(d, element, &format!("{}&НетТакого{}", &text[..range.start], &text[range.end..]))
    }),
    Kind("parameter of the settings dangling", false, |d, dice| {
        let settings = schema(d)?.all_settings();
        let values = settings.iter().flat_map(|(_, s)| s.parameter_values());
        retext(d, dice, values.filter_map(|v| v.element().child("parameter")).collect(), "НетТакого")
    }),
    Kind("variant doubled", false, |d, dice| double(d, dice, children(d, "settingsVariant"))),
    Kind("name emptied", false, |d, dice| {
        let named = ["dataSource", "dataSet", "parameter", "settingsVariant"].into_iter().flat_map(|n| children(d, n));
        let element = dice.pick(named.filter_map(|e| e.child("name")).filter(|e| !e.text().is_empty()).collect())?;
        splice(d, element.inner_range(), "").map(|m| Mutant { place: element.range().start..element.range().start + 8, ..m })
    }),
    Kind("field of a total dangling", false, |d, dice| {
        if !knows_its_fields(d) { return None; }
        retext(d, dice, children(d, "totalField").into_iter().filter_map(|t| t.child("dataPath")).collect(), "НетТакого")
    }),
    Kind("field of an expression dangling", false, |d, dice| {
        if !knows_its_fields(d) { return None; }
        let with = ["totalField", "calculatedField"].into_iter().flat_map(|n| children(d, n));
        retext(d, dice, with.filter_map(|t| t.child("expression")).collect(), "Сумма(НетТакого)")
    }),
    Kind("field of the settings dangling", false, |d, dice| {
        if !knows_its_fields(d) { return None; }
        let settings = schema(d)?.all_settings();
        retext(d, dice, settings.iter().flat_map(|(_, s)| dcs::view::field_uses(s.element())).collect(), "НетТакого")
    }),
    Kind("nested schema dangling", false, |d, dice| {
        let settings = schema(d)?.all_settings();
        let items = settings.iter().flat_map(|(_, s)| s.all_structure());
        retext(d, dice, items.filter_map(|(_, i)| i.element().child("objectID")).collect(), "НетТакой")
    }),
    Kind("calculated field doubled", false, |d, dice| double(d, dice, children(d, "calculatedField"))),
    Kind("calculated field of a field's path", false, |d, dice| {
        let set = dice.pick(schema(d)?.all_data_sets().into_iter().filter(|s| s.fields().next().is_some()).collect())?;
        let path = dice.pick(set.fields().map(|f| f.data_path().into_owned()).collect())?;
        let new = New::with(name("sch:calculatedField"), [New::text(name("sch:dataPath"), path), New::text(name("sch:expression"), "1")]);
        let root = d.root()?;
        edited(d, root.range(), |edit| edit.insert_at(root, &new, Place::InOrder).ok())
    }),
    Kind("expression of a calculated field emptied", false, |d, dice| {
        let element = dice.pick(children(d, "calculatedField").into_iter().filter_map(|t| t.child("expression")).filter(|e| !e.text().is_empty()).collect())?;
        splice(d, element.inner_range(), "").map(|m| Mutant { place: element.range().start..element.range().start + 30, ..m })
    }),
    Kind("total doubled", false, |d, dice| double(d, dice, children(d, "totalField"))),
    Kind("query emptied", false, |d, dice| {
        let element = dice.pick(queries(d).into_iter().filter(|q| !q.text().trim().is_empty()).collect())?;
        splice(d, element.inner_range(), "").map(|m| Mutant { place: element.range().start..element.range().start + 15, ..m })
    }),
    Kind("language doubled", false, |d, dice| {
        let text = Formal::get().find(dcs::xml::ns::DATA, "LocalStringItemType");
        double(d, dice, all(d, |e| Some(e.type_id()) == text))
    }),
    // Level 4.
    Kind("query broken off", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        with_query(d, element, &format!("{} ГДЕ (", text.trim_end().trim_end_matches(';')))
    }),
    Kind("parenthesis of a query left open", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let facts = bsl::query::read(&text, bsl::query::TextKind::Query);
        let column = dice.pick(facts.selects.first()?.branches.first()?.columns.clone())?;
        let at = column.span.range().start;
        with_query(d, element, &format!("{}({}", &text[..at], &text[at..]))
    }),
    Kind("alias repeated", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let query = bsl::query::parse(&text, bsl::query::TextKind::Query);
        let branch = dice.pick(query.selects.iter().flat_map(|s| &s.branches).filter(|b| b.columns.iter().any(|c| c.alias.is_some())).collect())?;
        let alias = branch.columns.iter().find_map(|c| c.alias)?.text;
        let at = branch.select_list.range().end;
        with_query(d, element, &format!("{}, 1 КАК {alias}{}", &text[..at], &text[at..]))
    }),
    Kind("column of a union too many", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let query = bsl::query::parse(&text, bsl::query::TextKind::Query);
        let branch = dice.pick(query.selects.iter().flat_map(|s| s.branches.iter().skip(1)).collect())?;
        let at = branch.select_list.range().end;
        with_query(d, element, &format!("{}, 1{}", &text[..at], &text[at..]))
    }),
    Kind("rows of a batch kept back", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let query = bsl::query::parse(&text, bsl::query::TextKind::Query);
        if query.statements.len() != 1 { return None; }
        let branch = query.selects.first()?.branches.first()?;
        let at = branch.select_list.range().end;
        with_query(d, element, &format!("{} ПОМЕСТИТЬ ВТ{}", &text[..at], &text[at..]))
    }),
    Kind("column of a nested query dangling", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let facts = bsl::query::read(&text, bsl::query::TextKind::Query);
        let of_nested = facts.fields.iter().filter(|f| f.column.is_some() && f.table_parts > 0 && f.table.is_some());
        let field = dice.pick(of_nested.cloned().collect())?;
        let range = field.span.range();
        with_query(d, element, &format!("{}{}.НетТакой{}", &text[..range.start], field.parts[0], &text[range.end..]))
    }),
    Kind("sum over rows that a tabular section repeats", false, |d, dice| {
        let (element, text) = clean_query(d, dice)?;
        let query = bsl::query::parse(&text, bsl::query::TextKind::Query);
        let facts = bsl::query::read(&text, bsl::query::TextKind::Query);
        let objects = ["Catalog.", "Document."];
        // A branch of one table of an object: it gets a sum, and a section beside its table.
        let alone = |(select, branch): &(usize, usize)| {
            let [table] = facts.selects[*select].branches[*branch].tables[..] else { return None };
            let table = &facts.tables[table as usize];
            let is_object = table.kind == bsl::query::TableKind::Physical && objects.iter().any(|kind| table.name.starts_with(kind));
            is_object.then(|| (query.selects[*select].branches[*branch].clone(), table.clone()))
        };
        let all = facts.selects.iter().enumerate().flat_map(|(at, select)| (0..select.branches.len()).map(move |branch| (at, branch)));
        let (branch, table) = dice.pick(all.filter_map(|place| alone(&place)).collect())?;
        let (list, from) = (branch.select_list.range().end, branch.from.range().end);
        let (alias, name) = (&table.alias, table.parts.join("."));
        let sum = format!(", СУММА({alias}.НекаяСумма) КАК НекийИтог");
        let join = format!(" ЛЕВОЕ СОЕДИНЕНИЕ {name}.НекиеСтроки КАК НекиеСтроки ПО {alias}.Ссылка = НекиеСтроки.Ссылка");
        with_query(d, element, &format!("{}{sum}{}{join}{}", &text[..list], &text[list..from], &text[from..]))
    }),
];

fn swap(document: &Document, (one, other): (Element<'_>, Element<'_>)) -> Option<Mutant> {
    let text = document.text();
    let (one, other) = (one.range(), other.range());
    let swapped = format!("{}{}{}", &text[other.clone()], &text[one.end..other.start], &text[one.clone()]);
    splice(document, one.start..other.end, &swapped)
}

/// What a kind came to.
#[derive(Default, Clone)]
struct Tally {
    made: usize,
    caught: usize,
    blocked: usize,
    missed: Vec<String>,
}

fn try_all(files: &[SchemaFile], times: u64) -> Vec<Tally> {
    let options = Options { all: true, ..Options::default() };
    let of_file = |(number, file): (usize, &SchemaFile)| {
        let document = Document::parse(file.bytes.clone());
        let known = |finding: &Finding| (finding.check, finding.what.ru.clone(), finding.path.clone());
        let count = |findings: &[Finding]| {
            let mut counts: HashMap<(&str, String, String), usize> = HashMap::new();
            findings.iter().for_each(|finding| *counts.entry(known(finding)).or_default() += 1);
            counts
        };
        let before = count(&check(&document, &options).findings);
        let mut tallies = vec![Tally::default(); KINDS.len()];
        for (kind, tally) in KINDS.iter().zip(&mut tallies) {
            for time in 0..times {
                let mut dice = Dice(number as u64 * 1000 + time + 1);
                let Some(mutant) = kind.2(&document, &mut dice) else { continue };
                if mutant.text == document.text() {
                    continue;
                }
                tally.made += 1;
                let changed = Document::parse(mutant.text);
                let findings = check(&changed, &options).findings;
                let now = count(&findings);
                // A fault that the file has already doesn't count, unless there are more of it now.
                let is_new = |f: &Finding| now.get(&known(f)) > before.get(&known(f));
                let is_there = |f: &&Finding| f.start <= mutant.place.end && mutant.place.start <= f.end && is_new(f);
                let found: Vec<&Finding> = findings.iter().filter(is_there).collect();
                tally.caught += usize::from(!found.is_empty());
                tally.blocked += usize::from(found.iter().any(|finding| finding.severity == Severity::Blocking));
                if found.is_empty() {
                    let line = changed.tree().line(mutant.place.start);
                    tally.missed.push(format!("{}:{line}", file.path.display()));
                }
            }
        }
        tallies
    };
    let all: Vec<Vec<Tally>> = files.par_iter().enumerate().map(of_file).collect();
    let mut sum = vec![Tally::default(); KINDS.len()];
    for tallies in all {
        for (sum, one) in sum.iter_mut().zip(tallies) {
            sum.made += one.made;
            sum.caught += one.caught;
            sum.blocked += one.blocked;
            sum.missed.extend(one.missed);
        }
    }
    sum
}

fn hold(files: &[SchemaFile], times: u64) {
    let tallies = try_all(files, times);
    let mut weak = Vec::new();
    println!("{:<44} {:>6} {:>7} {:>8}", "kind", "made", "caught", "blocked");
    for (kind, tally) in KINDS.iter().zip(&tallies) {
        println!("{:<44} {:>6} {:>7} {:>8}", kind.0, tally.made, tally.caught, tally.blocked);
        let few = |count: usize| count * 100 < tally.made * 99;
        if few(tally.caught) || (kind.1 && few(tally.blocked)) {
            let missed = &tally.missed[..tally.missed.len().min(3)];
            weak.push(format!(
                "{}: {} of {} caught, {} blocked {missed:?}",
                kind.0, tally.caught, tally.made, tally.blocked
            ));
        }
    }
    assert!(weak.is_empty(), "{}", weak.join("\n"));
}

#[test]
fn mutations_of_the_demo_are_caught() {
    assert!(KINDS.len() >= 40);
    hold(&demo_schemas(), 3);
}

#[test]
#[ignore = "corpus"]
fn mutations_of_genuine_schemas_are_caught() {
    hold(&genuine_schemas(), 2);
}

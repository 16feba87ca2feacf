//! Help, report schemas and other templates: files whose text is handed in.

use super::{Place, Push, Thing, with_object};
use crate::refs::fields::Fields;
use crate::refs::texts::full_name;
use crate::refs::{lines_before, paths, queries};
use crate::world::World;
use bsl::query::TextKind;
use metadata::{FileId, Kind};

/// Links and pictures of a page of help: `href="Catalog.X.Form.F/Help"`, `src="CommonPicture.X"`.
pub fn help(owner: &str, file: FileId, html: &str, push: &mut Push<'_>) {
    for (at, attribute) in html.match_indices("href=\"").chain(html.match_indices("src=\"")) {
        let rest = html.get(at + attribute.len()..).unwrap_or("");
        let link = rest.split(['"', '/', '#']).next().unwrap_or("");
        if metadata::names::is_full_name(link) {
            let line = lines_before(html, at) + 1;
            let place = Place { target: Thing::Named(link), source: owner, kind: "help", file, line };
            // A page of a part is a page of its object, whoever links to it.
            push(place);
            let object = super::top(link);
            if object != link {
                push(Place { target: Thing::Named(object), ..place });
            }
        }
    }
}

/// A report schema: its queries, and the types and values that it names.
pub fn schema(world: &World, template: &str, file: FileId, xml: &str, push: &mut Push<'_>) {
    let fields = Fields::new(world);
    let mut place = |target: u32, line: u32| {
        push(Place { target: Thing::Node(target), source: template, kind: "template_or_skd", file, line });
    };
    let mut rest = 0;
    let (mut line, mut counted) = (1, 0);
    let mut line_at = |at: usize| {
        line += lines_before(xml.get(counted..at).unwrap_or(""), usize::MAX);
        counted = at;
        line
    };
    while let Some(open) = xml.get(rest..).and_then(|text| text.find("<query>")).map(|at| rest + at) {
        let from = open + "<query>".len();
        let Some(end) = xml.get(from..).and_then(|text| text.find("</query>")).map(|at| from + at) else { break };
        named(fields, xml.get(rest..open).unwrap_or(""), line_at(rest), &mut place);
        let first = line_at(from);
        let text = unescaped(xml.get(from..end).unwrap_or(""));
        let facts = bsl::query::read(&text, TextKind::Query);
        queries::read(fields, &facts, |target, span| place(target, first + span.line.saturating_sub(1)));
        rest = end;
    }
    let first = line_at(rest);
    named(fields, xml.get(rest..).unwrap_or(""), first, &mut place);
    styles(fields, xml, &mut place);
}

/// Any other text: the full names in it.
pub fn text(world: &World, template: &str, file: FileId, text: &str, push: &mut Push<'_>) {
    named(Fields::new(world), text, 1, &mut |target, line| {
        let target = Thing::Node(target);
        with_object(Place { target, source: template, kind: "template_or_skd", file, line }, push);
    });
    styles(Fields::new(world), text, &mut |target, line| {
        push(Place { target: Thing::Node(target), source: template, kind: "template_or_skd", file, line });
    });
}

/// Namespace of the items of the style.
const STYLE: &str = "=\"http://v8.1c.ru/8.1/data/ui/style\"";

/// Items of the style that an XML names: `style:Имя`, or by another prefix that the element itself declares.
fn styles(fields: Fields<'_>, xml: &str, push: &mut impl FnMut(u32, u32)) {
    let Some(kind) = Kind::named("StyleItem") else { return };
    let declared = xml.match_indices(STYLE).filter_map(|(at, _)| {
        let prefix = xml.get(..at)?.rsplit_once("xmlns:")?.1;
        let rest = xml.get(at..)?;
        let end = rest.find("</").unwrap_or(rest.len());
        // The root declares the usual prefix for all.
        let used = rest.get(..end)?.find(&format!("{prefix}:")).filter(|_| prefix != "style")?;
        Some((at + used, prefix.len() + 1))
    });
    let mut places: Vec<(usize, usize)> = xml.match_indices("style:").map(|(at, word)| (at, word.len())).collect();
    places.extend(declared);
    places.sort_unstable();
    let (mut line, mut counted) = (1, 0);
    for (at, prefix) in places {
        let begins = xml.get(..at).is_some_and(|before| before.ends_with(['"', '>']));
        let name = xml.get(at + prefix..).unwrap_or("").split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        let Some(target) = name.filter(|_| begins).and_then(|name| fields.object(kind, name)) else { continue };
        line += lines_before(xml.get(counted..at).unwrap_or(""), usize::MAX);
        counted = at;
        push(target, line);
    }
}

/// Full names in a text that begins in a line.
fn named(fields: Fields<'_>, text: &str, first: u32, push: &mut impl FnMut(u32, u32)) {
    let (mut line, mut counted) = (first, 0);
    for (at, path) in paths(text) {
        if path.contains('.') {
            full_name(fields, path, |target, _| {
                line += lines_before(text.get(counted..at).unwrap_or(""), usize::MAX);
                counted = at;
                push(target, line);
            });
        }
    }
}

/// A text of XML with its entities resolved: those that a query may hold.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

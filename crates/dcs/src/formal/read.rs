//! Reads the files of the model. Their format is described beside them (`schemas/README.md`).

use rustc_hash::FxHashMap;

use super::{Content, Count, Formal, Member, Name, Simple, Sources, Type, TypeId};
use crate::xml::{KNOWN, NsId, ns};

/// The files: name and text.
pub(super) const FILES: &[(&str, &str)] = &[
    ("schema.model", include_str!("../../../../schemas/schema.model")),
    ("settings.model", include_str!("../../../../schemas/settings.model")),
    ("core.model", include_str!("../../../../schemas/core.model")),
    ("common.model", include_str!("../../../../schemas/common.model")),
    ("area-template.model", include_str!("../../../../schemas/area-template.model")),
    ("data-core.model", include_str!("../../../../schemas/data-core.model")),
    ("data-ui.model", include_str!("../../../../schemas/data-ui.model")),
    ("data-enterprise.model", include_str!("../../../../schemas/data-enterprise.model")),
];

/// What is wrong with a file of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct ModelError {
    /// The file.
    pub file: &'static str,
    /// The line, 1-based.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// A line that is read in the first pass; types are numbered there, references are resolved in the second one.
struct Line {
    file: &'static str,
    line: usize,
    ns: NsId,
    owner: Option<TypeId>,
    slot: Option<Name>,
    words: Vec<&'static str>,
    sources: Sources,
}

impl Line {
    fn error(&self, what: impl Into<String>) -> ModelError {
        ModelError { file: self.file, line: self.line, what: what.into() }
    }
}

const SIMPLE: &[(&str, Simple)] = &[
    ("string", Simple::String),
    ("boolean", Simple::Boolean),
    ("decimal", Simple::Decimal),
    ("integer", Simple::Integer),
    ("long", Simple::Integer),
    ("dateTime", Simple::DateTime),
    ("QName", Simple::QName),
    ("NMTOKEN", Simple::NmToken),
    ("empty", Simple::Empty),
];

pub(super) fn read(files: &[(&'static str, &'static str)]) -> Result<Formal, ModelError> {
    let mut formal = Formal {
        types: Vec::new(),
        by_name: FxHashMap::default(),
        roots: Vec::new(),
        slots: FxHashMap::default(),
        closed: Vec::new(),
    };
    for &(local, simple) in SIMPLE {
        add(&mut formal, Name { ns: ns::XS, local }, Content::Simple(simple), Sources::default());
    }
    let mut lines = Vec::new();
    for &(file, text) in files {
        first_pass(&mut formal, file, text, &mut lines)?;
    }
    for line in &lines {
        second_pass(&mut formal, line)?;
    }
    inherit(&mut formal)?;
    check_keys(&formal)?;
    Ok(formal)
}

fn add(formal: &mut Formal, name: Name, content: Content, sources: Sources) -> TypeId {
    let id = TypeId(formal.types.len() as u16);
    formal.types.push(Type {
        name,
        base: None,
        is_abstract: false,
        key: Vec::new(),
        class: None,
        content,
        children: Vec::new(),
        attributes: Vec::new(),
        sources,
    });
    formal.by_name.insert(name, id);
    id
}

/// Numbers the types.
fn first_pass(
    formal: &mut Formal,
    file: &'static str,
    text: &'static str,
    lines: &mut Vec<Line>,
) -> Result<(), ModelError> {
    let mut own = None;
    let (mut owner, mut slot) = (None, None);
    for (number, text) in text.lines().enumerate() {
        let error = |what: String| ModelError { file, line: number + 1, what };
        let content = text.trim_end();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let (content, marks) = content.split_once('|').unwrap_or((content, ""));
        let sources = sources(marks).map_err(error)?;
        let words: Vec<&'static str> = content.split_whitespace().collect();
        if words.first() == Some(&"namespace") {
            let [_, prefix, uri, openness] = words[..] else {
                return Err(error("namespace PREFIX URI open|closed".into()));
            };
            let Some(known) = KNOWN.iter().position(|&known| known == (prefix, uri)) else {
                return Err(error(format!("unknown namespace {prefix} {uri}")));
            };
            let ns = NsId(known as u32);
            match openness {
                "open" => {}
                "closed" => formal.closed.push(ns),
                other => return Err(error(format!("open or closed, not {other}"))),
            }
            own.get_or_insert(ns);
            continue;
        }
        let Some(ns) = own else { return Err(error("no namespace yet".into())) };
        if marks.trim().is_empty() {
            return Err(error("the source of the fact is missing".into()));
        }
        if !text.starts_with(' ') {
            let &[kind, name, ..] = &words[..] else { return Err(error("a word and a name are expected".into())) };
            (owner, slot) = (None, None);
            let content = match kind {
                "type" => Some(Content::Elements),
                "simple" => Some(Content::Simple(Simple::String)),
                "opaque" => Some(Content::Opaque),
                "enum" => Some(Content::Enumeration(Vec::new())),
                "root" => None,
                "slot" => {
                    slot = Some(name_of(name, ns).map_err(error)?);
                    None
                }
                other => return Err(error(format!("unknown word {other}"))),
            };
            if let Some(content) = content {
                let name = name_of(name, ns).map_err(error)?;
                if formal.by_name.contains_key(&name) {
                    return Err(error(format!("{name} is there already")));
                }
                owner = Some(add(formal, name, content, sources));
            }
        } else if owner.is_none() && slot.is_none() {
            return Err(error("an indented line belongs to nothing".into()));
        }
        lines.push(Line { file, line: number + 1, ns, owner, slot, words, sources });
    }
    Ok(())
}

/// `name`, or `prefix:name`.
fn name_of(text: &'static str, own: NsId) -> Result<Name, String> {
    let Some((prefix, local)) = text.split_once(':') else { return Ok(Name { ns: own, local: text }) };
    match KNOWN.iter().position(|&(known, _)| known == prefix) {
        Some(ns) => Ok(Name { ns: NsId(ns as u32), local }),
        // Values of other namespaces are named in slots only; the address doesn't matter there.
        None if matches!(prefix, "chart" | "mxl") => Ok(Name { ns: ns::UNBOUND, local }),
        None => Err(format!("unknown prefix {prefix}")),
    }
}

fn sources(marks: &str) -> Result<Sources, String> {
    let mut sources = Sources::default();
    for mark in marks.split_whitespace() {
        match mark.split_once(':') {
            None if mark == "f" => sources.format = true,
            None if mark == "e" => sources.edt = true,
            // Of a list of types seen: the marks of its lines count.
            None if mark == "g" || mark == "s" => {}
            Some(("g", number)) => sources.measured = number.parse().map_err(|_| format!("a number: {mark}"))?,
            Some(("s", number)) => sources.counted = number.parse().map_err(|_| format!("a number: {mark}"))?,
            _ => return Err(format!("unknown source {mark}")),
        }
    }
    Ok(sources)
}

fn second_pass(formal: &mut Formal, line: &Line) -> Result<(), ModelError> {
    let lookup = |formal: &Formal, text: &'static str| -> Result<TypeId, ModelError> {
        if text == "any" {
            return Ok(TypeId::ANY);
        }
        let name = name_of(text, line.ns).map_err(|what| line.error(what))?;
        formal.by_name.get(&name).copied().ok_or_else(|| line.error(format!("unknown type {name}")))
    };
    match (line.words[0], line.owner, line.slot) {
        ("type", Some(owner), _) => type_line(formal, line, owner, &lookup),
        ("simple", Some(owner), _) => {
            let base = line.words.get(2).copied().unwrap_or("");
            let local = base.strip_prefix("xs:").unwrap_or(base);
            let simple = SIMPLE.iter().find(|(name, _)| *name == local).map(|(_, simple)| *simple);
            let simple = simple.ok_or_else(|| line.error(format!("unknown simple type {base}")))?;
            formal.types[usize::from(owner.0)].content = Content::Simple(simple);
            Ok(())
        }
        ("opaque" | "enum", Some(_), _) | ("slot", None, Some(_)) => Ok(()),
        ("root", None, None) => {
            let [_, element, of] = line.words[..] else { return Err(line.error("root ELEMENT TYPE")) };
            let name = name_of(element, line.ns).map_err(|what| line.error(what))?;
            let of = lookup(formal, of)?;
            formal.roots.push((name, of));
            Ok(())
        }
        (of, None, Some(slot)) => {
            let name = name_of(of, line.ns).map_err(|what| line.error(what))?;
            if formal.closed.contains(&name.ns) {
                lookup(formal, of)?;
            }
            formal.slots.entry(slot).or_default().push(name);
            Ok(())
        }
        (_, Some(owner), _) => member_line(formal, line, owner, &lookup),
        _ => Err(line.error("this has no place here")),
    }
}

type Lookup<'l> = &'l dyn Fn(&Formal, &'static str) -> Result<TypeId, ModelError>;

/// `type NAME [: BASE] [abstract] [key=…] [class=…]`.
fn type_line(formal: &mut Formal, line: &Line, owner: TypeId, lookup: Lookup<'_>) -> Result<(), ModelError> {
    let mut words = line.words[2..].iter();
    while let Some(&word) = words.next() {
        if word == ":" {
            let base = words.next().ok_or_else(|| line.error("a base is expected"))?;
            let base = lookup(formal, base)?;
            formal.types[usize::from(owner.0)].base = Some(base);
            continue;
        }
        let of = &mut formal.types[usize::from(owner.0)];
        match word.split_once('=') {
            None if word == "abstract" => of.is_abstract = true,
            Some(("key", key)) => of.key = key.split('+').collect(),
            Some(("class", class)) => of.class = Some(class),
            _ => return Err(line.error(format!("unknown word {word}"))),
        }
    }
    Ok(())
}

/// A child, an attribute, or a value of an enumeration.
fn member_line(formal: &mut Formal, line: &Line, owner: TypeId, lookup: Lookup<'_>) -> Result<(), ModelError> {
    let number = usize::from(owner.0);
    if let Content::Enumeration(values) = &mut formal.types[number].content {
        let [value] = line.words[..] else { return Err(line.error("one value a line")) };
        if values.contains(&value) {
            return Err(line.error(format!("{value} is there already")));
        }
        values.push(value);
        return Ok(());
    }
    let &[name, count, of, ref rest @ ..] = &line.words[..] else {
        return Err(line.error("NAME COUNT TYPE is expected"));
    };
    let count = match count {
        "1" => Count { required: true, many: false },
        "?" => Count { required: false, many: false },
        "*" => Count { required: false, many: true },
        "+" => Count { required: true, many: true },
        other => return Err(line.error(format!("unknown count {other}"))),
    };
    let attribute = name.strip_prefix('@');
    let name = match attribute {
        Some(local) => Name { ns: ns::NONE, local },
        None => name_of(name, line.ns).map_err(|what| line.error(what))?,
    };
    let of = lookup(formal, of)?;
    let is_attribute = attribute.is_some();
    let mut member = Member {
        name,
        is_attribute,
        count,
        of,
        nil: false,
        default: None,
        edt: None,
        since: None,
        sources: line.sources,
    };
    for &word in rest {
        match word.split_once('=') {
            None if word == "nil" => member.nil = true,
            Some(("", default)) => member.default = Some(default),
            Some(("edt", name)) => member.edt = Some(name),
            Some(("since", release)) => member.since = Some(release),
            _ => return Err(line.error(format!("unknown word {word}"))),
        }
    }
    let owner = &mut formal.types[number];
    let list = if is_attribute { &mut owner.attributes } else { &mut owner.children };
    if list.iter().any(|other| other.name == member.name) {
        return Err(line.error(format!("{name} is there already")));
    }
    list.push(member);
    Ok(())
}

/// Puts what bases have before what types have themselves.
fn inherit(formal: &mut Formal) -> Result<(), ModelError> {
    for number in 0..formal.types.len() {
        let mut chain = vec![number];
        while let Some(base) = formal.types[chain[chain.len() - 1]].base {
            let base = usize::from(base.0);
            if chain.contains(&base) {
                let what = format!("{} inherits from itself", formal.types[number].name);
                return Err(ModelError { file: "", line: 0, what });
            }
            chain.push(base);
        }
    }
    // Bases first, so that each type takes what its base has already.
    let mut order: Vec<usize> = (0..formal.types.len()).collect();
    let depth = |mut number: usize, types: &[Type]| {
        let mut depth = 0;
        while let Some(base) = types[number].base {
            depth += 1;
            number = usize::from(base.0);
        }
        depth
    };
    order.sort_by_key(|&number| depth(number, &formal.types));
    for number in order {
        let Some(base) = formal.types[number].base else { continue };
        let base = formal.types[usize::from(base.0)].clone();
        let own = &mut formal.types[number];
        own.children.splice(0..0, base.children);
        own.attributes.splice(0..0, base.attributes);
        if own.key.is_empty() {
            own.key = base.key;
        }
    }
    Ok(())
}

fn check_keys(formal: &Formal) -> Result<(), ModelError> {
    for of in formal.types.iter().filter(|of| !of.is_abstract) {
        for part in &of.key {
            let is_there = match part.strip_prefix('@') {
                Some(name) => of.attributes.iter().any(|attribute| attribute.name.local == name),
                None => of.child(part).is_some(),
            };
            if !is_there {
                return Err(ModelError { file: "", line: 0, what: format!("{}: no {part} for the key", of.name) });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All eight files; every type, base, key and slot that they name is there, nothing inherits from itself.
    #[test]
    fn the_model_is_whole() {
        let formal = read(FILES).unwrap_or_else(|error| panic!("{error}"));
        let of_namespace = |ns| formal.types.iter().filter(|of| of.name.ns == ns).count();
        assert_eq!(FILES.len(), 8);
        for ns in [ns::SCHEMA, ns::SETTINGS, ns::CORE, ns::COMMON, ns::AREA, ns::DATA, ns::UI, ns::ENTERPRISE] {
            assert!(of_namespace(ns) > 0, "{ns:?}");
        }
        assert_eq!(formal.roots.len(), 3);
        assert!(formal.is_closed(ns::SETTINGS) && !formal.is_closed(ns::DATA));
        let parameter = formal.of(formal.find(ns::SETTINGS, "SettingsParameterValue").unwrap()).unwrap();
        let order: Vec<String> = parameter.children.iter().map(|child| child.name.to_string()).collect();
        let expected =
            "cor:use cor:parameter cor:value cor:item set:viewMode set:userSettingID set:userSettingPresentation";
        assert_eq!((order.join(" ").as_str(), &parameter.key[..]), (expected, &["parameter"][..]));
    }

    /// What a sibling of a thing is told by must not itself be optional in a way that makes all of them alike.
    #[test]
    fn every_fact_says_where_it_comes_from() {
        let formal = read(FILES).unwrap();
        let said = |sources: Sources| sources != Sources::default();
        for of in formal.types.iter().filter(|of| of.name.ns != ns::XS) {
            assert!(said(of.sources), "{}", of.name);
            for member in of.children.iter().chain(&of.attributes) {
                assert!(said(member.sources), "{} {}", of.name, member.name);
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let head = "namespace sch http://v8.1c.ru/8.1/data-composition-system/schema closed\n";
        let cases = [
            ("type A : B | f\n", "unknown type sch:B"),
            ("type A | f\n  b 1 xs:strin | f\n", "unknown type xs:strin"),
            ("type A | f\n  b 2 xs:string | f\n", "unknown count 2"),
            ("type A | f\n  b 1 xs:string\n", "the source of the fact is missing"),
            ("type A | x\n", "unknown source x"),
            ("type A | f\ntype A | f\n", "sch:A is there already"),
            ("type A : B | f\ntype B : A | f\n", "sch:A inherits from itself"),
            ("type A key=c | f\n", "sch:A: no c for the key"),
            ("  a 1 xs:string | f\n", "an indented line belongs to nothing"),
            ("slot a | f\n  B | f\n", "unknown type sch:B"),
        ];
        for (text, expected) in cases {
            let text: &'static str = Box::leak(format!("{head}{text}").into_boxed_str());
            let error = read(&[("f", text)]).unwrap_err();
            assert_eq!(error.what, expected, "{text}");
        }
    }
}

//! What an expression or a variable of a method may be: the world that edges were derived with, and the facts of one module.

use super::{AttributeRow, Index, MethodRow, NameId, ParamRow, TypeRow};
use crate::{Error, Result};
use bsl::ModuleFacts;
use graph::World;
use graph::look::{Behind, Seen, VariableUse};
use serde::Serialize;

/// Assignments of assignments that are followed.
const DEEPEST: usize = 3;

/// A method, or the statements outside methods, whose code is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePlace {
    /// Number of the module.
    pub module: NameId,
    /// File, relative to the root of the dump.
    pub file: String,
    /// The method; None: the statements outside methods.
    pub method: Option<MethodRow>,
}

/// What an expression may be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Inferred {
    /// Types, each once.
    pub types: Vec<InferredType>,
    /// Whether it may be something else too.
    pub open: bool,
    /// What the expression is: `literal`, `parameter`, `variable`, `module_variable`, `result`, `property`; empty: nothing of these.
    pub what: &'static str,
    /// What the types are known from.
    pub evidence: Vec<Evidence>,
}

/// A type, and how it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InferredType {
    /// Canonical name (`CatalogRef.X`, `String(50)`), or the full name of what has no type of its own.
    pub name: String,
    /// `written`, `named`, `inferred`, `chosen`, `literal`, `assigned`: by the code; `metadata`, `code`, `comment`, `calls`, `default`: by what
    /// the evidence names.
    pub how: Vec<&'static str>,
}

/// What a type is known from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// `assignment`, `result`, `attribute`, `parameter`.
    pub kind: &'static str,
    /// Full name of the method or attribute; of an assignment what gives the value.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// Types that it gives.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub types: String,
    /// 1-based line in the method's file; 0 for what stands elsewhere.
    #[serde(skip_serializing_if = "is_zero")]
    pub line: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}

/// A place of a variable: where it gets a value, or where its value goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariablePlace {
    /// Full name of the method, if it is another one than was asked for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// 1-based line.
    pub line: u32,
    /// What happens there (`assigned`, `loop`, `argument`, `returned` …).
    pub kind: &'static str,
    /// What gives or takes the value, as written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// Of an argument: full names of the methods that the call may mean, with the parameter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<String>,
    /// Of an argument: the method may change the variable, since its parameter is not by value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_reference: bool,
    /// Types there, as far as they are known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub types: String,
}

/// Where a variable gets its values, and where they go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VariableFlow {
    /// Where it gets them.
    pub sources: Vec<VariablePlace>,
    /// Where they go.
    pub uses: Vec<VariablePlace>,
    /// It is a variable of the module: the places are those of all methods.
    pub of_module: bool,
}

/// A module taken up: the world, its place in it, its facts.
struct Taken {
    world: World,
    number: usize,
    facts: ModuleFacts,
    /// Place of the method in the facts.
    method: Option<usize>,
}

impl Index {
    /// The code of a method; of a module, of a form or an object that has one module: its statements outside methods, or with a line
    /// the method that stands there. None if the thing has no code.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn code_place(&self, of: NameId, line: Option<u32>) -> Result<Option<CodePlace>> {
        let rows = self.rows(
            "SELECT x.id, f.path, m.id FROM method m JOIN module x ON x.id = m.module JOIN file f ON f.id = x.file WHERE m.id = ?1
             UNION ALL SELECT x.id, f.path, NULL FROM module x JOIN file f ON f.id = x.file WHERE x.id = ?1 OR x.body = ?1
             UNION ALL SELECT x.id, f.path, NULL FROM module x JOIN file f ON f.id = x.file
             WHERE x.object = ?1 AND x.id <> ?1 AND (SELECT count(*) FROM module y WHERE y.object = ?1) = 1",
            [of],
            |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, Option<NameId>>(2)?)),
        )?;
        let Some((module, file, method)) = rows.into_iter().next() else { return Ok(None) };
        let method = match (method, line) {
            (Some(method), _) => Some(method),
            (None, Some(line)) => self.method_at(&file, line)?,
            (None, None) => None,
        };
        let method = method.map(|method| self.method(method)).transpose()?.flatten();
        Ok(Some(CodePlace { module, file, method }))
    }

    /// What an expression may be in the statement of a line, what it assigns counting as assigned; without a line anywhere in
    /// the method.
    ///
    /// # Errors
    /// [`Error::Expression`] if the text is no expression; otherwise if the index can't be read.
    pub fn infer(&self, place: &CodePlace, line: Option<u32>, expression: &str) -> Result<Inferred> {
        let mut taken = self.take_up(place)?;
        let refused = |message| Error::Expression { text: expression.chars().take(200).collect(), message };
        let added = taken.facts.add_expression(taken.method, expression, line.unwrap_or(0)).map_err(refused)?;
        let Taken { world, number, facts, method } = &taken;
        let seen = world.look_at(*number, facts, *method, line, added).ok_or_else(|| self.moved(place))?;
        self.inferred(world, place, &seen, DEEPEST)
    }

    /// Every place of a variable of a method, or of a variable of the module in all methods. No places: there is no such variable.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn variable_flow(&self, place: &CodePlace, name: &str) -> Result<VariableFlow> {
        let Taken { world, number, facts, method } = self.take_up(place)?;
        let found = world.variable(number, &facts, method, name).ok_or_else(|| self.moved(place))?;
        let mut flow = VariableFlow::default();
        let methods = self.methods_of(place.module)?;
        for one in found {
            let elsewhere = one.method != method;
            flow.of_module |= elsewhere;
            let full_name = match one.method.filter(|_| elsewhere) {
                Some(at) => facts.methods.get(at).and_then(|own| methods.iter().find(|row| row.line == own.line)),
                None => None,
            };
            let full_name = full_name.map(|row| row.full_name.clone()).unwrap_or_default();
            let row = self.variable_place(&world, place, full_name, &one)?;
            if one.kind.is_source() { flow.sources.push(row) } else { flow.uses.push(row) }
        }
        Ok(flow)
    }

    fn variable_place(
        &self,
        world: &World,
        place: &CodePlace,
        method: String,
        one: &VariableUse,
    ) -> Result<VariablePlace> {
        let mut into = Vec::new();
        let mut by_reference = false;
        if let Some((position, nodes)) = &one.argument {
            for node in nodes {
                let name = world.name(*node);
                let params = self.params_by_name(name)?;
                let param = params.get(usize::from(*position));
                by_reference |= param.is_some_and(|param| !param.by_value);
                into.push(match param {
                    Some(param) => format!("{name}({})", param.name),
                    None => name.to_owned(),
                });
            }
        }
        let types = match one.kind.is_source() {
            true => types_text(&self.inferred(world, place, &one.seen, 1)?),
            false => String::new(),
        };
        let (kind, what, line) = (one.kind.as_str(), one.what.clone(), one.line);
        Ok(VariablePlace { method, line, kind, what, into, by_reference, types })
    }

    fn params_by_name(&self, full_name: &str) -> Result<Vec<ParamRow>> {
        let Some(named) = self.by_key(full_name)? else { return Ok(Vec::new()) };
        let modules = self.rows("SELECT module FROM method WHERE id = ?1", [named.id], |row| row.get(0))?;
        match (modules.first(), self.method(named.id)?) {
            (Some(&module), Some(method)) => self.params_of(module, named.id, &method),
            _ => Ok(Vec::new()),
        }
    }

    fn take_up(&self, place: &CodePlace) -> Result<Taken> {
        let Some(facts) = self.facts(place.module)? else { return Err(self.moved(place)) };
        let method = match &place.method {
            None => None,
            Some(method) => {
                let found = facts.methods.iter().position(|own| own.line == method.line);
                Some(found.ok_or_else(|| self.moved(place))?)
            }
        };
        let world = self.world()?;
        let node = world.find(&self.full_name(place.module)?);
        let number = world.modules().iter().position(|module| Some(module.node) == node);
        let number = number.ok_or_else(|| self.moved(place))?;
        Ok(Taken { world, number, facts, method })
    }

    /// The error of an index whose parts don't belong together.
    fn moved(&self, place: &CodePlace) -> Error {
        let module = self.full_name(place.module).unwrap_or_default();
        Error::Facts { module, message: "the stored world has another module".to_owned() }
    }

    /// What was seen, with what metadata, comments and calls say of it.
    fn inferred(&self, world: &World, place: &CodePlace, seen: &Seen, depth: usize) -> Result<Inferred> {
        let mut found = Inferred { open: seen.open, ..Inferred::default() };
        for t in &seen.types {
            add(&mut found.types, &t.name, t.how);
        }
        let Some(depth) = depth.checked_sub(1) else { return Ok(found) };
        match &seen.behind {
            Behind::Nothing => {}
            Behind::Written => found.what = "literal",
            Behind::Variable => found.what = "module_variable",
            Behind::Param(param) => {
                found.what = "parameter";
                if let Some(method) = &place.method {
                    let types = self.types_of(method.id, Some(u32::from(*param)))?;
                    self.known(&mut found, "parameter", &method.full_name, &types);
                }
            }
            Behind::Result(nodes) => {
                found.what = "result";
                for name in nodes.iter().map(|node| world.name(*node)) {
                    let Some(named) = self.by_key(name)? else { continue };
                    let types = self.types_of(named.id, None)?;
                    self.known(&mut found, "result", name, &types);
                }
            }
            Behind::Property(holders, name) => {
                let mut all = !holders.is_empty();
                for holder in holders {
                    let Some((full_name, types)) = self.property(world.name(*holder), name)? else {
                        all = false;
                        continue;
                    };
                    for t in &types {
                        add_type(&mut found.types, t, "metadata");
                    }
                    found.what = "property";
                    let types = types.join(", ");
                    found.evidence.push(Evidence { kind: "attribute", what: full_name, types, line: 0 });
                }
                // Metadata says all that an attribute may hold.
                if all {
                    found.open = false;
                }
            }
            Behind::Assigned(assigned) => {
                found.what = "variable";
                for (line, one) in assigned {
                    let inner = self.inferred(world, place, one, depth)?;
                    // The flow knows better what it follows: only what it doesn't comes from here.
                    for t in inner.types.iter().filter(|_| seen.types.is_empty()) {
                        t.how.iter().for_each(|how| add(&mut found.types, &t.name, how));
                    }
                    let what = inner.evidence.first().map(|first| first.what.clone()).unwrap_or_default();
                    let types = types_text(&inner);
                    found.evidence.push(Evidence { kind: "assignment", what, types, line: *line });
                }
            }
        }
        Ok(found)
    }

    /// Adds what is known of a parameter or result from its method.
    fn known(&self, found: &mut Inferred, kind: &'static str, what: &str, types: &[TypeRow]) {
        for t in types {
            let how =
                ["code", "comment", "calls", "default"].into_iter().find(|how| *how == t.source).unwrap_or("code");
            add_type(&mut found.types, &t.name, how);
        }
        let types = super::types_text(types, false);
        found.evidence.push(Evidence { kind, what: what.to_owned(), types, line: 0 });
    }

    /// The full name of a property of a thing, and the types that metadata gives it: an attribute, dimension, standard attribute,
    /// attribute of a tabular section or of a form.
    fn property(&self, holder: &str, name: &str) -> Result<Option<(String, Vec<String>)>> {
        let Some(holder) = self.by_key(holder)? else { return Ok(None) };
        let of_form = self.rows(
            "SELECT a.name, t.text FROM form_attribute a LEFT JOIN texts t ON t.id = a.types WHERE a.form = ?1",
            [holder.id],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default())),
        )?;
        if let Some((own, types)) = of_form.into_iter().find(|(own, _)| bsl::same_name(own, name)) {
            return Ok(Some((format!("{}.{own}", holder.full_name), split_types(&types))));
        }
        let Some(attribute) = self.attribute_named(&holder.full_name, name)? else { return Ok(None) };
        Ok(Some((attribute.full_name, split_types(&attribute.types))))
    }

    /// An attribute of an object or tabular section by its name in either language, whatever its case.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn attribute_named(&self, holder: &str, name: &str) -> Result<Option<AttributeRow>> {
        let (object, section) = match holder.split_once(".TabularSection.") {
            Some((object, section)) => (object, section),
            None => (holder, ""),
        };
        let Some(object) = self.by_key(object)? else { return Ok(None) };
        let kind = metadata::Kind::named(&object.kind);
        let standard = kind.map_or(&[][..], metadata::standard::of_kind);
        let english = standard.iter().find(|one| bsl::same_name(one.name_ru, name)).map_or(name, |one| one.name);
        let rows = self.attributes(object.id)?;
        Ok(rows.into_iter().find(|row| bsl::same_name(&row.name, english) && bsl::same_name(&row.section, section)))
    }
}

/// Adds a type that is known some way.
fn add(types: &mut Vec<InferredType>, name: &str, how: &'static str) {
    match types.iter_mut().find(|known| known.name == name) {
        Some(known) if !known.how.contains(&how) => known.how.push(how),
        Some(_) => {}
        None => types.push(InferredType { name: name.to_owned(), how: vec![how] }),
    }
}

/// The same; `String(50)` says more than `String`.
fn add_type(types: &mut Vec<InferredType>, name: &str, how: &'static str) {
    let bare = name.split('(').next().unwrap_or(name);
    if bare.len() < name.len()
        && let Some(known) = types.iter_mut().find(|known| known.name == bare)
    {
        known.name = name.to_owned();
    }
    add(types, name, how);
}

/// The types of a text that joins them by commas: those within parentheses are qualifiers.
fn split_types(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Types as one text.
fn types_text(inferred: &Inferred) -> String {
    let names: Vec<&str> = inferred.types.iter().map(|t| t.name.as_str()).collect();
    match (names.is_empty(), inferred.open) {
        (false, true) => format!("{}, …", names.join(", ")),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_stay_with_their_types() {
        assert_eq!(
            split_types("CatalogRef.А, Number(15, 2), String(5)"),
            ["CatalogRef.А", "Number(15, 2)", "String(5)"]
        );
        assert!(split_types("").is_empty());
        let mut types = Vec::new();
        add_type(&mut types, "String", "literal");
        add_type(&mut types, "String(5)", "metadata");
        assert_eq!(types, [InferredType { name: "String(5)".to_owned(), how: vec!["literal", "metadata"] }]);
    }
}

//! References of a module's queries, and of the literals that code puts into them.

use super::code::ModuleReferences;
use super::{Reference, queries};
use crate::scope::ModuleContext;
use bsl::QueryText;
use bsl::query::QueryFacts;

impl ModuleReferences<'_> {
    /// Takes the references of the module's queries, and of what is put into them.
    pub fn queries(&mut self, module: &ModuleContext<'_>) {
        let texts = std::mem::take(&mut self.queries);
        if texts.is_empty() {
            return;
        }
        let read: Vec<QueryFacts> = texts.iter().map(QueryText::read).collect();
        let families = bsl::query_families(module.facts, &texts);
        let source = |method: Option<usize>| {
            let method = method.and_then(|place| module.facts.methods.get(place));
            let known = method.and_then(|method| module.own_method(module.ident(method.name)?));
            known.map_or(module.info.body, |method| module.world.method(method).node)
        };
        for (place, (text, facts)) in texts.iter().zip(&read).enumerate() {
            let family = families.iter().find(|family| family.queries.contains(&place));
            let others = family.into_iter().flat_map(|family| &family.queries);
            let others: Vec<&QueryFacts> = others.filter_map(|other| read.get(*other)).collect();
            let source = source(text.method);
            queries::read_among(self.fields, facts, &others, |target, place| {
                let line = text.line_of(place);
                self.found.push(Reference { target, source, kind: "bsl_query", file: self.file, line });
            });
        }
        for family in &families {
            let method = family.queries.first().and_then(|first| texts.get(*first)).and_then(|text| text.method);
            let source = source(method);
            for part in &family.parts {
                // Those that stand above it, then those below: what was set last is what it goes into.
                let below = |place: &&usize| texts.get(**place).is_some_and(|text| text.line > part.line);
                let (below, above): (Vec<&usize>, Vec<&usize>) = family.queries.iter().partition(below);
                let order = below.into_iter().rev().chain(above);
                let queries: Vec<&QueryFacts> = order.filter_map(|place| read.get(*place)).collect();
                for path in bsl::query::paths(module.facts.text(part.text)) {
                    let mut found = Vec::new();
                    queries::read_part(self.fields, &path, &queries, &mut found);
                    let line = part.line + path.line - 1;
                    let reference = |target| Reference { target, source, kind: "bsl_query", file: self.file, line };
                    self.found.extend(found.into_iter().map(reference));
                }
            }
        }
    }
}

//! What refers to a thing in code and in templates.

use super::Direct;
use super::references::reference;
use super::subject::Subject;
use crate::deadline::{Looked, Tour};
use crate::names::{kind_word, word_hash, words};
use crate::read::{Index, NameId};
use crate::{Deadline, Result};
use graph::Confidence;
use graph::impact::mentions::{Here, Mention, Search, Wanted};
use graph::paths::rank;
use graph::world::layers::without_layer;
use metadata::ModuleKind;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Kinds of things that start code and that code itself names: who runs the job is a way to the method, too.
const STARTERS: [&str; 5] = ["ScheduledJob", "CommonCommand", "WebService", "HTTPService", "IntegrationService"];
/// Modules whose facts are held in memory at once.
const AT_ONCE: usize = 256;
/// Starters whose own references are looked for.
const MOST_STARTERS: usize = 20;

/// A place that names something, with the method or body and the file that it stands in.
pub(crate) type Placed = (Mention, NameId, u32);

impl Index {
    /// Code and templates that name the thing.
    pub(super) fn by_code(&self, subject: &Subject, until: Deadline, found: &mut Vec<Direct>) -> Result<Looked> {
        if subject.wanted.is_empty() {
            return Ok(Looked::default());
        }
        let (mentions, looked) = self.mentions_of(&subject.wanted, until)?;
        for (mention, source, file) in mentions {
            if subject.inside.contains(&source) {
                continue;
            }
            let target = subject.wanted_ids.get(mention.wanted).copied().unwrap_or(subject.id);
            let candidate = mention.confidence == Confidence::Candidate;
            found.push(Direct {
                rank: rank(mention.confidence),
                far: candidate && !mention.near,
                ..reference(source, target, mention.kind, file, mention.line)
            });
        }
        Ok(looked.and(self.by_templates(subject, until, found)?))
    }

    /// Places in code that name one of some things: with the method, or the module's body, and the file.
    /// At the deadline it ends with those of the modules that it has looked at.
    pub(crate) fn mentions_of(&self, wanted: &[Wanted], until: Deadline) -> Result<(Vec<Placed>, Looked)> {
        let mut hashes: FxHashSet<u32> = FxHashSet::default();
        for one in wanted {
            let names: Vec<&str> = match &one.part {
                Some(part) => std::iter::once(&*part.name).chain(part.name_en.as_deref()).collect(),
                None => vec![&one.object],
            };
            hashes.extend(names.into_iter().map(|name| word_hash(&bsl::fold(name))));
        }
        // Names of resources may go on: `КоличествоОстаток`; such modules hold the register's name.
        hashes.extend(
            wanted
                .iter()
                .filter(|one| one.kind.en().ends_with("Register"))
                .map(|one| word_hash(&bsl::fold(&one.object))),
        );
        let modules = self.modules_with(&hashes)?;
        let (search, tour) = (Search::new(wanted), Tour::new(until));
        let (mut found, mut without_facts) = (Vec::new(), 0);
        for chunk in modules.chunks(AT_ONCE) {
            if until.is_over() {
                break;
            }
            let mut packed = Vec::with_capacity(chunk.len());
            for &module in chunk {
                let blob =
                    self.rows("SELECT facts FROM facts WHERE module = ?1", [module], |row| row.get::<_, Vec<u8>>(0))?;
                match blob.into_iter().next() {
                    Some(blob) => packed.push((module, blob, self.here(module)?)),
                    None => without_facts += 1,
                }
            }
            let read: Vec<(NameId, u32, std::result::Result<Vec<Mention>, String>)> = packed
                .into_par_iter()
                .filter(|_| tour.goes_on())
                .map(|(module, blob, (here, file))| {
                    let facts = crate::build::unpack(&blob);
                    (module, file, facts.map(|facts| search.mentions(&facts, &here)))
                })
                .collect();
            for (module, file, mentions) in read {
                let mentions = match mentions {
                    Ok(mentions) => mentions,
                    Err(message) => return Err(crate::Error::Facts { module: self.full_name(module)?, message }),
                };
                self.place_mentions(module, file, mentions, &mut found)?;
            }
        }
        Ok((found, tour.looked(modules.len() - without_facts)))
    }

    /// Adds mentions of a module with the method, or the module's body, that they stand in.
    fn place_mentions(&self, module: NameId, file: u32, mentions: Vec<Mention>, found: &mut Vec<Placed>) -> Result<()> {
        if mentions.is_empty() {
            return Ok(());
        }
        let methods: Vec<NameId> =
            self.rows("SELECT id FROM method WHERE module = ?1 ORDER BY line", [module], |row| row.get(0))?;
        let body: Vec<Option<NameId>> =
            self.rows("SELECT body FROM module WHERE id = ?1", [module], |row| row.get(0))?;
        for mention in mentions {
            let source = match mention.method {
                Some(place) => methods.get(place as usize).copied(),
                None => body.first().copied().flatten(),
            };
            found.extend(source.map(|source| (mention, source, file)));
        }
        Ok(())
    }

    /// Modules that hold one of some words.
    pub(crate) fn modules_with(&self, hashes: &FxHashSet<u32>) -> Result<Vec<NameId>> {
        let mut statement = self.connection.prepare_cached("SELECT module, words FROM module_words")?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let blob = row.get_ref(1)?.as_blob().unwrap_or(&[]);
            if hashes.iter().any(|&hash| holds(blob, hash)) {
                found.push(row.get(0)?);
            }
        }
        Ok(found)
    }

    /// Where a module stands, and its file.
    fn here(&self, module: NameId) -> Result<(Here, u32)> {
        let rows = self.rows(
            "SELECT k.word, o.name, m.file, m.object FROM module m JOIN words k ON k.id = m.kind
             JOIN names o ON o.id = m.object WHERE m.id = ?1",
            [module],
            |row| {
                let (kind, owner): (String, String) = (row.get(0)?, row.get(1)?);
                Ok((kind, owner, row.get(2)?, row.get::<_, NameId>(3)?))
            },
        )?;
        let (kind, owner, file, object) = rows.into_iter().next().unwrap_or_default();
        let kind = ModuleKind::ALL.into_iter().find(|one| one.as_str() == kind).unwrap_or(ModuleKind::Module);
        let main = match kind {
            ModuleKind::FormModule => self.main_attribute(object)?,
            _ => None,
        };
        let owner = without_layer(&owner).split('.').take(2).collect::<Vec<_>>().join(".");
        Ok((Here { kind, owner, main }, file))
    }

    /// Name and object of a form's main attribute.
    fn main_attribute(&self, form: NameId) -> Result<Option<(String, String)>> {
        let rows = self.rows(
            "SELECT a.name, t.text FROM form_attribute a LEFT JOIN texts t ON t.id = a.types WHERE a.form = ?1 AND a.is_main",
            [form],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default())),
        )?;
        Ok(rows.into_iter().next().and_then(|(name, types)| {
            let (kind, own) = metadata::names::object_of_type(types.split('(').next().unwrap_or(""))?;
            Some((name, format!("{kind}.{}", own?)))
        }))
    }

    /// Templates that hold the name: report schemas, printed forms, rules.
    fn by_templates(&self, subject: &Subject, until: Deadline, found: &mut Vec<Direct>) -> Result<Looked> {
        let roots = self.layer_roots()?;
        let files = self.rows(
            "SELECT t.id, t.file, f.path, k.word FROM template t JOIN file f ON f.id = t.file JOIN words k ON k.id = t.kind",
            [],
            |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, u32>(1)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?)),
        )?;
        let files: Vec<_> = files.into_iter().filter(|(id, ..)| !subject.inside.contains(id)).collect();
        let tour = Tour::new(until);
        let hits: Vec<(NameId, u32, usize, u32, bool)> = files
            .par_iter()
            .filter(|_| tour.goes_on())
            .flat_map_iter(|(id, file, path, kind)| {
                let text = metadata::template_content(&roots.path(path)).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                let schema = kind == "DataCompositionSchema";
                let hits = subject.wanted.iter().enumerate().filter_map(|(number, wanted)| {
                    let (line, near) = template_hit(&text, wanted)?;
                    Some((*id, *file, number, line, near && schema))
                });
                hits.collect::<Vec<_>>()
            })
            .collect();
        for (template, file, number, line, near) in hits {
            let target = subject.wanted_ids.get(number).copied().unwrap_or(subject.id);
            let unique = subject.wanted.get(number).is_some_and(|wanted| wanted.unique || wanted.part.is_none());
            let confidence = if near && unique { Confidence::String } else { Confidence::Candidate };
            let one = reference(template, target, "template_or_skd", file, line);
            found.push(Direct { rank: rank(confidence), far: !near, ..one });
        }
        Ok(tour.looked(files.len()))
    }

    /// What starts the things that refer to the subject: code that names the job which runs the method.
    pub(super) fn by_starters(&self, until: Deadline, found: &mut Vec<Direct>) -> Result<Looked> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut starters: Vec<Direct> = Vec::new();
        // What only lists a command (a functional option, a group) doesn't run it.
        let runs = |kind: &str| graph::channels::all().iter().any(|rule| rule.channel().0 == kind);
        for one in found.iter().filter(|one| runs(&one.kind)) {
            let Some(node) = one.node else { continue };
            let name = self.full_name(node)?;
            let top = kind_word(&name);
            if !STARTERS.contains(&top) || name.matches('.').count() != 1 || starters.len() == MOST_STARTERS {
                continue;
            }
            if let Some(object) = Self::object_wanted(&name)
                && !wanted.contains(&object)
            {
                wanted.push(object);
                starters.push(one.clone());
            }
        }
        if wanted.is_empty() {
            return Ok(Looked::default());
        }
        let (mentions, looked) = self.mentions_of(&wanted, until)?;
        for (mention, source, file) in mentions {
            let Some(starter) = starters.get(mention.wanted) else { continue };
            let target = starter.node.unwrap_or(starter.target);
            found.push(Direct {
                rank: rank(mention.confidence),
                through: Some(Box::new(starter.clone())),
                ..reference(source, target, mention.kind, file, mention.line)
            });
        }
        Ok(looked)
    }
}

/// Whether a sorted run of hashes, four bytes each, holds one.
fn holds(blob: &[u8], hash: u32) -> bool {
    let at = |place: usize| {
        blob.get(place * 4..place * 4 + 4).map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let (mut from, mut to) = (0, blob.len() / 4);
    while from < to {
        let middle = from.midpoint(to);
        match at(middle).cmp(&hash) {
            std::cmp::Ordering::Less => from = middle + 1,
            std::cmp::Ordering::Greater => to = middle,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

/// The first line of a template that holds the name, and whether it holds the object's name, too.
fn template_hit(text: &str, wanted: &Wanted) -> Option<(u32, bool)> {
    let name = wanted.part.as_ref().map_or(&wanted.object, |part| &part.name);
    if !text.contains(name.as_str()) {
        return None;
    }
    let is = |word: &str, name: &str| word == name;
    let line = (1_u32..)
        .zip(text.lines())
        .find(|(_, line)| line.contains(name.as_str()) && words(line).any(|word| is(word, name)));
    let near = wanted.part.is_none() || words(text).any(|word| is(word, &wanted.object));
    line.map(|(number, _)| (number, near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_found_in_their_run() {
        let run: Vec<u8> = [3_u32, 7, 9, u32::MAX].iter().flat_map(|hash| hash.to_le_bytes()).collect();
        assert!([3, 7, 9, u32::MAX].iter().all(|&hash| holds(&run, hash)));
        assert!([0, 4, 8, 10].iter().all(|&hash| !holds(&run, hash)));
        assert!(!holds(&[], 1) && !holds(&[1, 2], 0));
    }
}

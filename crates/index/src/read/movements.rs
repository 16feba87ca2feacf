//! Which document moves which register: what metadata says, and where code of documents names their record sets.

use super::{Index, NameId};
use crate::Result;
use crate::names::word_hash;
use bsl::{Code, Expr, ExprId, ModuleFacts, fold};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// How code writes the record sets of a document, folded.
const RECORD_SETS: [&str; 2] = ["движения", "registerrecords"];
/// Kinds of registers that a document may move.
const REGISTERS: &str = "'AccumulationRegister', 'AccountingRegister', 'CalculationRegister', 'InformationRegister'";

/// A place where the code of a document names a register that it may move.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MovementPlace {
    /// Full name of the document.
    pub document: String,
    /// Full name of the register.
    pub register: String,
    /// Full name of the method, or of the module's body.
    pub method: String,
    /// `record_set`: `Движения.Имя`; `string`: a literal that is the register's name, to be handed on.
    pub evidence: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line.
    pub line: u32,
}

impl Index {
    /// Places in the modules of documents that name record sets: of a document all of its own, of a register those of every
    /// document that name it. By document, register and place.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn movement_places(&self, thing: NameId) -> Result<Vec<MovementPlace>> {
        let registers = self.registers()?;
        let own = registers.iter().find(|(id, ..)| *id == thing);
        let modules = match own {
            Some((_, name, _)) => {
                let hashes = FxHashSet::from_iter([word_hash(&fold(name))]);
                let with = self.modules_with(&hashes)?;
                let of_documents: FxHashSet<NameId> = self
                    .rows(
                        "SELECT m.id FROM module m JOIN object o ON o.id = m.object JOIN words k ON k.id = o.kind
                         WHERE k.word = 'Document'",
                        [],
                        |row| row.get(0),
                    )?
                    .into_iter()
                    .collect();
                with.into_iter().filter(|module| of_documents.contains(module)).collect()
            }
            None => self.rows("SELECT id FROM module WHERE object = ?1", [thing], |row| row.get::<_, NameId>(0))?,
        };
        // A register of the same name of another kind is meant by the same words.
        let mut wanted: FxHashMap<String, Vec<&str>> = FxHashMap::default();
        for (_, name, full_name) in registers.iter().filter(|(id, ..)| own.is_none() || *id == thing) {
            wanted.entry(fold(name)).or_default().push(full_name);
        }
        let mut found = Vec::new();
        for module in modules {
            self.movements_of_module(module, &wanted, &mut found)?;
        }
        found.sort_unstable();
        // The surer evidence of a line comes first.
        found.dedup_by(|later, kept| {
            (&later.document, &later.register, &later.method, later.line)
                == (&kept.document, &kept.register, &kept.method, kept.line)
        });
        Ok(found)
    }

    /// Registers: number, own name, full name.
    fn registers(&self) -> Result<Vec<(NameId, String, String)>> {
        let sql = format!(
            "SELECT o.id, o.name, n.name FROM object o JOIN words k ON k.id = o.kind JOIN names n ON n.id = o.id
             WHERE k.word IN ({REGISTERS})"
        );
        self.rows(&sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    fn movements_of_module(
        &self,
        module: NameId,
        wanted: &FxHashMap<String, Vec<&str>>,
        found: &mut Vec<MovementPlace>,
    ) -> Result<()> {
        let Some(facts) = self.facts(module)? else { return Ok(()) };
        let place = self.rows(
            "SELECT o.name, f.path, n.name FROM module m JOIN names o ON o.id = m.object JOIN file f ON f.id = m.file
             JOIN names n ON n.id = m.id WHERE m.id = ?1",
            [module],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)),
        )?;
        let Some((document, file, module_name)) = place.into_iter().next() else { return Ok(()) };
        let methods = facts.methods.iter().map(|method| (Some(method.name), &method.code));
        for (name, code) in methods.chain(std::iter::once((None, &facts.body))) {
            let method = format!("{module_name}.{}", name.map_or("$body", |name| facts.text(name)));
            for (register, evidence, line) in named(&facts, code, wanted) {
                found.push(MovementPlace {
                    document: document.clone(),
                    register: register.to_owned(),
                    method: method.clone(),
                    evidence: evidence.to_owned(),
                    file: file.clone(),
                    line,
                });
            }
        }
        Ok(())
    }
}

/// Registers that code names: full name, evidence, line.
fn named<'w>(
    facts: &ModuleFacts,
    code: &Code,
    wanted: &'w FxHashMap<String, Vec<&str>>,
) -> Vec<(&'w str, &'static str, u32)> {
    let is_records = |id: ExprId| match code.expr(id) {
        Expr::Name(name) | Expr::Member(_, name) => RECORD_SETS.contains(&fold(facts.text(name)).as_str()),
        _ => false,
    };
    let mut found = Vec::new();
    for node in &code.nodes {
        let (symbol, evidence) = match node.expr {
            Expr::Member(base, name) if is_records(base) => (name, "record_set"),
            Expr::Index(base, index) if is_records(base) => match code.expr(index) {
                Expr::String(name) => (name, "record_set"),
                _ => continue,
            },
            Expr::String(name) => (name, "string"),
            _ => continue,
        };
        let registers = wanted.get(&fold(facts.text(symbol))).into_iter().flatten();
        found.extend(registers.map(|register| (*register, evidence, node.line)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_sets_and_literals_are_told_apart() {
        let text = "Процедура П()\nДвижения.Запасы.Записывать = Истина;\nОтразить(\"Запасы\", Движения);\nД = Движения[\"Долги\"];\n\
                    Об.Движения.Долги.Очистить();\nЗапасы.Запасы = 1;\nКонецПроцедуры";
        let facts = bsl::read_module(text.as_bytes());
        let wanted = FxHashMap::from_iter([
            ("запасы".to_owned(), vec!["AccumulationRegister.Запасы"]),
            ("долги".to_owned(), vec!["AccumulationRegister.Долги"]),
        ]);
        let mut found = named(&facts, &facts.methods[0].code, &wanted);
        found.sort_unstable_by_key(|(register, evidence, line)| (*line, *evidence, *register));
        found.dedup_by_key(|(.., line)| *line);
        let told: Vec<(&str, &str, u32)> = found
            .into_iter()
            .map(|(register, evidence, line)| (register.split('.').nth(1).unwrap(), evidence, line))
            .collect();
        assert_eq!(
            told,
            [
                ("Запасы", "record_set", 2),
                ("Запасы", "string", 3),
                ("Долги", "record_set", 4),
                ("Долги", "record_set", 5)
            ]
        );
    }
}

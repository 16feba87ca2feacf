//! The checks of code over an index: the one gate that texts of modules pass, whether a tool, the command line or a pending edit
//! brings them.

use std::sync::{Arc, Mutex, PoisonError};

use bsl::ModuleFacts;
use index::{AbsentModule, Grounds, Index, Tables};
use validators::code::{Ground, Options, Subject, check};

pub use validators::code::{Finding, Report};

/// What texts are judged on, made once for a state of the index.
pub struct Scanner {
    grounds: Grounds,
    tables: Tables,
}

/// A text, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Scanned<'t> {
    /// The module whose text it is or will be, by its place; None: no module of the index.
    pub module: Option<usize>,
    /// It is a part of the module, not all of it.
    pub is_part: bool,
    /// The text.
    pub text: &'t [u8],
    /// Only these checks; empty: all.
    pub only: &'t [String],
}

/// The last scanner: loading one costs what a build needs to begin an update.
static LAST: Mutex<Option<Arc<Scanner>>> = Mutex::new(None);

impl Scanner {
    /// The scanner over an index; that of the call before, if the index is as it was.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn of(index: &Index) -> index::Result<Arc<Self>> {
        let version = index.version()?;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = last.as_ref().filter(|known| known.grounds.version() == version) {
            return Ok(Arc::clone(known));
        }
        let scanner = Arc::new(Self { grounds: index.grounds()?, tables: index.tables()? });
        *last = Some(Arc::clone(&scanner));
        Ok(scanner)
    }

    /// A scanner that knows one more module, which has no file yet; and its place.
    fn with_module(index: &Index, absent: &AbsentModule) -> index::Result<(Self, usize)> {
        let (grounds, module) = index.grounds()?.with_module(absent);
        Ok((Self { grounds, tables: index.tables()? }, module))
    }

    /// The world and its modules.
    pub fn grounds(&self) -> &Grounds {
        &self.grounds
    }

    /// Tables of queries.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Checks a text.
    pub fn scan(&self, scanned: &Scanned<'_>) -> Report {
        let facts = bsl::read_module(scanned.text);
        self.scan_facts(scanned, &facts)
    }

    /// Checks a text that was read.
    pub fn scan_facts(&self, scanned: &Scanned<'_>, facts: &ModuleFacts) -> Report {
        // Whoever extends what isn't there names what nobody sees.
        let module = scanned.module.filter(|_| self.grounds.has_main());
        let ground = module.map(|module| Ground {
            world: self.grounds.world(),
            configuration: self.grounds.configuration(),
            places: self.grounds.places(),
            outlines: &self.grounds,
            catalog: Some(&self.tables),
            module,
            is_part: scanned.is_part,
        });
        check(&Subject::new(facts, ground), &Options { only: scanned.only })
    }
}

/// What the checks say of a file as it would be with this text; `path`: relative to the root of the dump. A module that the index
/// hasn't is judged as the one that it would be; of a file that can't be one the text alone is judged, and of one that is no module
/// at all nothing is said.
///
/// # Errors
/// If the index can't be read.
pub fn scan(index: &Index, path: &str, text: &str) -> index::Result<Vec<Finding>> {
    if !path.to_lowercase().ends_with(".bsl") {
        return Ok(Vec::new());
    }
    let path = path.replace('\\', "/");
    let scanner = Scanner::of(index)?;
    let module = scanner.grounds.module_of_file(&path)?;
    if module.is_none()
        && !text.is_empty()
        && let Some(absent) = index.absent_module_at(&path)?
    {
        let (scanner, module) = Scanner::with_module(index, &absent)?;
        let scanned = Scanned { module: Some(module), is_part: false, text: text.as_bytes(), only: &[] };
        return Ok(scanner.scan(&scanned).findings);
    }
    Ok(scanner.scan(&Scanned { module, is_part: false, text: text.as_bytes(), only: &[] }).findings)
}

/// The findings that an edit brings: those of the new text that the old one had not. A finding that only moved is none.
pub fn new_findings(before: &[Finding], after: Vec<Finding>) -> Vec<Finding> {
    let mut known: Vec<&Finding> = before.iter().collect();
    let mut is_new = |finding: &Finding| {
        let same = |old: &&Finding| {
            (old.check, &old.name, &old.method, &old.what)
                == (finding.check, &finding.name, &finding.method, &finding.what)
        };
        match known.iter().position(same) {
            Some(place) => {
                known.swap_remove(place);
                false
            }
            None => true,
        }
    };
    after.into_iter().filter(|finding| is_new(finding)).collect()
}

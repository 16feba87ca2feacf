//! Where new lines go, and how they look there.

use bsl::Method;

use super::super::EditError;
use super::super::patch::{line_end_at, with_line_ends};
use super::Place;

/// Where new text goes.
pub(crate) enum Spot<'a> {
    /// Behind a line; 0: before the first.
    AfterLine(u32),
    /// Behind a method.
    After(&'a Method),
    /// Before a method, its comment and its directives.
    Before(&'a Method),
    /// At the end of a region.
    Region(&'a str),
}

/// Regions that new methods go to if nothing else is said, best first: for exported ones and for all others. The names are those
/// of the platform vendor's published standard on the structure of modules.
const PUBLIC: &[&str] = &["ПрограммныйИнтерфейс", "Public", "СлужебныйПрограммныйИнтерфейс", "Internal"];
const PRIVATE: &[&str] = &["СлужебныеПроцедурыИФункции", "Private"];

impl Place {
    /// Puts lines in at a spot. Methods and regions are parted from them by an empty line.
    pub(crate) fn insert(&mut self, spot: &Spot<'_>, code: &str) -> Result<(), EditError> {
        let (line, apart) = match *spot {
            Spot::AfterLine(line) => (line.min(self.line_count()), false),
            Spot::After(method) => (method.end_line, true),
            Spot::Before(method) => (self.span(method).0 - 1, true),
            Spot::Region(name) => (self.region(name)?.1 - 1, true),
        };
        let text = self.revision.text();
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let at = self.lines(line + 1, line).start.max(mark);
        let end = self.new.unwrap_or_else(|| line_end_at(text, at));
        let is_empty = |line: u32| {
            let content = text.get(self.lines(line, line)).map(str::trim);
            line == 0 || content.is_none_or(|content| content.trim_start_matches('\u{feff}').is_empty())
        };
        let mut new = String::new();
        // The last line of a file may lack its end.
        if at > mark && !text[..at].ends_with('\n') {
            new.push_str(end);
        }
        if apart && !is_empty(line) {
            new.push_str(end);
        }
        let code = if apart { code.trim_matches(['\n', '\r']) } else { code.trim_end_matches(['\n', '\r']) };
        new.push_str(&with_line_ends(code, end));
        if at < text.len() || text.ends_with('\n') || text.len() == mark {
            new.push_str(end);
        }
        if apart && !is_empty(line + 1) && at < text.len() {
            new.push_str(end);
        }
        self.revision
            .replace(at..at, &new)
            .map_err(|mismatch| EditError::place(mismatch.to_string(), mismatch.to_string()))
    }

    /// First and last line of a region.
    fn region(&self, name: &str) -> Result<(u32, u32), EditError> {
        let names = || self.facts.regions.iter().map(|region| self.facts.text(region.name));
        let found = self.facts.regions.iter().find(|region| bsl::same_name(self.facts.text(region.name), name));
        found.map(|region| (region.line, region.end_line)).ok_or_else(|| EditError::Place {
            ru: format!("в модуле {} нет области {name}", self.module),
            en: format!("{} has no region {name}", self.module),
            near: names().map(str::to_owned).collect(),
        })
    }

    /// The region that a new method belongs to, if the module has it.
    pub(crate) fn region_for(&self, export: bool) -> Option<&'static str> {
        let wanted = if export { PUBLIC } else { PRIVATE };
        let has = |wanted: &&&str| {
            self.facts.regions.iter().any(|region| bsl::same_name(self.facts.text(region.name), wanted))
        };
        wanted.iter().find(has).copied()
    }
}

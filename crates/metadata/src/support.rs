//! Support by vendors: `ParentConfigurations.bin`, which tells of each object whether it may be changed.
//!
//! Bracket notation in UTF-8, in spite of its name:
//!
//! ```text
//! {6, all locked, number of vendors, vendor, 0,0, vendor, …}
//! vendor   id, all locked, id of the vendor's configuration, "version", "vendor", "name", number of records, record, record, …
//! record   state, flag, uuid here, uuid of the vendor's
//! ```
//!
//! The first record is the configuration itself; some files give it one uuid only. A file without vendors is what is left when
//! support was taken off as a whole; no file means a configuration of one's own. Source: public descriptions of marked dumps,
//! held against the files of the corpus.

use crate::brackets::{self, Node};
use crate::designer::Context;
use crate::model::Text;
use crate::model::problem::ProblemKind;
use crate::model::support::{Support, SupportState, Vendor, uuid_number};

/// Its name in a dump.
pub const FILE: &str = "ParentConfigurations.bin";

/// Reads a file. What stands before damage counts.
pub fn read(context: &mut Context<'_>, source: &str) -> Support {
    let read = brackets::parse(source);
    let mut support = Support { file: Some(context.file), ..Support::default() };
    let tokens = read.nodes.first().map_or(&[][..], Node::list);
    let failure = Reader { rest: tokens, support: &mut support }.file(|text| context.text(text)).err();
    support.finish();
    if let Some((line, what)) = read.failure.or(failure.map(|what| (1, what))) {
        context.problem(line, ProblemKind::Malformed(what.into()));
    }
    support
}

struct Reader<'n, 'r> {
    rest: &'n [Node<'n>],
    support: &'r mut Support,
}

impl<'n> Reader<'n, '_> {
    fn file(&mut self, text: impl Fn(&str) -> Text) -> Result<(), &'static str> {
        self.number().ok_or("no version of the format")?;
        let all_locked = self.number().ok_or("no mark whether changes are allowed")? == 1;
        let vendors = self.number().ok_or("no number of vendors")?;
        match (all_locked, vendors) {
            (_, 0) => self.support.whole = Some(SupportState::Removed),
            (true, _) => self.support.whole = Some(SupportState::Locked),
            (false, _) => {}
        }
        for _ in 0..vendors {
            self.vendor(&text)?;
        }
        Ok(())
    }

    fn vendor(&mut self, text: &impl Fn(&str) -> Text) -> Result<(), &'static str> {
        // Numbers of no known meaning part the vendors.
        while self.uuid().is_none() {
            self.next().ok_or("a vendor is missing")?;
        }
        self.next();
        let (_mark, _configuration) = (self.next(), self.next());
        let mut string = || self.next().and_then(Node::text).map(text).ok_or("name or version of a vendor is missing");
        let (version, vendor, name) = (string()?, string()?, string()?);
        self.support.vendors.push(Vendor { name, vendor, version });
        let records = self.number().ok_or("no number of records")?;
        for _ in 0..records {
            let state = match self.number().ok_or("a record is missing")? {
                0 => SupportState::Locked,
                1 => SupportState::Editable,
                2 => SupportState::Removed,
                _ => return Err("a record has an unknown state"),
            };
            self.next();
            let here = self.uuid().ok_or("a record has no uuid")?;
            self.next();
            if self.uuid().is_some() {
                self.next();
            }
            self.support.records.push((here, state));
        }
        Ok(())
    }

    fn next(&mut self) -> Option<&'n Node<'n>> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u32> {
        self.next()?.atom().parse().ok()
    }

    /// The uuid that comes next, if one does.
    fn uuid(&self) -> Option<u128> {
        uuid_number(self.rest.first()?.atom())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designer::testing::with_context;
    use proptest::prelude::*;

    const A: &str = "5c55913b-6573-4f45-b848-a90373dafdac";
    const B: &str = "db4a9ccb-9ef5-4b3c-8577-b6fe5db1b62e";
    const C: &str = "9233322b-dfdb-4c66-91fe-1299292d40a5";
    const D: &str = "fa04bf1e-69c0-4998-a939-039fcaba83c8";

    fn read_text(source: &str) -> (Support, Option<ProblemKind>) {
        let (support, problems) = with_context(|context| read(context, source));
        (support, problems.into_iter().next().map(|problem| problem.kind))
    }

    fn vendor(locked: u8, records: &[(u8, &str)]) -> String {
        let records: String = records.iter().map(|(state, uuid)| format!(",{state},0,{uuid},{uuid}")).collect();
        let count = records.matches(",0,").count();
        format!("{C},{locked},{D},\"3.1\",\"Фирма \"\"А\"\"\",\"База\",{count}{records}")
    }

    fn states(support: &Support) -> [SupportState; 4] {
        [A, B, C, D].map(|uuid| support.of(uuid))
    }

    use SupportState::{Editable, Locked, Own, Removed};

    #[test]
    fn each_object_has_its_state() {
        let text = format!("\u{feff}{{6,0,1,{},0,0,0,1}}", vendor(0, &[(1, A), (0, B), (2, C)]));
        let (support, failure) = read_text(&text);
        assert_eq!(failure, None);
        assert_eq!(states(&support), [Editable, Locked, Removed, Own]);
        assert_eq!(support.of(&A.to_uppercase()), Editable);
        let vendor = support.vendors.first().expect("a vendor");
        assert_eq!((&*vendor.name, &*vendor.vendor, &*vendor.version), ("База", "Фирма \"А\"", "3.1"));
    }

    #[test]
    fn of_two_vendors_the_stricter_state_counts() {
        let text =
            format!("{{6,0,2,{},0,0,{},0,0}}", vendor(0, &[(2, A), (1, B)]), vendor(0, &[(1, A), (0, B), (2, D)]));
        let (support, failure) = read_text(&text);
        assert_eq!((failure, support.vendors.len()), (None, 2));
        assert_eq!(states(&support), [Editable, Locked, Own, Removed]);
    }

    #[test]
    fn changes_that_are_off_lock_everything() {
        let (support, failure) = read_text(&format!("{{6,1,1,{},0}}", vendor(1, &[(1, A)])));
        assert_eq!((failure, states(&support)), (None, [Locked; 4]));
    }

    #[test]
    fn support_taken_off_as_a_whole_and_never_there() {
        assert_eq!(states(&read_text("{6,0,0,0,0,1,1}").0), [Removed; 4]);
        assert_eq!(states(&Support::default()), [Own; 4]);
    }

    #[test]
    fn the_first_record_may_have_one_uuid() {
        let text = format!("{{6,0,1,{C},0,{D},\"1\",\"В\",\"И\",2,0,0,{A},2,0,{B},{B},0,0}}");
        let (support, failure) = read_text(&text);
        assert_eq!((failure, states(&support)), (None, [Locked, Removed, Own, Own]));
    }

    #[test]
    fn what_stands_before_the_damage_stays() {
        let whole = format!("{{6,0,1,{},0,0}}", vendor(0, &[(1, A), (0, B)]));
        let at = whole.find(B).expect("a record");
        let (support, failure) = read_text(&whole[..at + 5]);
        assert!(failure.is_some());
        assert_eq!(states(&support), [Editable, Own, Own, Own]);
        for text in ["", "{6,0", "{}", "текст", "{6,0,4000000000}"] {
            assert!(read_text(text).1.is_some(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "\\{6,[01],[0-3](,[0-9]|,\"[а-я]\"|,5c55913b-6573-4f45-b848-a90373dafdac|[{}\"]){0,40}") {
            let (support, _) = read_text(&text);
            let _ = support.of(A);
        }
    }
}

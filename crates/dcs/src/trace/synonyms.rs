//! Columns without a title of their own show the synonym of the attribute that they take.

use bsl::Catalog;

use super::names::{plain, untitled};
use super::queries::Queries;
use super::{Answer, NamedBy, Step, StepKind, Walk};
use crate::view::Schema;

/// A column with the synonym that it shows, and its steps.
pub(super) struct Shown {
    pub(super) synonym: String,
    path: String,
    steps: Vec<Step>,
}

impl Shown {
    /// Whether it is the column that was asked for.
    pub(super) fn is(&self, asked: &str) -> bool {
        plain(&self.synonym) == plain(asked)
    }

    /// The answer, in a nested schema of this name.
    pub(super) fn answer(self, nested: &str) -> Answer {
        Answer { nested: nested.to_owned(), path: self.path, named_by: vec![NamedBy::Synonym], steps: self.steps }
    }
}

/// All columns of a schema that show a synonym of the configuration.
pub(super) fn shown<'d>(schema: Schema<'d>, queries: &Queries<'d>, catalog: &dyn Catalog) -> Vec<Shown> {
    let of = |path: String| {
        let mut walk = Walk::new(schema, queries, Some(catalog));
        walk.answer(&path, None);
        let synonym = synonym(&walk.steps, catalog)?;
        Some(Shown { synonym, path, steps: walk.steps })
    };
    untitled(schema, queries).into_iter().filter_map(of).collect()
}

/// The synonym of the one attribute that steps lead to; None if there are several, or if something is worked out on the way.
fn synonym(steps: &[Step], catalog: &dyn Catalog) -> Option<String> {
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let goes_on = |step: &Step| match step.kind {
        StepKind::Field | StepKind::Total | StepKind::Table => true,
        StepKind::Column => is_plain(&step.text),
        _ => false,
    };
    let mut tables = steps.iter().filter(|step| step.kind == StepKind::Table);
    let table = tables.next().filter(|_| steps.iter().all(goes_on))?;
    if tables.any(|other| (&other.object, &other.text) != (&table.object, &table.text)) {
        return None;
    }
    let (before, last) =
        table.text.rsplit_once('.').map_or((None, &*table.text), |(before, last)| (Some(before), last));
    let mut owners: Vec<Box<str>> = vec![table.object.as_str().into()];
    for part in before.into_iter().flat_map(|before| before.split('.')) {
        let targets = owners.iter().filter_map(|owner| catalog.targets(owner, part));
        owners = targets.flat_map(|targets| targets.to_vec()).collect();
    }
    owners.iter().find_map(|owner| catalog.synonym(owner, last)).map(String::from)
}

//! What a restriction of access really says: templates put in its place, directives decided as far as the text alone decides them.
//!
//! A condition in a role calls templates of that role (`#ПоЗначениям("Документ.Счет", …)`). The platform puts the template's
//! text there, with its parameters (`#Параметр(1)`, `#ИмяПараметра`) replaced wherever they stand, in literals too; a parameter
//! that the call leaves out is empty. `#ТекущаяТаблица` is the name of the restricted table, `#ИмяТекущейТаблицы` the same as a
//! literal, `#ИмяТекущегоПраваДоступа` the right as a literal, in the language of the configuration. Then it keeps one branch of
//! each `#Если`. What a branch depends on is known when a session runs, except where it compares texts that stand here: those
//! are decided by [`expand`], all others stay as conditions. (Source: the platform's developer guide, "Restriction templates",
//! "Preprocessor instructions"; templates of the Standard Subsystems Library.)

mod condition;
mod output;
mod text;

use crate::query::Directive;
use crate::words::{WordTable, rows};
use crate::{fold, same_name};
use output::Output;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use text::{Branch, Node};

/// How deep templates may call templates.
const DEPTH: usize = 8;
/// Most texts that one restriction is taken apart into.
const ALTERNATIVES: usize = 64;
/// Longest result, in bytes: templates that call each other give no more.
const LONGEST: usize = 4 << 20;

/// Words that stand for something in the text of a restriction, in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Parameter,
    CurrentTable,
    CurrentTableName,
    CurrentAccessRightName,
}

static SPECIAL: LazyLock<WordTable<Special>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../data/restriction_words.tsv"));
    WordTable::new(rows.filter(|row| row.first() == Some(&"macro")).flat_map(|row| {
        let known = match row.get(1).copied().unwrap_or("") {
            "Parameter" => Some(Special::Parameter),
            "CurrentTable" => Some(Special::CurrentTable),
            "CurrentTableName" => Some(Special::CurrentTableName),
            "CurrentAccessRightName" => Some(Special::CurrentAccessRightName),
            _ => None,
        };
        let spellings = row.get(2..4).unwrap_or(&[]).to_vec();
        known.into_iter().flat_map(move |special| spellings.clone().into_iter().map(move |word| (word, special)))
    }))
});

/// The name of a right in the language of a configuration, if records can be restricted for it.
fn right_name(right: &str, english: bool) -> Option<&'static str> {
    let rows = rows(include_str!("../../data/restriction_words.tsv"));
    let row = rows.into_iter().find(|row| row.first() == Some(&"right") && row.get(1) == Some(&right))?;
    row.get(if english { 3 } else { 2 }).copied()
}

/// The rights for which records can be restricted: `Read`, `Insert`, `Update`, `Delete`.
pub fn restricted_rights() -> impl Iterator<Item = &'static str> {
    let rows = rows(include_str!("../../data/restriction_words.tsv"));
    rows.filter(|row| row.first() == Some(&"right")).filter_map(|row| row.get(1).copied())
}

/// A template of a role, read once for all restrictions that call it.
#[derive(Debug)]
pub struct Template<'t> {
    name: &'t str,
    parameters: Vec<&'t str>,
    body: Vec<Node<'t>>,
}

/// The templates of a role.
#[derive(Debug, Default)]
pub struct Templates<'t> {
    all: Vec<Template<'t>>,
}

impl<'t> Templates<'t> {
    /// Reads templates: of each the name with its parameters as written (`ДляОбъекта(Поле)`), and the text.
    pub fn read(all: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let signatures: Vec<(&str, Vec<&str>, &str)> = all
            .into_iter()
            .map(|(signature, text)| {
                let (name, parameters) = signature.split_once('(').unwrap_or((signature, ""));
                let parameters = parameters.trim_end().trim_end_matches(')').split(',').map(str::trim);
                (name.trim(), parameters.filter(|name| !name.is_empty()).collect(), text)
            })
            .collect();
        let is_template = |name: &str| signatures.iter().any(|(known, ..)| same_name(known, name));
        let read = |(name, parameters, text): &(&'t str, Vec<&'t str>, &'t str)| Template {
            name,
            parameters: parameters.clone(),
            body: text::read(text, &is_template),
        };
        Self { all: signatures.iter().map(read).collect() }
    }

    fn find(&self, name: &str) -> Option<(u32, &Template<'t>)> {
        (0..).zip(&self.all).find(|(_, template)| same_name(template.name, name))
    }
}

/// What a restriction limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The table's name as queries of the configuration write it: `Справочник.Валюты`.
    pub table: &'a str,
    /// The right (`Read`, `Insert`, `Update`, `Delete`); None: any of them, what depends on it stays open.
    pub right: Option<&'a str>,
    /// Names in the configuration are English ones.
    pub english: bool,
}

/// Which records a restriction lets through, as far as its text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All: it limits nothing.
    All,
    /// None.
    None,
    /// Those that a condition holds for.
    Some,
}

/// Where a piece of the result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The template, by its place among the role's; None: the condition itself.
    pub template: Option<u32>,
    /// Line in that text, from 1.
    pub line: u32,
}

/// What a restriction really says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    /// The text, without comments. Directives are left where only a session decides.
    pub text: String,
    /// What it lets through.
    pub verdict: Verdict,
    /// Names of templates that it calls and the role doesn't have: their calls are left in the text.
    pub unknown: Vec<String>,
    /// The whole of it is there: false where templates that call each other were cut off.
    pub complete: bool,
    marks: Vec<(usize, Place)>,
}

impl Effective {
    /// Where the text at a byte comes from.
    pub fn place(&self, at: usize) -> Place {
        let after = self.marks.partition_point(|(from, _)| *from <= at);
        let (from, place) = after.checked_sub(1).and_then(|last| self.marks.get(last)).copied().unwrap_or((0, START));
        let between = self.text.as_bytes().get(from..at.min(self.text.len())).unwrap_or(&[]);
        let below = memchr::memchr_iter(b'\n', between).count();
        Place { line: place.line + u32::try_from(below).unwrap_or(0), ..place }
    }

    /// Where a part of the text is written: the argument that it holds, if a template was given one there; else its first byte.
    pub fn written(&self, part: std::ops::Range<usize>) -> Place {
        let first = self.place(part.start);
        if first.template.is_none() {
            return first;
        }
        let from = self.marks.partition_point(|(from, _)| *from < part.start);
        let within = self.marks.get(from..).unwrap_or(&[]).iter().take_while(|(from, _)| *from < part.end);
        within.map(|(_, place)| *place).find(|place| place.template.is_none()).unwrap_or(first)
    }
}

/// A directive as it is written.
fn written(directive: Directive, english: bool) -> &'static str {
    match (directive, english) {
        (Directive::If, false) => "#Если",
        (Directive::Then, false) => "#Тогда",
        (Directive::ElsIf, false) => "#ИначеЕсли",
        (Directive::Else, false) => "#Иначе",
        (Directive::EndIf, false) => "#КонецЕсли",
        (Directive::If, true) => "#If",
        (Directive::Then, true) => "#Then",
        (Directive::ElsIf, true) => "#ElsIf",
        (Directive::Else, true) => "#Else",
        (Directive::EndIf, true) => "#EndIf",
    }
}

/// The beginning of a condition.
const START: Place = Place { template: None, line: 1 };

/// Puts the templates of a role into the text of a restriction, and decides what can be decided.
///
/// ```
/// use metascope_bsl::restriction::{Limits, Templates, expand};
/// let templates = Templates::read([("Для(Поле)", "#Если \"#Поле\" = \"\" #Тогда ГДЕ ИСТИНА #Иначе Т ГДЕ Т.#Поле = &Автор #КонецЕсли")]);
/// let limits = Limits { table: "Справочник.Люди", right: Some("Read"), english: false };
/// assert_eq!(expand("#Для(\"Код\")", &templates, limits).text, "Т ГДЕ Т.Код = &Автор");
/// ```
pub fn expand(condition: &str, templates: &Templates<'_>, limits: Limits<'_>) -> Effective {
    let nodes = text::read(condition, &|name| templates.find(name).is_some());
    Expander::new(templates, limits, None).run(&nodes).0
}

/// The texts that sessions may get: of each `#Если` one branch, so that none has directives. Every branch is in one of them, as
/// far as [`ALTERNATIVES`] goes; conditions that are the same have the same outcome within one.
pub fn alternatives(condition: &str, templates: &Templates<'_>, limits: Limits<'_>) -> Vec<Effective> {
    let nodes = text::read(condition, &|name| templates.find(name).is_some());
    let mut taken = FxHashSet::default();
    let mut found = Vec::new();
    loop {
        let (text, all) = Expander::new(templates, limits, Some(&mut taken)).run(&nodes);
        found.push(text);
        if all || found.len() == ALTERNATIVES {
            return found;
        }
    }
}

/// A piece of text with the place that it comes from.
type Piece = (String, Place);

/// A branch of `#Если`: where its text is put in, and its place there.
type BranchKey = (usize, usize, usize);

/// The text that is put in: which one, and what its parameters are.
struct Frame<'a> {
    /// A number of the call, by the calls that lead to it.
    call: usize,
    template: Option<u32>,
    parameters: &'a [&'a str],
    arguments: &'a [Vec<Piece>],
}

impl Frame<'_> {
    fn place(&self, line: u32) -> Place {
        Place { template: self.template, line }
    }

    fn argument(&self, number: usize) -> &[Piece] {
        number.checked_sub(1).and_then(|place| self.arguments.get(place)).map_or(&[], Vec::as_slice)
    }
}

struct Expander<'a, 't> {
    templates: &'a Templates<'t>,
    limits: Limits<'a>,
    right: Option<&'static str>,
    out: Output,
    unknown: Vec<String>,
    complete: bool,
    assumptions: condition::Assumptions,
    /// One branch of each `#Если` is taken; these were, with all that is in them.
    taken: Option<&'a mut FxHashSet<BranchKey>>,
}

impl<'a, 't> Expander<'a, 't> {
    fn new(templates: &'a Templates<'t>, limits: Limits<'a>, taken: Option<&'a mut FxHashSet<BranchKey>>) -> Self {
        Self {
            templates,
            limits,
            right: limits.right.and_then(|right| right_name(right, limits.english)),
            out: Output::default(),
            unknown: Vec::new(),
            complete: true,
            assumptions: condition::Assumptions::default(),
            taken,
        }
    }

    /// The text, and whether all branches are taken by now.
    fn run(mut self, nodes: &[Node<'_>]) -> (Effective, bool) {
        let all = self.emit(nodes, &Frame { call: 0, template: None, parameters: &[], arguments: &[] }, 0);
        let Self { out, unknown, complete, .. } = self;
        let (text, marks) = out.finish();
        let verdict = condition::verdict(&text);
        (Effective { text, verdict, unknown, complete, marks }, all)
    }

    /// Puts pieces out; whether all branches in them are taken by now.
    fn emit(&mut self, nodes: &[Node<'_>], frame: &Frame<'_>, depth: usize) -> bool {
        let mut all = true;
        for node in nodes {
            if self.out.len() > LONGEST {
                self.complete = false;
                return true;
            }
            match node {
                Node::Text(text, line) => self.out.push(text, frame.place(*line)),
                Node::Parameter(..) | Node::Name(..) => {
                    for (text, place) in self.small(node, frame) {
                        self.out.push(&text, place);
                    }
                }
                Node::Call(name, arguments, line) => all &= self.call(name, arguments, *line, frame, depth),
                Node::Choice(branches, _) if self.taken.is_some() => all &= self.pick(branches, frame, depth),
                Node::Choice(branches, line) => self.choice(branches, *line, frame, depth),
            }
        }
        all
    }

    /// What a parameter or a name stands for.
    fn small(&mut self, node: &Node<'_>, frame: &Frame<'_>) -> Vec<Piece> {
        let (name, line, called) = match node {
            Node::Parameter(number) => return frame.argument(*number as usize).to_vec(),
            Node::Name(name, called, line) => (*name, *line, *called),
            _ => return Vec::new(),
        };
        if let Some(number) = frame.parameters.iter().position(|parameter| same_name(parameter, name)) {
            return frame.argument(number + 1).to_vec();
        }
        let stands_for = match SPECIAL.get(name) {
            Some(Special::CurrentTable) => Some(self.limits.table.to_owned()),
            Some(Special::CurrentTableName) => Some(format!("\"{}\"", self.limits.table)),
            Some(Special::CurrentAccessRightName) => self.right.map(|right| format!("\"{right}\"")),
            Some(Special::Parameter) => None,
            None => {
                if called && !self.unknown.iter().any(|known| fold(known) == fold(name)) {
                    self.unknown.push(name.to_owned());
                }
                None
            }
        };
        vec![(stands_for.unwrap_or_else(|| format!("#{name}")), frame.place(line))]
    }

    /// A text without directives, with everything in it replaced.
    fn plain(&mut self, nodes: &[Node<'_>], frame: &Frame<'_>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for node in nodes {
            match node {
                Node::Text(text, line) => pieces.push(((*text).to_owned(), frame.place(*line))),
                Node::Parameter(..) | Node::Name(..) => pieces.extend(self.small(node, frame)),
                Node::Call(name, _, line) => pieces.push((format!("#{name}"), frame.place(*line))),
                Node::Choice(..) => {}
            }
        }
        pieces
    }

    fn call(&mut self, name: &str, arguments: &[Vec<Node<'_>>], line: u32, frame: &Frame<'_>, depth: usize) -> bool {
        let templates = self.templates;
        let Some((number, template)) = templates.find(name).filter(|_| depth < DEPTH) else {
            self.complete = false;
            self.out.push(&format!("#{name}"), frame.place(line));
            return true;
        };
        let unquoted = |pieces: Vec<Piece>| -> Vec<Piece> {
            pieces.into_iter().map(|(text, place)| (text.replace("\"\"", "\""), place)).collect()
        };
        let arguments: Vec<Vec<Piece>> = arguments.iter().map(|nodes| unquoted(self.plain(nodes, frame))).collect();
        // Calls stand at places of their own, each within the one that leads to it.
        let call = frame.call.wrapping_mul(31).wrapping_add(name.as_ptr() as usize);
        let inner = Frame { call, template: Some(number), parameters: &template.parameters, arguments: &arguments };
        self.emit(&template.body, &inner, depth + 1)
    }

    /// One branch of `#Если`: the first that was not taken with all that is in it. What it takes for granted holds to the end.
    fn pick(&mut self, branches: &[Branch<'_>], frame: &Frame<'_>, depth: usize) -> bool {
        let key = |number: usize| (frame.call, branches.as_ptr() as usize, number);
        // Branches that may be taken, each with its condition.
        let mut options = Vec::new();
        let mut certain = false;
        for (number, branch) in branches.iter().enumerate() {
            let formula = match &branch.condition {
                Some(nodes) => {
                    let text: String = self.plain(nodes, frame).into_iter().map(|(text, _)| text).collect();
                    match condition::evaluate(&text, &self.assumptions) {
                        condition::Outcome::Known(false) => continue,
                        condition::Outcome::Known(true) => None,
                        condition::Outcome::Open(_, formula) => Some(formula),
                    }
                }
                None => None,
            };
            certain = formula.is_none();
            options.push((number, formula));
            if certain {
                break;
            }
        }
        // Without `#Иначе` nothing may be taken, too.
        if !certain {
            options.push((branches.len(), None));
        }
        let is_taken =
            |expander: &Self, number: usize| expander.taken.as_ref().is_some_and(|taken| taken.contains(&key(number)));
        let chosen = options.iter().position(|(number, _)| !is_taken(self, *number)).unwrap_or(0);
        for (_, formula) in options.iter().take(chosen) {
            formula.iter().for_each(|formula| self.assumptions.add(formula, false));
        }
        let Some((number, formula)) = options.get(chosen) else { return true };
        formula.iter().for_each(|formula| self.assumptions.add(formula, true));
        let all = branches.get(*number).is_none_or(|branch| self.emit(&branch.body, frame, depth));
        if all && let Some(taken) = &mut self.taken {
            taken.insert(key(*number));
        }
        options.iter().all(|(number, _)| is_taken(self, *number))
    }

    /// `#Если`: branches that hold for certain take the place of the whole, those that never hold are left out.
    fn choice(&mut self, branches: &[Branch<'_>], line: u32, frame: &Frame<'_>, depth: usize) {
        let mut open = false;
        let english = branches.first().is_some_and(|branch| branch.word.is_ascii());
        let word = |directive| written(directive, english);
        let around = self.assumptions.len();
        for branch in branches {
            let outcome = branch.condition.as_ref().map(|nodes| {
                let text: String = self.plain(nodes, frame).into_iter().map(|(text, _)| text).collect();
                condition::evaluate(&text, &self.assumptions)
            });
            let place = frame.place(branch.line);
            match outcome {
                Some(condition::Outcome::Known(false)) => {}
                Some(condition::Outcome::Open(text, formula)) => {
                    let directive = word(if open { Directive::ElsIf } else { Directive::If });
                    self.out.push(&format!("{directive} {text} {}", word(Directive::Then)), place);
                    let before = self.assumptions.len();
                    self.assumptions.add(&formula, true);
                    self.emit(&branch.body, frame, depth);
                    self.assumptions.forget(before);
                    self.assumptions.add(&formula, false);
                    open = true;
                }
                Some(condition::Outcome::Known(true)) | None => {
                    if open {
                        self.out.push(word(Directive::Else), place);
                    }
                    self.emit(&branch.body, frame, depth);
                    break;
                }
            }
        }
        self.assumptions.forget(around);
        if open {
            self.out.push(word(Directive::EndIf), frame.place(branches.last().map_or(line, |branch| branch.end)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits<'_> = Limits { table: "Справочник.Люди", right: Some("Read"), english: false };

    fn effective(condition: &str, templates: &[(&str, &str)]) -> Effective {
        expand(condition, &Templates::read(templates.iter().copied()), LIMITS)
    }

    #[test]
    fn parameters_are_replaced_by_number_and_by_name_also_in_literals() {
        let templates =
            [("По(Поле, Ещё)", "Т ГДЕ Т.#Поле = #Параметр(2) И \"а:#поле;\" <> \"#Поле1\" // #Поле\nИ Т.Код")];
        let read = effective("#По(\"Автор\", \"&Кто\")", &templates);
        assert_eq!(read.text, "Т ГДЕ Т.Автор = &Кто И \"а:Автор;\" <> \"#Поле1\"\nИ Т.Код");
        assert_eq!(
            effective("#По(\"А\")", &templates).text.lines().next(),
            Some("Т ГДЕ Т.А =  И \"а:А;\" <> \"#Поле1\"")
        );
        // A number may be out of reach, quotation marks are doubled in arguments.
        assert_eq!(
            effective("#П(\"А = \"\"б\"\"\")", &[("П", "ГДЕ #Параметр(1)#Параметр(0)#Parameter(9)")]).text,
            "ГДЕ А = \"б\""
        );
    }

    #[test]
    fn the_table_and_the_right_have_names_in_the_language_of_the_configuration() {
        let condition = "ГДЕ #ИмяТекущейТаблицы = #ИмяТекущегоПраваДоступа И ИСТИНА В (ВЫБРАТЬ 1 ИЗ #ТекущаяТаблица)";
        let russian = "ГДЕ \"Справочник.Люди\" = \"Чтение\" И ИСТИНА В (ВЫБРАТЬ 1 ИЗ Справочник.Люди)";
        assert_eq!(effective(condition, &[]).text, russian);
        let limits = Limits { table: "Catalog.People", right: Some("Update"), english: true };
        let read = expand("WHERE #CurrentTableName <> #CurrentAccessRightName", &Templates::default(), limits);
        assert_eq!(read.text, "WHERE \"Catalog.People\" <> \"Update\"");
    }

    #[test]
    fn directives_are_decided_where_the_text_decides_them() {
        let templates = [(
            "П(А)",
            "#Если &Всё = \"да\" #Тогда ГДЕ ИСТИНА\n#ИначеЕсли \"#А\" = \"\" #Тогда ГДЕ ЛОЖЬ\n\
             #ИначеЕсли СтрСодержит(\"#А\", \"Дата\") Или &Б #Тогда ГДЕ #А\n#Иначе ГДЕ НЕ #А\n#КонецЕсли",
        )];
        assert_eq!(
            effective("#П(\"\")", &templates).text,
            "#Если &Всё = \"да\" #Тогда ГДЕ ИСТИНА\n#Иначе ГДЕ ЛОЖЬ\n#КонецЕсли"
        );
        let open = effective("#П(\"Код\")", &templates);
        assert_eq!(
            open.text,
            "#Если &Всё = \"да\" #Тогда ГДЕ ИСТИНА\n#ИначеЕсли &Б #Тогда ГДЕ Код\n#Иначе ГДЕ НЕ Код\n#КонецЕсли"
        );
        assert_eq!(open.verdict, Verdict::Some);
        let dated = effective("#П(\"ДатаВвода\")", &templates);
        assert_eq!(dated.text, "#Если &Всё = \"да\" #Тогда ГДЕ ИСТИНА\n#Иначе ГДЕ ДатаВвода\n#КонецЕсли");
        let none = "#Если #ИмяТекущегоПраваДоступа <> \"ЧТЕНИЕ\" #Тогда ГДЕ ЛОЖЬ #КонецЕсли";
        assert_eq!((&*effective(none, &[]).text, effective(none, &[]).verdict), ("", Verdict::All));
        let any = expand(none, &Templates::default(), Limits { right: None, ..LIMITS });
        assert_eq!(any.text, none);
    }

    #[test]
    fn a_branch_knows_what_those_around_it_say() {
        let text = "#Если &А #Тогда\n#Если НЕ &А #Тогда\nЛОЖЬ #Иначе\nИСТИНА #КонецЕсли\n#ИначеЕсли &Б ИЛИ &А #Тогда\n1\n#КонецЕсли\n\
            #Если &А #Тогда\n2\n#КонецЕсли";
        let read = "#Если &А #Тогда\nИСТИНА\n#ИначеЕсли &Б #Тогда\n1\n#КонецЕсли\n#Если &А #Тогда\n2\n#КонецЕсли";
        assert_eq!(effective(text, &[]).text, read);
    }

    #[test]
    fn alternatives_hold_every_branch_and_no_directive() {
        let templates = [("П(А)", "#Если &Б #Тогда\nГДЕ Т.#А = 1\n#ИначеЕсли &В #Тогда\nГДЕ 2\n#КонецЕсли")];
        let condition = "#Если &Г #Тогда\n#П(\"Код\")\n#Иначе\nГДЕ 3\n#Если &Д #Тогда\nИ 4\n#КонецЕсли\n#Если НЕ &Д #Тогда\nИ 5\n#КонецЕсли\n#КонецЕсли";
        let found = alternatives(condition, &Templates::read(templates), LIMITS);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["ГДЕ Т.Код = 1", "ГДЕ 2", "", "ГДЕ 3\nИ 4", "ГДЕ 3\nИ 5"]);
        assert_eq!(found[0].written(0..found[0].text.len()), Place { template: None, line: 2 });
        let many = "#Если &А #Тогда 1 #ИначеЕсли &Б #Тогда 2 #КонецЕсли".replace('&', "&П")
            + &"#Если &В #Тогда #КонецЕсли".repeat(3);
        assert_eq!(alternatives(&many, &Templates::default(), LIMITS).len(), 3);
        let endless: String = (0..500).map(|n| format!("#ИначеЕсли &П{n} #Тогда {n} ")).collect();
        let endless = format!("#Если &П #Тогда {endless} #КонецЕсли");
        assert_eq!(alternatives(&endless, &Templates::default(), LIMITS).len(), ALTERNATIVES);
    }

    #[test]
    fn verdicts() {
        let verdict = |text: &str| effective(text, &[]).verdict;
        assert_eq!(
            (verdict("ГДЕ ИСТИНА"), verdict("Т ГДЕ Истина"), verdict("")),
            (Verdict::All, Verdict::All, Verdict::All)
        );
        assert_eq!(
            (verdict("WHERE FALSE"), verdict("ГДЕ А"), verdict("ГДЕ ИСТИНА И А")),
            (Verdict::None, Verdict::Some, Verdict::Some)
        );
    }

    #[test]
    fn every_byte_knows_where_it_comes_from() {
        let condition = "#Если &У #Тогда\n#П(\"Код\",\n\"Имя\")\n#КонецЕсли";
        let read = effective(condition, &[("Иной", ""), ("П(А, Б)", "// О шаблоне.\n\nГДЕ #А\nИ #Б = 1")]);
        assert_eq!(read.text, "#Если &У #Тогда\nГДЕ Код\nИ Имя = 1\n#КонецЕсли");
        let place = |word: &str| read.place(read.text.find(word).unwrap());
        assert_eq!(place("ГДЕ"), Place { template: Some(1), line: 3 });
        assert_eq!(place("Код"), Place { template: None, line: 2 });
        assert_eq!(place("Имя"), Place { template: None, line: 3 });
        assert_eq!(place("= 1"), Place { template: Some(1), line: 4 });
        assert_eq!(place("#КонецЕсли"), Place { template: None, line: 4 });
        let all = read.text.find("ГДЕ").unwrap()..read.text.find(" = 1").unwrap();
        assert_eq!(read.written(all), place("Код"));
        let last = read.text.find(" = 1").unwrap();
        assert_eq!(read.written(last..last + 4), place("= 1"));
    }

    #[test]
    fn templates_call_templates_and_what_is_missing_stays() {
        let templates = [("А(Х)", "#Б(\"#Х\")"), ("Б(У)", "ГДЕ #У = 1"), ("В", "#В()#В()")];
        assert_eq!(effective("#А(\"Код\")", &templates).text, "ГДЕ Код = 1");
        let absent = effective("#Нет(\"Код\")", &templates);
        assert_eq!((&*absent.text, absent.unknown), ("#Нет(\"Код\")", vec!["Нет".to_owned()]));
        assert!(absent.complete);
        assert!(!effective("#В()", &templates).complete);
    }

    #[test]
    fn damaged_texts_are_read_as_far_as_they_go() {
        for text in
            ["#Если", "#Если #Тогда", "#КонецЕсли #Иначе", "#А(\"", "#А(", "#", "##Если", "\"#Если", "#Параметр(", "//"]
        {
            effective(text, &[("А", text)]);
        }
        let deep = "#Если &А #Тогда ".repeat(100_000);
        effective(&deep, &[]);
        alternatives(&deep, &Templates::default(), LIMITS);
        let brackets = format!("#Если {} #Тогда", "(".repeat(100_000));
        effective(&brackets, &[]);
    }
}

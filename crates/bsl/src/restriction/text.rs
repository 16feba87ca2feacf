//! The text of a restriction or template -> pieces that stay, and pieces that something is put in for.
//!
//! Directives count wherever they stand, comments are left out. A literal matters only for telling whether `//` begins a
//! comment: parameters are replaced within literals too.

use super::{SPECIAL, Special};
use crate::query::{Directive, directive};

/// How deep `#Если` is followed; what lies deeper is text.
const DEPTH: usize = 64;

/// A piece of a text; the last number is its line, from 1.
#[derive(Debug)]
pub(super) enum Node<'t> {
    /// What stays.
    Text(&'t str, u32),
    /// `#Параметр(2)`.
    Parameter(u32),
    /// `#Имя`; whether `(` follows.
    Name(&'t str, bool, u32),
    /// A call of one of the role's templates.
    Call(&'t str, Vec<Vec<Node<'t>>>, u32),
    /// `#Если`.
    Choice(Vec<Branch<'t>>, u32),
}

/// A branch of `#Если`.
#[derive(Debug)]
pub(super) struct Branch<'t> {
    /// The directive's word as written.
    pub word: &'t str,
    /// None for `#Иначе`.
    pub condition: Option<Vec<Node<'t>>>,
    pub body: Vec<Node<'t>>,
    /// Line of the directive.
    pub line: u32,
    /// Line of the directive that ends it.
    pub end: u32,
}

/// A `#Если` that is not closed yet.
struct Open<'t> {
    /// What stands before it.
    before: Vec<Node<'t>>,
    branches: Vec<Branch<'t>>,
    word: &'t str,
    condition: Option<Vec<Node<'t>>>,
    in_condition: bool,
    line: u32,
    first: u32,
}

pub(super) fn read<'t>(text: &'t str, is_template: &dyn Fn(&str) -> bool) -> Vec<Node<'t>> {
    Reader { text, at: 0, line: 1, kept: 0, kept_line: 1, nodes: Vec::new(), open: Vec::new(), is_template }.read(true)
}

struct Reader<'t, 'f> {
    text: &'t str,
    at: usize,
    line: u32,
    /// From here on the text is not among the nodes yet.
    kept: usize,
    kept_line: u32,
    nodes: Vec<Node<'t>>,
    open: Vec<Open<'t>>,
    is_template: &'f dyn Fn(&str) -> bool,
}

impl<'t> Reader<'t, '_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or("")
    }

    fn read(mut self, directives: bool) -> Vec<Node<'t>> {
        let mut in_literal = false;
        while let Some(found) = memchr::memchr3(b'#', b'"', b'/', self.text.as_bytes().get(self.at..).unwrap_or(&[])) {
            self.go_to(self.at + found);
            match self.byte(self.at) {
                b'"' => {
                    in_literal = !in_literal;
                    self.at += 1;
                }
                b'/' if directives && !in_literal && self.byte(self.at + 1) == b'/' => {
                    self.keep();
                    let rest = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    self.skip_to(self.at);
                }
                b'#' if self.byte(self.at + 1) == b'#' => self.at += 2,
                b'#' => in_literal = self.sharp(directives, in_literal),
                _ => self.at += 1,
            }
        }
        self.go_to(self.text.len());
        self.keep();
        while !self.open.is_empty() {
            self.close(self.line);
        }
        self.nodes
    }

    /// Goes on, counting lines.
    fn go_to(&mut self, at: usize) {
        let between = self.text.as_bytes().get(self.at..at).unwrap_or(&[]);
        self.line += memchr::memchr_iter(b'\n', between).count() as u32;
        self.at = at;
    }

    /// Takes the text up to here.
    fn keep(&mut self) {
        if self.kept < self.at {
            self.nodes.push(Node::Text(self.slice(self.kept, self.at), self.kept_line));
        }
        self.skip_to(self.at);
    }

    fn skip_to(&mut self, at: usize) {
        self.kept = at;
        self.kept_line = self.line;
    }

    /// `#Имя`; whether what follows stands in a literal.
    fn sharp(&mut self, directives: bool, in_literal: bool) -> bool {
        let from = self.at + 1;
        let rest = self.slice(from, self.text.len());
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, end) = (self.slice(from, from + length), from + length);
        if name.is_empty() {
            self.at = from;
            return in_literal;
        }
        if directives && let Some(found) = directive(name) {
            let before = self.at;
            if self.directive(found, name, end) {
                return false;
            }
            self.at = before;
        }
        let after = end + rest.get(length..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        let called = self.byte(after) == b'(';
        let line = self.line;
        let node = if called && SPECIAL.get(name) == Some(Special::Parameter) {
            let Some(close) = self.slice(after, self.text.len()).find(')') else {
                self.at = from;
                return in_literal;
            };
            let number = self.slice(after + 1, after + close).trim().parse().unwrap_or(0);
            self.keep();
            self.go_to(after + close + 1);
            Node::Parameter(number)
        } else if called && !in_literal && (self.is_template)(name) {
            self.keep();
            self.go_to(after + 1);
            let arguments = self.arguments();
            Node::Call(name, arguments, line)
        } else {
            self.keep();
            self.at = end;
            Node::Name(name, called && !in_literal, line)
        };
        self.nodes.push(node);
        self.skip_to(self.at);
        in_literal
    }

    /// The arguments behind an opening bracket: literals without their quotation marks, anything else as it stands.
    fn arguments(&mut self) -> Vec<Vec<Node<'t>>> {
        let mut arguments = Vec::new();
        let (mut from, mut line, mut depth) = (self.at, self.line, 0_u32);
        while self.at < self.text.len() {
            match self.byte(self.at) {
                b'"' => {
                    self.at += 1;
                    loop {
                        let rest = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
                        let found = memchr::memchr(b'"', rest).unwrap_or(rest.len());
                        self.go_to(self.at + found);
                        if self.byte(self.at + 1) != b'"' || self.at >= self.text.len() {
                            break;
                        }
                        self.at += 2;
                    }
                    self.at = (self.at + 1).min(self.text.len());
                }
                b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b')' => {
                    self.argument(&mut arguments, from, line);
                    self.at += 1;
                    return arguments;
                }
                b',' if depth == 0 => {
                    self.argument(&mut arguments, from, line);
                    self.at += 1;
                    (from, line) = (self.at, self.line);
                }
                _ => self.go_to(self.at + 1),
            }
        }
        self.argument(&mut arguments, from, line);
        arguments
    }

    fn argument(&self, arguments: &mut Vec<Vec<Node<'t>>>, from: usize, line: u32) {
        let written = self.slice(from, self.at);
        let blanks = written.get(..written.len() - written.trim_start().len()).unwrap_or("");
        let line = line + memchr::memchr_iter(b'\n', blanks.as_bytes()).count() as u32;
        let written = written.trim();
        let inner = written.strip_prefix('"').map_or(written, |rest| rest.strip_suffix('"').unwrap_or(rest));
        let reader = Reader {
            text: inner,
            at: 0,
            line,
            kept: 0,
            kept_line: line,
            nodes: Vec::new(),
            open: Vec::new(),
            is_template: &|_| false,
        };
        arguments.push(reader.read(false));
    }

    /// A directive that ends at `end`; false if it has no place here.
    fn directive(&mut self, found: Directive, word: &'t str, end: usize) -> bool {
        let line = self.line;
        match found {
            Directive::If if self.open.len() < DEPTH => {
                self.keep();
                let before = std::mem::take(&mut self.nodes);
                let (branches, condition) = (Vec::new(), None);
                self.open.push(Open { before, branches, word, condition, in_condition: true, line, first: line });
            }
            Directive::Then if self.open.last().is_some_and(|open| open.in_condition) => {
                self.keep();
                let condition = std::mem::take(&mut self.nodes);
                if let Some(open) = self.open.last_mut() {
                    open.condition = Some(condition);
                    open.in_condition = false;
                }
            }
            Directive::ElsIf | Directive::Else if !self.open.is_empty() => {
                self.keep();
                self.end_branch(line);
                if let Some(open) = self.open.last_mut() {
                    (open.word, open.line, open.in_condition) = (word, line, found == Directive::ElsIf);
                }
            }
            Directive::EndIf if !self.open.is_empty() => {
                self.keep();
                self.close(line);
            }
            _ => return false,
        }
        self.at = end;
        self.skip_to(end);
        true
    }

    fn end_branch(&mut self, end: u32) {
        let body = std::mem::take(&mut self.nodes);
        let Some(open) = self.open.last_mut() else { return };
        let (condition, body) = match open.in_condition {
            // `#Тогда` is missing.
            true => (Some(body), Vec::new()),
            false => (open.condition.take(), body),
        };
        open.branches.push(Branch { word: open.word, condition, body, line: open.line, end });
    }

    fn close(&mut self, end: u32) {
        self.end_branch(end);
        let Some(open) = self.open.pop() else { return };
        self.nodes = open.before;
        self.nodes.push(Node::Choice(open.branches, open.first));
    }
}

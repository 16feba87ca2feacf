//! Cuts a module at method boundaries and puts its facts together.

use super::builder::Builder;
use super::normalize::Normalizer;
use super::source::{Report, Tokens, count_lines, decode, text_of};
use super::token::{Token, TokenKind};
use super::tree::Grammar;
use super::{Engine, ReadStats, comments, header, keywords, lower, preprocessor, statements};
use crate::code::{Code, ExprId};
use crate::facts::{Annotation, AnnotationKind, Context, Method, ModuleFacts, Region, Variable};
use crate::symbols::SymbolTableBuilder;

/// Parser and buffers of one thread.
#[derive(Default)]
pub(crate) struct Reader {
    tokens: Tokens,
    bodies: Bodies,
    symbols: SymbolTableBuilder,
}

/// What reading a body needs.
#[derive(Default)]
struct Bodies {
    grammar: Grammar,
    normalizer: Normalizer,
    normalized: Vec<u8>,
    pending: Vec<ExprId>,
    value: String,
    stats: ReadStats,
}

impl Reader {
    pub fn read(&mut self, source: &[u8], engine: Engine) -> (ModuleFacts, ReadStats) {
        let (text, bad_byte) = decode(source);
        let mut report = Report::new(&text);
        if let Some(offset) = bad_byte {
            report.add(offset as u32, "the file is not UTF-8 from here on");
        }
        self.tokens.fill(&mut report);
        self.bodies.stats = ReadStats::default();
        self.bodies.normalized.clear();
        if engine == Engine::Tree {
            self.bodies.normalizer.run(&text, &self.tokens, &mut self.bodies.normalized);
        }
        let mut facts = ModuleFacts { lines: count_lines(&text), ..ModuleFacts::default() };
        (facts.regions, facts.conditions) =
            preprocessor::read(&self.tokens.directives, facts.lines, &mut report, &mut self.symbols);
        let mut splitter = Splitter {
            text: &text,
            code: &self.tokens.code,
            comments: &self.tokens.comments,
            report: &mut report,
            symbols: &mut self.symbols,
            bodies: &mut self.bodies,
            engine,
            prefix: Prefix::default(),
            facts,
        };
        splitter.run();
        let mut facts = splitter.facts;
        set_regions(&mut facts.methods, &facts.regions);
        facts.symbols = self.symbols.take();
        facts.problems = report.finish();
        (facts, self.bodies.stats)
    }
}

/// What stands before a method or a variable: directives and annotations.
#[derive(Default)]
struct Prefix {
    /// Index of the first token.
    start: Option<usize>,
    context: Option<Context>,
    annotations: Vec<Annotation>,
    is_async: bool,
}

struct Splitter<'a, 'r> {
    text: &'a str,
    code: &'a [Token],
    comments: &'a [Token],
    report: &'a mut Report<'r>,
    symbols: &'a mut SymbolTableBuilder,
    bodies: &'a mut Bodies,
    engine: Engine,
    prefix: Prefix,
    facts: ModuleFacts,
}

impl Splitter<'_, '_> {
    fn kind(&self, index: usize) -> TokenKind {
        self.code.get(index).map_or(TokenKind::End, |token| token.kind)
    }

    fn run(&mut self) {
        let mut index = 0;
        while let Some(&token) = self.code.get(index) {
            index = match token.kind {
                TokenKind::Ampersand => self.ampersand(index),
                TokenKind::Async if header::starts_at(self.code, index + 1) => {
                    self.prefix.start.get_or_insert(index);
                    self.prefix.is_async = true;
                    index + 1
                }
                TokenKind::Procedure | TokenKind::Function if header::starts_at(self.code, index) => self.method(index),
                TokenKind::Var => self.variables(index),
                TokenKind::Semicolon => index + 1,
                TokenKind::EndProcedure | TokenKind::EndFunction => {
                    self.report.add(token.start, "the end of a method that did not begin");
                    index + 1
                }
                _ => self.body(index),
            };
        }
    }

    /// `&НаКлиенте` or `&Перед("М")`; gives the index behind it.
    fn ampersand(&mut self, index: usize) -> usize {
        self.prefix.start.get_or_insert(index);
        let Some(&word) = self.code.get(index + 1).filter(|word| word.kind.is_word()) else {
            self.report.add(self.code.get(index).map_or(0, |token| token.start), "a directive's name is missing");
            return index + 1;
        };
        let mut target = None;
        let mut next = index + 2;
        if self.kind(next) == TokenKind::LParen {
            while !matches!(self.kind(next), TokenKind::RParen | TokenKind::End | TokenKind::Semicolon) {
                if let Some(&token) = self.code.get(next).filter(|token| token.kind.is_string()) {
                    target = target.or(Some(token));
                }
                if self.kind(next).starts_statement() {
                    break;
                }
                next += 1;
            }
            next += usize::from(self.kind(next) == TokenKind::RParen);
        }
        let Some(name) = keywords::ampersand(text_of(self.text, word)) else {
            self.report.add(word.start, "an unknown directive");
            return next;
        };
        match (context(name), annotation(name), target) {
            (Some(context), ..) => {
                self.prefix.context.get_or_insert(context);
            }
            (None, Some(kind), Some(target)) => {
                self.bodies.value.clear();
                super::literal::unquote(text_of(self.text, target), &mut self.bodies.value);
                let target = self.symbols.intern(&self.bodies.value);
                self.prefix.annotations.push(Annotation { kind, target, line: word.line });
            }
            _ => self.report.add(word.start, "the annotation names no method"),
        }
        next
    }

    /// A method from its `Процедура` or `Функция` up to its end, or up to the next method if the end is missing.
    fn method(&mut self, index: usize) -> usize {
        let prefix = std::mem::take(&mut self.prefix);
        let header = header::read(self.code, index, self.report, self.symbols);
        let (end, next) = self.end_of_method(header.body);
        let keyword = self.code.get(index).copied();
        let first = prefix.start.and_then(|start| self.code.get(start)).copied().or(keyword);
        let closed = next > end;
        let last = self.code.get(if closed { end } else { end.saturating_sub(1) }).copied();
        let (Some(keyword), Some(first), Some(last)) = (keyword, first, last) else { return index + 1 };
        if !closed {
            self.report.add(keyword.start, "the method has no end");
        } else if (last.kind == TokenKind::EndFunction) != (keyword.kind == TokenKind::Function) {
            self.report.add(last.start, "a function ends as a procedure, or a procedure as a function");
        }
        let mut code = Code::default();
        self.read_code(header.body, end, &mut code);
        // A comment above a line that begins with other code is not this method's.
        let doc_above = |token: Token| {
            let begins_line = token.first_on_line;
            begins_line.then(|| comments::above(self.text, self.comments, token.line)).flatten()
        };
        let doc = doc_above(first).or_else(|| doc_above(keyword));
        self.facts.methods.push(Method {
            name: header.name,
            kind: header.kind,
            export: header.export,
            is_async: prefix.is_async,
            params: header.params,
            context: prefix.context,
            annotations: prefix.annotations,
            doc: doc.map(|doc| self.symbols.intern(&doc)),
            region: None,
            line: keyword.line,
            end_line: last.line,
            bytes: (first.start, last.end),
            code,
        });
        next
    }

    /// Where a method's statements end, and where the module goes on: behind the closing word, or at the next method.
    fn end_of_method(&self, body: usize) -> (usize, usize) {
        let mut index = body;
        // The next method's directives belong to it, should this one have no end.
        let mut directives = None;
        while let Some(token) = self.code.get(index) {
            match token.kind {
                TokenKind::EndProcedure | TokenKind::EndFunction => return (index, index + 1),
                TokenKind::Procedure | TokenKind::Function if header::starts_at(self.code, index) => {
                    let at = directives.unwrap_or(index);
                    return (at, at);
                }
                TokenKind::Ampersand if token.first_on_line => {
                    directives.get_or_insert(index);
                }
                TokenKind::Async => {
                    directives.get_or_insert(index);
                }
                TokenKind::Semicolon | TokenKind::Eq | TokenKind::Dot => directives = None,
                _ => {}
            }
            index += 1;
        }
        (index, index)
    }

    /// `Перем А, Б Экспорт;` outside methods.
    fn variables(&mut self, index: usize) -> usize {
        let prefix = std::mem::take(&mut self.prefix);
        let mut next = index + 1;
        loop {
            let Some(&name) = self.code.get(next).filter(|name| name.kind.is_name()) else {
                self.report.add(self.code.get(index).map_or(0, |token| token.start), "a variable's name is missing");
                return next;
            };
            next += 1;
            self.facts.variables.push(Variable {
                name: self.symbols.intern(text_of(self.text, name)),
                export: false,
                context: prefix.context,
                line: name.line,
            });
            if self.kind(next) == TokenKind::Export {
                // `Перем А, Б Экспорт` exports the variable before the word.
                if let Some(variable) = self.facts.variables.last_mut() {
                    variable.export = true;
                }
                next += 1;
            }
            match self.kind(next) {
                TokenKind::Comma => next += 1,
                TokenKind::Semicolon => return next + 1,
                _ => return next,
            }
        }
    }

    /// Statements outside methods, up to what is none.
    fn body(&mut self, index: usize) -> usize {
        if let Some(start) = std::mem::take(&mut self.prefix).start {
            self.report.add(self.code.get(start).map_or(0, |token| token.start), "a directive before no method");
        }
        let mut end = index + 1;
        while let Some(token) = self.code.get(end) {
            let stops = match token.kind {
                TokenKind::Ampersand => token.first_on_line,
                TokenKind::Procedure | TokenKind::Function => header::starts_at(self.code, end),
                TokenKind::Async => header::starts_at(self.code, end + 1),
                TokenKind::EndProcedure | TokenKind::EndFunction | TokenKind::Var => true,
                _ => false,
            };
            if stops {
                break;
            }
            end += 1;
        }
        if self.facts.body_line == 0 {
            self.facts.body_line = self.code.get(index).map_or(0, |token| token.line);
        }
        let mut code = std::mem::take(&mut self.facts.body);
        self.read_code(index, end, &mut code);
        self.facts.body = code;
        end
    }

    /// Reads the statements of tokens `start..end`, by the grammar if it understands them.
    fn read_code(&mut self, start: usize, end: usize, code: &mut Code) {
        let (Some(first), Some(last)) = (self.code.get(start), end.checked_sub(1).and_then(|last| self.code.get(last)))
        else {
            return;
        };
        if start >= end {
            return;
        }
        let bodies = &mut *self.bodies;
        let kept = (code.nodes.len(), code.args.len(), code.statements.len());
        let mut builder = Builder {
            text: self.text,
            tokens: self.code,
            symbols: self.symbols,
            code,
            pending: &mut bodies.pending,
            value: &mut bodies.value,
        };
        if self.engine == Engine::Tree {
            // A name may have been written one byte before a parenthesis that opens the body.
            let from = match start.checked_sub(1).and_then(|before| self.code.get(before)) {
                Some(before) => before.end,
                None => 0,
            };
            let bytes = bodies.normalized.get(from as usize..last.end as usize).unwrap_or(&[]);
            let tree = bodies.grammar.parse(bytes);
            if tree.is_some_and(|tree| lower::lower(&mut builder, &tree, from, start)) {
                bodies.stats.by_tree += 1;
                return;
            }
            bodies.stats.by_tokens += 1;
            if bodies.stats.first_rejected_line == 0 {
                bodies.stats.first_rejected_line = first.line;
            }
            builder.code.nodes.truncate(kept.0);
            builder.code.args.truncate(kept.1);
            builder.code.statements.truncate(kept.2);
        }
        statements::read(&mut builder, self.report, start, end);
    }
}

fn context(name: &str) -> Option<Context> {
    Some(match name {
        "AtClient" => Context::AtClient,
        "AtServer" => Context::AtServer,
        "AtServerNoContext" => Context::AtServerNoContext,
        "AtClientAtServer" => Context::AtClientAtServer,
        "AtClientAtServerNoContext" => Context::AtClientAtServerNoContext,
        _ => return None,
    })
}

fn annotation(name: &str) -> Option<AnnotationKind> {
    Some(match name {
        "Before" => AnnotationKind::Before,
        "After" => AnnotationKind::After,
        "Around" => AnnotationKind::Around,
        "ChangeAndValidate" => AnnotationKind::ChangeAndValidate,
        _ => return None,
    })
}

/// The innermost region of each method. Both lists are in source order.
fn set_regions(methods: &mut [Method], regions: &[Region]) {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for method in methods {
        while let Some(region) = regions.get(next).filter(|region| region.line <= method.line) {
            while open.last().and_then(|&index| regions.get(index)).is_some_and(|last| last.end_line < region.line) {
                open.pop();
            }
            open.push(next);
            next += 1;
        }
        while open.last().and_then(|&index| regions.get(index)).is_some_and(|last| last.end_line < method.line) {
            open.pop();
        }
        method.region = open.last().map(|&index| index as u32);
    }
}

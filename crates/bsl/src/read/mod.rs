//! Text of a module -> [`ModuleFacts`].
//!
//! The stages, each in its file: [`lexer`] cuts the text into tokens; [`preprocessor`] reads regions and conditions;
//! [`split`] finds methods and variables among the tokens ([`header`], [`comments`]); [`statements`] and [`expressions`]
//! read a body from the tokens into [`Code`](crate::Code). That parser never gives up, so no call is lost.
//!
//! Beside it stands the tree-sitter grammar: [`normalize`] makes a text of the same length that the grammar can read,
//! [`tree`] parses one body, [`lower`] turns the tree into the same `Code`. It is the second opinion: tests hold both
//! against each other over whole configurations, where they agree to the last node. It takes nine times as long, so it
//! does not read what an index is built from.

mod builder;
mod comments;
mod expressions;
mod header;
mod keywords;
mod lexer;
mod literal;
mod lower;
mod normalize;
mod preprocessor;
mod source;
mod split;
mod statements;
mod token;
mod tree;

pub(crate) use keywords::{Directive, directive_of_line};
pub(crate) use lexer::{Lexer, is_odd_space};
pub(crate) use token::{Token, TokenKind};

use std::cell::RefCell;

use crate::facts::ModuleFacts;

/// Which parser reads the bodies of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Tokens only: what [`read_module`] does.
    Tokens,
    /// The grammar first, tokens where it fails. For comparing the two.
    Tree,
}

/// What reading cost, for measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadStats {
    /// Bodies that the grammar read.
    pub by_tree: u32,
    /// Bodies that the grammar could not read and the token parser did.
    pub by_tokens: u32,
    /// Line of the first body that the grammar could not read, 0 if there is none.
    pub first_rejected_line: u32,
}

thread_local! {
    /// Parser and buffers live as long as their thread: a module costs no set-up.
    static READER: RefCell<split::Reader> = RefCell::new(split::Reader::default());
}

/// Reads a module. Never fails: what could not be read is listed in [`ModuleFacts::problems`].
///
/// `source` is the file as it is on disk, with or without a byte-order mark. All offsets in the result are bytes of it.
/// Bytes that are not UTF-8 are read as unknown characters and reported.
///
/// ```
/// let facts = metascope_bsl::read_module("Процедура А() Экспорт\nКонецПроцедуры".as_bytes());
/// let method = &facts.methods[0];
/// assert_eq!((facts.text(method.name), method.line, method.end_line), ("А", 1, 2));
/// ```
pub fn read_module(source: &[u8]) -> ModuleFacts {
    read_module_with(source, Engine::Tokens).0
}

/// [`read_module`] with a choice of parser, and what was used.
pub fn read_module_with(source: &[u8], engine: Engine) -> (ModuleFacts, ReadStats) {
    READER.with(|reader| match reader.try_borrow_mut() {
        Ok(mut reader) => reader.read(source, engine),
        Err(_) => split::Reader::default().read(source, engine),
    })
}

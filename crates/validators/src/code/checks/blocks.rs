//! Blocking: every block is closed, by its own word.

use bsl::{Code, ModuleFacts, StatementKind};

use crate::Text;
use crate::code::check::{Check, Examples, on_server};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::said;

pub(super) const CHECK: Check = Check {
    title: ("Каждый блок закрыт своим словом", "Every block is closed by its own word"),
    source: "The grammar of the built-in language. Branches of #Если may each open a block that is closed once: such code is left out",
    examples: Examples {
        valid: &[
            on_server("Процедура А(Б)\n\tПока Б Цикл\n\t\tЕсли Б Тогда\n\t\t\tПрервать;\n\t\tИначе\n\t\t\tПродолжить;\n\t\tКонецЕсли;\n\tКонецЦикла;\n\tПопытка\n\t\tБ = 1;\n\tИсключение\n\t\tБ = 2;\n\tКонецПопытки;\nКонецПроцедуры"),
            on_server("Процедура А(Б)\n#Если Сервер Тогда\n\tЕсли Б Тогда\n#Иначе\n\tЕсли Не Б Тогда\n#КонецЕсли\n\t\tБ = 1;\n\tКонецЕсли;\nКонецПроцедуры"),
        ],
        invalid: &[
            (on_server("Процедура А(Б)\n\tЕсли Б Тогда\n\t\tБ = 1;\nКонецПроцедуры"), "Если"),
            (on_server("Процедура А(Б)\n\tПока Б Цикл\n\t\tЕсли Б Тогда\n\t\t\tБ = 1;\n\tКонецЦикла;\nКонецПроцедуры"), "КонецЦикла"),
            (on_server("Процедура А(Б)\n\tБ = 1;\n\tКонецЕсли;\nКонецПроцедуры"), "КонецЕсли"),
            (on_server("Процедура А(Б)\n\tИсключение\n\tБ = 1;\nКонецПроцедуры"), "Исключение"),
        ],
    },
    run,
    ..Check::blocking("code-blocks")
};

/// A block that is open: the word that opened it, the word that closes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Loop(&'static str),
    Try,
}

impl Block {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::If => ("Если", "КонецЕсли"),
            Self::Loop(word) => (word, "КонецЦикла"),
            Self::Try => ("Попытка", "КонецПопытки"),
        }
    }
}

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let facts = subject.facts;
    for (method, code) in facts.codes() {
        let lines = match method {
            Some(method) => (method.line, method.end_line),
            None => (1, u32::MAX),
        };
        let inside = |line: u32| lines.0 < line && line < lines.1;
        if !facts.conditions.iter().any(|condition| inside(condition.line)) {
            balance(facts, code, findings);
        }
    }
}

fn balance(facts: &ModuleFacts, code: &Code, findings: &mut Findings<'_>) {
    let mut open: Vec<(Block, u32)> = Vec::new();
    for statement in &code.statements {
        let (wanted, word, closes) = match statement.kind {
            StatementKind::If(_) => {
                open.push((Block::If, statement.line));
                continue;
            }
            StatementKind::While(_) => {
                open.push((Block::Loop("Пока"), statement.line));
                continue;
            }
            StatementKind::For(..) | StatementKind::ForEach(..) => {
                open.push((Block::Loop("Для"), statement.line));
                continue;
            }
            StatementKind::Try => {
                open.push((Block::Try, statement.line));
                continue;
            }
            StatementKind::ElseIf(_) => ("КонецЕсли", "ИначеЕсли", false),
            StatementKind::Else => ("КонецЕсли", "Иначе", false),
            StatementKind::EndIf => ("КонецЕсли", "КонецЕсли", true),
            StatementKind::EndLoop => ("КонецЦикла", "КонецЦикла", true),
            StatementKind::Except => ("КонецПопытки", "Исключение", false),
            StatementKind::EndTry => ("КонецПопытки", "КонецПопытки", true),
            _ => continue,
        };
        let fits = open.last().is_some_and(|(block, _)| block.words().1 == wanted);
        if !fits {
            misplaced(word, statement.line, open.last().copied(), findings);
            // What follows would follow from this.
            return;
        }
        if closes {
            open.pop();
        }
    }
    // What the reader could not read may be what closes them.
    if let (Some((block, line)), true) = (open.last(), facts.problems.is_empty()) {
        let (opens, closes) = block.words();
        let what = Text::new(format!("Блок «{opens}» не закрыт"), format!("The block «{opens}» is not closed"));
        let mend = Text::new(format!("Добавьте «{closes};»"), format!("Add «{closes};»"));
        findings.at(*line, 0, said(opens.to_owned(), what, mend));
    }
}

fn misplaced(word: &str, line: u32, open: Option<(Block, u32)>, findings: &mut Findings<'_>) {
    let what = Text::new(format!("«{word}» стоит не в своём блоке"), format!("«{word}» stands in no block of its own"));
    let mend = match open {
        Some((block, at)) => {
            let (opens, closes) = block.words();
            Text::new(
                format!("Сначала закройте блок «{opens}» строки {at}: «{closes};»"),
                format!("First close the block «{opens}» of line {at}: «{closes};»"),
            )
        }
        None => Text::new("Уберите это слово или откройте блок", "Take the word out, or open the block"),
    };
    findings.at(line, 0, said(word.to_owned(), what, mend));
}

//! What is known of one module from its text alone.

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::symbols::{Symbol, SymbolTable};

/// Everything read from one module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleFacts {
    /// Texts that the other fields refer to.
    pub symbols: SymbolTable,
    /// Methods in source order.
    pub methods: Vec<Method>,
    /// Variables declared outside methods.
    pub variables: Vec<Variable>,
    /// Statements outside methods.
    pub body: Code,
    /// Line of the first statement outside methods, 0 if there is none.
    pub body_line: u32,
    /// `#Область` … `#КонецОбласти`, outer before inner.
    pub regions: Vec<Region>,
    /// Spans under `#Если`, outer before inner; a line may lie in several.
    pub conditions: Vec<Condition>,
    /// Number of lines (LF + 1, a last empty line not counted).
    pub lines: u32,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A procedure or function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// Name as written.
    pub name: Symbol,
    /// Procedure or function.
    pub kind: MethodKind,
    /// `Экспорт`.
    pub export: bool,
    /// `Асинх`.
    pub is_async: bool,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// The compilation directive (`&НаКлиенте` …), if written.
    pub context: Option<Context>,
    /// Annotations of extensions (`&Перед("М")` …).
    pub annotations: Vec<Annotation>,
    /// The comment lines right above the header (and above its directives), `//` taken off, joined by LF.
    pub doc: Option<Symbol>,
    /// The innermost region, as a number in [`ModuleFacts::regions`].
    pub region: Option<u32>,
    /// 1-based line of the keyword `Процедура` or `Функция`.
    pub line: u32,
    /// 1-based line of `КонецПроцедуры` or `КонецФункции`.
    pub end_line: u32,
    /// Byte offsets in the module, from the first annotation, directive or keyword up to the end of the closing keyword.
    pub bytes: (u32, u32),
    /// The statements.
    pub code: Code,
}

/// Whether a method returns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MethodKind {
    Procedure,
    Function,
}

/// A parameter of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Name as written.
    pub name: Symbol,
    /// `Знач`.
    pub by_value: bool,
    /// The default, if the parameter may be omitted.
    pub default: Option<DefaultValue>,
}

/// The default of a parameter, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultValue(pub Symbol);

/// A variable declared outside methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Name as written.
    pub name: Symbol,
    /// `Экспорт`.
    pub export: bool,
    /// The compilation directive, if written.
    pub context: Option<Context>,
    /// 1-based line.
    pub line: u32,
}

/// Compilation directives of form and command modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Context {
    /// `&НаКлиенте`
    AtClient,
    /// `&НаСервере`
    AtServer,
    /// `&НаСервереБезКонтекста`
    AtServerNoContext,
    /// `&НаКлиентеНаСервере`
    AtClientAtServer,
    /// `&НаКлиентеНаСервереБезКонтекста`
    AtClientAtServerNoContext,
}

impl Context {
    /// The directive in Russian, without the ampersand.
    pub fn ru(self) -> &'static str {
        match self {
            Self::AtClient => "НаКлиенте",
            Self::AtServer => "НаСервере",
            Self::AtServerNoContext => "НаСервереБезКонтекста",
            Self::AtClientAtServer => "НаКлиентеНаСервере",
            Self::AtClientAtServerNoContext => "НаКлиентеНаСервереБезКонтекста",
        }
    }
}

/// An annotation by which an extension's method takes part in the base's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// Which.
    pub kind: AnnotationKind,
    /// The base method's name as written.
    pub target: Symbol,
    /// 1-based line.
    pub line: u32,
}

/// Annotations of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AnnotationKind {
    /// `&Перед`
    Before,
    /// `&После`
    After,
    /// `&Вместо`
    Around,
    /// `&ИзменениеИКонтроль`
    ChangeAndValidate,
}

/// A named region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Name as written.
    pub name: Symbol,
    /// The region around it, as a number in [`ModuleFacts::regions`].
    pub parent: Option<u32>,
    /// 1-based line of `#Область`.
    pub line: u32,
    /// 1-based line of `#КонецОбласти` (the module's last line if it is missing).
    pub end_line: u32,
}

/// Lines that compile under a condition only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The condition as written; for `#Иначе` it is `Не (…)` of the branches before.
    pub text: Symbol,
    /// Where code under it may compile.
    pub contexts: Contexts,
    /// First line under the condition.
    pub line: u32,
    /// Last line under the condition.
    pub end_line: u32,
}

bitflags! {
    /// Where code compiles: the symbols of the preprocessor.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Contexts: u16 {
        /// `ТонкийКлиент`
        const THIN_CLIENT = 1;
        /// `ВебКлиент`
        const WEB_CLIENT = 1 << 1;
        /// `МобильноеПриложениеКлиент` and `МобильныйКлиент`
        const MOBILE_CLIENT = 1 << 2;
        /// `Сервер`
        const SERVER = 1 << 3;
        /// `ТолстыйКлиентУправляемоеПриложение`
        const THICK_CLIENT_MANAGED = 1 << 4;
        /// `ТолстыйКлиентОбычноеПриложение`
        const THICK_CLIENT_ORDINARY = 1 << 5;
        /// `ВнешнееСоединение`
        const EXTERNAL_CONNECTION = 1 << 6;
        /// `МобильноеПриложениеСервер` and `МобильныйАвтономныйСервер`
        const MOBILE_SERVER = 1 << 7;
    }
}

/// Something in the text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
    /// What is wrong, in English.
    pub message: String,
}

impl ModuleFacts {
    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// Conditions that hold on a line, outer first.
    pub fn conditions_at(&self, line: u32) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().filter(move |condition| condition.line <= line && line <= condition.end_line)
    }

    /// Where a line of the module may compile, by the preprocessor alone.
    pub fn contexts_at(&self, line: u32) -> Contexts {
        self.conditions_at(line).fold(Contexts::all(), |all, condition| all & condition.contexts)
    }

    /// Each piece of code with the method it belongs to; `None` is the module's body.
    pub fn codes(&self) -> impl Iterator<Item = (Option<&Method>, &Code)> {
        self.methods.iter().map(|method| (Some(method), &method.code)).chain(std::iter::once((None, &self.body)))
    }
}

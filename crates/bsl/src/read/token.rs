//! Tokens: what the lexer gives.

/// A token's kind and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// 1-based line of the first byte.
    pub line: u32,
    pub kind: TokenKind,
    /// Whether it is the first on its line.
    pub first_on_line: bool,
}

macro_rules! token_kinds {
    (reserved: $($reserved:ident)*; others: $($(#[$doc:meta])* $other:ident)*) => {
        /// Reserved words come first: `kind < TokenKind::Ident` is a reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub(crate) enum TokenKind {
            $($reserved,)*
            $($(#[$doc])* $other,)*
        }

        impl TokenKind {
            /// Reserved words, by the names that `data/keywords.tsv` calls them.
            pub const RESERVED: &[(&'static str, Self)] = &[$((stringify!($reserved), Self::$reserved)),*];
        }
    };
}

token_kinds! {
    reserved:
        If Then ElsIf Else EndIf For Each In To While Do EndDo Goto Return Break Continue Procedure Function EndProcedure
        EndFunction Var Export Val True False Undefined Null Try Except Raise EndTry Async Await New Execute AddHandler
        RemoveHandler And Or Not;
    others:
        Ident
        String
        /// A string whose closing quote is missing: it ends with its line.
        OpenString
        Number
        Date
        LParen
        RParen
        LBracket
        RBracket
        Dot
        Comma
        Semicolon
        Colon
        Tilde
        Question
        Ampersand
        Plus
        Minus
        Star
        Slash
        Percent
        Eq
        Ne
        Lt
        Le
        Gt
        Ge
        /// A character that has no place in the language.
        Unknown
        /// `//` up to the end of the line.
        Comment
        /// `#` and its words.
        Directive
        /// A line that a merge left behind.
        Conflict
        /// After the last token.
        End
}

impl TokenKind {
    /// A reserved word.
    pub fn is_keyword(self) -> bool {
        self < Self::Ident
    }

    /// An identifier or a reserved word.
    pub fn is_word(self) -> bool {
        self <= Self::Ident
    }

    /// A string literal, closed or not.
    pub fn is_string(self) -> bool {
        matches!(self, Self::String | Self::OpenString)
    }

    /// A word that may name a variable where the language expects one. `Выполнить`, `Асинх` and `Ждать` are reserved in
    /// their own positions only.
    pub fn is_name(self) -> bool {
        matches!(self, Self::Ident | Self::Execute | Self::Async | Self::Await)
    }

    /// Ends a value, so that a following `(` is a call and a following `-` is a subtraction.
    pub fn ends_value(self) -> bool {
        self.is_name()
            || self.is_string()
            || matches!(
                self,
                Self::RParen
                    | Self::RBracket
                    | Self::Number
                    | Self::Date
                    | Self::True
                    | Self::False
                    | Self::Undefined
                    | Self::Null
            )
    }

    /// A word that only a new statement, or a part of one that follows an expression, begins with.
    pub fn starts_statement(self) -> bool {
        matches!(
            self,
            Self::If
                | Self::ElsIf
                | Self::Else
                | Self::EndIf
                | Self::For
                | Self::While
                | Self::EndDo
                | Self::Goto
                | Self::Return
                | Self::Break
                | Self::Continue
                | Self::Var
                | Self::Try
                | Self::Except
                | Self::Raise
                | Self::EndTry
                | Self::AddHandler
                | Self::RemoveHandler
                | Self::Procedure
                | Self::Function
                | Self::EndProcedure
                | Self::EndFunction
        )
    }
}

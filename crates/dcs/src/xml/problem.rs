//! What is wrong with a text as XML.

/// Something that makes a text no well-formed XML, or none that the platform reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XmlProblem {
    /// First byte of the place.
    pub start: u32,
    /// Byte after the place.
    pub end: u32,
    /// What.
    pub kind: XmlProblemKind,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlProblemKind {
    /// Bytes that are no UTF-8: nothing behind them is read.
    NotUtf8,
    /// The declaration names another encoding than UTF-8.
    Encoding,
    /// Longer than 4 GB: not read.
    TooLong,
    /// A start tag without its end tag.
    Unclosed,
    /// An end tag without its start tag.
    UnexpectedEnd,
    /// A tag, comment or section that breaks off.
    Broken,
    /// A name that is none.
    BadName,
    /// An attribute without value or quotes.
    BadAttribute,
    /// An attribute that the element has already.
    RepeatedAttribute,
    /// `&` that begins no entity XML knows.
    BadEntity,
    /// A character that XML doesn't allow at this place.
    BadCharacter,
    /// A prefix that is bound to no namespace.
    UnboundPrefix,
    /// No element at all.
    NoRoot,
    /// A second element beside the root.
    SecondRoot,
    /// Text outside the root.
    TextOutside,
    /// An XML declaration that is not at the beginning.
    LateDeclaration,
    /// A document type: the platform's files have none.
    DocumentType,
}

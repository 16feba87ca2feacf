//! What may be wrong with a container.

use crate::model::problem::Language;
use serde::{Deserialize, Serialize};

/// What is wrong with a container. Addresses are offsets in bytes from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ContainerError {
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// It doesn't begin like a container.
    #[error("this is no container of the platform")]
    NoContainer,
    /// The file ends within a page, or a page begins beyond its end.
    #[error("the file is cut off: it ends before or within the page at {at:#x}")]
    Cut {
        /// Address of the page.
        at: u64,
    },
    /// No header of a block stands where one should.
    #[error("no block begins at {at:#x}")]
    NoBlock {
        /// The address.
        at: u64,
    },
    /// A document is larger than its file, or than what is unpacked at most.
    #[error("the document at {at:#x} claims {size} bytes, more than there can be")]
    TooLarge {
        /// Address of its first page.
        at: u64,
        /// The size that it claims, in bytes.
        size: u64,
    },
    /// The pages of a document are fewer than its size takes.
    #[error("the pages of the document at {at:#x} end before its {size} bytes")]
    Short {
        /// Address of its first page.
        at: u64,
        /// Its size in bytes.
        size: u64,
    },
    /// The pages of a document form a loop.
    #[error("the chain of pages leads back to the page at {at:#x}")]
    Looped {
        /// Address of a page of the loop.
        at: u64,
    },
    /// The table of contents is longer than a genuine one.
    #[error("more than {most} entries")]
    TooManyEntries {
        /// How many there may be.
        most: usize,
    },
    /// An entry that belongs there is missing.
    #[error("the container has no document «{0}»")]
    Missing(Document),
}

/// A document that a container must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Document {
    /// The module of an ordinary form.
    Module,
    /// Its content.
    Form,
}

impl Document {
    /// Name of the entry.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Form => "form",
        }
    }
}

impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl ContainerError {
    /// The message in the user's language. `Display` is English.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::Empty => "файл пуст".to_owned(),
            Self::NoContainer => "это не контейнер платформы".to_owned(),
            Self::Cut { at } => format!("файл обрезан: он кончается до страницы {at:#x} или внутри неё"),
            Self::NoBlock { at } => format!("по адресу {at:#x} нет блока"),
            Self::TooLarge { at, size } => format!("документ {at:#x} заявляет {size} байт, столько быть не может"),
            Self::Short { at, size } => format!("страницы документа {at:#x} кончаются раньше его {size} байт"),
            Self::Looped { at } => format!("цепочка страниц возвращается к странице {at:#x}"),
            Self::TooManyEntries { most } => format!("записей больше {most}"),
            Self::Missing(document) => format!("в контейнере нет документа «{document}»"),
        }
    }
}

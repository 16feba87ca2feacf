//! Members of the platform from its own help, where the user has it.
//!
//! A project says in its `metascope.toml` where the help lies (`docs/settings.md`); else the usual folders are looked into. What was read
//! is kept as long as the program runs and the file stays the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use index::Index;
use index::settings::ProjectSettings;
use metadata::{LARGEST_HELP, Language, PlatformMember, PlatformMemberKind};

use super::members::{Availability, Kind, Member, Members};
use crate::tool::say;

/// Members, and where they come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// They.
    pub members: Arc<Members>,
    /// The container that they were read from; None: the built-in list.
    pub file: Option<PathBuf>,
    /// Why a container that is there was not taken, in Russian and English.
    pub trouble: Option<(String, String)>,
}

/// What tells a state of a file from another one.
type Stamp = (PathBuf, u64, Option<SystemTime>);

/// The container that was read last, and what came of it.
static LAST: Mutex<Option<(Stamp, Source)>> = Mutex::new(None);

impl Source {
    /// The members that answers on a project give.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn of(index: &Index) -> index::Result<Self> {
        let root = index.layer_roots()?.path("");
        let named = ProjectSettings::of(&root).platform_help_paths(&root);
        Ok(Self::at(named.as_deref()))
    }

    /// The members of the first container that paths lead to; None: the usual folders.
    pub fn at(named: Option<&[PathBuf]>) -> Self {
        let usual;
        let folders = match named {
            Some(named) => named,
            None => {
                usual = metadata::platform_folders();
                &usual
            }
        };
        if let Some(file) = folders.iter().find_map(|path| metadata::platform_help_file(path)) {
            return Self::of_file(&file);
        }
        let trouble = named.and_then(|named| named.first()).map(|path| {
            let path = path.display();
            (
                format!("{path}: справки платформы (shcntx_*.hbk) здесь нет, взят встроенный список"),
                format!("{path}: there is no help of the platform (shcntx_*.hbk), the built-in list is taken"),
            )
        });
        Self { members: Members::built_in(), file: None, trouble }
    }

    fn of_file(file: &Path) -> Self {
        let known = fs::metadata(file).ok();
        let size = known.as_ref().map_or(0, fs::Metadata::len);
        let stamp = (file.to_path_buf(), size, known.and_then(|known| known.modified().ok()));
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = last.as_ref().filter(|(of, _)| *of == stamp) {
            return source.clone();
        }
        let source = match read(file, size) {
            Ok(members) => Self { members: Arc::new(members), file: Some(file.to_path_buf()), trouble: None },
            Err((ru, en)) => {
                let path = file.display();
                let trouble = Some((
                    format!("{path}: справка платформы не читается: {ru}; взят встроенный список"),
                    format!("{path}: the platform's help can't be read: {en}; the built-in list is taken"),
                ));
                Self { members: Members::built_in(), file: None, trouble }
            }
        };
        *last = Some((stamp, source.clone()));
        source
    }

    /// What is to be said of the source, in the user's language.
    pub fn remark(&self, language: Language) -> Option<&str> {
        self.trouble.as_ref().map(|(ru, en)| say(language, ru, en))
    }
}

fn read(file: &Path, size: u64) -> Result<Members, (String, String)> {
    if size > LARGEST_HELP {
        let limit = LARGEST_HELP >> 20;
        return Err((format!("больше {limit} МБ"), format!("more than {limit} MB")));
    }
    let bytes = fs::read(file).map_err(|error| (error.to_string(), error.to_string()))?;
    let help = metadata::read_platform_help(&bytes)
        .map_err(|error| (error.message(Language::Russian), error.message(Language::English)))?;
    Ok(Members::new(help.members.into_iter().map(member).collect()))
}

fn member(read: PlatformMember) -> Member {
    Member {
        owner: (read.owner.0.into(), read.owner.1.into()),
        kind: match read.kind {
            PlatformMemberKind::Function => Kind::Function,
            PlatformMemberKind::Method => Kind::Method,
            PlatformMemberKind::Property => Kind::Property,
            PlatformMemberKind::Constructor => Kind::Constructor,
            PlatformMemberKind::Value => Kind::Value,
            PlatformMemberKind::Type => Kind::Type,
        },
        ru: read.ru.into(),
        en: read.en.into(),
        signature: read.signature.into(),
        returns: read.returns.into(),
        available: Availability::of(&read.available),
    }
}

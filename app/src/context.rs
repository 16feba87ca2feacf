//! What every subcommand stands on: the options, the user's language, and the index that answers.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use index::{Index, Location, Tables};
use metadata::Language;
use paths::Places;

use crate::cli::{Global, Lang};
use crate::failure::{Exit, Failure, Outcome};

/// Options and places of one run.
pub struct Context {
    options: Global,
    lang: Lang,
}

impl Context {
    /// From the parsed global options.
    pub fn new(options: Global, lang: Lang) -> Self {
        Self { options, lang }
    }

    /// Whether answers are JSON.
    pub fn json(&self) -> bool {
        self.options.json
    }

    /// Whether progress and notes are unwanted.
    pub fn quiet(&self) -> bool {
        self.options.quiet
    }

    /// The language of messages.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The language of messages, as libraries know it.
    pub fn language(&self) -> Language {
        match self.lang {
            Lang::Ru => Language::Russian,
            Lang::En => Language::English,
        }
    }

    /// The text in the user's language.
    pub fn pick<'text>(&self, ru: &'text str, en: &'text str) -> &'text str {
        self.lang.pick(ru, en)
    }

    /// A remark on stderr, unless `-q`.
    pub fn note(&self, text: &str) {
        if !self.options.quiet {
            eprintln!("{text}");
        }
    }

    /// The user's directories.
    ///
    /// # Errors
    /// If the user has none.
    pub fn places(&self) -> Outcome<Places> {
        Places::of_user().ok_or_else(|| {
            Failure::usage("no_home", self.pick("у пользователя нет домашней папки", "the user has no home folder"))
                .with_hint(format!(
                    "{} {}",
                    self.pick("задайте папку данных переменной", "set a data folder by the variable"),
                    paths::DATA_DIR_VARIABLE
                ))
        })
    }

    /// Where the index of a project is, or goes.
    ///
    /// # Errors
    /// If the folder can't be found.
    pub fn location_of(&self, project: &Path) -> Outcome<Location> {
        match &self.options.index {
            Some(file) => Ok(Location::at(file)),
            None => {
                Location::of_project(&self.places()?.indexes_dir(), project).map_err(|error| self.index_failure(error))
            }
        }
    }

    /// Where the index is that answers: `--index`, else that of `--project`, else of the project around the current
    /// folder, else the one written last.
    ///
    /// # Errors
    /// If there is none.
    pub fn location(&self) -> Outcome<Location> {
        if let Some(file) = &self.options.index {
            return Ok(Location::at(file));
        }
        if let Some(project) = &self.options.project {
            return self.location_of(&self.root_of(project)?);
        }
        let indexes = self.places()?.indexes_dir();
        if let Some(location) = std::env::current_dir().ok().and_then(|current| around(&indexes, &current)) {
            return Ok(location);
        }
        written_last(&indexes).ok_or_else(|| {
            Failure::usage(
                "no_index",
                self.pick("ни одна конфигурация ещё не проиндексирована", "no configuration is indexed yet"),
            )
            .with_hint(self.pick(
                "выполните: metascope index ПУТЬ_К_ВЫГРУЗКЕ (без пути — демонстрационная конфигурация)",
                "run: metascope index PATH_TO_DUMP (without a path: the demo configuration)",
            ))
        })
    }

    /// The folder of the dump that a path leads to; of external processors, the path itself: a folder may hold several.
    ///
    /// # Errors
    /// If there is no dump there.
    pub fn root_of(&self, path: &Path) -> Outcome<PathBuf> {
        let root = |found: metadata::Detected| match found.external {
            Some(_) => path.to_path_buf(),
            None => found.root,
        };
        metadata::detect(path).map(root).map_err(|error| self.index_failure(error.into()))
    }

    /// The folder of the dump to index: of `path`, else of `--project`, else around the current folder, else the demo.
    ///
    /// # Errors
    /// If there is no dump there; if the current folder holds several; if the demo can't be unpacked.
    pub fn root_to_index(&self, path: Option<&Path>) -> Outcome<PathBuf> {
        if let Some(path) = path.or(self.options.project.as_deref()) {
            return self.root_of(path);
        }
        if let Ok(current) = std::env::current_dir() {
            match metadata::detect(&current) {
                Ok(found) => return Ok(found.root),
                Err(error @ metadata::ReadError::Several { .. }) => return Err(self.index_failure(error.into())),
                Err(_) => {}
            }
            if let Some(root) = holding(&current) {
                return Ok(root);
            }
        }
        self.note(self.pick(
            "путь не задан: индексируется демонстрационная конфигурация",
            "no path is given: the demo configuration is indexed",
        ));
        self.demo()
    }

    /// The folder of the demo configuration.
    ///
    /// # Errors
    /// If it can't be unpacked.
    pub fn demo(&self) -> Outcome<PathBuf> {
        let places = self.places()?;
        crate::demo::unpacked(&places).map_err(|error| {
            let what =
                self.pick("не распаковать демонстрационную конфигурацию", "the demo configuration can't be unpacked");
            Failure::usage("demo", format!("{what} ({}): {error}", places.demo_dir().display())).with_hint(format!(
                "{} {}",
                self.pick("задайте папку данных переменной", "set a data folder by the variable"),
                paths::DATA_DIR_VARIABLE
            ))
        })
    }

    /// The tables of the configuration that a file belongs to: of `--index`, else of `--project`, else of the project around the file.
    /// None if that one isn't indexed: what is said of a file must not come from another configuration.
    ///
    /// # Errors
    /// If the index that was asked for can't be read.
    pub fn tables_for(&self, file: &Path) -> Outcome<Option<Tables>> {
        if self.options.index.is_some() || self.options.project.is_some() {
            return Tables::open(&self.location()?).map(Some).map_err(|error| self.index_failure(error));
        }
        // The file may be one that is yet to be written.
        let folder = file.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        let indexes = Places::of_user().map(|places| places.indexes_dir());
        let Some(location) = indexes.zip(folder).and_then(|(indexes, folder)| around(&indexes, &folder)) else {
            return Ok(None);
        };
        match Tables::open(&location) {
            Ok(tables) => Ok(Some(tables)),
            Err(error) => {
                self.note(&error.message(self.language()));
                Ok(None)
            }
        }
    }

    /// Says which checks were not run, and what they need.
    pub fn note_skipped(&self, skipped: &[&str]) {
        if !skipped.is_empty() {
            let what =
                self.pick("без индекса конфигурации не выполнены", "not run without an index of the configuration");
            let how = self.pick("укажите --index или --project", "give --index or --project");
            self.note(&format!("{what}: {} ({how})", skipped.join(", ")));
        }
    }

    /// Says which files are newer than the index that was asked.
    pub fn note_outdated(&self, files: &[String]) {
        if let Some(text) = validators::dcs::outdated_text(files) {
            self.note(self.pick(&text.ru, &text.en));
        }
    }

    /// Opens the index that answers.
    ///
    /// # Errors
    /// If there is none, or it can't be read.
    pub fn open(&self) -> Outcome<Index> {
        Index::open(&self.location()?).map_err(|error| self.index_failure(error))
    }

    /// A failure of the index as people and programs are told of it.
    pub fn index_failure(&self, error: index::Error) -> Failure {
        let exit = match &error {
            index::Error::UnknownName { .. } | index::Error::AmbiguousName { .. } => Exit::NotFound,
            index::Error::Stopped => Exit::Stopped,
            index::Error::Sqlite(_) | index::Error::Facts { .. } => Exit::Internal,
            _ => Exit::Usage,
        };
        let hint = error.hint(self.language()).or_else(|| match &error {
            index::Error::UnknownName { .. } => Some(
                self.pick(
                    "похожих имён нет; поищите по словам: metascope search",
                    "no name comes near; look for it by words: metascope search",
                )
                .to_owned(),
            ),
            _ => None,
        });
        Failure { exit, code: error.code(), message: error.message(self.language()), hint }
    }
}

/// The index of the nearest folder, from one upwards, whose dump has one.
fn around(indexes: &Path, inner: &Path) -> Option<Location> {
    inner.ancestors().find_map(|folder| {
        let root = metadata::detect(folder).ok()?.root;
        let location = Location::of_project(indexes, &root).ok()?;
        // A dump far below (a repository that holds configurations as test data) is not "around" the folder.
        let inside = inner.starts_with(&root) || root.starts_with(folder);
        (inside && location.pointer().symlink_metadata().is_ok()).then_some(location)
    })
}

/// The dump that a folder is a part of.
fn holding(folder: &Path) -> Option<PathBuf> {
    let above = folder.ancestors().skip(1);
    above.filter_map(|above| metadata::detect(above).ok()).map(|found| found.root).find(|root| folder.starts_with(root))
}

/// The index that was written last.
fn written_last(indexes: &Path) -> Option<Location> {
    let written = |path: &Path| -> Option<SystemTime> { path.symlink_metadata().ok()?.modified().ok() };
    let pointers = std::fs::read_dir(indexes).ok()?.flatten().map(|entry| entry.path().join("index.db"));
    let last = pointers.filter_map(|path| Some((written(&path)?, path))).max()?;
    Some(Location::at(last.1))
}

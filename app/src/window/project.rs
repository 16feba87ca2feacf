//! Opening a project, building its index, and what the window says of both.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use index::build::{Options, Outcome, Phase, Progress, Report, Stop, build};
use index::sql::{SqlLimits, select};
use index::{Index, Location, NodeKey};
use metadata::Language;
use paths::Places;

use super::controller::{Controller, replace};
use super::labels::Pick as _;
use super::ui::ProjectRow;

/// Least time between two steps of the progress that are shown.
const STEP: Duration = Duration::from_millis(60);
/// Projects offered for opening.
const RECENT: usize = 12;

/// Who wants the index to be built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asker {
    Person,
    /// Files changed.
    Files,
}

impl Controller {
    /// Opens what the program was started with; with nothing, asks for a project.
    pub fn start(&self, root: Option<PathBuf>, location: Option<Location>) {
        self.list_recent();
        match location {
            Some(location) if has_index(&location) => self.open_index(root, location),
            Some(location) if root.is_some() => {
                self.set_project(root, location);
                self.build();
            }
            _ => self.desk().set_opening(true),
        }
    }

    /// Opens the folder that was typed, or chosen: its index, or a new one.
    pub(super) fn open_project(&self, path: &str) {
        let typed = PathBuf::from(path.trim());
        let (places, language) = (self.places(), self.language());
        self.open_found(move || place_of(&typed, places.as_ref(), language));
    }

    /// Opens the demo configuration that lies in the program.
    pub(super) fn open_demo(&self) {
        let (places, language) = (self.places(), self.language());
        self.open_found(move || {
            let places = places.ok_or_else(|| no_home(language))?;
            let folder =
                crate::demo::unpacked(&places).map_err(|error| format!("{}: {error}", places.demo_dir().display()))?;
            place_of(&folder, Some(&places), language)
        });
    }

    /// Opens what is looked for off the event loop.
    fn open_found(&self, find: impl FnOnce() -> Result<(PathBuf, Location), String> + Send + 'static) {
        let (post, pending) = (self.post.clone(), self.post.begin());
        let work = move || {
            let found = find();
            post.send(move |me| {
                match found {
                    Ok((root, location)) => {
                        me.desk().set_opening(false);
                        me.desk().set_open_error("".into());
                        if has_index(&location) {
                            me.open_index(Some(root), location);
                        } else {
                            me.set_project(Some(root), location);
                            me.build();
                        }
                    }
                    Err(message) => me.desk().set_open_error(message.into()),
                }
                drop(pending);
            });
        };
        if let Err(error) = std::thread::Builder::new().name("open".to_owned()).spawn(work) {
            self.desk().set_open_error(error.to_string().into());
        }
    }

    fn set_project(&self, root: Option<PathBuf>, location: Location) {
        // Until the index knows better: the name of the folder that says something, which `…/src/cf` does not.
        let mut parts =
            root.iter().flat_map(|root| root.components().rev()).filter_map(|part| part.as_os_str().to_str());
        let name = parts.find(|name| !matches!(*name, "cf" | "src" | "")).map(str::to_owned);
        {
            let mut state = self.state.borrow_mut();
            let other = state.location.as_ref() != Some(&location);
            if other {
                let build = state.build.take();
                build.iter().for_each(|build| build.stop());
                let agent = state.agent.take();
                agent.iter().for_each(super::chat::AgentThread::cancel);
                *state = super::controller::State::default();
            }
            state.root = root;
            state.location = Some(location);
            if !other {
                return;
            }
        }
        let desk = self.desk();
        desk.set_project(name.unwrap_or_default().into());
        desk.set_title("".into());
        desk.set_place("".into());
        desk.set_short_place("".into());
        desk.set_subject("".into());
        desk.set_about_project("".into());
        desk.set_line_count(0);
        desk.set_tree_current(-1);
        desk.set_has_index(false);
        self.lines.show(std::rc::Rc::default());
        self.tree.set_root(Vec::new());
        replace(&self.models.edges, Vec::new());
        replace(&self.models.passport, Vec::new());
        replace(&self.models.hits, Vec::new());
        self.clear_chat();
        self.clear_edits();
        self.show_ways();
    }

    /// Opens an index that is there, or the new generation of the open one.
    fn open_index(&self, root: Option<PathBuf>, location: Location) {
        self.set_project(root, location.clone());
        self.browse.open(location.clone(), |me, outcome| match outcome {
            Ok(()) => me.show_project(),
            // Written by another version: it is built anew.
            Err(index::Error::Format { .. }) if me.state.borrow().root.is_some() => me.build(),
            Err(error) => me.show_error(&error),
        });
        self.about.open(location.clone(), |_, _| {});
        self.seek.open(location.clone(), |_, _| {});
        self.mend.open(location, |me, opened| {
            if opened.is_ok() {
                me.list_edits();
            }
        });
    }

    /// Name and tree of the index that was opened.
    fn show_project(&self) {
        self.desk().set_has_index(true);
        self.browse.ask(
            Self::always(),
            |index| {
                let synonym = index.meta("configuration_synonym")?.filter(|text| !text.is_empty());
                let name = match synonym {
                    Some(synonym) => synonym,
                    None => index.meta("configuration")?.unwrap_or_default(),
                };
                Ok((name, index.root()?, index.tree(&NodeKey::Root)?))
            },
            |me, (name, root, tree)| {
                let root = me.state.borrow_mut().root.get_or_insert(root).clone();
                me.follow(&root);
                if !name.is_empty() {
                    me.desk().set_project(name.into());
                }
                me.tree.set_root(tree);
                me.show_counts();
                me.ensure_agent();
                let then = me.state.borrow_mut().then.take();
                if let Some(spot) = then {
                    me.open_spot(spot);
                }
            },
        );
    }

    /// How large the configuration is, at the foot of the window.
    pub(super) fn show_counts(&self) {
        let language = self.language();
        self.about.ask(
            Self::always(),
            move |index| counts(index, language),
            |me, text| me.desk().set_about_project(text.into()),
        );
    }

    fn list_recent(&self) {
        let Some(places) = self.places() else { return };
        let (post, pending) = (self.post.clone(), self.post.begin());
        let work = move || {
            let rows = recent(&places.indexes_dir());
            post.send(move |me| {
                replace(&me.models.recent, rows);
                drop(pending);
            });
        };
        // Without the list a path can still be typed.
        let _ = std::thread::Builder::new().name("recent".to_owned()).spawn(work);
    }

    /// Builds or updates the index of the open project, on a thread of its own.
    pub(super) fn build(&self) {
        self.start_build(Asker::Person);
    }

    /// The same because files changed, or may have: nothing is shown unless something is done.
    pub(super) fn keep_in_step(&self) {
        self.start_build(Asker::Files);
    }

    fn start_build(&self, asker: Asker) {
        let (root, location) = {
            let mut state = self.state.borrow_mut();
            match (&state.root, &state.location) {
                (Some(root), Some(location)) if state.build.is_none() => (root.clone(), location.clone()),
                _ => {
                    state.again |= asker == Asker::Files && state.build.is_some();
                    return;
                }
            }
        };
        let stop = Arc::new(Stop::default());
        self.state.borrow_mut().build = Some(Arc::clone(&stop));
        if asker == Asker::Person {
            self.show_building();
        }
        let (post, pending, language) = (self.post.clone(), self.post.begin(), self.language());
        let work = move || {
            if let Some(message) = crate::project::mend_edits(&location, language) {
                post.send(move |me| me.say(message));
            }
            let shown = Mutex::new((Instant::now(), None));
            let progress = |progress: Progress| {
                let mut last = shown.lock().unwrap_or_else(PoisonError::into_inner);
                if last.1 == Some(progress.phase) && last.0.elapsed() < STEP {
                    return;
                }
                *last = (Instant::now(), Some(progress.phase));
                drop(last);
                // That files are compared is no news to who didn't ask.
                if asker == Asker::Person || progress.phase != Phase::Files {
                    post.send(move |me| me.show_progress(progress, language));
                }
            };
            let outcome = build(&root, &location, &Options::default(), &stop, &progress);
            post.send(move |me| {
                me.built(outcome, location, asker);
                drop(pending);
            });
        };
        if let Err(error) = std::thread::Builder::new().name("build".to_owned()).spawn(work) {
            self.desk().set_building(false);
            self.say(error.to_string());
        }
    }

    /// Asks the build to stop; the old index stays.
    pub(super) fn stop_build(&self) {
        if let Some(build) = &self.state.borrow().build {
            build.stop();
        }
    }

    fn show_building(&self) {
        let desk = self.desk();
        desk.set_building(true);
        desk.set_progress(0.0);
        desk.set_phase(self.pick("Индексирование…", "Indexing…").into());
    }

    fn show_progress(&self, progress: Progress, language: Language) {
        let desk = self.desk();
        if self.state.borrow().build.is_none() {
            return;
        }
        if !desk.get_building() {
            self.show_building();
        }
        let of = if progress.total > 0 { format!(" {} / {}", progress.done, progress.total) } else { String::new() };
        desk.set_phase(format!("{}{of}", phase(progress.phase, language)).into());
        desk.set_progress(overall(progress));
    }

    fn built(&self, outcome: index::Result<Report>, location: Location, asker: Asker) {
        let ours = self.state.borrow().location.as_ref() == Some(&location);
        if !ours {
            return;
        }
        let again = {
            let mut state = self.state.borrow_mut();
            state.build = None;
            std::mem::take(&mut state.again)
        };
        self.desk().set_building(false);
        match outcome {
            Ok(report) if asker == Asker::Files && report.outcome == Outcome::Unchanged => {}
            Ok(report) => {
                self.say(done(&report, self.language()));
                if let Some(embed) = self.embed.get().filter(|_| report.outcome != Outcome::Unchanged)
                    && let Err(reason) = embed(&location)
                {
                    tracing::info!(%reason, "no vectors");
                }
                if !matches!(report.outcome, Outcome::Unchanged) || !self.desk().get_has_index() {
                    self.reopen(location);
                }
                self.list_recent();
            }
            Err(index::Error::Stopped) => self.say(self.pick(
                "Индексирование остановлено, прежний индекс цел",
                "Indexing was stopped, the old index is whole",
            )),
            Err(error) => self.show_error(&error),
        }
        if again {
            self.keep_in_step();
        }
    }

    /// The new generation: tree, text and links are read again, the place stays.
    fn reopen(&self, location: Location) {
        let root = {
            let mut state = self.state.borrow_mut();
            if !state.file.is_empty() {
                state.then = Some(super::navigation::Spot { file: std::mem::take(&mut state.file), at: state.caret });
            }
            state.root.clone()
        };
        self.open_index(root, location);
    }
}

fn has_index(location: &Location) -> bool {
    location.current().is_ok_and(|file| file.is_some())
}

/// The dump that a path leads to, and the place of its index.
fn place_of(typed: &Path, places: Option<&Places>, language: Language) -> Result<(PathBuf, Location), String> {
    let error = |error: index::Error| error.message(language);
    let found = metadata::detect(typed).map_err(|problem| error(problem.into()))?;
    let places = places.ok_or_else(|| no_home(language))?;
    let location = Location::of_project(&places.indexes_dir(), &found.root).map_err(error)?;
    Ok((found.root, location))
}

fn no_home(language: Language) -> String {
    language.pick("у пользователя нет домашней папки", "the user has no home folder").to_owned()
}

/// Projects with an index, the one written last first.
fn recent(indexes: &Path) -> Vec<ProjectRow> {
    let Ok(entries) = std::fs::read_dir(indexes) else { return Vec::new() };
    let mut found: Vec<(std::time::SystemTime, ProjectRow)> = Vec::new();
    for entry in entries.flatten() {
        let pointer = entry.path().join("index.db");
        let Ok(written) = pointer.symlink_metadata().and_then(|meta| meta.modified()) else { continue };
        let Ok(index) = Index::open(&Location::at(&pointer)) else { continue };
        let meta = |key| index.meta(key).ok().flatten().unwrap_or_default();
        let (synonym, root) = (meta("configuration_synonym"), meta("root"));
        let name = if synonym.is_empty() { meta("configuration") } else { synonym };
        if Path::new(&root).is_dir() {
            found.push((written, ProjectRow { name: name.into(), root: root.into() }));
        }
    }
    found.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
    found.into_iter().take(RECENT).map(|(_, row)| row).collect()
}

fn counts(index: &Index, language: Language) -> index::Result<String> {
    let sql = "SELECT (SELECT count(*) FROM objects WHERE parent IS NULL), (SELECT count(*) FROM methods), (SELECT count(*) FROM edges)";
    let answer = select(index.path(), sql, SqlLimits::default())?;
    let number =
        |at: usize| answer.rows.first().and_then(|row| row.get(at)).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let names = [("объектов", "objects"), ("методов", "methods"), ("связей", "links")];
    let part =
        |(at, (ru, en)): (usize, &(&'static str, &'static str))| format!("{} {}", language.pick(ru, en), number(at));
    Ok(names.iter().enumerate().map(part).collect::<Vec<_>>().join("  ·  "))
}

fn phase(phase: Phase, language: Language) -> &'static str {
    let (ru, en) = match phase {
        Phase::Files => ("Сверка файлов", "Comparing files"),
        Phase::Metadata => ("Чтение метаданных", "Reading metadata"),
        Phase::Kept => ("Чтение сохранённого", "Reading what was kept"),
        Phase::Modules => ("Чтение модулей", "Reading modules"),
        Phase::World => ("Сведение модулей", "Putting modules together"),
        Phase::Edges => ("Построение связей", "Deriving links"),
        Phase::Finish => ("Завершение", "Finishing"),
    };
    language.pick(ru, en)
}

/// Share of the whole build, by what the stages cost on a large configuration.
fn overall(progress: Progress) -> f32 {
    let (before, share) = match progress.phase {
        Phase::Files => (0.0, 0.03),
        Phase::Metadata => (0.03, 0.17),
        Phase::Kept => (0.03, 0.1),
        Phase::Modules => (0.2, 0.42),
        Phase::World => (0.62, 0.03),
        Phase::Edges => (0.65, 0.25),
        Phase::Finish => (0.9, 0.1),
    };
    let within = if progress.total > 0 { progress.done as f32 / progress.total as f32 } else { 0.0 };
    before + share * within.clamp(0.0, 1.0)
}

fn done(report: &Report, language: Language) -> String {
    let (ru, en) = match &report.outcome {
        Outcome::Unchanged => ("Изменений нет", "No file changed"),
        Outcome::Updated { .. } => ("Индекс обновлён", "Index updated"),
        _ => ("Индекс построен", "Index built"),
    };
    let problems = match report.problems {
        0 => String::new(),
        count => format!(", {}: {count}", language.pick("замечаний при чтении", "problems of reading")),
    };
    format!("{}: {:.1} {}{problems}", language.pick(ru, en), report.seconds, language.pick("с", "s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_never_goes_back_from_stage_to_stage() {
        let phases = [Phase::Files, Phase::Metadata, Phase::Modules, Phase::World, Phase::Edges, Phase::Finish];
        let mut last = 0.0;
        for phase in phases {
            for done in 0..=4 {
                let now = overall(Progress { phase, done, total: 4 });
                assert!(now >= last, "{phase:?} {done}: {now} < {last}");
                last = now;
            }
        }
        assert!((last - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_folder_without_a_dump_is_refused_with_the_reason() {
        let folder = std::env::temp_dir();
        let places = Places::at(&folder.join("metascope-no-such-data"));
        let message = place_of(&folder.join("нет такой папки"), Some(&places), Language::Russian).unwrap_err();
        assert!(message.contains("нет такой папки"), "{message}");
    }
}

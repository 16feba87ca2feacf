//! Several files are replaced together, or none of them.
//!
//! ```text
//! journal: prepare     the new texts are being written beside the files, under other names
//! journal: commit      they are whole and on the disk; now each takes its file's place
//! no journal           done
//! ```
//!
//! Whoever comes next after a kill reads the journal: what was only prepared is dropped, what was being committed is finished. If a
//! file changed in between by another hand, the others go back to what they were.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::EditError;
use super::model::hash;

/// The name of the journal in the folder of changes.
const JOURNAL: &str = "journal.json";

/// A file and the text that is to stand in it. A text that is None: there is no file.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    pub target: PathBuf,
    /// Text as it must be before.
    pub old: Option<String>,
    pub new: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    committed: bool,
    steps: Vec<Step>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Step {
    target: PathBuf,
    /// The new text, beside the target.
    temporary: PathBuf,
    /// To go back to; None: there was no file.
    old: Option<String>,
    /// Hash of the new text; None: the file goes.
    after: Option<String>,
}

impl Step {
    /// The new text takes the file's place, or the file goes.
    fn take_place(&self, hook: Hook<'_>) -> io::Result<()> {
        hook("rename")?;
        match self.after {
            Some(_) => fs::rename(&self.temporary, &self.target)?,
            None => {
                fs::remove_file(&self.target)?;
                remove_empty_folders(&self.target);
            }
        }
        sync_folder(&self.target);
        Ok(())
    }

    /// What stood there stands there again. The temporary file took the target's place: its name is free.
    fn go_back(&self, hook: Hook<'_>) -> io::Result<()> {
        let Some(old) = &self.old else {
            hook("rename")?;
            fs::remove_file(&self.target)?;
            remove_empty_folders(&self.target);
            return Ok(());
        };
        hook("write").and_then(|()| write_beside(&self.temporary, &self.target, old))?;
        hook("rename").and_then(|()| fs::rename(&self.temporary, &self.target))
    }
}

/// What is under a path.
enum Found {
    Nothing,
    Text(String),
    /// No text any more.
    Other,
}

impl Found {
    fn at(path: &Path) -> Result<Self, EditError> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Self::Text(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Nothing),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Self::Other),
            Err(source) => Err(EditError::Io { path: path.to_path_buf(), source }),
        }
    }

    fn is(&self, expected: Option<&str>) -> bool {
        match self {
            Self::Nothing => expected.is_none(),
            Self::Text(text) => Some(text.as_str()) == expected,
            Self::Other => false,
        }
    }

    fn has_hash(&self, expected: Option<&str>) -> bool {
        match self {
            Self::Nothing => expected.is_none(),
            Self::Text(text) => Some(hash(text).as_str()) == expected,
            Self::Other => false,
        }
    }
}

/// Asked before each operation on a file; an error stops as a kill would.
pub(super) type Hook<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// Never stops.
pub(super) const GO_ON: Hook<'static> = &|_| Ok(());

/// Replaces the files. After an error the caller calls [`repair`].
pub(super) fn replace_all(folder: &Path, replacements: &[Replacement], hook: Hook<'_>) -> Result<(), EditError> {
    let steps: Vec<Step> = (1..)
        .zip(replacements)
        .map(|(number, replacement)| Step {
            target: replacement.target.clone(),
            temporary: temporary(&replacement.target, number),
            old: replacement.old.clone(),
            after: replacement.new.as_deref().map(hash),
        })
        .collect();
    let mut journal = Journal { committed: false, steps };
    write_journal(folder, &journal, hook)?;
    for (step, replacement) in journal.steps.iter().zip(replacements) {
        let Some(new) = &replacement.new else { continue };
        let path = &step.temporary;
        hook("write").and_then(|()| write_beside(path, &replacement.target, new)).map_err(io_at(path))?;
    }
    journal.committed = true;
    write_journal(folder, &journal, hook)?;
    for step in &journal.steps {
        let path = &step.target;
        // Between the look at the start and now another program may have written it.
        if !Found::at(path)?.is(step.old.as_deref()) {
            return Err(EditError::Io { path: path.clone(), source: io::ErrorKind::ResourceBusy.into() });
        }
        step.take_place(hook).map_err(io_at(path))?;
    }
    finish(folder, hook)
}

/// Whether a replacement is going on, or was left unfinished.
pub(super) fn is_open(folder: &Path) -> bool {
    folder.join(JOURNAL).exists()
}

/// Brings an unfinished replacement to an end; true if there was one.
pub(super) fn repair(folder: &Path, hook: Hook<'_>) -> Result<bool, EditError> {
    let path = folder.join(JOURNAL);
    let Some(text) = read(&path)? else { return Ok(false) };
    let journal: Journal = serde_json::from_str(&text)
        .map_err(|error| EditError::Record { path: path.clone(), why: error.to_string() })?;
    if !journal.committed {
        drop_temporary(&journal, hook)?;
        finish(folder, hook)?;
        return Ok(true);
    }
    let mut ahead = Vec::new();
    let mut done = Vec::new();
    let mut conflict = false;
    for step in &journal.steps {
        let (found, after) = (Found::at(&step.target)?, step.after.as_deref());
        let is_ready = || Ok::<_, EditError>(after.is_none() || Found::at(&step.temporary)?.has_hash(after));
        if found.has_hash(after) {
            done.push(step);
        } else if found.is(step.old.as_deref()) && is_ready()? {
            ahead.push(step);
        } else {
            // What somebody else wrote is not ours to touch.
            conflict = true;
        }
    }
    if conflict {
        for step in done {
            step.go_back(hook).map_err(io_at(&step.target))?;
        }
        drop_temporary(&journal, hook)?;
    } else {
        for step in ahead {
            step.take_place(hook).map_err(io_at(&step.target))?;
        }
    }
    finish(folder, hook)?;
    Ok(true)
}

/// Writes a file of our own in one step.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), EditError> {
    let beside = temporary(path, 0);
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(io_at(path))?;
    sync_folder(path);
    Ok(())
}

/// The text of a file; None if there is none, or it is no text any more.
pub(super) fn read(path: &Path) -> Result<Option<String>, EditError> {
    Ok(match Found::at(path)? {
        Found::Text(text) => Some(text),
        Found::Nothing | Found::Other => None,
    })
}

/// A name in the same folder, so that taking the file's place is one step; no dump has files of such a name.
fn temporary(target: &Path, number: usize) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.metascope-{}-{number}", std::process::id()))
}

fn write_beside(path: &Path, target: &Path, text: &str) -> io::Result<()> {
    // Whatever lies there under that name, a link above all, is not written through.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    match fs::metadata(target) {
        Ok(known) => file.set_permissions(known.permissions())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    file.sync_all()
}

/// Folders above a file that is gone go with it, as far as nothing else is in them: most were made for it.
fn remove_empty_folders(path: &Path) {
    // `X/Forms/F/Ext/Form/Module.bsl` is the deepest.
    for folder in path.ancestors().skip(1).take(5) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

fn write_journal(folder: &Path, journal: &Journal, hook: Hook<'_>) -> Result<(), EditError> {
    let path = folder.join(JOURNAL);
    let text = serde_json::to_string(journal)
        .map_err(|error| EditError::Record { path: path.clone(), why: error.to_string() })?;
    hook("journal").map_err(io_at(&path))?;
    write_whole(&path, &text)
}

fn drop_temporary(journal: &Journal, hook: Hook<'_>) -> Result<(), EditError> {
    for step in &journal.steps {
        let path = &step.temporary;
        match hook("drop").and_then(|()| fs::remove_file(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_at(path)(error)),
            _ if step.old.is_none() => remove_empty_folders(path),
            _ => {}
        }
    }
    Ok(())
}

fn finish(folder: &Path, hook: Hook<'_>) -> Result<(), EditError> {
    let path = folder.join(JOURNAL);
    hook("finish").and_then(|()| fs::remove_file(&path)).map_err(io_at(&path))?;
    sync_folder(&path);
    Ok(())
}

/// Names of a folder reach the disk. Where a folder can't be opened as a file (Windows) the system does it by itself.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> EditError + '_ {
    move |source| EditError::Io { path: path.to_path_buf(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct Project {
        folder: tempfile::TempDir,
        replacements: Vec<Replacement>,
    }

    fn project() -> Project {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("edits")).unwrap();
        let replacements = ["а", "б", "в"].map(|name| {
            let target = folder.path().join(name);
            let old = format!("\u{feff}{name}\r\n");
            fs::write(&target, &old).unwrap();
            Replacement { target, new: Some(format!("{old}новое")), old: Some(old) }
        });
        Project { folder, replacements: replacements.to_vec() }
    }

    impl Project {
        fn edits(&self) -> PathBuf {
            self.folder.path().join("edits")
        }

        /// None: the files are neither all old nor all new.
        fn is_new(&self) -> Option<bool> {
            let texts: Vec<String> =
                self.replacements.iter().map(|one| fs::read_to_string(&one.target).unwrap()).collect();
            let all = |pick: fn(&Replacement) -> &Option<String>| {
                texts.iter().eq(self.replacements.iter().filter_map(|one| pick(one).as_ref()))
            };
            match (all(|one| &one.old), all(|one| &one.new)) {
                (true, false) => Some(false),
                (false, true) => Some(true),
                _ => None,
            }
        }

        fn is_clean(&self) -> bool {
            fs::read_dir(self.folder.path()).unwrap().count() == 4 && fs::read_dir(self.edits()).unwrap().count() == 0
        }
    }

    /// Stops at the operation of that number.
    fn stop_at(number: usize) -> impl Fn(&'static str) -> io::Result<()> {
        let left = Cell::new(number);
        move |_| {
            left.set(left.get().wrapping_sub(1));
            if left.get() == usize::MAX { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        }
    }

    #[test]
    fn a_kill_at_any_point_leaves_all_files_old_or_new() {
        let mut outcomes = Vec::new();
        for number in 0.. {
            let project = project();
            let killed = replace_all(&project.edits(), &project.replacements, &stop_at(number)).is_err();
            // The repair is killed as well, at each of its own points.
            for again in 0..20 {
                if repair(&project.edits(), &stop_at(again)).is_ok() {
                    break;
                }
            }
            assert!(!repair(&project.edits(), GO_ON).unwrap(), "nothing is left to repair");
            let is_new = project.is_new();
            assert!(is_new.is_some(), "kill {number}: some old, some new");
            assert!(project.is_clean(), "kill {number}");
            outcomes.push(is_new.unwrap());
            if !killed {
                break;
            }
        }
        // Journal, three texts, journal, three renames, the end.
        assert_eq!(outcomes, [false, false, false, false, false, true, true, true, true, true]);
    }

    #[test]
    fn what_another_hand_wrote_in_between_stays_and_the_rest_goes_back() {
        let project = project();
        replace_all(&project.edits(), &project.replacements, &stop_at(6)).unwrap_err();
        fs::write(&project.replacements[2].target, "чужое").unwrap();
        assert!(repair(&project.edits(), GO_ON).unwrap());
        let texts: Vec<String> =
            project.replacements.iter().map(|one| fs::read_to_string(&one.target).unwrap()).collect();
        assert_eq!(texts, ["\u{feff}а\r\n", "\u{feff}б\r\n", "чужое"]);
        assert!(project.is_clean());
    }

    #[test]
    fn a_file_that_changed_is_not_overwritten() {
        let project = project();
        fs::write(&project.replacements[1].target, "чужое").unwrap();
        replace_all(&project.edits(), &project.replacements, GO_ON).unwrap_err();
        repair(&project.edits(), GO_ON).unwrap();
        let texts: Vec<String> =
            project.replacements.iter().map(|one| fs::read_to_string(&one.target).unwrap()).collect();
        assert_eq!(texts, ["\u{feff}а\r\n", "чужое", "\u{feff}в\r\n"]);
        assert!(project.is_clean());
    }

    /// A file that comes and one that goes, wherever the program is killed.
    #[test]
    fn files_come_and_go_as_they_change() {
        let mut outcomes = Vec::new();
        for number in 0.. {
            let mut project = project();
            let new = project.folder.path().join("Каталог/Ext/г");
            project.replacements.push(Replacement { target: new.clone(), old: None, new: Some("г".to_owned()) });
            project.replacements[0].new = None;
            let killed = replace_all(&project.edits(), &project.replacements, &stop_at(number)).is_err();
            for again in 0..20 {
                if repair(&project.edits(), &stop_at(again)).is_ok() {
                    break;
                }
            }
            let gone = !project.replacements[0].target.exists();
            assert_eq!(gone, new.exists(), "kill {number}");
            assert_eq!(gone, project.folder.path().join("Каталог").exists(), "kill {number}: folders");
            let changed = fs::read_to_string(&project.replacements[1].target).unwrap().ends_with("новое");
            assert_eq!(gone, changed, "kill {number}");
            assert_eq!(fs::read_dir(project.edits()).unwrap().count(), 0, "kill {number}");
            outcomes.push(gone);
            if !killed {
                break;
            }
        }
        assert!(
            outcomes.first() == Some(&false) && outcomes.last() == Some(&true) && outcomes.len() > 8,
            "{outcomes:?}"
        );
        // What another hand put there in the meantime stays.
        let project = project();
        let mine = Replacement { old: None, ..project.replacements[0].clone() };
        replace_all(&project.edits(), &[mine, project.replacements[1].clone()], GO_ON).unwrap_err();
        repair(&project.edits(), GO_ON).unwrap();
        assert_eq!(project.is_new(), Some(false));
    }

    #[cfg(unix)]
    #[test]
    fn rights_stay_and_links_are_not_written_through() {
        use std::os::unix::fs::PermissionsExt;
        let project = project();
        let target = &project.replacements[0].target;
        fs::set_permissions(target, fs::Permissions::from_mode(0o640)).unwrap();
        let victim = project.folder.path().join("edits").join("victim");
        fs::write(&victim, "цел").unwrap();
        std::os::unix::fs::symlink(&victim, temporary(target, 1)).unwrap();
        replace_all(&project.edits(), &project.replacements, GO_ON).unwrap();
        assert_eq!(fs::metadata(target).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(victim).unwrap(), "цел");
        assert_eq!(project.is_new(), Some(true));
    }
}

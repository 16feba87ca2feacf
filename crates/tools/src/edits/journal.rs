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

/// A file and the text that is to stand in it.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    pub target: PathBuf,
    /// Text as it must be before.
    pub old: String,
    pub new: String,
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
    /// To go back to.
    old: String,
    after: String,
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
            after: hash(&replacement.new),
        })
        .collect();
    let mut journal = Journal { committed: false, steps };
    write_journal(folder, &journal, hook)?;
    for (step, replacement) in journal.steps.iter().zip(replacements) {
        let path = &step.temporary;
        hook("write").and_then(|()| write_beside(path, &replacement.target, &replacement.new)).map_err(io_at(path))?;
    }
    journal.committed = true;
    write_journal(folder, &journal, hook)?;
    for step in &journal.steps {
        let path = &step.target;
        // Between the look at the start and now another program may have written it.
        if read(path)?.as_deref() != Some(&step.old) {
            return Err(EditError::Io { path: path.clone(), source: io::ErrorKind::ResourceBusy.into() });
        }
        hook("rename").and_then(|()| fs::rename(&step.temporary, path)).map_err(io_at(path))?;
        sync_folder(path);
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
        match read(&step.target)? {
            Some(text) if hash(&text) == step.after => done.push(step),
            Some(text) if text == step.old && hash_of(&step.temporary)?.as_ref() == Some(&step.after) => {
                ahead.push(step)
            }
            // What somebody else wrote is not ours to touch.
            _ => conflict = true,
        }
    }
    if conflict {
        for step in done {
            // Its temporary file took its place: the name is free.
            let back = || {
                hook("write").and_then(|()| write_beside(&step.temporary, &step.target, &step.old))?;
                hook("rename").and_then(|()| fs::rename(&step.temporary, &step.target))
            };
            back().map_err(io_at(&step.target))?;
        }
        drop_temporary(&journal, hook)?;
    } else {
        for step in ahead {
            let path = &step.target;
            hook("rename").and_then(|()| fs::rename(&step.temporary, path)).map_err(io_at(path))?;
            sync_folder(path);
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
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => Ok(None),
        Err(source) => Err(EditError::Io { path: path.to_path_buf(), source }),
    }
}

fn hash_of(path: &Path) -> Result<Option<String>, EditError> {
    Ok(read(path)?.map(|text| hash(&text)))
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
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(fs::metadata(target)?.permissions())?;
    file.sync_all()
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
            Replacement { target, new: format!("{old}новое"), old }
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
            let all = |pick: fn(&Replacement) -> &String| texts.iter().eq(self.replacements.iter().map(pick));
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

//! What a project tells of itself in its file `metascope.toml`: see `docs/settings.md`.
//!
//! The file is looked for in the folder of the dump and in the folders above it, up to the root of the repository. What is wrong
//! in it becomes a problem with its line; all the rest counts.

mod keys;
mod read;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::read::ProblemRow;

/// Name of the file.
pub const FILE: &str = "metascope.toml";
/// Folders that are looked into: that of the dump and those above it (`project/src/cf` is two below its project).
const FOLDERS: usize = 4;
/// Longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The settings of a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectSettings {
    /// The file, relative to the folder of the dump (`metascope.toml`, `../../metascope.toml`); None if there is none.
    pub file: Option<String>,
    /// What edges depend on: the built-in lists, and the project's own rows behind them.
    pub graph: graph::Settings,
    /// Where the help of the platform lies, as written: files `shcntx_*.hbk`, folders of the platform, or `none`.
    pub platform_help: Vec<String>,
    /// Functions that the file names: the configuration must have them.
    pub named: Vec<NamedFunction>,
    /// What is wrong in the file, and how to mend it.
    pub problems: Vec<ProblemRow>,
}

/// A function that the file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// `Module.Function` of a common module.
    pub function: String,
    /// 1-based line in the file.
    pub line: u32,
}

impl ProjectSettings {
    /// The settings of the project that a dump belongs to; `root` is the dump's folder.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let Some((file, path)) = find(&root) else { return Self::default() };
        match text_of(&path) {
            Ok(text) => read::read(&text, &file),
            Err(why) => {
                let unread = problem(&file, 0, &format!("файл не читается: {why}"), &format!("can't be read: {why}"));
                Self { file: Some(file), problems: vec![unread], ..Self::default() }
            }
        }
    }

    /// What an index must have been built with to be as it would be now.
    #[must_use]
    pub fn key(&self) -> String {
        // No edge depends on where the platform's help lies.
        let Self { file, graph, platform_help: _, named, problems } = self;
        format!("{:016x}", crate::names::hash64(format!("{:?}", (file, graph, named, problems)).as_bytes()))
    }

    /// Where the help of the platform is to be looked for: the paths that the file names, from its folder on; None if it names none.
    /// `none` instead of a path: nowhere, so the list is empty.
    #[must_use]
    pub fn platform_help_paths(&self, root: &Path) -> Option<Vec<PathBuf>> {
        let file = self.file.as_ref().filter(|_| !self.platform_help.is_empty())?;
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let file = root.join(file);
        let folder = file.parent().unwrap_or(&root);
        let paths = self.platform_help.iter().filter(|path| *path != "none");
        Some(paths.map(|path| folder.join(path)).collect())
    }

    /// What of the settings the configuration contradicts: functions that are not there.
    #[must_use]
    pub fn missing(&self, world: &graph::World) -> Vec<ProblemRow> {
        let Some(file) = &self.file else { return Vec::new() };
        let absent = |named: &&NamedFunction| world.find(&format!("CommonModule.{}", named.function)).is_none();
        let row = |NamedFunction { function, line }: &NamedFunction| {
            problem(
                file,
                *line,
                &format!("в общих модулях нет функции {function}: исправьте имя или уберите строку"),
                &format!("no common module has the function {function}: mend the name, or take the row out"),
            )
        };
        self.named.iter().filter(absent).map(row).collect()
    }
}

/// The nearest file: its path relative to `root`, and its path.
fn find(root: &Path) -> Option<(String, PathBuf)> {
    for (up, folder) in root.ancestors().take(FOLDERS).enumerate() {
        let path = folder.join(FILE);
        if path.is_file() {
            return Some((format!("{}{FILE}", "../".repeat(up)), path));
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    None
}

fn text_of(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("> {} KB", LONGEST >> 10));
    }
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn problem(file: &str, line: u32, ru: &str, en: &str) -> ProblemRow {
    ProblemRow {
        file: file.to_owned(),
        line,
        kind: "settings".to_owned(),
        message_ru: ru.to_owned(),
        message_en: en.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ROW: &str = "[dispatchers]\nmanager_by_name = [\"А.Б\"]\n";

    #[test]
    fn the_nearest_file_above_the_dump_within_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project/src/cf");
        fs::create_dir_all(&root).unwrap();
        assert_eq!(ProjectSettings::of(&root).file, None);
        fs::write(folder.path().join(FILE), ROW).unwrap();
        fs::create_dir(folder.path().join("project/.git")).unwrap();
        assert_eq!(ProjectSettings::of(&root).file, None, "the file of another repository");
        fs::write(folder.path().join("project").join(FILE), ROW).unwrap();
        assert_eq!(ProjectSettings::of(&root).file.as_deref(), Some("../../metascope.toml"));
        fs::write(root.join(FILE), ROW).unwrap();
        assert_eq!(ProjectSettings::of(&root).file.as_deref(), Some("metascope.toml"));
    }

    #[test]
    fn the_platforms_help_is_named_from_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project/src/cf");
        fs::create_dir_all(&root).unwrap();
        let of = |text: &str| {
            fs::write(folder.path().join("project").join(FILE), text).unwrap();
            let settings = ProjectSettings::of(&root);
            assert_eq!(settings.problems, []);
            (settings.key(), settings.platform_help_paths(&root))
        };
        let (key, paths) = of(ROW);
        assert_eq!(paths, None);
        let (with_help, paths) = of(&format!("{ROW}[platform]\nhelp = [\"help/shcntx_ru.hbk\"]\n"));
        let expected = root.canonicalize().unwrap().join("../../help/shcntx_ru.hbk");
        assert_eq!(paths, Some(vec![expected]));
        assert_eq!(with_help, key, "edges don't depend on it");
        assert_eq!(of("[platform]\nhelp = [\"none\"]\n").1, Some(Vec::new()));
        fs::write(root.join(FILE), "[platform]\nhelp = [\" \"]\n").unwrap();
        assert_eq!(ProjectSettings::of(&root).problems.len(), 1);
    }

    #[test]
    fn a_file_that_cant_be_read_is_a_problem_and_no_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let before = ProjectSettings::of(folder.path());
        assert!(before.problems.is_empty());
        fs::write(folder.path().join(FILE), [b'#', 0xff]).unwrap();
        let settings = ProjectSettings::of(folder.path());
        assert_eq!(settings.problems.len(), 1);
        assert_eq!(settings.graph, graph::Settings::default());
        assert_ne!(settings.key(), before.key(), "an index without the problem is another one");
    }
}

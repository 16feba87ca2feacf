//! Where the platform's help lies.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Names of the container, the better one first: in Russian its pages have both names of everything, in English mostly one.
const FILES: [&str; 2] = ["shcntx_ru.hbk", "shcntx_root.hbk"];

/// The folders in which platforms are usually set up: each holds a folder a version.
#[must_use]
pub fn platform_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut under = |variable: &str, below: &str| {
        if let Some(folder) = env::var_os(variable).filter(|folder| !folder.is_empty()) {
            folders.push(Path::new(&folder).join(below));
        }
    };
    if cfg!(windows) {
        under("ProgramFiles", "1cv8");
        under("ProgramFiles(x86)", "1cv8");
        under("ProgramW6432", "1cv8");
        under("LOCALAPPDATA", "Programs/1cv8");
        under("LOCALAPPDATA", "Programs/1cv8_x64");
    } else {
        for folder in ["/opt/1cv8/x86_64", "/opt/1cv8/i386", "/opt/1cv8", "/opt/1C/v8.3/x86_64", "/opt/1C/v8.3/i386"] {
            folders.push(PathBuf::from(folder));
        }
    }
    folders
}

/// The container that a path leads to: the file itself, a version's folder or its `bin`, or a folder that holds versions, of which the
/// newest one counts that has help.
#[must_use]
pub fn platform_help_file(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    in_version(path).or_else(|| {
        let mut versions: Vec<(Vec<u32>, PathBuf)> = fs::read_dir(path)
            .ok()?
            .flatten()
            .filter_map(|entry| Some((version(&entry.file_name())?, entry.path())))
            .collect();
        versions.sort();
        versions.iter().rev().find_map(|(_, folder)| in_version(folder))
    })
}

fn in_version(folder: &Path) -> Option<PathBuf> {
    let folders = [folder.to_path_buf(), folder.join("bin")];
    FILES.iter().find_map(|file| folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file()))
}

/// `8.3.27.1719` as numbers; None for a folder of another name.
fn version(name: &OsStr) -> Option<Vec<u32>> {
    let parts: Option<Vec<u32>> = name.to_str()?.split('.').map(|part| part.parse().ok()).collect();
    parts.filter(|parts| parts.len() >= 3)
}

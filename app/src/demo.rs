//! The demo configuration inside the program: what an installed program opens when there is nothing else to open.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use paths::Places;

/// `corpus/demo`, packed by `build.rs`.
const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/demo.tar.z"));
/// Says which archive a folder was unpacked from. A reader of dumps takes no notice of hidden files.
const MARK: &str = ".unpacked";

/// The folder of the demo in the user's data directory; unpacked if it isn't there, or is of another version of the program.
///
/// # Errors
/// If the data directory can't be written.
pub fn unpacked(places: &Places) -> io::Result<PathBuf> {
    let folder = places.demo_dir();
    let mark = format!("{:016x}\n", index::names::hash64(ARCHIVE));
    if fs::read_to_string(folder.join(MARK)).is_ok_and(|found| found == mark) {
        return Ok(folder);
    }
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    // Beside its place, and moved there in one step: nobody sees half of it.
    let fresh = tempfile::Builder::new().prefix(".demo-").tempdir_in(parent)?;
    let mut archive = tar::Archive::new(ZlibDecoder::new(ARCHIVE));
    // The time of unpacking tells an index that the files are others.
    archive.set_preserve_mtime(false);
    archive.unpack(fresh.path())?;
    fs::write(fresh.path().join(MARK), mark)?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::rename(fresh.keep(), &folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_demo_is_unpacked_once_and_again_when_it_is_another() {
        let data = tempfile::tempdir().unwrap();
        let folder = unpacked(&Places::at(data.path())).unwrap();
        let files = |root: &Path| metadata::list_files(root).unwrap().0.into_iter().map(|file| (file.path, file.size));
        assert!(files(&folder).eq(files(&support::demo())));
        fs::write(folder.join("own.txt"), "").unwrap();
        unpacked(&Places::at(data.path())).unwrap();
        assert!(folder.join("own.txt").exists(), "nothing is done twice");
        fs::write(folder.join(MARK), "older").unwrap();
        unpacked(&Places::at(data.path())).unwrap();
        assert!(!folder.join("own.txt").exists() && folder.join("Configuration.xml").exists());
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}

//! Where the files of an index are on this machine.

use super::Index;
use crate::Result;
use rusqlite::Connection;
use std::path::{Component, Path, PathBuf};

/// The folders of the layers.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    main: PathBuf,
    /// Behind the first layer: what shown paths begin with, and the folder.
    others: Vec<(String, PathBuf)>,
}

impl Roots {
    pub(crate) fn of(connection: &Connection) -> Result<Self> {
        let mut statement = connection.prepare_cached("SELECT name, root FROM layer ORDER BY id")?;
        let layer = |row: &rusqlite::Row<'_>| {
            Ok((format!("{}::", row.get::<_, String>(0)?), PathBuf::from(row.get::<_, String>(1)?)))
        };
        let layers = statement.query_map([], layer)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut layers = layers.into_iter();
        let main = layers.next().map_or_else(PathBuf::new, |(_, root)| root);
        Ok(Self { main, others: layers.collect() })
    }

    /// Where a file is, by its path as the views show it (`CommonModules/X.xml`, `Расш::CommonModules/X.xml`).
    #[must_use]
    pub fn path(&self, shown: &str) -> PathBuf {
        let (root, path) = self.split(shown);
        root.join(path)
    }

    /// The folder of a file's layer, and the path from there.
    pub(crate) fn split<'s>(&'s self, shown: &'s str) -> (&'s Path, &'s str) {
        let other = self.others.iter().find_map(|(prefix, root)| Some((&**root, shown.strip_prefix(&**prefix)?)));
        other.unwrap_or((&self.main, shown))
    }

    /// Those of one dump alone.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Self { main: root.to_owned(), others: Vec::new() }
    }

    /// Where a file is that a person or a model named, if it lies inside of its layer's folder: nothing absolute, no `..`, no
    /// link that leads out. That it exists is not said.
    #[must_use]
    pub fn inside(&self, named: &str) -> Option<PathBuf> {
        let (root, rest) = self.split(named);
        let rest = rest.replace('\\', "/");
        // A drive, or a stream of a file, is a plain name elsewhere.
        if rest.is_empty() || rest.contains([':', '\0']) {
            return None;
        }
        let relative = Path::new(&rest);
        if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return None;
        }
        let full = root.join(relative);
        match (full.canonicalize(), root.canonicalize()) {
            (Ok(real), Ok(root)) => real.starts_with(root).then_some(full),
            _ => Some(full),
        }
    }
}

impl Index {
    /// Where the files of this index are.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn layer_roots(&self) -> Result<Roots> {
        Roots::of(&self.connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn files_of_each_layer() {
        let roots = Roots { main: "/a".into(), others: vec![("Р::".into(), "/b".into())] };
        let path = |shown: &str| roots.path(shown);
        assert_eq!(path("Ext/M.bsl"), Path::new("/a/Ext/M.bsl"));
        assert_eq!(path("Р::Ext/M.bsl"), Path::new("/b/Ext/M.bsl"));
        assert_eq!(path("Другое::M.bsl"), Path::new("/a/Другое::M.bsl"));
    }

    #[test]
    fn nothing_outside_of_the_folders() {
        let dir = tempfile::tempdir().unwrap();
        let (main, other) = (dir.path().join("main"), dir.path().join("other"));
        std::fs::create_dir_all(main.join("Ext")).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(dir.path().join("secret"), "").unwrap();
        let roots = Roots { main: main.clone(), others: vec![("Р::".into(), other.clone())] };
        assert_eq!(roots.inside("Ext/M.xml"), Some(main.join("Ext/M.xml")));
        assert_eq!(roots.inside("./Ext\\M.xml"), Some(main.join("./Ext/M.xml")));
        assert_eq!(roots.inside("Р::M.xml"), Some(other.join("M.xml")));
        let outside = [
            "",
            "../secret",
            "Ext/../../secret",
            "..\\secret",
            "/etc/passwd",
            "C:/x",
            "C:\\x",
            "Р::../secret",
            "Р::/etc",
        ];
        for named in outside {
            assert_eq!(roots.inside(named), None, "{named}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret"), main.join("link")).unwrap();
            assert_eq!(roots.inside("link"), None);
        }
    }
}

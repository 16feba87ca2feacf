//! Files that come, go and get other names.

use crate::edits::Dice;
use std::path::{Path, PathBuf};

/// Files of modules that an object may have.
const MODULES: [&str; 4] = ["ObjectModule.bsl", "ManagerModule.bsl", "RecordSetModule.bsl", "ValueManagerModule.bsl"];

/// What was taken away, and may come again.
#[derive(Default)]
pub struct Shelf(Vec<(PathBuf, Vec<u8>)>);

impl Shelf {
    /// Changes which files there are in a dump; says how.
    pub fn change(&mut self, root: &Path, dice: &mut Dice) -> String {
        let all: Vec<PathBuf> = ["bsl", "xml"].iter().flat_map(|extension| super::files_of(root, extension)).collect();
        let all: Vec<PathBuf> = all.into_iter().filter(|file| file.parent() != Some(root)).collect();
        let file = dice.one(&all).clone();
        match dice.below(6) {
            0 => {
                self.0.push((file.clone(), std::fs::read(&file).unwrap()));
                std::fs::remove_file(&file).unwrap();
                format!("{} is taken away", file.display())
            }
            1 if !self.0.is_empty() => {
                let (file, text) = self.0.swap_remove(dice.below(self.0.len()));
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                put(&file, &text);
                format!("{} is put back", file.display())
            }
            1 | 2 => {
                let modules = super::files_of(root, "bsl");
                let (from, to) = (dice.one(&modules), file.with_file_name(dice.one(&MODULES)));
                put(&to, &std::fs::read(from).unwrap());
                format!("{} comes from {}", to.display(), from.display())
            }
            what => {
                let Some(object) = Object::of(root, &file) else { return "nothing".to_owned() };
                let new = (what != 3).then(|| format!("{}Н", object.name));
                object.becomes(new.as_deref(), what == 4);
                format!("{} becomes {new:?}, {what}", object.description.display())
            }
        }
    }
}

/// Writes a file, whether it is there or not; what was linked keeps its content.
fn put(file: &Path, text: &[u8]) {
    if file.exists() {
        std::fs::remove_file(file).unwrap();
    }
    std::fs::write(file, text).unwrap();
}

/// An object of the top level.
struct Object {
    name: String,
    description: PathBuf,
    /// The description of the configuration.
    list: PathBuf,
}

impl Object {
    /// The object that a file is of.
    fn of(root: &Path, file: &Path) -> Option<Self> {
        let below = file.strip_prefix(root).ok()?;
        let mut parts = below.iter();
        let (kind, name) = (parts.next()?, Path::new(parts.next()?).with_extension(""));
        let description = root.join(kind).join(&name).with_extension("xml");
        let object = Self { name: name.to_str()?.to_owned(), description, list: root.join("Configuration.xml") };
        object.description.is_file().then_some(object)
    }

    /// It gets another name, in its description and in the list; without one it goes. `keeps`: what was there stays.
    fn becomes(&self, new: Option<&str>, keeps: bool) {
        let list = super::read(&self.list);
        let listed = format!(">{}</", self.name);
        let lines = list.lines().flat_map(|line| match new {
            _ if !line.contains(&listed) || line.contains("<Name>") => vec![line.to_owned()],
            None => Vec::new(),
            Some(new) => {
                let renamed = line.replace(&listed, &format!(">{new}</"));
                if keeps { vec![line.to_owned(), renamed] } else { vec![renamed] }
            }
        });
        super::write(&self.list, &lines.map(|line| line + "\n").collect::<String>());
        let folder = self.description.with_extension("");
        if let Some(new) = new {
            let text = super::read(&self.description);
            let named = |name: &str| format!("<Name>{name}</Name>");
            let text = text.replacen(&named(&self.name), &named(new), 1);
            put(&self.description.with_file_name(format!("{new}.xml")), text.as_bytes());
            if folder.is_dir() {
                support::copy_folder(&folder, &folder.with_file_name(new));
            }
        }
        if !keeps {
            std::fs::remove_file(&self.description).unwrap();
            if folder.is_dir() {
                std::fs::remove_dir_all(&folder).unwrap();
            }
        }
    }
}

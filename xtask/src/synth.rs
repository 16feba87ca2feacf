//! `cargo xtask synth DUMP OUT`: a configuration several times as large as a real one, for measuring.
//!
//! Every object is copied with a suffix to its name, and every word of its texts that names an object gets the same suffix: each
//! copy is as tightly woven as the original, and hangs together with no other one. Identifiers of objects differ as well.

use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose objects a configuration has once.
const ONCE: [&str; 2] = ["Languages", "Ext"];
/// Files whose text names things; pictures and the like are left out, nothing that is measured reads them.
const TEXTS: [&str; 3] = ["xml", "bsl", "html"];

pub fn command(dump: &Path, out: &Path, times: u32) -> Result<()> {
    if out.exists() {
        bail!("{} is there already: give a folder that isn't", out.display());
    }
    let text = fs::read_to_string(dump.join("Configuration.xml"))
        .with_context(|| format!("{} is no dump of the Designer: no Configuration.xml", dump.display()))?;
    let names = names(&text);
    let mut files = 0_u64;
    for number in 1..=times {
        let suffix = if number == 1 { String::new() } else { format!("К{number}") };
        files += copy(dump, Path::new(""), out, &Copy { names: &names, suffix: &suffix, number })?;
    }
    fs::write(out.join("Configuration.xml"), with_children(&text, times))?;
    println!("{}: {} objects, {files} files", out.display(), names.len() * times as usize);
    Ok(())
}

/// One copy.
struct Copy<'a> {
    names: &'a HashSet<String>,
    suffix: &'a str,
    number: u32,
}

/// Copies a folder of the dump; gives the number of files.
fn copy(dump: &Path, folder: &Path, out: &Path, copy_of: &Copy<'_>) -> Result<u64> {
    let mut files = 0;
    let from = dump.join(folder);
    for entry in fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_top = folder.as_os_str().is_empty();
        if is_top && (name == "Configuration.xml" || copy_of.number > 1 && ONCE.contains(&name.as_str())) {
            continue;
        }
        let path = folder.join(&name);
        if entry.file_type()?.is_dir() {
            files += copy(dump, &path, out, copy_of)?;
            continue;
        }
        if !path.extension().is_some_and(|extension| TEXTS.iter().any(|text| extension == *text)) {
            continue;
        }
        let to = out.join(renamed(&path, copy_of.suffix));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        let bytes = fs::read(dump.join(&path))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) if copy_of.number > 1 => fs::write(&to, rewritten(text, copy_of))?,
            _ => fs::write(&to, &bytes)?,
        }
        files += 1;
    }
    Ok(files)
}

/// `Catalogs/X/Ext/…`, `Catalogs/X.xml` with the suffix behind the object's name.
fn renamed(path: &Path, suffix: &str) -> PathBuf {
    let mut parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if let Some(object) = parts.get_mut(1) {
        *object = match object.strip_suffix(".xml") {
            Some(name) => format!("{name}{suffix}.xml"),
            None => format!("{object}{suffix}"),
        };
    }
    parts.iter().collect()
}

/// A text with the suffix behind every word that names an object, and with identifiers of its own.
fn rewritten(text: &str, copy_of: &Copy<'_>) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match first_of_uuid(word, after) {
            Some(first) => out.push_str(&format!("{:08x}", first ^ (copy_of.number << 24))),
            None => out.push_str(word),
        }
        if copy_of.names.contains(word) {
            out.push_str(copy_of.suffix);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The first eight digits of an identifier that begins here.
fn first_of_uuid(word: &str, after: &str) -> Option<u32> {
    let is_hex = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let rest = after.strip_prefix('-')?.get(..27)?;
    let parts: Vec<&str> = rest.split('-').collect();
    let lengths = [4, 4, 4, 12];
    let fits = parts.len() == 4 && parts.iter().zip(lengths).all(|(part, length)| is_hex(part, length));
    if fits && is_hex(word, 8) { u32::from_str_radix(word, 16).ok() } else { None }
}

/// Names of the objects that the configuration lists.
fn names(configuration: &str) -> HashSet<String> {
    children(configuration).filter(|(kind, _)| *kind != "Language").map(|(_, name)| name.to_owned()).collect()
}

/// The rows `<Kind>Name</Kind>` of the configuration's objects.
fn children(configuration: &str) -> impl Iterator<Item = (&str, &str)> {
    let list = configuration.split_once("<ChildObjects>").map_or("", |(_, list)| list);
    list.lines().take_while(|line| !line.contains("</ChildObjects>")).filter_map(|line| {
        let (kind, rest) = line.trim().strip_prefix('<')?.split_once('>')?;
        Some((kind, rest.split_once("</")?.0))
    })
}

fn with_children(configuration: &str, times: u32) -> String {
    let Some((before, list)) = configuration.split_once("<ChildObjects>") else { return configuration.to_owned() };
    let mut rows = String::new();
    for number in 2..=times {
        for (kind, name) in children(configuration).filter(|(kind, _)| *kind != "Language") {
            rows.push_str(&format!("\n\t\t\t<{kind}>{name}К{number}</{kind}>"));
        }
    }
    format!("{before}<ChildObjects>{rows}{list}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_objects_and_identifiers_become_others() {
        let names: HashSet<String> = ["Склад".to_owned()].into();
        let copy_of = Copy { names: &names, suffix: "К2", number: 2 };
        assert_eq!(
            rewritten("Склад.Остаток(Склады) <a uuid=\"5c55913b-6573-4f45-b848-a90373dafdac\"/> 5c55913b-1", &copy_of),
            "СкладК2.Остаток(Склады) <a uuid=\"5e55913b-6573-4f45-b848-a90373dafdac\"/> 5c55913b-1"
        );
        assert_eq!(renamed(Path::new("Catalogs/А.xml"), "К2"), Path::new("Catalogs/АК2.xml"));
        assert_eq!(renamed(Path::new("Catalogs/А/Ext/А.bsl"), "К2"), Path::new("Catalogs/АК2/Ext/А.bsl"));
        let text = "<ChildObjects>\n\t\t\t<Language>Р</Language>\n\t\t\t<Catalog>А</Catalog>\n\t\t</ChildObjects>";
        assert!(with_children(text, 2).starts_with("<ChildObjects>\n\t\t\t<Catalog>АК2</Catalog>\n\t\t\t<Language>"));
    }
}

//! The twin of a Designer dump: the same configuration as a project of 1C:EDT, written mechanically.
//!
//! It is the way back of `crates/metadata/src/edt`, written apart from it and over another XML library, so that the two
//! can't agree on a mistake by sharing code. What they share is the tables of properties, which were gathered from a
//! configuration that exists in both formats. `cargo run -p metascope-tests --example edt_twin` writes `corpus/demo_edt`.

mod description;
mod form;
mod predefined;
mod value;
mod xml;

use roxmltree::{Document, Node};
use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use xml::{El, settings};

/// Writes the twin of the Designer dump at `dump` into the folder `project`, which is made if it isn't there.
///
/// # Errors
/// A file can't be read or written, or isn't XML.
pub fn write_edt(dump: &Path, project: &Path) -> Result<()> {
    let twin = Twin { dump, project };
    twin.project_files()?;
    twin.configuration()?;
    for kind in description::kinds().filter(|kind| kind.top && !kind.folder.is_empty() && kind.name != "Language") {
        for (name, file) in xml_files(&dump.join(kind.folder))? {
            twin.object(&file, &PathBuf::from(kind.folder).join(&name), &name, &[])?;
        }
    }
    Ok(())
}

struct Twin<'t> {
    dump: &'t Path,
    project: &'t Path,
}

impl Twin<'_> {
    fn put(&self, path: &Path, text: &str) -> Result<()> {
        let file = self.project.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)
    }

    /// What Eclipse and EDT keep beside the sources, and the settings of Metascope.
    fn project_files(&self) -> Result<()> {
        self.put(Path::new("DT-INF/PROJECT.PMF"), "Manifest-Version: 1.0\nRuntime-Version: 8.3.27\n")?;
        let settings = self.dump.join("metascope.toml");
        if settings.is_file() {
            self.put(Path::new("metascope.toml"), &text(&settings)?)?;
        }
        Ok(())
    }

    fn configuration(&self) -> Result<()> {
        let source = text(&self.dump.join("Configuration.xml"))?;
        let document = parse(&source)?;
        let node = described(&document)?;
        let mut languages = Vec::new();
        for (_, file) in xml_files(&self.dump.join("Languages"))? {
            let source = text(&file)?;
            languages.push(description::part(described(&parse(&source)?)?, "Language", "languages"));
        }
        let root = description::root(node, "Configuration", languages);
        let folder = Path::new("src/Configuration");
        self.put(&folder.join("Configuration.mdo"), &root.document())?;
        self.contents(&self.dump.join("Ext"), folder)
    }

    /// An object with everything that lies in its folder. `place`: its folder in both formats, relative to the root.
    fn object(&self, file: &Path, place: &Path, name: &str, holders: &[String]) -> Result<()> {
        let source = text(file)?;
        let document = parse(&source)?;
        let node = described(&document)?;
        let kind = node.tag_name().name();
        let full_name = holders.last().map_or_else(|| format!("{kind}.{name}"), |h| format!("{h}.{kind}.{name}"));
        let folder = self.dump.join(place);
        let to = Path::new("src").join(place);
        let mut inner = self.inner(&folder, &full_name)?;
        inner.extend(holders.last().map(|holder| El::leaf(description::holder(kind), holder)));
        let root = description::root(node, kind, inner);
        self.put(&to.join(format!("{name}.mdo")), &root.document())?;
        self.contents(&folder.join("Ext"), &to)?;
        let mut holders = holders.to_vec();
        holders.push(full_name);
        for nested in ["Subsystems", "Tables"] {
            for (name, file) in xml_files(&folder.join(nested))? {
                self.object(&file, &place.join(nested).join(&name), &name, &holders)?;
            }
        }
        for nested in ["Forms", "Templates", "Commands"] {
            for entry in folders(&folder.join(nested))? {
                self.contents(&folder.join(nested).join(&entry).join("Ext"), &to.join(nested).join(entry))?;
            }
        }
        Ok(())
    }

    /// What EDT keeps within the description of an object: forms, templates, predefined items, content of a plan, help.
    fn inner(&self, folder: &Path, full_name: &str) -> Result<Vec<El>> {
        let mut all = Vec::new();
        for (nested, kind, feature) in [("Forms", "Form", "forms"), ("Templates", "Template", "templates")] {
            for (_, file) in xml_files(&folder.join(nested))? {
                let source = text(&file)?;
                all.push(description::part(described(&parse(&source)?)?, kind, feature));
            }
        }
        let predefined = folder.join("Ext/Predefined.xml");
        if predefined.is_file() {
            let source = text(&predefined)?;
            let is_catalog = full_name.starts_with("Catalog.");
            all.push(predefined::predefined(parse(&source)?.root_element(), is_catalog));
        }
        let content = folder.join("Ext/Content.xml");
        if content.is_file() {
            let source = text(&content)?;
            all.extend(predefined::exchange_plan(parse(&source)?.root_element()));
        }
        let pages = names(&folder.join("Ext/Help"))?;
        let pages = pages.iter().filter_map(|page| page.strip_suffix(".html")).filter(|page| !page.contains('/'));
        let pages: Vec<El> = pages.map(|page| El::new("pages").holding([El::leaf("lang", page)])).collect();
        if !pages.is_empty() {
            all.push(El::new("help").holding(pages));
        }
        Ok(all)
    }

    /// The files of an `Ext` folder, by the names that EDT has for them.
    fn contents(&self, ext: &Path, to: &Path) -> Result<()> {
        for path in names(ext)? {
            let file = ext.join(&path);
            match path.as_str() {
                "Predefined.xml" | "Content.xml" | "Help.xml" => {}
                "Form.xml" => self.form(&file, to)?,
                "Schedule.xml" => {
                    let source = text(&file)?;
                    let schedule = predefined::schedule(parse(&source)?.root_element());
                    self.put(&to.join("Schedule.schedule"), &schedule.document())?;
                }
                "Template.xml" => {
                    let source = text(&file)?;
                    let is_schema = parse(&source)?.root_element().has_tag_name(SCHEMA);
                    self.put(&to.join(if is_schema { "Template.dcs" } else { "Template.mxlx" }), &source)?;
                }
                path => {
                    let renamed = RENAMED.iter().find(|(designer, _)| *designer == path).map_or(path, |(_, edt)| *edt);
                    self.put(&to.join(renamed), &text(&file)?)?;
                }
            }
        }
        Ok(())
    }

    fn form(&self, file: &Path, to: &Path) -> Result<()> {
        let source = text(file)?;
        let document = parse(&source)?;
        let root = document.root_element();
        self.put(&to.join("Form.form"), &form::form(root).document())?;
        let attributes = xml::child(root, "Attributes");
        let Some(attributes) = attributes else { return Ok(()) };
        for attribute in xml::children(attributes) {
            if attribute.has_tag_name((form::SPACE, "ConditionalAppearance")) {
                let text = settings("ConditionalAppearance", attribute).document();
                self.put(&to.join("ConditionalAppearance.dcssca"), &text)?;
            }
            let list = xml::child(attribute, "Settings").and_then(|s| xml::child(s, "ListSettings"));
            if let (Some(list), Some(name)) = (list, attribute.attribute("name")) {
                let path = to.join("Attributes").join(name).join("ExtInfo/ListSettings.dcss");
                self.put(&path, &settings("Settings", list).document())?;
            }
        }
        Ok(())
    }
}

const SCHEMA: (&str, &str) = ("http://v8.1c.ru/8.1/data-composition-system/schema", "DataCompositionSchema");

/// Files that are the same in both formats, under another name.
const RENAMED: [(&str, &str); 4] = [
    ("Form/Module.bsl", "Module.bsl"),
    ("Rights.xml", "Rights.rights"),
    ("Flowchart.xml", "Flowchart.scheme"),
    ("Package.bin", "Package.xdto"),
];

/// A text file as EDT writes it: without byte order mark, lines ended by LF.
fn text(file: &Path) -> Result<String> {
    let text = fs::read_to_string(file)?;
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

fn parse(source: &str) -> Result<Document<'_>> {
    Document::parse(source).map_err(Error::other)
}

/// The element that a description is of.
fn described<'a, 'i>(document: &'a Document<'i>) -> Result<Node<'a, 'i>> {
    document.root_element().first_element_child().ok_or_else(|| Error::other("an empty description"))
}

/// Descriptions in a folder: (name, file), sorted. No folder: none.
fn xml_files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut all = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if let (Some(name), Some("xml")) = (path.file_stem(), path.extension().and_then(|e| e.to_str())) {
                all.push((name.to_string_lossy().into_owned(), path.clone()));
            }
        }
    }
    all.sort();
    Ok(all)
}

fn folders(folder: &Path) -> Result<Vec<String>> {
    let mut all = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                all.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
    }
    all.sort();
    Ok(all)
}

/// Files below a folder, relative to it with `/`, sorted. No folder: none.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let mut left = vec![String::new()];
    while let Some(inner) = left.pop() {
        let path = folder.join(&inner);
        if !path.is_dir() {
            continue;
        }
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = if inner.is_empty() { name } else { format!("{inner}/{name}") };
            if entry.file_type()?.is_dir() { left.push(name) } else { all.push(name) }
        }
    }
    all.sort();
    Ok(all)
}

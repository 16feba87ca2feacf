//! A dump around the genuine ordinary forms: they are only forms, without the descriptions that a dump has.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a common form, and the kind of element that lists it.
const COMMON: (&str, &str) = ("CommonForms", "CommonForm");
/// Folders of objects with forms, and their kinds.
const OBJECTS: [(&str, &str); 3] =
    [("Catalogs", "Catalog"), ("DataProcessors", "DataProcessor"), ("InformationRegisters", "InformationRegister")];
const HEAD: &str = "<MetaDataObject xmlns=\"http://v8.1c.ru/8.3/MDClasses\" version=\"2.20\">";

/// Copies the forms of a folder into `to`, with the descriptions that make a dump of them. Gives the full names of the forms.
///
/// # Panics
/// A file can't be read or written.
pub fn dump_of_forms(from: &Path, to: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut objects: BTreeMap<(&str, &str, String), Vec<String>> = BTreeMap::new();
    for form in folders(&from.join(COMMON.0)) {
        objects.entry((COMMON.0, COMMON.1, name_of(&form))).or_default();
        copy(&form.join("Ext"), &to.join(COMMON.0).join(name_of(&form)).join("Ext"));
        names.push(format!("CommonForm.{}", name_of(&form)));
    }
    for (folder, kind) in OBJECTS {
        for object in folders(&from.join(folder)) {
            let forms = objects.entry((folder, kind, name_of(&object))).or_default();
            for form in folders(&object.join("Forms")) {
                let into = to.join(folder).join(name_of(&object)).join("Forms");
                copy(&form.join("Ext"), &into.join(name_of(&form)).join("Ext"));
                write(&into.join(format!("{}.xml", name_of(&form))), &description("Form", &name_of(&form), &[]));
                names.push(format!("{kind}.{}.Form.{}", name_of(&object), name_of(&form)));
                forms.push(name_of(&form));
            }
        }
    }
    let mut listed = String::new();
    for ((folder, kind, name), forms) in &objects {
        let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
        write(&to.join(folder).join(format!("{name}.xml")), &description(kind, name, &forms));
        listed.push_str(&format!("<{kind}>{name}</{kind}>"));
    }
    let configuration = format!(
        "{HEAD}<Configuration uuid=\"1\"><Properties><Name>Формы</Name></Properties><ChildObjects>{listed}</ChildObjects></Configuration></MetaDataObject>"
    );
    write(&to.join("Configuration.xml"), &configuration);
    names.sort();
    names
}

fn description(kind: &str, name: &str, forms: &[&str]) -> String {
    let forms: String = forms.iter().map(|form| format!("<Form>{form}</Form>")).collect();
    format!(
        "{HEAD}<{kind} uuid=\"1\"><Properties><Name>{name}</Name></Properties><ChildObjects>{forms}</ChildObjects></{kind}></MetaDataObject>"
    )
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).unwrap_or_else(|error| panic!("{}: {error}", of.display()));
    entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn copy(from: &Path, to: &Path) {
    let bytes = fs::read(from.join("Form.bin")).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    fs::create_dir_all(to)
        .and_then(|()| fs::write(to.join("Form.bin"), bytes))
        .unwrap_or_else(|error| panic!("{error}"));
}

fn write(path: &Path, text: &str) {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, text)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

//! Makes an extension of a real configuration, and says what a reader must find in it: random methods under each annotation,
//! forms with `callType`, methods under `&ИзменениеИКонтроль` of which some were made for another text.
//!
//! It reads the base by lines of text alone, so that it shares nothing with the readers that it tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the generated extension.
pub const NAME: &str = "Проба";

/// How much to generate.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Methods for each of the four annotations.
    pub methods: usize,
    /// Forms with handlers that have a `callType`.
    pub forms: usize,
    /// Methods under control beside those: half of them have drifted.
    pub controls: usize,
    /// Another seed gives another extension.
    pub seed: u64,
}

/// A method of the extension and the method of the base that it overrides: full names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// `Проба::CommonModule.X.Проба_М_1`.
    pub extension: String,
    /// `CommonModule.X.М`.
    pub base: String,
    /// `before`, `after`, `around`, `change_and_validate`.
    pub kind: &'static str,
    /// A method under control that was made for another text of its base.
    pub drifted: bool,
}

/// What was generated.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// By annotation.
    pub annotated: Vec<Pair>,
    /// By `callType` of a form's event.
    pub handlers: Vec<Pair>,
}

/// Annotations with the words that indexes have for them.
const ANNOTATIONS: [(&str, &str); 4] =
    [("Перед", "before"), ("После", "after"), ("Вместо", "around"), ("ИзменениеИКонтроль", "change_and_validate")];
const CALL_TYPES: [(&str, &str); 3] = [("Before", "before"), ("After", "after"), ("Override", "around")];

/// A method of the base as its lines say it.
#[derive(Debug, Clone)]
struct Method {
    /// Path of the module below the root.
    path: String,
    name: String,
    is_function: bool,
    /// `&НаСервере` and the like, above it.
    directive: String,
    /// From the header to the end, lines ended by LF.
    text: String,
    /// Lines of the header.
    header: usize,
}

/// Writes an extension of the dump `base` into the folder `target`. There may be less of everything than planned, if the base
/// holds less.
///
/// # Errors
/// If a file can't be read or written.
pub fn generate(base: &Path, target: &Path, plan: Plan) -> io::Result<Generated> {
    let mut dice = Dice(plan.seed | 1);
    let mut files = Vec::new();
    list(base, "", &mut files)?;
    let mut methods = Vec::new();
    for path in files.iter().filter(|path| owner_of(path).is_some() && path.ends_with(".bsl")) {
        methods.extend(methods_of(path, &fs::read_to_string(base.join(path))?));
    }
    dice.shuffle(&mut methods);
    let mut extension = Extension { base, dice, modules: BTreeMap::new(), generated: Generated::default(), number: 0 };
    let mut used = BTreeSet::new();
    for (annotation, kind) in ANNOTATIONS {
        let count = if kind == "change_and_validate" { plan.methods + plan.controls } else { plan.methods };
        let fits = |method: &&Method| {
            let is_long = method.text.lines().count() > method.header + 2;
            match kind {
                "before" | "after" => !method.is_function,
                "change_and_validate" => is_long,
                _ => true,
            }
        };
        let free = methods.iter().filter(fits).filter(|m| !used.contains(&(m.path.clone(), m.name.clone())));
        let chosen: Vec<Method> = free.take(count).cloned().collect();
        for (place, method) in chosen.iter().enumerate() {
            used.insert((method.path.clone(), method.name.clone()));
            let drifted = kind == "change_and_validate" && place < plan.controls / 2;
            extension.annotate(method, annotation, kind, drifted)?;
        }
    }
    let mut forms: Vec<&String> = files.iter().filter(|path| path.ends_with("/Ext/Form.xml")).collect();
    extension.dice.shuffle(&mut forms);
    let mut forms_done = BTreeMap::new();
    for path in forms {
        if forms_done.len() >= plan.forms {
            break;
        }
        if let Some(content) = extension.form(path, &methods)? {
            forms_done.insert(path.clone(), content);
        }
    }
    extension.write(target, &forms_done)?;
    Ok(extension.generated)
}

struct Extension<'a> {
    base: &'a Path,
    dice: Dice,
    /// Texts of modules by path.
    modules: BTreeMap<String, String>,
    generated: Generated,
    number: usize,
}

impl Extension<'_> {
    fn annotate(&mut self, method: &Method, annotation: &str, kind: &'static str, drifted: bool) -> io::Result<()> {
        let (module, own) = (module_name(self.base, &method.path)?, self.own_name(&method.name));
        let mut text = format!("{}&{annotation}(\"{}\")\n", method.directive, method.name);
        let renamed = method.text.replacen(&method.name, &own, 1);
        if kind == "change_and_validate" {
            text.push_str(&self.controlled(&renamed, method.header, drifted));
        } else {
            text.extend(renamed.split_inclusive('\n').take(method.header));
            if kind == "around" && self.dice.below(2) == 0 {
                text.push_str(if method.is_function {
                    "\tВозврат ПродолжитьВызов();\n"
                } else {
                    "\tПродолжитьВызов();\n"
                });
            }
            text.push_str(if method.is_function {
                "КонецФункции\n"
            } else {
                "КонецПроцедуры\n"
            });
        }
        let of_module = self.modules.entry(method.path.clone()).or_default();
        let _ = write!(of_module, "\n{text}");
        let (extension, base) = (format!("{NAME}::{module}.{own}"), format!("{module}.{}", method.name));
        self.generated.annotated.push(Pair { extension, base, kind, drifted });
        Ok(())
    }

    fn own_name(&mut self, name: &str) -> String {
        self.number += 1;
        format!("{NAME}_{name}_{}", self.number)
    }

    /// The text of a method with marked changes, and with others that don't count; if it `drifted`, with one that does.
    fn controlled(&mut self, text: &str, header: usize, drifted: bool) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let last = lines.len() - 1;
        let simple: Vec<usize> = (header..last).filter(|place| is_statement(&lines, *place)).collect();
        let deleted = (!simple.is_empty()).then(|| simple[self.dice.below(simple.len())]);
        let drops = drifted && simple.len() > 1 && self.dice.below(2) == 0;
        let dropped = simple.iter().copied().rfind(|place| drops && Some(*place) != deleted);
        let mut result = String::new();
        for (place, line) in lines.iter().enumerate() {
            if place == last {
                result.push_str("\t#Вставка\n\tЛишнее = 1;\n\t#КонецВставки\n");
                if drifted && dropped.is_none() {
                    result.push_str("\tЧужое = 2;\n");
                }
                result.push_str("\t// Комментарий расширения\n");
            }
            match place {
                _ if Some(place) == dropped => {}
                _ if Some(place) == deleted => {
                    let _ = write!(result, "#Удаление\n{line}#КонецУдаления\n");
                }
                _ => result.push_str(line),
            }
        }
        result
    }

    /// The content of a form that stands around handlers of the base's form; None if that has none.
    fn form(&mut self, path: &str, methods: &[Method]) -> io::Result<Option<String>> {
        let module_path = path.replace("Ext/Form.xml", "Ext/Form/Module.bsl");
        let Some((form, _)) = owner_of(path).zip(Some(())) else { return Ok(None) };
        let own: BTreeSet<&str> = methods.iter().filter(|m| m.path == module_path).map(|m| m.name.as_str()).collect();
        let content = fs::read_to_string(self.base.join(path))?;
        let events = events_of(&content);
        let mut written = String::new();
        let name =
            if form.form.is_empty() { form.full_name(self.base)? } else { module_name(self.base, &module_path)? };
        for (event, handler) in events.iter().filter(|(_, handler)| own.contains(handler.as_str())) {
            let (call, kind) = CALL_TYPES[self.dice.below(CALL_TYPES.len())];
            let procedure = self.own_name(handler);
            let _ = writeln!(written, "\t\t<Event name=\"{event}\" callType=\"{call}\">{procedure}</Event>");
            let module = self.modules.entry(module_path.clone()).or_default();
            let _ = write!(module, "\nПроцедура {procedure}(Параметр)\nКонецПроцедуры\n");
            let (extension, base) = (format!("{NAME}::{name}.{procedure}"), format!("{name}.{handler}"));
            self.generated.handlers.push(Pair { extension, base, kind, drifted: false });
        }
        let content = format!("<Form{SPACES}>\n\t<Events>\n{written}\t</Events>\n\t<BaseForm/>\n</Form>\n");
        Ok((!written.is_empty()).then_some(content))
    }

    fn write(&self, target: &Path, forms: &BTreeMap<String, String>) -> io::Result<()> {
        let mut objects: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for (path, text) in &self.modules {
            put(target, path, &format!("\u{feff}{text}"))?;
        }
        for (path, text) in forms {
            put(target, path, text)?;
        }
        for owner in self.modules.keys().chain(forms.keys()).filter_map(|path| owner_of(path)) {
            let of_object = objects.entry((owner.folder.clone(), owner.name.clone())).or_default();
            if !owner.form.is_empty() {
                of_object.insert(owner.form);
            }
        }
        let mut listed = String::new();
        for ((folder, name), forms) in &objects {
            let kind = kind_of(self.base, folder, name)?;
            let _ = writeln!(listed, "\t\t\t<{kind}>{name}</{kind}>");
            let children: String = forms.iter().map(|form| format!("<Form>{form}</Form>")).collect();
            put(target, &format!("{folder}/{name}.xml"), &adopted(&kind, name, &children))?;
            for form in forms {
                put(target, &format!("{folder}/{name}/Forms/{form}.xml"), &adopted("Form", form, ""))?;
            }
        }
        let configuration = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MetaDataObject{SPACES} version=\"2.20\">\n\t<Configuration uuid=\"\">\n\
             \t\t<Properties>\n\t\t\t<ObjectBelonging>Adopted</ObjectBelonging>\n\t\t\t<Name>{NAME}</Name>\n\
             \t\t\t<ConfigurationExtensionPurpose>Customization</ConfigurationExtensionPurpose>\n\
             \t\t\t<NamePrefix>{NAME}_</NamePrefix>\n\t\t</Properties>\n\t\t<ChildObjects>\n{listed}\t\t</ChildObjects>\n\
             \t</Configuration>\n</MetaDataObject>\n"
        );
        put(target, "Configuration.xml", &configuration)
    }
}

const SPACES: &str = " xmlns=\"http://v8.1c.ru/8.3/MDClasses\"";

fn adopted(kind: &str, name: &str, children: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MetaDataObject{SPACES} version=\"2.20\">\n\t<{kind} uuid=\"\">\n\
         \t\t<Properties>\n\t\t\t<ObjectBelonging>Adopted</ObjectBelonging>\n\t\t\t<Name>{name}</Name>\n\t\t</Properties>\n\
         \t\t<ChildObjects>{children}</ChildObjects>\n\t</{kind}>\n</MetaDataObject>\n"
    )
}

/// What a module or a form belongs to: `Catalogs/X/Forms/F/Ext/Form/Module.bsl`.
#[derive(Debug, Clone)]
struct Owner {
    folder: String,
    name: String,
    /// Empty if it is the object's own.
    form: String,
}

impl Owner {
    fn full_name(&self, base: &Path) -> io::Result<String> {
        let object = format!("{}.{}", kind_of(base, &self.folder, &self.name)?, self.name);
        Ok(if self.form.is_empty() { object } else { format!("{object}.Form.{}", self.form) })
    }
}

fn owner_of(path: &str) -> Option<Owner> {
    let parts: Vec<&str> = path.split('/').collect();
    let (folder, name, form) = match parts.as_slice() {
        [folder, name, "Forms", form, "Ext", ..] => (folder, name, *form),
        [folder, name, "Ext", ..] => (folder, name, ""),
        _ => return None,
    };
    Some(Owner { folder: (*folder).to_owned(), name: (*name).to_owned(), form: form.to_owned() })
}

/// The kind of an object, by the element of its description.
fn kind_of(base: &Path, folder: &str, name: &str) -> io::Result<String> {
    let text = fs::read_to_string(base.join(folder).join(format!("{name}.xml")))?;
    let element = text.lines().find_map(|line| line.strip_prefix("\t<")).unwrap_or("");
    Ok(element.split([' ', '>']).next().unwrap_or("").to_owned())
}

fn module_name(base: &Path, path: &str) -> io::Result<String> {
    let Some(owner) = owner_of(path) else { return Ok(String::new()) };
    let name = owner.full_name(base)?;
    let file = path.rsplit('/').next().unwrap_or("").trim_end_matches(".bsl");
    let is_own = path.ends_with("Ext/Form/Module.bsl") || name.starts_with("CommonModule.");
    Ok(if is_own { name } else { format!("{name}.{file}") })
}

/// The methods of a module, those whose names it holds twice and asynchronous ones left out.
fn methods_of(path: &str, text: &str) -> Vec<Method> {
    let text = text.trim_start_matches('\u{feff}').replace('\r', "");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let starts = |line: &str, words: [&str; 2]| {
        let line = line.trim_start().to_lowercase();
        words
            .iter()
            .position(|word| line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    };
    let mut found: Vec<Method> = Vec::new();
    let mut from = None;
    for (place, line) in lines.iter().enumerate() {
        if starts(line, ["процедура", "функция"]).is_some() && from.is_none() {
            from = Some(place);
        }
        if starts(line, ["конецпроцедуры", "конецфункции"]).is_none() {
            continue;
        }
        let Some(first) = from.take() else { continue };
        let header = lines[first];
        let rest = header.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        let name: String = rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let Some(length) = header_length(&lines[first..=place]) else { continue };
        let above = first.checked_sub(1).and_then(|place| lines.get(place)).copied().unwrap_or("");
        found.push(Method {
            path: path.to_owned(),
            name,
            is_function: starts(header, ["функция", "функция"]).is_some(),
            directive: if above.starts_with('&') { above.to_owned() } else { String::new() },
            text: lines[first..=place].concat(),
            header: length,
        });
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for method in &found {
        *counts.entry(method.name.to_lowercase()).or_default() += 1;
    }
    // A name that stands in its own header once more could not be replaced there; a last line without end spoils what follows.
    found.retain(|m| counts[&m.name.to_lowercase()] == 1 && !m.name.is_empty() && m.text.ends_with('\n'));
    found
}

/// How many lines a header takes: up to the parenthesis that closes it.
fn header_length(lines: &[&str]) -> Option<usize> {
    let (mut depth, mut in_string) = (0_usize, false);
    for (place, line) in lines.iter().enumerate() {
        let code = line.split("//").next().unwrap_or(line);
        for c in code.chars() {
            match c {
                '"' => in_string = !in_string,
                '(' if !in_string => depth += 1,
                ')' if !in_string => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(place + 1);
                    }
                }
                _ => {}
            }
        }
    }
    None
}

/// Whether a line is a whole statement, and the one before it ends one or opens a block.
fn is_statement(lines: &[&str], place: usize) -> bool {
    let line = lines[place].trim();
    let before = lines[place - 1].trim();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let head = line.trim_start_matches(is_word);
    line.ends_with(';')
        && head.len() < line.len()
        && (head.starts_with(" = ") || head.starts_with('('))
        && !line.contains(['"', '\'', '|', '/', '#'])
        && (before.ends_with(';') || before.ends_with("Тогда") || before.ends_with("Цикл") || before.is_empty())
}

/// Events of the form itself, with their procedures.
fn events_of(content: &str) -> Vec<(String, String)> {
    let lines = content.lines().skip_while(|line| *line != "\t<Events>").skip(1);
    let events = lines.take_while(|line| *line != "\t</Events>").filter_map(|line| {
        let (event, rest) = line.trim().strip_prefix("<Event name=\"")?.split_once("\">")?;
        Some((event.to_owned(), rest.strip_suffix("</Event>")?.to_owned()))
    });
    events.collect()
}

fn list(root: &Path, folder: &str, found: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(root.join(folder))?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.is_dir() { list(root, &path, found)? } else { found.push(path) }
    }
    Ok(())
}

fn put(root: &Path, path: &str, text: &str) -> io::Result<()> {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap_or(root))?;
    fs::write(file, text)
}

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % bound.max(1)
    }

    fn shuffle<T>(&mut self, things: &mut [T]) {
        for place in (1..things.len()).rev() {
            things.swap(place, self.below(place + 1));
        }
    }
}

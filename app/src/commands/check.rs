//! `metascope check [PATH|NAME]…`: what is wrong with code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use index::{Index, Roots};
use rayon::prelude::*;
use serde_json::{Value, json};
use tools::scan::{Finding, Scanned, Scanner};
use validators::Text;
use validators::code::CHECKS;
use validators::dcs::Severity;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Checks code against the index: syntax, names that don't exist, arguments, queries, client and server.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files, folders, or names of modules, methods and objects; none: every module of the index.
    what: Vec<String>,
    /// Only this check; may be given several times.
    #[arg(long = "rule", value_name = "ID")]
    rules: Vec<String>,
    /// How to print: text, JSON, or SARIF 2.1.0 for editors and build servers.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line each, with how to mend it.
    Text,
    /// One JSON value.
    Json,
    /// SARIF 2.1.0.
    Sarif,
}

/// A module to be checked, or one of its methods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    /// The module by its place; None: a file that is none of the index.
    module: Option<usize>,
    /// The file as shown, and where it is.
    file: String,
    path: PathBuf,
    /// Only findings in these lines.
    lines: Option<(u32, u32)>,
}

/// Findings of a file.
type Found = (String, Vec<Finding>);

/// Runs it.
///
/// # Errors
/// An unknown check, name or path; a file that can't be read; if something blocks.
pub fn run(context: &Context, args: &Args) -> Outcome {
    if let Some(unknown) = args.rules.iter().find(|code| !CHECKS.iter().any(|check| check.code == **code)) {
        let near = bsl::nearest(unknown, CHECKS.iter().map(|check| check.code), 3).join(", ");
        let what = context.pick("нет такой проверки", "no such check");
        return Err(Failure::usage("bad_argument", format!("{what}: {unknown}")).with_hint(near));
    }
    let index = context.open()?;
    let fail = |error| context.index_failure(error);
    let scanner = Scanner::of(&index).map_err(fail)?;
    let roots = index.layer_roots().map_err(fail)?;
    let mut asked = BTreeSet::new();
    for what in &args.what {
        let at = Path::new(what);
        match at.exists() {
            true => by_path(context, &scanner, &roots, at, &mut asked)?,
            false => by_name(context, &index, &scanner, &roots, what, &mut asked)?,
        }
    }
    if args.what.is_empty() {
        for module in 0..scanner.grounds().world().modules().len() {
            asked.extend(module_of(&scanner, &roots, module, None).map_err(fail)?);
        }
    }
    let asked: Vec<Asked> = asked.into_iter().collect();
    let found = asked.par_iter().map(|one| scan(context, &scanner, one, &args.rules)).collect::<Outcome<Vec<_>>>()?;
    let format = if context.json() && args.format == Format::Text { Format::Json } else { args.format };
    match format {
        Format::Text => print(context, &found)?,
        Format::Json => output::json(&json!({ "findings": rows(&found), "files": asked.len() }))?,
        Format::Sarif => output::json(&sarif(context, &found))?,
    }
    let all = || found.iter().flat_map(|(_, findings)| findings);
    let blocking = all().filter(|finding| finding.severity == Severity::Blocking).count();
    let (files, count) = (context.pick("модулей", "modules"), context.pick("замечаний", "findings"));
    context.note(&format!("{files}: {}; {count}: {}", asked.len(), all().count()));
    match blocking {
        0 => Ok(()),
        _ => Err(Failure::not_found("blocked", format!("{}: {blocking}", context.pick("ошибок", "errors")))),
    }
}

/// Files of a path: one, or all modules below a folder.
fn by_path(context: &Context, scanner: &Scanner, roots: &Roots, at: &Path, asked: &mut BTreeSet<Asked>) -> Outcome {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let at = real(at);
    let before = asked.len();
    for module in 0..scanner.grounds().world().modules().len() {
        let one = module_of(scanner, roots, module, None).map_err(|error| context.index_failure(error))?;
        asked.extend(one.filter(|one| real(&one.path).starts_with(&at)));
    }
    if asked.len() == before && at.is_file() {
        let file = at.display().to_string();
        asked.insert(Asked { module: None, file, path: at, lines: None });
    } else if asked.len() == before {
        let what =
            context.pick("в папке нет модулей этой конфигурации", "the folder holds no module of this configuration");
        return Err(Failure::usage("no_module", format!("{what}: {}", at.display())));
    }
    Ok(())
}

/// What a name means: a module, a method, or all modules of an object.
fn by_name(
    context: &Context,
    index: &Index,
    scanner: &Scanner,
    roots: &Roots,
    name: &str,
    asked: &mut BTreeSet<Asked>,
) -> Outcome {
    let fail = |error| context.index_failure(error);
    let named = index.require(name).map_err(fail)?;
    let method = index.method(named.id).map_err(fail)?;
    let lines = method.as_ref().map(|method| (method.line, method.end_line));
    let world = scanner.grounds().world();
    // A method's module is what stands before its name.
    let module_of_method = named.full_name.rsplit_once('.').map_or("", |(module, _)| module);
    let full_name = if method.is_some() { module_of_method } else { &*named.full_name };
    let inside = |name: &str| {
        let rest = name.get(full_name.len()..).unwrap_or("");
        name.starts_with(full_name) && (rest.is_empty() || lines.is_none() && rest.starts_with('.'))
    };
    let before = asked.len();
    for (module, _) in world.modules().iter().enumerate().filter(|(_, info)| inside(world.name(info.node))) {
        asked.extend(module_of(scanner, roots, module, lines).map_err(fail)?);
    }
    if asked.len() == before {
        let what = context.pick("у этого нет модулей", "this has no modules");
        return Err(Failure::usage("no_module", format!("{what}: {}", named.full_name)));
    }
    Ok(())
}

fn module_of(
    scanner: &Scanner,
    roots: &Roots,
    module: usize,
    lines: Option<(u32, u32)>,
) -> index::Result<Option<Asked>> {
    let file = scanner.grounds().file_of(module)?;
    Ok(file.map(|file| Asked { module: Some(module), path: roots.path(&file), file, lines }))
}

fn scan(context: &Context, scanner: &Scanner, asked: &Asked, only: &[String]) -> Outcome<Found> {
    let text = match metadata::module_text(&asked.path) {
        Ok(text) => text,
        // Nothing can be said of a module without its text.
        Err(metadata::SourceError::Protected) => return Ok((asked.file.clone(), Vec::new())),
        Err(error) => {
            let what = context.pick("файл не читается", "the file can't be read");
            return Err(Failure::usage("file", format!("{what}: {}: {error}", asked.path.display())));
        }
    };
    let mut findings = scanner.scan(&Scanned { module: asked.module, is_part: false, text: &text, only }).findings;
    if let Some((first, last)) = asked.lines {
        findings.retain(|finding| first <= finding.line && finding.line <= last);
    }
    Ok((asked.file.clone(), findings))
}

fn print(context: &Context, found: &[Found]) -> Outcome {
    let said = |text: &Text| context.pick(&text.ru, &text.en).to_owned();
    let mut any = false;
    for (file, finding) in found.iter().flat_map(|(file, findings)| findings.iter().map(move |one| (file, one))) {
        any = true;
        let severity = match finding.severity {
            Severity::Blocking => context.pick("ошибка", "error"),
            Severity::Advisory => context.pick("замечание", "warning"),
        };
        let place = match finding.column {
            0 => format!("{file}:{}", finding.line),
            column => format!("{file}:{}:{column}", finding.line),
        };
        output::text(&format!("{place}: {severity} [{}] {}", finding.check, said(&finding.what)))?;
        output::text(&format!("    → {}", said(&finding.mend)))?;
    }
    if any { Ok(()) } else { output::text(context.pick("замечаний нет", "nothing found")) }
}

fn rows(found: &[Found]) -> Vec<Value> {
    let row = |(file, finding): (&String, &Finding)| {
        let mut row = json!(finding);
        if let Some(row) = row.as_object_mut() {
            row.insert("file".to_owned(), file.clone().into());
        }
        row
    };
    found.iter().flat_map(|(file, findings)| findings.iter().map(move |one| (file, one))).map(row).collect()
}

/// The findings as SARIF 2.1.0 (OASIS): one run, its rules, its results.
fn sarif(context: &Context, found: &[Found]) -> Value {
    let level = |severity: Severity| match severity {
        Severity::Blocking => "error",
        Severity::Advisory => "warning",
    };
    let rule = |check: &validators::code::Check| {
        json!({
            "id": check.code,
            "shortDescription": { "text": context.pick(check.title.0, check.title.1) },
            "defaultConfiguration": { "level": level(check.severity) },
        })
    };
    let result = |(file, finding): (&String, &Finding)| {
        let mut region = json!({ "startLine": finding.line });
        if let (Some(region), 1..) = (region.as_object_mut(), finding.column) {
            region.insert("startColumn".to_owned(), finding.column.into());
        }
        let (what, mend) =
            (context.pick(&finding.what.ru, &finding.what.en), context.pick(&finding.mend.ru, &finding.mend.en));
        json!({
            "ruleId": finding.check,
            "level": level(finding.severity),
            "message": { "text": format!("{what}. {mend}") },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } }],
        })
    };
    let results = found.iter().flat_map(|(file, findings)| findings.iter().map(move |one| (file, one)));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "metascope",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": CHECKS.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results.map(result).collect::<Vec<_>>(),
        }],
    })
}

/// A path as a relative URI: everything but letters of ASCII, digits and `-._~/` in percent.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    path.bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            b'\\' => uri.push('/'),
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_are_uris() {
        assert_eq!(super::uri("Ext\\М 1.bsl"), "Ext/%D0%9C%201.bsl");
    }
}

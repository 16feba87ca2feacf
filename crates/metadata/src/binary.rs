//! Files of the platform that hold a configuration, and the commands that dump them to files.

use std::path::Path;

/// What a file of the platform is, and what dumps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary {
    /// Commands of the Designer, one after the other.
    pub designer: Vec<String>,
    /// The same with `ibcmd`, the server's utility; empty if it has no such command.
    pub ibcmd: Vec<String>,
}

impl Binary {
    /// The commands as one line for people. What stands in angle brackets is for the user to choose.
    pub fn command(&self) -> String {
        let designer = self.designer.join(" && ");
        if self.ibcmd.is_empty() { designer } else { format!("{designer} (or: {})", self.ibcmd.join(" && ")) }
    }
}

const CREATE: &str = "1cv8 CREATEINFOBASE File=\"<new base>\"";
const DUMP: &str = "1cv8 DESIGNER /F \"<new base>\" /DumpConfigToFiles \"<folder>\"";
const EXPORT: &str = "ibcmd infobase config export --db-path=\"<new base>\" \"<folder>\"";

/// What dumps a file, by its extension; None if it is no file of the platform.
pub fn of(path: &Path) -> Option<Binary> {
    let file = path.display();
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    Some(match extension.as_str() {
        "cf" => Binary {
            designer: lines(&[CREATE, &format!("1cv8 DESIGNER /F \"<new base>\" /LoadCfg \"{file}\""), DUMP]),
            ibcmd: lines(&[&format!("ibcmd infobase create --db-path=\"<new base>\" --load=\"{file}\""), EXPORT]),
        },
        // An extension that adopts objects can be loaded into the base that holds them only.
        "cfe" => Binary {
            designer: lines(&[
                &format!("1cv8 DESIGNER /F \"<base of the configuration>\" /LoadCfg \"{file}\" -Extension <name>"),
                "1cv8 DESIGNER /F \"<base of the configuration>\" /DumpConfigToFiles \"<folder>\" -Extension <name>",
            ]),
            ibcmd: lines(&[
                &format!(
                    "ibcmd infobase config load --db-path=\"<base of the configuration>\" --extension=<name> \"{file}\""
                ),
                "ibcmd infobase config export --db-path=\"<base of the configuration>\" --extension=<name> \"<folder>\"",
            ]),
        },
        "epf" | "erf" => Binary {
            designer: lines(&[&format!(
                "1cv8 DESIGNER /F \"<any base>\" /DumpExternalDataProcessorOrReportToFiles \"<new file.xml>\" \"{file}\""
            )]),
            ibcmd: Vec::new(),
        },
        "dt" => Binary {
            designer: lines(&[CREATE, &format!("1cv8 DESIGNER /F \"<new base>\" /RestoreIB \"{file}\""), DUMP]),
            ibcmd: lines(&[&format!("ibcmd infobase create --db-path=\"<new base>\" --restore=\"{file}\""), EXPORT]),
        },
        "1cd" => {
            let base = path.parent().unwrap_or(path).display();
            Binary {
                designer: lines(&[&format!("1cv8 DESIGNER /F \"{base}\" /DumpConfigToFiles \"<folder>\"")]),
                ibcmd: lines(&[&format!("ibcmd infobase config export --db-path=\"{base}\" \"<folder>\"")]),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_platform_has_its_commands() {
        for (file, wanted) in [
            ("a.cf", &["/LoadCfg \"a.cf\"", "/DumpConfigToFiles", "ibcmd infobase config export"][..]),
            ("a.CFE", &["/LoadCfg \"a.CFE\" -Extension", "/DumpConfigToFiles \"<folder>\" -Extension", "--extension="]),
            ("a.epf", &["/DumpExternalDataProcessorOrReportToFiles \"<new file.xml>\" \"a.epf\""]),
            ("a.erf", &["/DumpExternalDataProcessorOrReportToFiles"]),
            ("a.dt", &["/RestoreIB \"a.dt\"", "/DumpConfigToFiles", "--restore=\"a.dt\""]),
            ("base/1Cv8.1CD", &["/F \"base\" /DumpConfigToFiles", "--db-path=\"base\""]),
        ] {
            let command = of(Path::new(file)).unwrap_or_else(|| panic!("{file}")).command();
            assert!(wanted.iter().all(|w| command.contains(w)), "{file}: {command}");
        }
        assert_eq!(of(Path::new("Module.bsl")), None);
    }
}

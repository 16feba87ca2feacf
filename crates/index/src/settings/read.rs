//! The text of `metascope.toml` -> settings. Nothing wrong in it stops the rest from being read.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, Key, Written, Wrong};
use super::{ProjectSettings, problem};

/// Reads the text of a file; `file` is what problems call it.
pub(super) fn read(text: &str, file: &str) -> ProjectSettings {
    let mut reader = Reader { text, file, settings: ProjectSettings::default() };
    let text = text.strip_prefix('\u{feff}').map_or(text, |rest| {
        // Editors on Windows write it; TOML lets it stand.
        reader.text = rest;
        rest
    });
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let message = error.message();
        let (ru, en) = (
            format!("это не TOML: {message}; строка пропущена (списки пишутся так: ключ = [\"…\", \"…\"])"),
            format!("no TOML: {message}; the line is left out (a list is written: key = [\"…\", \"…\"])"),
        );
        reader.wrong(error.span().unwrap_or_default(), Wrong(ru, en));
    }
    for (name, value) in document.get_ref() {
        reader.section(name.get_ref(), name.span(), value.get_ref());
    }
    let mut settings = reader.settings;
    settings.file = Some(file.to_owned());
    settings.problems.sort_by_key(|problem| problem.line);
    settings
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    settings: ProjectSettings,
}

impl Reader<'_> {
    fn section(&mut self, section: &str, at: Range<usize>, value: &DeValue<'_>) {
        let keys: Vec<&Key> = KEYS.iter().filter(|key| key.section == section).collect();
        if keys.is_empty() {
            let mut known: Vec<&str> = KEYS.iter().map(|key| key.section).collect();
            known.dedup();
            let known = known.iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
            let (ru, en) = (
                format!("раздела [{section}] нет; есть {known}"),
                format!("there is no section [{section}]; there are {known}"),
            );
            return self.wrong(at, Wrong(ru, en));
        }
        let Some(table) = value.as_table() else {
            let (ru, en) = (
                format!("{section} — раздел: пишите [{section}] отдельной строкой, под ней его ключи"),
                format!("{section} is a section: write [{section}] on a line of its own, and its keys below"),
            );
            return self.wrong(at, Wrong(ru, en));
        };
        for (name, value) in table {
            match keys.iter().find(|key| key.name == name.get_ref()) {
                Some(key) => self.key(key, name.span(), value.get_ref()),
                None => {
                    let known = keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ");
                    let name_as_written = name.get_ref();
                    let (ru, en) = (
                        format!("в разделе [{section}] нет ключа {name_as_written}; есть {known}"),
                        format!("the section [{section}] has no key {name_as_written}; it has {known}"),
                    );
                    self.wrong(name.span(), Wrong(ru, en));
                }
            }
        }
    }

    fn key(&mut self, key: &Key, at: Range<usize>, value: &DeValue<'_>) {
        let Some(rows) = value.as_array() else { return self.wrong(at, list_wanted(key)) };
        for row in rows {
            let line = self.line(row.span());
            let taken = match row.get_ref().as_str() {
                Some(text) => (key.take)(&mut self.settings, Written { text, line }),
                None => Err(list_wanted(key)),
            };
            if let Err(wrong) = taken {
                self.wrong(row.span(), wrong);
            }
        }
    }

    fn wrong(&mut self, at: Range<usize>, Wrong(ru, en): Wrong) {
        let line = self.line(at);
        self.settings.problems.push(problem(self.file, line, &ru, &en));
    }

    /// 1-based line of a place in the text.
    fn line(&self, at: Range<usize>) -> u32 {
        let before = self.text.as_bytes().get(..at.start).unwrap_or_default();
        u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
    }
}

fn list_wanted(key: &Key) -> Wrong {
    let name = key.name;
    Wrong(
        format!("{name} — список строк: {name} = [\"…\", \"…\"]"),
        format!("{name} is a list of strings: {name} = [\"…\", \"…\"]"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::{Dispatcher, Gives, Settings};
    use proptest::prelude::*;

    fn lines(settings: &ProjectSettings) -> Vec<u32> {
        settings.problems.iter().map(|problem| problem.line).collect()
    }

    fn own(settings: &ProjectSettings) -> &[Dispatcher] {
        &settings.graph.dispatchers[Settings::default().dispatchers.len()..]
    }

    #[test]
    fn every_key_of_the_demo_is_known_and_its_dispatchers_stand_behind_the_built_in_ones() {
        let settings = read(include_str!("../../../../corpus/demo/metascope.toml"), "metascope.toml");
        assert_eq!(settings.problems, []);
        let expected = [
            ("ОбщиеСредства.МодульПоИмени", Gives::Module),
            ("ОбщиеСредстваКлиент.КлиентскийМодульПоИмени", Gives::Module),
            ("ОбщиеСредства.МенеджерПоИмени", Gives::Manager),
        ];
        let found: Vec<_> = own(&settings).iter().map(|row| (row.function.as_str(), row.gives)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_wrong_row_costs_only_itself() {
        let text = "\u{feff}[dispatchers]\nmanager_by_name = [\n  \"А.Б#0\",\n  7,\n  \"В.Г#2\",\n]\ncommon_module_by_name = \"Д.Е\"\n\
                    by_name = []\n[dispatcher]\nx = 1\n";
        let settings = read(text, "metascope.toml");
        assert_eq!(own(&settings), [Dispatcher { function: "В.Г".into(), argument: 2, gives: Gives::Manager }]);
        assert_eq!(lines(&settings), [3, 4, 7, 8, 9]);
        assert!(settings.problems[0].message_en.contains("А.Б#0") && settings.problems[0].message_ru.contains("А.Б#0"));
        assert!(settings.problems[3].message_en.contains("manager_by_name"), "what may stand there is named");
        assert!(settings.problems[4].message_ru.contains("[dispatchers]"));
    }

    #[test]
    fn broken_toml_is_told_with_its_line_and_the_rest_counts() {
        let settings = read("[dispatchers]\nany_by_name = [\"А.Б\"]\nmanager_by_name = [\"В.Г\"\n", "metascope.toml");
        assert!(!settings.problems.is_empty());
        assert!(settings.problems.iter().all(|problem| problem.line >= 3), "{:?}", settings.problems);
        assert!(own(&settings).iter().any(|row| row.function == "А.Б"));
        let settings = read("dispatchers = 1\ndispatchers = 2", "metascope.toml");
        assert_eq!(lines(&settings), [1, 2]);
    }

    proptest! {
        #[test]
        fn any_text_gives_settings_and_problems_within_it(text in "([\\[\\]=\"#{},.\\n ]|dispatchers|any_by_name|А|7){0,40}") {
            let settings = read(&text, "metascope.toml");
            let count = u32::try_from(text.matches('\n').count() + 1).unwrap();
            prop_assert!(lines(&settings).into_iter().all(|line| (1..=count).contains(&line)));
        }
    }
}

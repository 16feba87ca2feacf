//! Folders of fields that the platform adds to every schema.

/// Their names in both languages, folded. Genuine files hold the first three and `ПоляМакета`; `РесурсыПользователя` none of them: a
/// message should rather know a folder too many.
const FOLDERS: [&str; 10] = [
    "системныеполя",
    "systemfields",
    "параметрыданных",
    "dataparameters",
    "пользовательскиеполя",
    "userfields",
    "ресурсыпользователя",
    "userresources",
    "полямакета",
    "templatefields",
];

/// Whether a path (`ПараметрыДанных.Период`) lies in such a folder, or is one.
pub fn is_of_system(path: &str) -> bool {
    FOLDERS.contains(&bsl::fold(path.split('.').next().unwrap_or("").trim()).as_str())
}

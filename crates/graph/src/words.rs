//! Names of the platform that channels look for, in both languages: `data/words.tsv`.

use std::sync::LazyLock;

use crate::names::{Ident, Names};

/// What a name of the platform means to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// The module's own object: `ЭтотОбъект`, `ЭтаФорма`.
    This,
    /// The function that evaluates an expression: `Вычислить`.
    Eval,
    /// The type `ОписаниеОповещения`.
    NotifyDescription,
    /// `ПодключитьОбработчикОжидания`.
    AttachIdleHandler,
    /// `ТипЗнч`.
    TypeOf,
    /// `Тип`.
    Type,
    /// `РеквизитФормыВЗначение`.
    FormAttributeToValue,
    /// `ДанныеФормыВЗначение`.
    FormDataToValue,
    /// `Добавить`, of a collection.
    Add,
    /// `Вставить`, of a collection.
    Insert,
    /// `ПолноеИмя`, of a metadata object.
    FullName,
    /// `Метаданные`.
    Metadata,
    /// `ВыполнитьОбработкуОповещения`.
    RunNotifyProcessing,
    /// `Выполнить`, of a query.
    Execute,
    /// `Выбрать`, of a query's result.
    Select,
    /// `Выгрузить`, of a query's result.
    Unload,
    /// `Текст`, of a query.
    Text,
    /// The types of structures.
    Structure,
    /// `Оповестить`: an event to every open form.
    Notify,
    /// `ОповеститьОбИзменении`.
    NotifyChanged,
    /// `ОповеститьОВыборе`.
    NotifyChoice,
    /// The first parameter of a form's handler of notifications: `ИмяСобытия`.
    EventName,
    /// `ОткрытьФорму`, `ОткрытьФормуМодально`.
    OpenForm,
    /// `ПолучитьФорму`, of the global context and of managers.
    GetForm,
    /// `УстановитьДействие` of an item of a form.
    SetAction,
    /// The property `Действие` of a command of a form.
    Action,
    /// `Элементы` of a form.
    Items,
    /// `Команды` of a form.
    Commands,
    /// `ПредопределенноеЗначение`.
    PredefinedValue,
    /// `ТекущиеДанные` of a table of a form.
    CurrentData,
    /// `ДанныеСтроки` of a table of a form.
    RowData,
    /// `Найти`, of a collection of metadata.
    Find,
    /// `ПолучитьОбласть` of a spreadsheet template.
    GetArea,
    /// `ПолучитьМакет`, `ПолучитьОбщийМакет`.
    GetTemplate,
    /// `Параметры` of an area of a spreadsheet template.
    Parameters,
    /// `БиблиотекаКартинок`: pictures of the configuration and of the platform.
    Pictures,
    /// `ЦветаСтиля`, `ШрифтыСтиля`, `РамкиСтиля`: items of the style, of the configuration and of the platform.
    StyleItems,
    /// `ПродолжитьВызов`: the method that an extension stands around.
    ProceedWithCall,
    /// `ИмяМетода`, of a scheduled job of the metadata.
    MethodName,
}

impl Word {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "This" => Self::This,
            "Eval" => Self::Eval,
            "NotifyDescription" => Self::NotifyDescription,
            "AttachIdleHandler" => Self::AttachIdleHandler,
            "TypeOf" => Self::TypeOf,
            "Type" => Self::Type,
            "FormAttributeToValue" => Self::FormAttributeToValue,
            "FormDataToValue" => Self::FormDataToValue,
            "Add" => Self::Add,
            "Insert" => Self::Insert,
            "FullName" => Self::FullName,
            "Metadata" => Self::Metadata,
            "RunNotifyProcessing" => Self::RunNotifyProcessing,
            "Execute" => Self::Execute,
            "Select" => Self::Select,
            "Unload" => Self::Unload,
            "Text" => Self::Text,
            "Structure" => Self::Structure,
            "Notify" => Self::Notify,
            "NotifyChanged" => Self::NotifyChanged,
            "NotifyChoice" => Self::NotifyChoice,
            "EventName" => Self::EventName,
            "OpenForm" => Self::OpenForm,
            "GetForm" => Self::GetForm,
            "SetAction" => Self::SetAction,
            "Action" => Self::Action,
            "Items" => Self::Items,
            "Commands" => Self::Commands,
            "PredefinedValue" => Self::PredefinedValue,
            "CurrentData" => Self::CurrentData,
            "RowData" => Self::RowData,
            "Find" => Self::Find,
            "GetArea" => Self::GetArea,
            "GetTemplate" => Self::GetTemplate,
            "Parameters" => Self::Parameters,
            "Pictures" => Self::Pictures,
            "StyleItems" => Self::StyleItems,
            "ProceedWithCall" => Self::ProceedWithCall,
            "MethodName" => Self::MethodName,
            _ => return None,
        })
    }
}

/// Words by identifier. They are interned before any other name, so that a small table finds them.
#[derive(Default, Clone, Debug)]
pub(crate) struct Words(Vec<Word>);

impl Words {
    /// Interns the words into an empty table of identifiers.
    pub(crate) fn new(idents: &mut Names) -> Self {
        let mut words = Vec::new();
        for (word, ru, en) in rows() {
            for name in [ru, en] {
                if idents.intern(name) as usize == words.len() {
                    words.push(word);
                }
            }
        }
        Self(words)
    }

    /// What an identifier means.
    pub(crate) fn get(&self, ident: Ident) -> Option<Word> {
        self.0.get(ident.0 as usize).copied()
    }
}

/// Whether a name as written is that word: for code that has no table of identifiers at hand.
pub(crate) fn is(name: &str, word: Word) -> bool {
    rows().any(|(w, ru, en)| w == word && (crate::names::same(name, ru) || crate::names::same(name, en)))
}

type Row = (Word, &'static str, &'static str);

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!("../data/words.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        Some((Word::parse(cells.next()?)?, cells.next()?, cells.next()?))
    };
    lines.filter_map(row).collect()
});

/// Every row of the table.
pub(crate) fn rows() -> impl Iterator<Item = Row> {
    ROWS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_a_word() {
        let lines = include_str!("../data/words.tsv").lines().filter(|l| !l.starts_with('#')).skip(1).count();
        assert_eq!(rows().count(), lines);
        let mut idents = Names::default();
        let words = Words::new(&mut idents);
        assert_eq!(words.0.len(), idents.len());
        for (name, word) in
            [("этотобъект", Word::This), ("EVAL", Word::Eval), ("CallbackDescription", Word::NotifyDescription)]
        {
            assert_eq!(idents.find(name).and_then(|i| words.get(Ident(i))), Some(word));
            assert!(is(name, word));
        }
    }
}

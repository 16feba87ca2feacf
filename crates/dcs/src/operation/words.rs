//! Words of the shorthand in Russian and English: the first of a row is the one that is kept.

use super::refusal::Refusal;

/// Names of options: as in batches, and in Russian.
pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("name", "имя"),
    ("to", "новое"),
    ("set", "набор"),
    ("sets", "наборы"),
    ("field", "поле"),
    ("fields", "поля"),
    ("source", "источник"),
    ("target", "приемник"),
    ("type", "тип"),
    ("title", "заголовок"),
    ("expression", "выражение"),
    ("branches", "ветви"),
    ("presentation", "представление"),
    ("role", "роль"),
    ("restrict", "ограничить"),
    ("attributes", "реквизиты"),
    ("resource", "ресурс"),
    ("groups", "группировки"),
    ("group", "группировка"),
    ("before", "перед"),
    ("after", "после"),
    ("first", "первым"),
    ("last", "последним"),
    ("value", "значение"),
    ("list", "список"),
    ("available", "доступные"),
    ("dates", "даты"),
    ("hidden", "скрыть"),
    ("always", "всегда"),
    ("complete", "полностью"),
    ("variant", "вариант"),
    ("at", "в"),
    ("inside", "внутри"),
    ("clear", "очистить"),
    ("user", "пользователь"),
    ("view", "режим"),
    ("off", "выключить"),
    ("on", "включить"),
    ("condition", "условие"),
    ("folder", "папка"),
    ("placement", "расположение"),
    ("auto", "авто"),
    ("descending", "убыв"),
    ("kind", "вид"),
    ("rows", "строки"),
    ("columns", "колонки"),
    ("points", "точки"),
    ("series", "серии"),
    ("hierarchy", "иерархия"),
    ("query", "запрос"),
    ("text", "текст"),
    ("object", "объект"),
    ("union", "объединение"),
    ("old", "было"),
    ("new", "стало"),
    ("parameter", "параметр"),
    ("template", "макет"),
    ("schema", "схема"),
    ("apply", "применить"),
    ("use", "использовать"),
    ("optional", "необязательная"),
    ("where", "где"),
    ("appearance", "оформление"),
    ("number", "номер"),
    ("part", "часть"),
    ("action", "действие"),
    ("dimension", "измерение"),
    ("required", "обязательное"),
    ("balance", "остаток"),
    ("account", "счет"),
    ("account_type", "вид_счета"),
    ("account_field", "поле_счета"),
    ("accounting", "сторона"),
    ("ignore_nulls", "без_null"),
    ("attribute", "реквизит"),
    ("main", "главное"),
    ("total", "итог"),
    ("cases", "выбор"),
    ("header", "шапка"),
    ("across", "поперек"),
    ("across_fields", "поперек_поля"),
    ("across_part", "поперек_часть"),
    ("period", "период"),
    ("parent", "родитель"),
    ("none", "нет"),
    ("of", "из"),
    ("item", "элемент"),
];

/// The Russian name of an option.
pub(super) fn option_in_russian(option: &str) -> &str {
    OPTIONS.iter().find(|(english, _)| *english == option).map_or(option, |(_, russian)| russian)
}

/// `true` and `false`.
pub(super) fn flag(word: &str) -> Option<bool> {
    match word.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "истина" | "да" | "1" => Some(true),
        "false" | "no" | "off" | "ложь" | "нет" | "0" => Some(false),
        _ => None,
    }
}

/// Ways of comparing; longer ones first where one begins as another does.
pub(super) const COMPARISONS: &[(&str, &[&str])] = &[
    ("NotInListByHierarchy", &["не в списке по иерархии", "not in list by hierarchy"]),
    ("InListByHierarchy", &["в списке по иерархии", "in list by hierarchy"]),
    ("NotInHierarchy", &["не в иерархии", "не в группе", "not in hierarchy"]),
    ("InHierarchy", &["в иерархии", "в группе", "in hierarchy"]),
    ("NotInList", &["не в списке", "not in list"]),
    ("InList", &["в списке", "in list"]),
    ("NotBeginsWith", &["не начинается с", "not begins with"]),
    ("BeginsWith", &["начинается с", "begins with"]),
    ("NotContains", &["не содержит", "not contains"]),
    ("Contains", &["содержит", "contains"]),
    ("NotFilled", &["не заполнено", "not filled"]),
    ("Filled", &["заполнено", "filled"]),
    ("NotLike", &["не подобно", "not like"]),
    ("Like", &["подобно", "like"]),
    ("GreaterOrEqual", &[">="]),
    ("LessOrEqual", &["<="]),
    ("NotEqual", &["<>", "!="]),
    ("Greater", &[">"]),
    ("Less", &["<"]),
    ("Equal", &["="]),
];

/// Words of enumerations: what a file says, and how it is written in shorthand.
pub(super) type Words = &'static [(&'static str, &'static [&'static str])];

pub(super) const VIEW_MODES: Words = &[
    ("QuickAccess", &["быстрый", "быстрый доступ", "quick"]),
    ("Normal", &["обычный", "normal"]),
    ("Inaccessible", &["недоступный", "скрытый", "hidden"]),
    ("Auto", &["авто", "auto"]),
];
pub(super) const DIRECTIONS: Words =
    &[("Asc", &["возр", "возрастание", "asc", "ascending"]), ("Desc", &["убыв", "убывание", "desc", "descending"])];
pub(super) const GROUP_TYPES: Words = &[
    ("Items", &["элементы", "items"]),
    ("Hierarchy", &["иерархия", "hierarchy"]),
    ("HierarchyOnly", &["только иерархия", "hierarchy only"]),
];
pub(super) const FOLDER_PLACEMENTS: Words = &[
    ("Auto", &["авто", "auto"]),
    ("Horizontally", &["горизонтально", "horizontally"]),
    ("Vertically", &["вертикально", "vertically"]),
    ("SpecialColumn", &["отдельная колонка", "special column"]),
    ("Together", &["вместе", "together"]),
];
pub(super) const RESTRICTIONS: Words = &[
    ("field", &["поле", "field"]),
    ("condition", &["условие", "отбор", "condition"]),
    ("group", &["группировка", "group"]),
    ("order", &["порядок", "order"]),
];
pub(super) const ACTIONS: Words = &[
    ("None", &["нет", "none"]),
    ("DrillDown", &["расшифровать", "drill down"]),
    ("Filter", &["отфильтровать", "отобрать", "filter"]),
    ("Order", &["упорядочить", "order"]),
    ("Group", &["сгруппировать", "group"]),
    ("OpenValue", &["открыть", "открыть значение", "open"]),
    ("ApplyAppearance", &["оформить", "appearance"]),
];
pub(super) const TEMPLATE_PARTS: Words = &[
    ("Header", &["заголовок", "header"]),
    ("Footer", &["подвал", "footer"]),
    ("HierarchicalHeader", &["заголовок иерархии", "hierarchical header"]),
    ("HierarchicalFooter", &["подвал иерархии", "hierarchical footer"]),
    ("OverallHeader", &["заголовок общих итогов", "overall header"]),
    ("OverallFooter", &["подвал общих итогов", "overall footer"]),
];
pub(super) const BALANCES: Words = &[
    ("OpeningBalance", &["начальный", "начальный остаток", "opening"]),
    ("ClosingBalance", &["конечный", "конечный остаток", "closing"]),
    ("None", &["без вида", "none"]),
];
pub(super) const ACCOUNTING_BALANCES: Words =
    &[("Debit", &["дебет", "debit"]), ("Credit", &["кредит", "credit"]), ("None", &["нет", "none"])];
pub(super) const PERIOD_ROLES: Words = &[
    ("Main", &["основной", "main"]),
    ("Specify", &["уточняющий", "specify"]),
    ("Additional", &["дополнительный", "additional"]),
];
pub(super) const LISTS: Words = &[
    ("selection", &["поля", "выбранные поля", "selection"]),
    ("filter", &["отбор", "filter"]),
    ("order", &["порядок", "сортировка", "order"]),
    ("conditionalAppearance", &["оформление", "условное оформление", "appearance"]),
    ("outputParameters", &["вывод", "параметры вывода", "output"]),
    ("dataParameters", &["параметры", "параметры данных", "parameters"]),
    ("item", &["структура", "группировка", "structure"]),
];

/// What a file says for a word.
///
/// # Errors
/// If there is no such word: which ones there are.
pub(super) fn word(words: Words, text: &str, kind: (&str, &str)) -> Result<&'static str, Refusal> {
    let folded = text.trim().to_lowercase();
    let found = words.iter().find(|(name, all)| name.to_lowercase() == folded || all.contains(&folded.as_str()));
    found
        .map(|(name, _)| *name)
        .ok_or_else(|| Refusal::unknown(kind, text.trim(), words.iter().flat_map(|(_, all)| all.iter().copied())))
}

/// Beginnings of names of types whose values are references: Russian, English.
pub(super) const REFERENCES: &[(&str, &str)] = &[
    ("СправочникСсылка", "CatalogRef"),
    ("ДокументСсылка", "DocumentRef"),
    ("ПеречислениеСсылка", "EnumRef"),
    ("ПланВидовХарактеристикСсылка", "ChartOfCharacteristicTypesRef"),
    ("ПланСчетовСсылка", "ChartOfAccountsRef"),
    ("ПланВидовРасчетаСсылка", "ChartOfCalculationTypesRef"),
    ("ПланОбменаСсылка", "ExchangePlanRef"),
    ("БизнесПроцессСсылка", "BusinessProcessRef"),
    ("ЗадачаСсылка", "TaskRef"),
    ("ОпределяемыйТип", "DefinedType"),
    ("Характеристика", "Characteristic"),
];

/// What predefined values begin with.
pub(super) const PREDEFINED: &[&str] = &[
    "Справочник",
    "Catalog",
    "Документ",
    "Document",
    "Перечисление",
    "Enum",
    "ПланВидовХарактеристик",
    "ChartOfCharacteristicTypes",
    "ПланСчетов",
    "ChartOfAccounts",
    "ПланВидовРасчета",
    "ChartOfCalculationTypes",
    "ПланОбмена",
    "ExchangePlan",
    "БизнесПроцесс",
    "BusinessProcess",
    "Задача",
    "Task",
];

/// Periods: as files name them, and in Russian.
pub(super) const PERIODS: &[(&str, &str)] = &[
    ("Today", "Сегодня"),
    ("ThisWeek", "ЭтаНеделя"),
    ("ThisTenDays", "ЭтаДекада"),
    ("ThisMonth", "ЭтотМесяц"),
    ("ThisQuarter", "ЭтотКвартал"),
    ("ThisHalfYear", "ЭтоПолугодие"),
    ("ThisYear", "ЭтотГод"),
    ("FromBeginningOfThisWeek", "СНачалаЭтойНедели"),
    ("FromBeginningOfThisMonth", "СНачалаЭтогоМесяца"),
    ("FromBeginningOfThisQuarter", "СНачалаЭтогоКвартала"),
    ("FromBeginningOfThisYear", "СНачалаЭтогоГода"),
    ("Yesterday", "Вчера"),
    ("LastWeek", "ПрошлаяНеделя"),
    ("LastTenDays", "ПрошлаяДекада"),
    ("LastMonth", "ПрошлыйМесяц"),
    ("LastQuarter", "ПрошлыйКвартал"),
    ("LastHalfYear", "ПрошлоеПолугодие"),
    ("LastYear", "ПрошлыйГод"),
    ("Tomorrow", "Завтра"),
    ("NextWeek", "СледующаяНеделя"),
    ("NextMonth", "СледующийМесяц"),
    ("NextQuarter", "СледующийКвартал"),
    ("NextYear", "СледующийГод"),
    ("TillEndOfThisMonth", "ДоКонцаЭтогоМесяца"),
    ("TillEndOfThisYear", "ДоКонцаЭтогоГода"),
    ("Last7Days", "Последние7Дней"),
    ("Next7Days", "Следующие7Дней"),
    ("Month", "Месяц"),
];

/// Beginning dates: as files name them, and in Russian.
pub(super) const BEGINNINGS: &[(&str, &str)] = &[
    ("BeginningOfThisDay", "НачалоЭтогоДня"),
    ("BeginningOfThisWeek", "НачалоЭтойНедели"),
    ("BeginningOfThisMonth", "НачалоЭтогоМесяца"),
    ("BeginningOfThisQuarter", "НачалоЭтогоКвартала"),
    ("BeginningOfThisYear", "НачалоЭтогоГода"),
    ("BeginningOfLastDay", "НачалоПрошлогоДня"),
    ("BeginningOfLastMonth", "НачалоПрошлогоМесяца"),
    ("BeginningOfLastYear", "НачалоПрошлогоГода"),
    ("BeginningOfNextDay", "НачалоСледующегоДня"),
    ("BeginningOfNextWeek", "НачалоСледующейНедели"),
    ("BeginningOfNextMonth", "НачалоСледующегоМесяца"),
    ("BeginningOfNextYear", "НачалоСледующегоГода"),
];

//! What operations do and what they refuse, on a schema made from a query.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_dcs::Document;
use metascope_dcs::formal::conform;
use metascope_dcs::meaning::ChangeKind;
use metascope_dcs::operation::{Operation, Refusal, batch, new_schema, run};

const QUERY: &str = "ВЫБРАТЬ
	Продажи.Менеджер КАК Менеджер,
	СУММА(Продажи.Сумма) КАК Сумма
ИЗ
	РегистрНакопления.Продажи КАК Продажи
ГДЕ
	Продажи.Период >= &Начало
СГРУППИРОВАТЬ ПО
	Продажи.Менеджер

ОБЪЕДИНИТЬ ВСЕ

ВЫБРАТЬ
	Возвраты.Менеджер,
	Возвраты.Сумма
ИЗ
	РегистрНакопления.Возвраты КАК Возвраты

УПОРЯДОЧИТЬ ПО
	Менеджер";

fn parse(line: &str) -> Operation {
    Operation::parse(line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
}

fn edit(document: &Document, lines: &[&str]) -> Document {
    let operations: Vec<Operation> = lines.iter().map(|line| parse(line)).collect();
    let ran = run(document, &operations, false).unwrap_or_else(|(at, refusal)| panic!("{}: {refusal}", lines[at]));
    assert_eq!(conform(&ran.document), [], "{lines:?}");
    ran.document
}

fn refuse(document: &Document, line: &str) -> Refusal {
    parse(line).plan(document, false).map(|plan| plan.title).unwrap_err()
}

fn changes(document: &Document, line: &str, cascade: bool) -> Vec<String> {
    let plan = parse(line).plan(document, cascade).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    let shown = |change: &metascope_dcs::meaning::Change| match &change.kind {
        ChangeKind::Added { .. } => format!("+ {}", change.path),
        ChangeKind::Removed { .. } => format!("- {}", change.path),
        ChangeKind::Changed { .. } | ChangeKind::Retyped { .. } => format!("~ {}", change.path),
        ChangeKind::Moved => format!("> {}", change.path),
    };
    plan.declared.iter().map(shown).collect()
}

fn schema() -> Document {
    let document = new_schema(QUERY).unwrap();
    assert_eq!(conform(&document), []);
    document
}

fn query(document: &Document) -> String {
    document.schema().unwrap().data_sets().next().unwrap().query().into_owned()
}

#[test]
fn a_schema_is_made_of_a_query() {
    let document = schema();
    let schema = document.schema().unwrap();
    let fields: Vec<_> =
        schema.data_sets().next().unwrap().fields().map(|field| field.data_path().into_owned()).collect();
    assert_eq!(fields, ["Менеджер", "Сумма"]);
    assert_eq!(schema.parameters().map(|p| p.name().into_owned()).collect::<Vec<_>>(), ["Начало"]);
    assert_eq!(query(&document), QUERY);
    assert!(new_schema("ВЫБРАТЬ ИЗ").is_err());
}

#[test]
fn a_column_is_added_to_every_branch_and_to_the_groups() {
    let line = "добавить-поле Склад: СправочникСсылка.Склады \"Склад\" @ветви(Продажи.Склад; Возвраты.Склад)";
    let document = edit(&schema(), &[line]);
    let expected = QUERY
        .replace("КАК Сумма\n", "КАК Сумма,\n\tПродажи.Склад КАК Склад\n")
        .replace("\tВозвраты.Сумма\n", "\tВозвраты.Сумма,\n\tВозвраты.Склад\n")
        .replace("ПО\n\tПродажи.Менеджер\n", "ПО\n\tПродажи.Менеджер,\n\tПродажи.Склад\n");
    assert_eq!(query(&document), expected);
    // A table that a branch hasn't.
    let refusal = refuse(&schema(), "добавить-поле Склад = Продажи.Склад");
    assert!(refusal.message.en.contains("branch 2") && refusal.nearest == ["Возвраты"], "{refusal}");
    // One that there is already; one without a column.
    assert!(refuse(&schema(), "add-field Сумма = 1").message.en.contains("already"));
    assert_eq!(refuse(&schema(), "add-field Менеджр").nearest, ["Менеджер"]);
    assert_eq!(changes(&document, "удалить-поле Склад @query", false).len(), 2);
    assert_eq!(query(&edit(&document, &["удалить-поле Склад @query"])).matches("Склад").count(), 1);
}

#[test]
fn a_field_is_renamed_with_all_that_names_it() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Доля = Сумма / ВычислитьВыражение(\"Сумма(Сумма)\", \"ОбщийИтог\")",
            "add-total Сумма",
            "add-filter Сумма > 0 @variant(Основной)",
            "add-order Сумма убыв",
            "add-group Сумма",
            "add-appearance ЦветТекста = #FF0000 @where(Сумма < 0) @fields(Сумма)",
            "rename-field Сумма -> Выручка",
        ],
    );
    let text = document.text();
    assert!(text.contains("Выручка / ВычислитьВыражение(\"Сумма(Выручка)\", \"ОбщийИтог\")"));
    assert!(text.contains("<expression>Сумма(Выручка)</expression>") && text.contains("КАК Выручка"));
    assert!(!text.contains(">Сумма<"));
    let old = edit(&document, &["rename-field Выручка -> Сумма"]);
    assert_eq!(query(&old), QUERY);
}

#[test]
fn what_is_needed_is_not_removed_alone() {
    let document = edit(
        &schema(),
        &["add-calculated Маржа = Сумма * 2", "add-total Маржа", "add-selection Маржа @variant(Основной)"],
    );
    let refusal = refuse(&document, "remove-calculated Маржа");
    let paths: Vec<&str> = refusal.needed_by.iter().map(|need| need.path.as_str()).collect();
    assert_eq!(paths, ["totalField[Маржа]", "settingsVariant[Основной]/settings/selection/item[Маржа]"]);
    assert!(refusal.text(true).contains("--cascade"));
    let gone = changes(&document, "remove-calculated Маржа", true);
    assert_eq!(
        gone,
        [
            "- calculatedField[Маржа]",
            "- totalField[Маржа]",
            "- settingsVariant[Основной]/settings/selection/item[Маржа]"
        ]
    );
    // What a variant sets of a parameter goes with it; a query can't.
    let set = edit(&document, &["add-parameter Курс = 1", "set-data-parameter Курс = 2"]);
    assert_eq!(changes(&set, "remove-parameter Курс", true).len(), 2);
    let refusal = parse("remove-parameter Начало").plan(&document, true).unwrap_err();
    assert!(!refusal.needed_by[0].removable, "{refusal}");
    assert_eq!(refuse(&document, "remove-parameter Началo").nearest, ["Начало"]);
}

#[test]
fn a_parameter_is_renamed_in_queries_and_expressions() {
    let document = edit(
        &schema(),
        &[
            "add-parameter Период: СтандартныйПериод \"Период\" @always = ЭтотМесяц",
            "modify-parameter Начало @expression(&Период.ДатаНачала) @hidden",
            "rename-parameter Период -> Срок",
            "rename-parameter Начало -> СНачала",
        ],
    );
    assert!(query(&document).contains(">= &СНачала"));
    assert!(document.text().contains("&amp;Срок.ДатаНачала"));
}

#[test]
fn conditional_items_go_with_their_last_condition() {
    let document = edit(
        &schema(),
        &["add-calculated Б = Сумма", "add-appearance Формат = \"ЧДЦ=2\" @where(Б < 0)", "add-group Б"],
    );
    let gone = changes(&document, "remove-calculated Б", true);
    let settings = "settingsVariant[Основной]/settings";
    assert_eq!(
        gone,
        [
            "- calculatedField[Б]".to_owned(),
            format!("- {settings}/item#2"),
            format!("- {settings}/conditionalAppearance/item")
        ]
    );
}

#[test]
fn structure_is_built_moved_and_named() {
    let document = edit(
        &schema(),
        &[
            "add-table Сводная @rows(Менеджер) @columns(Сумма)",
            "add-group Менеджер иерархия @inside(#1) @name(ПоМенеджерам)",
            "add-chart Динамика @points(Менеджер) @fields(Сумма)",
            "move-structure ПоМенеджерам @inside(/)",
            "modify-structure ПоМенеджерам @name(Главная) @off",
            "add-filter Сумма > 0 и (Менеджер заполнено или не Сумма = 1) @at(Главная)",
            "user-settings отбор @at(Главная) @user @view(быстрый)",
            "clear-settings отбор @at(Главная)",
            "remove-structure Динамика",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    let all: Vec<String> = settings
        .all_structure()
        .iter()
        .map(|(depth, item)| format!("{depth} {} {}", item.kind().word(), item.name()))
        .collect();
    assert_eq!(all, ["0 group ", "0 table Сводная", "1 column ", "1 row ", "0 group Главная"]);
    assert_eq!(refuse(&document, "remove-structure Главня").nearest, ["Главная"]);
}

#[test]
fn a_query_is_patched_where_it_matches_once() {
    let refusal = refuse(&schema(), "patch-query НаборДанных1 @old(КАК) @new(КАК )");
    assert!(refusal.message.en.contains("4 times"), "{refusal}");
    let document = edit(&schema(), &["patch-query НаборДанных1 @old(>= &Начало) @new(> &Начало)"]);
    assert!(query(&document).contains("Период > &Начало"));
    // A field whose column is gone goes too, if that is wanted.
    let without = "set-query НаборДанных1 = ВЫБРАТЬ 1 КАК Сумма ГДЕ &Начало = 1";
    let used = edit(&schema(), &["add-total Менеджер = Количество(Менеджер)"]);
    assert!(!refuse(&used, without).needed_by.is_empty());
    assert!(changes(&used, without, true).contains(&"- totalField[Менеджер]".to_owned()));
}

#[test]
fn demo_of_four_commands() {
    let document = edit(
        &schema(),
        &[
            "добавить-поле Скидка: Число(15,2) \"Скидка\" @ветви(СУММА(Продажи.Скидка); Возвраты.Скидка)",
            "добавить-итог Скидка",
            "добавить-вариант ПоМенеджерам \"По менеджерам\" @группировки(Менеджер) @поля(Менеджер, Скидка)",
            "добавить-отбор Менеджер заполнено @вариант(ПоМенеджерам) @пользователь",
        ],
    );
    let schema = document.schema().unwrap();
    assert_eq!(schema.variants().count(), 2);
    assert_eq!(schema.totals().next().unwrap().expression(), "Сумма(Скидка)");
}

#[test]
fn batches_are_lines_or_json() {
    let lines = batch("# итоги\nadd-total Сумма\n\nadd-order Сумма убыв\n").unwrap();
    let json = batch(
        r#"["add-total Сумма", {"do": "add-order", "fields": ["Сумма убыв"]},
            {"do": "add-variant", "name": "В", "title": {"ru": "Вариант", "en": "Variant"}}]"#,
    )
    .unwrap();
    assert_eq!((lines.len(), &lines[..]), (2, &json[..2]));
    assert_eq!(batch("add-total Сумма\nadd-totl А").unwrap_err().0, 2);
    let (at, refusal) = batch(r#"[{"do": "add-total", "nam": "А"}]"#).unwrap_err();
    assert_eq!((at, refusal.nearest), (1, vec!["name".to_owned()]));
    // All or none.
    assert_eq!(run(&schema(), &[lines[0].clone(), lines[0].clone()], false).unwrap_err().0, 1);
}

#[test]
fn roles_and_restrictions_are_set_and_taken_away() {
    let document = edit(
        &schema(),
        &[
            "field-role Сумма @balance(начальный, Остаток)",
            "field-role Менеджер @dimension @required",
            "ограничения-поля Менеджер @ограничить(условие, порядок) @реквизиты(поле)",
        ],
    );
    let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
    let role = fields[1].role().unwrap();
    assert_eq!((&*role.balance_group(), &*role.balance_type()), ("Остаток", "OpeningBalance"));
    let restriction = fields[0].restriction().unwrap();
    assert!(restriction.condition() && restriction.order() && !restriction.group());
    let document = edit(&document, &["field-restrictions Менеджер @restrict(группировка)", "field-role Сумма @none"]);
    let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
    assert!(fields[0].restriction().unwrap().group() && !fields[0].restriction().unwrap().order());
    assert!(fields[0].attribute_restriction().unwrap().field() && fields[1].role().is_none());
    assert_eq!(refuse(&document, "field-restrictions Сумма @restrict(групировка)").nearest, ["группировка"]);
    assert!(refuse(&document, "field-role Сумма @none").message.en.contains("no role"));
}

#[test]
fn variants_are_copied_renamed_and_reordered() {
    let document = edit(
        &schema(),
        &[
            "add-order Сумма убыв",
            "copy-variant Основной -> Второй @title(ru\"Второй\" en\"Second\")",
            "move-variant Второй @first",
            "rename-variant Основной -> Первый",
        ],
    );
    let variants: Vec<_> = document.schema().unwrap().variants().collect();
    assert_eq!(variants.iter().map(|v| v.name().into_owned()).collect::<Vec<_>>(), ["Второй", "Первый"]);
    let settings = |at: usize| metascope_dcs::meaning::meaning_of(variants[at].settings().unwrap().element());
    assert_eq!(settings(0), settings(1));
    assert_eq!(changes(&document, "remove-variant Второй", false), ["- settingsVariant[Второй]"]);
    assert!(refuse(&schema(), "remove-variant Основной").message.en.contains("only variant"));
    assert_eq!(refuse(&document, "add-order Сумма").nearest, ["Второй", "Первый"]);
}

#[test]
fn settings_are_set_modified_and_removed() {
    let document = edit(
        &schema(),
        &[
            "add-selection Сумма @folder(Деньги) @placement(вместе)",
            "add-selection Менеджер @inside(Деньги) @title(Кто)",
            "modify-selection Деньги @placement(вертикально) @off",
            "add-filter Сумма в списке (1, 2) @user",
            "modify-filter Сумма @condition(Сумма >= 10) @view(быстрый) @off",
            "add-order Сумма",
            "modify-order Сумма @descending",
            "set-output ВыводитьЗаголовок = нет",
            "set-output TitleOutput = да @user",
            "set-data-parameter Начало = НачалоЭтогоДня @user",
            "add-appearance Шрифт = жирный; ЦветТекста = #FF0000 @where(Сумма < 0) @presentation(Минус)",
            "modify-appearance Минус @appearance(ЦветТекста = auto) @fields(Сумма)",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap().element();
    let filter = settings.at(&["filter", "item"]).unwrap();
    assert_eq!((&*filter.text_of("comparisonType"), &*filter.text_of("right")), ("GreaterOrEqual", "10"));
    assert!(filter.all("right").count() == 1 && !filter.text_of("userSettingID").is_empty());
    assert_eq!(settings.at(&["order", "item"]).unwrap().text_of("orderType"), "Desc");
    assert_eq!(settings.at(&["outputParameters", "item"]).unwrap().text_of("value"), "Output");
    let document = edit(
        &document,
        &[
            "remove-filter Сумма",
            "remove-order #1",
            "remove-output ВыводитьЗаголовок",
            "remove-data-parameter Начало",
            "remove-appearance #1",
            "remove-selection Деньги",
            "clear-settings структура",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    assert!(settings.all_structure().is_empty() && settings.parameter_values().next().is_none());
    assert_eq!(refuse(&document, "set-output ВыводитьЗаголовк = нет").nearest[0], "ВыводитьЗаголовок");
    assert!(refuse(&document, "set-output КоличествоЗаписей = много").message.en.contains("number"));
    assert_eq!(refuse(&document, "add-filter Сума = 1").nearest, ["Сумма"]);
    assert!(refuse(&document, "add-appearance ЦветТекста = style:Имя").message.en.contains("#RRGGBB"));
}

#[test]
fn sets_are_linked_united_and_nested() {
    let document = edit(
        &schema(),
        &[
            "add-data-set Цены = ВЫБРАТЬ Т.Менеджер КАК Кто, Т.Цена КАК Цена ИЗ РегистрСведений.Цены КАК Т",
            "add-link НаборДанных1 -> Цены @source(Менеджер) @target(Кто)",
            "modify-link НаборДанных1 -> Цены @optional @parameter(Начало)",
            "rename-data-set Цены -> Прайс",
            "add-data-set Все @union @fields(А)",
            "add-data-set Часть @inside(Все) @object(Часть) @fields(А)",
            "add-nested Остатки = ВЫБРАТЬ 1 КАК Остаток @variant(Основной)",
            "add-total Остаток @schema(Остатки)",
        ],
    );
    let schema = document.schema().unwrap();
    let link = schema.links().next().unwrap();
    assert_eq!((&*link.destination(), &*link.parameter()), ("Прайс", "Начало"));
    let names: Vec<_> = schema.all_data_sets().iter().map(|set| set.name().into_owned()).collect();
    assert_eq!(names, ["НаборДанных1", "Прайс", "Все", "Часть"]);
    assert_eq!(schema.nested_schemas().next().unwrap().schema().unwrap().totals().count(), 1);
    assert_eq!(refuse(&document, "remove-data-set Прайс").needed_by[0].path.split('[').next(), Some("dataSetLink"));
    assert_eq!(changes(&document, "remove-data-set Прайс", true).len(), 2);
    assert_eq!(refuse(&document, "remove-nested Остатки").needed_by.len(), 1);
    assert!(refuse(&document, "remove-data-source ИсточникДанных1").needed_by.iter().any(|need| !need.removable));
    assert_eq!(refuse(&document, "remove-link НаборДанных1 -> Цены").nearest.len(), 1);
}

fn variant_text(document: &Document, name: &str) -> String {
    let found = document.schema().unwrap().variants().find(|variant| variant.name() == name).unwrap();
    document.text()[found.element().range()].to_owned()
}

#[test]
fn fields_of_the_user_belong_to_their_variant() {
    let document = edit(
        &schema(),
        &[
            "add-user-field Наценка \"Наценка, %\" = Сумма * 2 @total(Сумма(Сумма))",
            "добавить-пользовательское-поле Размер @выбор(Сумма > 1000 -> \"крупная\" \"Крупная\"; иначе -> Менеджер)",
            "add-user-field Доля = ПользовательскиеПоля.Наценка / 2 @before(Размер)",
            "add-selection ПользовательскиеПоля.Наценка",
            "add-filter ПользовательскиеПоля.Наценка > 1",
            "copy-variant Основной -> Второй",
            "rename-user-field Наценка -> Доход @variant(Основной)",
        ],
    );
    let (first, second) = (variant_text(&document, "Основной"), variant_text(&document, "Второй"));
    // Its path, both expressions of the field that names it, the selection and the filter.
    assert_eq!((first.matches(".Доход").count(), first.matches(".Наценка").count()), (5, 0));
    assert_eq!((second.matches(".Доход").count(), second.matches(".Наценка").count()), (0, 5));
    // What the user sees of an expression names titles.
    assert!(first.contains("detailExpressionPresentation>[Наценка, %] / 2<"), "{first}");
    let refusal = refuse(&document, "add-order ПользовательскиеПоля.Доход @variant(Второй)");
    assert!(refusal.nearest.contains(&"ПользовательскиеПоля.Доля".to_owned()), "{refusal}");
    let refusal = refuse(&document, "remove-user-field Доход @variant(Основной)");
    let settings = "settingsVariant[Основной]/settings";
    let needed: Vec<&str> = refusal.needed_by.iter().map(|need| need.path.as_str()).collect();
    assert_eq!(
        needed,
        [
            format!("{settings}/userFields/item[ПользовательскиеПоля.Доля]"),
            format!("{settings}/selection/item[ПользовательскиеПоля.Доход]"),
            format!("{settings}/filter/item[ПользовательскиеПоля.Доход Greater]"),
        ]
    );
    assert_eq!(changes(&document, "remove-user-field Доход @variant(Основной)", true).len(), 4);
    let refused = |line: &str| refuse(&document, line).message.en;
    assert!(refused("add-user-field Доля = 1 @variant(Второй)").contains("already"));
    assert!(refused("modify-user-field Размер = 1 @variant(Второй)").contains("cases"));
    assert!(refused("modify-user-field Доля = ПользовательскиеПоля.Доля @variant(Второй)").contains("itself"));
    assert!(refused("add-user-field А = Сума @variant(Второй)").contains("Сума"));
    assert!(refused("add-user-field А @cases(Сумма > 1) @variant(Второй)").contains("Example"));
}

#[test]
fn fields_of_the_user_are_changed_and_go_with_what_they_need() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Маржа = Сумма * 2",
            "add-user-field Размер @cases(Маржа > 1000 -> \"а\"; Сумма > 1 -> \"б\"; иначе -> 0)",
            "modify-user-field Размер ru\"Размер\" en\"Size\"",
            "modify-user-field Размер @cases(Маржа > 10 -> \"а\"; Сумма > 1 -> Сумма; иначе -> 0)",
            "add-user-field Наценка = Маржа",
            "modify-user-field Наценка = Маржа + Сумма @total(Сумма(Сумма))",
        ],
    );
    let settings = document.schema().unwrap().variants().next().unwrap().settings().unwrap();
    let fields: Vec<_> = settings.user_fields().unwrap().all("item").collect();
    let cases: Vec<_> = fields[0].at(&["cases"]).unwrap().all("item").collect();
    assert_eq!(cases.iter().map(|case| case.text_of("value").into_owned()).collect::<Vec<_>>(), ["а", "Сумма", "0"]);
    assert_eq!(&*fields[1].text_of("detailExpression"), "Маржа + Сумма");
    assert_eq!(&*fields[1].text_of("totalExpressionPresentation"), "Сумма(Сумма)");
    // A case goes with its condition, an expression with its field.
    let gone = changes(&document, "remove-calculated Маржа", true);
    assert_eq!(gone.len(), 3, "{gone:?}");
    let renamed = edit(&document, &["rename-field Сумма -> Выручка"]);
    let list = renamed.schema().unwrap().variants().next().unwrap().settings().unwrap().user_fields().unwrap();
    assert_eq!(&*list.all("item").nth(1).unwrap().text_of("detailExpressionPresentation"), "Маржа + Выручка");
    // The list goes with its last field.
    let without = edit(&document, &["remove-user-field Размер", "remove-user-field Наценка"]);
    assert!(!without.text().contains("userFields"));
}

#[test]
fn areas_are_bound_to_groups_to_headers_and_to_crossings() {
    let built = edit(&schema(), &["add-table Т @rows(Менеджер) @columns(Сумма)"]);
    let built = edit(&built, &["modify-structure Т/row#1 @name(Строки)", "modify-structure Т/column#1 @name(Колонки)"]);
    let area = "<template><name>М</name><template xmlns:at=\"http://v8.1c.ru/8.1/data-composition-system/area-template\" \
        xsi:type=\"at:AreaTemplate\"/></template><settingsVariant>";
    let built = Document::parse(built.text().replacen("<settingsVariant>", area, 1));
    let document = edit(
        &built,
        &[
            "bind-template М @group(Строки) @header",
            "bind-template М @group(Строки)",
            "bind-template М @group(Строки) @part(подвал общих итогов)",
            "bind-template М @fields(Менеджер)",
            "привязать-макет М @группировка(Строки) @поперек(Колонки) @поперек-часть(подвал)",
            "bind-template М @field(Сумма)",
        ],
    );
    let schema = document.schema().unwrap();
    let totals = schema.total_templates().next().unwrap().element();
    let parts: Vec<String> = totals.children().map(|part| format!("{} {}", part.local(), part.text())).collect();
    assert_eq!(
        parts,
        ["groupName1 Строки", "templateType1 Header", "groupName2 Колонки", "templateType2 Footer", "template М"]
    );
    assert_eq!((schema.group_templates().count(), schema.group_header_templates().count()), (3, 1));
    for twice in ["@group(Строки)", "@group(Строки) @header", "@fields(Менеджер)", "@field(Сумма)"]
    {
        assert!(refuse(&document, &format!("bind-template М {twice}")).message.en.contains("already"), "{twice}");
    }
    assert!(refuse(&document, "bind-template М @field(Сумма) @group(Строки)").message.en.contains("one thing"));
    assert_eq!(refuse(&document, "bind-template М @group(Строка)").nearest, ["Строки"]);
    let gone = |line: &str| changes(&document, line, false).len();
    assert_eq!((gone("unbind-template М"), gone("unbind-template @group(Строки)")), (6, 3));
    assert_eq!((gone("unbind-template @group(Строки) @header"), gone("unbind-template @fields(Менеджер)")), (1, 1));
    assert_eq!(gone("unbind-template @across(Колонки)"), 1);
    assert!(refuse(&document, "unbind-template @group(Строки) @part(footer)").message.en.contains("no binding"));
}

#[test]
fn roles_of_accounts_and_their_balances() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Счет = Менеджер",
            "field-role Менеджер @account_type(Счет)",
            "field-role Сумма @balance(closing, Сумма) @accounting(debit) @account-field(Счет) @ignore_nulls",
        ],
    );
    let role = |document: &Document, at: usize| {
        let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
        let parts = fields[at].role().map(|role| role.element()).into_iter().flat_map(|role| role.children());
        parts.map(|part| format!("{}={}", part.local(), part.text())).collect::<Vec<_>>()
    };
    assert_eq!(role(&document, 0), ["account=true", "accountTypeExpression=Счет"]);
    let balance = ["balance=true", "balanceGroupName=Сумма", "balanceType=ClosingBalance"];
    let sides = ["accountingBalanceType=Debit", "accountField=Счет", "ignoreNullValues=true"];
    assert_eq!(role(&document, 1), [&balance[..], &sides[..]].concat());
    // The field follows when it is renamed; what says nothing any more goes.
    let renamed = edit(&document, &["rename-field Счет -> Конто", "field-role Менеджер @account(no) @dimension"]);
    assert!(role(&renamed, 1).contains(&"accountField=Конто".to_owned()));
    assert_eq!(role(&renamed, 0), ["dimension=true"]);
    assert_eq!(role(&edit(&document, &["field-role Сумма @balance(нет)"]), 1), ["ignoreNullValues=true"]);
    assert!(refuse(&schema(), "field-role Сумма @accounting(debit)").message.en.contains("Only a balance"));
    assert_eq!(refuse(&document, "field-role Сумма @account_field(Счт)").nearest, ["Счет"]);
    assert!(refuse(&document, "field-role Сумма @accounting(дебит)").nearest.contains(&"дебет".to_owned()));
    // What a role says of a field goes with it; the rest of the role stays.
    let plan = parse("remove-calculated Счет").plan(&document, true).unwrap();
    let gone: Vec<&str> = plan.removed_too.iter().filter_map(|need| need.path.rsplit('/').next()).collect();
    assert_eq!(gone, ["accountTypeExpression", "accountField"]);
}

#[test]
fn one_group_of_several_fields() {
    let document = edit(
        &schema(),
        &[
            "add-variant В @groups(Менеджер + Сумма, Менеджер иерархия)",
            "add-table Т @rows(Менеджер + Сумма иерархия, Сумма) @variant(В)",
        ],
    );
    let settings = document.schema().unwrap().variants().nth(1).unwrap().settings().unwrap();
    let groups: Vec<String> = settings
        .all_structure()
        .iter()
        .map(|(depth, item)| {
            let fields: Vec<String> =
                item.group_fields().map(|field| format!("{} {}", field.field(), field.kind())).collect();
            format!("{depth} {}: {}", item.kind().word(), fields.join(", "))
        })
        .collect();
    assert_eq!(
        groups,
        [
            "0 group: Менеджер Items, Сумма Items",
            "1 group: Менеджер Hierarchy",
            "2 group: ",
            "0 table: ",
            "1 row: Менеджер Items, Сумма Hierarchy",
            "2 group: Сумма Items",
        ]
    );
}

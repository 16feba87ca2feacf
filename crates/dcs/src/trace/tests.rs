use super::*;

const HEAD: &str = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
    xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:c=\"http://v8.1c.ru/8.1/data-composition-system/core\" \
    xmlns:at=\"http://v8.1c.ru/8.1/data-composition-system/area-template\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">";

fn traced(body: &str, column: &str) -> Trace {
    trace(&Document::parse(format!("{HEAD}{body}</DataCompositionSchema>")), column)
}

/// `depth kind name: text :line`, as far as they say something.
fn lines(answer: &Answer) -> Vec<String> {
    let line = |step: &Step| format!("{} {:?} {}: {} :{}", step.depth, step.kind, step.name, step.text, step.line);
    answer.steps.iter().map(line).collect()
}

#[test]
fn a_union_of_a_query_shows_every_branch_and_temporary_tables_are_followed() {
    let trace = traced(
        "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>\nВЫБРАТЬ Т.Цена * 2 КАК С, Т.Товар КАК Т ПОМЕСТИТЬ ВТ ИЗ Документ.А КАК Т;\n\
         ВЫБРАТЬ ВТ.С КАК Сумма, ВТ.Т.Код КАК Код ИЗ ВТ КАК ВТ\nОБЪЕДИНИТЬ ВСЕ\nВЫБРАТЬ Х.Всего, NULL ИЗ РегистрНакопления.Б.Обороты КАК Х</query></dataSet>",
        "Сумма",
    );
    assert_eq!(
        lines(&trace.answers[0]),
        [
            "0 Column Сумма: ВТ.С :3",
            "1 Column С: Т.Цена * 2 :2",
            "2 Table Документ.А: Цена :2",
            "0 Column Всего: Х.Всего :5",
            "1 Table РегистрНакопления.Б.Обороты: Всего :5",
        ]
    );
}

#[test]
fn what_stands_behind_a_field_goes_along() {
    let body = "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>ВЫБРАТЬ Т.Товар КАК Т ПОМЕСТИТЬ ВТ ИЗ Документ.А КАК Т;\n\
        ВЫБРАТЬ ВТ.Т.Владелец КАК В ИЗ ВТ КАК ВТ</query></dataSet>";
    let trace = traced(body, "В.Код");
    let last = trace.answers[0].steps.last().expect("a table");
    assert_eq!((last.object.as_str(), last.text.as_str()), ("Document.А", "Товар.Владелец.Код"));
}

#[test]
fn titles_of_every_language_calculated_fields_and_totals() {
    let body = "<dataSet xsi:type=\"DataSetObject\"><name>Н</name><field xsi:type=\"DataSetFieldField\"><dataPath>Цена</dataPath>\
        <field>Ц</field></field><objectName>Данные</objectName></dataSet>\n\
        <calculatedField><dataPath>Сумма</dataPath><expression>Цена * &amp;Курс</expression><title xsi:type=\"v8:LocalStringType\">\
        <v8:item><v8:lang>ru</v8:lang><v8:content>Всего</v8:content></v8:item><v8:item><v8:lang>en</v8:lang>\
        <v8:content>Grand  total</v8:content></v8:item></title></calculatedField>\n\
        <totalField><dataPath>Сумма</dataPath><expression>Сумма(Сумма) / Количество(Штук)</expression></totalField>";
    let trace = traced(body, "grand total");
    assert_eq!(trace.answers[0].named_by, [NamedBy::Title]);
    assert_eq!(
        lines(&trace.answers[0]),
        [
            "0 Total Сумма: Сумма(Сумма) / Количество(Штук) :3",
            "0 Calculated Сумма: Цена * &Курс :2",
            "1 Field Цена: Ц :1",
            "2 Object Данные: Ц :1",
            "1 Missing Штук:  :1",
        ]
    );
    assert_eq!(traced(body, "Сума").nearest, ["Сумма"]);
}

#[test]
fn a_title_of_two_fields_gives_two_answers_and_sets_of_unions_are_opened() {
    let field = |path: &str, source: &str| {
        format!(
            "<field xsi:type=\"DataSetFieldField\"><dataPath>{path}</dataPath><field>{source}</field>\
            <title xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang><v8:content>Дата</v8:content></v8:item></title></field>"
        )
    };
    let query = |name: &str, text: &str, fields: &str| {
        format!("<item xsi:type=\"DataSetQuery\"><name>{name}</name>{fields}<query>{text}</query></item>")
    };
    let first = query("А", "ВЫБРАТЬ Т.Дата КАК Д ИЗ Документ.А КАК Т", &field("Период", "Д"));
    let second = query("Б", "ВЫБРАТЬ Т.Дата КАК Период ИЗ Документ.Б КАК Т", "");
    let body = format!(
        "<dataSet xsi:type=\"DataSetUnion\"><name>О</name>{}{}{first}{second}</dataSet>",
        field("Когда", "Период"),
        field("Иное", "Иное")
    );
    let trace = traced(&body, "дата");
    let paths: Vec<&str> = trace.answers.iter().map(|answer| answer.path.as_str()).collect();
    assert_eq!(paths, ["Когда", "Иное", "Период"]);
    assert_eq!(
        lines(&trace.answers[0]),
        [
            "0 Field Когда: Период :1",
            "1 Field Период: Д :1",
            "2 Column Д: Т.Дата :1",
            "3 Table Документ.А: Дата :1",
            "1 Column Период: Т.Дата :1",
            "2 Table Документ.Б: Дата :1",
        ]
    );
}

#[test]
fn fields_of_the_user_and_parameters_of_areas() {
    let body = "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>ВЫБРАТЬ 1 КАК Цена</query></dataSet>\
        <template><name>М</name><template xsi:type=\"at:AreaTemplate\"/><parameter xsi:type=\"at:ExpressionAreaTemplateParameter\">\
        <at:name>П</at:name><at:expression>Цена + 1</at:expression></parameter></template>\
        <settingsVariant><s:name>О</s:name><s:settings><s:userFields><s:item xsi:type=\"s:UserFieldExpression\">\
        <s:dataPath>ПользовательскиеПоля.Поле1</s:dataPath><s:lwsTitle xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang>\
        <v8:content>Моё</v8:content></v8:item></s:lwsTitle><s:detailExpression>Цена * 3</s:detailExpression>\
        <s:totalExpression>Сумма(Цена)</s:totalExpression></s:item></s:userFields></s:settings></settingsVariant>";
    assert_eq!(
        lines(&traced(body, "моё").answers[0]),
        [
            "0 UserField ПользовательскиеПоля.Поле1: Цена * 3 :1",
            "1 Column Цена: 1 :1",
            "0 UserField ПользовательскиеПоля.Поле1: Сумма(Цена) :1",
        ]
    );
    assert_eq!(lines(&traced(body, "П").answers[0])[0], "0 TemplateParameter П: Цена + 1 :1");
    assert!(lines(&traced(body, "Цена").answers[0]).contains(&"0 TemplateParameter П: Цена + 1 :1".to_owned()));
}

#[test]
fn circles_end() {
    let body = "<calculatedField><dataPath>А</dataPath><expression>Б</expression></calculatedField>\
        <calculatedField><dataPath>Б</dataPath><expression>А + Б</expression></calculatedField>";
    assert_eq!(lines(&traced(body, "А").answers[0]), ["0 Calculated А: Б :1", "1 Calculated Б: А + Б :1"]);
}

/// A row of an area; `{П}` is a parameter, `Всего {П}` a text before one, `<` a cell that belongs to the one on its left.
fn row(cells: &[&str]) -> String {
    let parameter = |name: &str| {
        format!("<at:item xsi:type=\"at:Field\"><at:value xsi:type=\"c:Parameter\">{name}</at:value></at:item>")
    };
    let text = |text: &str| {
        format!(
            "<at:item xsi:type=\"at:Field\"><at:value xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang>\
             <v8:content>{text}</v8:content></v8:item><v8:item><v8:lang>en</v8:lang><v8:content>{text} (en)</v8:content></v8:item>\
             </at:value></at:item>"
        )
    };
    let cell = |cell: &&str| {
        let inside = match cell.split_once('{') {
            Some(("", name)) => parameter(name.trim_end_matches('}')),
            Some((before, name)) => text(before.trim()) + &parameter(name.trim_end_matches('}')),
            None if *cell == "<" => {
                "<at:appearance><c:item><c:parameter>ОбъединятьПоГоризонтали</c:parameter><c:value>true</c:value></c:item>\
                 </at:appearance>"
                    .to_owned()
            }
            None if cell.is_empty() => String::new(),
            None => text(cell),
        };
        format!("<at:tableCell>{inside}</at:tableCell>")
    };
    format!("<at:item xsi:type=\"at:TableRow\">{}</at:item>", cells.iter().map(cell).collect::<String>())
}

fn area(name: &str, rows: &[&[&str]], parameters: &[&str]) -> String {
    let rows: String = rows.iter().map(|cells| row(cells)).collect();
    let parameter = |name: &&str| {
        format!(
            "<parameter xsi:type=\"at:ExpressionAreaTemplateParameter\"><at:name>{name}</at:name>\
             <at:expression>Поле{name}</at:expression></parameter>"
        )
    };
    format!(
        "<template><name>{name}</name><template xsi:type=\"at:AreaTemplate\">{rows}</template>{}</template>",
        parameters.iter().map(parameter).collect::<String>()
    )
}

/// What a text leads to: names of parameters, or of the area.
fn led_to(body: &str, text: &str) -> Vec<String> {
    traced(body, text).answers.into_iter().map(|answer| answer.path).collect()
}

#[test]
fn texts_drawn_above_parameters() {
    let body = [
        area("Вместе", &[&["Итоги", "<", "Всего"], &["{А}", "{Б}", "{В}"]], &["А", "Б", "В"]),
        area("Шапка", &[&["Товар", "Цена", "Примечание"], &["", "и сумма", "<"]], &[]),
        area("Строка", &[&["{Т}", "{Ц}", "<"]], &["Т", "Ц"]),
        area("Вложенная", &[&["{Х}", "{У}", ""]], &["Х", "У"]),
        area("Чужая", &[&["{Ч}", "{Ш}", "{Щ}"]], &["Ч", "Ш", "Щ"]),
        "<groupTemplate><groupName>Г</groupName><templateType>Header</templateType><template>Строка</template></groupTemplate>\
         <groupTemplate><groupName>Внутри</groupName><templateType>Header</templateType><template>Вложенная</template></groupTemplate>\
         <groupTemplate><groupName>Другая</groupName><templateType>Header</templateType><template>Чужая</template></groupTemplate>\
         <groupHeaderTemplate><groupName>Г</groupName><templateType>Header</templateType><template>Шапка</template></groupHeaderTemplate>\
         <settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemGroup\"><s:name>Г</s:name>\
         <s:item xsi:type=\"s:StructureItemGroup\"><s:name>Внутри</s:name></s:item></s:item></s:settings></settingsVariant>"
            .to_owned(),
    ]
    .concat();
    // Below the text; a wide one stands above several.
    assert_eq!(led_to(&body, "всего"), ["В"]);
    assert_eq!(led_to(&body, "Итоги"), ["А", "Б"]);
    // In the areas of the group whose header it is, and of those inside; in any language.
    assert_eq!(led_to(&body, "Товар"), ["Т", "Х"]);
    assert_eq!(led_to(&body, "цена (EN)"), ["Ц", "У"]);
    assert_eq!(led_to(&body, "Примечание"), ["Ц"]);
    let found = traced(&body, "Цена");
    assert_eq!(found.answers[0].named_by, [NamedBy::TemplateText]);
    assert_eq!(lines(&found.answers[0])[0], "0 TemplateParameter Ц: ПолеЦ :1");
    // One that nothing stands under is shown where it is.
    let alone = area("Пустой", &[&["Подпись"]], &[]);
    assert_eq!(lines(&traced(&alone, "подпись").answers[0]), ["0 TemplateText Пустой: Подпись, Подпись (en) :1"]);
}

#[test]
fn texts_beside_parameters_and_in_areas_of_fields_and_of_groups_by_fields() {
    let body = [
        area("Подпись", &[&["Итого {С}", "Руб.", "Прочее"], &["Период:", "", "{П}"]], &["П", "С"]),
        area("Поле", &[&["Сумма сделки"]], &[]),
        area("Шапка", &[&["Товар", "Цена"]], &[]),
        area("Строка", &[&["{Т}", "{Ц}"]], &["Т", "Ц"]),
        area("Чужая", &[&["{Ч}"]], &["Ч"]),
        "<calculatedField><dataPath>Сделка</dataPath><expression>1</expression></calculatedField>\
         <fieldTemplate><field>Сделка</field><template>Поле</template></fieldTemplate>\
         <groupTemplate><groupField>А</groupField><groupField>Б</groupField><templateType>Header</templateType>\
         <template>Строка</template></groupTemplate>\
         <groupTemplate><groupField>А</groupField><templateType>Header</templateType><template>Чужая</template></groupTemplate>\
         <groupHeaderTemplate><groupName>Г</groupName><templateType>Header</templateType><template>Шапка</template></groupHeaderTemplate>\
         <settingsVariant><s:name>О</s:name><s:settings><s:item xsi:type=\"s:StructureItemGroup\"><s:name>Г</s:name><s:groupItems>\
         <s:item xsi:type=\"s:GroupItemField\"><s:field>Б</s:field></s:item><s:item xsi:type=\"s:GroupItemField\"><s:field>А</s:field></s:item>\
         </s:groupItems></s:item></s:settings></settingsVariant>"
            .to_owned(),
    ]
    .concat();
    // The label of the parameter that the row goes on with, across an empty cell; a text stands between otherwise.
    assert_eq!(led_to(&body, "период:"), ["П"]);
    assert_eq!(led_to(&body, "Руб."), ["Подпись"]);
    // Before a parameter in its cell.
    assert_eq!(led_to(&body, "Итого"), ["С"]);
    // The field that the area shows.
    assert_eq!(led_to(&body, "Сумма сделки"), ["Сделка"]);
    assert_eq!(lines(&traced(&body, "Сумма сделки").answers[0])[0], "0 Calculated Сделка: 1 :1");
    // A header by the group's name, rows by its fields.
    assert_eq!(led_to(&body, "Товар"), ["Т"]);
    assert_eq!(led_to(&body, "цена"), ["Ц"]);
}

#[test]
fn a_path_with_spaces_between_its_words_is_the_field() {
    let body = "<calculatedField><dataPath>СуммаОборот</dataPath><expression>1</expression></calculatedField>\
        <settingsVariant><s:name>О</s:name><s:settings><s:selection><s:item xsi:type=\"s:SelectedItemField\">\
        <s:field>СуммаОборот</s:field><s:title>Оборот, руб</s:title></s:item></s:selection></s:settings></settingsVariant>";
    assert_eq!(led_to(body, "Сумма оборот"), ["СуммаОборот"]);
    assert_eq!(traced(body, "оборот,  руб").answers[0].named_by, [NamedBy::SettingsTitle]);
    assert!(led_to(body, "Сумма обор").is_empty());
}

/// A configuration of two tables.
struct Two;

impl bsl::Catalog for Two {
    fn has_table(&self, table: &str) -> Option<bool> {
        Some(["Catalog.А", "Document.Б"].contains(&table))
    }

    fn has_field(&self, table: &str, field: &str) -> Option<bool> {
        Some(self.fields(table, Spelling::Russian).iter().any(|name| bsl::same_name(name, field)))
    }

    fn fields(&self, table: &str, _: Spelling) -> bsl::Names {
        let names = if table == "Catalog.А" { ["Код", "Цена"] } else { ["Дата", "Итого"] };
        names.map(Box::from).into()
    }

    fn targets(&self, _: &str, _: &str) -> Option<bsl::Names> {
        Some([].into())
    }

    fn nearest(&self, _: &str) -> Vec<String> {
        vec!["Catalog.А".to_owned()]
    }

    fn synonym(&self, table: &str, field: &str) -> Option<Box<str>> {
        (table == "Catalog.А" && bsl::same_name(field, "Цена")).then(|| "Цена за штуку".into())
    }
}

#[test]
fn a_column_without_a_title_shows_the_synonym_of_its_attribute() {
    let titled = "<field xsi:type=\"DataSetFieldField\"><dataPath>Свой</dataPath><field>Свой</field>\
        <title xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>ru</v8:lang><v8:content>Заголовок</v8:content></v8:item></title></field>\
        <field xsi:type=\"DataSetFieldField\"><dataPath>Ц</dataPath><field>Ц</field></field>";
    let body = format!(
        "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name>{titled}<query>ВЫБРАТЬ А.Цена КАК Ц, А.Цена * 2 КАК Д, А.Цена КАК Свой \
         ИЗ Справочник.А КАК А</query></dataSet>"
    );
    let document = Document::parse(format!("{HEAD}{body}</DataCompositionSchema>"));
    let found = trace_in(&document, "цена за  штуку", Some(&Two));
    let [answer] = &found.answers[..] else { panic!("{found:#?}") };
    assert_eq!((answer.path.as_str(), &answer.named_by[..]), ("Ц", &[NamedBy::Synonym][..]));
    assert_eq!(lines(answer).last().map(String::as_str), Some("2 Table Справочник.А: Цена :1"));
    // Without a configuration nobody knows it; a near name is offered.
    assert!(trace(&document, "цена за штуку").answers.is_empty());
    assert_eq!(trace_in(&document, "цена за штук", Some(&Two)).nearest, ["Цена за штуку"]);
}

#[test]
fn a_configuration_says_whose_a_name_is_and_what_it_lacks() {
    let body = "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>ВЫБРАТЬ Итого КАК И, А.Цен КАК Ц \
        ИЗ Справочник.А КАК А, Документ.Б КАК Б</query></dataSet>";
    let document = Document::parse(format!("{HEAD}{body}</DataCompositionSchema>"));
    let last = |column: &str, catalog: Option<&dyn Catalog>| {
        trace_in(&document, column, catalog).answers.remove(0).steps.pop().expect("a step")
    };
    assert_eq!(last("И", None).kind, StepKind::Open);
    let known = last("И", Some(&Two));
    assert_eq!((known.kind, &*known.object, &*known.absent), (StepKind::Table, "Document.Б", ""));
    let wrong = last("Ц", Some(&Two));
    assert_eq!((&*wrong.absent, &wrong.nearest[..]), ("Цен", &["Цена".to_owned()][..]));
}

//! References on the demo configuration, against facts read by hand; a twin of an attribute changes nothing.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location, ReferenceQuery, ReferenceRow};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// The demo's index, built once for all tests of this file.
fn demo() -> Index {
    static MADE: OnceLock<(tempfile::TempDir, Location)> = OnceLock::new();
    let (_, location) = MADE.get_or_init(|| built(&support::demo()));
    Index::open(location).unwrap()
}

fn built(dump: &Path) -> (tempfile::TempDir, Location) {
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    build(dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    (dir, location)
}

fn rows_of(index: &Index, name: &str) -> Vec<ReferenceRow> {
    let target = index.require_target(name).unwrap();
    index.references(&target, &ReferenceQuery { limit: 10_000, ..ReferenceQuery::default() }).unwrap().rows
}

/// References as `kind file:line`.
fn refs(name: &str) -> Vec<String> {
    let rows = rows_of(&demo(), name);
    rows.iter().map(|row| format!("{} {}:{}", row.kind, row.file, row.line)).collect()
}

fn has(name: &str, expected: &[&str]) {
    let found = refs(name);
    for row in expected {
        assert!(found.iter().any(|one| one == row), "{name}: {row} is missing: {found:#?}");
    }
}

#[test]
fn an_attribute_is_found_in_forms_queries_reports_and_code() {
    let expected = [
        "bsl_attribute_name_string Catalogs/Товары/Ext/ManagerModule.bsl:15",
        "bsl_attribute_name_string Catalogs/Товары/Ext/ManagerModule.bsl:51",
        "bsl_property Catalogs/Товары/Ext/ObjectModule.bsl:12",
        "form_data_path Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:33",
        "form_dynamic_list_query Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:67",
        "form_data_path Catalogs/Товары/Forms/ФормаЭлемента/Ext/Form.xml:45",
        "form_data_path DataProcessors/ПодборТоваров/Forms/Форма/Ext/Form.xml:25",
        "template_or_skd Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml:152",
    ];
    let found = refs("Справочник.Товары.Реквизит.Артикул");
    assert_eq!(found, expected, "exactly these");
}

#[test]
fn objects_sections_values_items_and_session_parameters() {
    has(
        "Справочник.Товары",
        &[
            "configuration_childobjects Configuration.xml:199",
            "exchange_plan_content ExchangePlans/МагазиныСети/Ext/Content.xml:4",
            "form_main_table Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:74",
            "form_attribute_type Catalogs/Товары/Forms/ФормаЭлемента/Ext/Form.xml:129",
            "bsl_metadata CommonModules/ОбменСМагазинами/Ext/Module.bsl:60",
            "bsl_type_string CommonModules/СобытияТорговли/Ext/Module.bsl:59",
            "rights_object Roles/Кладовщик/Ext/Rights.xml:7",
            "subsystem_content Subsystems/НормативныеДанные.xml:32",
        ],
    );
    has(
        "Документ.ПродажаТоваров.ТабличнаяЧасть.Товары",
        &[
            "bsl_query Documents/ПродажаТоваров/Ext/ManagerModule.bsl:80",
            "bsl_property Documents/ПродажаТоваров/Ext/ObjectModule.bsl:28",
            "form_data_path Documents/ПродажаТоваров/Forms/ФормаДокумента/Ext/Form.xml:66",
        ],
    );
    has(
        "Справочник.МестаХранения.ОсновнойСклад",
        &["bsl_predefined_value CommonModules/СеансТорговли/Ext/Module.bsl:39"],
    );
    has(
        "ПараметрСеанса.СотрудникСеанса",
        &["bsl_session_parameter_name_string CommonModules/СеансТорговли/Ext/Module.bsl:49"],
    );
    has("РегистрНакопления.ОстаткиТоваров.Измерение.Склад", &["rights_rls Roles/Кладовщик/Ext/Rights.xml:70"]);
    has("РегистрНакопления.РасчетыСПартнерами", &["register_movement Documents/ОплатаПартнера.xml:70"]);
    let module = refs("ОбщийМодуль.СеансТорговли");
    assert!(module.iter().any(|row| row.starts_with("bsl_module_call ")), "{module:?}");
}

#[test]
fn areas_and_parameters_of_a_printed_form() {
    let template = "Document.ПродажаТоваров.Template.Накладная";
    has(template, &["bsl_string CommonModules/ПечатьТорговли/Ext/Module.bsl:45"]);
    // The template comes as a parameter there.
    has(&format!("{template}.Area.Шапка"), &["print_area CommonModules/ПечатьТорговли/Ext/Module.bsl:71"]);
    has(&format!("{template}.Parameter.Итого"), &["print_area CommonModules/ПечатьТорговли/Ext/Module.bsl:86"]);
}

#[test]
fn a_template_is_followed_through_results_parameters_and_keys() {
    let dir = support::temp_dir();
    let dump = dir.path().join("demo");
    support::copy_folder(&support::demo(), &dump);
    let path = dump.join("CommonModules/ПечатьТорговли/Ext/Module.bsl");
    let text = fs::read_to_string(&path).unwrap();
    let first = u32::try_from(text.lines().count()).unwrap();
    let added = "Функция МакетНакладной() Экспорт\nВозврат Документы.ПродажаТоваров.ПолучитьМакет(\"Накладная\");\nКонецФункции\n\
        Функция Шапка() Экспорт\nМакет = МакетНакладной();\nВозврат Макет.ПолучитьОбласть(\"Шапка\");\nКонецФункции\n\
        Процедура Заполнить(Откуда) Экспорт\nОткуда.ПолучитьОбласть(\"Подвал\").Параметры.Итого = 1;\nКонецПроцедуры\n";
    fs::write(&path, format!("{text}\n{added}")).unwrap();
    let other = dump.join("CommonModules/СеансТорговли/Ext/Module.bsl");
    let text = fs::read_to_string(&other).unwrap();
    let second = u32::try_from(text.lines().count()).unwrap();
    let added = "Процедура Напечатать() Экспорт\nА = ПечатьТорговли.МакетНакладной();\nА.ПолучитьОбласть(\"Строка\");\n\
        ПечатьТорговли.Заполнить(А);\nПараметры = Новый Структура;\nПараметры.Вставить(\"МакетПечати\", А);\nДалее(Параметры);\nКонецПроцедуры\n\
        Процедура Далее(П)\nП.МакетПечати.ПолучитьОбласть(\"ЗаголовокТаблицы\");\nП.Иное.ПолучитьОбласть(\"Шапка\");\nКонецПроцедуры\n";
    fs::write(&other, format!("{text}\n{added}")).unwrap();
    let (_dir, location) = built(&dump);
    let index = Index::open(&location).unwrap();
    let lines = |part: &str, file: &str, from: u32| -> Vec<u32> {
        let rows = rows_of(&index, &format!("Document.ПродажаТоваров.Template.Накладная.{part}"));
        let of_file =
            rows.into_iter().filter(|row| row.kind == "print_area" && row.file.contains(file) && row.line > from);
        of_file.map(|row| row.line - from - 1).collect()
    };
    // A function of the module gives the template; a parameter is given it by another module.
    assert_eq!(lines("Area.Шапка", "ПечатьТорговли", first), [6]);
    assert_eq!(lines("Area.Подвал", "ПечатьТорговли", first), [9]);
    assert_eq!(lines("Parameter.Итого", "ПечатьТорговли", first), [9]);
    // A function of another module; a key under which nothing else is kept; nothing is known of another key.
    assert_eq!(lines("Area.Строка", "СеансТорговли", second), [3]);
    assert_eq!(lines("Area.ЗаголовокТаблицы", "СеансТорговли", second), [10]);
    assert_eq!(lines("Area.Шапка", "СеансТорговли", second), [0; 0]);
}

/// What is put into the form of a copy of the demo, behind a mark of the file: both formats say the same.
const FORM: [(&str, &str); 2] = [
    (
        "<Attributes>",
        "<Attribute name=\"Набор\" id=\"90\"><Type><v8:Type>cfg:ConstantsSet</v8:Type></Type><Save>\n\
         <Field>Набор.НазваниеФирмы</Field></Save></Attribute>",
    ),
    (
        "<InputField name=\"ПродажиЗаДень\" id=\"1\">",
        "<TextColor>\nstyle:ПросроченныйДолгЦвет</TextColor><BorderColor>style:FormBackColor</BorderColor>\n\
         <Font ref=\"style:ИтоговаяСтрокаШрифт\" kind=\"StyleItem\"/><Picture>\n<xr:Ref>CommonPicture.Значок</xr:Ref></Picture>",
    ),
];
const FORM_OF_EDT: [(&str, &str); 2] = [
    (
        "<attributes>",
        "<name>Набор</name><id>90</id><valueType><types>ConstantsSet</types></valueType>\n\
         <settingsSavedData xsi:type=\"form:DataPath\">\n<segments>Набор.НазваниеФирмы</segments></settingsSavedData></attributes>\n<attributes>",
    ),
    (
        "<name>ПродажиЗаДень</name>",
        "<textColor xsi:type=\"core:ColorRef\">\n<color>Style.ПросроченныйДолгЦвет</color></textColor>\n\
         <borderColor xsi:type=\"core:ColorRef\"><color>Style.FormBackColor</color></borderColor><font xsi:type=\"core:FontRef\">\n\
         <font>Style.ИтоговаяСтрокаШрифт</font></font><picture xsi:type=\"core:PictureRef\">\n\
         <picture>CommonPicture.Значок</picture></picture>",
    ),
];

/// A picture: the demo has none.
fn picture(dump: &Path, edt: bool) {
    let (folder, name, text) = match edt {
        true => (
            "src/CommonPictures/Значок",
            "Значок.mdo",
            "<mdclass:CommonPicture xmlns:mdclass=\"u\" uuid=\"1\"><name>Значок</name></mdclass:CommonPicture>",
        ),
        false => (
            "CommonPictures",
            "Значок.xml",
            "<MetaDataObject><CommonPicture uuid=\"1\"><Properties><Name>Значок</Name></Properties></CommonPicture></MetaDataObject>",
        ),
    };
    fs::create_dir_all(dump.join(folder)).unwrap();
    fs::write(dump.join(folder).join(name), text).unwrap();
}

/// References of a form as `kind target`, each at a line that holds the target's own name.
fn of_form(dump: &Path, path: &str, file: &str, added: &[(&str, &str)]) -> Vec<String> {
    picture(dump, file.starts_with("src/"));
    let mut text = fs::read_to_string(dump.join(file)).unwrap();
    for (mark, more) in added {
        assert!(text.contains(mark), "{mark}");
        text = text.replacen(mark, &format!("{mark}{more}"), 1);
    }
    fs::write(dump.join(file), &text).unwrap();
    let (_dir, location) = built(dump);
    let index = Index::open(&location).unwrap();
    let sql = format!(
        "SELECT kind, target, line FROM refs WHERE file = '{path}' AND (target LIKE 'StyleItem.%' OR target LIKE 'CommonPicture.%'
         OR target LIKE 'Constant.%') ORDER BY line, target"
    );
    let rows = select(index.path(), &sql, SqlLimits::default()).unwrap().rows;
    let shown = |row: Vec<serde_json::Value>| {
        let (kind, target) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        let line = text.lines().nth(usize::try_from(row[2].as_u64().unwrap()).unwrap() - 1).unwrap();
        // An element begins where it is opened.
        let own = target.rsplit('.').next().unwrap();
        assert!(line.contains(own) || line.ends_with("<TextColor>"), "{target} is not named at {line}");
        format!("{kind} {target}")
    };
    let mut found: Vec<String> = rows.into_iter().map(shown).collect();
    found.sort();
    found
}

#[test]
fn forms_of_both_formats_name_items_of_the_style_pictures_and_constants() {
    let expected = [
        "form_data_path Constant.НазваниеФирмы",
        "form_property CommonPicture.Значок",
        "form_property StyleItem.ИтоговаяСтрокаШрифт",
        "form_property StyleItem.ПросроченныйДолгЦвет",
    ];
    let dir = support::temp_dir();
    let dump = dir.path().join("demo");
    support::copy_folder(&support::demo(), &dump);
    let file = "CommonForms/ПанельТорговли/Ext/Form.xml";
    assert_eq!(of_form(&dump, file, file, &FORM), expected);
    let dump = dir.path().join("demo_edt");
    support::copy_folder(&support::demo().with_file_name("demo_edt"), &dump);
    let file = "src/CommonForms/ПанельТорговли/Form.form";
    assert_eq!(of_form(&dump, file, file, &FORM_OF_EDT), expected);
}

#[test]
fn metadata_beside_forms_names_addressing_flags_nested_subsystems_and_handlers() {
    has("Справочник.Товары", &["rights_object Roles/Кладовщик/Ext/Rights.xml:7"]);
    has("ОбщийМодуль.СобытияТорговли", &["metadata_property EventSubscriptions/ПостановкаСправочникаВОчередь.xml:21"]);
    has(
        "Задача.ЗадачаСогласования.РеквизитАдресации.Исполнитель",
        &["metadata_property BusinessProcesses/СогласованиеЗаказа/Ext/Flowchart.xml:130"],
    );
    has(
        "ПланСчетов.Управленческий.ПризнакУчета.Количественный",
        &["predefined ChartsOfAccounts/Управленческий/Ext/Predefined.xml:11"],
    );
    has(
        "ПланВидовХарактеристик.ВидыАналитикиТорговли",
        &["predefined ChartsOfAccounts/Управленческий/Ext/Predefined.xml:14"],
    );
    let nested = refs("Подсистема.Продажи.Подсистема.ЗаказыИСогласование");
    assert!(nested.iter().any(|row| row.starts_with("subsystem_content Subsystems/Продажи.xml:")), "{nested:?}");
    let group = refs("ГруппаКоманд.ПечатныеФормыТорговли");
    let of_command = group.iter().filter(|row| row.contains("Documents/ПродажаТоваров.xml"));
    assert_eq!(of_command.collect::<Vec<_>>(), ["command_interface Documents/ПродажаТоваров.xml:747"]);
    let style = refs("ЭлементСтиля.ПросроченныйДолгЦвет");
    for row in [
        "form_conditional_appearance Catalogs/Товары/Forms/ФормаСписка/Ext/Form.xml:114",
        "template_or_skd Reports/ВедомостьТоваров/Templates/ОсновнаяСхема/Ext/Template.xml:281",
    ] {
        assert!(style.iter().any(|one| one == row), "{row} is missing: {style:#?}");
    }
}

#[test]
fn a_common_attribute_is_a_field_of_all_objects_if_it_says_so() {
    let dir = support::temp_dir();
    let dump = dir.path().join("demo");
    support::copy_folder(&support::demo(), &dump);
    let path = dump.join("Catalogs/Товары/Ext/ObjectModule.bsl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\nПроцедура Проверить() Экспорт\nКомментарийТорговли = \"\";\nКонецПроцедуры\n"))
        .unwrap();
    let of_module = |dump: &Path| {
        let (_dir, location) = built(dump);
        let rows = rows_of(&Index::open(&location).unwrap(), "ОбщийРеквизит.КомментарийТорговли");
        rows.iter().filter(|row| row.file.contains("Товары/Ext/ObjectModule.bsl")).count()
    };
    assert_eq!(of_module(&dump), 0, "the content doesn't list the catalog");
    let path = dump.join("CommonAttributes/КомментарийТорговли.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("<AutoUse>DontUse</AutoUse>", "<AutoUse>Use</AutoUse>")).unwrap();
    assert_eq!(of_module(&dump), 1);
}

#[test]
fn names_in_a_literal_of_several_lines_have_lines_of_their_own() {
    let dir = support::temp_dir();
    let dump = dir.path().join("demo");
    support::copy_folder(&support::demo(), &dump);
    let path = dump.join("Catalogs/Товары/Ext/ManagerModule.bsl");
    let text = fs::read_to_string(&path).unwrap();
    let first = u32::try_from(text.lines().count()).unwrap();
    let added = "Процедура Проверить() Экспорт\nВыборка = Справочники.Товары.НайтиПоРеквизиту(\n\"Артикул\", 1);\nКонецПроцедуры\n";
    fs::write(&path, format!("{text}\n{added}")).unwrap();
    let (_dir, location) = built(&dump);
    let rows = rows_of(&Index::open(&location).unwrap(), "Справочник.Товары.Реквизит.Артикул");
    let lines = rows.iter().filter(|row| row.kind == "bsl_attribute_name_string" && row.line > first);
    assert_eq!(lines.map(|row| row.line - first - 1).collect::<Vec<_>>(), [3]);
}

#[test]
fn the_view_is_asked_by_full_name() {
    let sql = "SELECT kind, count(*) FROM refs WHERE target = 'Catalog.Товары.Attribute.Артикул' GROUP BY kind";
    let answer = select(demo().path(), sql, SqlLimits::default()).unwrap();
    assert!(answer.rows.len() >= 5, "{answer:?}");
}

#[test]
fn every_reference_stands_where_it_says() {
    let index = demo();
    let sql =
        "SELECT target, kind, file, line FROM refs WHERE kind IN ('bsl_property', 'bsl_manager', 'bsl_enum_value',
               'form_data_path', 'bsl_query', 'bsl_predefined_value', 'rights_object', 'metadata_type')";
    let rows = select(index.path(), sql, SqlLimits { rows: 100_000, ..SqlLimits::default() }).unwrap().rows;
    assert!(rows.len() > 500, "{}", rows.len());
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    for row in rows {
        let (target, file) = (text(&row[0]), text(&row[2]));
        let line = usize::try_from(row[3].as_u64().unwrap()).unwrap();
        let content = fs::read_to_string(support::demo().join(&file)).unwrap();
        // An element's name may stand on its second line.
        let line = bsl::fold(&content.lines().skip(line - 1).take(2).collect::<Vec<_>>().join(" "));
        let own = target.rsplit('.').next().unwrap();
        // A standard attribute has two names; a column of a list's query may bear another one than its field.
        let named =
            line.contains(&bsl::fold(own)) || target.contains(".StandardAttribute.") || line.contains("список.");
        assert!(named, "{target} is not named at {file}: {line}");
    }
}

/// Copies a folder.
/// The attributes of an object's own list (not of its tabular sections), as they are written.
fn attributes(xml: &str) -> Vec<(String, String)> {
    let own = xml.split_once("<TabularSection").map_or(xml, |(own, _)| own);
    let mut found = Vec::new();
    for piece in own.split("<Attribute uuid=").skip(1) {
        let Some((body, _)) = piece.split_once("</Attribute>") else { continue };
        let name = body.split_once("<Name>").unwrap().1.split_once("</Name>").unwrap().0;
        found.push((name.to_owned(), format!("<Attribute uuid={body}</Attribute>")));
    }
    found
}

#[test]
fn twins_of_attributes_on_another_object_give_no_new_reference() {
    let dir = support::temp_dir();
    let dump = dir.path().join("demo");
    support::copy_folder(&support::demo(), &dump);
    let twin = dump.join("Catalogs/МестаХранения.xml");
    let original = fs::read_to_string(&twin).unwrap();
    let known: Vec<String> = attributes(&original).into_iter().map(|(name, _)| name).collect();
    let goods = fs::read_to_string(dump.join("Catalogs/Товары.xml")).unwrap();
    let twins: Vec<(String, String)> =
        attributes(&goods).into_iter().filter(|(name, _)| !known.contains(name)).collect();
    assert!(twins.len() > 3, "{}", twins.len());
    let mut added = String::from("<ChildObjects>\n");
    for (_, xml) in &twins {
        // Its type says nothing: what refers to a type is another matter.
        let (before, rest) = xml.split_once("<Type>").unwrap();
        let (_, after) = rest.split_once("</Type>").unwrap();
        added.push_str(&format!("{before}<Type><v8:Type>xs:string</v8:Type></Type>{after}\n"));
    }
    fs::write(&twin, original.replacen("<ChildObjects>", &added, 1)).unwrap();

    let (_dir, location) = built(&dump);
    let with_twins = Index::open(&location).unwrap();
    let places = |index: &Index, name: &str| -> Vec<(String, String, u32)> {
        rows_of(index, name).into_iter().map(|row| (row.kind, row.file, row.line)).collect()
    };
    for (name, _) in &twins {
        let twin = format!("Catalog.МестаХранения.Attribute.{name}");
        assert_eq!(places(&with_twins, &twin), [], "{twin}");
        let original = format!("Catalog.Товары.Attribute.{name}");
        assert_eq!(places(&with_twins, &original), places(&demo(), &original), "{original}");
    }
}

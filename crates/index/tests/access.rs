//! Restrictions of records: what they come to, what they name, and what several roles together let through.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{LayerPaths, Options, Stop, build};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location};
use std::path::Path;
use support::{description, put};

fn attribute(name: &str, object: &str) -> String {
    format!(
        "<Attribute uuid=\"\"><Properties><Name>{name}</Name><Type><v8:Type>cfg:CatalogRef.{object}</v8:Type></Type></Properties></Attribute>"
    )
}

fn right(name: &str, conditions: &[(&str, &str)]) -> String {
    let of = |(field, text): &(&str, &str)| {
        let field = if field.is_empty() { String::new() } else { format!("<field>{field}</field>") };
        format!("<restrictionByCondition>{field}<condition>{text}</condition></restrictionByCondition>")
    };
    let conditions: String = conditions.iter().map(of).collect();
    format!("<right><name>{name}</name><value>true</value>{conditions}</right>")
}

fn role(root: &Path, name: &str, flags: &str, rights: &str, templates: &str) {
    put(root, &format!("Roles/{name}.xml"), &description("Role", name, "", ""));
    let object = if rights.is_empty() {
        String::new()
    } else {
        format!("<object><name>Catalog.Заказы</name>{rights}</object>\n")
    };
    put(
        root,
        &format!("Roles/{name}/Ext/Rights.xml"),
        &format!("<Rights xmlns=\"http://v8.1c.ru/8.2/roles\">\n{flags}{object}{templates}</Rights>"),
    );
}

const TEMPLATE: &str = "<restrictionTemplate>\n<name>По(Поле)</name>\n<condition>// Ответственный, Справочник.Иное.\n\
    #Если #ИмяТекущегоПраваДоступа &lt;&gt; \"Чтение\" #Тогда\nГДЕ ЛОЖЬ\n#Иначе\n\
    ТекущаяТаблица ГДЕ ИСТИНА В (ВЫБРАТЬ ПЕРВЫЕ 1 ИСТИНА ИЗ Справочник.Люди КАК Люди\n\
    ГДЕ Люди.Ссылка = ТекущаяТаблица.#Поле И Люди.Отдел = &amp;Отдел)\n#КонецЕсли</condition></restrictionTemplate>";

fn made() -> (tempfile::TempDir, Location) {
    let dir = support::temp_dir();
    let root = dir.path().join("base");
    let roles = ["Менеджер", "Кладовщик", "Все", "Полные", "Чужие", "Ветви"];
    let listed: String = roles.iter().map(|name| format!("<Role>{name}</Role>")).collect();
    let listed = format!("<Catalog>Заказы</Catalog><Catalog>Люди</Catalog><Catalog>Иное</Catalog>{listed}");
    put(
        &root,
        "Configuration.xml",
        &description("Configuration", "База", "<ScriptVariant>Russian</ScriptVariant>", &listed),
    );
    let attributes = attribute("Ответственный", "Люди") + &attribute("Отдел", "Иное");
    put(&root, "Catalogs/Заказы.xml", &description("Catalog", "Заказы", "", &attributes));
    put(&root, "Catalogs/Люди.xml", &description("Catalog", "Люди", "", &attribute("Отдел", "Иное")));
    put(&root, "Catalogs/Иное.xml", &description("Catalog", "Иное", "", &attribute("Ответственный", "Люди")));
    let call = "#По(\n\"Ответственный\")";
    role(&root, "Менеджер", "", &(right("Read", &[("", call)]) + &right("Update", &[("", call)])), TEMPLATE);
    role(&root, "Кладовщик", "", &right("Read", &[("", "ГДЕ Код = &amp;Код"), ("Отдел", "ГДЕ ИСТИНА")]), "");
    role(&root, "Все", "", &right("Read", &[]), "");
    role(&root, "Полные", "<setForNewObjects>true</setForNewObjects>\n", "", "");
    role(&root, "Чужие", "", &right("Read", &[("", "#Нет(\"Код\")")]), "");
    let branches = "#Если ЛОЖЬ #Тогда\nГДЕ Ссылка В (ВЫБРАТЬ Ссылка ИЗ Справочник.Люди)\n#Иначе #Нет(\"Справочник.Иное\") #КонецЕсли";
    role(&root, "Ветви", "", &right("Read", &[("", branches)]), "");
    let location = Location::at(dir.path().join("index.db"));
    build(&root, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    (dir, location)
}

fn rows(index: &Index, sql: &str) -> Vec<String> {
    let found = select(index.path(), sql, SqlLimits::default()).unwrap();
    let cell = |cell: &serde_json::Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    found.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | ")).collect()
}

#[test]
fn templates_are_put_in_and_what_they_name_has_its_line() {
    let (_dir, location) = made();
    let index = Index::open(&location).unwrap();
    let text = "SELECT right, lets, condition FROM rls_effective WHERE role = 'Role.Менеджер' ORDER BY right";
    assert_eq!(
        rows(&index, text),
        [
            "Read | some | ТекущаяТаблица ГДЕ ИСТИНА В (ВЫБРАТЬ ПЕРВЫЕ 1 ИСТИНА ИЗ Справочник.Люди КАК Люди\n\
             ГДЕ Люди.Ссылка = ТекущаяТаблица.Ответственный И Люди.Отдел = &Отдел)",
            "Update | none | ГДЕ ЛОЖЬ"
        ]
    );
    // The attribute stands in the argument, in the line below the call; the table and its field in the template.
    let refs =
        "SELECT target, line FROM refs WHERE kind = 'rights_rls' AND source = 'Role.Менеджер' ORDER BY line, target";
    assert_eq!(
        rows(&index, refs),
        [
            "Catalog.Заказы.Attribute.Ответственный | 3",
            "Catalog.Заказы.Attribute.Ответственный | 4",
            "Catalog.Люди | 11",
            // The alias is the catalog's own name.
            "Catalog.Люди | 12",
            "Catalog.Люди.Attribute.Отдел | 12",
            "Catalog.Люди.StandardAttribute.Ref | 12",
        ]
    );
    // A branch that no call comes to, and an argument.
    let branches =
        "SELECT target, line FROM refs WHERE kind = 'rights_rls' AND source = 'Role.Ветви' ORDER BY line, target";
    assert_eq!(rows(&index, branches), ["Catalog.Люди | 3", "Catalog.Иное | 4"]);
    let absent = "SELECT condition FROM rls_effective WHERE role = 'Role.Чужие'";
    assert_eq!(rows(&index, absent), ["#Нет(\"Код\")"]);
}

#[test]
fn several_roles_let_through_what_any_of_them_does() {
    let (_dir, location) = made();
    let index = Index::open(&location).unwrap();
    let object = index.require("Справочник.Заказы").unwrap();
    let access = |names: &[&str]| {
        let roles: Vec<_> = names.iter().map(|name| index.require(&format!("Role.{name}")).unwrap().id).collect();
        index.access(object.id, &roles).unwrap()
    };
    let read =
        |names: &[&str]| access(names).into_iter().find(|row| row.right == "Read" && row.field.is_empty()).unwrap();
    let both = read(&["Менеджер", "Кладовщик"]);
    assert_eq!((both.lets.as_str(), both.conditions.len()), ("some", 2));
    let union = both.union();
    assert!(union.starts_with("(ГДЕ Код = &Код)\nИЛИ\n(ТекущаяТаблица ГДЕ") && union.ends_with("&Отдел))"), "{union}");
    // A field with a restriction of its own, that lets all through; the other role's holds for all fields.
    let field = access(&["Менеджер", "Кладовщик"]).into_iter().find(|row| row.field == "Отдел").unwrap();
    assert_eq!((field.lets.as_str(), field.unrestricted), ("all", vec!["Role.Кладовщик".to_owned()]));
    for lifting in ["Все", "Полные"] {
        let lifted = read(&["Менеджер", lifting]);
        assert_eq!((lifted.lets.as_str(), lifted.unrestricted.as_slice()), ("all", &[format!("Role.{lifting}")][..]));
        assert_eq!(lifted.union(), "");
    }
    let update = access(&["Менеджер", "Кладовщик"]).into_iter().find(|row| row.right == "Update").unwrap();
    assert_eq!((update.lets.as_str(), update.union()), ("none", String::new()));
    let role = index.require("Роль.Менеджер").unwrap();
    assert_eq!(index.restrictions(role.id).unwrap().len(), 2);
}

/// An adopted role and the one that it adopts are one role: a restriction of the extension calls templates of either, and where both
/// have one, the extension's counts.
#[test]
fn a_role_that_an_extension_adopts_calls_templates_of_the_base() {
    let (dir, location) = made();
    let (base, extension) = (dir.path().join("base"), dir.path().join("extension"));
    let templates = |name: &str, text: &str| {
        format!("<restrictionTemplate><name>{name}</name><condition>{text}</condition></restrictionTemplate>\n")
    };
    let both = TEMPLATE.to_owned() + &templates("Общий(Поле)", "ГДЕ #Поле = 1");
    let calls = |calls: &[&str]| {
        let fields = ["", "Отдел", "Ответственный"];
        let all: Vec<(&str, &str)> = fields.iter().copied().zip(calls.iter().copied()).collect();
        right("Read", &all)
    };
    role(&base, "Менеджер", "", &calls(&["#По(\"Ответственный\")", "#Общий(\"Код\")"]), &both);
    let purpose = "<ObjectBelonging>Adopted</ObjectBelonging><ConfigurationExtensionPurpose>Customization</ConfigurationExtensionPurpose>";
    let listed = "<Catalog>Заказы</Catalog><Role>Менеджер</Role><Role>Свой</Role>";
    put(&extension, "Configuration.xml", &description("Configuration", "Расш", purpose, listed));
    let adopted = "<ObjectBelonging>Adopted</ObjectBelonging>";
    put(&extension, "Catalogs/Заказы.xml", &description("Catalog", "Заказы", adopted, ""));
    let of_both = calls(&["#По(\"Ответственный\")", "#Общий(\"Код\")", "#Новый(\"Код\")"]);
    let own = templates("Общий(Поле)", "ГДЕ #Поле = 2") + &templates("Новый(Поле)", "ГДЕ #Поле = 3");
    role(&extension, "Менеджер", "", &of_both, &own);
    put(&extension, "Roles/Менеджер.xml", &description("Role", "Менеджер", adopted, ""));
    // A role of the extension's own has no base.
    role(&extension, "Свой", "", &calls(&["#По(\"Ответственный\")"]), "");
    let layers = Some(LayerPaths { extensions: vec![extension], external: Vec::new() });
    build(&base, &location, &Options { layers, ..Options::default() }, &Stop::default(), &|_| {}).unwrap();

    let index = Index::open(&location).unwrap();
    let text = "SELECT role, field, lets, substr(condition, 1, 50) FROM rls_effective WHERE role LIKE '%Менеджер' OR role LIKE '%Свой'
                ORDER BY role, field";
    let by_manager = "some | ТекущаяТаблица ГДЕ ИСТИНА В (ВЫБРАТЬ ПЕРВЫЕ 1 ИСТИ";
    assert_eq!(
        rows(&index, text),
        [
            format!("Role.Менеджер | null | {by_manager}"),
            "Role.Менеджер | Отдел | some | ГДЕ Код = 1".to_owned(),
            format!("Расш::Role.Менеджер | null | {by_manager}"),
            "Расш::Role.Менеджер | Ответственный | some | ГДЕ Код = 3".to_owned(),
            "Расш::Role.Менеджер | Отдел | some | ГДЕ Код = 2".to_owned(),
            "Расш::Role.Свой | null | some | #По(\"Ответственный\")".to_owned(),
        ]
    );
    // A user who has the role has what the extension made of it.
    let ids = ["Catalog.Заказы", "Role.Менеджер"].map(|name| index.require(name).unwrap().id);
    let held = index.access(ids[0], &ids[1..]).unwrap();
    let by = held
        .iter()
        .flat_map(|row| &row.conditions)
        .flat_map(|one| &one.roles)
        .collect::<std::collections::BTreeSet<_>>();
    assert_eq!(by.into_iter().collect::<Vec<_>>(), ["Role.Менеджер", "Расш::Role.Менеджер"]);
    // What the template names is referred to by the extension's role, in the file and line of the base's template.
    let refs = "SELECT DISTINCT file, line FROM refs WHERE kind = 'rights_rls' AND source = 'Расш::Role.Менеджер' AND target = 'Catalog.Люди'";
    let template = std::fs::read_to_string(base.join("Roles/Менеджер/Ext/Rights.xml")).unwrap();
    let line = template.lines().position(|line| line.contains("Справочник.Люди")).unwrap() + 1;
    let there = [line, line + 1].map(|line| format!("Roles/Менеджер/Ext/Rights.xml | {line}"));
    assert_eq!(rows(&index, refs), there);
}

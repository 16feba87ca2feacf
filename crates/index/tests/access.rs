//! Restrictions of records: what they come to, what they name, and what several roles together let through.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
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

const TEMPLATE: &str = "<restrictionTemplate>\n<name>По(Поле)</name>\n<condition>// Ответственный.\n\
    #Если #ИмяТекущегоПраваДоступа &lt;&gt; \"Чтение\" #Тогда\nГДЕ ЛОЖЬ\n#Иначе\n\
    ТекущаяТаблица ГДЕ ИСТИНА В (ВЫБРАТЬ ПЕРВЫЕ 1 ИСТИНА ИЗ Справочник.Люди КАК Люди\n\
    ГДЕ Люди.Ссылка = ТекущаяТаблица.#Поле И Люди.Отдел = &amp;Отдел)\n#КонецЕсли</condition></restrictionTemplate>";

fn made() -> (tempfile::TempDir, Location) {
    let dir = support::temp_dir();
    let root = dir.path().join("base");
    let roles = ["Менеджер", "Кладовщик", "Все", "Полные", "Чужие"];
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
            "Catalog.Люди.Attribute.Отдел | 12",
            "Catalog.Люди.StandardAttribute.Ref | 12",
        ]
    );
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

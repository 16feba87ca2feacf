//! Areas of templates and what they are bound to.

use metascope_dcs::Document;

use crate::{changes, edit, refuse, schema};

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

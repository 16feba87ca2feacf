use super::*;
use crate::name;

const HEAD: &str = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
    xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">";

/// A schema of elements on lines, with CR LF between them and LF inside texts.
fn schema(body: &str) -> Document {
    let body = body.replace('\n', "\r\n").replace('¶', "\n");
    Document::parse(format!("\u{feff}{HEAD}\r\n{body}\r\n</DataCompositionSchema>"))
}

/// What stands in the root after an edit; the edit must undo itself byte for byte.
fn after<'d>(document: &'d Document, change: impl FnOnce(&mut Edit<'d>)) -> String {
    let mut edit = Edit::of(document).unwrap();
    change(&mut edit);
    let applied = document.apply(&edit.finish().unwrap()).unwrap();
    assert_eq!(applied.document.problems(), [], "{}", applied.document.text());
    let undone = applied.document.apply(&applied.undo).unwrap();
    assert_eq!(undone.document.text(), document.text());
    let text = applied.document.text();
    let inner =
        text.split_once(HEAD).unwrap().1.trim_start_matches("\r\n").trim_end_matches("</DataCompositionSchema>");
    inner.trim_end_matches("\r\n").replace('\n', "¶").replace("\r¶", "\n")
}

fn total(path: &str) -> New {
    let expression = New::text(name("sch:expression"), format!("Сумма({path})"));
    New::with(name("sch:totalField"), [New::text(name("sch:dataPath"), path), expression])
}

#[test]
fn a_new_element_stands_in_order_and_looks_like_its_neighbours() {
    let source = "\t<dataSource>\n\t\t<name>А</name>\n\t\t<dataSourceType>Local</dataSourceType>\n\t</dataSource>";
    let variant = "\t<settingsVariant>\n\t\t<s:name>О</s:name>\n\t\t<s:settings/>\n\t</settingsVariant>";
    let written = |path: &str| {
        format!(
            "\t<totalField>\n\t\t<dataPath>{path}</dataPath>\n\t\t<expression>Сумма({path})</expression>\n\t</totalField>"
        )
    };
    let document = schema(&format!("{source}\n{variant}"));
    let root = document.root().unwrap();
    let changed = after(&document, |edit| {
        edit.insert(root, &total("Б")).unwrap();
        // Whatever the order of the calls, the model's order counts.
        edit.insert(root, &New::text(name("sch:calculatedField"), "")).unwrap();
        edit.insert(root, &total("В")).unwrap();
    });
    assert_eq!(changed, format!("{source}\n\t<calculatedField/>\n{}\n{}\n{variant}", written("Б"), written("В")));

    // Before the first one; behind a given one; into an element that held nothing.
    let document = schema(&format!("{}\n{variant}", written("Б")));
    let root = document.root().unwrap();
    let changed = after(&document, |edit| {
        edit.insert(root, &New::text(name("sch:dataSource"), "")).unwrap();
        edit.insert_at(root, &total("А"), Place::Before(root.child("totalField").unwrap())).unwrap();
        let settings = root.at(&["settingsVariant", "settings"]).unwrap();
        let auto = New::empty(name("set:item")).typed(name("set:SelectedItemAuto"));
        edit.insert(settings, &New::with(name("set:selection"), [auto])).unwrap();
    });
    let filled = "\t<settingsVariant>\n\t\t<s:name>О</s:name>\n\t\t<s:settings>\n\t\t\t<s:selection>\n\
        \t\t\t\t<s:item xsi:type=\"s:SelectedItemAuto\"/>\n\t\t\t</s:selection>\n\t\t</s:settings>\n\t</settingsVariant>";
    assert_eq!(changed, format!("\t<dataSource/>\n{}\n{}\n{filled}", written("А"), written("Б")));
}

#[test]
fn prefixes_that_nobody_bound_are_declared_as_the_platform_does() {
    let document = schema("\t<parameter>\n\t\t<name>П</name>\n\t</parameter>");
    let parameter = document.root().unwrap().child("parameter").unwrap();
    let changed = after(&document, |edit| {
        let own = New::type_name(name("v8:Type"), "http://v8.1c.ru/8.1/data/enterprise/current-config", "CatalogRef.Х");
        let text = New::type_name(name("v8:Type"), "http://www.w3.org/2001/XMLSchema", "string");
        edit.insert(parameter, &New::with(name("sch:valueType"), [own, text])).unwrap();
    });
    let expected = "\t<parameter>\n\t\t<name>П</name>\n\t\t<valueType>\n\
        \t\t\t<v8:Type xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
        xmlns:d4p1=\"http://v8.1c.ru/8.1/data/enterprise/current-config\">d4p1:CatalogRef.Х</v8:Type>\n\
        \t\t\t<v8:Type xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">xs:string</v8:Type>\n\
        \t\t</valueType>\n\t</parameter>";
    assert_eq!(changed, expected);
}

#[test]
fn only_what_differs_of_a_text_is_touched() {
    let query = "ВЫБРАТЬ &quot;а&quot;,¶\tБ > 1¶ИЗ В";
    let document = schema(&format!("\t<dataSet xsi:type=\"DataSetQuery\">\n\t\t<query>{query}</query>\n\t</dataSet>"));
    let element = document.root().unwrap().at(&["dataSet", "query"]).unwrap();
    let mut edit = Edit::of(&document).unwrap();
    edit.set_text(element, &element.text().replace("Б > 1", "Б < 1,\n\tГ")).unwrap();
    let patch = edit.finish().unwrap();
    // The quotes of the first line, written as entities, stay so.
    assert_eq!(patch.splices().len(), 1);
    let splice = &patch.splices()[0];
    assert_eq!((&document.text()[splice.range.clone()], splice.text.as_str()), ("> 1", "&lt; 1,\n\tГ"));
    let changed =
        after(&document, |edit| edit.patch_text(element, 0.."ВЫБРАТЬ \"а\"".len(), "ВЫБРАТЬ 1 КАК а").unwrap());
    assert!(changed.contains("<query>ВЫБРАТЬ 1 КАК а,¶\tБ > 1¶ИЗ В</query>"), "{changed}");
    let changed = after(&document, |edit| edit.set_text(element, "").unwrap());
    assert!(changed.contains("<query/>"), "{changed}");
}

#[test]
fn removing_takes_the_line_and_empties_what_held_nothing_else() {
    let field = "\t\t<field xsi:type=\"DataSetFieldField\">\n\t\t\t<dataPath>А</dataPath>\n\t\t</field>";
    let document = schema(&format!("\t<dataSet xsi:type=\"DataSetQuery\">\n\t\t<name>Н</name>\n{field}\n\t</dataSet>"));
    let field = document.root().unwrap().at(&["dataSet", "field"]).unwrap();
    let changed = after(&document, |edit| edit.remove(field).unwrap());
    assert_eq!(changed, "\t<dataSet xsi:type=\"DataSetQuery\">\n\t\t<name>Н</name>\n\t</dataSet>");
    let changed = after(&document, |edit| {
        edit.remove(field).unwrap();
        // It lies in what is removed anyway.
        edit.remove(field.child("dataPath").unwrap()).unwrap();
        edit.remove(document.root().unwrap().at(&["dataSet", "name"]).unwrap()).unwrap();
    });
    assert_eq!(changed, "\t<dataSet xsi:type=\"DataSetQuery\"/>");
    let changed = after(&document, |edit| {
        let name = document.root().unwrap().at(&["dataSet", "name"]).unwrap();
        edit.remove(name).unwrap();
        edit.remove(field).unwrap();
        edit.insert(name.parent().unwrap(), &New::text(crate::name("sch:name"), "Х")).unwrap();
    });
    assert_eq!(changed, "\t<dataSet xsi:type=\"DataSetQuery\">\n\t\t<name>Х</name>\n\t</dataSet>");
}

#[test]
fn attributes() {
    let document = schema("\t<dataSet xsi:type='DataSetQuery' b=\"1\"/>");
    let set = document.root().unwrap().child("dataSet").unwrap();
    let changed = after(&document, |edit| {
        edit.set_type(set, name("sch:DataSetUnion")).unwrap();
        edit.set_attribute(set, "b", None).unwrap();
    });
    assert_eq!(changed, "\t<dataSet xsi:type='DataSetUnion'/>");
    let changed = after(&document, |edit| edit.set_attribute(set, "c", Some("<\"")).unwrap());
    assert_eq!(changed, "\t<dataSet xsi:type='DataSetQuery' b=\"1\" c=\"&lt;&quot;\"/>");
}

#[test]
fn what_cannot_be_is_refused() {
    let document = schema("\t<dataSource>\n\t\t<name>А</name>\n\t</dataSource>");
    let source = document.root().unwrap().child("dataSource").unwrap();
    let mut edit = Edit::of(&document).unwrap();
    assert!(matches!(edit.insert(source, &total("А")), Err(EditError::NoPlace { .. })));
    assert_eq!(edit.set_text(source, "т"), Err(EditError::HoldsElements { element: "sch:dataSource".into() }));
    let name_element = source.child("name").unwrap();
    assert_eq!(edit.set_text(name_element, "\u{1}"), Err(EditError::BadCharacter { code: 1 }));
    let other = schema("");
    assert_eq!(edit.remove(other.root().unwrap()), Err(EditError::OtherDocument));
    edit.set_text(name_element, "Б").unwrap();
    edit.remove(source).unwrap();
    assert!(matches!(edit.finish(), Err(EditError::Overlap { .. })));
    let mut edit = Edit::of(&document).unwrap();
    edit.remove(source).unwrap();
    edit.insert(source, &New::text(name("sch:connectionString"), "х")).unwrap();
    assert!(matches!(edit.finish(), Err(EditError::Overlap { .. })));
    assert!(matches!(Edit::of(&Document::parse("<a>")), Err(EditError::Malformed { line: 1 })));
    let patch = Patch::new(vec![Splice { range: 1..2, text: String::new() }]).unwrap();
    assert!(patch.apply("яя").is_err() && patch.apply("").is_err());
}

#[test]
fn a_copy_is_the_same_element() {
    let document = schema(
        "\t<parameter>\n\t\t<name>П</name>\n\t\t<value xsi:nil=\"true\"/>\n\t\t<useRestriction>true</useRestriction>\n\t</parameter>",
    );
    let parameter = document.root().unwrap().child("parameter").unwrap();
    let copy = New::copy_of(parameter).unwrap();
    let changed = after(&document, |edit| edit.insert(document.root().unwrap(), &copy).unwrap());
    let halves = changed.split_at(changed.len() / 2);
    assert_eq!(halves.0, halves.1.trim_start_matches('\n').to_owned() + "");
}

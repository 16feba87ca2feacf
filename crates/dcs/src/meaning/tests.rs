use super::*;

fn of(body: &str) -> Thing {
    let text = format!(
        "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
         xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
         xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{body}\
         </DataCompositionSchema>"
    );
    let document = Document::parse(text);
    assert_eq!(document.problems(), [], "{body}");
    meaning(&document).unwrap()
}

fn shown(changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| match &change.kind {
        ChangeKind::Added { .. } => format!("+ {}", change.path),
        ChangeKind::Removed { .. } => format!("- {}", change.path),
        ChangeKind::Changed { old, new } => format!("~ {}: {old} -> {new}", change.path),
        ChangeKind::Retyped { old, new } => format!("~ {}: {old:?} -> {new:?}", change.path),
        ChangeKind::Moved => format!("> {}", change.path),
    };
    changes.iter().map(line).collect()
}

fn parameter(name: &str, rest: &str) -> String {
    format!("<parameter><name>{name}</name>{rest}</parameter>")
}

#[test]
fn bytes_don_t_matter_but_everything_else_does() {
    let one = of("<parameter><name>П &amp; Р</name><valueType><v8:Type>xs:string</v8:Type></valueType></parameter>");
    let other = of(
        "<parameter>\r\n\t<name>П &#38; Р</name><valueType><d:Type xmlns:d='http://v8.1c.ru/8.1/data/core' \
        xmlns:q='http://www.w3.org/2001/XMLSchema'>q:string</d:Type></valueType><availableAsField>true</availableAsField>\
        </parameter>",
    );
    assert_eq!(one, other);
    assert_eq!(diff(&one, &other), []);
    let third = of("<parameter><name>П &amp; Р</name><availableAsField>false</availableAsField></parameter>");
    assert_eq!(shown(&diff(&one, &third)), ["- parameter[П & Р]/valueType", "+ parameter[П & Р]/availableAsField"]);
}

#[test]
fn things_are_told_by_their_keys() {
    let (a, b, c) = (parameter("А", ""), parameter("Б", "<use>Always</use>"), parameter("В", ""));
    let old = of(&format!("{a}{b}{c}"));
    let changed = parameter("Б", "<use>Auto</use><expression>1</expression>");
    assert_eq!(
        shown(&diff(&old, &of(&format!("{c}{a}{changed}")))),
        ["> parameter[В]", "- parameter[Б]/use", "+ parameter[Б]/expression"]
    );
    assert_eq!(shown(&diff(&old, &of(&format!("{a}{c}")))), ["- parameter[Б]"]);
    // A parameter with another name is another parameter.
    assert_eq!(
        shown(&diff(&old, &of(&format!("{a}{}{c}", parameter("Г", "<use>Always</use>"))))),
        ["- parameter[Б]", "+ parameter[Г]"]
    );
}

#[test]
fn of_things_that_nothing_tells_apart_the_equal_ones_stand_for_each_other() {
    let group = |field: &str| {
        format!(
            "<s:item xsi:type='s:StructureItemGroup'><s:groupItems><s:item xsi:type='s:GroupItemField'><s:field>{field}\
             </s:field></s:item></s:groupItems></s:item>"
        )
    };
    let variant = |groups: &[&str]| {
        let groups: String = groups.iter().map(|field| group(field)).collect();
        of(&format!("<settingsVariant><s:name>О</s:name><s:settings>{groups}</s:settings></settingsVariant>"))
    };
    let old = variant(&["А", "Б", "В"]);
    let path = "settingsVariant[О]/settings";
    assert_eq!(shown(&diff(&old, &variant(&["Б", "В"]))), [format!("- {path}/item#1")]);
    assert_eq!(shown(&diff(&old, &variant(&["А", "Х", "Б", "В"]))), [format!("+ {path}/item#2")]);
    assert_eq!(
        shown(&diff(&old, &variant(&["А", "Х", "В"]))),
        [format!("- {path}/item#2/groupItems/item[Б]"), format!("+ {path}/item#2/groupItems/item[Х]")]
    );
}

#[test]
fn texts_of_all_languages_and_types_count() {
    let title = |text: &str| {
        parameter(
            "П",
            &format!(
                "<title xsi:type='v8:LocalStringType'><v8:item><v8:lang>ru</v8:lang><v8:content>{text}</v8:content>\
                 </v8:item></title><value xsi:type='xs:string'>1</value>"
            ),
        )
    };
    let (old, new) = (of(&title("Один")), of(&title("Два").replace("'xs:string'", "'xs:decimal'")));
    assert_eq!(
        shown(&diff(&old, &new)),
        [
            "~ parameter[П]/title: ru: Один -> ru: Два",
            "~ parameter[П]/value: Some(\"xs:string\") -> Some(\"xs:decimal\")"
        ]
    );
}

#[test]
fn depth_is_bounded() {
    let deep = |depth: usize| {
        let open = "<s:item xsi:type='s:StructureItemGroup'>".repeat(depth);
        let close = "</s:item>".repeat(depth);
        of(&format!("<settingsVariant><s:name>О</s:name><s:settings>{open}{close}</s:settings></settingsVariant>"))
    };
    assert_eq!(diff(&deep(5000), &deep(5001)), []);
    assert_eq!(diff(&deep(50), &deep(51)).len(), 1);
}

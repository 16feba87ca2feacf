use super::*;

#[test]
fn a_schema_is_seen_as_what_it_is() {
    let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
        xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
        xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
        <dataSet xsi:type=\"DataSetUnion\"><name>О</name>\
          <item xsi:type=\"DataSetQuery\"><name>А</name><query>ВЫБРАТЬ 1 &lt; 2</query></item>\
          <item xsi:type=\"DataSetObject\"><name>Б</name><objectName>Т</objectName></item></dataSet>\
        <dataSet xsi:type=\"DataSetQuery\"><name>В</name><field xsi:type=\"DataSetFieldField\"><dataPath>Х</dataPath>\
          <title xsi:type=\"v8:LocalStringType\"><v8:item><v8:lang>en</v8:lang><v8:content>X</v8:content></v8:item>\
          <v8:item><v8:lang>ru</v8:lang><v8:content>Икс</v8:content></v8:item></title>\
          <role/></field><autoFillFields>false</autoFillFields></dataSet>\
        <nestedSchema><name>Внутри</name><schema><parameter><name>П</name></parameter></schema></nestedSchema>\
        <settingsVariant><s:name>Осн</s:name><s:settings><s:item xsi:type=\"s:StructureItemTable\">\
          <s:column><s:groupItems><s:item xsi:type=\"s:GroupItemField\"><s:field>Х</s:field></s:item></s:groupItems></s:column>\
          <s:row><s:item><s:name>внутри</s:name></s:item></s:row></s:item></s:settings></settingsVariant>\
        </DataCompositionSchema>";
    let document = Document::parse(text);
    assert_eq!(document.problems(), []);
    let schema = document.schema().unwrap();
    let sets: Vec<_> = schema.all_data_sets().iter().map(|set| (set.name().into_owned(), set.kind())).collect();
    let (query, object) = (DataSetKind::Query, DataSetKind::Object);
    let names = |names: [(&str, DataSetKind); 4]| names.map(|(name, kind)| (name.to_owned(), kind));
    assert_eq!(sets, names([("О", DataSetKind::Union), ("А", query), ("Б", object), ("В", query)]));
    assert_eq!(schema.all_data_sets()[1].query(), "ВЫБРАТЬ 1 < 2");
    let set = schema.data_sets().nth(1).unwrap();
    assert!(!set.auto_fill());
    let field = set.fields().next().unwrap();
    assert_eq!((&*field.title(), field.kind(), field.role().unwrap().dimension()), ("Икс", FieldKind::Field, false));
    let nested: Vec<_> =
        schema.with_nested().iter().map(|(path, inner)| (path.join("/"), inner.parameters().count())).collect();
    assert_eq!(nested, [(String::new(), 0), ("Внутри".to_owned(), 1)]);
    let (name, settings) = schema.all_settings().remove(0);
    assert_eq!(name, "Осн");
    let structure: Vec<_> = settings.all_structure().iter().map(|(depth, item)| (*depth, item.kind())).collect();
    let expected = [StructureKind::Table, StructureKind::Column, StructureKind::Row, StructureKind::Group];
    assert_eq!(structure, [0, 1, 1, 2].into_iter().zip(expected).collect::<Vec<_>>());
    assert_eq!(field_uses(settings.element()).map(|field| field.text()).collect::<Vec<_>>(), ["Х"]);
    assert_eq!(field.element().path(), "dataSet[В]/field[Х]");
}

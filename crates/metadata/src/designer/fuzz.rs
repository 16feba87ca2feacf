//! Every reader of XML on texts made of the words that it knows, whole and damaged: nothing panics, and what comes out holds
//! together. `PROPTEST_CASES` sets how many cases are tried.

use super::testing::{SPACES, cases, with_context};
use super::{
    description, exchange_plan, flowchart, form, interface, predefined, rights, schedule, schema, spreadsheet,
};
use crate::model::FileId;
use crate::model::form::Form;
use crate::place::Place;
use crate::read::{Content, TemplateContent};
use crate::trial::check;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Elements that the readers look for.
const ELEMENTS: &[&str] = &[
    "Properties",
    "ChildObjects",
    "Attribute",
    "TabularSection",
    "Form",
    "Template",
    "Command",
    "Dimension",
    "Resource",
    "EnumValue",
    "URLTemplate",
    "Method",
    "Operation",
    "Parameter",
    "Recalculation",
    "Subsystem",
    "StandardAttributes",
    "xr:StandardAttribute",
    "xr:StandardTabularSection",
    "Name",
    "Synonym",
    "Comment",
    "Type",
    "v8:Type",
    "v8:TypeSet",
    "v8:StringQualifiers",
    "v8:NumberQualifiers",
    "v8:Length",
    "v8:Digits",
    "v8:DateQualifiers",
    "v8:item",
    "v8:lang",
    "v8:content",
    "Owners",
    "RegisterRecords",
    "BasedOn",
    "Content",
    "xr:Item",
    "xr:Object",
    "xr:Metadata",
    "xr:Use",
    "Location",
    "ChoiceParameters",
    "ChoiceParameterLinks",
    "app:item",
    "app:value",
    "Source",
    "Handler",
    "Event",
    "MethodName",
    "Characteristics",
    "xr:Characteristic",
    "FormType",
    "TemplateType",
    "CommandParameterType",
    "Group",
    "Events",
    "ChildItems",
    "Attributes",
    "Commands",
    "Parameters",
    "BaseForm",
    "Action",
    "DataPath",
    "CommandName",
    "Title",
    "Columns",
    "Column",
    "AdditionalColumns",
    "Settings",
    "QueryText",
    "ManualQuery",
    "MainTable",
    "ListSettings",
    "ConditionalAppearance",
    "FunctionalOptions",
    "Item",
    "KeyParameter",
    "MainAttribute",
    "Table",
    "InputField",
    "object",
    "name",
    "right",
    "value",
    "restrictionByCondition",
    "restrictionTemplate",
    "field",
    "condition",
    "setForNewObjects",
    "Code",
    "Description",
    "IsFolder",
    "ChildItems",
    "AccountingFlags",
    "ExtDimensionTypes",
    "Items",
    "Start",
    "Activity",
    "CommandsVisibility",
    "WorkingAreaTemplate",
    "Metadata",
    "AutoRecord",
    "calculatedField",
    "expression",
    "totalField",
    "dataSet",
    "parameter",
    "settingsVariant",
    "BeginDate",
    "DetailedDailySchedules",
];
const VALUES: &[&str] = &[
    "Catalog.Товары",
    "Catalog.Товары.Attribute.Цена",
    "cfg:CatalogRef.Товары",
    "xs:string",
    "cfg:AnyRef",
    "true",
    "false",
    "10",
    "-1",
    "CommonModule.М.П",
    "ОбщийМодуль.М.П(А)",
    "Объект.Цена",
    "ru",
    "Текст &lt; &amp; &#1103; &nbsp;",
    "",
    " ",
    "<![CDATA[]]]]>",
    "<!-- x -->",
    "Catalog",
    "Catalog.",
    ".",
    "ВЫБРАТЬ 1",
];
const ATTRIBUTES: &[&str] = &[
    "",
    " name=\"Имя\"",
    " name=\"\" id=\"1\"",
    " name=\"OnOpen\" callType=\"After\"",
    " id=\"-1\"",
    " uuid=\"1\"",
    " xsi:type=\"xr:MDObjectRef\"",
    " xsi:type=\"DynamicList\"",
    " xsi:type=\"\"",
    " table=\"Объект.Товары\"",
    " xmlns:cfg=\"urn:x\"",
    " version=\"2.20\"",
    " name='Catalog.Товары'",
    " name",
    " =\"\"",
];

/// What a reader is given at its root.
const ROOTS: &[&str] = &[
    "Form",
    "Rights",
    "PredefinedData",
    "GraphicalSchema",
    "ExchangePlanContent",
    "CommandInterface",
    "HomePageWorkArea",
    "JobSchedule",
    "DataCompositionSchema",
    "MetaDataObject",
];
/// Descriptions of these are read.
const PATHS: &[(&str, &str)] = &[
    ("Configuration.xml", "Configuration"),
    ("Catalogs/Т.xml", "Catalog"),
    ("Documents/Т.xml", "Document"),
    ("Catalogs/Т/Forms/Ф.xml", "Form"),
    ("CommonForms/Ф.xml", "CommonForm"),
    ("Catalogs/Т/Templates/М.xml", "Template"),
    ("CommonCommands/К.xml", "CommonCommand"),
    ("HTTPServices/С.xml", "HTTPService"),
    ("Subsystems/А/Subsystems/Б.xml", "Subsystem"),
    ("EventSubscriptions/П.xml", "EventSubscription"),
    ("CommonAttributes/Р.xml", "CommonAttribute"),
    ("CalculationRegisters/Р/Recalculations/П.xml", "Recalculation"),
    ("Roles/Р.xml", "Role"),
];

fn element() -> impl Strategy<Value = String> {
    let leaf = (select(ELEMENTS), select(ATTRIBUTES), select(VALUES))
        .prop_map(|(name, attributes, value)| format!("<{name}{attributes}>{value}</{name}>\n"));
    leaf.prop_recursive(6, 60, 6, |inner| {
        (select(ELEMENTS), select(ATTRIBUTES), vec(inner, 0..6))
            .prop_map(|(name, attributes, inner)| format!("<{name}{attributes}>\n{}</{name}>", inner.concat()))
    })
}

/// Reads a text with every reader; gives the rules that what was read breaks.
fn read_all(source: &str, place: &Place<'_>) -> Vec<String> {
    let (mut contents, problems) = with_context(|context| {
        let mut form = Form::empty("CommonForm.Ф".into(), None, "Ф".into(), FileId(0));
        form::read(context, source, &mut form);
        let mut contents = vec![
            Content::Description("".into(), Box::new(description::read(context, source, place))),
            Content::Form(Box::new(form)),
            Content::Role(Box::new(rights::read(context, source, "Role.Р".into()))),
            Content::Predefined(predefined::read(context, source, &"Catalog.Т".into())),
            Content::Flowchart(flowchart::read(context, source, "BusinessProcess.П".into())),
            Content::ExchangePlan(exchange_plan::read(context, source, &"ExchangePlan.П".into())),
        ];
        for (_, root) in interface::FILES {
            contents.push(Content::Interface(interface::read(context, source, root, &"Subsystem.П".into())));
        }
        schedule::read(context, source);
        let (expressions, parts) = (schema::read(context, source), spreadsheet::read(context, source));
        contents
            .push(Content::Template("".into(), TemplateContent { kind: None, expressions, parts, file: FileId(0) }));
        contents
    });
    let mut broken = Vec::new();
    let lines = source.matches('\n').count() + 1;
    contents.drain(..).for_each(|content| check(&content, lines, &mut broken));
    let of_problems =
        problems.iter().filter(|p| p.message(crate::Language::Russian).is_empty()).map(|p| format!("{p:?}"));
    broken.into_iter().map(str::to_owned).chain(of_problems).collect()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn whole_texts(elements in vec(element(), 0..8), root in select(ROOTS), place in select(PATHS)) {
        let inner = elements.concat();
        let (path, kind) = place;
        let place = Place::of(path).expect("a place");
        let described = format!("<MetaDataObject{SPACES} version=\"2.20\"><{kind} uuid=\"1\">{inner}</{kind}></MetaDataObject>");
        for source in [format!("\u{feff}<?xml version=\"1.0\"?>\n<{root}{SPACES}>{inner}</{root}>"), described] {
            prop_assert_eq!(read_all(&source, &place), Vec::<String>::new());
        }
    }

    #[test]
    fn damaged_texts(elements in vec(element(), 1..6), root in select(ROOTS), at in 0.0_f64..1.0, cut in 0_usize..30, junk in "[<>&;/\"'=!?\\[\\]a-zа-я\u{0}-\u{20}-]{0,10}") {
        let inner = elements.concat();
        let source = format!("<MetaDataObject{SPACES}><Catalog><{root}>{inner}</{root}></Catalog></MetaDataObject>");
        let place = Place::of("Catalogs/Т.xml").expect("a place");
        let mut characters: Vec<char> = source.chars().collect();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let from = (at * characters.len() as f64) as usize;
        let to = (from + cut).min(characters.len());
        characters.splice(from..to, junk.chars());
        let damaged: String = characters.into_iter().collect();
        for source in [damaged.clone(), format!("<{root}>{damaged}</{root}>")] {
            prop_assert_eq!(read_all(&source, &place), Vec::<String>::new());
        }
    }

    #[test]
    fn any_text(source in "\\PC{0,80}", path in select(PATHS)) {
        let place = Place::of(path.0).expect("a place");
        prop_assert_eq!(read_all(&source, &place), Vec::<String>::new());
    }
}

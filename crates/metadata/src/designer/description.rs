//! The description of an object, form, template, or of the configuration: `Catalogs/X.xml`, `Forms/F.xml`,
//! `Configuration.xml`. One reader for every kind: the table of kinds says what an object may consist of.

use super::properties::{self, Properties};
use super::{Context, is_true};
use crate::kinds::Kind;
use crate::model::Text;
use crate::model::configuration::ConfigurationProperties;
use crate::model::form::{Form, FormKind};
use crate::model::object::{
    Command, Details, Item, Link, ModuleFlags, Object, Property, Reuse, Template, TemplateKind,
};
use crate::model::problem::ProblemKind;
use crate::place::Place;
use crate::standard::Described;
use crate::xml::{Element, Xml};

/// What one description gives.
#[derive(Debug, Default)]
pub struct Description {
    /// The configuration's own properties.
    pub configuration: Option<ConfigurationProperties>,
    /// An object of the top level, or a nested subsystem.
    pub object: Option<Object>,
    /// Parts of an object that have a file of their own (recalculation, table, cube, function): the object, the item
    /// that holds them (equal to the object at the top), and the items.
    pub attached: Option<Attached>,
    /// A form or common form, without its content.
    pub form: Option<Form>,
    /// A template or common template, without its content.
    pub template: Option<Template>,
    /// Commands.
    pub commands: Vec<Command>,
    /// Standard attributes of the object as described.
    pub standard: Vec<Described>,
    /// Parts that the description lists and that have a file of their own: full name and line.
    pub listed: Vec<(Text, u32)>,
}

/// Items that belong to an object described elsewhere.
#[derive(Debug)]
pub struct Attached {
    /// Full name of the object.
    pub object: Text,
    /// Full name of the item that holds the first of them; the object's own if it stands directly in it.
    pub parent: Text,
    /// The items; places of parents count from the first of them.
    pub items: Vec<Item>,
    /// References; places of items count likewise.
    pub links: Vec<Link>,
}

/// Reads a description.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, place: &Place<'_>) -> Description {
    let mut result = Description::default();
    context.root(source, "MetaDataObject", |context, xml, root| {
        let version = root.attribute("version").unwrap_or_default();
        let mut seen = false;
        xml.children(|xml, e| {
            let line = xml.line();
            let expected = place.kind().is_some_and(|kind| kind.is(e.name()));
            if !expected {
                context.problem(line, ProblemKind::UnexpectedRoot(e.name().into()));
            } else if !std::mem::replace(&mut seen, true) {
                let reader = Reader { context, place, result: &mut result, line, uuid: e.attribute("uuid") };
                reader.read(xml, &version);
            }
        });
    });
    result
}

struct Reader<'r, 'x> {
    context: &'r mut Context<'x>,
    place: &'r Place<'r>,
    result: &'r mut Description,
    line: u32,
    uuid: Option<String>,
}

/// Items gathered so far.
#[derive(Default)]
struct Parts {
    items: Vec<Item>,
    links: Vec<Link>,
}

impl Reader<'_, '_> {
    fn read(mut self, xml: &mut Xml<'_>, version: &str) {
        let full_name = self.context.text(&self.place.full_name());
        let mut own = Properties::default();
        let mut parts = Parts::default();
        let nested = self.place.kind().is_some_and(|k| !k.is_top());
        let holds_item = nested && self.is_attached();
        if holds_item {
            parts.items.push(self.placeholder(&full_name));
        }
        xml.children(|xml, e| match e.name() {
            "Properties" => own = properties::read(self.context, xml),
            "ChildObjects" => {
                let parent = holds_item.then_some(0);
                self.child_objects(xml, self.place.kind(), &full_name, parent, &mut parts);
            }
            _ => {}
        });
        self.result.standard = std::mem::take(&mut own.standard);
        if self.place.kind().is_some_and(|kind| kind.is("Subsystem")) {
            let listed = self.result.listed.iter();
            parts.links.extend(listed.map(|(name, line)| self.context.link(None, "Subsystems", name, *line)));
        }
        self.finish(full_name, own, parts, version);
    }

    fn is_attached(&self) -> bool {
        let kind = self.place.kind();
        !kind.is_some_and(|k| k.is("Form") || k.is("Template") || k.is("Command") || k.is("Subsystem"))
    }

    /// `<ChildObjects>`: names of parts that have a file of their own, and parts described here.
    fn child_objects(
        &mut self,
        xml: &mut Xml<'_>,
        kind: Option<Kind>,
        owner: &Text,
        parent: Option<u32>,
        parts: &mut Parts,
    ) {
        let is_configuration = kind.is_some_and(|k| k.is("Configuration"));
        xml.children(|xml, e| {
            let line = xml.line();
            let Some(child) = Kind::named(e.name()) else {
                self.context.problem(line, ProblemKind::UnknownKind(e.name().into()));
                return;
            };
            let place = parts.items.len();
            let described = self.part(xml, e, child, owner, parent, parts);
            if let Some(name) = described {
                parts.items.truncate(place);
                let full_name =
                    if is_configuration { format!("{child}.{name}") } else { format!("{owner}.{child}.{name}") };
                self.result.listed.push((self.context.text(&full_name), line));
            }
        });
    }

    /// One child. Gives its name if it is only listed here.
    fn part(
        &mut self,
        xml: &mut Xml<'_>,
        e: &Element<'_>,
        kind: Kind,
        owner: &Text,
        parent: Option<u32>,
        parts: &mut Parts,
    ) -> Option<String> {
        let line = xml.line();
        let uuid = e.attribute("uuid");
        let place = u32::try_from(parts.items.len()).unwrap_or(u32::MAX);
        let mut seen = false;
        let mut full_name = None;
        let text = xml.content(|xml, e| {
            seen = true;
            match e.name() {
                "Properties" => {
                    let own = properties::read(self.context, xml);
                    let name = own.name.clone().unwrap_or_else(|| self.context.text(""));
                    let full = self.context.text(&format!("{owner}.{kind}.{name}"));
                    full_name = Some(full.clone());
                    if kind.is("Command") {
                        let uuid = self.context.text(uuid.as_deref().unwrap_or(""));
                        self.result.commands.push(command(self.context, full, Some(owner.clone()), uuid, own, line));
                    } else {
                        let uuid = self.context.text(uuid.as_deref().unwrap_or(""));
                        push_item(self.context, kind, full, uuid, parent, own, line, parts);
                    }
                }
                "ChildObjects" => {
                    if let Some(full_name) = &full_name {
                        self.child_objects(xml, Some(kind), full_name, Some(place), parts);
                    }
                }
                _ => {}
            }
        });
        let text = text.trim();
        (!seen && !text.is_empty()).then(|| text.to_owned())
    }

    fn placeholder(&self, full_name: &Text) -> Item {
        let empty = self.context.text("");
        let kind = self.place.owner.last().map(|(kind, _)| *kind);
        Item {
            kind: kind.unwrap_or_else(Kind::configuration),
            name: self.own_name(),
            name_ru: None,
            full_name: full_name.clone(),
            parent: None,
            uuid: self.context.text(self.uuid.as_deref().unwrap_or("")),
            synonym: Default::default(),
            comment: empty.clone(),
            types: Default::default(),
            required: false,
            indexing: empty,
            properties: Vec::new(),
            line: self.line,
            file: Some(self.context.file),
        }
    }

    fn own_name(&self) -> Text {
        self.context.text(self.place.owner.last().map_or("", |(_, name)| name))
    }

    fn finish(self, full_name: Text, own: Properties, parts: Parts, version: &str) {
        let Some(kind) = self.place.kind() else { return };
        if self.place.owner.is_empty() {
            let listed = std::mem::take(&mut self.result.listed);
            let uuid = self.context.text(self.uuid.as_deref().unwrap_or(""));
            let read = configuration(self.context, own, listed, version);
            self.result.configuration = Some(ConfigurationProperties { uuid, ..read });
            return;
        }
        let line = self.line;
        let uuid = self.context.text(self.uuid.as_deref().unwrap_or(""));
        let parent = self.place.parent().map(|p| self.context.text(&p));
        match kind.en() {
            "Form" => {
                let form = form(self.context, full_name, parent, self.own_name(), &own);
                self.result.form = Some(Form { uuid, ..form });
            }
            "Template" => {
                let template = template(self.context, full_name, parent, self.own_name(), &own);
                self.result.template = Some(Template { uuid, ..template });
            }
            "Command" => self.result.commands.push(command(self.context, full_name, parent, uuid, own, line)),
            _ if !kind.is_top() => self.attach(own, parts),
            _ => {
                match kind.en() {
                    "CommonForm" => {
                        let form = form(self.context, full_name.clone(), None, self.own_name(), &own);
                        self.result.form = Some(Form { uuid, ..form });
                    }
                    "CommonTemplate" => {
                        let template = template(self.context, full_name.clone(), None, self.own_name(), &own);
                        self.result.template = Some(Template { uuid, ..template });
                    }
                    "CommonCommand" => {
                        let copy = Properties {
                            name: own.name.clone(),
                            synonym: own.synonym.clone(),
                            types: own.types.clone(),
                            simple: own.simple.clone(),
                            links: own.links.clone(),
                            ..Properties::default()
                        };
                        let command = command(self.context, full_name.clone(), None, uuid, copy, line);
                        self.result.commands.push(Command { links: Vec::new(), ..command });
                    }
                    _ => {}
                }
                self.object(kind, full_name, parent, own, parts);
            }
        }
    }

    fn object(mut self, kind: Kind, full_name: Text, parent: Option<Text>, own: Properties, parts: Parts) {
        let details = details(self.context, kind, &own);
        let name = self.own_name();
        let context = &mut self.context;
        let mut links = own.links;
        links.extend(parts.links);
        self.result.object = Some(Object {
            kind,
            name,
            full_name,
            parent,
            uuid: context.text(self.uuid.as_deref().unwrap_or("")),
            synonym: own.synonym,
            comment: own.comment.unwrap_or_else(|| context.text("")),
            file: context.file,
            line: self.line,
            types: own.types,
            properties: own.simple,
            items: parts.items,
            links,
            details,
        });
    }

    fn attach(self, own: Properties, mut parts: Parts) {
        let Some((kind, name)) = self.place.owner.first() else { return };
        let object = self.context.text(&format!("{kind}.{name}"));
        let parent = self.place.parent().map_or_else(|| object.clone(), |p| self.context.text(&p));
        if let Some(item) = parts.items.first_mut() {
            item.synonym = own.synonym;
            item.comment = own.comment.unwrap_or_else(|| self.context.text(""));
            item.types = own.types;
            item.properties = own.simple;
        }
        let mut links: Vec<Link> = own.links.into_iter().map(|l| Link { item: Some(0), ..l }).collect();
        links.extend(parts.links);
        for item in &mut parts.items {
            item.file = Some(self.context.file);
        }
        self.result.attached = Some(Attached { object, parent, items: parts.items, links });
    }
}

#[allow(clippy::too_many_arguments)]
fn push_item(
    context: &Context<'_>,
    kind: Kind,
    full_name: Text,
    uuid: Text,
    parent: Option<u32>,
    own: Properties,
    line: u32,
    parts: &mut Parts,
) {
    let place = u32::try_from(parts.items.len()).unwrap_or(u32::MAX);
    parts.links.extend(own.links.into_iter().map(|l| Link { item: Some(place), ..l }));
    parts.items.push(Item {
        kind,
        name: own.name.unwrap_or_else(|| context.text("")),
        name_ru: None,
        full_name,
        parent,
        uuid,
        synonym: own.synonym,
        comment: own.comment.unwrap_or_else(|| context.text("")),
        types: own.types,
        required: own.required,
        indexing: own.indexing.unwrap_or_else(|| context.text("")),
        properties: own.simple.into_iter().filter(says_something).collect(),
        line,
        file: None,
    });
}

/// Most properties of a part stand at their default; those are left out.
fn says_something(property: &Property) -> bool {
    !matches!(&*property.value, "false" | "Auto" | "0")
}

fn command(
    context: &Context<'_>,
    full_name: Text,
    owner: Option<Text>,
    uuid: Text,
    own: Properties,
    line: u32,
) -> Command {
    let empty = context.text("");
    let group = own.get("Group").cloned();
    let group = group.or_else(|| own.links.iter().find(|l| &*l.property == "Group").map(|l| l.target.clone()));
    let parameter_use_mode = match own.get("ParameterUseMode") {
        Some(mode) if !own.types.is_empty() => mode.clone(),
        _ => empty.clone(),
    };
    Command {
        full_name,
        owner,
        name: own.name.unwrap_or_else(|| empty.clone()),
        uuid,
        synonym: own.synonym,
        group: group.unwrap_or(empty),
        parameter_types: own.types,
        parameter_use_mode,
        links: own.links,
        file: context.file,
        line,
    }
}

fn form(context: &Context<'_>, full_name: Text, owner: Option<Text>, name: Text, own: &Properties) -> Form {
    let ordinary = own.get("FormType").is_some_and(|t| &**t == "Ordinary");
    Form {
        kind: if ordinary { FormKind::Ordinary } else { FormKind::Managed },
        synonym: own.synonym.clone(),
        comment: own.comment.clone().unwrap_or_else(|| context.text("")),
        ..Form::empty(full_name, owner, name, context.file)
    }
}

fn template(context: &Context<'_>, full_name: Text, owner: Option<Text>, name: Text, own: &Properties) -> Template {
    Template {
        full_name,
        owner,
        name,
        uuid: context.text(""),
        synonym: own.synonym.clone(),
        kind: TemplateKind::Unknown,
        declared: own.get("TemplateType").cloned().unwrap_or_else(|| context.text("")),
        file: context.file,
        content: None,
        expressions: Vec::new(),
        parts: Vec::new(),
    }
}

fn configuration(
    context: &Context<'_>,
    own: Properties,
    listed: Vec<(Text, u32)>,
    version: &str,
) -> ConfigurationProperties {
    let simple = |name: &str| own.get(name).cloned().unwrap_or_else(|| context.text(""));
    let linked = |name: &'static str| own.links.iter().filter(move |l| &*l.property == name).map(|l| l.target.clone());
    ConfigurationProperties {
        name: own.name.clone().unwrap_or_else(|| context.text("")),
        uuid: context.text(""),
        synonym: own.synonym.clone(),
        comment: own.comment.clone().unwrap_or_else(|| context.text("")),
        vendor: simple("Vendor"),
        version: simple("Version"),
        compatibility_mode: simple("CompatibilityMode"),
        script_variant: simple("ScriptVariant"),
        default_language: linked("DefaultLanguage").next().unwrap_or_else(|| simple("DefaultLanguage")),
        default_run_mode: simple("DefaultRunMode"),
        modality_use: simple("ModalityUseMode"),
        default_roles: linked("DefaultRoles").collect(),
        languages: Vec::new(),
        export_version: context.text(version),
        file: Some(context.file),
        listed,
        all: own.simple,
        links: own.links,
    }
}

/// What only one kind has.
fn details(context: &Context<'_>, kind: Kind, own: &Properties) -> Details {
    let simple = |name: &str| own.get(name).cloned().unwrap_or_else(|| context.text(""));
    let line_of = |name: &str| own.simple.iter().find(|p| &*p.name == name).map_or(0, |p| p.line);
    let yes = |name: &str| own.get(name).is_some_and(|w| is_true(w));
    match kind.en() {
        "CommonModule" => Details::CommonModule(ModuleFlags {
            server: yes("Server"),
            server_call: yes("ServerCall"),
            client_managed: yes("ClientManagedApplication"),
            client_ordinary: yes("ClientOrdinaryApplication"),
            external_connection: yes("ExternalConnection"),
            privileged: yes("Privileged"),
            global: yes("Global"),
            return_values_reuse: match own.get("ReturnValuesReuse").map(|w| &**w) {
                Some("DuringRequest") => Reuse::DuringRequest,
                Some("DuringSession") => Reuse::DuringSession,
                _ => Reuse::DontUse,
            },
        }),
        "EventSubscription" => Details::EventSubscription {
            event: simple("Event"),
            handler: method(context, &simple("Handler")),
            handler_line: line_of("Handler"),
        },
        "ScheduledJob" => Details::ScheduledJob {
            method: method(context, &simple("MethodName")),
            method_line: line_of("MethodName"),
            enabled: yes("Use"),
            predefined: yes("Predefined"),
            key: simple("Key"),
            schedule: context.text(""),
        },
        "HTTPService" => Details::HttpService { root_url: simple("RootURL") },
        "WebService" => Details::WebService { namespace: simple("Namespace") },
        "Language" => Details::Language { code: simple("LanguageCode") },
        _ => Details::None,
    }
}

/// Canonical full name of a method of a common module; old dumps leave the kind out.
fn method(context: &Context<'_>, written: &Text) -> Text {
    let parts = written.split('.').count();
    if parts == 2 { context.text(&format!("CommonModule.{written}")) } else { written.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SPACES, with_context};
    use super::*;
    use crate::model::problem::Problem;

    fn described(path: &str, inner: &str) -> (Description, Vec<Problem>) {
        let source = format!("<MetaDataObject{SPACES} version=\"2.20\">\n{inner}\n</MetaDataObject>");
        let place = Place::of(path).unwrap_or_else(|| panic!("{path} has no place"));
        with_context(|context| read(context, &source, &place))
    }

    #[test]
    fn a_catalog_with_parts_of_every_depth() {
        let (description, problems) = described(
            "Catalogs/Товары.xml",
            r#"<Catalog uuid="u1"><Properties><Name>Товары</Name><Hierarchical>true</Hierarchical></Properties>
            <ChildObjects>
             <Attribute uuid="u2"><Properties><Name>Артикул</Name><Type><v8:Type>xs:string</v8:Type></Type>
               <FillChecking>ShowError</FillChecking><Indexing>Index</Indexing><Mask/><MultiLine>false</MultiLine></Properties></Attribute>
             <TabularSection uuid="u3"><Properties><Name>Цены</Name></Properties><ChildObjects>
               <Attribute uuid="u4"><Properties><Name>Цена</Name>
                 <ChoiceForm>Catalog.Товары.Form.Выбор</ChoiceForm></Properties></Attribute></ChildObjects></TabularSection>
             <Command uuid="u5"><Properties><Name>Печать</Name><Group>FormCommandBarImportant</Group></Properties></Command>
             <Form>Выбор</Form>
            </ChildObjects></Catalog>"#,
        );
        assert_eq!(problems, []);
        let object = description.object.expect("an object");
        let items: Vec<_> = object.items.iter().map(|i| (&*i.full_name, i.parent)).collect();
        assert_eq!(
            items,
            [
                ("Catalog.Товары.Attribute.Артикул", None),
                ("Catalog.Товары.TabularSection.Цены", None),
                ("Catalog.Товары.TabularSection.Цены.Attribute.Цена", Some(1)),
            ]
        );
        assert!(object.items[0].required && &*object.items[0].indexing == "Index" && object.items[0].line == 4);
        assert_eq!(object.property("Hierarchical"), Some("true"));
        assert_eq!(
            object.links.iter().map(|l| (l.item, &*l.target)).collect::<Vec<_>>(),
            [(Some(2), "Catalog.Товары.Form.Выбор")]
        );
        assert_eq!(description.listed.iter().map(|(n, _)| &**n).collect::<Vec<_>>(), ["Catalog.Товары.Form.Выбор"]);
        let command = description.commands.first().expect("a command");
        assert_eq!(
            (&*command.full_name, &*command.group),
            ("Catalog.Товары.Command.Печать", "FormCommandBarImportant")
        );
    }

    #[test]
    fn services_and_their_handlers() {
        let (description, problems) = described(
            "HTTPServices/Обмен.xml",
            "<HTTPService><Properties><Name>Обмен</Name><RootURL>ex</RootURL></Properties><ChildObjects>\
             <URLTemplate><Properties><Name>Ш</Name><Template>/v</Template></Properties><ChildObjects>\
             <Method><Properties><Name>get</Name><HTTPMethod>GET</HTTPMethod><Handler>Получить</Handler></Properties></Method>\
             </ChildObjects></URLTemplate></ChildObjects></HTTPService>",
        );
        assert_eq!(problems, []);
        let object = description.object.expect("an object");
        assert_eq!(object.details, Details::HttpService { root_url: "ex".into() });
        let method = object.items.last().expect("a method");
        assert_eq!(&*method.full_name, "HTTPService.Обмен.URLTemplate.Ш.Method.get");
        assert_eq!((method.property("Handler"), method.property("HTTPMethod")), (Some("Получить"), Some("GET")));
    }

    #[test]
    fn subscriptions_jobs_and_module_flags() {
        let (description, _) = described(
            "EventSubscriptions/П.xml",
            "<EventSubscription><Properties><Name>П</Name><Source><v8:TypeSet>cfg:DefinedType.Д</v8:TypeSet></Source>\
             <Event>OnWrite</Event>\n<Handler>CommonModule.М.Запись</Handler></Properties></EventSubscription>",
        );
        let object = description.object.expect("an object");
        assert_eq!(object.types.text(), "DefinedType.Д");
        let expected = Details::EventSubscription {
            event: "OnWrite".into(),
            handler: "CommonModule.М.Запись".into(),
            handler_line: 3,
        };
        assert_eq!(object.details, expected);

        let (description, _) = described(
            "CommonModules/М.xml",
            "<CommonModule><Properties><Name>М</Name><Server>true</Server><Global>false</Global>\
             <ReturnValuesReuse>DuringSession</ReturnValuesReuse></Properties></CommonModule>",
        );
        let Some(Details::CommonModule(flags)) = description.object.map(|o| o.details) else { panic!("no flags") };
        assert!(flags.server && !flags.global && flags.return_values_reuse == Reuse::DuringSession);
    }

    #[test]
    fn parts_with_files_of_their_own() {
        let (description, problems) = described(
            "ExternalDataSources/И/Tables/Т.xml",
            "<Table><Properties><Name>Т</Name><NameInDataSource>t</NameInDataSource></Properties><ChildObjects>\
             <Field><Properties><Name>П</Name></Properties></Field></ChildObjects></Table>",
        );
        assert_eq!(problems, []);
        let attached = description.attached.expect("items of another object");
        assert_eq!((&*attached.object, &*attached.parent), ("ExternalDataSource.И", "ExternalDataSource.И"));
        let names: Vec<_> = attached.items.iter().map(|i| &*i.full_name).collect();
        assert_eq!(names, ["ExternalDataSource.И.Table.Т", "ExternalDataSource.И.Table.Т.Field.П"]);
    }

    #[test]
    fn what_cannot_be_read_is_listed() {
        let (description, problems) = described(
            "Enums/В.xml",
            "<Enum><Properties><Name>В</Name></Properties><ChildObjects>\
             <EnumValue><Properties><Name>Да</Name></Properties></EnumValue>\n<Nonsense/>\n<EnumValue></ChildObjects>",
        );
        assert_eq!(description.object.map(|o| o.items.len()), Some(1));
        let kinds: Vec<_> = problems.iter().map(|p| (p.line, std::mem::discriminant(&p.kind))).collect();
        assert_eq!(kinds[0], (3, std::mem::discriminant(&ProblemKind::UnknownKind("".into()))));
        assert_eq!(kinds[1].1, std::mem::discriminant(&ProblemKind::Malformed("".into())));

        let (description, problems) = described("Enums/В.xml", "<Catalog/>");
        assert!(description.object.is_none());
        assert_eq!(problems.first().map(|p| &p.kind), Some(&ProblemKind::UnexpectedRoot("Catalog".into())));
    }
}

//! What channels ask of forms: which form a name means, and which procedures of its module the platform calls.

use metadata::{Configuration, Kind};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

use super::layers::main_first;
use super::reads::{Marks, Table, part};
use super::{MethodId, World};
use crate::names::{Ident, same};

/// An event of a form that channels look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FormEvent {
    /// `ПриСозданииНаСервере`.
    Create,
    /// `ПриОткрытии`.
    Open,
    /// `ОбработкаОповещения`.
    Notification,
    /// `ОбработкаВыбора`.
    Choice,
}

impl FormEvent {
    /// The event of a name as forms write it.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "OnCreateAtServer" => Self::Create,
            "OnOpen" => Self::Open,
            "NotificationProcessing" => Self::Notification,
            "ChoiceProcessing" => Self::Choice,
            _ => return None,
        })
    }
}

/// A word that stands for a default form: a row of `data/default_forms.tsv`.
struct DefaultForm {
    ru: &'static str,
    en: &'static str,
    properties: Vec<&'static str>,
    configuration: &'static str,
}

static DEFAULT_FORMS: LazyLock<Vec<DefaultForm>> = LazyLock::new(|| {
    let lines = include_str!("../../data/default_forms.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let (ru, en) = (cells.next()?, cells.next()?);
        let properties = cells.next()?.split_whitespace().collect();
        Some(DefaultForm { ru, en, properties, configuration: cells.next()? })
    };
    lines.filter_map(row).collect()
});

/// Forms of a configuration.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Forms {
    /// Default forms by their object and the place of the word in the table.
    defaults: Table<{ part::DEFAULT_FORMS }, (u32, usize), u32>,
    /// Procedures that handle events of forms.
    handlers: Table<{ part::FORM_HANDLERS }, (u32, FormEvent), Vec<MethodId>>,
    /// Procedures that handle a choice in an item, by form and the item's folded name.
    item_choice: Table<{ part::ITEM_CHOICE }, (u32, String), Vec<MethodId>>,
    /// Names of the items whose events a procedure handles, by form and the procedure's folded name; only items with a choice.
    items_handled: Table<{ part::ITEMS_HANDLED }, (u32, String), Vec<String>>,
    /// A form of each name that a role or a session parameter bears too: alone in a text it needn't be theirs.
    names: Table<{ part::FORM_NAMES }, Ident, u32>,
}

impl Forms {
    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { defaults, handlers, item_choice, items_handled, names } = self;
        marks.table(defaults);
        marks.table(handlers);
        marks.table(item_choice);
        marks.table(items_handled);
        marks.table(names);
    }
}

/// Whether a property of that name holds a default form of an object.
pub(super) fn names_default_form(property: &str) -> bool {
    DEFAULT_FORMS.iter().any(|word| word.properties.contains(&property))
}

/// Reads the forms of a configuration whose names and methods have numbers.
pub(super) fn read(world: &World, configuration: &Configuration) -> Forms {
    let mut forms = Forms::default();
    let node = |name: &str| world.find(name);
    let of_configuration = |property: &str| {
        let link = configuration.properties.links.iter().find(|link| &*link.property == property)?;
        node(&link.target)
    };
    // What an extension sets of an object that it adopted comes after what the object itself says.
    for object in
        main_first(&configuration.objects, |object| &object.full_name).filter(|object| object.parent.is_none())
    {
        let Some(adopting) = node(&object.full_name) else { continue };
        let owner = world.layers().base(adopting).unwrap_or(adopting);
        for (place, word) in DEFAULT_FORMS.iter().enumerate() {
            let own = word.properties.iter().find_map(|property| object.linked(property).next());
            let form = match own {
                Some(link) => node(&link.target),
                None if object.kind.is("Report") && owner == adopting => of_configuration(word.configuration),
                None => None,
            };
            if let Some(form) = form {
                forms.defaults.insert((owner, place), form);
                forms.defaults.insert((adopting, place), form);
            }
        }
    }
    for form in main_first(&configuration.forms, |form| &form.full_name) {
        let Some(own) = node(&form.full_name) else { continue };
        let keys = ["Role", "SessionParameter"].into_iter().filter_map(Kind::named);
        let name = world.ident(&form.name);
        if let Some(name) = name.filter(|name| keys.into_iter().any(|kind| world.object(kind, *name).is_some())) {
            forms.names.insert(name, own);
        }
        let Some(module) = world.form_module(own) else { continue };
        // Handlers of an extension are called by events of the form that it extends.
        let node = world.layers().base(own).unwrap_or(own);
        for event in &form.events {
            let method = world.ident(&event.handler).and_then(|name| world.own_method(module, name));
            if let Some((event, method)) = FormEvent::named(&event.event).zip(method) {
                forms.handlers.entry((node, event)).or_default().push(method);
            }
        }
        for item in &form.items {
            let choices = item.events.iter().filter(|event| FormEvent::named(&event.event) == Some(FormEvent::Choice));
            let handlers = choices.filter_map(|event| world.own_method(module, world.ident(&event.handler)?));
            let handlers: Vec<_> = handlers.collect();
            if handlers.is_empty() {
                continue;
            }
            forms.item_choice.insert((node, bsl::fold(&item.name)), handlers);
            for event in &item.events {
                let items = forms.items_handled.entry((node, bsl::fold(&event.handler))).or_default();
                items.push(item.name.to_string());
            }
        }
    }
    forms
}

impl World {
    /// The form that a name given to `ОткрытьФорму` means: `Документ.Х.Форма.Ф`, `ОбщаяФорма.Ф`, or a default form of an
    /// object (`Документ.Х.ФормаСписка`, `Обработка.Х.Форма`, `Обработка.Х`).
    pub fn form_named(&self, text: &str) -> Option<u32> {
        let mut parts = text.trim().split('.');
        let kind = Kind::from_word(parts.next()?)?;
        let object = self.object(kind, self.ident(parts.next()?)?)?;
        let (third, fourth) = (parts.next(), parts.next());
        if parts.next().is_some() {
            return None;
        }
        match (third, fourth) {
            (None, _) if kind.is("CommonForm") => Some(object),
            (None, _) => self.default_form(object, "Form"),
            (Some(word), None) => self.default_form(object, word),
            (Some(word), Some(name)) => {
                self.form_of(object, name).filter(|_| Kind::from_word(word).is_some_and(|k| k.is("Form")))
            }
        }
    }

    /// The form of that own name that belongs to an object.
    pub fn form_of(&self, object: u32, name: &str) -> Option<u32> {
        let of = |object: u32| {
            let form = self.find(&format!("{}.Form.{}", self.name(object), name.trim()))?;
            self.form_module(form).map(|_| form)
        };
        of(object).or_else(|| self.layers().adopting(object).find_map(of))
    }

    /// The form that the manager of an object gives by a name: the form's own, or the word of a default form.
    pub(crate) fn form_got(&self, object: u32, name: &str) -> Option<u32> {
        self.form_of(object, name).or_else(|| self.default_form(object, name.trim()))
    }

    /// Whether a role's or a session parameter's name is that of a form, too.
    pub(crate) fn is_form_name(&self, name: Ident) -> bool {
        self.forms.names.get(&name).is_some()
    }

    /// The default form of an object that a word (`ФормаСписка`, `ListForm`) stands for.
    pub fn default_form(&self, object: u32, word: &str) -> Option<u32> {
        let place = DEFAULT_FORMS.iter().position(|row| same(row.ru, word) || same(row.en, word))?;
        self.forms.defaults.get(&(object, place)).copied()
    }

    /// The procedures of a form's module that handle a choice in an item of that name.
    pub fn item_choice(&self, form: u32, item: &str) -> &[MethodId] {
        self.forms.item_choice.get(&(form, bsl::fold(item))).map_or(&[], Vec::as_slice)
    }

    /// The items with a choice whose events a procedure of the form's module handles.
    pub fn items_handled(&self, form: u32, procedure: &str) -> &[String] {
        self.forms.items_handled.get(&(form, bsl::fold(procedure))).map_or(&[], Vec::as_slice)
    }

    /// The procedures of a form's module that handle an event of the form.
    pub fn form_handlers(&self, form: u32, event: FormEvent) -> &[MethodId] {
        self.forms.handlers.get(&(form, event)).map_or(&[], Vec::as_slice)
    }
}

//! What checks look at: the text, what it stands on, and what more than one check needs of it, worked out once.

use std::cell::OnceCell;
use std::sync::Arc;

use bsl::query::QueryFacts;
use bsl::{Catalog, Code, ModuleFacts, QueryText};
use graph::World;
use graph::contexts::ModulePlace;
use graph::outline::{Outline, Outlines};
use graph::sites::Site;
use graph::world::ModuleId;
use metadata::{Configuration, Form};

use super::query::{QueryFault, query_faults};

/// What a text stands on.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    /// Names and modules.
    pub world: &'g World,
    /// The part of the configuration that the world was made of (`graph::sight`).
    pub configuration: &'g Configuration,
    /// What each module is, in the order of the world's modules.
    pub places: &'g [ModulePlace],
    /// Outlines of the modules.
    pub outlines: &'g dyn Outlines,
    /// Tables and fields of queries; None: queries are read, not looked up.
    pub catalog: Option<&'g dyn Catalog>,
    /// The module whose text it is or will be, by its place.
    pub module: usize,
    /// The text is a part of the module, not all of it: what the rest declares counts too.
    pub is_part: bool,
}

impl<'g> Ground<'g> {
    /// The module.
    pub(crate) fn id(&self) -> ModuleId {
        ModuleId(u32::try_from(self.module).unwrap_or(u32::MAX))
    }

    /// What the module is.
    pub(crate) fn place(&self) -> Option<&'g ModulePlace> {
        self.places.get(self.module)
    }

    /// What the module is to the world.
    pub(crate) fn info(&self) -> Option<&'g graph::world::WorldModule> {
        self.world.modules().get(self.module)
    }

    /// The form whose module it is.
    pub(crate) fn form(&self) -> Option<&'g Form> {
        let name = self.world.name(self.info()?.holder);
        self.configuration.forms.iter().find(|form| *form.full_name == *name)
    }
}

/// A query of a text.
pub(crate) struct TextQuery {
    pub(crate) text: QueryText,
    facts: QueryFacts,
    faults: OnceCell<Vec<QueryFault>>,
}

impl TextQuery {
    /// What is wrong with it.
    pub(crate) fn faults(&self, ground: Option<&Ground<'_>>) -> &[QueryFault] {
        let (world, catalog) = (ground.map(|ground| ground.world), ground.and_then(|ground| ground.catalog));
        self.faults.get_or_init(|| query_faults(&self.facts, world, catalog))
    }
}

/// What checks look at.
pub struct Subject<'s> {
    pub(crate) facts: &'s ModuleFacts,
    pub(crate) ground: Option<Ground<'s>>,
    own: OnceCell<Outline>,
    sites: OnceCell<Vec<Site>>,
    queries: OnceCell<Vec<TextQuery>>,
    rest: OnceCell<Option<Vec<Arc<Outline>>>>,
}

impl<'s> Subject<'s> {
    /// A text; without a ground only the checks run that need none.
    pub fn new(facts: &'s ModuleFacts, ground: Option<Ground<'s>>) -> Self {
        let (own, sites) = (OnceCell::new(), OnceCell::new());
        Self { facts, ground, own, sites, queries: OnceCell::new(), rest: OnceCell::new() }
    }

    /// What the text itself declares.
    pub(crate) fn own(&self) -> &Outline {
        self.own.get_or_init(|| Outline::of(self.facts))
    }

    /// Places that name something.
    pub(crate) fn sites(&self) -> &[Site] {
        let read = |ground: Ground<'_>| ground.world.sites(ground.module, self.facts);
        self.sites.get_or_init(|| self.ground.map(read).unwrap_or_default())
    }

    /// The code that a site stands in.
    pub(crate) fn code_of(&self, site: &Site) -> &'s Code {
        let method = site.method.and_then(|method| self.facts.methods.get(method as usize));
        method.map_or(&self.facts.body, |method| &method.code)
    }

    /// A site's name as written, with what stands before it.
    pub(crate) fn written(&self, site: &Site) -> String {
        super::words::path(self.facts, self.code_of(site), site.expr)
    }

    /// Texts in the query language.
    pub(crate) fn queries(&self) -> &[TextQuery] {
        let read = |text: QueryText| TextQuery { facts: text.read(), text, faults: OnceCell::new() };
        self.queries.get_or_init(|| bsl::query_texts(self.facts).into_iter().map(read).collect())
    }

    /// Outlines of what the module is one with: those that it extends or that extend it, and the rest of it if the text is a part.
    /// None if one of them is not known.
    pub(crate) fn rest(&self) -> Option<&[Arc<Outline>]> {
        let read = || {
            let ground = self.ground?;
            let id = ground.id();
            let own = ground.is_part.then_some(id);
            let modules = own.into_iter().chain(ground.world.layers().one_with(id));
            modules.map(|module| ground.outlines.outline(module)).collect::<Option<Vec<_>>>()
        };
        self.rest.get_or_init(read).as_deref()
    }
}

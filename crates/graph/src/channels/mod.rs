//! The channels: one file each. To add one, write its file and put it into [`all`].
//!
//! A channel sees metadata ([`Rule::metadata`]), a module as a whole ([`Rule::module`]), and the calls and constructed
//! objects of every method as one shared walk comes by ([`Rule::call`], [`Rule::construct`]). It knows no other channel.

mod add_handler;
pub(crate) mod by_convention;
mod command;
mod common_module_var;
mod dcs_expression;
mod direct;
mod dynamic_dispatch;
mod eval_string;
mod event_subscription;
mod event_subscription_source;
pub mod extension_override;
mod flowchart_event;
mod form_command;
mod form_element_event;
mod form_event;
mod form_handlers;
mod global_call;
mod handed;
mod http_service;
mod idle_handler;
mod integration_service;
mod item_action;
mod manager_call;
mod manager_var_call;
mod module_name_registration;
mod module_registration;
mod notification_event;
mod notification_event_delegated;
mod notification_event_prefix;
mod notify;
mod notify_changed;
mod notify_choice;
mod notify_error;
mod notify_execute;
pub(crate) mod object_event;
mod object_var_call;
mod open_form;
mod open_form_computed;
mod open_form_var;
mod platform_handler;
mod registration_in_collection;
mod running;
mod scheduled_job;
mod session_parameter;
mod string_named;
mod string_named_manager;
mod string_registration;
mod string_runner;
mod string_var_runner;
mod update_handler;
mod web_service;

#[cfg(test)]
pub(crate) mod testing;

use bsl::{ExprId, Statement, Symbol};
use metadata::Configuration;

use crate::edge::{Channel, Confidence, Edge, Edges};
use crate::flow::Flow;
use crate::names::Ident;
use crate::scope::ModuleContext;
use crate::value::{Origin, Value, Values};
use crate::words::Word;
use crate::world::{MethodId, ModuleId, World};

/// A channel's rule.
pub trait Rule: Sync {
    /// The channel that its edges bear.
    fn channel(&self) -> Channel;

    /// Whether something outside the code starts what its edges lead to: the platform, a user, a schedule, another system.
    fn is_from_outside(&self) -> bool {
        false
    }

    /// Edges that metadata alone shows.
    fn metadata(&self, _cx: &MetadataContext<'_>, _out: &mut Edges) {}

    /// Edges that a module as a whole shows.
    fn module(&self, _cx: &ModuleContext<'_>, _out: &mut Edges) {}

    /// Edges that a call shows.
    fn call(&self, _flow: &Flow<'_>, _site: &Site<'_>, _out: &mut Edges) {}

    /// Edges that `Новый Тип(…)` shows.
    fn construct(&self, _flow: &Flow<'_>, _site: &NewSite<'_>, _out: &mut Edges) {}

    /// Edges that an assignment to a property, `base.name = value`, shows.
    fn assign(&self, _flow: &Flow<'_>, _site: &AssignSite, _out: &mut Edges) {}

    /// Edges that a literal which names methods shows, by the place it stands in.
    fn literal(&self, _flow: &Flow<'_>, _site: &LiteralSite<'_>, _out: &mut Edges) {}

    /// Edges that a statement shows which is none of these: `Выполнить`, `ДобавитьОбработчик` …
    fn statement(&self, _flow: &Flow<'_>, _statement: Statement, _out: &mut Edges) {}
}

/// Every channel.
pub fn all() -> &'static [&'static dyn Rule] {
    &[
        &direct::Direct,
        &global_call::GlobalCall,
        &common_module_var::CommonModuleVar,
        &manager_call::ManagerCall,
        &manager_var_call::ManagerVarCall,
        &object_var_call::ObjectVarCall,
        &object_event::ObjectEvent,
        &dynamic_dispatch::DynamicDispatch,
        &event_subscription::EventSubscription,
        &event_subscription_source::EventSubscriptionSource,
        &scheduled_job::ScheduledJob,
        &form_event::FormEvent,
        &form_element_event::FormElementEvent,
        &form_command::FormCommand,
        &command::Command,
        &http_service::HttpService,
        &web_service::WebService,
        &integration_service::IntegrationService,
        &flowchart_event::FlowchartEvent,
        &platform_handler::PlatformHandler,
        &notify::Notify,
        &notify_error::NotifyError,
        &idle_handler::IdleHandler,
        &eval_string::EvalString,
        &notify_execute::NotifyExecute,
        &string_runner::StringRunner,
        &string_var_runner::StringVarRunner,
        &string_named::StringNamed,
        &string_named_manager::StringNamedManager,
        &update_handler::UpdateHandler,
        &string_registration::StringRegistration,
        &registration_in_collection::RegistrationInCollection,
        &module_registration::ModuleRegistration,
        &module_name_registration::ModuleNameRegistration,
        &by_convention::ByConvention,
        &notification_event::NotificationEvent,
        &notification_event_prefix::NotificationEventPrefix,
        &notification_event_delegated::NotificationEventDelegated,
        &notify_choice::NotifyChoice,
        &notify_changed::NotifyChanged,
        &item_action::ItemAction,
        &add_handler::AddHandler,
        &session_parameter::SessionParameter,
        &extension_override::ExtensionOverride,
        &dcs_expression::DcsExpression,
        &open_form::OpenForm,
        &open_form_var::OpenFormVar,
        &open_form_computed::OpenFormComputed,
    ]
}

/// The channels whose edges come from outside the code: where a chain of callers begins.
pub fn is_from_outside() -> impl Iterator<Item = Channel> {
    all().iter().filter(|rule| rule.is_from_outside()).map(|rule| rule.channel())
}

/// A call whose name something of the configuration, or a word that channels look for, bears.
pub struct Site<'a> {
    /// The called name.
    pub name: Ident,
    /// What stands before the dot, as an expression.
    pub base: Option<ExprId>,
    /// What stands before the dot.
    pub receiver: Receiver,
    /// Arguments in order.
    pub args: &'a [ExprId],
    /// Line of the called name.
    pub line: u32,
}

impl Site<'_> {
    /// The methods of the configuration that the call may mean.
    pub fn targets(&self, flow: &Flow<'_>) -> Vec<MethodId> {
        let (module, world) = (flow.cx.module, flow.cx.module.world);
        match self.receiver {
            Receiver::None => {
                module.own_method(self.name).or_else(|| world.global_method(self.name)).into_iter().collect()
            }
            Receiver::This => module.own_method(self.name).into_iter().collect(),
            Receiver::Module(module) => world.exported_method(module, self.name).into_iter().collect(),
            Receiver::Manager(object) => {
                let manager = Value::Manager { object, origin: Origin::Written };
                world.method_of(manager, self.name).into_iter().collect()
            }
            Receiver::Value(values) => values.iter().filter_map(|value| world.method_of(value, self.name)).collect(),
            Receiver::Unknown => Vec::new(),
        }
    }
}

/// What stands before the dot of a call.
#[derive(Clone, Copy, Debug)]
pub enum Receiver {
    /// Nothing: an unqualified call.
    None,
    /// `ЭтотОбъект`, `ЭтаФорма`.
    This,
    /// A common module by its bare name.
    Module(ModuleId),
    /// `Справочники.Х`: the node of the object.
    Manager(u32),
    /// A variable, or a call that gives something: what it may hold.
    Value(Values),
    /// Something that nothing is known of.
    Unknown,
}

/// `Новый Тип(…)` of a type that channels look for.
pub struct NewSite<'a> {
    /// The type.
    pub word: Word,
    /// Arguments in order.
    pub args: &'a [ExprId],
    /// Line.
    pub line: u32,
}

/// `base.name = value`.
#[derive(Clone, Copy, Debug)]
pub struct AssignSite {
    /// What stands before the dot.
    pub base: ExprId,
    /// The property as written.
    pub name: Symbol,
    /// The right side.
    pub value: ExprId,
    /// Line of the statement.
    pub line: u32,
}

/// A literal that names methods: `"Модуль.Метод"`, `"Справочники.Х.Метод"`, or the bare name of a method of the own module.
pub struct LiteralSite<'a> {
    /// The literal's text.
    pub symbol: Symbol,
    /// Line of its opening quote.
    pub line: u32,
    /// The methods that it names.
    pub methods: &'a [MethodId],
    /// Whether it is a bare name, without a module.
    pub bare: bool,
    /// Where it stands.
    pub place: Place<'a>,
}

/// Where a literal stands.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// An argument of a call.
    Argument {
        /// What stands before the dot of the call.
        receiver: Option<ExprId>,
        /// The called name as written.
        callee: Symbol,
        /// All arguments.
        args: &'a [ExprId],
        /// Which of them the literal is, from 0.
        index: usize,
    },
    /// The value of `base.name = "…"`.
    Property {
        /// What stands before the dot.
        base: ExprId,
        /// The property as written.
        name: Symbol,
    },
    /// The value of `X = "…"`.
    Variable(Symbol),
}

/// What channels that read metadata see.
pub struct MetadataContext<'a> {
    /// Names and modules.
    pub world: &'a World,
    /// The configuration.
    pub configuration: &'a Configuration,
}

impl MetadataContext<'_> {
    /// The node of a full name.
    pub fn node(&self, full_name: &str) -> Option<u32> {
        self.world.find(full_name)
    }

    /// The method of a name in a module.
    pub fn method(&self, module: ModuleId, name: &str) -> Option<MethodId> {
        self.world.own_method(module, self.world.ident(name)?)
    }

    /// The method of a common module by its full name, `CommonModule.X.Method`.
    pub fn common_method(&self, full_name: &str) -> Option<MethodId> {
        let (module, method) = full_name.rsplit_once('.')?;
        let module = self.world.common_module(self.world.ident(module.rsplit('.').next()?)?)?;
        self.method(module, method)
    }

    /// An edge to a method, proven by a line of a metadata file.
    pub fn edge(&self, channel: Channel, source: u32, target: MethodId, file: u32, line: u32) -> Edge {
        let target = self.world.method(target).node;
        Edge { source, target, channel, confidence: Confidence::Exact, file, line }
    }
}

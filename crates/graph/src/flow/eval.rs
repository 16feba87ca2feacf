//! What an expression may give.

use bsl::code::{BinaryOp, UnaryOp};
use bsl::{Expr, ExprId, Symbol};
use metadata::{Kind, ModuleKind};

use super::Flow;
use crate::names::Ident;
use crate::scope::Binding;
use crate::settings::Gives;
use crate::types::Holder;
use crate::value::{Aspect, Origin, TextRef, Value, Values};
use crate::words::Word;
use crate::world::MethodId;

/// Stands in a [pattern](Flow::patterns) for a part of a text that nothing is known of. An identifier, so that the rest reads as
/// code.
pub const HOLE: &str = "__hole__";

/// Deepest expression that is evaluated.
const DEEPEST: usize = 32;
/// Most patterns that one expression gives.
const MOST_PATTERNS: usize = 16;
/// Longest text that is looked at as code.
const LONGEST_CODE: usize = 1 << 16;
/// Longest text that is put together from parts.
const LONGEST_TEXT: usize = 200;

impl Flow<'_> {
    /// Whether an expression may give a value that is followed, by its looks.
    pub(super) fn may_matter(&self, expr: ExprId) -> bool {
        let code = self.cx.code;
        match code.expr(expr) {
            Expr::String(_) | Expr::Ternary(..) | Expr::Index(..) => true,
            Expr::Name(name) => match self.cx.binding(name) {
                Binding::Global(ident) => ident.is_some(),
                _ => true,
            },
            Expr::Member(_, name) => self.cx.module.ident(name).is_some(),
            Expr::New { type_name: Some(name), .. } => self.cx.module.ident(name).is_some(),
            Expr::Call { callee, .. } => match code.expr(callee) {
                Expr::Name(name) | Expr::Member(_, name) => self.cx.module.ident(name).is_some(),
                _ => false,
            },
            Expr::Binary(BinaryOp::Add, left, _) => {
                matches!(code.expr(left), Expr::String(_) | Expr::Name(_)) || self.is_full_name(left)
            }
            Expr::Unary(UnaryOp::Await, value) => self.may_matter(value),
            _ => false,
        }
    }

    /// The collection of managers that a bare name means here.
    pub fn collection(&self, name: Symbol) -> Option<Kind> {
        match self.cx.binding(name) {
            Binding::Global(Some(ident)) => self.cx.module.world.collection(ident),
            _ => None,
        }
    }

    /// The text of a value, if it is one.
    pub fn text(&self, value: Value) -> Option<String> {
        match value {
            Value::Text(TextRef::Symbol(symbol)) => Some(self.cx.module.facts.text(symbol).to_owned()),
            Value::Text(TextRef::World(number)) => Some(self.cx.module.world.returned_text(number).to_owned()),
            Value::Text(TextRef::Built(number)) => self.built.borrow().get(number as usize).cloned(),
            _ => None,
        }
    }

    /// The identifiers that an expression may name as text: what a literal or a followed variable says.
    pub fn named_idents(&self, expr: ExprId) -> impl Iterator<Item = Ident> + '_ {
        let values = self.eval(expr);
        let found: Vec<Ident> = values
            .iter()
            .filter_map(|value| match value {
                Value::Text(TextRef::Symbol(symbol)) => self.cx.module.ident(symbol),
                _ => self.text(value).and_then(|text| self.cx.module.world.ident(&text)),
            })
            .collect();
        found.into_iter()
    }

    /// Texts that an expression may give, with [`HOLE`] for each part that is not known. Empty if all of it is unknown.
    pub fn patterns(&self, expr: ExprId) -> Vec<String> {
        let known = |expr| -> Vec<String> {
            let values = self.eval(expr);
            let mut texts: Vec<String> = values.iter().filter_map(|value| self.text(value)).collect();
            if values.open && !texts.is_empty() {
                texts.push(HOLE.to_owned());
            }
            texts
        };
        let (mut parts, mut ahead) = (Vec::new(), vec![expr]);
        while let Some(part) = ahead.pop() {
            match self.cx.code.expr(part) {
                Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
                _ => parts.push(known(part)),
            }
        }
        if parts.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut patterns = vec![String::new()];
        for part in &parts {
            // Several variables with several values each would multiply.
            let several = part.len() * patterns.len() <= MOST_PATTERNS;
            match part.as_slice() {
                texts if several && !texts.is_empty() => {
                    let joined = |text: &String| patterns.iter().map(|p| format!("{p}{text}")).collect::<Vec<_>>();
                    patterns = texts.iter().flat_map(joined).collect();
                }
                _ => patterns.iter_mut().for_each(|pattern| pattern.push_str(HOLE)),
            }
        }
        patterns.retain(|pattern| pattern.len() <= LONGEST_CODE);
        patterns
    }

    /// Whether a known part of a text that is put together is a parameter: callers choose it.
    pub fn is_passed(&self, expr: ExprId) -> bool {
        let mut ahead = vec![expr];
        while let Some(part) = ahead.pop() {
            match self.cx.code.expr(part) {
                Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
                Expr::Name(name)
                    if matches!(self.cx.binding(name), Binding::Param(_)) && !self.eval(part).is_empty() =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// What an expression may give at the current statement.
    pub fn eval(&self, expr: ExprId) -> Values {
        self.eval_to(expr, DEEPEST)
    }

    /// What an expression may give, without what is only known to be kept somewhere under the same name.
    pub fn surely(&self, expr: ExprId) -> Values {
        let before = self.strict.replace(true);
        let values = self.eval(expr);
        self.strict.set(before);
        values
    }

    /// What a call may give.
    pub fn call_gives(&self, callee: ExprId, args: &[ExprId]) -> Values {
        self.eval_call(callee, args, DEEPEST)
    }

    pub(super) fn eval_to(&self, expr: ExprId, depth: usize) -> Values {
        let Some(depth) = depth.checked_sub(1) else {
            return Values::unknown();
        };
        let code = self.cx.code;
        match code.expr(expr) {
            Expr::String(symbol) => Value::Text(TextRef::Symbol(symbol)).into(),
            Expr::Undefined | Expr::Null => Values::default(),
            Expr::Name(name) => self.eval_name(name),
            Expr::Member(base, name) => match self.cx.module.ident(name) {
                Some(name) if self.cx.module.world.word(name) == Some(Word::CurrentData) => {
                    self.shown(base).unwrap_or_else(|| self.member(&self.eval_to(base, depth), name))
                }
                Some(_) if let Some(text) = self.job_method(expr) => self.built(text.to_owned()).into(),
                Some(ident) => {
                    let values = self.member(&self.eval_to(base, depth), ident);
                    match values.is_empty() {
                        true => self.documented_key(base, name).unwrap_or(values),
                        false => values,
                    }
                }
                None => self.documented_key(base, name).unwrap_or_else(Values::unknown),
            },
            Expr::New { type_name: Some(name), first, count } => {
                self.construct(name, code.arguments(first, count), depth)
            }
            Expr::Index(base, index) => {
                let names = self.eval_to(index, depth);
                let mut values = Values::with_open(names.open);
                let bases = self.eval_to(base, depth);
                for base in bases.iter() {
                    match base {
                        Value::Rows(_) => values.add(base),
                        base => values.add(self.element(base).unwrap_or(Value::Undefined)),
                    }
                }
                for text in names.iter().filter_map(|name| self.text(name)) {
                    match self.cx.module.world.ident(&text) {
                        Some(name) => values.join(&self.member(&bases, name).given_back()),
                        None => values.open = true,
                    }
                }
                if names.open {
                    for base in bases.iter() {
                        if let Value::Collection(kind) = base {
                            values.add(Value::SomeManager(Some(kind)));
                        }
                    }
                }
                if values.is_empty() { Values::unknown() } else { values }
            }
            Expr::Ternary(_, yes, no) => {
                let mut values = self.eval_to(yes, depth);
                values.join(&self.eval_to(no, depth));
                values
            }
            Expr::Unary(UnaryOp::Await, value) => self.eval_to(value, depth),
            Expr::Binary(BinaryOp::Add, left, right) => self.concat(left, right, depth),
            Expr::Call { callee, first, count } => self.eval_call(callee, code.arguments(first, count), depth),
            _ => Values::unknown(),
        }
    }

    /// What a bare name may hold at the current statement.
    pub(crate) fn eval_name(&self, name: Symbol) -> Values {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let binding = self.cx.binding(name);
        match binding {
            Binding::Global(None) => Values::unknown(),
            Binding::Global(Some(ident)) => {
                if let Some(module) = world.common_module(ident) {
                    Value::Module { module, origin: Origin::Written }.into()
                } else if let Some(kind) = world.collection(ident) {
                    Value::Collection(kind).into()
                } else if world.word(ident) == Some(Word::This) {
                    Value::This.into()
                } else {
                    self.own_member(ident)
                }
            }
            Binding::Own => match module.ident(name) {
                Some(ident) => self.own_member(ident),
                None => Values::unknown(),
            },
            _ => self.get(&self.state, module.first(name), binding),
        }
    }

    /// What an attribute of the module's own object or form may hold.
    fn own_member(&self, name: Ident) -> Values {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let holds =
            matches!(module.info.kind, ModuleKind::ObjectModule | ModuleKind::FormModule | ModuleKind::RecordSetModule);
        if !holds || module.facts.variables.iter().any(|v| module.ident(v.name) == Some(name)) {
            return Values::unknown();
        }
        if let Some(values) = world.attribute(module.info.owner, name) {
            return values;
        }
        let gives = world.types().gives(Holder::Instance(Aspect::Object), name);
        match gives.filter(|_| module.info.kind == ModuleKind::ObjectModule) {
            Some(aspect) => Value::Instance { object: module.info.owner, aspect, origin: Origin::Inferred }.into(),
            None => Values::unknown(),
        }
    }

    /// What a row is that `Элементы.Имя` of the module's form shows.
    fn shown(&self, item: ExprId) -> Option<Values> {
        let Expr::Member(items, name) = self.cx.code.expr(item) else { return None };
        let (Expr::Name(items) | Expr::Member(_, items)) = self.cx.code.expr(items) else { return None };
        let module = self.cx.module;
        (module.word(items) == Some(Word::Items)).then(|| module.world.shown(module.info.owner, module.ident(name)?))?
    }

    /// What an element of a collection is: a record of a record set, a row of a tabular section.
    pub(super) fn element(&self, of: Value) -> Option<Value> {
        let info = self.cx.module.info;
        match of {
            Value::Instance { object, aspect, .. } => {
                Some(Value::Instance { object, aspect: aspect.element()?, origin: Origin::Inferred })
            }
            Value::This if info.kind == ModuleKind::RecordSetModule => {
                Some(Value::Instance { object: info.owner, aspect: Aspect::Record, origin: Origin::Inferred })
            }
            _ => None,
        }
    }

    /// What a member of values may hold: managers of a collection, attributes of objects, properties of types.
    fn member(&self, bases: &Values, name: Ident) -> Values {
        let mut values = Values::with_open(bases.open);
        for base in bases.iter() {
            match base {
                Value::This => values.join(&self.own_member(name)),
                Value::Rows(text) => values.join(&self.column(text, name)),
                base => values.join(&self.cx.module.world.member_of(base, name)),
            }
        }
        // Nothing is known of what stands before the dot: what is kept under that name anywhere.
        if values.is_empty()
            && !self.strict.get()
            && let Some(kept) = self.cx.module.world.kept(name)
        {
            values.join(&kept.all_chosen());
            values.open = true;
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    /// `Новый Тип(…)`.
    fn construct(&self, name: Symbol, args: &[ExprId], depth: usize) -> Values {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let Some(name) = module.ident(name) else { return Values::unknown() };
        if world.word(name) == Some(Word::NotifyDescription) {
            return match args {
                &[procedure, of, ..] => self.procedures(procedure, &self.eval_to(of, depth)),
                _ => Values::unknown(),
            };
        }
        let Some(t) = world.types().named(name) else { return Values::unknown() };
        match args {
            &[text, ..] if world.is_query(t) => self.query_of(text).unwrap_or(Value::Platform(t)).into(),
            _ => Value::Platform(t).into(),
        }
    }

    /// The procedures that a name and modules mean.
    fn procedures(&self, procedure: ExprId, modules: &Values) -> Values {
        let (own, world) = (self.cx.module, self.cx.module.world);
        let mut values = Values::with_open(modules.open || self.eval(procedure).open);
        for name in self.named_idents(procedure) {
            for value in modules.iter() {
                let target = match value {
                    Value::This => own.own_method(name),
                    Value::Module { module, .. } if module == own.id => own.own_method(name),
                    Value::Module { module, .. } => world.exported_method(module, name),
                    _ => None,
                };
                match target {
                    Some(target) => values.add(Value::Procedure(target)),
                    None => values.open = true,
                }
            }
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    fn concat(&self, left: ExprId, right: ExprId, depth: usize) -> Values {
        let lefts = self.eval_to(left, depth);
        if lefts.is_empty() {
            return Values::unknown();
        }
        let rights = self.eval_to(right, depth);
        let mut values = Values::with_open(lefts.open || rights.open);
        for left in lefts.iter().filter_map(|value| self.text(value)) {
            for right in rights.iter().filter_map(|value| self.text(value)) {
                if left.len() + right.len() <= LONGEST_TEXT {
                    values.add(self.built(format!("{left}{right}")));
                } else {
                    values.open = true;
                }
            }
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    fn eval_call(&self, callee: ExprId, args: &[ExprId], depth: usize) -> Values {
        let world = self.cx.module.world;
        let (receiver, name) = match self.cx.code.expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(base), name),
            _ => return Values::unknown(),
        };
        let Some(name) = self.cx.module.ident(name) else {
            return Values::unknown();
        };
        if let Some(values) = self.template(receiver, name, args, depth) {
            return values;
        }
        if let Some(values) = self.form_got(receiver, name, args, depth) {
            return values;
        }
        let mut values = Values::default();
        match receiver {
            None if world.word(name) == Some(Word::Eval) => {
                let texts = args.first().map_or_else(Values::unknown, |arg| self.eval_to(*arg, depth));
                values.open |= texts.open;
                for text in texts.iter().filter_map(|value| self.text(value)) {
                    match world.named(Gives::Any, &text, Origin::Evaluated) {
                        Some(value) => values.add(value),
                        None => values.open = true,
                    }
                }
            }
            None if world.word(name) == Some(Word::FormAttributeToValue) => {
                let names = args.first().map_or_else(Values::unknown, |arg| self.eval_to(*arg, depth));
                values.open |= names.open;
                for text in names.iter().filter_map(|value| self.text(value)) {
                    let attribute = world.ident(&text).map_or_else(Values::unknown, |name| self.own_member(name));
                    values.join(&attribute);
                }
            }
            None if world.word(name) == Some(Word::FormDataToValue) => {
                let t = args.get(1).and_then(|arg| self.argument_of(*arg, Word::Type));
                match t.and_then(|t| self.typed(t)) {
                    Some(value) => values.add(value),
                    None => return Values::unknown(),
                }
            }
            None => match self.cx.module.own_method(name).or_else(|| world.global_method(name)) {
                Some(method) => values.join(&self.result(method, args, depth)),
                None => return self.called(Value::This, name, args, depth),
            },
            Some(receiver) if world.word(name) == Some(Word::RowData) && self.shown(receiver).is_some() => {
                return self.shown(receiver).unwrap_or_default();
            }
            Some(receiver) if let Some(text) = self.full_name(receiver, name) => values.add(text),
            Some(receiver) => {
                let receivers = self.eval_to(receiver, depth);
                values.open |= receivers.open;
                for receiver in receivers.iter() {
                    values.join(&self.called(receiver, name, args, depth));
                }
            }
        }
        if values.is_empty() {
            // A function that gives a template by its full name.
            let texts =
                args.iter().filter_map(|arg| self.cx.code.string(*arg)).map(|text| self.cx.module.facts.text(text));
            let mut named = texts.filter(|text| text.contains('.')).filter_map(|text| world.template_named(text));
            return named.next().map_or_else(Values::unknown, |template| Value::Template(template).into());
        }
        values
    }

    /// `Объект.ПолучитьМакет("Имя")`, `Макет.ПолучитьОбласть("Имя")`; None for other calls, and where no template is known.
    fn template(&self, receiver: Option<ExprId>, name: Ident, args: &[ExprId], depth: usize) -> Option<Values> {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let mut values = Values::default();
        match world.word(name)? {
            Word::GetArea => {
                let of = self.eval_to(receiver?, depth);
                of.iter().filter(|value| matches!(value, Value::Template(_))).for_each(|value| values.add(value));
                values.open = of.open;
            }
            Word::GetTemplate if receiver.is_some() || module.own_method(name).is_none() => {
                let names = self.eval_to(*args.first()?, depth);
                let receivers: Vec<Option<Value>> = match receiver {
                    Some(receiver) => self.eval_to(receiver, depth).iter().map(Some).collect(),
                    None => vec![None],
                };
                for text in names.iter().filter_map(|value| self.text(value)) {
                    for &receiver in &receivers {
                        let templates = world.templates_got(module.id, receiver, &text);
                        templates.for_each(|template| values.add(Value::Template(template)));
                    }
                }
                values.open = names.open;
            }
            _ => return None,
        }
        (!values.is_empty()).then_some(values)
    }

    /// The method that a call on a value means.
    pub fn method_of(&self, receiver: Value, name: Ident) -> Option<MethodId> {
        match receiver {
            Value::This => self.cx.module.own_method(name),
            receiver => self.cx.module.world.method_of(receiver, name),
        }
    }

    /// What a call of a member of one value gives.
    fn called(&self, receiver: Value, name: Ident, args: &[ExprId], depth: usize) -> Values {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let receiver = match receiver {
            Value::This => match module.own_method(name) {
                Some(method) => return self.result(method, args, depth),
                None if module.info.kind == ModuleKind::ObjectModule => {
                    Value::Instance { object: module.info.owner, aspect: Aspect::Object, origin: Origin::Inferred }
                }
                None if module.info.kind == ModuleKind::ManagerModule => {
                    Value::Manager { object: module.info.owner, origin: Origin::Inferred }
                }
                None => return Values::unknown(),
            },
            Value::Query(text) if world.word(name) == Some(Word::Execute) => return Value::Rows(text).into(),
            Value::Rows(text) if matches!(world.word(name), Some(Word::Select | Word::Unload)) => {
                return Value::Rows(text).into();
            }
            receiver => receiver,
        };
        match world.method_of(receiver, name) {
            Some(method) => self.result(method, args, depth),
            None => {
                let mut values = world.given_by(receiver, name).map_or_else(Values::unknown, Values::from);
                // Tables made of rows may get columns of their own.
                let is_table = values.iter().any(|value| matches!(value, Value::Instance { aspect: Aspect::Rows, .. }));
                values.open |= self.certain && is_table && world.word(name) != Some(Word::Add);
                values
            }
        }
    }

    /// The value of a type whose name stands in a literal.
    fn typed(&self, literal: ExprId) -> Option<Value> {
        let Expr::String(text) = self.cx.code.expr(literal) else { return None };
        self.cx.module.world.value_of_type(self.cx.module.facts.text(text))
    }

    fn result(&self, method: MethodId, args: &[ExprId], depth: usize) -> Values {
        let mut arg = |index: u16| match args.get(usize::from(index)) {
            Some(arg) => self.eval_to(*arg, depth),
            None => Values::unknown(),
        };
        let mut values = self.cx.module.world.call_result(method, &mut arg, &|value| self.text(value));
        // A function's other results are not known.
        values.open |= self.certain;
        if values.is_empty() { Values::unknown() } else { values }
    }
}

//! Forms: what opening one gives, and which ones callers hand over.

use bsl::{Expr, ExprId, StatementKind, Symbol};
use rustc_hash::FxHashMap;

use super::Flow;
use crate::names::Ident;
use crate::scope::Binding;
use crate::value::{Value, Values};
use crate::words::Word;
use crate::world::ModuleId;

impl Flow<'_> {
    /// What `ОткрытьФорму("…")`, `Документы.Заказ.ПолучитьФорму("…")` give; None for other calls, and where no form is known.
    pub(super) fn form_got(
        &self,
        receiver: Option<ExprId>,
        name: Ident,
        args: &[ExprId],
        depth: usize,
    ) -> Option<Values> {
        let (module, world) = (self.cx.module, self.cx.module.world);
        let word = world.word(name).filter(|word| matches!(word, Word::OpenForm | Word::GetForm))?;
        if receiver.is_none() && module.own_method(name).is_some() {
            return None;
        }
        let names = self.eval_to(*args.first()?, depth);
        let texts: Vec<String> = names.iter().filter_map(|value| self.text(value)).collect();
        let forms: Vec<u32> = match (receiver, word) {
            (None, _) => texts.iter().filter_map(|text| world.form_named(text)).collect(),
            (Some(receiver), Word::GetForm) => {
                let receivers = self.eval_to(receiver, depth);
                let managers = receivers.iter().filter_map(|value| match value {
                    Value::Manager { object, .. } => Some(object),
                    _ => None,
                });
                managers.flat_map(|object| texts.iter().filter_map(move |text| world.form_got(object, text))).collect()
            }
            _ => return None,
        };
        let mut values = Values::with_open(names.open);
        for module in forms.into_iter().filter_map(|form| world.form_module(form)) {
            values.add(Value::Form(module));
        }
        (!values.is_empty()).then_some(values)
    }

    /// The forms, other than the module's own, that an expression is known to give: opened ones, those that hand themselves to a
    /// parameter, and those that the module keeps under the key or property that stands there. Others may stand there, too.
    pub fn forms_of(&self, expr: ExprId) -> Vec<ModuleId> {
        let mut forms = Vec::new();
        let mut add = |form: ModuleId| {
            if form != self.cx.module.id && !forms.contains(&form) {
                forms.push(form);
            }
        };
        for value in self.eval(expr).iter() {
            if let Value::Form(form) = value {
                add(form);
            }
        }
        let (code, module) = (self.cx.code, self.cx.module);
        let Expr::Name(name) = code.expr(expr) else {
            self.forms_under(expr).iter().copied().for_each(add);
            return forms;
        };
        let assigned = self.assigned(name);
        match self.cx.binding(name) {
            // One that the method fills itself holds something else.
            Binding::Param(param) if assigned.is_empty() => {
                let handed = self.cx.id.map_or(&[][..], |method| module.world.handed(method, param));
                handed.iter().copied().for_each(add);
            }
            Binding::Param(_) | Binding::Local => {
                assigned.iter().flat_map(|value| self.forms_under(*value)).copied().for_each(add);
            }
            _ => {}
        }
        forms
    }

    /// What the method assigns to a variable, anywhere.
    pub(crate) fn assigned(&self, name: Symbol) -> &[ExprId] {
        let (code, module) = (self.cx.code, self.cx.module);
        let all = self.assigned.get_or_init(|| {
            let mut all: FxHashMap<Symbol, Vec<ExprId>> = FxHashMap::default();
            for statement in &code.statements {
                if let StatementKind::Assign(target, value) = statement.kind
                    && let Expr::Name(name) = code.expr(target)
                {
                    all.entry(module.first(name)).or_default().push(value);
                }
            }
            all
        });
        all.get(&module.first(name)).map_or(&[], Vec::as_slice)
    }

    /// The forms that the module keeps under the name that stands behind the dot of an expression.
    fn forms_under(&self, expr: ExprId) -> &[ModuleId] {
        let module = self.cx.module;
        let name = match self.cx.code.expr(expr) {
            Expr::Member(_, name) => module.ident(name),
            _ => None,
        };
        name.map_or(&[], |name| module.world.handed_under(module.id, name))
    }
}

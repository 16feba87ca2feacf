//! Names that metadata gives: the full name of an object, the method of a scheduled job.

use bsl::{Expr, ExprId};
use metadata::ModuleKind;

use super::Flow;
use crate::names::Ident;
use crate::value::{Aspect, TextRef, Value};
use crate::words::Word;

impl Flow<'_> {
    /// The object that an expression describes: `Метаданные.Документы.Заказ`, `Объект.Метаданные()`.
    pub(crate) fn described(&self, expr: ExprId) -> Option<u32> {
        let (code, module, world) = (self.cx.code, self.cx.module, self.cx.module.world);
        match code.expr(expr) {
            Expr::Member(collection, name) => {
                let Expr::Member(root, kind) = code.expr(collection) else { return None };
                let Expr::Name(root) = code.expr(root) else { return None };
                if module.word(root) != Some(Word::Metadata) {
                    return None;
                }
                let kind = world.collection(module.ident(kind)?)?;
                world.object(kind, module.ident(name)?)
            }
            Expr::Call { callee, .. } => {
                let values = match code.expr(callee) {
                    Expr::Name(name) if module.word(name) == Some(Word::Metadata) => Value::This.into(),
                    Expr::Member(base, name) if module.word(name) == Some(Word::Metadata) => self.eval(base),
                    _ => return None,
                };
                let mut objects = values.iter().filter_map(|value| match value {
                    Value::Instance { object, aspect: Aspect::Object | Aspect::Ref, .. } => Some(object),
                    Value::This if module.info.kind == ModuleKind::ObjectModule => Some(module.info.owner),
                    _ => None,
                });
                objects.next().filter(|_| values.is_certain())
            }
            _ => None,
        }
    }

    /// Whether an expression is a call of `ПолноеИмя`, by its looks.
    pub(super) fn is_full_name(&self, expr: ExprId) -> bool {
        let code = self.cx.code;
        matches!(code.expr(expr), Expr::Call { callee, .. }
            if matches!(code.expr(callee), Expr::Member(_, name) if self.cx.module.word(name) == Some(Word::FullName)))
    }

    /// What `Х.ПолноеИмя()` gives of the description of an object.
    pub(super) fn full_name(&self, described: ExprId, name: Ident) -> Option<Value> {
        let world = self.cx.module.world;
        if world.word(name) != Some(Word::FullName) {
            return None;
        }
        let text = world.full_name_ru(self.described(described)?)?;
        Some(self.built(text))
    }

    /// The method's name that `Метаданные.РегламентныеЗадания.Х.ИмяМетода` gives.
    pub(crate) fn job_method(&self, expr: ExprId) -> Option<&str> {
        let Expr::Member(job, name) = self.cx.code.expr(expr) else { return None };
        if self.cx.module.word(name) != Some(Word::MethodName) {
            return None;
        }
        self.cx.module.world.job_method(self.described(job)?)
    }

    /// A text that no literal holds.
    pub(super) fn built(&self, text: String) -> Value {
        let mut built = self.built.borrow_mut();
        built.push(text);
        Value::Text(TextRef::Built(built.len() as u32 - 1))
    }
}

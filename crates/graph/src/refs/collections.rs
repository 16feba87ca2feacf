//! Collections that code names things of: `Справочники.Имя`, `Метаданные.Обработки.Х.Формы.Имя`, `Команды.Имя`, and searches in
//! them (`….Найти("Имя")`).

use super::code::ModuleReferences;
use super::described;
use crate::flow::Flow;
use crate::scope::Binding;
use crate::value::Value;
use crate::words::Word;
use bsl::{Expr, ExprId, Symbol};
use metadata::{Kind, ModuleKind};

impl ModuleReferences<'_> {
    /// `Справочники.Имя`, `Метаданные.Справочники.Имя`: true if `base` is such a collection.
    pub(super) fn of_collection(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        let (kind, of_metadata) = match flow.cx.code.expr(base) {
            Expr::Name(collection) => match flow.collection(collection).or_else(|| of_library(flow, collection)) {
                Some(kind) => (kind, false),
                None => return self.of_commands(flow, base, name, line),
            },
            _ => match described::collection(flow, base) {
                Some(kind) => (kind, true),
                None => {
                    return self.of_subsystems(flow, base, name, line)
                        || self.of_own_parts(flow, base, name, line)
                        || self.of_commands(flow, base, name, line);
                }
            },
        };
        if let Some(object) = self.fields.object(kind, name) {
            let word = match kind.en() {
                _ if of_metadata => "bsl_metadata",
                "Enum" => "bsl_enum",
                "SessionParameter" => "bsl_session_parameter",
                "CommonPicture" | "StyleItem" => "bsl_property",
                _ => "bsl_manager",
            };
            self.push(flow, object, word, line);
        }
        true
    }

    /// `Метаданные.Подсистемы.А.Подсистемы.Б`: true if `base` is a collection of nested subsystems.
    fn of_subsystems(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        let Some(full_name) = described::subsystem(flow, base, name) else { return false };
        if let Some(object) = self.fields.world.find(&full_name) {
            self.push(flow, object, "bsl_metadata", line);
        }
        true
    }

    /// `Метаданные.Обработки.Х.Формы.Имя`: true if `base` is a collection of such parts.
    fn of_own_parts(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        let Some(targets) = described::own_part(self.fields, flow, base, name) else { return false };
        targets.into_iter().for_each(|target| self.push(flow, target, "bsl_metadata", line));
        true
    }

    /// `Команды.Имя`, `Форма.Команды.Имя`: true if `base` is the collection of a known form's commands.
    fn of_commands(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        let module = flow.cx.module;
        let own = (module.info.kind == ModuleKind::FormModule).then_some(module.info.node);
        let forms: Vec<u32> = match flow.cx.code.expr(base) {
            Expr::Name(word) if module.word(word) == Some(Word::Commands) => match flow.cx.binding(word) {
                Binding::Global(_) => own.into_iter().collect(),
                _ => return false,
            },
            Expr::Member(of, word) if module.word(word) == Some(Word::Commands) => {
                let form = |value| match value {
                    Value::This => own,
                    Value::Form(form) => Some(self.fields.world.module(form).node),
                    _ => None,
                };
                self.known(flow, of).into_iter().filter_map(form).collect()
            }
            _ => return false,
        };
        for form in forms {
            let command = format!("{}.Command.{name}", self.fields.world.name(form));
            if let Some(target) = self.fields.world.find(&command) {
                self.push(flow, target, "bsl_property", line);
            }
        }
        true
    }

    /// `Метаданные.Роли.Найти("Имя")`, `….Реквизиты.Найти("Имя")`: true if `base` is such a collection.
    pub(super) fn found_in_metadata(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        if let Expr::Member(root, collection) = flow.cx.code.expr(base)
            && described::is_metadata(flow, root)
        {
            let kind = Kind::from_collection(flow.cx.module.facts.text(collection));
            if let Some(object) = kind.and_then(|kind| self.fields.object(kind, name)) {
                self.push(flow, object, "bsl_metadata", line);
            }
            return true;
        }
        if self.of_subsystems(flow, base, name, line) || self.of_commands(flow, base, name, line) {
            return true;
        }
        let part = self.fields.world.parts.name(name);
        let members = part.and_then(|part| described::members(self.fields, flow, base, part));
        let own = || described::own_part(self.fields, flow, base, name);
        let Some(targets) = members.or_else(own) else { return false };
        for target in targets {
            self.push(flow, target, "bsl_string", line);
        }
        true
    }
}

/// The kind of objects that a library of the global context holds beside the platform's own: `БиблиотекаКартинок`, `ЦветаСтиля`.
fn of_library(flow: &Flow<'_>, name: Symbol) -> Option<Kind> {
    let Binding::Global(Some(ident)) = flow.cx.binding(name) else { return None };
    match flow.cx.module.world.word(ident)? {
        Word::Pictures => Kind::named("CommonPicture"),
        Word::StyleItems => Kind::named("StyleItem"),
        _ => None,
    }
}

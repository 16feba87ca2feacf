//! Templates by the names that code gets them by.

use super::{ModuleId, World};
use crate::value::Value;
use metadata::{Kind, ModuleKind};

impl World {
    /// The template of that own name of an object, or of an extension's object that stands for it.
    pub(crate) fn template(&self, object: u32, name: &str) -> Option<u32> {
        let of = |object: u32| self.find(&format!("{}.Template.{}", self.name(object), name.trim()));
        of(object).or_else(|| self.layers().adopting(object).find_map(of))
    }

    /// The common template of that name.
    pub(crate) fn common_template(&self, name: &str) -> Option<u32> {
        self.find(&format!("CommonTemplate.{}", name.trim()))
    }

    /// The template of a full name as code writes it: `Документ.Счет.Накладная`, `Документ.Счет.Макет.Накладная`.
    pub(crate) fn template_named(&self, text: &str) -> Option<u32> {
        let mut words = text.trim().split('.');
        let (kind, own, last) = (Kind::from_word(words.next()?)?, words.next()?, words.next_back()?);
        self.template(self.object(kind, self.ident(own)?)?, last)
    }

    /// The templates that `ПолучитьМакет` gives in a module: of what stands before the dot, of the module's own object, and
    /// common ones where nothing stands there.
    pub(crate) fn templates_got(
        &self,
        module: ModuleId,
        receiver: Option<Value>,
        name: &str,
    ) -> impl Iterator<Item = u32> {
        let info = self.module(module);
        let own = matches!(info.kind, ModuleKind::ObjectModule | ModuleKind::ManagerModule).then_some(info.owner);
        let (object, common) = match receiver {
            None => (own, self.common_template(name)),
            Some(Value::Manager { object, .. } | Value::Instance { object, .. }) => (Some(object), None),
            Some(Value::This) => (own, None),
            Some(_) => (None, None),
        };
        object.and_then(|object| self.template(object, name)).into_iter().chain(common)
    }
}

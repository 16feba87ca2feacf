//! What the channels of forms share: a procedure of the form's own module, named by a line of the form's content.

use metadata::{Form, Text};

use super::MetadataContext;
use crate::edge::{Channel, Edges};

/// A procedure that the content of a form names.
pub(super) struct Named<'a> {
    /// Name of the procedure.
    pub handler: &'a Text,
    /// Line that names it.
    pub line: u32,
}

impl<'a> From<&'a metadata::Handler> for Named<'a> {
    fn from(handler: &'a metadata::Handler) -> Self {
        Self { handler: &handler.handler, line: handler.line }
    }
}

impl<'a> From<&'a metadata::Action> for Named<'a> {
    fn from(action: &'a metadata::Action) -> Self {
        Self { handler: &action.handler, line: action.line }
    }
}

/// Edges from what `named` gives of each form: what of the form it is (a part of its full name: `Item.Цена`; None: the form
/// itself), and the procedures that it names. A name that the module has no procedure for gives no edge.
pub(super) fn edges<'a, Procedures>(
    cx: &MetadataContext<'a>,
    channel: Channel,
    named: impl Fn(&'a Form, &mut dyn FnMut(Option<(&str, &str)>, Procedures)),
    out: &mut Edges,
) where
    Procedures: IntoIterator<Item: Into<Named<'a>>>,
{
    for form in &cx.configuration.forms {
        let Some(node) = cx.node(&form.full_name) else { continue };
        let Some(module) = cx.world.form_module(node) else { continue };
        let file = form.content.unwrap_or(form.file).0;
        named(form, &mut |part, procedures| {
            let mut procedures = procedures.into_iter().map(Into::into).peekable();
            if procedures.peek().is_none() {
                return;
            }
            let source = match part {
                None => Some(node),
                Some((kind, name)) => cx.node(&format!("{}.{kind}.{name}", form.full_name)),
            };
            let Some(source) = source else { return };
            for Named { handler, line } in procedures {
                if let Some(target) = cx.method(module, handler) {
                    out.edges.push(cx.edge(channel, source, target, file, line));
                }
            }
        });
    }
}

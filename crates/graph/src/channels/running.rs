//! Calls of methods that run another one by its name, for the channels of runners.

use bsl::{Expr, ExprId};

use super::Site;
use crate::flow::Flow;
use crate::names::Ident;
use crate::settings::Runs;
use crate::world::MethodId;

/// The arguments of a call that name a method to run.
pub(super) fn arguments<'a>(flow: &Flow<'_>, site: &Site<'a>) -> Vec<(ExprId, Runs)> {
    let world = flow.cx.module.world;
    let mut found = Vec::new();
    if !world.may_run(site.name) {
        return found;
    }
    let mut add = |place: u16, runs| {
        if let Some(&arg) = site.args.get(usize::from(place))
            && !found.contains(&(arg, runs))
        {
            found.push((arg, runs));
        }
    };
    for target in site.targets(flow) {
        for &(place, runs) in world.runs(target) {
            add(place, runs);
        }
    }
    if let Some(Expr::Name(object)) = site.base.map(|base| flow.cx.code.expr(base))
        && let Some((place, runs)) =
            world.platform_runner(flow.cx.module.facts.text(object), world.ident_text(site.name))
    {
        add(place, runs);
    }
    found
}

/// The methods that a text names for a runner.
pub(super) fn methods(flow: &Flow<'_>, site: &Site<'_>, runs: Runs, text: &str) -> Vec<MethodId> {
    let (module, world) = (flow.cx.module, flow.cx.module.world);
    let name: Option<Ident> = world.ident(text.trim());
    match runs {
        Runs::Method => world.methods_named(text),
        Runs::Own | Runs::Kept => name.and_then(|name| module.own_method(name)).into_iter().collect(),
        Runs::Object => {
            let Some((name, &object)) = name.zip(site.args.first()) else { return Vec::new() };
            flow.eval(object).iter().filter_map(|value| flow.method_of(value, name)).collect()
        }
    }
}

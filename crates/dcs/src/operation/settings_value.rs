//! Parameters of output, and values of the schema's parameters in settings: set (add or modify), remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Texts};
use super::spot::{ForUser, Spot, add_to, items, list, on_off, set_use, spot};
use super::target::{named, parameter, required, same};
use super::values::{OUTPUTS, element_of, item, known, plain};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::{New, Place};
use crate::formal::name;

options! {
    /// Sets a parameter of output: `ВыводитьЗаголовок = нет @variant(Основной)`.
    SetOutput {
        /// The parameter.
        name: String,
        /// Its value.
        value: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
        /// The user may change it.
        user: Flag,
        /// How it is shown to the user: quick, normal, hidden.
        view: String,
        /// Its title for the user.
        title: Option<Texts>,
    }
}
applies!(SetOutput, set_output);

/// The item of a parameter among others, those inside of others too.
fn find<'d>(list: Option<Element<'d>>, parameter: &str, twin: &str) -> Option<Element<'d>> {
    let mut open = items(list);
    while let Some(item) = open.pop() {
        let own = item.text_of("parameter");
        if same(&own, parameter) || same(&own, twin) {
            return Some(item);
        }
        open.extend(item.all("item"));
    }
    None
}

fn put<'d>(
    draft: &mut Draft<'d>,
    spot: Spot<'d>,
    (local, own, twin): (&'static str, &str, &str),
    value: Option<New>,
    use_: Option<bool>,
    user: &ForUser<'_>,
) -> Result<(), Refusal> {
    match (find(list(spot, local), own, twin), value) {
        (Some(found), value) => {
            if let Some(value) = value {
                let old: Vec<Element<'d>> = found.all("value").collect();
                match old.first() {
                    Some(first) => draft.replace(*first, value)?,
                    None => draft.insert(found, value)?,
                }
                for other in old.into_iter().skip(1) {
                    draft.remove(other)?;
                }
            }
            set_use(draft, found, use_)?;
            user.set(draft, found)
        }
        (None, Some(value)) => {
            let behind = user.elements(spot.element.document(), spot.element.range().start)?;
            let new = item(own, value, use_ == Some(false), behind);
            add_to(draft, spot, local, vec![new], Place::InOrder)
        }
        (None, None) => Err(Refusal::missing("value", "значение", "the value")),
    }
}

fn set_output<'d>(this: &SetOutput, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "параметр вывода", "the parameter of output")?;
    let (own, takes) = known(OUTPUTS, wanted, ("параметр вывода", "parameter of output"))?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    let value = match this.value.trim() {
        "" => None,
        text => Some(element_of(name("cor:value"), takes, text, spot.element)?),
    };
    let twin = OUTPUTS.iter().find(|(russian, english, _)| *russian == own || *english == own);
    let twin = twin.map_or("", |(russian, english, _)| if *russian == own { english } else { russian });
    let user = ForUser { user: this.user, view: &this.view, title: this.title.as_ref() };
    if own.contains('.') && find(list(spot, "outputParameters"), own, twin).is_none() {
        return set_part(draft, spot, own, value, own);
    }
    put(draft, spot, ("outputParameters", own, twin), value, on_off(this.on, this.off), &user)?;
    Ok(Say::new(format!("Задан параметр вывода {own}"), format!("Set the parameter of output {own}")))
}

/// A parameter that stands inside of another one, whose name begins its own.
fn set_part<'d>(
    draft: &mut Draft<'d>,
    spot: Spot<'d>,
    own: &str,
    value: Option<New>,
    shown: &str,
) -> Result<Say, Refusal> {
    let value = value.ok_or_else(|| Refusal::missing("value", "значение", "the value"))?;
    let outer = own.split('.').next().unwrap_or("");
    let found = find(list(spot, "outputParameters"), outer, outer).ok_or_else(|| {
        Refusal::new(
            format!("Сначала задайте {outer}: {own} — его часть"),
            format!("Set {outer} first: {own} is a part of it"),
        )
    })?;
    // A part has no settings for users.
    draft.insert(
        found,
        New { of: None, ..item(own, value, false, Vec::new()) }.typed(name("set:SettingsParameterValue")),
    )?;
    Ok(Say::new(format!("Задан параметр вывода {shown}"), format!("Set the parameter of output {shown}")))
}

options! {
    /// Removes a parameter of output: the default holds again.
    RemoveOutput {
        /// The parameter.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// The item of the structure; the whole variant if left out.
        at: String,
    }
}
applies!(RemoveOutput, remove_output);

fn remove_from<'d>(
    draft: &mut Draft<'d>,
    list: Option<Element<'d>>,
    wanted: &str,
    kind: (&str, &str),
) -> Result<(), Refusal> {
    let all = items(list).into_iter().map(|item| (item.text_of("parameter").into_owned(), item));
    draft.remove(named(all, wanted, kind)?)
}

fn remove_output<'d>(this: &RemoveOutput, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "параметр вывода", "the parameter of output")?;
    let spot = spot(at.schema, &this.variant, &this.at)?;
    remove_from(draft, list(spot, "outputParameters"), wanted, ("параметр вывода", "parameter of output"))?;
    Ok(Say::new(format!("Убран параметр вывода {wanted}"), format!("Removed the parameter of output {wanted}")))
}

options! {
    /// Sets the value of a parameter in a variant: `Период = ПрошлыйМесяц @user`.
    SetDataParameter {
        /// The parameter.
        name: String,
        /// Its value.
        value: String,
        /// The variant; may be left out if there is one only.
        variant: String,
        /// Switched on.
        on: Flag,
        /// Switched off.
        off: Flag,
        /// The user may change it.
        user: Flag,
        /// How it is shown to the user: quick, normal, hidden.
        view: String,
        /// Its title for the user.
        title: Option<Texts>,
    }
}
applies!(SetDataParameter, set_data_parameter);

fn set_data_parameter<'d>(this: &SetDataParameter, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "параметр", "the parameter")?;
    let found = parameter(at.schema, wanted)?;
    let own = found.name();
    let spot = spot(at.schema, &this.variant, "")?;
    let value = match this.value.trim() {
        "" => None,
        text => Some(plain(text)?),
    };
    let user = ForUser { user: this.user, view: &this.view, title: this.title.as_ref() };
    put(draft, spot, ("dataParameters", &own, &own), value, on_off(this.on, this.off), &user)?;
    Ok(Say::new(format!("Задано значение параметра «{own}»"), format!("Set the value of the parameter \"{own}\"")))
}

options! {
    /// Removes the value of a parameter from a variant: that of the schema holds again.
    RemoveDataParameter {
        /// The parameter.
        name: String,
        /// The variant; may be left out if there is one only.
        variant: String,
    }
}
applies!(RemoveDataParameter, remove_data_parameter);

fn remove_data_parameter<'d>(
    this: &RemoveDataParameter,
    at: &mut At<'d>,
    draft: &mut Draft<'d>,
) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "параметр", "the parameter")?;
    let spot = spot(at.schema, &this.variant, "")?;
    remove_from(draft, list(spot, "dataParameters"), wanted, ("параметр данных", "data parameter"))?;
    Ok(Say::new(
        format!("Убрано значение параметра «{wanted}»"),
        format!("Removed the value of the parameter \"{wanted}\""),
    ))
}

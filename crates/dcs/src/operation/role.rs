//! The role of a field: dimension, account, balance, period.

use super::draft::Draft;
use super::field::{field_of, set_of};
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names};
use super::target::{Fields, required};
use super::words::{ACCOUNTING_BALANCES, BALANCES, PERIOD_ROLES, flag, word};
use super::{At, applies, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::{Formal, Name, name};
use crate::xml::ns;

options! {
    /// Sets the role of a field; what isn't given stays: `СуммаОстаток @balance(closing, Сумма) @accounting(debit) @account_field(Счет)`.
    FieldRole {
        /// The field's path.
        name: String,
        /// The set; may be left out if one set only has the field.
        set: String,
        /// It is a dimension.
        dimension: Flag,
        /// The dimension above it; an empty one takes it away.
        parent: Option<String>,
        /// It is an attribute of a dimension.
        attribute: Flag,
        /// It is the main one.
        main: Flag,
        /// It is required.
        required: Flag,
        /// Null values don't count.
        ignore_nulls: Flag,
        /// It is an account.
        account: Flag,
        /// The expression that gives the account's kind (active, passive); makes it an account.
        account_type: Option<String>,
        /// It is a balance: `opening, group`, `closing, group` or `none, group`; `no`: it is none.
        balance: Option<Names>,
        /// Which side of the account the balance is: debit, credit, none; an empty one takes it away.
        accounting: Option<String>,
        /// The field of the balance's account; an empty one takes it away.
        account_field: Option<String>,
        /// It is a period: its number, and `main`, `specify` or `additional`; `no`: it is none.
        period: Option<Names>,
        /// It has no role any more.
        none: Flag,
    }
}
applies!(FieldRole, role);

/// Parts of a role, and their texts; none: it goes.
type Parts = Vec<(Name, Option<String>)>;

fn bad(what: &str) -> Refusal {
    Refusal::new(
        format!("Не понято: «{what}». Пример: @остаток(начальный, Сумма), @период(1, основной)"),
        format!("Not understood: \"{what}\". Example: @balance(opening, Сумма), @period(1, main)"),
    )
}

/// Whether an option takes a part of the role away: `@period(no)`.
fn is_off(given: &Names) -> bool {
    matches!(&given.0[..], [one] if flag(one) == Some(false))
}

fn period(given: &Names, parts: &mut Parts) -> Result<(), Refusal> {
    let [number, kind] = [name("com:periodNumber"), name("com:periodType")];
    if is_off(given) {
        parts.extend([(number, None), (kind, None)]);
        return Ok(());
    }
    let of = given.0.first().filter(|number| number.parse::<u8>().is_ok()).ok_or_else(|| bad(&given.0.join(", ")))?;
    let said = match given.0.get(1) {
        None => "Main",
        Some(text) => word(PERIOD_ROLES, text, ("вид периода", "kind of period"))?,
    };
    parts.extend([(number, Some(of.clone())), (kind, Some(said.to_owned()))]);
    Ok(())
}

fn balance(given: &Names, parts: &mut Parts) -> Result<(), Refusal> {
    if is_off(given) {
        for local in
            ["com:balance", "com:balanceGroupName", "com:balanceType", "com:accountingBalanceType", "com:accountField"]
        {
            parts.push((name(local), None));
        }
        return Ok(());
    }
    let [kind, group] = &given.0[..] else { return Err(bad(&given.0.join(", "))) };
    let kind = word(BALANCES, kind, ("вид остатка", "kind of balance"))?;
    parts.push((name("com:balance"), Some("true".to_owned())));
    parts.push((name("com:balanceGroupName"), Some(group.clone())));
    parts.push((name("com:balanceType"), Some(kind.to_owned())));
    Ok(())
}

/// What is asked for.
fn parts_of(this: &FieldRole, at: &At<'_>, role: Option<Element<'_>>) -> Result<Parts, Refusal> {
    let mut parts = Parts::new();
    if let Some(given) = &this.period {
        period(given, &mut parts)?;
    }
    for (flag, local) in [
        (this.dimension, "com:dimension"),
        (this.attribute, "com:dimensionAttribute"),
        (this.main, "com:isMain"),
        (this.required, "com:required"),
        (this.ignore_nulls, "com:ignoreNullValues"),
        (this.account, "com:account"),
    ] {
        if let Some(flag) = flag.0 {
            parts.push((name(local), flag.then(|| "true".to_owned())));
        }
    }
    let fields = Fields::of(at.schema, &|_| false);
    let given = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(text) = &this.parent {
        let text = given(text);
        text.iter().try_for_each(|path| fields.require(path))?;
        parts.push((name("com:parentDimension"), text));
    }
    let kind = match (&this.account_type, this.account.0) {
        // The kind of what is no account says nothing.
        (None, Some(false)) => Some(None),
        (None, _) => None,
        (Some(text), _) => Some(given(text)),
    };
    if let Some(text) = kind {
        text.iter().try_for_each(|text| fields.require_all(at.schema, text))?;
        if text.is_some() && this.account.0.is_none() {
            parts.push((name("com:account"), Some("true".to_owned())));
        }
        parts.push((name("com:accountTypeExpression"), text));
    }
    if let Some(given) = &this.balance {
        balance(given, &mut parts)?;
    }
    let is_balance = match &this.balance {
        Some(given) => !is_off(given),
        None => role.is_some_and(|role| role.flag("balance", false)),
    };
    for (text, local, is_path) in
        [(&this.accounting, "com:accountingBalanceType", false), (&this.account_field, "com:accountField", true)]
    {
        let Some(text) = text.as_ref().map(given) else { continue };
        if text.is_some() && !is_balance {
            return Err(Refusal::new(
                "Сторона и счёт есть только у остатка: добавьте @остаток(конечный, Группа)",
                "Only a balance has a side and an account: add @balance(closing, Group)",
            ));
        }
        let said = match text {
            Some(path) if is_path => {
                fields.require(&path)?;
                Some(path)
            }
            Some(text) => Some(word(ACCOUNTING_BALANCES, &text, ("сторона счёта", "side of the account"))?.to_owned()),
            None => None,
        };
        // With the balance itself it is on the list already.
        parts.retain(|(part, _)| *part != name(local));
        parts.push((name(local), said));
    }
    Ok(parts)
}

fn role<'d>(this: &FieldRole, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let set = set_of(at.schema, &this.set, path)?;
    let field = field_of(set, path)?.element();
    let role = field.child("role");
    let say = Say::new(format!("Задана роль поля «{path}»"), format!("Set the role of the field \"{path}\""));
    if this.none.is_on() {
        let role = role.ok_or_else(|| Refusal::new("У поля нет роли", "The field has no role"))?;
        draft.remove(role)?;
        return Ok(say);
    }
    let parts = parts_of(this, at, role)?;
    if parts.is_empty() {
        return Err(Refusal::missing("dimension", "роль", "the role"));
    }
    match role {
        Some(role) => {
            for (local, text) in parts {
                draft.set_child(role, local, text.as_deref())?;
            }
        }
        None => {
            let of = Formal::get().find(ns::COMMON, "DataSetFieldRole");
            let of = of.and_then(|id| Formal::get().of(id));
            let mut new: Vec<(Name, String)> =
                parts.into_iter().filter_map(|(local, text)| Some((local, text?))).collect();
            if new.is_empty() {
                return Err(Refusal::new("У поля нет роли", "The field has no role"));
            }
            new.sort_by_key(|(local, _)| of.and_then(|of| of.position(local.ns, local.local)));
            let new = New::with(name("sch:role"), new.into_iter().map(|(local, text)| New::text(local, text)));
            draft.insert(field, new)?;
        }
    }
    Ok(say)
}

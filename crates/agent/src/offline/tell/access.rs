//! What tools say of rights.

use std::fmt::Write as _;

use serde_json::Value;

use super::{more, nothing};
use crate::offline::case::Case;
use crate::offline::evidence::{list, place, text, texts};

/// Denied rights that a line names.
const DENIED: usize = 4;

pub(super) fn rights(case: &Case, value: &Value) -> String {
    let name = text(value, "full_name");
    let of_role = text(value, "kind") == "Role";
    let key = if of_role { "objects" } else { "roles" };
    let mut out = String::new();
    if let Some(nothing) = nothing(value, &[key]) {
        out.push_str(&nothing);
    } else {
        let total = value.get("total").and_then(Value::as_u64).unwrap_or_default();
        let what = if of_role {
            case.say("права на объекты", "rights on objects")
        } else {
            case.say("роли", "roles")
        };
        let right = match text(value, "right") {
            "" => String::new(),
            right => format!(" ({right})"),
        };
        let _ = writeln!(out, "`{name}` — {what}{right}: {total}{}", more(value, key));
    }
    for row in list(value, key) {
        let (granted, denied) = (texts(row, "granted").join(", "), texts(row, "denied"));
        let _ = write!(out, "- `{}{}`: {granted}", text(row, "role"), text(row, "object"));
        if !denied.is_empty() {
            let first = denied.get(..denied.len().min(DENIED)).unwrap_or_default().join(", ");
            let dots = if denied.len() > DENIED { "…" } else { "" };
            let _ = write!(out, " ({} {}: {first}{dots})", case.say("запрещено", "denied"), denied.len());
        }
        let restricted = texts(row, "restricted").join(", ");
        if !restricted.is_empty() {
            let _ = write!(out, " ({}: {restricted})", case.say("по условию", "by condition"));
        }
        let _ = writeln!(out, "{}", place(row, " — "));
    }
    let all: Vec<String> = texts(value, "roles_with_all_rights").iter().map(|role| format!("`{role}`")).collect();
    if !all.is_empty() {
        let head = case.say("Разрешено всё, что не запрещено явно", "All that is not denied is allowed to");
        let _ = writeln!(out, "{head}: {}", all.join(", "));
    }
    if value.get("all_others_granted").is_some() {
        let what = case.say("Всё, чего нет в списке, роли разрешено.", "The role may do all that is not listed.");
        let _ = writeln!(out, "{what}");
    }
    out
}

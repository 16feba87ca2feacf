//! Facts as text, for snapshots. Says nothing that depends on the language of a query but names of fields.

use std::fmt::Write as _;

use metascope_bsl::query::{ColumnFacts, ColumnKind, QueryFacts, ValueFacts, ValueType};

/// The facts of a text, one a line.
pub fn dump(text: &str, facts: &QueryFacts) -> String {
    let mut out = String::new();
    for statement in &facts.statements {
        let select = statement.select.map_or("drop".to_owned(), |select| format!("select {select}"));
        let into = statement.temp_table.as_ref().map_or(String::new(), |name| format!(" -> {name}"));
        let _ = writeln!(out, "{select}{into}");
    }
    for (number, select) in facts.selects.iter().enumerate() {
        let parent = select.parent.map_or(String::new(), |(select, branch)| format!(" in {select}.{branch}"));
        let _ = writeln!(out, "select {number}{parent}");
        for branch in &select.branches {
            let union = branch.union.map_or(String::new(), |union| format!(" {union:?}"));
            let _ = writeln!(out, "  branch{union}: {}", one_line(branch.select_list.of(text)));
            for &table in &branch.tables {
                let _ = writeln!(out, "    from {}", table_text(text, facts, table));
            }
            columns(&mut out, facts, &branch.columns, "    ");
        }
    }
    let nested = (0..facts.tables.len() as u32).filter(|table| {
        !facts.selects.iter().flat_map(|select| &select.branches).any(|branch| branch.tables.contains(table))
    });
    for table in nested {
        let _ = writeln!(out, "nested table {}", table_text(text, facts, table));
    }
    for field in &facts.fields {
        let table = field.table.map_or("?".to_owned(), |table| table.to_string());
        let column = field.column.map_or(String::new(), |(select, column)| format!(" = column {select}.{column}"));
        let origins: Vec<String> =
            field.origins.iter().map(|origin| format!(" {}/{}", origin.table, origin.path)).collect();
        let _ = writeln!(
            out,
            "{:?} {} of {table}{column}:{}",
            field.clause,
            field.parts[field.table_parts as usize..].join("."),
            origins.concat()
        );
    }
    for parameter in &facts.parameters {
        let _ = writeln!(out, "{:?} &{}", parameter.clause, parameter.name);
    }
    for name in &facts.names {
        let _ = writeln!(out, "{:?} {} {} {}", name.role, name.type_name, name.object, name.item);
    }
    for temp in &facts.temp_tables {
        let made_by = temp.made_by.map_or("elsewhere".to_owned(), |select| format!("select {select}"));
        let _ = writeln!(out, "{:?} {} by {made_by}", temp.action, temp.name);
    }
    for template in &facts.templates {
        let _ = writeln!(out, "template {}({})", template.name, template.args.join("|"));
    }
    if facts.placeholders {
        out.push_str("placeholders\n");
    }
    for problem in &facts.problems {
        let _ = writeln!(out, "{}:{} {}", problem.span.line, problem.column, problem.kind);
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table_text(text: &str, facts: &QueryFacts, number: u32) -> String {
    let table = &facts.tables[number as usize];
    let written = || table.parts.last().map_or(String::new(), |last| format!("-{last}"));
    let name = if table.name.is_empty() { written() } else { table.name.to_string() };
    let alias = if table.explicit { format!(" as {}", table.alias) } else { String::new() };
    let join = table.join.map_or(String::new(), |join| format!(" {join:?}"));
    let optional = if table.optional { " optional" } else { "" };
    let made_by = table.made_by.map_or(String::new(), |select| format!(" by select {select}"));
    let parameters: Vec<String> = table
        .parameters
        .iter()
        .map(|parameter| format!(" {}=`{}`", parameter.name.unwrap_or("?"), one_line(parameter.span.of(text))))
        .collect();
    format!("{number} {:?} {name}{alias}{join}{optional}{made_by}{}", table.kind, parameters.concat())
}

fn columns(out: &mut String, facts: &QueryFacts, list: &[ColumnFacts], indent: &str) {
    for column in list {
        let kind = match column.kind {
            ColumnKind::Expr => value(facts, &column.value),
            ColumnKind::Star => " *".to_owned(),
            ColumnKind::StarOf(table) => format!(" * of {table}"),
            ColumnKind::Nested(table) => format!(" nested {table}"),
            ColumnKind::EmptyTable => " empty table".to_owned(),
        };
        let explicit = if column.explicit { "" } else { "~" };
        let _ = writeln!(out, "{indent}{explicit}{}:{kind}", column.name);
        columns(out, facts, &column.nested, &format!("{indent}  "));
    }
}

fn value(facts: &QueryFacts, value: &ValueFacts) -> String {
    let types = value.types.iter().map(|known| match known {
        ValueType::Named(name) => format!(" {name}"),
        other => format!(" {other:?}"),
    });
    let fields = value.fields.iter().map(|&field| {
        let field = &facts.fields[field as usize];
        format!(" [{}]", field.parts[field.table_parts as usize..].join("."))
    });
    let open = value.open.then(|| " ...".to_owned());
    types.chain(fields).chain(open).collect::<Vec<_>>().concat()
}

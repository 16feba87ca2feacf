//! `metascope dcs show FILE`: what is in a report schema.

use std::path::PathBuf;

use clap::ValueEnum;
use dcs::outline::{DataSetOutline, FieldOutline, Outline, VariantOutline, outline};

use super::open_schema;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// What is in a report schema.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Template.xml, or Template.dcs of a project of 1C:EDT.
    file: PathBuf,
    /// What to show.
    #[arg(long, value_enum, default_value_t = Part::Overview)]
    part: Part,
    /// Only the data set, or the variant, of this name.
    #[arg(long)]
    name: Option<String>,
}

/// Parts of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// How much there is of everything, with names.
    Overview,
    /// Queries of the data sets.
    Query,
    /// Fields of the data sets, calculated fields.
    Fields,
    /// Links of data sets.
    Links,
    /// Totals.
    Resources,
    /// Parameters.
    Parameters,
    /// Variants with their selection, filter and order.
    Variants,
    /// The structure of the variants, as a tree.
    Structure,
}

/// Runs it.
///
/// # Errors
/// If the file can't be read, or is no schema; if there is no set or variant of the name.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let document = open_schema(context, &args.file)?;
    let mut outlines = outline(&document);
    if let Some(name) = &args.name {
        narrow(context, args.part, name, &mut outlines)?;
    }
    if context.json() {
        return output::json(&outlines);
    }
    for schema in &outlines {
        if !schema.nested.is_empty() {
            output::text(&format!("\n== {} {}", context.pick("вложенная схема", "nested schema"), schema.nested))?;
        }
        match args.part {
            Part::Overview => overview(context, schema)?,
            Part::Query => queries(schema)?,
            Part::Fields => fields(context, schema)?,
            Part::Links => links(schema)?,
            Part::Resources => totals(schema)?,
            Part::Parameters => parameters(context, schema)?,
            Part::Variants => schema.variants.iter().try_for_each(|one| variant(context, one, false))?,
            Part::Structure => schema.variants.iter().try_for_each(|one| variant(context, one, true))?,
        }
    }
    Ok(())
}

/// Leaves the set or variant of a name.
fn narrow(context: &Context, part: Part, name: &str, outlines: &mut [Outline]) -> Outcome {
    let is_variant = matches!(part, Part::Variants | Part::Structure);
    let names: Vec<String> = outlines
        .iter()
        .flat_map(|schema| {
            let variants = schema.variants.iter().filter(|_| is_variant).map(|variant| variant.name.clone());
            let sets = schema.data_sets.iter().filter(|_| !is_variant).map(|set| set.name.clone());
            variants.chain(sets).collect::<Vec<_>>()
        })
        .collect();
    if !names.iter().any(|other| bsl::same_name(other, name)) {
        let what = match is_variant {
            true => context.pick("нет такого варианта", "no such variant"),
            false => context.pick("нет такого набора данных", "no such data set"),
        };
        let near = bsl::nearest(name, names.iter().map(String::as_str), 3);
        let hint = if near.is_empty() { names.join(", ") } else { near.join(", ") };
        return Err(Failure::not_found("unknown_name", format!("{what}: {name}")).with_hint(hint));
    }
    for schema in outlines {
        if is_variant {
            schema.variants.retain(|variant| bsl::same_name(&variant.name, name));
        } else {
            schema.data_sets.retain(|set| bsl::same_name(&set.name, name));
        }
    }
    Ok(())
}

fn overview(context: &Context, schema: &Outline) -> Outcome {
    let lang = context.lang();
    let list = |names: Vec<String>| names.join(", ");
    let line = |ru: &str, en: &str, names: Vec<String>| {
        if names.is_empty() {
            return Ok(());
        }
        output::text(&format!("{} ({}): {}", lang.pick(ru, en), names.len(), list(names)))
    };
    line(
        "Источники",
        "Data sources",
        schema.data_sources.iter().map(|one| format!("{} {}", one.name, one.kind)).collect(),
    )?;
    let count = schema.data_sets.len();
    output::text(&format!("{} ({count}):", lang.pick("Наборы данных", "Data sets")))?;
    for set in &schema.data_sets {
        output::text(&format!("{}{}", "  ".repeat(set.depth + 1), set_line(context, set)))?;
    }
    let link = |link: &dcs::outline::LinkOutline| format!("{} → {}", link.source, link.destination);
    line("Связи", "Links", schema.links.iter().map(link).collect())?;
    let path = |field: &FieldOutline| field.path.clone();
    line("Вычисляемые поля", "Calculated fields", schema.calculated_fields.iter().map(path).collect())?;
    line("Ресурсы", "Resources", schema.totals.iter().map(|total| total.path.clone()).collect())?;
    line("Параметры", "Parameters", schema.parameters.iter().map(|one| one.name.clone()).collect())?;
    line("Макеты", "Templates", schema.templates.iter().map(|one| one.name.clone()).collect())?;
    let named = |variant: &VariantOutline| match variant.name.as_str() {
        "" => lang.pick("(без варианта)", "(no variant)").to_owned(),
        name if variant.title.is_empty() || variant.title == name => name.to_owned(),
        name => format!("{name} «{}»", variant.title),
    };
    line("Варианты", "Variants", schema.variants.iter().map(named).collect())
}

fn set_line(context: &Context, set: &DataSetOutline) -> String {
    let kind = match set.kind {
        "query" => context.pick("запрос", "query"),
        "object" => context.pick("объект", "object"),
        "union" => context.pick("объединение", "union"),
        other => other,
    };
    let count = set.fields.len();
    let fields = format!("{} {count}", context.pick("полей", "fields"));
    format!("{} ({kind}, {fields}) :{}", set.name, set.line)
}

fn queries(schema: &Outline) -> Outcome {
    for set in schema.data_sets.iter().filter(|set| !set.query.is_empty()) {
        output::text(&format!("-- {} :{}\n{}\n", set.name, set.line, set.query))?;
    }
    Ok(())
}

fn field_cells(field: &FieldOutline) -> Vec<String> {
    let mut more = field.role.clone();
    if !field.restricted.is_empty() {
        more.push(format!("-{}", field.restricted.join(" -")));
    }
    let short = field.source.split_whitespace().collect::<Vec<_>>().join(" ");
    let cells = [&field.path, &field.title, &field.types.join(", "), &more.join(", "), &short];
    std::iter::once(format!("  :{}", field.line)).chain(cells.into_iter().cloned()).collect()
}

fn fields(context: &Context, schema: &Outline) -> Outcome {
    for set in &schema.data_sets {
        output::text(&format!("{}{}", "  ".repeat(set.depth), set_line(context, set)))?;
        output::columns(&set.fields.iter().map(field_cells).collect::<Vec<_>>())?;
        if set.auto_fill {
            output::text(context.pick("  … и поля из запроса", "  … and fields of the query"))?;
        }
    }
    if !schema.calculated_fields.is_empty() {
        output::text(context.pick("Вычисляемые поля", "Calculated fields"))?;
        output::columns(&schema.calculated_fields.iter().map(field_cells).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn links(schema: &Outline) -> Outcome {
    let row = |link: &dcs::outline::LinkOutline| {
        let parameter = if link.parameter.is_empty() { String::new() } else { format!("&{}", link.parameter) };
        let (from, to) = (format!("{}.{}", link.source, link.source_expression), &link.destination);
        vec![
            format!(":{}", link.line),
            from,
            "→".to_owned(),
            format!("{to}.{}", link.destination_expression),
            parameter,
        ]
    };
    output::columns(&schema.links.iter().map(row).collect::<Vec<_>>())
}

fn totals(schema: &Outline) -> Outcome {
    let row = |total: &dcs::outline::TotalOutline| {
        let expression = total.expression.split_whitespace().collect::<Vec<_>>().join(" ");
        vec![format!(":{}", total.line), total.path.clone(), total.groups.join(", "), expression]
    };
    output::columns(&schema.totals.iter().map(row).collect::<Vec<_>>())
}

fn parameters(context: &Context, schema: &Outline) -> Outcome {
    let row = |parameter: &dcs::outline::ParameterOutline| {
        let mut flags = Vec::new();
        flags.extend(parameter.hidden.then(|| context.pick("скрыт", "hidden")));
        flags.extend(parameter.list.then(|| context.pick("список", "list")));
        let value = match parameter.expression.as_str() {
            "" => parameter.value.clone(),
            expression => format!("= {expression}"),
        };
        let types = parameter.types.join(", ");
        vec![
            format!(":{}", parameter.line),
            parameter.name.clone(),
            parameter.title.clone(),
            types,
            flags.join(", "),
            value,
        ]
    };
    output::columns(&schema.parameters.iter().map(row).collect::<Vec<_>>())
}

fn variant(context: &Context, variant: &VariantOutline, as_tree: bool) -> Outcome {
    let name =
        if variant.name.is_empty() { context.pick("(без варианта)", "(no variant)") } else { &variant.name };
    output::text(&format!("{name} «{}» :{}", variant.title, variant.line))?;
    let line = |indent: usize, ru: &str, en: &str, list: &[String]| {
        if list.is_empty() {
            return Ok(());
        }
        output::text(&format!("{}{}: {}", "  ".repeat(indent), context.pick(ru, en), list.join(", ")))
    };
    if !as_tree {
        line(1, "поля", "fields", &variant.selection)?;
        line(1, "отбор", "filter", &variant.filter)?;
        line(1, "порядок", "order", &variant.order)?;
        return Ok(());
    }
    for item in &variant.structure {
        let kind = match item.kind {
            "group" => context.pick("группировка", "group"),
            "table" => context.pick("таблица", "table"),
            "column" => context.pick("колонка", "column"),
            "row" => context.pick("строка", "row"),
            "chart" => context.pick("диаграмма", "chart"),
            "point" => context.pick("точка", "point"),
            "series" => context.pick("серия", "series"),
            "nested" => context.pick("вложенная схема", "nested schema"),
            other => other,
        };
        let fields = match (item.fields.is_empty(), item.kind) {
            (false, _) => format!(": {}", item.fields.join(", ")),
            (true, "group" | "row" | "column" | "point" | "series") => {
                format!(": {}", context.pick("<детальные записи>", "<detail records>"))
            }
            _ => String::new(),
        };
        let name = if item.name.is_empty() { String::new() } else { format!(" [{}]", item.name) };
        let off = if item.off { context.pick(" (выключено)", " (off)") } else { "" };
        output::text(&format!("{}{kind}{name}{fields}{off} :{}", "  ".repeat(item.depth + 1), item.line))?;
        line(
            item.depth + 3,
            "поля",
            "fields",
            item.selection.iter().filter(|f| *f != "*").cloned().collect::<Vec<_>>().as_slice(),
        )?;
        line(item.depth + 3, "отбор", "filter", &item.filter)?;
        line(
            item.depth + 3,
            "порядок",
            "order",
            item.order.iter().filter(|f| *f != "*").cloned().collect::<Vec<_>>().as_slice(),
        )?;
    }
    Ok(())
}

//! Facts as compact text, for tests and for looking at them.

use std::fmt::Write as _;

use crate::code::{Code, Expr, ExprId, StatementKind};
use crate::facts::{Method, ModuleFacts};
use crate::symbols::Symbol;

impl ModuleFacts {
    /// All facts as text, a line a fact: what snapshots of tests show.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "lines {}", self.lines);
        for region in &self.regions {
            let name = self.text(region.name);
            let _ = writeln!(out, "region {name} {}..{} in {:?}", region.line, region.end_line, region.parent);
        }
        for condition in &self.conditions {
            let (text, contexts) = (self.text(condition.text), condition.contexts);
            let _ = writeln!(out, "if {text} {}..{} {contexts:?}", condition.line, condition.end_line);
        }
        for variable in &self.variables {
            let export = if variable.export { " export" } else { "" };
            let name = self.text(variable.name);
            let _ = writeln!(out, "var {name}{export} {:?} line {}", variable.context, variable.line);
        }
        for method in &self.methods {
            self.dump_method(method, &mut out);
        }
        if !self.body.statements.is_empty() {
            let _ = writeln!(out, "body line {}", self.body_line);
            self.dump_code(&self.body, &mut out);
        }
        for problem in &self.problems {
            let _ = writeln!(out, "problem {}:{} {}", problem.line, problem.column, problem.message);
        }
        out
    }

    fn dump_method(&self, method: &Method, out: &mut String) {
        for annotation in &method.annotations {
            let target = self.text(annotation.target);
            let _ = writeln!(out, "annotation {:?} {target} line {}", annotation.kind, annotation.line);
        }
        let mut params = String::new();
        for param in &method.params {
            let by_value = if param.by_value { "by value " } else { "" };
            let default = param.default.map_or(String::new(), |default| format!(" = {}", self.text(default.0)));
            let comma = if params.is_empty() { "" } else { ", " };
            let _ = write!(params, "{comma}{by_value}{}{default}", self.text(param.name));
        }
        let flags =
            format!("{}{}", if method.export { " export" } else { "" }, if method.is_async { " async" } else { "" });
        let (name, kind) = (self.text(method.name), method.kind);
        let (start, end) = (method.line, method.end_line);
        let _ = writeln!(out, "{kind:?} {name}({params}){flags} {start}..{end} {:?}", method.context);
        if let Some(doc) = method.doc {
            let _ = writeln!(out, "  doc {:?}", self.text(doc));
        }
        if let Some(region) = method.region {
            let _ = writeln!(out, "  region {region}");
        }
        self.dump_code(&method.code, out);
    }

    fn dump_code(&self, code: &Code, out: &mut String) {
        for statement in &code.statements {
            let _ = writeln!(out, "  {} {}", statement.line, self.dump_statement(code, statement.kind));
        }
    }

    fn dump_statement(&self, code: &Code, kind: StatementKind) -> String {
        use StatementKind::*;
        let e = |id: ExprId| self.dump_expr(code, id, 0);
        let s = |symbol: Symbol| self.text(symbol).to_owned();
        let optional = |id: Option<ExprId>| id.map_or(String::new(), e);
        match kind {
            Assign(target, value) => format!("{} := {}", e(target), e(value)),
            Call(call) => e(call),
            Var(name) => format!("var {}", s(name)),
            Return(value) => format!("return {}", optional(value)),
            Raise(value) => format!("raise {}", optional(value)),
            If(condition) => format!("if {}", e(condition)),
            ElseIf(condition) => format!("elseif {}", e(condition)),
            While(condition) => format!("while {}", e(condition)),
            For(name, from, to) => format!("for {} {}..{}", s(name), e(from), e(to)),
            ForEach(name, collection) => format!("for {} in {}", s(name), e(collection)),
            Execute(text) => format!("execute {}", e(text)),
            AddHandler(event, handler) => format!("add handler {}, {}", e(event), e(handler)),
            RemoveHandler(event, handler) => format!("remove handler {}, {}", e(event), e(handler)),
            Goto(label) => format!("goto {}", s(label)),
            Label(label) => format!("label {}", s(label)),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// An expression in a notation of our own; very deep ones are cut.
    fn dump_expr(&self, code: &Code, id: ExprId, depth: u32) -> String {
        if depth > 100 {
            return "…".to_owned();
        }
        let e = |id: ExprId| self.dump_expr(code, id, depth + 1);
        let list = |first, count| {
            let args: Vec<String> = code.arguments(first, count).iter().map(|&arg| e(arg)).collect();
            args.join(", ")
        };
        match code.expr(id) {
            Expr::Omitted => "_".to_owned(),
            Expr::Name(name) => self.text(name).to_owned(),
            Expr::String(value) => format!("{:?}", self.text(value)),
            Expr::Number(value) => self.text(value).to_owned(),
            Expr::Bool(value) => value.to_string(),
            Expr::Undefined => "undefined".to_owned(),
            Expr::Null => "null".to_owned(),
            Expr::Member(base, name) => format!("{}.{}", e(base), self.text(name)),
            Expr::Index(base, index) => format!("{}[{}]", e(base), e(index)),
            Expr::Call { callee, first, count } => format!("{}({})", e(callee), list(first, count)),
            Expr::New { type_name, first, count } => {
                let name = type_name.map_or("", |name| self.text(name));
                format!("new {name}({})", list(first, count))
            }
            Expr::Ternary(condition, then, otherwise) => {
                format!("?({}, {}, {})", e(condition), e(then), e(otherwise))
            }
            Expr::Binary(operator, left, right) => format!("({} {operator:?} {})", e(left), e(right)),
            Expr::Unary(operator, operand) => format!("({operator:?} {})", e(operand)),
            Expr::Error => "<error>".to_owned(),
        }
    }
}

//! The batch, unions, and the parts of a select behind its columns.

use super::expr::ExprId;
use super::lexer::Kind;
use super::model::{Branch, Into, Run, Select, SelectId, Statement, StatementKind, TotalItem, UnionKind};
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::Word;

impl<'t> Parser<'t> {
    /// Statements with semicolons between. `fragment`: the text is a part of a query.
    pub fn batch(&mut self, fragment: bool) {
        loop {
            while self.eat(Kind::Semicolon) {}
            if self.at(Kind::End) {
                return;
            }
            let first = self.peek(0);
            let before = self.position();
            let kind = match self.word() {
                Some(Word::Drop) => self.drop_table(),
                Some(Word::Select) => Some(StatementKind::Select(self.select())),
                _ if fragment || self.query.placeholders => Some(StatementKind::Select(self.tail())),
                _ => {
                    self.problem(ProblemKind::Expected("SELECT or DROP"));
                    self.at_clause().then(|| StatementKind::Select(self.tail()))
                }
            };
            if let Some(kind) = kind {
                self.query.statements.push(Statement { kind, span: self.span_from(first) });
            }
            if !matches!(self.kind(), Kind::Semicolon | Kind::End) {
                self.problem(ProblemKind::Unexpected);
                // A statement that begins without its semicolon is still one.
                while !matches!(self.kind(), Kind::Semicolon | Kind::End) {
                    if self.position() > before && self.at_word(Word::Select) {
                        break;
                    }
                    self.bump();
                }
            }
        }
    }

    fn drop_table(&mut self) -> Option<StatementKind<'t>> {
        self.bump();
        if !self.at_any_name() {
            self.problem(ProblemKind::Expected("the name of a temporary table"));
            return None;
        }
        let token = self.bump();
        Some(StatementKind::Drop(self.name_of(token)))
    }

    /// A place in the list of selects, so that outer ones stand before inner ones.
    pub fn open_select(&mut self) -> SelectId {
        self.query.selects.push(Select { parent: self.branch, ..Select::default() });
        SelectId(self.query.selects.len() as u32 - 1)
    }

    /// `ВЫБРАТЬ … [ОБЪЕДИНИТЬ … ВЫБРАТЬ …]` with its order and totals, at the first word.
    pub fn select(&mut self) -> SelectId {
        let id = self.open_select();
        self.union(id, true);
        id
    }

    /// A part of a query that begins behind its columns (`ЛЕВОЕ СОЕДИНЕНИЕ …`, `ОБЪЕДИНИТЬ ВСЕ …`).
    fn tail(&mut self) -> SelectId {
        let id = self.open_select();
        self.union(id, false);
        id
    }

    fn union(&mut self, id: SelectId, whole: bool) {
        let first = self.peek(0);
        let outer = self.branch;
        let mut union = None;
        let mut whole = whole;
        let mut number = 0;
        loop {
            self.branch = Some((id, number));
            let begin = self.peek(0);
            let mut branch = Branch { union, ..Branch::default() };
            if whole {
                self.head(&mut branch);
            }
            self.clauses(id, &mut branch);
            branch.span = self.span_from(begin);
            if let Some(select) = self.query.selects.get_mut(id.0 as usize) {
                select.branches.push(branch);
            }
            number += 1;
            if !self.eat_word(Word::Union) {
                break;
            }
            union = Some(if self.eat_word(Word::All) { UnionKind::All } else { UnionKind::Distinct });
            while self.at_placeholder() {
                self.bump();
            }
            whole = self.at_word(Word::Select);
            if !whole {
                self.problem(ProblemKind::Expected("SELECT"));
                break;
            }
        }
        self.branch = outer;
        let span = self.span_from(first);
        if let Some(select) = self.query.selects.get_mut(id.0 as usize) {
            select.span = span;
        }
    }

    /// `ВЫБРАТЬ [РАЗРЕШЕННЫЕ] [РАЗЛИЧНЫЕ] [ПЕРВЫЕ N] колонки`
    fn head(&mut self, branch: &mut Branch<'t>) {
        self.bump();
        loop {
            match self.word() {
                Some(Word::Allowed) if self.is_modifier() => branch.allowed = true,
                Some(Word::Distinct) if self.is_modifier() => branch.distinct = true,
                Some(Word::Top) if matches!(self.peek(1).kind, Kind::Number | Kind::Parameter | Kind::Placeholder) => {
                    self.bump();
                    let token = self.peek(0);
                    branch.top = Some(self.limit(token));
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        self.select_list(branch);
    }

    /// `РАЗЛИЧНЫЕ` before a column, not a column that is called so.
    fn is_modifier(&self) -> bool {
        let next = self.peek(1);
        match next.kind {
            Kind::Word => !matches!(next.word, Some(Word::As | Word::From)),
            Kind::Dot | Kind::Comma | Kind::End | Kind::RParen => false,
            _ => true,
        }
    }

    /// The number after `ПЕРВЫЕ`: no operator may follow, the star is the first column.
    fn limit(&mut self, token: super::lexer::Token) -> ExprId {
        self.bump();
        let kind = match token.kind {
            Kind::Number => super::expr::ExprKind::Number(self.slice(token)),
            Kind::Parameter => super::expr::ExprKind::Parameter(self.name_of(token)),
            _ => super::expr::ExprKind::Error,
        };
        self.add(token, kind)
    }

    /// Whether a part of a query behind its columns begins here.
    pub fn at_clause(&self) -> bool {
        let Some(word) = self.word() else { return self.at(Kind::LBrace) };
        let next = self.word_at(1);
        match word {
            Word::Select | Word::From | Word::Into | Word::Where | Word::Having | Word::Union => true,
            Word::Group | Word::Order | Word::Index => next == Some(Word::By),
            Word::For => next == Some(Word::Update),
            Word::Totals => !matches!(self.peek(1).kind, Kind::Dot | Kind::Comma | Kind::End | Kind::RParen),
            Word::AutoOrder => self.peek(1).kind != Kind::Dot,
            // `ДОБАВИТЬ ВТ`: the name is followed by another part.
            Word::Add => self.peek(1).kind == Kind::Word && matches!(self.word_at(2), Some(Word::From | Word::Where)),
            Word::Join | Word::Left | Word::Right | Word::Full | Word::Inner => self.at_join(),
            _ => false,
        }
    }

    /// Parts of a select in whatever order, up to the end of its group or `ОБЪЕДИНИТЬ`.
    pub fn clauses(&mut self, id: SelectId, branch: &mut Branch<'t>) {
        loop {
            if self.at_close() || self.at_word(Word::Union) {
                return;
            }
            match self.directive() {
                Some(Word::If) => {
                    self.conditional(|p| p.clauses(id, branch));
                    continue;
                }
                Some(_) => return,
                None => {}
            }
            let before = self.position();
            if self.at(Kind::LBrace) {
                self.brace_part(branch);
            } else if self.at_clause() && !self.at_word(Word::Select) {
                self.clause(id, branch);
            } else if self.at_placeholder() {
                let token = self.bump();
                self.note_macro(token);
            } else {
                self.problem(ProblemKind::Unexpected);
                // `ВЫБРАТЬ` here is the next statement, whose semicolon is missing.
                if self.at_word(Word::Select) {
                    return;
                }
                self.bump();
                self.recover();
            }
            debug_assert!(self.position() > before);
        }
    }

    fn clause(&mut self, id: SelectId, branch: &mut Branch<'t>) {
        if self.at_join() {
            self.joins(branch);
            return;
        }
        let token = self.bump();
        match token.word {
            Some(Word::Into | Word::Add) => {
                if self.at_any_name() {
                    let name = self.bump();
                    self.note_macro(name);
                    let append = token.word == Some(Word::Add);
                    branch.into = Some(Into { name: self.name_of(name), append });
                } else {
                    self.problem(ProblemKind::Expected("the name of a temporary table"));
                }
            }
            Some(Word::From) => {
                self.from(branch);
                branch.from = self.span_from(token);
            }
            Some(Word::Where) => branch.condition = Some(self.expression()),
            Some(Word::Having) => branch.having = Some(self.expression()),
            Some(Word::Group) => {
                self.bump();
                branch.grouping_sets = self.at_word(Word::Grouping) && self.word_at(1) == Some(Word::Sets);
                if branch.grouping_sets {
                    self.bump();
                    self.bump();
                    branch.group_by = self.sets();
                } else {
                    branch.group_by = self.list();
                }
            }
            Some(Word::For) => {
                self.bump();
                self.eat_word(Word::Of);
                while self.at_any_name() && !self.at_clause() {
                    let path = self.path();
                    branch.for_update.push(path);
                    self.eat(Kind::Comma);
                }
            }
            Some(Word::Index) => {
                self.bump();
                let index = if self.eat_word(Word::Sets) { self.sets() } else { self.index_fields() };
                self.with_select(id, |select| select.index.extend(index));
            }
            Some(Word::Order) => {
                self.bump();
                let order = self.order_items();
                self.with_select(id, |select| select.order.extend(order));
            }
            Some(Word::Totals) => self.totals(id),
            Some(Word::AutoOrder) => self.with_select(id, |select| select.auto_order = true),
            _ => {}
        }
    }

    pub fn with_select(&mut self, id: SelectId, change: impl FnOnce(&mut Select<'t>)) {
        if let Some(select) = self.query.selects.get_mut(id.0 as usize) {
            change(select);
        }
    }

    /// `((А, Б), (В), ())`, each set with `УНИКАЛЬНО` perhaps; all fields in one list.
    fn sets(&mut self) -> Vec<ExprId> {
        let mut fields = Vec::new();
        let outer = self.expect(Kind::LParen, "an opening parenthesis");
        loop {
            if self.eat(Kind::LParen) {
                fields.extend(self.list());
                self.expect(Kind::RParen, "a closing parenthesis");
            } else if !self.at_close() {
                fields.push(self.expression());
            }
            self.eat_word(Word::Unique);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if outer {
            self.expect(Kind::RParen, "a closing parenthesis");
        }
        fields
    }

    fn index_fields(&mut self) -> Vec<ExprId> {
        let mut fields = Vec::new();
        loop {
            fields.push(self.expression());
            self.eat_word(Word::Unique);
            if !self.eat(Kind::Comma) {
                return fields;
            }
        }
    }

    /// `Поле [ИЕРАРХИЯ] [ВОЗР | УБЫВ], …`
    pub fn order_items(&mut self) -> Vec<ExprId> {
        let mut items = Vec::new();
        loop {
            items.push(self.expression());
            self.eat_word(Word::Only);
            self.eat_word(Word::Hierarchy);
            if !self.eat_word(Word::Asc) {
                self.eat_word(Word::Desc);
            }
            if !self.eat(Kind::Comma) {
                return items;
            }
        }
    }

    /// `ИТОГИ [СУММА(А) КАК А, …] ПО [ОБЩИЕ,] Поле [ТОЛЬКО ИЕРАРХИЯ | ПЕРИОДАМИ(…)] [КАК Имя], …`
    pub fn totals(&mut self, id: SelectId) {
        let mut items = Vec::new();
        if !self.at_word(Word::By) {
            self.total_items(false, &mut items);
        }
        if self.expect_word(Word::By, "BY of TOTALS") {
            self.total_items(true, &mut items);
        }
        self.with_select(id, |select| select.totals.extend(items));
    }

    pub fn total_items(&mut self, is_group: bool, items: &mut Vec<TotalItem<'t>>) {
        loop {
            let overall = self.at_word(Word::Overall) && self.peek(1).kind != Kind::Dot;
            if is_group && overall {
                self.bump();
            } else {
                let expr = self.expression();
                if self.at_word(Word::Only) && self.word_at(1) == Some(Word::Hierarchy) {
                    self.bump();
                }
                self.eat_word(Word::Hierarchy);
                let at_periods = self.at_word(Word::Periods) && self.peek(1).kind == Kind::LParen;
                let periods = if at_periods { self.periods() } else { Run::default() };
                let alias = self.alias();
                items.push(TotalItem { expr, alias, is_group, periods });
            }
            if !self.eat(Kind::Comma) {
                return;
            }
        }
    }

    /// `ПЕРИОДАМИ(МЕСЯЦ, начало, конец)`
    fn periods(&mut self) -> Run {
        self.bump();
        self.bump();
        if self.at(Kind::Word) {
            self.bump();
        }
        let mut bounds = Vec::new();
        while self.eat(Kind::Comma) {
            if !matches!(self.kind(), Kind::Comma | Kind::RParen) {
                bounds.push(self.expression());
            }
        }
        self.expect(Kind::RParen, "a closing parenthesis");
        self.add_list(&bounds)
    }
}

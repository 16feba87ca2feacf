//! Random edits of modules: what people and merges do to code, and what they should not.

use bsl::ModuleFacts;

/// A generator of numbers that are the same in every run (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// What edits are made of: methods, literals and names of all modules.
pub struct Pool {
    /// Texts of methods with their names.
    methods: Vec<(String, String)>,
    literals: Vec<String>,
    /// Names of methods with the common module before them.
    calls: Vec<String>,
    count: usize,
}

impl Pool {
    /// Of modules: names of common modules (empty for others) and texts.
    pub fn of<'a>(modules: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut pool = Self { methods: Vec::new(), literals: Vec::new(), calls: Vec::new(), count: 0 };
        for (common, text) in modules {
            let facts = bsl::read_module(text.as_bytes());
            for method in &facts.methods {
                let name = facts.text(method.name);
                let (from, to) = method.bytes;
                pool.methods.push((name.to_owned(), text[from as usize..to as usize].to_owned()));
                if !common.is_empty() {
                    pool.calls.push(format!("{common}.{name}"));
                }
            }
            let quoted = text.split('"').skip(1).step_by(2);
            pool.literals.extend(quoted.filter(|text| !text.contains('\n') && !text.is_empty()).map(str::to_owned));
        }
        pool
    }

    /// A name that no module of the pool has.
    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("НовоеИмя{}", self.count)
    }
}

/// Changes a module's text in one way.
pub fn edit(text: &str, pool: &mut Pool, dice: &mut Dice) -> String {
    let facts = bsl::read_module(text.as_bytes());
    match dice.below(12) {
        0 => append(text, pool, dice),
        1 => match method(&facts, dice) {
            Some((from, to)) => splice(text, from, to, ""),
            None => append(text, pool, dice),
        },
        2 | 3 => rename(text, &facts, pool, dice),
        4 => toggle_export(text, &facts, dice),
        5 => transplant(text, &facts, pool, dice),
        6 => line(text, &facts, dice, |line, _| format!("{line}\n{line}")),
        7 => line(text, &facts, dice, |_, _| String::new()),
        8 => literal(text, pool, dice),
        9 => text.replacen("&НаКлиенте", "&НаСервере", 1 + dice.below(2)),
        10 => line(text, &facts, dice, |line, dice| {
            let call = dice.one(&pool.calls);
            let arg = dice.one(&pool.literals);
            format!("{line}\n\tЗначение = {call}(\"{arg}\", ЭтотОбъект);")
        }),
        _ => format!("// Пояснение {}\n{text}", dice.next()),
    }
}

fn splice(text: &str, from: usize, to: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..from], &text[to..])
}

fn method(facts: &ModuleFacts, dice: &mut Dice) -> Option<(usize, usize)> {
    (!facts.methods.is_empty()).then(|| {
        let (from, to) = dice.one(&facts.methods).bytes;
        (from as usize, to as usize)
    })
}

fn append(text: &str, pool: &mut Pool, dice: &mut Dice) -> String {
    let name = match dice.below(3) {
        0 => dice.one(&pool.methods).0.clone(),
        _ => pool.fresh(),
    };
    let facts = bsl::read_module(text.as_bytes());
    if facts.methods.iter().any(|method| bsl::same_name(facts.text(method.name), &name)) {
        return text.to_owned();
    }
    let (call, other, literal) = (dice.one(&pool.calls), dice.one(&pool.methods), dice.one(&pool.literals));
    let export = dice.one(&[" Экспорт", ""]);
    format!(
        "{text}\nФункция {name}(Первый, Второй = Неопределено){export}\n\tОповестить(\"{literal}\", Первый);\n\
         \tОписание = Новый ОписаниеОповещения(\"{}\", ЭтотОбъект);\n\tЕсли Первый = \"{literal}\" Тогда\n\t\t{call}(Второй, Описание);\n\
         \tКонецЕсли;\n\tВозврат \"{call}\";\nКонецФункции\n",
        other.0
    )
}

/// Where the name of a method stands in its declaration.
fn place_of_name(text: &str, from: usize, name: &str) -> Option<usize> {
    text[from..].find(&format!(" {name}")).map(|at| from + at + 1)
}

fn rename(text: &str, facts: &ModuleFacts, pool: &mut Pool, dice: &mut Dice) -> String {
    if facts.methods.is_empty() {
        return text.to_owned();
    }
    let method = dice.one(&facts.methods);
    let old = facts.text(method.name);
    let new = match dice.below(3) {
        0 => pool.fresh(),
        1 => old.to_uppercase(),
        _ => dice.one(&pool.methods).0.clone(),
    };
    let taken = |name: &str| {
        let others = facts.methods.iter().filter(|other| other.line != method.line);
        others.into_iter().any(|other| bsl::same_name(facts.text(other.name), name))
    };
    match place_of_name(text, method.bytes.0 as usize, old) {
        Some(at) if !taken(&new) => splice(text, at, at + old.len(), &new),
        _ => text.to_owned(),
    }
}

fn toggle_export(text: &str, facts: &ModuleFacts, dice: &mut Dice) -> String {
    if facts.methods.is_empty() {
        return text.to_owned();
    }
    let method = dice.one(&facts.methods);
    let from = method.bytes.0 as usize;
    let Some(close) = text[from..].find(')').map(|at| from + at + 1) else { return text.to_owned() };
    match text[close..].strip_prefix(" Экспорт") {
        Some(_) => splice(text, close, close + " Экспорт".len(), ""),
        None => splice(text, close, close, " Экспорт"),
    }
}

fn transplant(text: &str, facts: &ModuleFacts, pool: &mut Pool, dice: &mut Dice) -> String {
    let (name, source) = dice.one(&pool.methods).clone();
    if facts.methods.iter().any(|method| bsl::same_name(facts.text(method.name), &name)) {
        let fresh = pool.fresh();
        return match place_of_name(&source, 0, &name) {
            Some(at) => format!("{text}\n{}\n", splice(&source, at, at + name.len(), &fresh)),
            None => text.to_owned(),
        };
    }
    format!("{text}\n{source}\n")
}

/// Changes a line in the middle of a method.
fn line(text: &str, facts: &ModuleFacts, dice: &mut Dice, change: impl Fn(&str, &mut Dice) -> String) -> String {
    let long: Vec<_> = facts.methods.iter().filter(|method| method.end_line > method.line + 1).collect();
    if long.is_empty() {
        return text.to_owned();
    }
    let method = dice.one(&long);
    let inside = (method.end_line - method.line - 1) as usize;
    let number = method.line as usize + dice.below(inside);
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if let Some(line) = lines.get_mut(number) {
        *line = change(line, dice);
    }
    lines.join("\n")
}

fn literal(text: &str, pool: &Pool, dice: &mut Dice) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let pairs: Vec<(usize, usize)> = quotes.chunks_exact(2).map(|pair| (pair[0] + 1, pair[1])).collect();
    if pairs.is_empty() {
        return text.to_owned();
    }
    let &(from, to) = dice.one(&pairs);
    let new = match dice.below(3) {
        0 => dice.one(&pool.methods).0.clone(),
        1 => dice.one(&pool.calls).clone(),
        _ => dice.one(&pool.literals).clone(),
    };
    splice(text, from, to, &new)
}

//! Members of the platform's built-in language, from `data/platform_members.tsv`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use serde::Serialize;

/// The file; its head describes it.
const DATA: &str = include_str!("../../data/platform_members.tsv");
/// Names that are compared with a wrong one at once.
const PART: usize = 1000;
/// Names of the bits of [`Availability`], from 0 up.
const PLACES: [&str; 10] = [
    "ThinClient",
    "WebClient",
    "MobileClient",
    "Server",
    "ThickClient",
    "ExternalConnection",
    "MobileApplicationClient",
    "MobileApplicationServer",
    "MobileStandaloneServer",
    "Integration",
];

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Kind {
    Function,
    Method,
    Property,
    Constructor,
    Value,
    /// A type whose members are not listed.
    Type,
}

/// Where a member is available; nothing is known of zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Availability(pub u16);

impl Availability {
    /// Where names of places say that it is; one that isn't known counts for nothing.
    pub fn of(places: &[&str]) -> Self {
        let bits = PLACES.iter().enumerate().filter(|(_, place)| places.contains(place));
        Self(bits.fold(0, |all, (bit, _)| all | 1 << bit))
    }

    /// Names of the places.
    pub fn places(self) -> Vec<&'static str> {
        PLACES.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 == 1).map(|(_, place)| *place).collect()
    }
}

/// A text of the built-in list, or of the platform's own help.
type Text = Cow<'static, str>;

/// A function or property of the global context, a member of a type, a value of a system enumeration, a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The type that it belongs to in Russian and English; empty for the global context.
    pub owner: (Text, Text),
    /// What it is.
    pub kind: Kind,
    /// Russian name.
    pub ru: Text,
    /// English name; empty if it is not known.
    pub en: Text,
    /// Parameters and result of each way to call it; empty if they are not known.
    pub signature: Text,
    /// Type of the result, empty if it is not known or there is none.
    pub returns: Text,
    /// Where it is available.
    pub available: Availability,
}

/// Members of the platform, by their names.
#[derive(Debug)]
pub struct Members {
    all: Vec<Member>,
    /// By folded name in either language: places in `all`.
    by_name: HashMap<String, Vec<usize>>,
    /// By folded name of a type in either language.
    by_owner: HashMap<String, Vec<usize>>,
}

static BUILT_IN: LazyLock<Arc<Members>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let mut owner = ("", "");
    for line in DATA.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let first = cell();
        if let Some(ru) = first.strip_prefix('=') {
            owner = (ru, cell());
            continue;
        }
        let kind = match first {
            "f" => Kind::Function,
            "m" => Kind::Method,
            "p" => Kind::Property,
            "c" => Kind::Constructor,
            "v" => Kind::Value,
            _ => Kind::Type,
        };
        let (ru, en, signature, returns) = (cell().into(), cell().into(), cell().into(), cell().into());
        let available = Availability(cell().parse().unwrap_or(0));
        all.push(Member { owner: (owner.0.into(), owner.1.into()), kind, ru, en, signature, returns, available });
    }
    Arc::new(Members::new(all))
});

impl Members {
    /// The list that the program brings.
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Members in the order in which answers list them.
    pub fn new(all: Vec<Member>) -> Self {
        let (mut by_name, mut by_owner): (HashMap<String, Vec<usize>>, HashMap<String, Vec<usize>>) =
            Default::default();
        for (place, member) in all.iter().enumerate() {
            for (map, names) in
                [(&mut by_name, [&member.ru, &member.en]), (&mut by_owner, [&member.owner.0, &member.owner.1])]
            {
                for name in names.into_iter().filter(|name| !name.is_empty()) {
                    let places = map.entry(bsl::fold(name)).or_default();
                    // `Log10` is the name in both languages.
                    if places.last() != Some(&place) {
                        places.push(place);
                    }
                }
            }
        }
        Self { all, by_name, by_owner }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn at(&self, places: Option<&Vec<usize>>) -> Vec<&Member> {
        places.into_iter().flatten().filter_map(|&place| self.all.get(place)).collect()
    }

    /// The members of a type, by its name in either language; none if it is not known.
    pub fn members_of(&self, owner: &str) -> Vec<&Member> {
        self.at(self.by_owner.get(&bsl::fold(owner)))
    }

    /// What bears a name, in either language: `СтрНайти`, `ТаблицаЗначений.НайтиСтроки`, `ValueTable.FindRows`.
    pub fn named(&self, name: &str) -> Vec<&Member> {
        let (owner, own) = name.rsplit_once('.').map_or(("", name), |(owner, own)| (owner, own));
        let found = self.at(self.by_name.get(&bsl::fold(own)));
        if owner.is_empty() {
            return found;
        }
        let is_owner =
            |member: &&Member| [&member.owner.0, &member.owner.1].iter().any(|name| bsl::same_name(name, owner));
        found.into_iter().filter(is_owner).collect()
    }

    /// What has a text in its name, in either language; the shortest names first.
    pub fn with_part(&self, part: &str) -> Vec<&Member> {
        let part = bsl::fold(part);
        let holds = |name: &str| bsl::fold(name).contains(&part);
        let mut found: Vec<&Member> = self.all.iter().filter(|member| holds(&member.ru) || holds(&member.en)).collect();
        found.sort_by_key(|member| {
            (member.kind != Kind::Function, member.ru.chars().count(), &member.ru, &member.owner)
        });
        found
    }

    /// Names of members and types near to a wrong one, best first.
    pub fn nearest_names(&self, name: &str, limit: usize) -> Vec<String> {
        let own = name.rsplit('.').next().unwrap_or(name);
        let names = self.all.iter().flat_map(|member| [&member.ru, &member.en, &member.owner.0, &member.owner.1]);
        let mut names: Vec<&str> = names.map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        // Only so many names are compared at once: the best of each part are compared again.
        let best: Vec<&str> =
            names.chunks(PART).flat_map(|part| bsl::nearest(own, part.iter().copied(), limit)).collect();
        bsl::nearest(own, best, limit).into_iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Vec<Member> {
        Members::built_in().named(name).into_iter().cloned().collect()
    }

    #[test]
    fn names_in_both_languages_and_any_case() {
        for name in ["СтрРазделить", "strsplit", "СТРРАЗДЕЛИТЬ"] {
            let found = named(name);
            let [function] = found.as_slice() else { panic!("{name}: {found:?}") };
            assert_eq!((function.kind, &*function.ru, &*function.en), (Kind::Function, "СтрРазделить", "StrSplit"));
            assert!(function.signature.contains("Разделитель"), "{function:?}");
            assert!(function.available.places().contains(&"Server"));
        }
        assert_eq!(named("ValueTable.FindRows"), named("ТаблицаЗначений.НайтиСтроки"));
        assert_eq!(named("ValueTable.FindRows").len(), 1);
        assert!(named("Массив.НайтиСтроки").is_empty());
        assert_eq!(named("Log10").len(), 1);
    }

    #[test]
    fn types_list_their_members_and_slips_are_mended() {
        let members = Members::built_in();
        let found = members.members_of("таблицазначений");
        assert!(found.iter().any(|member| member.ru == "Свернуть" && member.en == "GroupBy"), "{found:?}");
        assert!(members.nearest_names("СтрРаздилить", 3).contains(&"СтрРазделить".to_owned()));
        assert!(members.with_part("Base64").iter().take(2).all(|member| member.kind == Kind::Function));
        assert!(members.len() > 5000);
    }
}

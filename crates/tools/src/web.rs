//! What tools know of the web: a trait that the program implements, and which sites are meant.

use metadata::Language;

use crate::context::Stop;

/// Searches the web. The program implements it: nothing here speaks HTTP.
pub trait WebSearch: Send + Sync {
    /// Whether the user gave an endpoint. Until then nothing is ever sent.
    fn is_on(&self) -> bool;

    /// How a user switches it on.
    fn how_to_switch_on(&self, language: Language) -> String;

    /// The user's list of sites; empty: [`default_sites`].
    fn sites(&self) -> Vec<String>;

    /// Asks the endpoint.
    ///
    /// # Errors
    /// In words for people, in their language; nothing secret in them.
    fn search(&self, query: &WebQuery<'_>, stop: &Stop) -> Result<Vec<WebHit>, String>;
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct WebQuery<'q> {
    /// Words.
    pub text: &'q str,
    /// Sites that are meant; what comes from others is thrown away.
    pub sites: &'q [String],
    /// Most hits.
    pub limit: usize,
    /// Language of errors.
    pub language: Language,
}

/// A page that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct WebHit {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// A few words of the page.
    pub snippet: String,
}

const SITES: &str = include_str!("../data/web_sites.tsv");

/// The sites that come with the program: site, what it is.
pub fn default_sites() -> impl Iterator<Item = (&'static str, &'static str)> {
    crate::page::rows_of(SITES).filter_map(|row| Some((*row.first()?, *row.get(1)?)))
}

/// Whether an address lies on a site of a list (`its.1c.ru`, `github.com/1c-syntax`): the host is that one or a part of it, and the
/// path begins with the site's. Only `http` and `https`; an address with a user's name in it is none.
pub fn is_on_site<S: AsRef<str>>(url: &str, sites: &[S]) -> bool {
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    if !["http", "https"].contains(&scheme.to_lowercase().as_str()) || url.contains(char::is_whitespace) {
        return false;
    }
    let (authority, path) = rest.find(['/', '?', '#', '\\']).map_or((rest, ""), |at| rest.split_at(at));
    if authority.contains('@') {
        return false;
    }
    let host = authority.split(':').next().unwrap_or_default().trim_end_matches('.').to_lowercase();
    let path = path.to_lowercase();
    sites.iter().any(|site| {
        let site = site.as_ref().trim().to_lowercase();
        let site = site.strip_prefix("https://").or_else(|| site.strip_prefix("http://")).unwrap_or(&site);
        let (wanted, folder) = site.trim_end_matches('/').split_once('/').unwrap_or((site.trim_end_matches('/'), ""));
        let is_host = host == wanted || host.strip_suffix(wanted).is_some_and(|before| before.ends_with('.'));
        let inside = |path: &str| path.is_empty() || path.starts_with(['/', '?', '#']);
        let is_path =
            folder.is_empty() || path.strip_prefix('/').and_then(|path| path.strip_prefix(folder)).is_some_and(inside);
        !wanted.is_empty() && is_host && is_path
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_sites() {
        let sites = ["its.1c.ru", "https://github.com/1C-syntax/", ""];
        for url in [
            "https://its.1c.ru/db/v8",
            "http://ITS.1C.RU",
            "https://www.its.1c.ru:443/x?y#z",
            "https://github.com/1c-syntax/bsl-parser",
            "https://github.com/1c-syntax",
        ] {
            assert!(is_on_site(url, &sites), "{url}");
        }
        for url in [
            "https://evil.ru/its.1c.ru",
            "https://its.1c.ru.evil.ru/",
            "https://notits.1c.ru/",
            "https://its.1c.ru@evil.ru/",
            "https://evil.ru\\its.1c.ru",
            "https://github.com/1c-syntaxes",
            "https://github.com/other/1c-syntax",
            "file://its.1c.ru/x",
            "javascript:alert(1)",
            "its.1c.ru",
            "https://its.1c.ru/ javascript",
            "",
        ] {
            assert!(!is_on_site(url, &sites), "{url}");
        }
    }

    #[test]
    fn the_list_that_comes_with_the_program() {
        let sites: Vec<_> = default_sites().collect();
        assert!(sites.len() >= 10 && sites.iter().all(|(site, what)| !site.is_empty() && !what.is_empty()));
        assert!(sites.iter().any(|(site, _)| *site == "its.1c.ru"));
    }
}

//! Search in the web over an endpoint that the user sets.
//!
//! Three variables of the environment: [`SEARCH_URL_VARIABLE`], an address that answers in JSON, with `{query}` where the words go
//! (`https://host/search?format=json&q={query}`, as SearXNG has it); [`SEARCH_KEY_VARIABLE`], a key that goes with each request as
//! `Authorization: Bearer`; [`SEARCH_SITES_VARIABLE`], sites instead of those that come with the program, commas between.

use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use serde_json::Value;
use tools::web::{WebHit, WebQuery, WebSearch};
use tools::{Language, Stop};

use crate::openai::Secret;

/// Variable that holds the endpoint.
pub const SEARCH_URL_VARIABLE: &str = "METASCOPE_SEARCH_URL";
/// Variable that holds the key.
pub const SEARCH_KEY_VARIABLE: &str = "METASCOPE_SEARCH_KEY";
/// Variable that holds the user's list of sites.
pub const SEARCH_SITES_VARIABLE: &str = "METASCOPE_SEARCH_SITES";

/// What stands for the words in the address.
const PLACE: &str = "{query}";
/// An endpoint that is silent for longer is given up.
const SILENCE: Duration = Duration::from_secs(15);
/// How often a person is asked whether to stop.
const TICK: Duration = Duration::from_millis(100);
/// Longest answer that is read, in bytes.
const LONGEST: usize = 4 << 20;
/// How deep hits are looked for in an answer.
const DEPTH: usize = 6;

/// An endpoint that the user set, or none.
#[derive(Clone, Debug, Default)]
pub struct WebEndpoint {
    url: Option<String>,
    key: Option<Secret>,
    sites: Vec<String>,
}

impl WebEndpoint {
    /// Reads the variables through `variable`. Without an address search is off.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let sites = set(SEARCH_SITES_VARIABLE).unwrap_or_default();
        Self {
            url: set(SEARCH_URL_VARIABLE).map(|url| url.trim().to_owned()),
            key: set(SEARCH_KEY_VARIABLE).map(Secret::new),
            sites: sites.split(',').map(|site| site.trim().to_owned()).filter(|site| !site.is_empty()).collect(),
        }
    }

    /// The address of a query.
    fn address(&self, query: &WebQuery<'_>) -> Result<reqwest::Url, String> {
        let template = self.url.as_deref().unwrap_or_default();
        let wrong = |ru: &str, en: &str| match query.language {
            Language::Russian => format!("{SEARCH_URL_VARIABLE}: {ru}"),
            Language::English => format!("{SEARCH_URL_VARIABLE}: {en}"),
        };
        if !template.contains(PLACE) {
            return Err(wrong("в адресе нет {query}", "the address has no {query}"));
        }
        let sites: Vec<String> = query.sites.iter().map(|site| format!("site:{site}")).collect();
        let words = format!("{} ({})", query.text, sites.join(" OR "));
        let encoded: String = words.bytes().map(percent).collect();
        let url = reqwest::Url::parse(&template.replace(PLACE, &encoded))
            .map_err(|_| wrong("это не адрес", "this is no address"))?;
        match url.scheme() {
            "http" | "https" => Ok(url),
            _ => Err(wrong("нужен адрес http или https", "an address of http or https is needed")),
        }
    }

    async fn ask(&self, query: &WebQuery<'_>, stop: &Stop) -> Result<Vec<WebHit>, String> {
        let url = self.address(query)?;
        let silent = match query.language {
            Language::Russian => "адрес поиска молчит",
            Language::English => "the endpoint is silent",
        };
        // The process may have chosen a provider of cryptography already; then that one stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .connect_timeout(SILENCE)
            .user_agent(concat!("metascope/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| error.without_url().to_string())?;
        let mut request = client.get(url).header(ACCEPT, "application/json");
        if let Some(key) = &self.key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
                .map_err(|_| format!("{SEARCH_KEY_VARIABLE}: ?"))?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let work = async {
            // What went wrong is said without the address: it may hold a key.
            let response = request.send().await.map_err(|error| error.without_url().to_string())?;
            let status = response.status();
            if !status.is_success() {
                return Err(format!("HTTP {}", status.as_u16()));
            }
            let mut bytes = Vec::new();
            let mut stream = response.bytes_stream();
            while let Some(piece) = stream.next().await {
                bytes.extend_from_slice(&piece.map_err(|error| error.without_url().to_string())?);
                if bytes.len() > LONGEST {
                    return Err(format!("> {LONGEST} bytes"));
                }
            }
            Ok(bytes)
        };
        let stopped = async {
            while !stop.is_stopped() {
                tokio::time::sleep(TICK).await;
            }
        };
        let bytes = tokio::select! {
            answer = tokio::time::timeout(SILENCE, work) => answer.map_err(|_| silent.to_owned())??,
            () = stopped => return Ok(Vec::new()),
        };
        let answer: Value = serde_json::from_slice(&bytes).map_err(|_| match query.language {
            Language::Russian => "ответ не JSON".to_owned(),
            Language::English => "the answer is no JSON".to_owned(),
        })?;
        Ok(hits(&answer, DEPTH).unwrap_or_default())
    }
}

impl WebSearch for WebEndpoint {
    fn is_on(&self) -> bool {
        self.url.is_some()
    }

    fn how_to_switch_on(&self, language: Language) -> String {
        match language {
            Language::Russian => format!(
                "включить: задайте переменную среды {SEARCH_URL_VARIABLE} — адрес поиска, который отвечает JSON, со словом {PLACE} на \
                 месте запроса, например https://searx.example/search?format=json&q={PLACE}; ключ, если нужен, — {SEARCH_KEY_VARIABLE}, \
                 свой список сайтов через запятую — {SEARCH_SITES_VARIABLE}"
            ),
            Language::English => format!(
                "to switch it on, set the variable {SEARCH_URL_VARIABLE}: the address of a search that answers in JSON, with {PLACE} for \
                 the words, such as https://searx.example/search?format=json&q={PLACE}; a key, if needed, in {SEARCH_KEY_VARIABLE}, sites \
                 of your own in {SEARCH_SITES_VARIABLE}, commas between"
            ),
        }
    }

    fn sites(&self) -> Vec<String> {
        self.sites.clone()
    }

    fn search(&self, query: &WebQuery<'_>, stop: &Stop) -> Result<Vec<WebHit>, String> {
        // A thread of its own: whoever calls a tool may stand in a runtime already.
        let asked = std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.map_err(|error| error.to_string())?.block_on(self.ask(query, stop))
            });
            work.join()
        });
        let answer = asked.unwrap_or_else(|_| Err("?".to_owned()));
        // A server may repeat what it was sent.
        answer.map_err(|why| self.key.as_ref().map_or_else(|| why.clone(), |key| key.mask(&why)))
    }
}

/// Bytes of an address's parameter.
fn percent(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

/// Hits of an answer, wherever its list stands: the first array of objects with an address.
fn hits(answer: &Value, depth: usize) -> Option<Vec<WebHit>> {
    let text = |row: &Value, keys: &[&str]| {
        keys.iter().find_map(|key| row[*key].as_str()).unwrap_or_default().trim().to_owned()
    };
    match answer {
        Value::Array(rows) => {
            let hit = |row: &Value| WebHit {
                title: text(row, &["title", "name"]),
                url: text(row, &["url", "link", "href"]),
                snippet: text(row, &["content", "snippet", "description", "text"]),
            };
            let found: Vec<WebHit> =
                rows.iter().filter(|row| row.is_object()).map(hit).filter(|hit| !hit.url.is_empty()).collect();
            (!found.is_empty()).then_some(found)
        }
        Value::Object(fields) if depth > 0 => {
            // Named lists first: an answer may have others beside them.
            let named = ["results", "items", "web", "organic", "webPages", "value"];
            let first = named.iter().filter_map(|name| fields.get(*name));
            first.chain(fields.values()).find_map(|value| hits(value, depth - 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn endpoint(pairs: Vec<(&'static str, String)>) -> WebEndpoint {
        WebEndpoint::from_env(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()))
    }

    fn query<'q>(text: &'q str, sites: &'q [String]) -> WebQuery<'q> {
        WebQuery { text, sites, limit: 5, language: Language::English }
    }

    #[test]
    fn lists_of_several_engines() {
        let hit = WebHit { title: "T".into(), url: "https://a".into(), snippet: "S".into() };
        for answer in [
            json!({"query": "x", "results": [{"title": "T", "url": "https://a", "content": "S"}]}),
            json!({"items": [{"title": "T", "link": "https://a", "snippet": "S"}]}),
            json!({"web": {"results": [{"title": "T", "url": "https://a", "description": "S"}]}}),
            json!([{"name": "T", "url": "https://a", "snippet": "S"}]),
        ] {
            assert_eq!(hits(&answer, DEPTH), Some(vec![hit.clone()]), "{answer}");
        }
        assert_eq!(hits(&json!({"results": []}), DEPTH), None);
    }

    #[test]
    fn off_without_an_address_and_wrong_addresses_are_said() {
        let off =
            endpoint(vec![(SEARCH_KEY_VARIABLE, "k".into()), (SEARCH_SITES_VARIABLE, "its.1c.ru, , x.ru".into())]);
        assert!(!off.is_on() && off.how_to_switch_on(Language::Russian).contains(SEARCH_URL_VARIABLE));
        assert_eq!(off.sites(), ["its.1c.ru", "x.ru"]);
        let sites = ["its.1c.ru".to_owned()];
        for (url, why) in [("https://h/?q=", "{query}"), ("file:///{query}", "http"), ("нет {query}", "address")] {
            let error = endpoint(vec![(SEARCH_URL_VARIABLE, url.into())]).search(&query("x", &sites), &Stop::default());
            assert!(error.as_ref().is_err_and(|error| error.contains(why)), "{url}: {error:?}");
        }
        let url =
            endpoint(vec![(SEARCH_URL_VARIABLE, "https://h/?q={query}&n=1".into())]).address(&query("а&b", &sites));
        assert_eq!(url.unwrap().as_str(), "https://h/?q=%D0%B0%26b%20%28site%3Aits.1c.ru%29&n=1");
    }

    #[test]
    fn a_server_is_asked_once_with_the_key_and_never_shows_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let mut asked = Vec::new();
            for body in [
                "HTTP/1.1 200 OK|{\"results\":[{\"title\":\"T\",\"url\":\"https://its.1c.ru/\"}]}",
                "HTTP/1.1 403 Forbidden|x",
            ] {
                let (mut stream, _) = listener.accept().unwrap();
                let mut bytes = [0; 4096];
                let count = stream.read(&mut bytes).unwrap();
                asked.push(String::from_utf8_lossy(&bytes[..count]).into_owned());
                let (status, text) = body.split_once('|').unwrap();
                let length = text.len();
                write!(stream, "{status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}").unwrap();
            }
            asked
        });
        let url = format!("http://127.0.0.1:{port}/search?q={{query}}");
        let web = endpoint(vec![(SEARCH_URL_VARIABLE, url), (SEARCH_KEY_VARIABLE, "secret1".into())]);
        let sites = ["its.1c.ru".to_owned()];
        let found = web.search(&query("x", &sites), &Stop::default()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(web.search(&query("x", &sites), &Stop::default()), Err("HTTP 403".to_owned()));
        let asked = server.join().unwrap();
        assert!(asked[0].to_lowercase().contains("authorization: bearer secret1"), "{}", asked[0]);
        assert!(!format!("{web:?}").contains("secret1"));
    }
}

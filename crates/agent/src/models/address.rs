//! What an address says of where it leads.

use std::net::IpAddr;

use super::{BookError, Region, presets};
use crate::secrets::{MASK, mask};

/// Whose address it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// This machine or the local network.
    Local,
    /// That of a preset.
    Known {
        /// Its name.
        host: String,
        /// Where it processes what it is sent.
        region: Region,
    },
    /// Another of the network.
    Public(String),
}

/// Reads an address of a model or proxy.
pub(super) fn host(name: &str, text: &str) -> Result<Host, BookError> {
    let wrong =
        |why: &str| BookError::Address { name: name.to_owned(), text: mask(text).into_owned(), why: why.to_owned() };
    let url = reqwest::Url::parse(text.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !["http", "https", "socks4", "socks5", "socks5h"].contains(&url.scheme()) {
        return Err(wrong("not http, https or socks"));
    }
    if url.password().is_some() || mask(text).contains(MASK) {
        return Err(BookError::PlainSecret { name: name.to_owned(), what: mask(text).into_owned() });
    }
    let host = url.host_str().ok_or_else(|| wrong("no host"))?.to_ascii_lowercase();
    let known = presets().iter().filter(|preset| !preset.entry.region.is_local()).find(|preset| {
        reqwest::Url::parse(&preset.entry.base_url).is_ok_and(|url| url.host_str() == Some(host.as_str()))
    });
    Ok(match known {
        _ if is_local(&host) => Host::Local,
        Some(preset) => Host::Known { host, region: preset.entry.region.clone() },
        None => Host::Public(host),
    })
}

/// Region of an address that nobody said it of: `local` or that of a preset where the host tells, else `any`.
pub(super) fn region_of(base_url: &str) -> Region {
    match host("", base_url) {
        Ok(Host::Local) => Region::local(),
        Ok(Host::Known { region, .. }) => region,
        Ok(Host::Public(_)) | Err(_) => Region::any(),
    }
}

/// `localhost`, a name without dots, `.local`, and the ranges of private networks (RFC 1918, 4193, 3927, 4291).
fn is_local(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
        Err(_) => {
            !bare.contains('.') || [".local", ".lan", ".internal", ".localhost"].iter().any(|end| bare.ends_with(end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_tell_where_they_lead() {
        for url in [
            "http://localhost:11434/v1",
            "http://127.0.0.1/v1",
            "http://192.168.0.5:8080/v1",
            "http://[::1]/v1",
            "http://gpu/v1",
            "http://gpu.lan/v1",
        ] {
            assert_eq!(region_of(url), Region::local(), "{url}");
        }
        assert_eq!(region_of("https://api.deepseek.com").code(), "CN");
        assert_eq!(region_of("https://llm.example.com/v1"), Region::any());
        assert_eq!(region_of("https://8.8.8.8/v1"), Region::any());
    }

    #[test]
    fn secrets_in_addresses_are_refused_and_not_repeated() {
        for url in ["https://user:qwerty@host.ru/v1", "https://host.ru/v1?api_key=qwerty123"] {
            let error = host("m", url).unwrap_err();
            assert!(matches!(error, BookError::PlainSecret { .. }) && !error.to_string().contains("qwerty"), "{error}");
        }
        assert!(matches!(host("m", "ftp://host/"), Err(BookError::Address { .. })));
        assert!(matches!(host("m", "host/v1"), Err(BookError::Address { .. })));
    }
}

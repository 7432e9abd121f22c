//! Which addresses a profile's base URL may name, and how an address is shown.
//!
//! A base URL is what the person configured, so private addresses are fine; the filter for addresses
//! that pages and models name is another one and lives with the tools.

use std::net::{IpAddr, Ipv6Addr};

use kernel::{Code, Fault};
use reqwest::Url;

/// When this is `1`, only this machine is reached: nothing of a test may leave it.
const OFFLINE: &str = "GALLEY_OFFLINE";

/// Whether this base URL may be reached: any, but only this machine's own when `GALLEY_OFFLINE` is `1`.
pub fn is_allowed(base_url: &str) -> bool {
    let is_offline = std::env::var(OFFLINE).is_ok_and(|value| value == "1");
    Url::parse(base_url).is_ok_and(|url| !is_offline || is_loopback(&url))
}

/// Whether an address has a name or a password in it, or what looks like a key. Behind a `#` anything does: it is sent to
/// nobody, so it is no part of where somebody is asked.
pub fn carries_secret(url: &Url) -> bool {
    let looks_secret = |name: &str| {
        let name = name.to_lowercase();
        ["key", "token", "secret", "password", "sig", "auth"].iter().any(|word| name.contains(word))
    };
    !url.username().is_empty()
        || url.password().is_some()
        || url.query_pairs().any(|(name, _)| looks_secret(&name))
        || url.fragment().is_some_and(|text| !text.is_empty())
}

/// The base URL of a profile as one that paths can be joined to.
pub(crate) fn base_of(profile: &str, base_url: &str) -> Result<Url, Fault> {
    let refuse = |reason: String| Err(Fault::new(Code::BadInput, reason));
    let text = base_url.trim();
    if text.is_empty() {
        return refuse(format!(
            "Profile `{profile}` has no base URL; give it one, such as http://127.0.0.1:8080/v1."
        ));
    }
    let Ok(mut url) = Url::parse(text) else {
        return refuse(format!(
            "The base URL of profile `{profile}` is not an address; it should look like http://127.0.0.1:8080/v1."
        ));
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return refuse(format!(
            "The base URL of profile `{profile}` must begin with http:// or https:// and name a server."
        ));
    }
    if carries_secret(&url) {
        return refuse(format!(
            "The base URL of profile `{profile}` carries a name, a password, a key or a part behind #; keep it out of the address, and give a key as the profile's."
        ));
    }
    if !is_allowed(text) {
        return refuse(format!(
            "The base URL of profile `{profile}` is outside this machine, and {OFFLINE}=1 forbids that; unset it or use a loopback address."
        ));
    }
    url.set_fragment(None);
    // People paste the whole address of the call; and without the last slash a join would drop `v1`.
    let mut path = url.path().trim_end_matches('/');
    for call in ["/chat/completions", "/messages", "/models", "/api/chat", "/api/tags"] {
        path = path.strip_suffix(call).unwrap_or(path);
    }
    let path = path.to_owned();
    url.set_path(&format!("{}/", path.trim_end_matches('/')));
    Ok(url)
}

/// Whether an address is the usual one but for the path, which people leave out.
pub(crate) fn is_bare(base_url: &str, usual: &str) -> bool {
    let (Ok(given), Ok(usual)) = (Url::parse(base_url.trim()), Url::parse(usual)) else { return false };
    given.origin() == usual.origin() && given.path() == "/" && given.query().is_none()
}

/// The path of an address, without a slash at its end.
pub(crate) fn path_of(address: &str) -> String {
    Url::parse(address).map(|url| url.path().trim_end_matches('/').to_owned()).unwrap_or_default()
}

/// An address for messages: without its query, where people keep keys.
pub(crate) fn shown(base: &Url) -> String {
    let mut url = base.clone();
    url.set_query(None);
    url.as_str().trim_end_matches('/').to_owned()
}

fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_loopback(),
        Ok(IpAddr::V6(address)) => {
            address == Ipv6Addr::LOCALHOST
                || address.to_ipv4_mapped().is_some_and(|mapped| mapped.is_loopback())
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_may_be_pasted_in_any_of_its_usual_forms() {
        for text in
            ["http://127.0.0.1:1/v1", " http://127.0.0.1:1/v1/ ", "http://127.0.0.1:1/v1/chat/completions"]
        {
            let base = base_of("p", text).unwrap();
            assert_eq!(
                base.join("chat/completions").unwrap().as_str(),
                "http://127.0.0.1:1/v1/chat/completions"
            );
        }
        assert_eq!(base_of("p", "http://127.0.0.1:1").unwrap().as_str(), "http://127.0.0.1:1/");
        assert_eq!(shown(&base_of("p", "http://127.0.0.1:1/v1?version=7").unwrap()), "http://127.0.0.1:1/v1");
    }

    #[test]
    fn the_usual_address_without_its_version_is_the_usual_address() {
        let usual = "https://api.openai.com/v1";
        for (text, is) in [
            ("https://api.openai.com", true),
            (" https://api.openai.com:443/ ", true),
            ("https://api.openai.com/v2", false),
            ("http://api.openai.com", false),
            ("https://api.openai.com.example.com", false),
            ("https://api.openai.com/?deployment=1", false),
        ] {
            assert_eq!(is_bare(text, usual), is, "{text}");
        }
    }

    #[test]
    fn a_base_url_that_is_none_is_refused_in_words() {
        for text in [
            "",
            "   ",
            "127.0.0.1:8080",
            "file:///etc/passwd",
            "http://",
            "http://me:secret@127.0.0.1/v1",
            "http://127.0.0.1/v1?api-key=s",
            "http://127.0.0.1/v1#secret",
        ] {
            let fault = base_of("p", text).unwrap_err();
            assert_eq!(fault.code, Code::BadInput, "{text}");
            assert!(fault.message.contains("`p`") && !fault.message.contains("secret"), "{}", fault.message);
        }
    }

    #[test]
    fn only_addresses_of_this_machine_are_loopback() {
        let is = |text: &str| is_loopback(&Url::parse(text).unwrap());
        for text in [
            "http://127.0.0.1",
            "http://127.9.9.9:1",
            "http://2130706433",
            "http://[::1]:1",
            "http://[::ffff:127.0.0.1]",
            "http://LOCALHOST:3",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "http://10.0.0.1",
            "http://127.0.0.1.example.com",
            "http://0.0.0.0",
            "http://[::]",
            "http://localhost.example.com",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}

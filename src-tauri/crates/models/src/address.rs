//! Which addresses the base URL of a profile may name, and how messages show an address.
//!
//! The person configures the base URL, so private addresses are allowed. The filter for addresses from pages and models
//! is a different one, in the tools.

use kernel::{Code, Error, Phrase, phrase};
use net::{closed_because, is_of_this_machine};
use reqwest::Url;

/// Whether an address has more than scheme, host and path: a user name, a password, a query or a fragment. Each of them
/// can contain a key under any name.
pub fn carries_more(url: &Url) -> bool {
    !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some_and(|text| !text.is_empty())
        || url.fragment().is_some_and(|text| !text.is_empty())
}

/// The base URL of a profile in a form that paths can be joined to.
pub(crate) fn base_of(profile: &str, base_url: &str) -> Result<Url, Error> {
    let refuse = |reason: Phrase| Err(Error::new(Code::BadInput, reason));
    let text = base_url.trim();
    if text.is_empty() {
        return refuse(phrase!(
            "Profile `{profile}` has no base URL; give it one, such as http://127.0.0.1:8080/v1.",
            profile
        ));
    }
    // The URL parser would silently remove line breaks.
    let parsed = Url::parse(text).ok().filter(|_| !base_url.contains(char::is_control));
    let Some(mut url) = parsed else {
        return refuse(phrase!(
            "The base URL of profile `{profile}` is not an address; it should look like http://127.0.0.1:8080/v1.",
            profile
        ));
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return refuse(phrase!(
            "The base URL of profile `{profile}` must begin with http:// or https:// and name a server.",
            profile
        ));
    }
    if carries_more(&url) {
        return refuse(phrase!(
            "The base URL of profile `{profile}` carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the profile's.",
            profile
        ));
    }
    if let Some(why) = closed_because().filter(|_| !is_of_this_machine(&url)) {
        return refuse(phrase!(
            "The base URL of profile `{profile}` is outside this machine, and {why}, or use a loopback address.",
            profile,
            why
        ));
    }
    url.set_fragment(None);
    url.set_query(None);
    // People paste the whole address of the call; and without the final slash a join would drop `v1`.
    let mut path = url.path().trim_end_matches('/');
    for call in ["/chat/completions", "/messages", "/models", "/api/chat", "/api/tags"] {
        path = path.strip_suffix(call).unwrap_or(path);
    }
    let path = path.to_owned();
    url.set_path(&format!("{}/", path.trim_end_matches('/')));
    Ok(url)
}

/// Whether an address is the usual one without the path, which people leave out.
pub(crate) fn is_bare(base_url: &str, usual: &str) -> bool {
    let (Ok(given), Ok(usual)) = (Url::parse(base_url.trim()), Url::parse(usual)) else { return false };
    given.origin() == usual.origin() && given.path() == "/" && given.query().is_none()
}

/// The path of an address, without a slash at its end.
pub(crate) fn path_of(address: &str) -> String {
    Url::parse(address).map(|url| url.path().trim_end_matches('/').to_owned()).unwrap_or_default()
}

/// An address for messages, without its query, where people keep keys.
pub(crate) fn shown(base: &Url) -> String {
    let mut url = base.clone();
    url.set_query(None);
    url.as_str().trim_end_matches('/').to_owned()
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
        assert_eq!(shown(&Url::parse("http://127.0.0.1:1/v1?version=7").unwrap()), "http://127.0.0.1:1/v1");
    }

    #[test]
    fn the_default_address_without_its_version_counts_as_the_default_address() {
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
    fn an_invalid_base_url_is_rejected_with_a_sentence() {
        for text in [
            "",
            "   ",
            "127.0.0.1:8080",
            "file:///etc/passwd",
            "http://",
            "http://me:secret@127.0.0.1/v1",
            "http://127.0.0.1/v1?api-key=secret",
            "http://127.0.0.1/v1?k=secret",
            "http://127.0.0.1/v1?access=secret",
            "http://127.0.0.1/v1?secret",
            "http://127.0.0.1/v1#secret",
        ] {
            let error = base_of("p", text).unwrap_err();
            assert_eq!(error.code, Code::BadInput, "{text}");
            assert!(error.message.contains("`p`") && !error.message.contains("secret"), "{}", error.message);
        }
    }
}

//! Whether the network may be used. Development and test builds use only this machine unless enabled by a variable, so
//! that no test contacts the network by mistake; release builds may use it.

use kernel::{Form, form};
use reqwest::Url;

use crate::address::{ends_in, is_loopback, number_of};

/// When this variable is `1`, only this machine is contacted, in any build.
pub const OFFLINE: &str = "GALLEY_OFFLINE";
/// When this variable is `1`, a development or test build may use the network, too.
pub const LIVE: &str = "GALLEY_LIVE";

/// Why only this machine may be contacted, and how to enable the network; `None` when it is enabled.
pub fn closed_because() -> Option<Form> {
    let is_set = |name: &str| std::env::var(name).is_ok_and(|value| value == "1");
    reason(cfg!(debug_assertions), is_set(OFFLINE), is_set(LIVE))
}

fn reason(is_for_development: bool, is_offline: bool, is_live: bool) -> Option<Form> {
    match (is_offline, is_for_development && !is_live) {
        (true, _) => Some(form!("GALLEY_OFFLINE=1 keeps the program on this machine; unset it")),
        (false, true) => Some(form!(
            "a build for development and tests keeps to this machine; set GALLEY_LIVE=1 to open the network"
        )),
        (false, false) => None,
    }
}

/// Whether an address is one of this machine as written: its name is not resolved.
pub fn is_of_this_machine(url: &Url) -> bool {
    url.host_str().is_some_and(is_own_host)
}

pub(crate) fn is_own_host(host: &str) -> bool {
    number_of(host).map_or_else(|| ends_in(host.trim_end_matches('.'), "localhost"), is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_builds_are_offline_and_release_builds_online_by_default() {
        assert!(reason(true, false, false).is_some_and(|why| why.0.contains(LIVE)));
        assert_eq!(reason(true, false, true), None);
        assert_eq!(reason(false, false, false), None);
        for (is_for_development, is_live) in [(true, true), (true, false), (false, true), (false, false)] {
            let why = reason(is_for_development, true, is_live);
            assert!(why.is_some_and(|why| why.0.contains(OFFLINE)));
        }
        if std::env::var_os(LIVE).is_none() {
            assert!(closed_because().is_some(), "this is a test");
        }
    }

    #[test]
    fn only_loopback_addresses_are_of_this_machine() {
        let is = |text: &str| is_of_this_machine(&Url::parse(text).unwrap());
        for text in [
            "http://127.0.0.1",
            "http://127.9.9.9:1",
            "http://2130706433",
            "http://[::1]:1",
            "http://[::ffff:127.0.0.1]",
            "http://LOCALHOST:3",
            "http://a.localhost.",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "http://10.0.0.1",
            "http://127.0.0.1.example.com",
            "http://0.0.0.0",
            "http://[::]",
            "http://localhost.example.com",
            "http://mylocalhost",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}

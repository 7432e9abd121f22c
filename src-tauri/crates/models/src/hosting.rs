//! Where the models of a profile run: in a provider's cloud, or on the person's own server.
//!
//! An own server answers at the speed of its machine, so timeouts are longer for it.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::Url;

use crate::PROVIDERS;

/// Where the models of a provider run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hosting {
    /// In the provider's cloud.
    Cloud,
    /// On the person's own server, wherever it is.
    Local,
    /// Depends on the base URL: a loopback, private or local host is the person's own server.
    ByAddress,
}

/// Whether the models of a profile run on the person's own server.
pub fn is_local(provider: &str, base_url: &str) -> bool {
    let Some(known) = PROVIDERS.iter().find(|known| known.description.id == provider) else { return false };
    match known.description.hosting {
        Hosting::Cloud => false,
        Hosting::Local => true,
        Hosting::ByAddress => Url::parse(base_url.trim()).is_ok_and(|url| is_local_host(&url)),
    }
}

fn is_local_host(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_lowercase();
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => is_local_v4(address),
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(mapped) => is_local_v4(mapped),
            None => {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            }
        },
        // A name without a dot, or under one of these domains, is resolved only by the local network.
        Err(_) => {
            !host.contains('.')
                || [".localhost", ".local", ".lan", ".internal", ".home.arpa"]
                    .iter()
                    .any(|end| host.ends_with(end))
        }
    }
}

fn is_local_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_of_carrier = first == 100 && (64..128).contains(&second);
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || is_of_carrier
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compatible_server_at_a_loopback_private_or_local_host_is_the_persons_own() {
        for address in [
            "http://127.0.0.1:8080/v1",
            "http://localhost:1234/v1",
            "http://[::1]:8080/v1",
            "http://10.1.2.3/v1",
            "http://172.20.0.5:8000/v1",
            "http://192.168.1.20:11434/v1",
            "http://169.254.10.1/v1",
            "http://100.100.1.1/v1",
            "http://[fd12::7]/v1",
            "http://[fe80::1]/v1",
            "http://[::ffff:192.168.0.2]/v1",
            "http://gpu-box:8000/v1",
            "https://Box.Local./v1",
        ] {
            assert!(is_local("openai-compatible", address), "{address}");
        }
        for address in [
            "https://api.example.com/v1",
            "http://172.32.0.1/v1",
            "http://8.8.8.8/v1",
            "http://127.0.0.1.example.com/v1",
            "http://100.128.0.1/v1",
            "http://[2001:db8::1]/v1",
            "",
            "no address",
        ] {
            assert!(!is_local("openai-compatible", address), "{address}");
        }
    }

    #[test]
    fn the_hosting_of_the_other_providers_does_not_depend_on_the_address() {
        for (provider, is) in [("ollama", true), ("gemini", false), ("openai", false), ("anthropic", false)] {
            assert_eq!(is_local(provider, ""), is, "{provider}");
            assert_eq!(is_local(provider, "http://127.0.0.1:1"), is, "{provider}");
        }
        assert!(!is_local("built-in", "http://127.0.0.1:1"));
    }
}

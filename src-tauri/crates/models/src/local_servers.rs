//! Finds the model servers of this machine. They are searched for only when the person wants to see them, and never
//! used without being chosen.

use futures::future::join_all;
use kernel::Phrase;
use reqwest::Url;

use crate::provider_client::ProviderClient;
use crate::recognition::{Recognised, get, recognise};
use crate::server_kinds::{SERVER_KINDS, ServerKind};
use crate::{ProfileAccess, openai_compatible};

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The id of its kind, which is also the usual name of its profile.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The provider of its profile.
    pub provider: &'static str,
    /// The address at which it was found.
    pub address: Url,
    /// The base URL for a profile; empty if it is the provider's default.
    pub base_url: String,
    /// Its models, the loaded ones first; may be empty.
    pub models: Vec<String>,
    /// What to do before it can be used; `None` if it has a model.
    pub next_step: Option<Phrase>,
}

/// The servers that answer within a second at their usual addresses on this machine, or at those of their environment
/// variables. `asked` is called with each address before its request.
pub async fn local_servers(asked: impl Fn(&Url)) -> Vec<LocalServer> {
    let mut addresses: Vec<Url> = Vec::new();
    for kind in SERVER_KINDS {
        let variable = |name: &str| match name {
            "" => String::new(),
            name => std::env::var(name).unwrap_or_default(),
        };
        let (address, port) = (variable(kind.address_variable), variable(kind.port_variable));
        for address in addresses_of(kind, &address, &port) {
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
    }
    addresses.iter().for_each(asked);
    servers_at(&addresses).await
}

/// The servers that answer within a second at these addresses, without the paths of base URLs.
pub async fn servers_at(addresses: &[Url]) -> Vec<LocalServer> {
    join_all(addresses.iter().map(server_at)).await.into_iter().flatten().collect()
}

async fn server_at(address: &Url) -> Option<LocalServer> {
    let access = ProfileAccess {
        profile: String::new(),
        provider: openai_compatible::PROVIDER.description.id.to_owned(),
        base_url: address.as_str().to_owned(),
        key: None,
    };
    let client = ProviderClient::open(access, &openai_compatible::PROVIDER).ok()?;
    let Recognised::Kind(kind) = recognise(&client, &SERVER_KINDS.iter().collect::<Vec<_>>()).await else {
        return None;
    };
    let list = get(&client, kind, kind.models.path).await.ok()??;
    let models = (kind.models.read)(&list)?;
    let base_url = format!("{}{}", address.as_str(), kind.base_path);
    Some(LocalServer {
        id: kind.id,
        title: kind.title,
        provider: kind.provider,
        address: address.clone(),
        base_url: crate::own_base_url(kind.provider, &base_url),
        next_step: models.is_empty().then(|| kind.way_to_model.into()),
        models,
    })
}

/// The addresses of a kind's server by its variables: the usual ones if they are empty, and none on another machine,
/// which must not be contacted without the person's request.
fn addresses_of(kind: &ServerKind, configured: &str, port: &str) -> Vec<Url> {
    let ports = port.trim().parse().map_or_else(|_| kind.ports.to_vec(), |port| vec![port]);
    let configured = configured.trim();
    let on = |port: &u16| match configured {
        "" => format!("http://127.0.0.1:{port}").parse().ok(),
        configured => configured_address(configured, *port),
    };
    ports.iter().filter_map(on).collect()
}

/// An address of this machine as a variable gives it, with this port if it names none.
fn configured_address(configured: &str, port: u16) -> Option<Url> {
    let whole =
        if configured.contains("://") { configured.to_owned() } else { format!("http://{configured}") };
    let mut url: Url = whole.parse().ok()?;
    let is_named = |names: &[&str]| url.host_str().is_some_and(|host| names.contains(&host));
    // A server that listens on all interfaces listens here, too.
    if is_named(&["0.0.0.0", "[::]"]) {
        url.set_host(Some("127.0.0.1")).ok()?;
    } else if !is_named(&["127.0.0.1", "localhost", "[::1]"]) {
        return None;
    }
    if url.port().is_none() && !configured.contains("://") {
        url.set_port(Some(port)).ok()?;
    }
    url.set_path("/");
    url.set_query(None);
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(id: &str) -> &'static ServerKind {
        SERVER_KINDS.iter().find(|kind| kind.id == id).unwrap()
    }

    #[test]
    fn a_server_is_searched_for_at_the_address_of_its_variables_but_on_this_machine_only() {
        let found = |id: &str, configured: &str, port: &str| {
            let found = addresses_of(kind(id), configured, port);
            found.iter().map(|url| url.as_str().to_owned()).collect::<Vec<_>>()
        };
        for (configured, expected) in [
            ("", Some("http://127.0.0.1:11434/")),
            ("127.0.0.1:9000", Some("http://127.0.0.1:9000/")),
            ("localhost", Some("http://localhost:11434/")),
            ("0.0.0.0", Some("http://127.0.0.1:11434/")),
            ("http://[::1]:9000/", Some("http://[::1]:9000/")),
            ("gpu.lan:11434", None),
            ("http://203.0.113.9:11434", None),
            ("http://", None),
        ] {
            let expected: Vec<&str> = expected.into_iter().collect();
            assert_eq!(found("ollama", configured, ""), expected, "{configured}");
        }
        let usual = ["http://127.0.0.1:8080/", "http://127.0.0.1:9931/"];
        for (port, expected) in [("", &usual[..]), ("9000", &["http://127.0.0.1:9000/"]), ("no port", &usual)]
        {
            assert_eq!(found("llama-cpp", "", port), expected, "{port}");
        }
    }

    #[test]
    fn kinds_have_ids_and_ports_of_their_own() {
        for (at, kind) in SERVER_KINDS.iter().enumerate() {
            let others = &SERVER_KINDS[at + 1..];
            let is_other = |other: &ServerKind| {
                other.id != kind.id && other.ports.iter().all(|port| !kind.ports.contains(port))
            };
            assert!(others.iter().all(is_other), "{}", kind.id);
        }
    }
}

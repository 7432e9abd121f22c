//! Model servers on this machine. They are searched for only when the person wants to see them, and never used without
//! being chosen.

use reqwest::Url;

use crate::listing::ModelCard;
use crate::ollama::{self, found_ollama};

/// The variable with the address of Ollama for its own tools, if it is not the default.
const HOST: &str = "OLLAMA_HOST";
const USUAL_PORT: u16 = 11434;

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The provider of its profile.
    pub provider: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The base URL for a profile; empty if it is the provider's default.
    pub base_url: String,
    /// The installed models; may be empty.
    pub models: Vec<ModelCard>,
}

/// The servers that answer within a second. `asked` is called with each address before its request.
pub async fn local_servers(asked: impl Fn(&Url)) -> Vec<LocalServer> {
    let configured = std::env::var(HOST).unwrap_or_default();
    let Some(place) = place(&configured) else { return Vec::new() };
    if let Ok(address) = place.as_deref().unwrap_or(ollama::USUAL_ADDRESS).parse() {
        asked(&address);
    }
    let provider = ollama::PROVIDER.description;
    let found = found_ollama(place.as_deref()).await.map(|models| LocalServer {
        provider: provider.id,
        title: provider.title,
        base_url: place.unwrap_or_default(),
        models,
    });
    found.into_iter().collect()
}

/// The address from the variable: `Some(None)` for the default if it is empty, and `None` for another machine, which
/// must not be contacted without the person's request.
fn place(configured: &str) -> Option<Option<String>> {
    let configured = configured.trim();
    if configured.is_empty() {
        return Some(None);
    }
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
        url.set_port(Some(USUAL_PORT)).ok()?;
    }
    Some(Some(url.as_str().trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_is_searched_for_at_the_address_of_its_variable_but_on_this_machine_only() {
        let found = |configured: &str| place(configured).map(|place| place.unwrap_or_default());
        for (configured, expected) in [
            ("", Some("")),
            ("127.0.0.1:9000", Some("http://127.0.0.1:9000")),
            ("localhost", Some("http://localhost:11434")),
            ("0.0.0.0", Some("http://127.0.0.1:11434")),
            ("http://[::1]:9000/", Some("http://[::1]:9000")),
            ("gpu.lan:11434", None),
            ("http://203.0.113.9:11434", None),
            ("http://", None),
        ] {
            assert_eq!(found(configured).as_deref(), expected, "{configured}");
        }
    }
}

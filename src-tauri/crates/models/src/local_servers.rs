//! Servers of models that run on this machine: looked for only when somebody wants to see them, and never taken into use
//! by themselves.

use reqwest::Url;

use crate::list::ModelCard;
use crate::ollama::{self, found_ollama};

/// Where Ollama's own tools look for it when not on its usual port.
const HOST: &str = "OLLAMA_HOST";
const USUAL_PORT: u16 = 11434;

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The provider of its profile.
    pub provider: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The base URL for a profile; empty where it is the provider's usual one.
    pub base_url: String,
    /// What is installed; may be none.
    pub models: Vec<ModelCard>,
}

/// The servers that answer within a second. `asked` is told every address before it is asked.
pub async fn local_servers(asked: impl Fn(&Url)) -> Vec<LocalServer> {
    let told = std::env::var(HOST).unwrap_or_default();
    let Some(place) = place(&told) else { return Vec::new() };
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

/// The address that the variable tells: its own where it tells none, nowhere at all when it is of another machine, for
/// that is not asked unbidden.
fn place(told: &str) -> Option<Option<String>> {
    let told = told.trim();
    if told.is_empty() {
        return Some(None);
    }
    let whole = if told.contains("://") { told.to_owned() } else { format!("http://{told}") };
    let mut url: Url = whole.parse().ok()?;
    let is_named = |names: &[&str]| url.host_str().is_some_and(|host| names.contains(&host));
    // A server that listens everywhere listens here.
    if is_named(&["0.0.0.0", "[::]"]) {
        url.set_host(Some("127.0.0.1")).ok()?;
    } else if !is_named(&["127.0.0.1", "localhost", "[::1]"]) {
        return None;
    }
    if url.port().is_none() && !told.contains("://") {
        url.set_port(Some(USUAL_PORT)).ok()?;
    }
    Some(Some(url.as_str().trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_is_looked_for_where_its_variable_says_but_on_this_machine_only() {
        let found = |told: &str| place(told).map(|place| place.unwrap_or_default());
        for (told, expected) in [
            ("", Some("")),
            ("127.0.0.1:9000", Some("http://127.0.0.1:9000")),
            ("localhost", Some("http://localhost:11434")),
            ("0.0.0.0", Some("http://127.0.0.1:11434")),
            ("http://[::1]:9000/", Some("http://[::1]:9000")),
            ("gpu.lan:11434", None),
            ("http://203.0.113.9:11434", None),
            ("http://", None),
        ] {
            assert_eq!(found(told).as_deref(), expected, "{told}");
        }
    }
}

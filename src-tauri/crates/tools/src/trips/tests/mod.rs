//! Tests of the trip services against a local server that checks requests as the real one does. The data are our own;
//! only their shapes are those of the services.

mod anitabi;
mod bangumi;
mod google_routes;
mod motis;
mod nominatim;
mod open_meteo;
mod openweathermap;
mod recorded;
mod stations;
mod unused;
mod walking;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use engine::{KeptEmbedding, LibraryArticle, LibraryIndex, LibraryWords, OwnArticle, ToolContext};
use kernel::Error;
use net::{Net, Url};
use serde_json::{Value, json};

use super::*;
use crate::offered_tool::{KeyNeed, ToolParts};
use crate::page_browser::PageBrowser;
use crate::service_settings::{ServiceKey, ServiceSettings, Services};
use crate::slot_tools::SLOT_TOOLS;
use crate::web::test_server::{ReceivedRequest, Reply, Server};

/// Test settings: every service is at the same server, with this key.
struct AtServer {
    base_url: String,
    key: &'static str,
}

#[async_trait]
impl Services for AtServer {
    async fn service(&self, _: &str, _: Option<&str>) -> Result<ServiceSettings, Error> {
        let key = Some(self.key).filter(|key| !key.is_empty()).map(|key| key.to_owned().into());
        Ok(ServiceSettings { base_url: self.base_url.clone(), key, ..ServiceSettings::default() })
    }

    fn key_of(&self, name: &str, _: Option<&str>) -> Option<ServiceKey> {
        let profile = format!("services.{name}");
        (!self.key.is_empty()).then(|| ServiceKey { profile, ..ServiceKey::default() })
    }

    fn allowed(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn contact(&self) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn parts(folder: &std::path::Path, server: &Server, key: &'static str) -> ToolParts {
    ToolParts {
        index: Arc::new(unused::Unused),
        net: Net::new(),
        services: Arc::new(AtServer { base_url: server.base.clone(), key }),
        browser: Arc::new(unused::Unused),
        trips: Arc::new(unused::Unused),
        folder: folder.to_owned(),
    }
}

/// The answer of the service with this id to this input, with `server` as its base URL.
async fn ask(kind: &str, id: &str, server: &Server, key: &'static str, input: Value) -> Result<Value, Error> {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts(folder.path(), server, key);
    let source = crate::fitting(kind).iter().find(|source| source.id == id).unwrap();
    let tool = (source.make)(&parts);
    assert_eq!(tool.describe().name, source.tool);
    assert_eq!(tool.slots(), [kind]);
    assert!(!tool.title(&input).english().is_empty());
    let route = tool.credential_route(None).map(|route| route.profile);
    let wanted = (source.key != KeyNeed::None && !key.is_empty()).then(|| format!("services.{id}"));
    assert_eq!(route, wanted, "whose key it uses");
    Ok(tool.call(&input, &ToolContext::default()).await?.output.0)
}

/// A server that refuses requests without a user agent, as several services do, and records all requests.
struct Service {
    server: Server,
    came: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Service {
    fn start(answer: impl Fn(&ReceivedRequest) -> Reply + Send + 'static) -> Service {
        let came: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let kept = came.clone();
        let server = Server::checking(move |asked| {
            kept.lock().unwrap().push(asked.clone());
            let agent = asked.header("user-agent");
            let version = agent.strip_prefix("Galley/").unwrap_or_default();
            if !version.starts_with(|c: char| c.is_ascii_digit()) {
                let forbidden = json!({"title": "Forbidden", "description": "Please set a 'User-Agent'"});
                return Reply::json(&forbidden).status("403 Forbidden");
            }
            answer(asked)
        });
        Service { server, came }
    }

    /// A server with the same answer to every request.
    fn answering(body: Value) -> Service {
        Service::start(move |_| Reply::json(&body))
    }

    /// A server that refuses every request.
    fn refusing(status: &'static str, body: Value) -> Service {
        Service::start(move |_| Reply::json(&body).status(status))
    }

    /// A proxy that answers for an unavailable server with an HTML page.
    fn behind_a_page(status: &'static str) -> Service {
        Service::start(move |_| {
            Reply::of("text/html", "<html><title>Just a moment...</title><body>cf-ray</body></html>")
                .status(status)
        })
    }

    fn paths(&self) -> Vec<String> {
        self.came.lock().unwrap().iter().map(|asked| asked.path().to_owned()).collect()
    }
}

fn refused(words: &str) -> Reply {
    Reply::json(&json!({"error": words})).status("400 Bad Request")
}

/// The notes of an answer in English.
fn notes(answer: &Value) -> Vec<String> {
    let notes: Vec<kernel::Phrase> = serde_json::from_value(answer["notes"].clone()).unwrap();
    notes.iter().map(kernel::Phrase::english).collect()
}

/// Trying a key uses the first example of the tool.
#[tokio::test]
async fn the_first_example_of_every_trip_tool_is_valid_input() {
    let service = Service::refusing("400 Bad Request", json!({"error": "told by the service"}));
    let folder = tempfile::tempdir().unwrap();
    let parts = parts(folder.path(), &service.server, "some-key-of-nobody");
    for (kind, offered) in SLOT_TOOLS.iter().filter(|(kind, _)| *kind != crate::SEARCH) {
        for tool in *offered {
            let made = (tool.make)(&parts);
            let example = made.examples().into_iter().next().unwrap();
            let read = made.call(&example.input, &ToolContext::default()).await;
            assert!(
                read.is_ok() || read.is_err_and(|error| error.code != kernel::Code::BadInput),
                "{kind} {}",
                tool.id
            );
        }
    }
}

#[test]
fn the_tools_of_every_slot_are_alphabetical_with_unique_names() {
    let mut tools: Vec<&str> = Vec::new();
    for (kind, sources) in SLOT_TOOLS {
        let ids: Vec<&str> = sources.iter().map(|source| source.id).collect();
        assert!(ids.is_sorted(), "{kind}: {ids:?}");
        for source in *sources {
            assert_eq!(source.key == KeyNeed::None, source.key_page.is_empty(), "{}", source.id);
            assert!(source.purpose.0.ends_with('.'), "{}", source.id);
            tools.push(source.tool);
        }
    }
    let count = tools.len();
    tools.sort_unstable();
    tools.dedup();
    assert_eq!(tools.len(), count);
}

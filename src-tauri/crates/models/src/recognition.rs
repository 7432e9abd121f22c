//! Recognises the kind of a model server by what only that kind answers.

use std::time::Duration;

use futures::future::join_all;
use reqwest::RequestBuilder;
use serde_json::Value;

use crate::http;
use crate::provider_client::ProviderClient;
use crate::server_kinds::ServerKind;

/// Timeout for what a server says about itself.
const SIGN_WITHIN: Duration = Duration::from_millis(800);

/// What is known of the server at an address.
pub(crate) enum Recognised {
    /// It is of this kind.
    Kind(&'static ServerKind),
    /// It is of none of the kinds.
    Stranger,
    /// It did not answer in time, so its kind is not known.
    Silent,
}

/// Asks the server of a client whether it is of one of these kinds.
pub(crate) async fn recognise(client: &ProviderClient, kinds: &[&'static ServerKind]) -> Recognised {
    let answers = join_all(kinds.iter().map(|kind| get(client, kind, kind.sign.path))).await;
    let mut recognised = Recognised::Stranger;
    for (kind, answer) in kinds.iter().zip(answers) {
        match answer {
            Ok(Some(body)) if (kind.sign.read)(&body) => return Recognised::Kind(kind),
            Ok(_) => {}
            Err(Silence) => recognised = Recognised::Silent,
        }
    }
    recognised
}

/// No answer in time, no connection, or a server that is not ready.
pub(crate) struct Silence;

/// The JSON at a path of a server of this kind.
pub(crate) async fn get(
    client: &ProviderClient,
    kind: &ServerKind,
    path: &str,
) -> Result<Option<Value>, Silence> {
    ask(client, client.http().get(client.url_of_server(kind.base_path, path)), SIGN_WITHIN).await
}

/// The JSON that a server answers to a request about itself; `None` if it refuses, or answers something else.
pub(crate) async fn ask(
    client: &ProviderClient,
    request: RequestBuilder,
    within: Duration,
) -> Result<Option<Value>, Silence> {
    let answer = async {
        let response = request.send().await.map_err(|_| Silence)?;
        // A server that still loads its model refuses everything.
        if response.status().is_server_error() {
            return Err(Silence);
        }
        if !response.status().is_success() {
            return Ok(None);
        }
        Ok(http::json(client, response).await.ok())
    };
    tokio::time::timeout(within, answer).await.unwrap_or(Err(Silence))
}

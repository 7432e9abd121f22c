//! Requests and what comes back: bodies bounded, refusals in our words.

use futures::StreamExt;
use kernel::{Error, nearly_json};
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

use crate::error::{self, Failure};
use crate::provider_client::{PAUSE, ProviderClient};
use crate::provider_error::ProviderError;

/// More bytes of a body than this are not read; a list of models and a long answer are far shorter.
const MOST_BODY: usize = 32 * 1024 * 1024;
/// As many bytes of a refusal are read.
const MOST_REFUSAL: usize = 64 * 1024;

/// Sends a request. A refusal becomes its error. Tells whether it may cost something: from now on, unless it reaches nobody
/// or is refused.
pub(crate) async fn send(
    client: &ProviderClient,
    model: &str,
    request: RequestBuilder,
    tell_may_cost: impl Fn(bool),
) -> Result<Response, Failure> {
    tell_may_cost(true);
    let response = request.send().await.map_err(|error| {
        tell_may_cost(!error.is_connect() && !error.is_builder());
        error::from_transport(client, &error)
    })?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    tell_may_cost(false);
    let headers: HeaderMap = response.headers().clone();
    // What came of it before it broke is enough to know what it says.
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Ok(Some(Ok(bytes))) = tokio::time::timeout(PAUSE, stream.next()).await {
        body.extend_from_slice(&bytes);
        if body.len() >= MOST_REFUSAL {
            break;
        }
    }
    let body = String::from_utf8_lossy(&body);
    let said = ProviderError::from_body(status.as_u16(), &body);
    let error = client.refusal(&said, model, Some(&headers), &body);
    Err(Failure::told(error, said))
}

/// The JSON of a body in one piece, whatever it calls itself.
pub(crate) async fn json(client: &ProviderClient, response: Response) -> Result<Value, Error> {
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(bytes) = stream.next().await {
        body.extend_from_slice(&bytes.map_err(|error| error::from_transport(client, &error))?);
        if body.len() > MOST_BODY {
            return Err(error::broken(client));
        }
    }
    let value = nearly_json(&body);
    value.ok_or_else(|| match body.trim_ascii_start().first() {
        None | Some(b'{' | b'[') => error::broken(client),
        Some(_) => error::foreign(client),
    })
}

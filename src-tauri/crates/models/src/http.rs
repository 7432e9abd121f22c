//! HTTP requests and responses: bounded bodies, and refusals as our errors.

use futures::StreamExt;
use kernel::Error;
use net::nearly_json;
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

use crate::error::{self, CallError};
use crate::provider_client::{PAUSE, ProviderClient};
use crate::provider_error::ProviderError;

/// Most bytes of a body that are read; lists of models and long answers are far shorter.
const MOST_BODY: usize = 32 * 1024 * 1024;
/// Most bytes of a refusal that are read.
const MOST_REFUSAL: usize = 64 * 1024;

/// Sends a request and turns a refusal into its error. Reports that it may cost something, unless it reaches no server
/// or is refused.
pub(crate) async fn send(
    client: &ProviderClient,
    model: &str,
    request: RequestBuilder,
    tell_may_cost: impl Fn(bool),
) -> Result<Response, CallError> {
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
    // The part of a refusal that arrived before the connection broke is enough to understand it.
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Ok(Some(Ok(bytes))) = tokio::time::timeout(PAUSE, stream.next()).await {
        body.extend_from_slice(&bytes);
        if body.len() >= MOST_REFUSAL {
            break;
        }
    }
    let body = String::from_utf8_lossy(&body);
    let provider_error = ProviderError::from_body(status.as_u16(), &body);
    let error = client.refusal(&provider_error, model, Some(&headers), &body);
    Err(CallError::with_provider_error(error, provider_error))
}

/// The JSON of a whole body, regardless of its content type.
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

//! The HTTP client of a connection to a server, with the tokens of the user's sign-in.

use std::collections::HashMap;
use std::sync::Arc;

use futures::stream::BoxStream;
use kernel::Error;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use super::errors::asked_scopes;
use super::tokens::Authorization;

type HttpError = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// The most replacements of a refused token: by one that another process stored meanwhile, and by a renewed one.
const MOST_RENEWALS: u32 = 2;

/// Sends each request with the current token, and retries when the server refuses a token that can be renewed.
#[derive(Clone)]
pub(crate) struct AuthorizedClient {
    pub(crate) http: reqwest::Client,
    /// None when the user set an authorization header.
    pub(crate) authorization: Option<Arc<Authorization>>,
}

impl AuthorizedClient {
    async fn send<T, F>(&self, request: impl Fn(Option<String>) -> F + Send + Sync) -> Result<T, HttpError>
    where
        F: Future<Output = Result<T, HttpError>> + Send,
        T: Send,
    {
        let Some(authorization) = &self.authorization else { return request(None).await };
        let mut token = authorization.token(None).await.map_err(own)?;
        for _ in 0..MOST_RENEWALS {
            let sent = request(token.clone()).await;
            let refused = match &sent {
                Err(HttpError::AuthRequired(_)) => token.as_deref(),
                // Another process may have signed in for more scopes meanwhile.
                Err(HttpError::InsufficientScope(_)) => None,
                _ => return sent,
            };
            let other = authorization.token(refused).await.map_err(own)?;
            if other.is_none() || other == token {
                return remembering(authorization, sent).await;
            }
            token = other;
        }
        remembering(authorization, request(token).await).await
    }
}

/// Records the scopes that the server required beyond the granted ones, for the next sign-in.
async fn remembering<T>(authorization: &Authorization, sent: Result<T, HttpError>) -> Result<T, HttpError> {
    if let Err(HttpError::InsufficientScope(refused)) = &sent {
        authorization.remember(asked_scopes(refused)).await;
    }
    sent
}

fn own(error: Error) -> HttpError {
    HttpError::Io(std::io::Error::other(error))
}

impl StreamableHttpClient for AuthorizedClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        self.send(|token| {
            let (uri, message, session, headers) =
                (uri.clone(), message.clone(), session.clone(), headers.clone());
            self.http.post_message_with_response_limits(uri, message, session, token, headers, limits)
        })
        .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: Headers,
    ) -> Result<(), HttpError> {
        // The connection ends: a renewal is not worthwhile, and the end of the program would interrupt it.
        let token = self.authorization.as_ref().and_then(|authorization| authorization.held_token());
        self.http.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        let most = crate::flood::LONGEST_MESSAGE;
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, most).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        self.send(|token| {
            let (uri, session, last, headers) =
                (uri.clone(), session.clone(), last_event.clone(), headers.clone());
            self.http.get_stream_with_max_sse_event_size(uri, session, last, token, headers, most)
        })
        .await
    }
}

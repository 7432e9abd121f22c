//! The HTTP client of every OAuth request: only https, or the loopback where the server itself is there; bounded answers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Url};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, OAuthHttpClient, OAuthHttpClientError,
    OAuthHttpClientFuture, OAuthHttpRequest,
};
use tokio::time::timeout;

/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 1 << 20;
/// How long one request may take.
const REQUEST: Duration = Duration::from_secs(30);
/// How long it may take to reach a server.
const CONNECT: Duration = Duration::from_secs(10);
/// How long all requests for metadata may take together.
const DISCOVERY: Duration = Duration::from_secs(45);

/// Sends OAuth requests for one MCP server.
pub(crate) struct OAuthHttp {
    http: reqwest::Client,
    /// Whether the MCP server is on this machine, so that its authorization server may be there, too.
    is_local: bool,
    /// Where a document was read last.
    read_at: Mutex<Option<Url>>,
}

impl OAuthHttp {
    /// # Errors
    /// The client cannot be set up.
    pub(crate) fn new(server: &Url) -> Result<OAuthHttp, AuthError> {
        // Redirects are followed by rmcp alone, which checks where they lead.
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        Ok(OAuthHttp {
            http: http.timeout(REQUEST).connect_timeout(CONNECT).build()?,
            is_local: is_loopback(server),
            read_at: Mutex::default(),
        })
    }

    fn allows(&self, url: &Url) -> bool {
        url.scheme() == "https" || (self.is_local && url.scheme() == "http" && is_loopback(url))
    }

    /// Posts a form, with the client's secret where it has one, and gives the status.
    ///
    /// # Errors
    /// The address is neither https nor local, or nothing answers there.
    pub(crate) async fn post_form(
        &self,
        url: &Url,
        fields: &[(&str, &str)],
        client: Option<(&str, &str)>,
    ) -> Result<u16, OAuthHttpClientError> {
        self.check(url)?;
        // The query of an address is encoded as a form is.
        let form = Url::parse_with_params("http://form/", fields)?;
        let mut request = self.http.post(url.clone()).body(form.query().unwrap_or_default().to_owned());
        request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some((id, secret)) = client {
            request = request.basic_auth(form_encoded(id)?, Some(form_encoded(secret)?));
        }
        Ok(request.send().await.map_err(reqwest::Error::without_url)?.status().as_u16())
    }

    fn check(&self, url: &Url) -> Result<(), OAuthHttpClientError> {
        if self.allows(url) {
            return Ok(());
        }
        let origin = url.origin().ascii_serialization();
        Err(format!("{origin} is not an https address; nothing is sent there").into())
    }
}

/// As RFC 6749 §2.3.1 encodes the name and the secret of a client.
fn form_encoded(text: &str) -> Result<String, OAuthHttpClientError> {
    let form = Url::parse_with_params("http://form/", [("", text)])?;
    Ok(form.query().unwrap_or_default().trim_start_matches('=').to_owned())
}

impl OAuthHttpClient for OAuthHttp {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let request = reqwest::Request::try_from(request.request)?;
            self.check(request.url())?;
            let read = (request.method() == Method::GET).then(|| request.url().clone());
            // The address of a request for a token may hold secrets.
            let mut answer = self.http.execute(request).await.map_err(reqwest::Error::without_url)?;
            if let Some(read) = read.filter(|_| answer.status().is_success()) {
                *self.read_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
            }
            let mut body = Vec::new();
            let is_stream = answer
                .headers()
                .get(CONTENT_TYPE)
                .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
            // A stream of events does not end, and is no answer to any OAuth request.
            while let Some(part) = if is_stream { None } else { answer.chunk().await? } {
                if body.len() + part.len() > LARGEST_ANSWER {
                    return Err(format!("its answer is longer than {LARGEST_ANSWER} bytes").into());
                }
                body.extend_from_slice(&part);
            }
            Ok(hyper::Response::<reqwest::Body>::from(answer).map(|_| body))
        })
    }
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).trim_end_matches('.');
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// A manager for the authorization server that the MCP server names, with its metadata.
///
/// # Errors
/// There is no metadata or it cannot be used: another issuer, no PKCE with S256, an endpoint that is neither https nor local.
pub(crate) async fn discover(
    server: &Url,
) -> Result<(AuthorizationManager, AuthorizationMetadata), AuthError> {
    let http = Arc::new(OAuthHttp::new(server)?);
    let mut manager = AuthorizationManager::new_with_oauth_http_client(server.as_str(), http.clone()).await?;
    let found = timeout(DISCOVERY, manager.resolve_metadata()).await;
    let found = found.map_err(|_| AuthError::MetadataError("no answer in time".to_owned()))??;
    // Addresses that nobody published are guesses; no issuer stands behind them.
    if !found.source.is_discovered() {
        return Err(AuthError::NoAuthorizationSupport);
    }
    let metadata = found.metadata;
    // Metadata are read last. Who publishes them in the name of another one could have its tokens sent anywhere.
    let read_at = http.read_at.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let issuer = metadata.issuer.as_deref().and_then(|issuer| Url::parse(issuer).ok());
    if issuer.zip(read_at).is_none_or(|(issuer, read_at)| issuer.origin() != read_at.origin()) {
        return Err(AuthError::MetadataError("its issuer did not publish it".to_owned()));
    }
    // The protocol of MCP demands that it is named, where OAuth leaves it open.
    let methods = metadata.code_challenge_methods_supported.as_deref().unwrap_or_default();
    if !methods.iter().any(|method| method == "S256") {
        return Err(AuthError::PkceUnsupported);
    }
    let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint];
    for endpoint in endpoints.into_iter().chain(&metadata.registration_endpoint) {
        if !Url::parse(endpoint).is_ok_and(|url| http.allows(&url)) {
            return Err(AuthError::MetadataError("one of its addresses is not https".to_owned()));
        }
    }
    manager.set_metadata(metadata.clone());
    Ok((manager, metadata))
}

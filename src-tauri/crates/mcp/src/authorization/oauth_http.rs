//! The HTTP client for all OAuth requests: only https, or loopback if the server itself is local; only public
//! addresses, unless the server itself has a private one; bounded answers.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use net::{Lookup, SystemLookup, public_names, refused_kind};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Url};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, OAuthHttpClient, OAuthHttpClientError,
    OAuthHttpClientFuture, OAuthHttpRequest,
};
use tokio::time::timeout;

/// The largest answer, in bytes.
const LARGEST_ANSWER: usize = 1 << 20;
/// The time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit of a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit of all metadata requests together.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(45);

/// Sends OAuth requests for one MCP server.
pub(crate) struct OAuthHttp {
    http: reqwest::Client,
    /// Whether the MCP server is on this machine, so that its authorization server may be, too.
    is_local: bool,
    /// Whether the MCP server has a public address, so that it may not refer to the user's private network.
    is_public: bool,
    /// The address from which a document was last read.
    read_at: Mutex<Option<Url>>,
}

impl OAuthHttp {
    /// # Errors
    /// The client cannot be created.
    pub(crate) async fn new(server: &Url) -> Result<OAuthHttp, AuthError> {
        OAuthHttp::with(server, Arc::new(SystemLookup)).await
    }

    async fn with(server: &Url, lookup: Arc<dyn Lookup>) -> Result<OAuthHttp, AuthError> {
        // Only rmcp follows redirects, because it checks their targets.
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let http = http.timeout(REQUEST_TIMEOUT).connect_timeout(CONNECT_TIMEOUT);
        let host = server.host_str().unwrap_or_default();
        let found = match ip_of(server) {
            Some(address) => vec![address],
            None => timeout(CONNECT_TIMEOUT, lookup.addresses(host))
                .await
                .ok()
                .and_then(Result::ok)
                .unwrap_or_default(),
        };
        let is_public = found.iter().all(|address| refused_kind(*address).is_none());
        // A name keeps its addresses, so that it cannot change from a private one to another later.
        let found: Vec<_> = found.into_iter().map(|address| SocketAddr::new(address, 0)).collect();
        let http = match is_public {
            true => http.dns_resolver(public_names(lookup)),
            false => http.resolve_to_addrs(host, &found),
        };
        let (is_local, read_at) = (is_loopback(server), Mutex::default());
        Ok(OAuthHttp { http: http.build()?, is_local, is_public, read_at })
    }

    fn allows(&self, url: &Url) -> bool {
        let is_private = ip_of(url).is_some_and(|address| refused_kind(address).is_some());
        let is_secure =
            url.scheme() == "https" || (self.is_local && url.scheme() == "http" && is_loopback(url));
        is_secure && !(self.is_public && is_private)
    }

    /// Posts a form, with the client's secret if it has one, and returns the status.
    ///
    /// # Errors
    /// The address is neither https nor local, or the request fails.
    pub(crate) async fn post_form(
        &self,
        url: &Url,
        fields: &[(&str, &str)],
        client: Option<(&str, &str)>,
    ) -> Result<u16, OAuthHttpClientError> {
        self.check(url)?;
        // The query of an address has the same encoding as a form.
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
        Err(format!("{origin} is not a public https address; nothing is sent there").into())
    }
}

/// Encodes the name and the secret of a client by RFC 6749 §2.3.1.
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
            // The address of a token request may contain secrets.
            let mut answer = self.http.execute(request).await.map_err(reqwest::Error::without_url)?;
            if let Some(read) = read.filter(|_| answer.status().is_success()) {
                *self.read_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
            }
            let mut body = Vec::new();
            let is_stream = answer
                .headers()
                .get(CONTENT_TYPE)
                .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
            // An event stream is endless, and no valid answer to an OAuth request.
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

/// Whether the host of an address is this machine.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match ip_of(url) {
        Some(address) => address.is_loopback(),
        None => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn ip_of(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// Creates a manager for the authorization server of the MCP server, with its metadata.
///
/// # Errors
/// There is no metadata, or it is unusable: another issuer, no PKCE with S256, an endpoint that is neither https nor
/// local.
pub(crate) async fn discover(
    server: &Url,
) -> Result<(AuthorizationManager, AuthorizationMetadata), AuthError> {
    let http = Arc::new(OAuthHttp::new(server).await?);
    let mut manager = AuthorizationManager::new_with_oauth_http_client(server.as_str(), http.clone()).await?;
    let found = timeout(DISCOVERY_TIMEOUT, manager.resolve_metadata()).await;
    let found = found.map_err(|_| AuthError::MetadataError("no answer in time".to_owned()))??;
    // Metadata from an address that the server did not publish are a guess that no issuer confirms.
    if !found.source.is_discovered() {
        return Err(AuthError::NoAuthorizationSupport);
    }
    let metadata = found.metadata;
    // The metadata are the last document read. Metadata published in another issuer's name could redirect its tokens.
    let read_at = http.read_at.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let issuer = metadata.issuer.as_deref().and_then(|issuer| Url::parse(issuer).ok());
    if issuer.zip(read_at).is_none_or(|(issuer, read_at)| issuer.origin() != read_at.origin()) {
        return Err(AuthError::MetadataError("its issuer did not publish it".to_owned()));
    }
    // MCP requires this field, although OAuth makes it optional.
    let methods = metadata.code_challenge_methods_supported.as_deref().unwrap_or_default();
    if !methods.iter().any(|method| method == "S256") {
        return Err(AuthError::PkceUnsupported);
    }
    let endpoints = [&metadata.authorization_endpoint, &metadata.token_endpoint];
    for endpoint in endpoints.into_iter().chain(&metadata.registration_endpoint) {
        if !Url::parse(endpoint).is_ok_and(|url| http.allows(&url)) {
            return Err(AuthError::MetadataError(
                "one of its addresses is not https, or not public".to_owned(),
            ));
        }
    }
    manager.set_metadata(metadata.clone());
    Ok((manager, metadata))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service_errors::innermost;

    /// Only `mcp.example` is public.
    struct Names;

    impl Lookup for Names {
        fn addresses(&self, name: &str) -> net::Addresses {
            let address = if name == "mcp.example" { [93, 184, 215, 14] } else { [127, 0, 0, 1] };
            Box::pin(async move { Ok(vec![address.into()]) })
        }
    }

    #[tokio::test]
    async fn a_public_server_cannot_refer_to_private_addresses_and_a_private_one_can() {
        let why = async |server: &str, to: &str| {
            let http = OAuthHttp::with(&Url::parse(server).unwrap(), Arc::new(Names)).await.unwrap();
            let error = http.post_form(&Url::parse(to).unwrap(), &[], None).await.unwrap_err();
            innermost(error.as_ref())
        };
        let public = "https://mcp.example/mcp";
        let refused = why(public, "https://inside.example:1/token").await;
        assert_eq!(refused, "its name stands for 127.0.0.1, a loopback address");
        for to in ["https://10.0.0.1/token", "https://[::1]/token", "http://mcp.example/token"] {
            let refused = why(public, to).await;
            assert!(refused.contains("is not a public https address"), "{refused}");
        }
        for server in ["https://inside.example:1/mcp", "https://127.0.0.1:1/mcp"] {
            let failed = why(server, "https://127.0.0.1:1/token").await;
            assert!(failed.contains("refused") && !failed.contains("public"), "{failed}");
            let failed = why(server, &format!("{}/token", server.trim_end_matches("/mcp"))).await;
            assert!(failed.contains("refused") && !failed.contains("public"), "{failed}");
        }
    }
}

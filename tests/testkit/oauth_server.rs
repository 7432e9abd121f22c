//! An MCP server over HTTP behind OAuth, with its authorization server: it refuses what a real one refuses. A code or refresh
//! token that comes twice ends all tokens of its sign-in, by OAuth 2.1 §4.3.1 and RFC 9700 §4.14.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::loopback::{FreePlace, Gate, Loopback};
use guarded_tools::{end_session, mcp};

#[path = "guarded_tools.rs"]
mod guarded_tools;

/// A sign-in may be asked for these.
const SCOPES: [&str; 3] = ["read", "write", "offline_access"];

/// A running server. `read` is needed for all that it does, `write` for its tool `erase`.
pub struct OAuthServer {
    /// `http://127.0.0.1:PORT`; the MCP server is at `/mcp`.
    pub base_url: String,
    shared: Shared,
    pub gate: Arc<Gate>,
    _loopback: Loopback,
}

type Shared = Arc<Mutex<Record>>;
type Fields = HashMap<String, String>;

/// What it knows and what it saw.
#[derive(Default)]
struct Record {
    base_url: String,
    clients: HashMap<String, Vec<String>>,
    codes: HashMap<String, Code>,
    grants: Vec<Grant>,
    count: u64,
    declines: bool,
    revokes_nothing: bool,
    client_error: Option<&'static str>,
    challenge: Option<&'static str>,
    gives_only: Option<Vec<String>>,
    expires_in: Option<u64>,
    lies: Vec<(String, Value)>,
    seen: Seen,
}

/// What tests look at.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// How many clients were registered.
    pub registered: u32,
    /// The scopes of each visit of a browser.
    pub asked: Vec<String>,
    /// How often a refresh token was exchanged.
    pub refreshed: u32,
    /// How often one came that was used before.
    pub reused: u32,
    /// How many tokens were revoked.
    pub revoked: u32,
    /// The tools that were called with success.
    pub called: Vec<String>,
    /// Which sign-in the last of these calls was of, counted from 0.
    pub caller: Option<usize>,
    /// What was refused, and why.
    pub refused: Vec<String>,
}

struct Code {
    client: String,
    redirect: String,
    challenge: String,
    scopes: Vec<String>,
    grant: Option<usize>,
}

/// All tokens that came of one sign-in.
struct Grant {
    client: String,
    scopes: Vec<String>,
    access: Option<String>,
    refresh: String,
    former: HashSet<String>,
    is_revoked: bool,
}

impl OAuthServer {
    pub fn start() -> OAuthServer {
        let place = FreePlace::find();
        let base_url = place.base_url.clone();
        let (shared, gate) = (Shared::default(), Arc::<Gate>::default());
        lock(&shared).base_url.clone_from(&base_url);
        let router = Router::new()
            .route("/.well-known/oauth-protected-resource/mcp", get(resource_metadata))
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/loose/.well-known/metadata", get(metadata))
            .route("/register", post(register))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .route("/revoke", post(revoke))
            .route("/mcp", post(mcp).delete(end_session))
            .with_state(shared.clone());
        let router = gate.clone().before(router);
        OAuthServer { base_url, shared, gate, _loopback: place.serve("oauth-server", router) }
    }

    /// The address of the MCP server.
    pub fn url(&self) -> String {
        format!("{}/mcp", self.base_url)
    }

    pub fn seen(&self) -> Seen {
        lock(&self.shared).seen.clone()
    }

    /// The person declines from now on.
    pub fn decline(&self) {
        lock(&self.shared).declines = true;
    }

    /// Revocations fail from now on.
    pub fn revoke_nothing(&self) {
        lock(&self.shared).revokes_nothing = true;
    }

    /// The token endpoint answers the clients that are registered so far with this error.
    pub fn refuse_clients(&self, error: &'static str) {
        lock(&self.shared).client_error = Some(error);
    }

    /// Who calls `erase` without `write` is told to ask for this scope instead.
    pub fn challenge_for(&self, scope: &'static str) {
        lock(&self.shared).challenge = Some(scope);
    }

    /// Tokens are given for these scopes at most from now on.
    pub fn give_only(&self, scopes: &[&str]) {
        lock(&self.shared).gives_only = Some(scopes.iter().map(|scope| (*scope).to_owned()).collect());
    }

    /// Tokens are said to end after so many seconds from now on.
    pub fn end_tokens_after(&self, seconds: u64) {
        lock(&self.shared).expires_in = Some(seconds);
    }

    /// Its metadata, of the server and of the authorization server, says this from now on.
    pub fn advertise(&self, field: &str, value: Value) {
        lock(&self.shared).lies = vec![(field.to_owned(), value)];
    }

    /// Every access token ends now; refresh tokens stay.
    pub fn end_access_tokens(&self) {
        lock(&self.shared).grants.iter_mut().for_each(|grant| grant.access = None);
    }

    /// Every refresh token ends, too.
    pub fn end_sign_ins(&self) {
        lock(&self.shared).grants.iter_mut().for_each(Grant::revoke);
    }
}

impl Grant {
    fn revoke(&mut self) {
        self.access = None;
        self.is_revoked = true;
    }
}

impl Record {
    fn new_word(&mut self, kind: &str) -> String {
        self.count += 1;
        let digest = Sha256::digest(format!("{}{kind}{}", self.base_url, self.count));
        format!("{kind}-{}", BASE64_URL_SAFE_NO_PAD.encode(digest))
    }

    /// Metadata with what it is made to say instead.
    fn advertised(&self, mut metadata: Value) -> Json<Value> {
        if let Some(fields) = metadata.as_object_mut() {
            fields.extend(self.lies.iter().cloned());
        }
        Json(metadata)
    }

    fn refuse(&mut self, error: &str, why: &str) -> Response {
        self.seen.refused.push(format!("{error}: {why}"));
        (StatusCode::BAD_REQUEST, Json(json!({"error": error, "error_description": why}))).into_response()
    }

    /// New tokens of a grant; the refresh token so far is used up.
    fn give(&mut self, grant: usize) -> Response {
        let (access, refresh) = (self.new_word("access"), self.new_word("refresh"));
        let Some(given) = self.grants.get_mut(grant) else { return StatusCode::NOT_FOUND.into_response() };
        let former = std::mem::replace(&mut given.refresh, refresh.clone());
        given.former.insert(former);
        given.access = Some(access.clone());
        let mut body = json!({
            "access_token": access,
            "refresh_token": refresh,
            "token_type": "Bearer",
            "scope": given.scopes.join(" "),
        });
        if let (Some(fields), Some(seconds)) = (body.as_object_mut(), self.expires_in) {
            fields.insert("expires_in".to_owned(), json!(seconds));
        }
        Json(body).into_response()
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, Record> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn field<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).map_or("", String::as_str)
}

/// The fields of a form, which is written as a query is.
fn form(body: &str) -> Fields {
    let uri = format!("/?{body}").parse::<Uri>().unwrap_or_default();
    Query::<Fields>::try_from_uri(&uri).map(|Query(fields)| fields).unwrap_or_default()
}

async fn resource_metadata(State(shared): State<Shared>) -> Json<Value> {
    let record = lock(&shared);
    let base = &record.base_url;
    record.advertised(json!({
        "resource": format!("{base}/mcp"),
        "authorization_servers": [base],
        "scopes_supported": ["read"],
    }))
}

async fn metadata(State(shared): State<Shared>) -> Json<Value> {
    let record = lock(&shared);
    let base = &record.base_url;
    record.advertised(json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": format!("{base}/token"),
        "registration_endpoint": format!("{base}/register"),
        "revocation_endpoint": format!("{base}/revoke"),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": SCOPES,
        "authorization_response_iss_parameter_supported": true,
    }))
}

async fn register(State(shared): State<Shared>, Json(asked): Json<Value>) -> Response {
    let mut record = lock(&shared);
    let redirects: Vec<String> = serde_json::from_value(asked["redirect_uris"].clone()).unwrap_or_default();
    let is_local = |uri: &String| uri.starts_with("http://127.0.0.1:");
    if redirects.is_empty() || !redirects.iter().all(is_local) {
        return record.refuse("invalid_redirect_uri", "only the loopback");
    }
    let is_public = asked["token_endpoint_auth_method"] == "none" && asked["application_type"] == "native";
    if !is_public || asked["client_name"].as_str().is_none_or(str::is_empty) {
        return record.refuse("invalid_client_metadata", "a native program with a name and without a secret");
    }
    let id = record.new_word("client");
    record.clients.insert(id.clone(), redirects.clone());
    record.client_error = None;
    record.seen.registered += 1;
    let body = json!({"client_id": id, "client_name": asked["client_name"], "redirect_uris": redirects});
    (StatusCode::CREATED, Json(body)).into_response()
}

/// The page where a person signs in; this person does so at once.
async fn authorize(State(shared): State<Shared>, Query(fields): Query<Fields>) -> Response {
    let mut record = lock(&shared);
    let (client, redirect) = (field(&fields, "client_id"), field(&fields, "redirect_uri"));
    let is_registered =
        record.clients.get(client).is_some_and(|known| known.iter().any(|uri| uri == redirect));
    if !is_registered {
        return record.refuse("invalid_request", "no such client, or another redirect_uri");
    }
    let resource = format!("{}/mcp", record.base_url);
    let is_whole = field(&fields, "response_type") == "code"
        && field(&fields, "code_challenge_method") == "S256"
        && field(&fields, "code_challenge").len() == 43
        && field(&fields, "state").len() >= 16
        && field(&fields, "resource") == resource;
    if !is_whole {
        return record.refuse("invalid_request", "response_type, code_challenge, state or resource");
    }
    let asked = field(&fields, "scope").to_owned();
    let scopes: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
    let is_known = scopes.iter().all(|scope| SCOPES.contains(&scope.as_str()));
    record.seen.asked.push(asked);
    let back = format!("{redirect}?state={}&iss={}", field(&fields, "state"), record.base_url);
    let back = if !is_known {
        format!("{back}&error=invalid_scope")
    } else if record.declines {
        format!("{back}&error=access_denied&error_description=not%20today")
    } else {
        let code = record.new_word("code");
        let (client, redirect) = (client.to_owned(), redirect.to_owned());
        let challenge = field(&fields, "code_challenge").to_owned();
        record.codes.insert(code.clone(), Code { client, redirect, challenge, scopes, grant: None });
        format!("{back}&code={code}")
    };
    (StatusCode::FOUND, [(header::LOCATION, back)]).into_response()
}

async fn token(State(shared): State<Shared>, body: String) -> Response {
    let (mut record, fields) = (lock(&shared), form(&body));
    if field(&fields, "resource") != format!("{}/mcp", record.base_url) {
        return record.refuse("invalid_target", "another resource");
    }
    if let Some(error) = record.client_error {
        return record.refuse(error, "no such client");
    }
    match field(&fields, "grant_type") {
        "authorization_code" => exchange(&mut record, &fields),
        "refresh_token" => refresh(&mut record, &fields),
        _ => record.refuse("unsupported_grant_type", "neither a code nor a refresh token"),
    }
}

fn exchange(record: &mut Record, fields: &Fields) -> Response {
    let Some(code) = record.codes.get(field(fields, "code")) else {
        return record.refuse("invalid_grant", "no such code");
    };
    if let Some(grant) = code.grant {
        record.grants.iter_mut().skip(grant).take(1).for_each(Grant::revoke);
        return record.refuse("invalid_grant", "the code was used before");
    }
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(field(fields, "code_verifier")));
    if code.client != field(fields, "client_id") || code.redirect != field(fields, "redirect_uri") {
        return record.refuse("invalid_grant", "another client or redirect_uri");
    }
    if code.challenge != challenge {
        return record.refuse("invalid_grant", "another code_verifier");
    }
    let (client, mut scopes) = (code.client.clone(), code.scopes.clone());
    scopes.retain(|scope| record.gives_only.as_ref().is_none_or(|given| given.contains(scope)));
    let (grant, refresh) = (record.grants.len(), record.new_word("refresh"));
    let former = HashSet::new();
    record.grants.push(Grant { client, scopes, access: None, refresh, former, is_revoked: false });
    if let Some(code) = record.codes.get_mut(field(fields, "code")) {
        code.grant = Some(grant);
    }
    record.give(grant)
}

fn refresh(record: &mut Record, fields: &Fields) -> Response {
    let (token, client) = (field(fields, "refresh_token"), field(fields, "client_id"));
    let reused = record.grants.iter_mut().find(|grant| grant.former.contains(token));
    if let Some(grant) = reused {
        grant.revoke();
        record.seen.reused += 1;
        return record.refuse("invalid_grant", "the refresh token was used before");
    }
    let known = |grant: &Grant| grant.refresh == token && grant.client == client && !grant.is_revoked;
    let Some(grant) = record.grants.iter().position(known) else {
        return record.refuse("invalid_grant", "no such refresh token");
    };
    record.seen.refreshed += 1;
    record.give(grant)
}

async fn revoke(State(shared): State<Shared>, body: String) -> Response {
    let (mut record, fields) = (lock(&shared), form(&body));
    if record.revokes_nothing {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let token = field(&fields, "token");
    let is_of = |grant: &&mut Grant| grant.refresh == token || grant.access.as_deref() == Some(token);
    let client = field(&fields, "client_id");
    if let Some(grant) = record.grants.iter_mut().find(is_of) {
        if grant.client != client {
            return record.refuse("invalid_client", "the token of another client");
        }
        grant.revoke();
        record.seen.revoked += 1;
    }
    StatusCode::OK.into_response()
}

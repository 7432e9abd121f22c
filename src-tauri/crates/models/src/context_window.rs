//! The context windows of the models of one profile, as its server tells them, and the refusal of a request that does
//! not fit. Windows are kept as long as the client.
//!
//! Not here: how each kind of server tells its windows (`server_kinds`), how long a prompt is (`prompt_size`).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::{Code, Error, ModelRequest, Phrase, phrase};
use serde_json::json;

use crate::prompt_size::Prompt;
use crate::provider_client::ProviderClient;
use crate::recognition::{Recognised, ask, recognise};
use crate::server_kinds::{SERVER_KINDS, ServerKind, Window};

/// Timeout for the window of a model.
const WINDOW_WITHIN: Duration = Duration::from_secs(2);
/// Timeout for the number of tokens of a prompt.
const COUNT_WITHIN: Duration = Duration::from_secs(10);

/// The windows of the models of one profile. Servers that are not the person's own are not asked.
pub(crate) struct ContextWindows {
    /// The kinds of which its server may be.
    kinds: Vec<&'static ServerKind>,
    /// The kind of its server, once it is known whether it has one.
    kind: Mutex<Option<Option<&'static ServerKind>>>,
    windows: Mutex<HashMap<String, u64>>,
}

impl ContextWindows {
    pub(crate) fn of(client: &ProviderClient) -> ContextWindows {
        let kinds: Vec<_> = match client.is_local() {
            true => SERVER_KINDS.iter().filter(|kind| kind.provider == client.provider()).collect(),
            false => Vec::new(),
        };
        // A provider with one kind of server needs no recognition.
        let kind = match kinds.as_slice() {
            [] => Some(None),
            [only] => Some(Some(*only)),
            _ => None,
        };
        ContextWindows { kinds, kind: Mutex::new(kind), windows: Mutex::default() }
    }

    /// Refuses a request whose prompt and answer need more tokens than the model's window has. Returns the window, if
    /// it is known.
    pub(crate) async fn refuse_too_long(
        &self,
        client: &ProviderClient,
        request: &ModelRequest,
    ) -> Result<Option<u64>, Error> {
        let Some(kind) = self.kind(client).await else { return Ok(None) };
        let known = lock(&self.windows).get(&request.model).copied();
        let window = match known {
            Some(known) => known,
            None => match self.read(client, kind, &request.model).await {
                Some(read) => read,
                None => return Ok(None),
            },
        };
        let prompt = Prompt::of(request)?;
        let answer = u64::from(request.max_output_tokens);
        if prompt.most_tokens().saturating_add(answer) <= window {
            return Ok(Some(window));
        }
        let counted = counted_tokens(client, kind, &request.model, &prompt).await;
        let needed = counted.unwrap_or_else(|| prompt.least_tokens()).saturating_add(answer);
        if needed <= window {
            return Ok(Some(window));
        }
        // The server may have been started anew, with a larger window.
        let window = match known {
            Some(_) => self.read(client, kind, &request.model).await,
            None => Some(window),
        };
        match window {
            Some(window) if needed > window => {
                Err(too_long(client, kind, &request.model, needed, answer, window))
            }
            window => Ok(window),
        }
    }

    /// The kind of the server; `None` if it is none of the known kinds, or did not answer in time.
    async fn kind(&self, client: &ProviderClient) -> Option<&'static ServerKind> {
        let known = *lock(&self.kind);
        if let Some(kind) = known {
            return kind;
        }
        let kind = match recognise(client, &self.kinds).await {
            Recognised::Kind(kind) => Some(kind),
            Recognised::Stranger => None,
            Recognised::Silent => return None,
        };
        *lock(&self.kind) = Some(kind);
        kind
    }

    /// Asks the server for the window of a model.
    async fn read(&self, client: &ProviderClient, kind: &ServerKind, model: &str) -> Option<u64> {
        let mut url = client.url_of_server(kind.base_path, kind.window.path);
        let request = match kind.window.is_post {
            true => client.http().post(url).json(&json!({ "model": model })),
            false => {
                url.query_pairs_mut().append_pair("model", model);
                client.http().get(url)
            }
        };
        let body = ask(client, request, WINDOW_WITHIN).await.ok()??;
        let Window { tokens, is_settled } = (kind.window.read)(&body, model)?;
        let mut windows = lock(&self.windows);
        match is_settled {
            true => windows.insert(model.to_owned(), tokens),
            false => windows.remove(model),
        };
        Some(tokens)
    }
}

/// The number of tokens of a prompt as its server counts them, without what it puts around messages; `None` if it does
/// not count.
async fn counted_tokens(
    client: &ProviderClient,
    kind: &ServerKind,
    model: &str,
    prompt: &Prompt<'_>,
) -> Option<u64> {
    let field = kind.tokenized_field?;
    let url = client.url_of_server(kind.base_path, "tokenize");
    let request = client.http().post(url).json(&json!({ "model": model, field: prompt.text() }));
    let body = ask(client, request, COUNT_WITHIN).await.ok()??;
    body["count"].as_u64().or_else(|| Some(body["tokens"].as_array().map(Vec::len)? as u64))
}

fn too_long(
    client: &ProviderClient,
    kind: &ServerKind,
    model: &str,
    needed: u64,
    answer: u64,
    window: u64,
) -> Error {
    let what = phrase!(
        "This request needs at least {needed} tokens, {answer} of them for the answer, and the context window of model `{model}` at {server} has {window}; it was not sent.",
        needed,
        answer,
        model,
        server = client.server(),
        window
    );
    let ways = phrase!(
        "What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`."
    );
    let way_there = kind.way_to_larger_window.map(Phrase::from);
    let message = Phrase::sentences([what, ways].into_iter().chain(way_there));
    client.error(Code::ContextExceeded, message, None)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

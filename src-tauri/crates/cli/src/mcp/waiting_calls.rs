//! Calls that wait for an answer in a separate request, as in version 2026-07-28 of the protocol.
//!
//! The client gets a signed state that names the call, and returns it with the answer. The key lives as long as the
//! process, and so do the waiting runs.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use desk::{ApiError, ErrorCode, Phrase, new_secret};
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, InputRequest, InputRequests, InputRequiredResult,
    RequestStateCodec, SealOptions,
};

use super::elicitation;
use super::run_call::RunCall;
use crate::option_values::refused;
use crate::question_prompt::PendingQuestion;

/// Timeout for an answer. Then a run whose answer would arrive in a separate request is stopped, and can be resumed; if
/// the call itself waits, the default applies.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The name of the question in a request for input.
pub(crate) const QUESTION: &str = "question";

/// A call with the question that it waits for.
pub(crate) struct WaitingCall {
    pub(crate) call: RunCall,
    pub(crate) asked: PendingQuestion,
}

/// The waiting calls by the secret names that clients get for them.
pub(crate) struct WaitingCalls {
    codec: RequestStateCodec,
    calls: Mutex<HashMap<String, WaitingCall>>,
}

impl WaitingCalls {
    /// Starts without calls, and with a new key.
    ///
    /// # Errors
    /// `internal` if the key is rejected.
    pub(crate) fn new() -> Result<WaitingCalls, ApiError> {
        let codec = RequestStateCodec::try_new(new_secret()).map_err(|error| {
            let message =
                format!("No key for the answers of clients can be made: {error}; start Galley again");
            ApiError::new(ErrorCode::Internal, Phrase::verbatim(message))
        })?;
        Ok(WaitingCalls { codec, calls: Mutex::default() })
    }

    /// Keeps a call until its answer arrives, and returns the request for input; `complaint` states why the last answer
    /// was invalid.
    ///
    /// # Errors
    /// As for making the form.
    pub(crate) fn keep(
        self: &Arc<Self>,
        waiting: WaitingCall,
        request: &CallToolRequestParams,
        complaint: Option<&str>,
    ) -> Result<InputRequiredResult, ApiError> {
        let form = elicitation::form(&waiting.asked.question, complaint)?;
        let name = new_secret();
        let bound = bound(request);
        let options = SealOptions::new().associated_data(&bound).ttl(ANSWER_WITHIN);
        let state = self.codec.seal_with(name.as_bytes(), &options);
        self.calls().insert(name.clone(), waiting);
        let calls = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(ANSWER_WITHIN).await;
            if let Some(calls) = calls.upgrade() {
                calls.calls().remove(&name);
            }
        });
        let asks = InputRequest::Elicitation(ElicitRequest::new(form));
        Ok(InputRequiredResult::new(Some(InputRequests::from([(QUESTION.to_owned(), asks)])), Some(state)))
    }

    /// Takes the call that a state names.
    ///
    /// # Errors
    /// `bad_input` if the state is from another process or another call, or its call no longer waits.
    pub(crate) fn take(&self, state: &str, request: &CallToolRequestParams) -> Result<WaitingCall, ApiError> {
        let opened = self.codec.open_with(state, &bound(request));
        let name = opened.map_err(|error| {
            refused(format!("The requestState is none of this server for this call: {error}; call the tool again without it"))
        })?;
        let found = self.calls().remove(&*String::from_utf8_lossy(&name));
        found.ok_or_else(|| {
            refused("The run no longer waits for this answer; call the tool again without the requestState")
        })
    }

    /// Stops every waiting run.
    pub(crate) fn clear(&self) {
        self.calls().clear();
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, WaitingCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The data that a state is bound to: the tool and its arguments in a canonical order.
fn bound(request: &CallToolRequestParams) -> Vec<u8> {
    let arguments: BTreeMap<_, _> = request.arguments.iter().flatten().collect();
    // Serialising names and JSON values cannot fail.
    serde_json::to_vec(&(&request.name, arguments)).unwrap_or_default()
}

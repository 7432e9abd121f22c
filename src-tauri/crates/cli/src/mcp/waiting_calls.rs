//! Calls that wait for an answer which comes with a request of its own, as in version 2026-07-28 of the protocol.
//!
//! The client gets a signed text that names the call, and gives it back with the answer. The key lives as long as the
//! process, and so do the runs that wait.

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

/// How long an answer is waited for. Then a run that waits for a request with it is stopped, and can be resumed; where the
/// call itself waits, the default rule holds.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The name of the question in a request for input.
pub(crate) const QUESTION: &str = "question";

/// A call with the question that it waits with.
pub(crate) struct WaitingCall {
    pub(crate) call: RunCall,
    pub(crate) asked: PendingQuestion,
}

/// The calls by the secret names that the client gets for them.
pub(crate) struct WaitingCalls {
    codec: RequestStateCodec,
    calls: Mutex<HashMap<String, WaitingCall>>,
}

impl WaitingCalls {
    /// No calls, and a new key.
    ///
    /// # Errors
    /// `internal` where the key is refused.
    pub(crate) fn new() -> Result<WaitingCalls, ApiError> {
        let codec = RequestStateCodec::try_new(new_secret()).map_err(|error| {
            let message =
                format!("No key for the answers of clients can be made: {error}; start Galley again");
            ApiError::new(ErrorCode::Internal, Phrase::verbatim(message))
        })?;
        Ok(WaitingCalls { codec, calls: Mutex::default() })
    }

    /// Keeps a call until its answer comes, and gives what the client is told; `complaint` says why its last answer was
    /// none.
    ///
    /// # Errors
    /// As making the form.
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

    /// The call that a state names, which is given once.
    ///
    /// # Errors
    /// `bad_input` where the state is not of this process and this call, or its call no longer waits.
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

    /// Stops every run that waits.
    pub(crate) fn clear(&self) {
        self.calls().clear();
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, WaitingCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a state is bound to: the tool and its arguments, in whichever order they come.
fn bound(request: &CallToolRequestParams) -> Vec<u8> {
    let arguments: BTreeMap<_, _> = request.arguments.iter().flatten().collect();
    // Names and JSON values can always be written.
    serde_json::to_vec(&(&request.name, arguments)).unwrap_or_default()
}

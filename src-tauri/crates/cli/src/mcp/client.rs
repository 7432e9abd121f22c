//! The client of one tool call: it receives progress, answers questions of the run, and can cancel the call.

use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering};

use desk::{Question, UserAnswer};
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, InputRequest, ProgressNotificationParam, ProgressToken,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer};
use rmcp::task_manager::TaskContext;
use serde_json::{Value, json};

use super::elicitation;

/// How often a question is repeated after an invalid answer before the default applies.
const MOST_TRIES: u32 = 3;
/// The reason for withdrawing a form.
const NOT_NEEDED: &str = "The run needs no answer any more";

/// How a client follows its call.
pub(crate) enum Client {
    /// It waits for the response to its request.
    Request {
        context: RequestContext<RoleServer>,
        progress: Option<ProgressToken>,
        /// The number of reported stages.
        reported_stages: AtomicU32,
    },
    /// It polls a task.
    Task {
        context: TaskContext,
        shows_forms: bool,
        /// The number of questions so far, which gives each a unique name.
        asked: AtomicU32,
    },
}

/// Whether a client shows forms. A client that names no kind of elicitation supports forms.
pub(crate) fn shows_forms(context: &RequestContext<RoleServer>) -> bool {
    let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    capability.is_some_and(|capability| capability.form.is_some() || capability.url.is_none())
}

impl Client {
    pub(crate) fn of_request(context: RequestContext<RoleServer>) -> Client {
        Client::Request {
            progress: context.meta.get_progress_token(),
            reported_stages: AtomicU32::new(0),
            context,
        }
    }

    pub(crate) fn of_task(context: TaskContext, shows_forms: bool) -> Client {
        Client::Task { context, shows_forms, asked: AtomicU32::new(0) }
    }

    /// Waits until the client cancels the call.
    pub(crate) async fn cancelled(&self) {
        match self {
            Client::Request { context, .. } => context.ct.cancelled().await,
            Client::Task { context, .. } => context.cancelled().await,
        }
    }

    /// Reports a stage that starts. A client that has disconnected is ignored.
    pub(crate) async fn tell(&self, words: &str) {
        let words = desk::printable(words).into_owned();
        match self {
            Client::Task { context, .. } => context.set_status_message(words),
            Client::Request { context, progress: Some(token), reported_stages } => {
                let step = reported_stages.fetch_add(1, Ordering::Relaxed) + 1;
                let progress =
                    ProgressNotificationParam::new(token.clone(), f64::from(step)).with_message(words);
                let _gone = context.peer.notify_progress(progress).await;
            }
            Client::Request { progress: None, .. } => {}
        }
    }

    /// Whether the answer to a question arrives in a separate request.
    pub(crate) fn answers_by_request(&self) -> bool {
        match self {
            Client::Request { context, .. } => {
                let version = context.protocol_version();
                version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
                    && shows_forms(context)
            }
            Client::Task { .. } => false,
        }
    }

    /// Asks the client while the call waits. If `otherwise` completes first, the form is withdrawn. Without a client
    /// that can answer, the default applies.
    ///
    /// # Errors
    /// The output of `otherwise`.
    pub(crate) async fn ask<T>(
        &self,
        question: &Question,
        otherwise: impl Future<Output = T>,
    ) -> Result<UserAnswer, T> {
        let mut otherwise = pin!(otherwise);
        let mut complaint = None;
        for _ in 0..MOST_TRIES {
            let Ok(form) = elicitation::form(question, complaint.as_deref()) else { break };
            let Some(response) = self.show(form, otherwise.as_mut()).await? else { break };
            match elicitation::answer(question, &response) {
                Ok(answer) => return Ok(answer),
                Err(sentence) => complaint = Some(sentence),
            }
        }
        Ok(UserAnswer::NobodyThere)
    }

    /// Shows a form and returns its result.
    async fn show<T>(
        &self,
        form: ElicitRequestParams,
        mut otherwise: Pin<&mut impl Future<Output = T>>,
    ) -> Result<Option<Value>, T> {
        let form = ElicitRequest::new(form);
        match self {
            Client::Request { context, .. } if shows_forms(context) => {
                let request = ServerRequest::ElicitRequest(form);
                let options = PeerRequestOptions::no_options();
                let sent = tokio::select! {
                    biased;
                    ended = otherwise.as_mut() => return Err(ended),
                    sent = context.peer.send_cancellable_request(request, options) => sent,
                };
                let Ok(mut shown) = sent else { return Ok(None) };
                tokio::select! {
                    biased;
                    ended = otherwise => {
                        // Spawned, so that the call does not wait for a client that does not read.
                        tokio::spawn(shown.cancel(Some(NOT_NEEDED.to_owned())));
                        Err(ended)
                    }
                    result = &mut shown.rx => Ok(match result {
                        Ok(Ok(ClientResult::ElicitResult(result))) => Some(json!(result)),
                        _ => None,
                    }),
                }
            }
            Client::Task { context, shows_forms: true, asked } => {
                let number = asked.fetch_add(1, Ordering::Relaxed) + 1;
                let asks = InputRequest::Elicitation(form);
                tokio::select! {
                    biased;
                    ended = otherwise => Err(ended),
                    response = context.request_input(format!("question-{number}"), asks) => Ok(response.ok()),
                }
            }
            Client::Request { .. } | Client::Task { .. } => Ok(None),
        }
    }
}

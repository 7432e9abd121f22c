//! The client of one call: told of stages, asked what the run asks, and heard when it cancels.

use std::sync::atomic::{AtomicU32, Ordering};

use desk::{Question, UserAnswer};
use rmcp::model::{ElicitRequest, InputRequest, ProgressNotificationParam, ProgressToken, ProtocolVersion};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::TaskContext;
use serde_json::{Value, json};

use super::elicitation;

/// So often a question is asked whose answers are none; then the default rule holds.
const MOST_TRIES: u32 = 3;

/// Where a client follows its call.
pub(crate) enum Client {
    /// It waits for the response to its request.
    Request {
        context: RequestContext<RoleServer>,
        progress: Option<ProgressToken>,
        /// How many stages it was told of.
        told: AtomicU32,
    },
    /// It looks at a task now and then.
    Task {
        context: TaskContext,
        shows_forms: bool,
        /// How many questions it was asked: each has a name of its own.
        asked: AtomicU32,
    },
}

/// Whether a client shows forms. Whoever says nothing of kinds means forms.
pub(crate) fn shows_forms(context: &RequestContext<RoleServer>) -> bool {
    let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    capability.is_some_and(|capability| capability.form.is_some() || capability.url.is_none())
}

impl Client {
    pub(crate) fn of_request(context: RequestContext<RoleServer>) -> Client {
        Client::Request { progress: context.meta.get_progress_token(), told: AtomicU32::new(0), context }
    }

    pub(crate) fn of_task(context: TaskContext, shows_forms: bool) -> Client {
        Client::Task { context, shows_forms, asked: AtomicU32::new(0) }
    }

    /// Waits until the client wants nothing of the call any more.
    pub(crate) async fn cancelled(&self) {
        match self {
            Client::Request { context, .. } => context.ct.cancelled().await,
            Client::Task { context, .. } => context.cancelled().await,
        }
    }

    /// Tells of a stage that begins. A client that is gone needs no word of it.
    pub(crate) async fn tell(&self, words: &str) {
        let words = desk::printable(words).into_owned();
        match self {
            Client::Task { context, .. } => context.set_status_message(words),
            Client::Request { context, progress: Some(token), told } => {
                let step = told.fetch_add(1, Ordering::Relaxed) + 1;
                let progress =
                    ProgressNotificationParam::new(token.clone(), f64::from(step)).with_message(words);
                let _gone = context.peer.notify_progress(progress).await;
            }
            Client::Request { progress: None, .. } => {}
        }
    }

    /// Whether the answer to a question comes with a request of its own.
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

    /// Asks while the call waits. Where nobody can be asked, or nobody answers, the default rule holds.
    pub(crate) async fn ask(&self, question: &Question) -> UserAnswer {
        let mut complaint = None;
        for _ in 0..MOST_TRIES {
            let Some(said) = self.show(question, complaint.as_deref()).await else { break };
            match elicitation::answer(question, &said) {
                Ok(answer) => return answer,
                Err(sentence) => complaint = Some(sentence),
            }
        }
        UserAnswer::NobodyThere
    }

    /// Shows a question as a form and gives what comes back.
    async fn show(&self, question: &Question, complaint: Option<&str>) -> Option<Value> {
        let form = elicitation::form(question, complaint).ok()?;
        match self {
            Client::Request { context, .. } if shows_forms(context) => {
                context.peer.create_elicitation(form).await.ok().map(|result| json!(result))
            }
            Client::Task { context, shows_forms: true, asked } => {
                let number = asked.fetch_add(1, Ordering::Relaxed) + 1;
                let asks = InputRequest::Elicitation(ElicitRequest::new(form));
                context.request_input(format!("question-{number}"), asks).await.ok()
            }
            Client::Request { .. } | Client::Task { .. } => None,
        }
    }
}

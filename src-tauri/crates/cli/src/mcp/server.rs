//! Handles the requests of the protocol through the desk.

use std::sync::Arc;
use std::time::Duration;

use desk::api::PipelineCard;
use desk::{ApiError, Desk, ErrorCode, Phrase};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CreateTaskResult, CustomRequest, CustomResult,
    GetTaskParams, GetTaskResult, Implementation, InputRequiredResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, SubscriptionFilter,
    UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::{ErrorData, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::client::{Client, shows_forms};
use super::pipeline_tools::{self, PipelineTools};
use super::run_call::{CallOutcome, RunCall};
use super::run_questions::RunQuestions;
use super::waiting_calls::{QUESTION, WaitingCall, WaitingCalls};
use super::{elicitation, resources, tool_arguments, tool_result, unfit_requests};
use crate::option_values::refused;
use crate::output;
use crate::progress::StageTitles;

/// Most runs of clients that run or wait at once.
pub(crate) const MOST_AT_ONCE: usize = 16;
/// The timeout of a task, and how long its result is kept afterwards, in milliseconds.
const TASK_WITHIN_MS: u64 = 24 * 60 * 60 * 1000;
/// Interval of the check whether a subscribed client is still connected.
const CLOSED_WITHIN: Duration = Duration::from_secs(60);
const INSTRUCTIONS: &str = "Every tool is a pipeline of agents that Galley runs on this machine; a call can take minutes and \
    tells its stages as progress. What a run made is in the resources galley://runs/RUN/result, /draft and /report.";

/// The MCP server. Clones share one desk.
#[derive(Clone)]
pub(crate) struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    desk: Desk,
    /// Tools that may act without asking.
    allow: Vec<String>,
    questions: Arc<RunQuestions>,
    waiting: Arc<WaitingCalls>,
    tools: PipelineTools,
    tasks: TaskManager,
    places: Arc<Semaphore>,
    closing: CancellationToken,
}

/// The result of a request with an answer.
enum AnswerOutcome {
    /// The call continues.
    GoesOn(RunCall),
    /// The answer was invalid; the question is repeated.
    AskedAgain(InputRequiredResult),
}

impl Server {
    /// Opens a server of this desk, whose runs ask through `questions`.
    ///
    /// # Errors
    /// As for listing the pipelines.
    pub(crate) async fn open(
        desk: Desk,
        questions: Arc<RunQuestions>,
        allow: Vec<String>,
    ) -> Result<Server, ApiError> {
        let tools = PipelineTools::new(desk.clone());
        tools.read().await?;
        let shared = Arc::new(Shared {
            desk,
            allow,
            questions,
            waiting: Arc::new(WaitingCalls::new()?),
            tools,
            tasks: TaskManager::new(),
            places: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            closing: CancellationToken::new(),
        });
        let looking = shared.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = looking.tools.look_for_changes() => {}
                () = looking.closing.cancelled() => {}
            }
        });
        Ok(Server { shared })
    }

    /// Cancelled when the server closes; cancelling it stops every run.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.shared.closing.clone()
    }

    /// Stops running and waiting calls.
    pub(crate) fn close(&self) {
        self.shared.closing.cancel();
        self.shared.waiting.clear();
        self.shared.tasks.shutdown();
    }

    /// Starts the run of a call.
    async fn begin(&self, card: &PipelineCard, request: &CallToolRequestParams) -> Result<RunCall, ApiError> {
        let shared = &self.shared;
        let arguments = request.arguments.clone().unwrap_or_default();
        let start = tool_arguments::start_run(card, &arguments, &shared.allow)?;
        // Counting removes expired tasks and frees their places.
        let _how_many = shared.tasks.running_task_count();
        let place = shared.places.clone().try_acquire_owned().map_err(|_| {
            let message = format!(
                "{MOST_AT_ONCE} runs go on or wait already; wait until one ends, answer one that asks, or cancel one"
            );
            ApiError::new(ErrorCode::Busy, Phrase::verbatim(message))
        })?;
        let titles = StageTitles::of(Some(&card.outline));
        RunCall::begin(&shared.desk, shared.questions.clone(), start, titles, place).await
    }

    /// Passes an answer to the call that waits for it.
    fn answered(&self, state: &str, request: &CallToolRequestParams) -> Result<AnswerOutcome, ApiError> {
        let WaitingCall { call, asked } = self.shared.waiting.take(state, request)?;
        let response = request.input_responses.as_ref().and_then(|responses| responses.get(QUESTION));
        match elicitation::answer(&asked.question, response.unwrap_or(&Value::Null)) {
            Ok(answer) => {
                // Fails only if the run was stopped meanwhile.
                let _ = asked.reply.send(answer);
                Ok(AnswerOutcome::GoesOn(call))
            }
            Err(complaint) => {
                let waiting = WaitingCall { call, asked };
                self.shared.waiting.keep(waiting, request, Some(&complaint)).map(AnswerOutcome::AskedAgain)
            }
        }
    }

    /// Follows a call within the request that started it.
    async fn follow(
        &self,
        mut call: RunCall,
        request: &CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ApiError> {
        let client = Client::of_request(context);
        match call.follow(&client, &self.shared.closing).await {
            CallOutcome::Ended(end) => Ok(tool_result::of_run(&self.shared.desk, &call, &end).await?.into()),
            CallOutcome::Asks(asked) => {
                Ok(self.shared.waiting.keep(WaitingCall { call, asked }, request, None)?.into())
            }
        }
    }

    /// Follows a call as a task that the client polls.
    fn follow_as_task(&self, mut call: RunCall, shows_forms: bool) -> CreateTaskResult {
        let shared = self.shared.clone();
        let follow = move |context: TaskContext| async move {
            let client = Client::of_task(context.clone(), shows_forms);
            let followed = call.follow(&client, &shared.closing).await;
            match followed {
                // The questions of a task are not answered in separate requests.
                CallOutcome::Asks(_) => Err(TaskExit::Cancelled),
                CallOutcome::Ended(_) if context.is_cancel_requested() => Err(TaskExit::Cancelled),
                CallOutcome::Ended(end) => {
                    let result = tool_result::of_run(&shared.desk, &call, &end).await;
                    Ok(result.unwrap_or_else(|error| tool_result::refusal(&error)))
                }
            }
        };
        let options = TaskOptions::new().with_ttl_ms(TASK_WITHIN_MS);
        CreateTaskResult::new(self.shared.tasks.spawn(options, |context| Box::pin(follow(context))))
    }
}

/// Converts an error of the desk to one of the protocol.
fn protocol_error(error: &ApiError) -> ErrorData {
    let sentence = output::sentence(error);
    match error.code {
        ErrorCode::NotFound => ErrorData::resource_not_found(sentence, None),
        ErrorCode::BadInput => ErrorData::invalid_params(sentence, None),
        _ => ErrorData::internal_error(sentence, None),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_tasks()
            .build();
        let program = Implementation::new("galley", env!("CARGO_PKG_VERSION")).with_title("Galley");
        ServerConfig::new(capabilities).with_server_info(program).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.shared.tools.read().await.map_err(|error| protocol_error(&error))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // An unknown tool is a protocol error; any other error is a result for the model.
        let card = pipeline_tools::card(&self.shared.desk, &request.name).await;
        let card = card.map_err(|error| ErrorData::invalid_params(output::sentence(&error), None))?;
        let begun = match &request.request_state {
            Some(state) => self.answered(state, &request),
            // Otherwise it would start a second run beside the waiting one.
            None if request.input_responses.is_some() => Err(refused(
                "The inputResponses came without the requestState that they answer; send both, or call the tool again with neither",
            )),
            None => self.begin(&card, &request).await.map(AnswerOutcome::GoesOn),
        };
        let takes_tasks = context.client_capabilities().is_some_and(|client| client.supports_tasks());
        let response = match begun {
            Ok(AnswerOutcome::AskedAgain(again)) => Ok(again.into()),
            Ok(AnswerOutcome::GoesOn(call)) if takes_tasks => {
                Ok(self.follow_as_task(call, shows_forms(&context)).into())
            }
            Ok(AnswerOutcome::GoesOn(call)) => self.follow(call, &request, context).await,
            Err(error) => Err(error),
        };
        Ok(response.unwrap_or_else(|error| CallToolResponse::from(tool_result::refusal(&error))))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unfit_requests::refusal(request))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.shared.tasks.get_task(&request.task_id).map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.shared.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.shared.tasks.cancel_task(&request.task_id)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        resources::list(&self.shared.desk, cursor).await.map_err(|error| match error.code {
            ErrorCode::NotFound => ErrorData::invalid_params(output::sentence(&error), None),
            _ => protocol_error(&error),
        })
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resources::read(&self.shared.desk, &request.uri).await;
        let contents = contents.map_err(|error| protocol_error(&error))?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    /// Since version 2026-07-28, clients subscribe to changes.
    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.shared.tools.changes();
        let wants_tools = context.accepted().tools_list_changed == Some(true);
        loop {
            tokio::select! {
                changed = changes.changed(), if wants_tools => {
                    if changed.is_err() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
                () = context.cancelled() => return Ok(()),
                () = self.shared.closing.cancelled() => return Ok(()),
            }
        }
    }

    /// In earlier versions, clients are notified without subscribing.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (mut changes, closing) = (self.shared.tools.changes(), self.closing());
        loop {
            tokio::select! {
                changed = changes.changed() => {
                    if changed.is_err() || context.peer.notify_tool_list_changed().await.is_err() {
                        return;
                    }
                }
                () = tokio::time::sleep(CLOSED_WITHIN) => {
                    if context.peer.is_transport_closed() {
                        return;
                    }
                }
                () = closing.cancelled() => return,
            }
        }
    }
}

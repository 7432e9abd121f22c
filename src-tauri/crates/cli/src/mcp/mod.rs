//! `galley mcp`: Galley as an MCP server. Every pipeline is a tool, every run a set of resources.
//!
//! Both generations of the protocol are supported: sessions that begin with `initialize`, and self-contained requests
//! since version 2026-07-28. Data from clients is untrusted. Standard output belongs to the protocol.

mod client;
mod elicitation;
mod http;
mod input_end;
mod pipeline_tools;
mod resources;
mod run_call;
mod run_questions;
mod server;
mod tool_arguments;
mod tool_result;
mod unfit_requests;
mod waiting_calls;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use desk::{ApiError, ErrorCode, Options, Phrase, QuestionPolicy};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

use crate::arguments::Mcp;
use crate::desk_client::open_with;
use crate::option_values::refused;
use crate::output;
use crate::run_follower::Stop;
use input_end::InputEnd;
use run_questions::RunQuestions;
use server::{MOST_AT_ONCE, Server};

/// The number of threads: stages without a model block theirs, and one more must serve requests.
pub(crate) const THREADS: usize = MOST_AT_ONCE + 2;
/// How long the program waits at its end until runs are stopped and stored.
const CLOSING: Duration = Duration::from_secs(2);
/// How long the last answers may take after the end of the input: a client that has disconnected reads none.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// `galley mcp`: serves requests until the input ends or the process is asked to stop.
pub(crate) async fn serve(data_dir: Option<PathBuf>, given: Mcp) -> Result<u8, ApiError> {
    let stop = Stop::new()?;
    // Prepares the search while the desk opens. If no thread can be started, the first search takes a little longer.
    let _no_matter = std::thread::Builder::new().spawn(desk::prepare_search);
    let questions = Arc::new(RunQuestions::new(given.allow_limits));
    let question_policy = QuestionPolicy::Other(questions.clone());
    let desk = open_with(Options { data_dir, question_policy, ..Options::default() }).await?;
    let server = Server::open(desk.clone(), questions, given.allow).await?;
    let served = match given.http {
        true => http::serve(&server, given.port, stop).await,
        false => over_pipes(&server, stop).await,
    };
    server.close();
    // Runs that do not stop in time can be resumed later, as after any other exit.
    desk.close_within(CLOSING).await;
    served.map(|()| 0)
}

/// Serves requests on standard input and output.
async fn over_pipes(server: &Server, mut stop: Stop) -> Result<(), ApiError> {
    if std::io::stdin().is_terminal() {
        output::tell(
            "This is an MCP server: programs that speak the protocol start it. Ctrl-C ends it; `galley mcp --help` tells more",
        );
    }
    let (input, written) = stdio_pipes();
    let input = InputEnd { input, ended: server.closing() };
    let serving = async {
        match server.clone().serve((input, written)).await {
            Ok(service) => service.waiting().await.map(drop).map_err(|error| broken(&error)),
            // The client disconnected without a request.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => Err(refused(
                "The first message was no request; a client begins with initialize or server/discover",
            )),
            Err(error) => Err(broken(&error)),
        }
    };
    tokio::select! {
        served = serving => served,
        () = stop.requested() => Ok(()),
        () = async {
            server.closing().cancelled().await;
            tokio::time::sleep(LAST_ANSWERS).await;
        } => Ok(()),
    }
}

fn broken(error: &dyn std::error::Error) -> ApiError {
    let message =
        format!("The MCP server ended: {error}; start it again by a program that speaks the protocol");
    ApiError::new(ErrorCode::Internal, Phrase::verbatim(message))
}

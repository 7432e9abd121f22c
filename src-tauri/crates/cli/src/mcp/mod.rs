//! `galley mcp`: Galley as a server of the Model Context Protocol. Every pipeline is a tool, every run a set of resources.
//!
//! Both eras of the protocol are answered: sessions that begin with `initialize`, and requests that bring all they need
//! since version 2026-07-28. What a client sends is data of a stranger. Standard output belongs to the protocol.

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

/// The threads that it needs: stages without a model compute on theirs, and beside all runs somebody must listen.
pub(crate) const THREADS: usize = MOST_AT_ONCE + 2;
/// How long the end of the program waits until runs are stopped and stored.
const CLOSING: Duration = Duration::from_secs(2);
/// How long the last answers may take once the input has ended: a client that is gone reads none.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// `galley mcp`: answers until the input ends or the process is told to end.
pub(crate) async fn serve(data_dir: Option<PathBuf>, given: Mcp) -> Result<u8, ApiError> {
    let stop = Stop::new()?;
    // Beside opening the desk. Without a thread for it the first search takes a little longer.
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
    // What does not end in time is resumed later, like after any other end of the program.
    desk.close_within(CLOSING).await;
    served.map(|()| 0)
}

/// Answers on standard input and output.
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
            // Nothing was asked.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => Err(refused(
                "The first message was no request; a client begins with initialize or server/discover",
            )),
            Err(error) => Err(broken(&error)),
        }
    };
    tokio::select! {
        served = serving => served,
        () = stop.asked() => Ok(()),
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

//! The news model as a program, for shell tests and for the whole-program benchmark. It prints its base URL on the
//! first line of standard output and serves until it is ended. Not in it: scripts of replies; those need a test.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use testkit::{Dialect, Model, ModelServer, NewsModel, ServerOptions};

/// A loopback server that speaks the wire of a service and plays the model of the news pipeline.
#[derive(Parser)]
struct Arguments {
    /// The service to play: openai, gemini, anthropic or ollama.
    #[arg(long, default_value = "openai", value_parser = dialect)]
    dialect: Dialect,
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Milliseconds before the first byte of each answer.
    #[arg(long, default_value_t = 0)]
    latency_ms: u64,
    /// Milliseconds before each piece of a streamed answer; 0 sends an answer at once.
    #[arg(long, default_value_t = 0)]
    pause_ms: u64,
    /// Characters in one event of a streamed answer.
    #[arg(long, default_value_t = 48)]
    chunk_characters: usize,
    /// The reviewer rejects a first draft.
    #[arg(long)]
    reject_first: bool,
    /// The reviewer approves nothing.
    #[arg(long)]
    always_reject: bool,
    /// A first draft is too long, and the reviewer approves it.
    #[arg(long)]
    long_first: bool,
    /// The one key that is accepted, in the header of the service.
    #[arg(long)]
    key: Option<String>,
}

fn dialect(name: &str) -> Result<Dialect, String> {
    match name {
        "openai" => Ok(Dialect::OpenAi),
        "gemini" => Ok(Dialect::Gemini),
        "anthropic" => Ok(Dialect::Anthropic),
        "ollama" => Ok(Dialect::Ollama),
        _ => Err("it is none of openai, gemini, anthropic, ollama".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let model = NewsModel {
        latency: Duration::from_millis(arguments.latency_ms),
        pause: Duration::from_millis(arguments.pause_ms),
        piece_characters: arguments.chunk_characters,
        reject_first: arguments.reject_first,
        always_reject: arguments.always_reject,
        long_first: arguments.long_first,
    };
    let options = ServerOptions {
        dialect: arguments.dialect,
        port: arguments.port,
        key: arguments.key,
        keep_requests: false,
        chunk_characters: arguments.chunk_characters,
        ..ServerOptions::default()
    };
    match ModelServer::start(options, Model::News(model)) {
        Ok(server) => serve(&server),
        Err(error) => {
            report(&format!("model-server: port {} cannot be had: {error}", arguments.port));
            ExitCode::FAILURE
        }
    }
}

/// Says where the server is and waits for the end of the process.
#[expect(clippy::print_stdout, reason = "the first line of standard output is this program's interface")]
fn serve(server: &ModelServer) -> ExitCode {
    server.be_lenient();
    println!("{}", server.base_url);
    if std::io::stdout().flush().is_err() {
        return ExitCode::FAILURE;
    }
    loop {
        std::thread::park();
    }
}

#[expect(clippy::print_stderr, reason = "a program says on standard error why it did not start")]
fn report(words: &str) {
    eprintln!("{words}");
}

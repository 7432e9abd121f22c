//! The whole program against its floor: the same requests to the same loopback server, in the same run.
//!
//! Each figure is measured in a process of its own, so that one does not warm or weigh the other.
//! CPU time comes first, because machines are shared; ratios, because they differ.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark speaks on the terminal")]

mod floor;
mod measure;
mod program;
mod queue;
mod queue_run;
mod start_times;

use clap::{Parser, Subcommand};
use measure::Figures;

/// As in the program; the floor has it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Options that every part shares.
#[derive(Parser, Clone, Debug)]
struct Options {
    /// An OpenAI-compatible server that plays the model; one is started when none is named.
    #[arg(long, global = true)]
    base_url: Option<String>,
    /// Runs to measure.
    #[arg(long, global = true, default_value_t = 200)]
    runs: u32,
    /// Runs at once.
    #[arg(long, global = true, default_value_t = 1)]
    concurrency: u32,
    /// Size of a value that is already in the state, in bytes.
    #[arg(long, global = true, default_value_t = 0)]
    state_bytes: usize,
    /// Give that value as a list of 30 000 records instead of one text.
    #[arg(long, global = true)]
    records: bool,
    /// Stream the answers, as the window does.
    #[arg(long, global = true)]
    stream: bool,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand, Clone, Debug)]
enum Part {
    /// The floor: bare requests and one commit a stage.
    Floor,
    /// The program.
    Program,
    /// Sub-tasks over a NATS server: throughput, delay and CPU time by the number of workers. Only on Linux.
    Queue(queue::QueueOptions),
    /// Only the server that plays the model: two builds are compared before one server, in turns.
    Serve,
    /// Everything, each beside its target.
    All,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let options = Options::parse();
    let done = match &options.part {
        Some(Part::Floor) => floor::run(&options).await.and_then(|figures| print(&figures)),
        Some(Part::Program) => program::run(&options).await.and_then(|figures| print(&figures)),
        Some(Part::Queue(of_queue)) => queue::run(of_queue).await,
        Some(Part::Serve) => serve().await,
        None if options.base_url.is_some() => {
            program::run(&options).await.and_then(|figures| print(&figures))
        }
        None | Some(Part::All) => measure::all(&options).await,
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// Tells the address of the server and keeps it until the program is interrupted.
async fn serve() -> Result<(), String> {
    let server = measure::server()?;
    println!("{}", server.base_url);
    tokio::signal::ctrl_c().await.map_err(|error| error.to_string())
}

/// Tells the figures; where runs failed they are those of something else.
fn print(figures: &Figures) -> Result<(), String> {
    println!("{}", serde_json::Value::from(figures));
    match figures.failed {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} runs failed; their figures measure nothing", figures.runs)),
    }
}

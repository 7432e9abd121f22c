//! What is measured, and the table of targets.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::Value;
use testkit::{Model, ModelServer, NewsModel, ServerOptions};

use crate::{Options, start_times};

/// The figures of one part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) cpu_ms_per_run: f64,
    pub(crate) wall_ms_per_run: f64,
    pub(crate) peak_memory_mb: f64,
    pub(crate) bytes_written_per_run: f64,
    pub(crate) runs: u32,
    pub(crate) failed: u32,
}

impl From<&Figures> for Value {
    fn from(figures: &Figures) -> Value {
        serde_json::json!({
            "cpu_ms_per_run": round(figures.cpu_ms_per_run), "wall_ms_per_run": round(figures.wall_ms_per_run),
            "peak_memory_mb": round(figures.peak_memory_mb), "bytes_written_per_run": figures.bytes_written_per_run.round(),
            "runs": figures.runs, "failed": figures.failed
        })
    }
}

pub(crate) fn round(figure: f64) -> f64 {
    (figure * 1000.0).round() / 1000.0
}

/// Measures from its making on.
pub(crate) struct Meter {
    cpu: ProcessTime,
    wall: Instant,
    written: u64,
}

impl Meter {
    pub(crate) fn start() -> Meter {
        Meter { cpu: ProcessTime::now(), wall: Instant::now(), written: written() }
    }

    pub(crate) fn stop(self, runs: u32, failed: u32) -> Figures {
        let per_run = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(runs.max(1));
        Figures {
            cpu_ms_per_run: per_run(self.cpu.elapsed()),
            wall_ms_per_run: per_run(self.wall.elapsed()),
            peak_memory_mb: status("self", "VmHWM:") / 1024.0,
            bytes_written_per_run: (written() - self.written) as f64 / f64::from(runs.max(1)),
            runs,
            failed,
        }
    }
}

/// Bytes this process gave to the file system, in all.
fn written() -> u64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    io.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok()).unwrap_or(0)
}

/// The memory that a process (its number, or `self`) holds now, in MB.
pub(crate) fn rss_mb(process: &str) -> f64 {
    status(process, "VmRSS:") / 1024.0
}

/// A figure of a process's status, in KiB.
fn status(process: &str, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}

/// The server that plays the model: a draft that is rejected once, so that a run makes all five calls. It answers what it
/// was asked before without thinking, and remembers no request: what it does weighs on what is measured beside it.
pub(crate) fn server() -> Result<ModelServer, String> {
    let options = ServerOptions { keep_requests: false, ..ServerOptions::default() };
    let model = NewsModel { reject_first: true, ..NewsModel::default() };
    ModelServer::start(options, Model::News(model))
        .map_err(|error| format!("no port for the model's server: {error}"))
}

/// As often two parts that are compared are measured in turns.
const ROUNDS: usize = 7;

/// Every figure beside its target.
pub(crate) async fn all(options: &Options) -> Result<(), String> {
    let server = server()?;
    let url = options.base_url.clone().unwrap_or_else(|| server.base_url.clone());
    let part = |name: &str, extra: &[&str]| child(name, &url, options.runs, extra);
    println!("{:<44} {:>10} {:>10} {:>8} {:>8}", "", "cpu ms", "wall ms", "ratio", "target");
    let (floor, one) = in_turns(|| part("floor", &[]), || part("program", &[]))?;
    row("floor, one at a time", &floor, None, "");
    row("one run, history on disk", &one, Some(&floor), "≤ 2.0");
    row("one run, streamed", &part("program", &["--stream"])?, Some(&floor), "");
    let at_once = ["--concurrency", "100"];
    let (floor_many, many) = in_turns(|| part("floor", &at_once), || part("program", &at_once))?;
    row("floor, 100 at once", &floor_many, None, "");
    row("100 at once", &many, Some(&floor_many), "≤ 1.5");
    let loads: [(&str, &[&str]); 2] = [
        ("10 MB in the state, as text", &["--state-bytes", "10000000"]),
        ("10 MB in the state, as 30 000 records", &["--state-bytes", "10000000", "--records"]),
    ];
    for (name, load) in loads {
        let (without, with) = in_turns(|| part("program", &[]), || part("program", load))?;
        row(name, &with, Some(&without), "≤ 1.1");
    }
    println!();
    for (name, figures) in [("one run", &one), ("100 at once", &many)] {
        println!(
            "{name}: {:.1} MB at the peak, {:.0} bytes written a run, {} of {} runs failed",
            number(figures, "peak_memory_mb"),
            number(figures, "bytes_written_per_run"),
            figures["failed"],
            figures["runs"]
        );
    }
    start_times::all().await?;
    println!("{}", serde_json::json!({"floor": floor, "one": one, "floor_many": floor_many, "many": many}));
    Ok(())
}

/// What something is measured against and it itself, of the round whose ratio is the middle one of some: what else a shared
/// machine does weighs now on the one, now on the other.
fn in_turns(
    against: impl Fn() -> Result<Value, String>,
    measured: impl Fn() -> Result<Value, String>,
) -> Result<(Value, Value), String> {
    let rounds: Result<Vec<_>, String> = (0..ROUNDS).map(|_| Ok((against()?, measured()?))).collect();
    let mut rounds = rounds?;
    let ratio = |(against, measured): &(Value, Value)| {
        number(measured, "cpu_ms_per_run") / number(against, "cpu_ms_per_run")
    };
    rounds.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
    Ok(rounds.swap_remove(ROUNDS / 2))
}

fn number(figures: &Value, name: &str) -> f64 {
    figures[name].as_f64().unwrap_or(f64::NAN)
}

fn row(name: &str, figures: &Value, against: Option<&Value>, target: &str) {
    let cpu = number(figures, "cpu_ms_per_run");
    let ratio =
        against.map_or(String::new(), |against| format!("{:.2}", cpu / number(against, "cpu_ms_per_run")));
    println!("{name:<44} {cpu:>10.3} {:>10.3} {ratio:>8} {target:>8}", number(figures, "wall_ms_per_run"));
}

/// Runs a part in a process of its own and reads its line.
fn child(part: &str, url: &str, runs: u32, extra: &[&str]) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args([part, "--base-url", url, "--runs", &runs.to_string()])
        .args(extra)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the part `{part}` could not be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|error| format!("the part `{part}` gave no figures: {error}"))
}

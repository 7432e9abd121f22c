//! How long the programs take to be of use, and how much memory they take while nothing happens.
//!
//! They stand beside this program; one that was not built is told and left out.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testkit::ModelServer;

use crate::measure::{rss_mb, server};

const STARTS: u32 = 6;
const LONGEST: Duration = Duration::from_secs(30);

/// Ends its process however the measurement ends.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) async fn all() -> Result<(), String> {
    println!();
    match program("galley") {
        Some(galley) => println!(
            "headless, from the start of the program to the first model request: {:.0} ms (target ≤ 50)",
            milliseconds(to_first_request(&galley).await?)
        ),
        None => println!("`galley` was not built, so its start is not measured"),
    }
    match program("bridge") {
        Some(bridge) => println!("memory of the idle backend: {:.1} MB (target ≤ 60)", idle_memory(&bridge)?),
        None => println!("`bridge` was not built, so its memory is not measured"),
    }
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    match program("galley-desktop").filter(|_| has_display) {
        Some(window) => println!(
            "from the start of the program to the window's first answered request: {:.0} ms (target ≤ 800)",
            milliseconds(to_usable_window(&window)?)
        ),
        None => println!("there is no display, or `galley-desktop` was not built: its start is not measured"),
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A program beside this one.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?.with_file_name(name);
    program.exists().then_some(program)
}

/// The quickest of a few starts, on a data folder that is there already.
async fn to_first_request(galley: &Path) -> Result<Duration, String> {
    let folder = tempfile::tempdir().map_err(told)?;
    let server = server()?;
    let add = ["profile", "add", "bench", "--provider", "openai-compatible", "--no-key", "--model", "m"];
    let added = command(galley, folder.path()).args(add).args(["--base-url", &server.base_url]).status();
    if !added.map_err(told)?.success() {
        return Err("the profile could not be added".to_owned());
    }
    let mut best = Duration::MAX;
    for _ in 0..STARTS {
        best = best.min(one_start(galley, folder.path(), &server).await?);
    }
    Ok(best)
}

async fn one_start(galley: &Path, folder: &Path, server: &ModelServer) -> Result<Duration, String> {
    let before = server.count();
    let begun = Instant::now();
    let mut running = command(galley, folder)
        .args(["run", "ai-news", "--input", "user_topic=agents", "--source", "library"])
        .args(["--as-of", "2026-07-01", "--profile", "bench", "--quiet"])
        .spawn()
        .map(Running)
        .map_err(told)?;
    let came = server.wait_for_requests(before + 1, LONGEST).await;
    let took = begun.elapsed();
    running.0.wait().map_err(told)?;
    if came { Ok(took) } else { Err("`galley run` made no request".to_owned()) }
}

fn idle_memory(bridge: &Path) -> Result<f64, String> {
    let folder = tempfile::tempdir().map_err(told)?;
    let mut child = command(bridge, folder.path()).stdout(Stdio::piped()).spawn().map_err(told)?;
    let out = child.stdout.take();
    let running = Running(child);
    let mut line = String::new();
    if let Some(out) = out {
        BufReader::new(out).read_line(&mut line).map_err(told)?;
    }
    // What the start needed is given back by then.
    std::thread::sleep(Duration::from_secs(1));
    Ok(rss_mb(&running.0.id().to_string()))
}

fn to_usable_window(window: &Path) -> Result<Duration, String> {
    let folder = tempfile::tempdir().map_err(told)?;
    let mut best = Duration::MAX;
    for _ in 0..STARTS {
        let begun = Instant::now();
        let mut child = command(window, folder.path())
            .env("RUST_LOG", "galley_desktop=debug")
            .stderr(Stdio::piped())
            .spawn()
            .map_err(told)?;
        let log = child.stderr.take();
        let _running = Running(child);
        let lines = log.into_iter().flat_map(|log| BufReader::new(log).lines());
        if lines.map_while(Result::ok).any(|line| line.contains("the page was answered")) {
            best = best.min(begun.elapsed());
        } else {
            return Err("the window ended before its page was answered".to_owned());
        }
    }
    Ok(best)
}

fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("--data-dir").arg(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

pub(crate) fn told(error: std::io::Error) -> String {
    error.to_string()
}

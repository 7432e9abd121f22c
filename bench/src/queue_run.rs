//! One `galley run` that a measurement of the queue is made of: its data folders, its workers, its checked results and
//! its figures.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ChatRequest, Model, ModelServer, NatsServer, Reply, ServerOptions, nats_programs};

use crate::start_times::{Running, program, told};

/// One request to a model for each word. `BOUND` is replaced by `at_most = N` or nothing.
const PIPELINE: &str = r#"
id = "words"
title = "Words"
purpose = "Asks a model about each word."

[input.words]
title = "Words"
kind = "long_text"

[key.list]
title = "List"

[key.results]
title = "Results"

[agent.teller]
on_demand = true
instruction = "You say one sentence about a word."
prompt = "{{ item }}"
worker = "Teller"

[flow]
steps = [
  { set = { list = "{{ words | split(' ') | list }}" } },
  { for_each = "list", run = "teller", collect = "results", queue = true BOUND },
]
"#;

/// The data folder of the run, and the one that the workers share.
const HERE: &str = "here";
const THERE: &str = "there";
/// The profile whose model only the workers reach.
pub(crate) const QUEUED: &str = "queued";
/// The profile whose model the run itself reaches.
pub(crate) const DIRECT: &str = "direct";

/// Linux counts CPU time in hundredths of a second, whatever the clock of its kernel.
const MS_PER_TICK: f64 = 10.0;
const LONGEST_START: Duration = Duration::from_secs(30);
const LONGEST_RUN: Duration = Duration::from_secs(900);
/// How often it is looked whether a process has ended or a worker is there.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The programs, and the server that plays the model.
pub(crate) struct Programs {
    galley: PathBuf,
    pub(crate) nats: PathBuf,
    model: ModelServer,
    /// How long the model takes to answer.
    pub(crate) latency_ms: Arc<AtomicU64>,
}

impl Programs {
    /// # Errors
    /// A program is missing, or there is no port.
    pub(crate) fn new() -> Result<Programs, String> {
        let galley = program("galley").ok_or("`galley` was not built beside this program")?;
        let nats = nats_programs().pop().ok_or("there is no NATS server")?;
        let latency_ms = Arc::new(AtomicU64::new(0));
        let latency = latency_ms.clone();
        let answer = move |request: &ChatRequest| {
            Reply::text(sentence(marked_word(&request.last_user_text())))
                .after(Duration::from_millis(latency.load(Ordering::SeqCst)))
        };
        let options = ServerOptions { keep_requests: false, ..ServerOptions::default() };
        let model = ModelServer::start(options, Model::Function(Box::new(answer)))
            .map_err(|error| format!("no port for the model's server: {error}"))?;
        // Its problems are an error of the measurement, and no panic when it is dropped.
        model.be_lenient();
        Ok(Programs { galley, nats, model, latency_ms })
    }
}

/// The figures of one run.
#[derive(Default)]
pub(crate) struct RunFigures {
    /// From the first request that the run recorded to the last answer.
    pub(crate) took_s: f64,
    /// From each recorded request to its recorded answer, in the order of the answers.
    pub(crate) took_ms: Vec<f64>,
    /// CPU time of `galley run`.
    pub(crate) cpu_ms: f64,
    /// CPU time of each other process that was measured, from the run's start to its end.
    pub(crate) cpu_ms_of: Vec<f64>,
    /// Requests that the model got: more than there are items where a sub-task was done twice.
    pub(crate) requests: usize,
    /// Requests that were sent again after an error.
    pub(crate) retries: usize,
}

/// The data folders of one measurement. They are removed when it ends.
pub(crate) struct Folders<'a> {
    programs: &'a Programs,
    folder: TempDir,
}

impl Folders<'_> {
    /// Makes them, with their profiles.
    ///
    /// # Errors
    /// A folder or a profile cannot be made.
    pub(crate) fn new(programs: &Programs) -> Result<Folders<'_>, String> {
        let folders = Folders { programs, folder: tempfile::tempdir().map_err(told)? };
        let server = programs.model.base_url.as_str();
        // Nothing listens there: a request that no worker takes fails.
        let nowhere = "http://127.0.0.1:1/v1";
        for (data, profile, url) in [(HERE, QUEUED, nowhere), (HERE, DIRECT, server), (THERE, QUEUED, server)]
        {
            let add =
                ["profile", "add", profile, "--provider", "openai-compatible", "--no-key", "--model", "m"];
            folders.galley(data, add.into_iter().chain(["--base-url", url]))?;
        }
        Ok(folders)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with one of the data folders, and nothing of the person's environment.
    fn command(&self, data: &str) -> Command {
        let mut command = Command::new(&self.programs.galley);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("TZ", "UTC");
        command.arg("--data-dir").arg(self.path(data)).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// What a command writes to standard output.
    fn galley<'w>(&self, data: &str, words: impl IntoIterator<Item = &'w str>) -> Result<String, String> {
        let mut command = self.command(data);
        let output = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = output.map_err(told)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match output.status.success() {
            true => Ok(text(&output.stdout)),
            false => Err(format!("{command:?} failed: {}", text(&output.stderr))),
        }
    }

    /// Workers of a server, as soon as it lists all of them. Runs send to that server from then on.
    ///
    /// # Errors
    /// A worker does not begin.
    pub(crate) async fn start_workers(
        &self,
        server: &NatsServer,
        count: u32,
        at_once: u32,
    ) -> Result<Vec<Running>, String> {
        let (url, at_once) = (server.url(), at_once.to_string());
        self.galley(HERE, ["queue", "set", &url, "--no-key"])?;
        let mut workers = Vec::new();
        for _ in 0..count {
            let words =
                ["worker", "--role", "Teller", "--queue", &url, "--at-once", &at_once, "--profile", QUEUED];
            workers.push(self.command(THERE).args(words).spawn().map(Running).map_err(told)?);
        }
        let begun = Instant::now();
        while begun.elapsed() < LONGEST_START {
            if self.queue()?["server"]["workers"]
                .as_array()
                .is_some_and(|listed| listed.len() == workers.len())
            {
                return Ok(workers);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Err(format!("{count} workers did not begin within {} s", LONGEST_START.as_secs()))
    }

    /// Messages that are left of sub-tasks, and dead letters.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn left_in_queue(&self) -> Result<(u64, u64), String> {
        let server = &self.queue()?["server"];
        let count = |name: &str| server[name].as_u64().ok_or_else(|| format!("the queue tells no {name}"));
        Ok((count("sub_tasks")?, count("dead_letters")?))
    }

    fn queue(&self) -> Result<Value, String> {
        let told = self.galley(HERE, ["queue", "--json"])?;
        serde_json::from_str(&told).map_err(|error| error.to_string())
    }

    /// The CPU time of a run of one request, the least of a few: what its start and its end cost.
    ///
    /// # Errors
    /// Those of a run.
    pub(crate) async fn fixed_cpu_ms(&self) -> Result<f64, String> {
        // The first one makes the database.
        self.run(DIRECT, None, 1, &[]).await?;
        let mut least = f64::INFINITY;
        for _ in 0..3 {
            least = least.min(self.run(DIRECT, None, 1, &[]).await?.cpu_ms);
        }
        Ok(least)
    }

    /// Runs the pipeline for so many items, at most `at_most` of them at once, and checks what came of each. The CPU time of
    /// `measured` processes is taken, too.
    ///
    /// # Errors
    /// The run fails, or a result is wrong or missing.
    pub(crate) async fn run(
        &self,
        profile: &str,
        at_most: Option<u32>,
        items: u32,
        measured: &[u32],
    ) -> Result<RunFigures, String> {
        let bound = at_most.map_or(String::new(), |most| format!(", at_most = {most}"));
        let pipelines = self.path(HERE).join("pipelines");
        std::fs::create_dir_all(&pipelines).map_err(told)?;
        std::fs::write(pipelines.join("words.toml"), PIPELINE.replace(" BOUND", &bound)).map_err(told)?;
        let words: Vec<String> = (0..items).map(|number| format!("word{number}")).collect();
        let input = format!("words={}", words.join(" "));
        let requests_before = self.programs.model.count();
        let errors = self.path("errors");
        let cpu_before = cpu_ms_of(measured)?;
        let mut running = self
            .command(HERE)
            .args(["run", "words", "--quiet", "--profile", profile, "--input", &input])
            .stderr(File::create(&errors).map_err(told)?)
            .spawn()
            .map(Running)
            .map_err(told)?;
        let cpu_ms = until_ended(running.0.id()).await?;
        let cpu_after = cpu_ms_of(measured)?;
        if !running.0.wait().map_err(told)?.success() {
            let why = std::fs::read_to_string(&errors).unwrap_or_default();
            return Err(format!("a run of {items} sub-tasks failed: {why}"));
        }
        if let Some(problem) = self.programs.model.problems().first() {
            return Err(format!("the model got a request that no service takes: {problem}"));
        }
        let state = self.galley(HERE, ["show", "last", "--json"])?;
        let state: Value = serde_json::from_str(&state).map_err(|error| error.to_string())?;
        let expected: Vec<String> = words.iter().map(|word| sentence(word)).collect();
        if state["state"]["results"] != json!(expected) {
            return Err(format!("results are wrong or missing: {}", state["state"]["results"]));
        }
        let events = self.galley(HERE, ["show", "last", "--events", "--json"])?;
        let cpu_ms_of = cpu_before.iter().zip(cpu_after).map(|(before, after)| after - before).collect();
        let requests = self.programs.model.count() - requests_before;
        let figures = RunFigures { cpu_ms, cpu_ms_of, requests, ..RunFigures::read(&events)? };
        match figures.took_ms.len() {
            answers if answers == words.len() => Ok(figures),
            answers => Err(format!("the run recorded {answers} answers to {items} sub-tasks")),
        }
    }
}

impl RunFigures {
    /// What the recorded events tell, one JSON object a line.
    fn read(events: &str) -> Result<RunFigures, String> {
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        let mut figures = RunFigures::default();
        for line in events.lines() {
            let event: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let (fact, at_ms) = (&event["fact"], event["at_ms"].as_i64().unwrap_or_default());
            match fact["kind"].as_str() {
                Some("effect_asked") => first = first.min(at_ms),
                Some("effect_answered") => {
                    last = last.max(at_ms);
                    figures.took_ms.extend(fact["took_ms"].as_f64());
                    figures.retries += fact["retries"].as_array().map_or(0, Vec::len);
                }
                _ => {}
            }
        }
        figures.took_s = last.saturating_sub(first) as f64 / 1000.0;
        Ok(figures)
    }
}

/// The word of a request, which stands between marks as data from outside.
fn marked_word(text: &str) -> &str {
    text.rsplit_once('⟦').and_then(|(_, after)| after.split('⟧').next()).unwrap_or(text)
}

/// What the model says of a word.
fn sentence(word: &str) -> String {
    format!("It is {word}.")
}

/// The CPU time of a process that this one started, at its end: the system keeps it until the process is waited for.
async fn until_ended(process: u32) -> Result<f64, String> {
    let begun = Instant::now();
    while begun.elapsed() < LONGEST_RUN {
        let (is_ended, cpu_ms) = process_times(process)?;
        if is_ended {
            return Ok(cpu_ms);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Err(format!("a run did not end within {} s", LONGEST_RUN.as_secs()))
}

/// The CPU time of processes that still run.
fn cpu_ms_of(processes: &[u32]) -> Result<Vec<f64>, String> {
    let of_one = |process: &u32| match process_times(*process)? {
        (false, cpu_ms) => Ok(cpu_ms),
        (true, _) => Err(format!("the process {process} ended while it was measured")),
    };
    processes.iter().map(of_one).collect()
}

/// Whether a process has ended, and the CPU time of all its threads in milliseconds.
fn process_times(process: u32) -> Result<(bool, f64), String> {
    let file = Path::new("/proc").join(process.to_string()).join("stat");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    // The name of the program stands in parentheses and may hold anything.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    match (fields.first(), ticks(11), ticks(12)) {
        (Some(state), Some(user), Some(system)) => Ok((*state == "Z", (user + system) * MS_PER_TICK)),
        _ => Err(format!("{} cannot be read", file.display())),
    }
}

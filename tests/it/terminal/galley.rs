//! A place in which `galley` is run: a data folder of its own, an empty folder to stand in, an environment without
//! anything of the person who runs the tests. Whatever it is asked, it may never panic.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{Model, ModelServer, NewsModel, Reply, ServerOptions};

/// What a run on the sample library takes, but for the topic.
pub(crate) const JUNE: [&str; 4] = ["--source", "library", "--as-of", "2026-07-01"];
/// A variable in which a test keeps a key.
pub(crate) const KEY_VARIABLE: &str = "GALLEY_TEST_KEY";

/// A data folder and a folder to stand in.
pub(crate) struct Galley {
    place: TempDir,
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// The program beside the tests; `make test` and `cargo build --workspace` put it there.
pub(crate) fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("galley");
    assert!(program.is_file(), "{} is not built: cargo build --workspace --bins", program.display());
    program
}

/// A model that answers well, and at once.
pub(crate) fn news_server(model: NewsModel) -> ModelServer {
    ModelServer::start(ServerOptions::default(), Model::News(model)).unwrap()
}

/// A model that is a function of the request.
pub(crate) fn server(model: impl Fn(&testkit::ChatRequest) -> Reply + Send + Sync + 'static) -> ModelServer {
    ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap()
}

impl Galley {
    pub(crate) fn new() -> Galley {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("here")).unwrap();
        Galley { place, environment: Vec::new() }
    }

    /// A place whose profile `test` asks this server; with a key when one is in the environment.
    pub(crate) fn asking(server: &ModelServer) -> Galley {
        let galley = Galley::new();
        galley.add_profile(&server.base_url);
        galley
    }

    pub(crate) fn add_profile(&self, base_url: &str) {
        let key = match self.environment.iter().any(|(name, _)| *name == KEY_VARIABLE) {
            true => vec!["--key-env", KEY_VARIABLE],
            false => vec!["--no-key"],
        };
        let profile = ["profile", "add", "test", "--provider", "openai-compatible", "--base-url", base_url];
        self.run(profile.into_iter().chain(["--model", "news-1"]).chain(key)).ok();
    }

    /// The data folder; it is not there before the first command.
    pub(crate) fn data(&self) -> PathBuf {
        self.place.path().join("data")
    }

    /// The folder in which commands are run; they may leave nothing there.
    pub(crate) fn here(&self) -> PathBuf {
        self.place.path().join("here")
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let file = self.place.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, content).unwrap();
        file.to_str().unwrap().to_owned()
    }

    /// The command, ready to start: no input, nothing of the tests' own environment.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.here()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("GALLEY_DATA_DIR", self.data()).env("TZ", "UTC").env("RUST_BACKTRACE", "1");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Told {
        Told::of(self.command(&program()).args(words))
    }

    /// Runs AI News on the sample library.
    pub(crate) fn news(&self, topic: &str, more: &[&str]) -> Told {
        let topic = format!("user_topic={topic}");
        self.run(["run", "ai-news", "--input", &topic].iter().chain(&JUNE).chain(more))
    }

    /// Starts AI News with the profile `test` and leaves it running; its events come out as JSON.
    pub(crate) fn begin_news(&self, topic: &str) -> Running {
        let out = self.place.path().join(format!("out-{}", topic.replace(' ', "-")));
        let mut command = self.command(&program());
        command.args(["run", "ai-news", "--profile", "test", "--json", "--input"]);
        command.arg(format!("user_topic={topic}")).args(JUNE);
        let errors = out.with_extension("errors");
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&errors).unwrap());
        Running { child: command.spawn().unwrap(), out, errors }
    }

    /// The statuses of the history, newest first.
    pub(crate) fn statuses(&self) -> Vec<String> {
        let runs = self.run(["runs", "--json"]).ok().lines();
        runs.iter().map(|card| card["status"].as_str().unwrap().to_owned()).collect()
    }

    /// The events of a run, as they are shown to programs.
    pub(crate) fn events(&self, run: &str) -> Vec<Value> {
        self.run(["show", run, "--events", "--json"]).ok().lines()
    }
}

/// A `galley` that runs. It is ended when dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    out: PathBuf,
    errors: PathBuf,
}

impl Running {
    /// The run's id, as soon as its first event is printed.
    pub(crate) fn id(&self) -> String {
        eventually("the first event", || {
            let text = std::fs::read_to_string(&self.out).unwrap();
            let (first, _) = text.split_once('\n')?;
            let event: Value = serde_json::from_str(first).unwrap();
            Some(event["fact"]["run"].as_str().unwrap().to_owned())
        })
    }

    /// Waits until these words are said.
    pub(crate) fn until_said(&self, words: &str) {
        eventually(words, || std::fs::read_to_string(&self.errors).unwrap().contains(words).then_some(()));
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// What it told, at its end.
    pub(crate) fn ended(mut self) -> Told {
        let code = self.child.wait().unwrap().code();
        let read = |file: &Path| String::from_utf8(std::fs::read(file).unwrap()).unwrap();
        Told { code, out: read(&self.out), err: read(&self.errors) }.without_panic()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// What a command told, and its exit code; none when a signal ended it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Told {
    pub(crate) fn of(command: &mut Command) -> Told {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Told { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
            .without_panic()
    }

    fn without_panic(self) -> Told {
        assert!(!self.err.contains("panicked") && self.code != Some(101), "{self:#?}");
        self
    }

    /// It exited with this code.
    pub(crate) fn exits(self, code: i32) -> Told {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    pub(crate) fn ok(self) -> Told {
        self.exits(0)
    }

    /// Standard output, one JSON object a line.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let read = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
            assert!(value.is_object(), "{line}");
            value
        };
        self.out.lines().map(read).collect()
    }

    /// The one result, which is the last line.
    pub(crate) fn result(&self) -> Value {
        let mut lines = self.lines();
        let last = lines.pop().unwrap();
        assert_eq!(last["type"], "result", "{last}");
        assert!(lines.iter().all(|line| line["type"] == "event"), "only events come before the result");
        last
    }

    /// The one sentence on standard error, with these words in it.
    pub(crate) fn says(&self, words: &[&str]) {
        let sentence = self.err.trim_end_matches('\n');
        let is_one_line = !sentence.is_empty() && !sentence.contains('\n');
        let first = sentence.chars().next().unwrap_or(' ');
        // Nobody should read what only a programmer understands.
        let is_plain =
            ["Some(", "Error {", "Err(", "unwrap", "\u{1b}"].iter().all(|raw| !sentence.contains(raw));
        let begins = first.is_uppercase() || "`“\"".contains(first) || sentence.starts_with("http");
        assert!(is_one_line && is_plain && begins, "{self:#?}");
        for word in words {
            assert!(sentence.contains(word), "`{word}` is not said: {sentence}");
        }
    }
}

/// Waits until something is there.
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A data folder copied as it is.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

//! Keys in the system's keyring: a real Secret Service on a bus of the test's own, unlocked, locked, or not there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use testkit::{ModelServer, NewsModel};

use super::galley::{Galley, Told, eventually, news_server, program};

const KEY: &str = "sk-live-Zk81mQpX04bTrWnUvYc5aDe9";

/// A session bus and a keyring on it; both end when dropped.
pub(super) struct Keyring {
    bus: Child,
    daemon: Child,
    pub(super) address: String,
    home: TempDir,
}

impl Keyring {
    fn start(home: TempDir, is_unlocked: bool) -> Keyring {
        let mut daemon = Command::new("gnome-keyring-daemon");
        daemon.args(["--foreground", "--components=secrets"]).args(is_unlocked.then_some("--unlock"));
        daemon.stdin(Stdio::piped()).stdout(Stdio::null());
        Keyring::of(home, daemon)
    }

    /// One whose person or policy says no; a prompt is a line in the returned file.
    fn refusing(how: &[&str]) -> (Keyring, std::path::PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let log = home.path().join("prompts");
        let mut daemon = Command::new(program().with_file_name("refusing-keyring"));
        daemon.args(how).stdin(Stdio::piped()).stdout(std::fs::File::create(&log).unwrap());
        (Keyring::of(home, daemon), log)
    }

    fn of(home: TempDir, mut daemon: Command) -> Keyring {
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            .env("XDG_RUNTIME_DIR", home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon, which `make test` installs: {error}"));
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        daemon.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        daemon.env("DBUS_SESSION_BUS_ADDRESS", &address).env("HOME", home.path());
        daemon.env("XDG_DATA_HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
        let mut daemon = daemon
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("the keyring, which `make test` installs: {error}"));
        // One that has no password does not read it.
        let _unread = daemon.stdin.take().unwrap().write_all(b"a password");
        let keyring = Keyring { bus, daemon, address, home };
        eventually("the Secret Service", || keyring.answers().then_some(()));
        keyring
    }

    pub(super) fn unlocked() -> Keyring {
        Keyring::start(tempfile::tempdir().unwrap(), true)
    }

    /// Ends it and gives what it kept.
    fn ended(mut self) -> TempDir {
        self.end();
        std::mem::replace(&mut self.home, tempfile::tempdir().unwrap())
    }

    fn answers(&self) -> bool {
        let asked = Command::new("dbus-send")
            .args([&format!("--bus={}", self.address), "--print-reply", "--dest=org.freedesktop.DBus", "/"])
            .args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"])
            .output();
        asked.is_ok_and(|told| String::from_utf8_lossy(&told.stdout).contains("boolean true"))
    }

    fn end(&mut self) {
        for child in [&mut self.daemon, &mut self.bus] {
            // An error means that it has ended already.
            let _ended = child.kill();
            let _reaped = child.wait();
        }
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        self.end();
    }
}

pub(super) fn on(galley: &mut Galley, address: &str) {
    galley.environment.retain(|(name, _)| *name != "DBUS_SESSION_BUS_ADDRESS");
    galley.environment.push(("DBUS_SESSION_BUS_ADDRESS", address.to_owned()));
}

/// Adds the profile `work` with the key on standard input.
fn add(galley: &Galley, server: &ModelServer, key: &str) -> Told {
    add_as("work", &[], galley, server, key)
}

fn add_as(name: &str, more: &[&str], galley: &Galley, server: &ModelServer, key: &str) -> Told {
    let key = galley.file("key", format!("  {key}\r\n"));
    let mut command = galley.command(&program());
    command.args(["profile", "add", name, "--provider", "openai-compatible", "--model", "news-1"]);
    command.args(["--base-url", &server.base_url, "--key-stdin"]).args(more);
    let told = Told::of(command.stdin(std::fs::File::open(&key).unwrap()));
    std::fs::remove_file(key).unwrap();
    told
}

fn has_key(galley: &Galley) -> bool {
    let files = std::fs::read_dir(galley.data()).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.is_file()).any(|file| {
        let content = std::fs::read(&file).unwrap();
        content.windows(8).any(|part| KEY.as_bytes().windows(8).any(|telling| telling == part))
    })
}

#[test]
fn a_key_goes_into_the_keyring_and_from_there_into_requests_and_nowhere_else() {
    let server = news_server(NewsModel::default());
    server.require_key(KEY);
    let keyring = Keyring::unlocked();
    let mut galley = Galley::new();
    on(&mut galley, &keyring.address);
    let added = add(&galley, &server, KEY).ok();
    assert!(!added.out.contains(KEY) && !added.err.contains(KEY), "{added:#?}");
    galley.run(["profile", "test", "work"]).ok();
    let listed = galley.run(["profile", "list"]).ok();
    assert!(listed.out.contains("…aDe9") && listed.out.contains("answered in"), "{}", listed.out);
    let ran = galley.news("agents", &["--profile", "work", "--json"]).ok();
    assert_eq!(ran.result()["outcome"], "finished");
    assert!(!ran.out.contains(KEY) && !has_key(&galley), "the key is in the data folder or in the output");
    // Another data folder has profiles of its own, with keys of their own.
    let mut other = Galley::new();
    on(&mut other, &keyring.address);
    add(&other, &server, "sk-of-another-folder").ok();
    other.run(["profile", "test", "work"]).exits(1);
    galley.run(["profile", "test", "work"]).ok();
    // Nor does the key go where somebody who wrote into the settings would lead it.
    let elsewhere = news_server(NewsModel::default());
    let file = galley.data().join("settings.toml");
    let settings = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, settings.replace(&server.base_url, &elsewhere.base_url)).unwrap();
    galley.run(["profile", "test", "work"]).exits(1).says(&["`work` has no key here"]);
    assert!(elsewhere.requests().is_empty());
    std::fs::write(&file, settings).unwrap();
    // A profile that goes takes its key with it.
    galley.run(["profile", "remove", "work"]).ok();
    let again =
        ["profile", "add", "work", "--provider", "openai-compatible", "--model", "news-1", "--no-key"];
    galley.run(again.into_iter().chain(["--base-url", &server.base_url])).ok();
    galley.run(["profile", "test", "work"]).exits(1);
}

#[test]
fn without_a_keyring_the_key_is_not_kept_and_the_way_on_is_named() {
    let server = news_server(NewsModel::default());
    let mut galley = Galley::new();
    on(&mut galley, "unix:path=/nonexistent/bus");
    let refused = add(&galley, &server, KEY).exits(1);
    refused.says(&["`work` was not added", "There is no keyring here", "Secret Service", "--key-env"]);
    assert!(!has_key(&galley));
    // No profile is left that waits for its key, and the one there is stays as it was.
    let listed = galley.run(["profile", "list"]).ok();
    assert!(!listed.out.contains("work"), "{}", listed.out);
    let keyless = ["profile", "add", "work", "--provider", "ollama", "--model", "m-1", "--no-key"];
    galley.run(keyless).ok();
    add(&galley, &server, KEY).exits(1).says(&["`work` stays as it was", "There is no keyring here"]);
    let listed = galley.run(["profile", "list"]).ok();
    assert!(listed.out.contains("ollama") && !listed.out.contains("openai-compatible"), "{}", listed.out);
    // A run with the built-in profile asks no keyring.
    galley.news("agents", &["--profile", "built-in"]).ok();
}

#[test]
fn a_keyring_that_stays_locked_fails_the_run_in_words_and_the_run_goes_on_when_it_is_open() {
    let server = news_server(NewsModel::default());
    server.require_key(KEY);
    let keyring = Keyring::unlocked();
    let mut galley = Galley::new();
    on(&mut galley, &keyring.address);
    add(&galley, &server, KEY).ok();
    // As after a new login in which nobody unlocked it.
    let keyring = Keyring::start(keyring.ended(), false);
    on(&mut galley, &keyring.address);
    let failed = galley.news("agents", &["--profile", "work", "--json"]).exits(1);
    let error = failed.result()["error"].clone();
    assert_eq!(error["code"], "key_unavailable");
    let words = error["message"].as_str().unwrap();
    assert!(words.contains("locked") && words.contains("for this session only"), "{words}");
    assert_eq!(server.count(), 0);
    let keyring = Keyring::start(keyring.ended(), true);
    on(&mut galley, &keyring.address);
    galley.run(["resume", "last"]).ok();
    assert_eq!(galley.statuses(), ["finished"]);
}

#[test]
fn a_person_who_dismisses_the_prompt_is_asked_once_a_start_and_told_the_way_on() {
    let server = news_server(NewsModel::default());
    server.require_key(KEY);
    let willing = Keyring::unlocked();
    let mut galley = Galley::new();
    on(&mut galley, &willing.address);
    add_as("home", &[], &galley, &server, KEY).ok();
    add_as("work", &["--fallback", "home"], &galley, &server, KEY).ok();
    let (keyring, prompts) = Keyring::refusing(&["dismissing", "work", "home"]);
    on(&mut galley, &keyring.address);
    let prompts = || std::fs::read_to_string(&prompts).unwrap().matches("prompt").count();
    // Who stands in has a key in the same keyring.
    let failed = galley.news("agents", &["--profile", "work", "--json"]).exits(1);
    let words = failed.result()["error"]["message"].as_str().unwrap().to_owned();
    assert!(words.contains("was not unlocked") && words.contains("for this session only"), "{words}");
    assert_eq!((prompts(), server.count()), (1, 0));
    let doctor = galley.run(["doctor"]).exits(1).out;
    assert!(doctor.contains("✗ Keyring") && doctor.contains("was not unlocked"), "{doctor}");
    assert_eq!(prompts(), 2, "another start");
    // What needs no key asks for nothing.
    galley.news("agents", &["--profile", "built-in"]).ok();
    assert_eq!(prompts(), 2);
}

#[test]
fn a_keyring_that_refuses_keeps_no_key_and_the_way_on_is_named() {
    let server = news_server(NewsModel::default());
    let (keyring, _) = Keyring::refusing(&["refusing"]);
    let mut galley = Galley::new();
    on(&mut galley, &keyring.address);
    let refused = add(&galley, &server, KEY).exits(1);
    refused.says(&["Secret Service refused", "for this session only", "--key-env"]);
    assert!(!refused.err.contains(KEY) && !has_key(&galley));
}

#[test]
fn without_its_keyring_a_profile_goes_to_a_variable_and_else_stays_as_it_is() {
    let server = news_server(NewsModel::default());
    let keyring = Keyring::unlocked();
    let mut galley = Galley::new();
    on(&mut galley, &keyring.address);
    add(&galley, &server, KEY).ok();
    on(&mut galley, "unix:path=/nonexistent/bus");
    let led = ["profile", "add", "work", "--provider", "openai-compatible", "--model", "news-1"];
    let elsewhere = ["--base-url", "http://127.0.0.1:9/v1", "--no-key"];
    let remove = ["profile", "remove", "work"];
    for told in [galley.run(led.into_iter().chain(elsewhere)), galley.run(remove)] {
        let told = told.exits(1);
        told.says(&["`work` stays as it is", "There is no keyring here"]);
        assert!(!told.err.contains("environment variable"), "what helps to keep a key: {}", told.err);
        let listed = galley.run(["profile", "list"]).ok().out;
        assert!(listed.contains("…aDe9") && listed.contains(&server.base_url), "{listed}");
    }
    galley.environment.push(("GALLEY_TEST_KEY", KEY.to_owned()));
    galley.run(led.into_iter().chain(["--base-url", &server.base_url, "--key-env", "GALLEY_TEST_KEY"])).ok();
    galley.run(remove).ok();
}

#[test]
fn where_the_settings_cannot_be_written_a_profile_keeps_its_key() {
    let server = news_server(NewsModel::default());
    server.require_key(KEY);
    let keyring = Keyring::unlocked();
    let mut galley = Galley::new();
    on(&mut galley, &keyring.address);
    add(&galley, &server, KEY).ok();
    let lock = galley.data().join("settings.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    let elsewhere = ["profile", "add", "work", "--provider", "ollama", "--model", "m-1", "--no-key"];
    for told in [galley.run(["profile", "remove", "work"]), galley.run(elsewhere)] {
        told.exits(1).says(&["cannot be written", "nothing was changed"]);
    }
    std::fs::remove_dir(&lock).unwrap();
    galley.run(["profile", "test", "work"]).ok();
}

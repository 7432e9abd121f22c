//! The system's timer, which fires schedules while no window is open: systemd, launchd or Task Scheduler starts
//! `galley schedule run-due` each minute.

mod launchd;
mod systemd;
mod task_scheduler;

use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::{Hash, Phrase, phrase};
use tokio::process::Command;
use tokio::time::timeout;

use crate::api::TimerCard;
use crate::program::package::app_image;
use crate::schedules::ScheduleService;

/// How long a command of the system may take.
const ANSWERS_WITHIN: Duration = Duration::from_secs(20);
/// The terminal program.
const PROGRAM: &str = "galley";

/// What the timer starts: a program on a data folder.
struct Started<'a> {
    program: &'a Path,
    folder: &'a Path,
    /// Distinguishes the timers of several data folders.
    id: &'a str,
}

/// A timer of one system: its files, and the commands that put it into effect.
#[derive(Debug, PartialEq)]
struct Timer {
    system: &'static str,
    files: Vec<(PathBuf, String)>,
    /// Succeeds where timers can be set.
    probe: Vec<String>,
    enable: Vec<Vec<String>>,
    disable: Vec<Vec<String>>,
    /// After the files are removed.
    forget: Vec<Vec<String>>,
}

impl ScheduleService {
    /// Sets the system's timer up, where this host does so.
    pub(crate) async fn set_timer(&self) {
        if !self.sets_timer {
            return;
        }
        let result = match timer(&self.folder) {
            Ok(timer) => timer.set().await,
            Err(problem) => Err(problem),
        };
        *self.timer_problem() = result.err();
    }

    /// Removes the system's timer, where this host sets one.
    pub(crate) async fn remove_timer(&self) {
        if self.sets_timer
            && let Ok(timer) = timer(&self.folder)
        {
            timer.remove().await;
        }
    }

    /// Whether the system's timer is set up; `None` where this host sets none, or nothing is to be fired.
    pub(crate) fn timer_card(&self, has_schedules: bool) -> Option<TimerCard> {
        if !self.sets_timer || !has_schedules {
            return None;
        }
        let timer = match timer(&self.folder) {
            Ok(timer) => timer,
            Err(problem) => {
                return Some(TimerCard {
                    system: String::new(),
                    is_set: false,
                    problem: Some(unset(problem)),
                });
            }
        };
        let is_set = timer.is_written();
        let why = self.timer_problem().clone();
        let problem = (!is_set).then(|| {
            unset(why.unwrap_or_else(|| phrase!("it was not set up when the schedules were saved")))
        });
        Some(TimerCard { system: timer.system.to_owned(), is_set, problem })
    }
}

fn unset(why: Phrase) -> Phrase {
    phrase!(
        "While no window is open nothing begins by itself, because the system has no timer for it: {why}. Let something else run `galley schedule run-due` each minute",
        why
    )
}

/// The timer of this system for a data folder.
fn timer(folder: &Path) -> Result<Timer, Phrase> {
    let unknown = || phrase!("the program `{program}` is not found beside this one", program = PROGRAM);
    let own = std::env::current_exe().and_then(|own| own.canonicalize()).map_err(|_| unknown())?;
    let beside = own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
    // An AppImage is mounted elsewhere at each start.
    let program = app_image().unwrap_or(beside);
    if !program.is_file() {
        return Err(unknown());
    }
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let hash = Hash::of(folder.as_os_str().as_encoded_bytes()).0;
    let id = format!("galley-schedules-{}", hash.chars().take(8).collect::<String>());
    let started = Started { program: &program, folder: &folder, id: &id };
    let homeless = || phrase!("this account has no folder for settings");
    let home = directories::BaseDirs::new().ok_or_else(homeless)?;
    match std::env::consts::OS {
        "linux" => Ok(systemd::timer(&started, home.config_dir())),
        "macos" => Ok(launchd::timer(&started, home.home_dir())),
        "windows" => Ok(task_scheduler::timer(&started, &folder)),
        other => Err(phrase!("no timer of `{system}` is known", system = other)),
    }
}

impl Timer {
    fn is_written(&self) -> bool {
        self.files
            .iter()
            .all(|(file, text)| std::fs::read_to_string(file).is_ok_and(|written| written == *text))
    }

    async fn set(&self) -> Result<(), Phrase> {
        run(&self.probe).await?;
        for (file, text) in &self.files {
            let written = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            written.and_then(|()| disk::write_private(file, text.as_bytes())).map_err(|error| {
                phrase!("the file {file} cannot be written: {error}", file = file.display(), error)
            })?;
        }
        for command in &self.enable {
            if let Err(why) = run(command).await {
                self.remove().await;
                return Err(why);
            }
        }
        Ok(())
    }

    /// Removes what is there of the timer. A failure leaves a timer that finds nothing to do.
    async fn remove(&self) {
        if !self.files.iter().any(|(file, _)| file.exists()) {
            return;
        }
        for command in &self.disable {
            note(run(command).await);
        }
        for (file, _) in &self.files {
            if let Err(error) = disk::remove_if_there(file) {
                tracing::warn!(%error, file = %file.display(), "a file of the system's timer stays");
            }
        }
        for command in &self.forget {
            note(run(command).await);
        }
    }
}

fn note(result: Result<(), Phrase>) {
    if let Err(why) = result {
        tracing::warn!(why = why.english(), "a command of the system's timer failed");
    }
}

/// Runs a command of the system without input; its own words are the reason of a failure.
async fn run(command: &[String]) -> Result<(), Phrase> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let failed =
        |why: String| phrase!("`{command}` fails: {why}", command = command.join(" "), why = why.trim());
    let mut process = Command::new(program);
    process.args(arguments).stdin(std::process::Stdio::null()).kill_on_drop(true);
    match timeout(ANSWERS_WITHIN, process.output()).await {
        Err(_) => Err(failed("no answer".to_owned())),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Ok(Ok(output)) if output.status.success() => Ok(()),
        Ok(Ok(output)) => {
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(failed(if words.trim().is_empty() { output.status.to_string() } else { words }))
        }
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Text in XML.
fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const ODD: &str = "/tmp/a b/50% \"of\" $HOME & <more>";

    fn started<'a>(program: &'a Path, folder: &'a Path) -> Started<'a> {
        Started { program, folder, id: "galley-schedules-0a1b2c3d" }
    }

    #[test]
    fn the_units_of_systemd_are_valid_and_start_each_minute() {
        let folder = tempfile::tempdir().unwrap();
        let timer = systemd::timer(&started(Path::new("/bin/true"), Path::new(ODD)), folder.path());
        let [(service, started), (file, each)] = &timer.files[..] else { panic!("{timer:?}") };
        assert!(
            started.contains(r#"ExecStart="/bin/true" "--data-dir" "/tmp/a b/50%% \"of\" $$HOME & <more>""#),
            "{started}"
        );
        assert!(each.contains("OnCalendar=*-*-* *:*:00") && each.contains("Persistent=true"), "{each}");
        assert!(service.starts_with(folder.path().join("systemd/user")));
        assert_eq!(timer.enable.last().unwrap().last().unwrap(), "galley-schedules-0a1b2c3d.timer");
        for (file, text) in &timer.files {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        // Where systemd is installed, it reads the units itself.
        match Command::new("systemd-analyze").arg("verify").args([service, file]).output() {
            Ok(verified) => {
                let words = String::from_utf8_lossy(&verified.stderr);
                assert!(verified.status.success() && words.is_empty(), "{words}");
            }
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        }
    }

    #[test]
    fn the_timers_of_other_systems_name_program_and_folder_in_valid_xml() {
        let (program, folder) = (Path::new("/opt/galley"), Path::new(ODD));
        let of_mac = launchd::timer(&started(program, folder), Path::new("/Users/ada"));
        let of_windows = task_scheduler::timer(&started(program, folder), Path::new("/data"));
        let escaped = "/tmp/a b/50% &quot;of&quot; $HOME &amp; &lt;more&gt;";
        for timer in [of_mac, of_windows] {
            let (file, text) = &timer.files[0];
            assert!(text.contains("/opt/galley") && text.contains(escaped), "{text}");
            assert_eq!(text.matches('<').count(), text.matches('>').count());
            assert!(timer.enable.iter().flatten().any(|word| Path::new(word) == file), "{timer:?}");
        }
    }
}

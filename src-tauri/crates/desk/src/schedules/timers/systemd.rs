//! Timers of systemd: a service and a timer of the user.

use std::path::Path;

use super::{Started, Timer, words};

/// The timer; `config` is the user's folder for settings.
pub(super) fn timer(started: &Started<'_>, config: &Path) -> Timer {
    let place = config.join("systemd/user");
    let (service, timer) = (format!("{}.service", started.id), format!("{}.timer", started.id));
    let command = [
        started.program.display().to_string(),
        "--data-dir".to_owned(),
        started.folder.display().to_string(),
        "schedule".to_owned(),
        "run-due".to_owned(),
    ];
    let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let service_text = format!(
        "[Unit]\nDescription=Galley: begins the runs of schedules that are due\n\
         ConditionFileIsExecutable={}\n\n[Service]\nType=oneshot\nExecStart={}\n",
        // A package that is removed leaves the files of the person, and so this one.
        started.program.display().to_string().replace('%', "%%"),
        command.join(" ")
    );
    // The accuracy of timers is a minute unless it is given.
    let timer_text = "[Unit]\nDescription=Galley: looks each minute for schedules that are due\n\n\
         [Timer]\nOnCalendar=*-*-* *:*:00\nPersistent=true\nAccuracySec=1s\n\n\
         [Install]\nWantedBy=timers.target\n";
    let systemctl = |rest: &[&str]| words(&[&["systemctl", "--user"], rest].concat());
    Timer {
        system: "systemd",
        files: vec![(place.join(&service), service_text), (place.join(&timer), timer_text.to_owned())],
        probe: systemctl(&["show", "--property=Version"]),
        enable: vec![systemctl(&["daemon-reload"]), systemctl(&["enable", "--now", &timer])],
        disable: vec![systemctl(&["disable", "--now", &timer])],
        forget: vec![systemctl(&["daemon-reload"])],
    }
}

/// A word of a command line in a unit.
fn quoted(word: &str) -> String {
    let word = word.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{word}\"")
}

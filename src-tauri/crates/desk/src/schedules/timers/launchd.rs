//! Timers of launchd: an agent of the user.

use std::path::Path;

use super::{Started, Timer, words, xml};

/// The timer; `home` is the user's home folder.
pub(super) fn timer(started: &Started<'_>, home: &Path) -> Timer {
    let label = format!("app.galley.{}", started.id);
    let file = home.join("Library/LaunchAgents").join(format!("{label}.plist"));
    let (program, folder) = (started.program.display().to_string(), started.folder.display().to_string());
    let command: String = [program.as_str(), "--data-dir", &folder, "schedule", "run-due"]
        .iter()
        .map(|word| format!("    <string>{}</string>\n", xml(word)))
        .collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{label}</string>\n\
         \x20 <key>ProgramArguments</key>\n  <array>\n{command}  </array>\n\
         \x20 <key>StartInterval</key>\n  <integer>60</integer>\n\
         \x20 <key>RunAtLoad</key>\n  <true/>\n</dict>\n</plist>\n"
    );
    let path = file.display().to_string();
    Timer {
        system: "launchd",
        files: vec![(file, text)],
        probe: words(&["launchctl", "list"]),
        enable: vec![words(&["launchctl", "load", "-w", &path])],
        disable: vec![words(&["launchctl", "unload", "-w", &path])],
        forget: Vec::new(),
    }
}

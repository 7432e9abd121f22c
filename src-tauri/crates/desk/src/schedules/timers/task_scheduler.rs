//! Timers of the Task Scheduler: a task of the user.

use std::path::Path;

use super::{Started, Timer, words, xml};

/// The timer; `place` is the folder for the file with its description.
pub(super) fn timer(started: &Started<'_>, place: &Path) -> Timer {
    let file = place.join(format!("{}.xml", started.id));
    let program = xml(&started.program.display().to_string());
    // A trailing backslash would escape the quote behind it.
    let folder = xml(started.folder.display().to_string().trim_end_matches('\\'));
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n\
         \x20 <Triggers>\n    <TimeTrigger>\n      <StartBoundary>2026-01-01T00:00:00</StartBoundary>\n\
         \x20     <Repetition>\n        <Interval>PT1M</Interval>\n      </Repetition>\n    </TimeTrigger>\n\
         \x20 </Triggers>\n\
         \x20 <Settings>\n    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n\
         \x20   <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n\
         \x20   <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n\
         \x20   <StartWhenAvailable>true</StartWhenAvailable>\n\
         \x20   <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n  </Settings>\n\
         \x20 <Actions>\n    <Exec>\n      <Command>{program}</Command>\n\
         \x20     <Arguments>--data-dir &quot;{folder}&quot; schedule run-due</Arguments>\n\
         \x20   </Exec>\n  </Actions>\n</Task>\n"
    );
    let path = file.display().to_string();
    Timer {
        system: "Task Scheduler",
        files: vec![(file, text)],
        probe: words(&["schtasks", "/Query", "/FO", "CSV", "/NH"]),
        enable: vec![words(&["schtasks", "/Create", "/F", "/TN", started.id, "/XML", &path])],
        disable: vec![words(&["schtasks", "/Delete", "/F", "/TN", started.id])],
        forget: Vec::new(),
    }
}

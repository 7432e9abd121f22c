//! Starts the window: the desktop program in the same folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::output;

const NAME: &str = "galley-desktop";

/// Opens the window on the same data folder, and returns the exit code. On Unix this process becomes the window.
pub(crate) fn open(data_dir: Option<PathBuf>) -> u8 {
    let beside = std::env::current_exe().ok().and_then(|program| {
        // This program may be started through a link; the desktop program is beside the program itself.
        let program = program.canonicalize().unwrap_or(program);
        Some(program.parent()?.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX)))
    });
    let Some(window) = beside.filter(|window| window.is_file()) else {
        output::tell(&format!(
            "The window `{NAME}` is not beside this program; install it there, or say what to do here (`galley --help`)"
        ));
        return 1;
    };
    let mut command = Command::new(&window);
    if let Some(folder) = data_dir {
        command.arg("--data-dir").arg(folder);
    }
    become_it(command, &window)
}

#[cfg(unix)]
fn become_it(mut command: Command, window: &Path) -> u8 {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    output::tell(&format!("The window {} cannot be started: {error}", window.display()));
    1
}

#[cfg(not(unix))]
fn become_it(mut command: Command, window: &Path) -> u8 {
    match command.spawn() {
        Ok(_) => 0,
        Err(error) => {
            output::tell(&format!("The window {} cannot be started: {error}", window.display()));
            1
        }
    }
}

//! The shell: a window, two commands, nothing else.
//!
//! The commands are in `desk`, and their display is in the page. This crate opens the window, carries requests between
//! the two, and handles links and second starts.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod awake;
mod close_request;
mod commands;
mod environment;
mod file_drop;
mod menu;
mod notifications;
mod program;
#[cfg(target_os = "linux")]
mod rendering;
mod shell;
#[cfg(target_os = "linux")]
mod tray;
mod watches;
mod window;

use std::{io::Write, path::PathBuf, process::ExitCode, sync::Arc};

use clap::Parser;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent};

use program::Program;
use shell::Shell;
use watches::Watches;

/// The window of Galley.
#[derive(Parser)]
#[command(name = "galley-desktop", version)]
struct Arguments {
    /// Where history and settings are kept; GALLEY_DATA_DIR and the platform's place come after it.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Draw without the graphics card: for a window that stays empty.
    #[cfg(target_os = "linux")]
    #[arg(long)]
    safe_rendering: bool,
}

/// Opens the window and returns when it has been closed. An error of the window is a sentence on standard error and
/// exit code 1; an error of the desk is shown in the window.
pub fn start() -> ExitCode {
    if let Some(code) = desk::serve_if_asked() {
        return code;
    }
    #[cfg(target_os = "linux")]
    if std::env::args_os().nth(1).is_some_and(|argument| argument == rendering::PROBE) {
        return rendering::probe();
    }
    let arguments = Arguments::parse();
    #[cfg(target_os = "linux")]
    environment::correct(&arguments);
    if let Err(sentence) = desk::log_if_asked(arguments.data_dir.clone()) {
        tell(&sentence);
    }
    match run(arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(sentence) => {
            tell(&sentence);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<i32, String> {
    environment::require_display()?;
    let folder = program::folder(arguments.data_dir);
    let key = program::folder_key(&folder);
    let shell = Arc::new(Shell::default());

    let app = tauri::Builder::default()
        // First, so that a second start ends before it has changed anything.
        .plugin(
            tauri_plugin_single_instance::Builder::new()
                .dbus_id(format!("app.galley.desktop.on_{key}"))
                .callback(|app, _arguments, _folder| window::bring_forward(app))
                .build(),
        )
        .plugin(window::remembered(&folder))
        .plugin(tauri_plugin_opener::init())
        .manage(Watches::default())
        .manage(Program::open(folder.clone(), shell.clone()))
        .manage(shell.clone())
        .plugin(tauri_plugin_dialog::init())
        .on_menu_event(|app, event| menu::chosen(app, &event))
        .on_window_event(|window, event| match event {
            WindowEvent::CloseRequested { api, .. } if close_request::must_ask(window.app_handle()) => {
                api.prevent_close();
            }
            WindowEvent::DragDrop(event) => file_drop::tell(window.app_handle(), event),
            _ => {}
        })
        .invoke_handler(tauri::generate_handler![commands::rpc, commands::watch])
        .build(tauri::generate_context!())
        .map_err(no_window)?;
    shell.belongs_to(app.handle());

    Ok(app.run_return(move |app, event| match event {
        // Not in Tauri's setup hook, whose errors are panics.
        RunEvent::Ready => {
            if let Err(error) = window::open(app, &folder) {
                tell(&no_window(error));
                app.exit(1);
            }
            end_when_asked(app.clone());
            awake::follow(app.clone());
            #[cfg(target_os = "linux")]
            tray::follow(app.clone());
        }
        RunEvent::Exit => {
            app.state::<Watches>().stop_all();
            app.state::<Program>().close();
        }
        _ => {}
    }))
}

/// Logging out and Ctrl+C end the program in the same way as closing the window.
fn end_when_asked(app: AppHandle) {
    #[cfg(unix)]
    tauri::async_runtime::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};

        // Without a handler the signals keep their default effect.
        let (Ok(mut terminate), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        app.exit(0);
    });
    #[cfg(not(unix))]
    drop(app);
}

fn no_window(error: tauri::Error) -> String {
    format!("the window cannot be opened: {error}; everything is also in `galley`, which needs none")
}

fn tell(sentence: &str) {
    // A failure to write this cannot be reported.
    let _ = writeln!(std::io::stderr(), "galley-desktop: {}", desk::printable(sentence));
}

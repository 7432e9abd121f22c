//! Closing the window while runs go on: the page asks, and the person says what becomes of them.
//!
//! A hidden program ends by itself when nothing is left to do, and its window comes back when a run needs the person.
//! Until then the tray, where the desktop has one, or a second start of the program brings it forward.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use desk::api::{Closing, WatchItem};
use tauri::{AppHandle, Manager};

use crate::program::Program;
use crate::shell::Shell;
use crate::window;

/// A second click this soon belongs to the first.
const ONE_CLICK: Duration = Duration::from_secs(1);
/// How long a hidden program that is done waits for the page to word its notification.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long it stays for that notification to be clicked. Some desktops never say that one is gone.
const LAST_NOTICE: Duration = Duration::from_secs(600);

/// Whether the window stays for now, because runs go on and the page has been told to ask. Whoever asks to close it once
/// more means it: a page that hangs locks nobody in, and runs that are stopped can be resumed.
pub(crate) fn must_ask(app: &AppHandle) -> bool {
    let Some(desk) = app.state::<Program>().opened() else { return false };
    let runs = desk.active_runs();
    let shell = app.state::<Arc<Shell>>();
    let mut asking = shell.asking_since.lock().unwrap_or_else(PoisonError::into_inner);
    if runs == 0 || asking.is_some_and(|since| since.elapsed() > ONE_CLICK) {
        return false;
    }
    *asking = Some(Instant::now());
    desk.tell_page(WatchItem::Closing { runs: u32::try_from(runs).unwrap_or(u32::MAX) })
}

/// Does what the person chose.
pub(crate) fn close(app: &AppHandle, shell: &Shell, how: Closing) {
    if how != Closing::Ask {
        *shell.asking_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
    match how {
        Closing::Ask => window::close(app),
        Closing::Keep => {
            window::hide(app);
            tauri::async_runtime::spawn(end_when_done(app.clone()));
        }
        Closing::Stop => app.exit(0),
        Closing::Cancel => {}
    }
}

/// Ends a hidden program when its runs have ended, or shows it again when one of them needs an answer. Whoever brings it
/// forward meanwhile keeps it.
async fn end_when_done(app: AppHandle) {
    let Some(desk) = app.state::<Program>().opened() else { return };
    desk.until_quiet().await;
    if desk.is_waited_for() {
        window::bring_forward(&app);
        return;
    }
    tokio::time::sleep(LAST_WORDS).await;
    let mut notices = app.state::<Arc<Shell>>().open_notices.subscribe();
    let _seen_or_late = tokio::time::timeout(LAST_NOTICE, notices.wait_for(|open| *open == 0)).await;
    if window::is_hidden(&app) && desk.active_runs() == 0 {
        app.exit(0);
    }
}

//! Closing the window during runs: the page asks the person what to do with them.
//!
//! A hidden program ends when its runs have ended, and shows its window when a run needs the person. Meanwhile the
//! tray, where the desktop has one, or a second start of the program shows it.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use desk::api::{Closing, WatchItem};
use tauri::{AppHandle, Manager};

use crate::program::Program;
use crate::shell::Shell;
use crate::window;

/// A second click within this time belongs to the first.
const ONE_CLICK: Duration = Duration::from_secs(1);
/// How long a hidden program waits at its end for the page's notification.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long it waits for a click on that notification. Some desktops never report that it is gone.
const LAST_NOTICE: Duration = Duration::from_secs(600);

/// Whether the window stays open because runs are active and the page asks the person. A second request closes it: a
/// page that hangs must not keep the window open, and stopped runs can be resumed.
pub(crate) fn must_ask(app: &AppHandle) -> bool {
    let Some(desk) = app.state::<Program>().opened() else { return false };
    let runs = desk.runs().active_runs();
    let shell = app.state::<Arc<Shell>>();
    let mut asking = shell.asking_since.lock().unwrap_or_else(PoisonError::into_inner);
    if runs == 0 || asking.is_some_and(|since| since.elapsed() > ONE_CLICK) {
        return false;
    }
    *asking = Some(Instant::now());
    desk.program().tell_page(WatchItem::Closing { runs: u32::try_from(runs).unwrap_or(u32::MAX) })
}

/// Carries out the person's choice.
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

/// Ends a hidden program when its runs have ended, or shows it when one of them needs an answer. If the person shows it
/// meanwhile, it stays.
async fn end_when_done(app: AppHandle) {
    let Some(desk) = app.state::<Program>().opened() else { return };
    desk.runs().until_quiet().await;
    if desk.runs().is_waited_for() {
        window::bring_forward(&app);
        return;
    }
    tokio::time::sleep(LAST_WORDS).await;
    let mut notices = app.state::<Arc<Shell>>().open_notices.subscribe();
    let _seen_or_late = tokio::time::timeout(LAST_NOTICE, notices.wait_for(|open| *open == 0)).await;
    if window::is_hidden(&app) && desk.runs().active_runs() == 0 {
        app.exit(0);
    }
}

//! Desktop notifications, shown only while the window has no focus. A click opens the run.
//!
//! The page decides when to notify and words the text; the desk knows whether the person wants notifications.

use std::sync::Arc;

use desk::api::{Notice, WatchItem};
use notify_rust::Notification;
use tauri::{AppHandle, Manager};

use crate::program::Program;
use crate::shell::Shell;
use crate::window;

/// Shows a notification and returns at once. A failure is ignored.
pub(crate) fn show(app: &AppHandle, notice: Notice) {
    if window::is_looked_at(app) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let open = &app.state::<Arc<Shell>>().open_notices;
        open.send_modify(|count| *count = count.saturating_add(1));
        if is_clicked(&notice) {
            window::bring_forward(&app);
            if let Some(desk) = app.state::<Program>().opened() {
                desk.program().tell_page(WatchItem::Show { run: notice.run });
            }
        }
        open.send_modify(|count| *count = count.saturating_sub(1));
    });
}

/// Shows the notification and waits until it is gone, where the desktop reports that.
fn is_clicked(notice: &Notice) -> bool {
    let mut notification = Notification::new();
    notification
        .appname("Galley")
        .summary(&notice.title)
        .body(&plain(&notice.text))
        .action("default", &notice.title);
    let mut is_clicked = false;
    match notification.show() {
        #[cfg(all(unix, not(target_os = "macos")))]
        Ok(shown) => shown.wait_for_action(|action| is_clicked = action == "default"),
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        Ok(_) => {}
        Err(error) => tracing::info!(%error, "no notification can be shown"),
    }
    is_clicked
}

/// Escapes markup, which desktops interpret, because a title may contain any text.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_title_that_looks_like_markup_is_shown_as_it_is_written() {
        assert_eq!(super::plain("<a href=\"x\">R&D</a>"), "&lt;a href=\"x\"&gt;R&amp;D&lt;/a&gt;");
    }
}

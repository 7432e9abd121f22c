//! The tray icon: shown while runs work or wait for an answer, with a menu entry for each.
//!
//! The page supplies the entries, because it knows the runs and the language; its web view stays alive while the window
//! is hidden. Only Linux has the icon so far.

use std::sync::Arc;

use desk::api::{ShowTray, WatchItem};
use ksni::menu::StandardItem;
use ksni::{Handle, Icon, MenuItem, ToolTip, Tray, TrayMethods};
use tauri::{AppHandle, Manager};

use crate::program::Program;
use crate::shell::Shell;
use crate::window;

/// Updates the tray from the page's entries until the program ends.
pub(crate) fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let mut wanted = app.state::<Arc<Shell>>().tray.subscribe();
        let mut shown: Option<Handle<RunsIcon>> = None;
        while wanted.changed().await.is_ok() {
            let tray = wanted.borrow_and_update().clone();
            let Some(tray) = tray.filter(|tray| !tray.runs.is_empty()) else {
                if let Some(gone) = shown.take() {
                    gone.shutdown().await;
                }
                continue;
            };
            // An icon that ended with its desktop session is created again.
            if let Some(handle) = shown.as_ref().filter(|handle| !handle.is_closed()) {
                let _updated = handle.update(|icon| icon.tray = tray).await;
                continue;
            }
            match (RunsIcon { app: app.clone(), tray }).spawn().await {
                Ok(handle) => shown = Some(handle),
                Err(error) => tracing::info!(%error, "this desktop has no tray"),
            }
        }
    });
}

struct RunsIcon {
    app: AppHandle,
    tray: ShowTray,
}

impl Tray for RunsIcon {
    fn id(&self) -> String {
        "app.galley.desktop".to_owned()
    }

    fn title(&self) -> String {
        "Galley".to_owned()
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        let icon = self.app.default_window_icon().map(|image| Icon {
            width: i32::try_from(image.width()).unwrap_or_default(),
            height: i32::try_from(image.height()).unwrap_or_default(),
            data: argb(image.rgba()),
        });
        icon.into_iter().collect()
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip { title: self.tray.title.clone(), ..ToolTip::default() }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        window::bring_forward(&self.app);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let runs = self.tray.runs.iter().map(|run| {
            let id = run.run.clone();
            entry(&run.title, move |icon| icon.open(&id))
        });
        let rest = [
            MenuItem::Separator,
            entry(&self.tray.show, |icon| window::bring_forward(&icon.app)),
            entry(&self.tray.quit, |icon| {
                // As the window's button does: the page asks what to do with the runs, so it must be visible.
                window::bring_forward(&icon.app);
                window::close(&icon.app);
            }),
        ];
        runs.chain(rest).collect()
    }
}

impl RunsIcon {
    fn open(&self, run: &str) {
        window::bring_forward(&self.app);
        if let Some(desk) = self.app.state::<Program>().opened() {
            desk.program().tell_page(WatchItem::Show { run: run.to_owned() });
        }
    }
}

fn entry(title: &str, act: impl Fn(&mut RunsIcon) + Send + 'static) -> MenuItem<RunsIcon> {
    // A menu treats an underscore as the mark of an access key.
    let label = title.replace('_', "__");
    StandardItem { label, activate: Box::new(act), ..StandardItem::default() }.into()
}

/// Converts RGBA pixels to ARGB.
fn argb(rgba: &[u8]) -> Vec<u8> {
    let mut pixels = rgba.to_vec();
    pixels.chunks_exact_mut(4).for_each(|pixel| pixel.rotate_right(1));
    pixels
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_opacity_of_a_pixel_comes_first() {
        assert_eq!(super::argb(&[1, 2, 3, 4, 5, 6, 7, 8]), [4, 1, 2, 3, 8, 5, 6, 7]);
    }
}

//! Files dragged onto the window: only the window gets their paths, so it sends them to the page.

use desk::api::WatchItem;
use tauri::{AppHandle, DragDropEvent, Manager};

use crate::program::Program;

/// Tells the page which files are dragged over the window or dropped on it.
pub(crate) fn tell(app: &AppHandle, event: &DragDropEvent) {
    let item = match event {
        DragDropEvent::Enter { paths, .. } => WatchItem::Dragging { is_over: !paths.is_empty() },
        DragDropEvent::Leave => WatchItem::Dragging { is_over: false },
        DragDropEvent::Drop { paths, .. } => WatchItem::Dropped {
            paths: paths.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect(),
        },
        _ => return,
    };
    if let Some(desk) = app.state::<Program>().opened() {
        desk.program().tell_page(item);
    }
}

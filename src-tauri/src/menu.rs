//! The menu bar of macOS: the page's commands with its titles, and a few of the system.
//!
//! The page supplies the entries, because it knows the commands, their keys and the language. This module builds the
//! native menu and reports the chosen entry to the page. On other systems a window has no menu bar.

use desk::api::{Menu, MenuEntry, StandardCommand, WatchItem};
use tauri::menu::{MenuBuilder, MenuEvent, MenuItemBuilder, PredefinedMenuItem, SubmenuBuilder};
use tauri::{AppHandle, Manager, Wry};

use crate::program::Program;

/// Replaces the menu bar. On a system without one it does nothing.
pub(crate) fn show(app: &AppHandle, menus: Vec<Menu>) {
    if !cfg!(target_os = "macos") {
        return;
    }
    let owner = app.clone();
    let made = app.run_on_main_thread(move || {
        if let Err(error) = build(&owner, &menus).and_then(|menu| owner.set_menu(menu).map(drop)) {
            tracing::warn!(%error, "the menu bar could not be made");
        }
    });
    if let Err(error) = made {
        tracing::debug!(%error, "the program ends before its menu bar is there");
    }
}

/// Tells the page which of its commands was chosen.
pub(crate) fn chosen(app: &AppHandle, event: &MenuEvent) {
    if let Some(desk) = app.state::<Program>().opened() {
        desk.program().tell_page(WatchItem::Command { id: event.id().as_ref().to_owned() });
    }
}

fn build(app: &AppHandle, menus: &[Menu]) -> tauri::Result<tauri::menu::Menu<Wry>> {
    let mut bar = MenuBuilder::new(app);
    for menu in menus {
        let mut column = SubmenuBuilder::new(app, &menu.title);
        for entry in &menu.entries {
            column = match entry {
                MenuEntry::Rule => column.separator(),
                MenuEntry::Standard { command, title } => column.item(&standard(app, *command, title)?),
                MenuEntry::Command { id, title, keys } => {
                    let item = MenuItemBuilder::with_id(id, title);
                    let item = match accelerator(keys) {
                        Some(keys) => item.accelerator(keys),
                        None => item,
                    };
                    column.item(&item.build(app)?)
                }
            };
        }
        bar = bar.item(&column.build()?);
    }
    bar.build()
}

fn standard(
    app: &AppHandle,
    command: StandardCommand,
    title: &str,
) -> tauri::Result<PredefinedMenuItem<Wry>> {
    let title = Some(title);
    match command {
        StandardCommand::Hide => PredefinedMenuItem::hide(app, title),
        StandardCommand::Undo => PredefinedMenuItem::undo(app, title),
        StandardCommand::Redo => PredefinedMenuItem::redo(app, title),
        StandardCommand::Cut => PredefinedMenuItem::cut(app, title),
        StandardCommand::Copy => PredefinedMenuItem::copy(app, title),
        StandardCommand::Paste => PredefinedMenuItem::paste(app, title),
        StandardCommand::SelectAll => PredefinedMenuItem::select_all(app, title),
        StandardCommand::Minimize => PredefinedMenuItem::minimize(app, title),
        StandardCommand::FullScreen => PredefinedMenuItem::fullscreen(app, title),
    }
}

/// Converts the page's chord `mod+shift+s` to the system's notation. Keys without Command stay with the page, because a
/// menu would intercept them while typing.
fn accelerator(chord: &str) -> Option<String> {
    let mut parts: Vec<&str> = chord.split('+').collect();
    let key = parts.pop()?;
    if !parts.contains(&"mod") {
        return None;
    }
    let key = match key {
        // On most keyboards, the plus key without Shift is the equals sign.
        "plus" => "=".to_owned(),
        "enter" => "Enter".to_owned(),
        key if key.len() == 1
            && (key.chars().all(|sign| sign.is_ascii_alphanumeric()) || ",./-=;[]'`".contains(key)) =>
        {
            key.to_ascii_uppercase()
        }
        _ => return None,
    };
    let held = parts.into_iter().map(|held| match held {
        "mod" => Some("CmdOrCtrl"),
        "alt" => Some("Alt"),
        "shift" => Some("Shift"),
        _ => None,
    });
    let mut written: Vec<&str> = held.collect::<Option<_>>()?;
    written.push(&key);
    Some(written.join("+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_with_command_become_accelerators_and_others_stay_with_the_page() {
        for (chord, expected) in [
            ("mod+k", Some("CmdOrCtrl+K")),
            ("mod+shift+s", Some("CmdOrCtrl+Shift+S")),
            ("mod+alt+1", Some("CmdOrCtrl+Alt+1")),
            ("mod+,", Some("CmdOrCtrl+,")),
            ("mod+plus", Some("CmdOrCtrl+=")),
            ("mod+enter", Some("CmdOrCtrl+Enter")),
            ("", None),
            ("?", None),
            ("alt+d", None),
            ("escape", None),
            ("mod+ü", None),
            ("mod+f13", None),
            ("mod+", None),
            ("hyper+mod+k", None),
        ] {
            assert_eq!(accelerator(chord).as_deref(), expected, "{chord}");
        }
    }
}

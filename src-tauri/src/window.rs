//! The window: its colour before the page is loaded, its position, and the handling of links.

use std::path::PathBuf;

use desk::{ApiError, Look};
use tauri::{
    AppHandle, Manager, Runtime, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry,
    plugin::TauriPlugin,
    webview::{Color, NewWindowResponse, PageLoadEvent},
};
use tauri_plugin_opener::OpenerExt;
use tauri_plugin_window_state::StateFlags;

use crate::watches::Watches;

const LABEL: &str = "main";
// The page's own backgrounds, `--paper` of its tokens: a window that shows them before the page is drawn does not flash.
const PAPER: Color = Color(0xf6, 0xf3, 0xec, 0xff);
const LAMP: Color = Color(0x1b, 0x1d, 0x20, 0xff);

/// Opens the only window. The files of WebKit are in the data folder, so that two data folders share nothing.
pub(crate) fn open(app: &AppHandle, folder: &Result<PathBuf, ApiError>) -> tauri::Result<()> {
    let for_links = app.clone();
    let for_windows = app.clone();
    let mut builder = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Galley")
        .inner_size(1280.0, 800.0)
        .min_inner_size(900.0, 600.0)
        .visible(false)
        .on_navigation(move |url| stays_inside(url) || open_outside(&for_links, url))
        .on_new_window(move |url, _| {
            open_outside(&for_windows, &url);
            NewWindowResponse::Deny
        })
        .on_page_load(|window, load| {
            if load.event() == PageLoadEvent::Started {
                window.state::<Watches>().stop_all();
            }
        });
    if let Some(kept) = kept_at(folder) {
        builder = builder.data_directory(kept);
    }
    let look = folder.as_deref().map(desk::chosen_look).unwrap_or_default();
    builder = builder.initialization_script(look_script(&look));
    let window = builder.build()?;
    let is_dark = look.theme.map_or_else(|| is_dark(&window), |theme| Ok(theme == "dark"))?;
    window.set_background_color(Some(if is_dark { LAMP } else { PAPER }))?;
    window.show()
}

/// The folder for WebKit's files. `None` where the data folder cannot be written: WebKit then uses its default, and the
/// window shows the error.
fn kept_at(folder: &Result<PathBuf, ApiError>) -> Option<PathBuf> {
    desk::window_folder(folder.as_ref().ok()?)
}

/// The script that sets the chosen theme and language before the page is drawn, once per window, because the page may
/// change them later.
fn look_script(look: &Look) -> String {
    let chosen = [("theme", &look.theme), ("language", &look.language)];
    let stores: String = chosen
        .iter()
        .filter_map(|(name, value)| {
            Some(format!("localStorage.setItem('galley.{name}', '{}');", value.as_ref()?))
        })
        .collect();
    format!(
        "try {{
            if (sessionStorage.getItem('galley.told') === null) {{ {stores} }}
            sessionStorage.setItem('galley.told', 'look');
            document.documentElement.dataset.theme = localStorage.getItem('galley.theme') ?? '';
        }} catch {{ /* A page that may keep nothing follows the system. */ }}"
    )
}

#[cfg(target_os = "linux")]
fn is_dark(_window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(crate::environment::prefers_dark())
}

#[cfg(not(target_os = "linux"))]
fn is_dark(window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(window.theme()? == tauri::Theme::Dark)
}

/// Saves size and position in the data folder, separately for each one.
pub(crate) fn remembered(folder: &Result<PathBuf, ApiError>) -> TauriPlugin<Wry> {
    // Without a folder of its own, the plugin's default is used.
    let kept = kept_at(folder).unwrap_or_default();
    tauri_plugin_window_state::Builder::new()
        // An absolute name replaces the configuration folder that the plugin would put it in.
        .with_filename(kept.join("place.json").to_string_lossy())
        .with_state_flags(
            StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN,
        )
        .build()
}

/// Shows the window on a second start of the program.
pub(crate) fn bring_forward<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // The window manager may refuse each of these.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// The window, while it is there.
pub(crate) fn of<R: Runtime>(app: &AppHandle<R>) -> Option<tauri::WebviewWindow<R>> {
    app.get_webview_window(LABEL)
}

/// Closes it in the same way as its own button.
pub(crate) fn close<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A window that cannot be closed is already gone.
        let _ = window.close();
    }
}

/// Hides the window; its page stays alive.
pub(crate) fn hide<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        let _ = window.hide();
    }
}

/// Whether the window is hidden.
pub(crate) fn is_hidden<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.get_webview_window(LABEL).is_some_and(|window| !window.is_visible().unwrap_or(true))
}

/// Whether the window is visible and has the focus.
pub(crate) fn is_looked_at<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.get_webview_window(LABEL).is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Whether an address is the program's own page.
fn stays_inside(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => true,
        "about" => url.path() == "blank",
        "http" if cfg!(dev) => url.host_str() == Some("localhost") && url.port() == Some(5173),
        // The page's address on Windows.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

/// Opens a web address in the system's browser, and ignores other addresses. Always false: the page stays.
fn open_outside<R: Runtime>(app: &AppHandle<R>, url: &Url) -> bool {
    if matches!(url.scheme(), "http" | "https" | "mailto") {
        // A system without a browser ignores the link.
        let _ = app.opener().open_url(url.as_str(), None::<&str>);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_programs_own_page_is_shown_in_the_window() {
        let inside = |text: &str| text.parse().is_ok_and(|url| stays_inside(&url));
        assert!(inside("tauri://localhost/index.html"));
        assert!(inside("about:blank"));
        for outside in [
            "https://example.org/",
            "http://localhost:8080/",
            "file:///etc/passwd",
            "data:text/html,<p>hello",
            "https://tauri.localhost.example.org/",
        ] {
            assert!(!inside(outside), "{outside}");
        }
    }
}

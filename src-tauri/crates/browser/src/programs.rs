//! The supported browsers, and their usual paths.

use std::env;
use std::path::PathBuf;

/// Program names in the folders of `PATH`, in order of preference. Snaps are excluded, because they have a different
/// folder for temporary files.
const NAMES: &[&str] = if cfg!(any(windows, target_os = "macos")) {
    &[]
} else {
    &[
        "chromium",
        "google-chrome",
        "google-chrome-stable",
        "microsoft-edge",
        "microsoft-edge-stable",
        "chromium-browser",
    ]
};

/// Absolute paths, or paths relative to the folder in the environment variable.
const PATHS: &[(&str, &str)] = if cfg!(windows) {
    &[
        ("ProgramFiles", r"Google\Chrome\Application\chrome.exe"),
        ("ProgramFiles(x86)", r"Google\Chrome\Application\chrome.exe"),
        ("LocalAppData", r"Google\Chrome\Application\chrome.exe"),
        ("LocalAppData", r"Chromium\Application\chrome.exe"),
        ("ProgramFiles(x86)", r"Microsoft\Edge\Application\msedge.exe"),
        ("ProgramFiles", r"Microsoft\Edge\Application\msedge.exe"),
    ]
} else if cfg!(target_os = "macos") {
    &[
        ("", "/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
        ("HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    ]
} else {
    // Programs started from a desktop may have a short `PATH`.
    &[
        ("", "/usr/bin/chromium"),
        ("", "/usr/bin/google-chrome"),
        ("", "/opt/google/chrome/chrome"),
        ("", "/opt/microsoft/msedge/msedge"),
    ]
};

/// The first browser that is installed.
pub(crate) fn installed() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    // A relative folder depends on the working directory, so it is skipped.
    let folders: Vec<PathBuf> = env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let named = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let placed = PATHS.iter().filter_map(|(variable, path)| match *variable {
        "" => Some(PathBuf::from(path)),
        variable => Some(PathBuf::from(env::var_os(variable)?).join(path)),
    });
    named.chain(placed).find(|program| program.is_file() && !is_snap(program))
}

/// Whether a program is a snap or a wrapper that starts one.
fn is_snap(program: &std::path::Path) -> bool {
    let is_in_snap =
        program.canonicalize().is_ok_and(|path| path.starts_with("/snap") || path.ends_with("bin/snap"));
    let is_small = program.metadata().is_ok_and(|about| about.len() < 16 << 10);
    is_in_snap || (is_small && std::fs::read_to_string(program).is_ok_and(|text| text.contains("/snap/bin/")))
}

//! The page's files, as its build left them.

use std::path::{Component, Path, PathBuf};

/// The page's folder: the one named, else `ui/dist` of the folder one is in, or of one above it or above this program.
pub fn find_page(asked: Option<PathBuf>) -> Option<PathBuf> {
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let above =
        places.iter().flatten().flat_map(|place| place.ancestors()).map(|folder| folder.join("ui/dist"));
    asked.or_else(|| above.into_iter().find(|folder| folder.join("index.html").is_file()))
}

/// A file of the page with its type. `None` for what is not there or lies elsewhere.
pub(crate) fn read(page: &Path, asked: &str) -> Option<(&'static str, Vec<u8>)> {
    let asked = asked.trim_start_matches('/');
    let relative = Path::new(if asked.is_empty() { "index.html" } else { asked });
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let bytes = std::fs::read(page.join(relative)).ok()?;
    Some((kind(relative), bytes))
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_beside_the_page_is_served() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(read(&page, "/lib.rs").is_some());
        for elsewhere in ["/../Cargo.toml", "//etc/passwd", "/a/../../Cargo.toml", "/"] {
            assert!(read(&page, elsewhere).is_none(), "{elsewhere}");
        }
    }
}

//! The files of the built page.

use std::path::{Component, Path, PathBuf};

/// The folder of the page: the given one, else `ui/dist` in the working directory, or in a folder above it or above
/// this program.
pub fn find_page(asked: Option<PathBuf>) -> Option<PathBuf> {
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let above =
        places.iter().flatten().flat_map(|place| place.ancestors()).map(|folder| folder.join("ui/dist"));
    asked.or_else(|| above.into_iter().find(|folder| folder.join("index.html").is_file()))
}

/// A file of the page with its content type. `None` where it is missing or outside the folder.
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
    fn no_file_outside_the_page_is_served() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(read(&page, "/lib.rs").is_some());
        for elsewhere in ["/../Cargo.toml", "//etc/passwd", "/a/../../Cargo.toml", "/"] {
            assert!(read(&page, elsewhere).is_none(), "{elsewhere}");
        }
    }
}

//! Ordinary and malformed files; each test writes them into a temporary folder.

mod damaged;
mod days;
mod encodings;
mod feeds;
mod figures;
mod formulas;
mod pages;
mod pdfs;
mod texts;
mod words;

use std::path::Path;

pub(crate) use pdfs::sample_pdf;

use super::{Document, Progress, ReadError, read_path};

/// A temporary folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

fn read(path: &Path) -> (Result<Vec<Document>, ReadError>, Vec<Progress>) {
    let (mut reported, mut documents) = (Vec::new(), Vec::new());
    let result = read_path(
        path,
        &mut |progress| {
            reported.push(progress);
            std::ops::ControlFlow::Continue(())
        },
        &mut |found| {
            documents.extend(found);
            std::ops::ControlFlow::Continue(())
        },
    );
    (result.map(|()| documents), reported)
}

/// The documents of one file with this name and content.
fn try_one(name: &str, bytes: &[u8]) -> Result<Vec<Document>, ReadError> {
    let folder = folder(&[(name, bytes)]);
    read(&folder.path().join(name)).0
}

fn one(name: &str, bytes: &[u8]) -> Document {
    let mut documents = try_one(name, bytes).unwrap();
    assert_eq!(documents.len(), 1, "{documents:?}");
    documents.remove(0)
}

/// The error of a file that cannot be read; it names the file.
fn error_text(name: &str, bytes: &[u8]) -> String {
    let error = try_one(name, bytes).unwrap_err().to_string();
    assert!(error.contains(name), "{error} does not name {name}");
    error
}

fn notes(reported: &[Progress]) -> Vec<String> {
    let notes = reported.iter().filter_map(|progress| match progress {
        Progress::Noted { note, .. } => Some(note.english()),
        _ => None,
    });
    notes.collect()
}

#[test]
fn a_folder_is_read_in_order_and_a_bad_file_does_not_stop_the_rest() {
    let folder = folder(&[
        ("b.md", "# Second\n\nText of b.".as_bytes()),
        ("a.txt", b"Text of a."),
        ("deep/er/c.html", b"<html><title>Third</title><p>Text of c."),
        ("bad.txt", b"caf\xe9 r\xe9sum\xe9"),
        ("empty.md", b" \n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0"),
        (".hidden.md", b"# Hidden"),
        (".git/config.txt", b"hidden too"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("b.md"), folder.path().join("link.md")).unwrap();
    let (result, reported) = read(folder.path());
    let documents = result.unwrap();
    let origins: Vec<&str> = documents.iter().map(|document| document.origin.as_str()).collect();
    assert_eq!(origins, ["a.txt", "b.md", "deep/er/c.html"]);
    let titles: Vec<&str> = documents.iter().map(|document| document.title.as_str()).collect();
    assert_eq!(titles, ["a", "Second", "Third"]);

    let skipped: Vec<(&str, String)> = reported
        .iter()
        .filter_map(|progress| match progress {
            Progress::Skipped { file, reason } => Some((file.rsplit('/').next().unwrap(), reason.english())),
            _ => None,
        })
        .collect();
    let names: Vec<&str> = skipped.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["bad.txt", "empty.md", "picture.png"]);
    assert!(
        skipped[0].1.contains("not UTF-8")
            && skipped[1].1.contains("is empty")
            && skipped[2].1.contains("of a kind")
    );
    let file = folder.path().join("a.txt").display().to_string();
    assert_eq!(reported[0], Progress::Reading { file: file.clone(), index: 1, total: 6 });
    assert_eq!(reported[1], Progress::Read { file, documents: 1 });
}

#[test]
fn a_path_without_readable_files_gives_an_error_message() {
    let empty = folder(&[("picture.png", b"\x89PNG\0")]);
    let error = read(empty.path()).0.unwrap_err();
    assert!(matches!(error, ReadError::NothingToRead { .. }), "{error}");
    assert!(error.reason().english().starts_with("is a folder"), "{}", error.reason());
    let missing = read(&empty.path().join("gone.md")).0.unwrap_err();
    assert!(matches!(&missing, ReadError::Missing { file } if file.ends_with("gone.md")), "{missing}");
    assert!(error_text("nothing.md", b"").contains("is empty"));
    assert!(error_text("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0").contains("of a kind"));
    #[cfg(unix)]
    assert!(read(Path::new("/dev/null")).0.unwrap_err().to_string().contains("neither an ordinary file"));
}

#[test]
fn a_file_larger_than_the_cap_is_not_read() {
    let folder = folder(&[("huge.txt", b"x")]);
    let path = folder.path().join("huge.txt");
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(super::LARGEST_FILE + 1).unwrap();
    let error = read(&path).0.unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { .. }), "{error}");
}

#[test]
fn a_file_is_read_by_its_content_and_not_by_its_name() {
    let feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><item><title>An entry</title></item></channel></rss>";
    assert_eq!(one("page.html", feed.as_bytes()).title, "An entry");
    assert_eq!(one("data.xml", feed.as_bytes()).title, "An entry");
    assert_eq!(one("noname", b"# no markdown, just text").text, "# no markdown, just text");
    assert_eq!(one("about.md", b"# Files\n\nThey begin with %PDF-1.7").title, "Files");
    assert_eq!(one("noname", b"<!DOCTYPE html><title>Page</title><p>Words of a page.").title, "Page");
    assert_eq!(one("records.dat", b"{\"title\": \"R\", \"summary\": \"words\"}").text, "words");
    assert!(
        error_text("other.xml", b"<?xml version=\"1.0\"?><invoice><sum>1</sum></invoice>")
            .contains("of a kind")
    );
    assert!(error_text("settings.json", b"{\"a\": 1}").contains("of a kind"));
}

#[test]
fn a_long_text_is_cut_with_a_note() {
    let long = "長い文。".repeat(super::LONGEST_TEXT / 6);
    let folder = folder(&[("long.txt", long.as_bytes())]);
    let (documents, reported) = read(&folder.path().join("long.txt"));
    let text = &documents.unwrap()[0].text;
    assert!(text.len() <= super::LONGEST_TEXT && text.len() > super::LONGEST_TEXT - 4);
    assert!(notes(&reported)[0].contains("its end was left out"));
}

#[test]
fn a_headline_in_the_head_and_the_line_below_a_kicker_are_titles() {
    let folder = folder(&[
        ("one.md", b"---\nheadline: Ferries get quieter\n---\n\nThe ferries of the lake have new engines.\n"),
        ("two.txt", b"REPORT\nFerries get quieter\n\nThe ferries of the lake have new engines.\n"),
        ("three.txt", b"WATER\n\nThe ferries of the lake have new engines.\n"),
    ]);
    let title = |name: &str| read(&folder.path().join(name)).0.unwrap()[0].title.clone();
    assert_eq!(title("one.md"), "Ferries get quieter");
    assert_eq!(title("two.txt"), "Ferries get quieter");
    assert_eq!(title("three.txt"), "WATER", "alone it is the title");
    let above = "Ferries get quieter\nSource: The Harbour\nPublished: 2026-06-09\nAuthor: A. Lake et al.\n\nFerries were loud.";
    let labelled =
        "Source: The Harbour\nTitle: Ferries get quieter: why?\nPublished: 2026-06-18\n\nFerries were loud.";
    for (name, text, expected) in [
        ("four.md", above, "Ferries get quieter"),
        ("five.md", labelled, "Ferries get quieter: why?"),
        ("six.txt", labelled, "Ferries get quieter: why?"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(title(name), expected);
    }
}

#[test]
fn a_second_title_stays_in_the_text_and_hides_no_label_below_it() {
    let folder = folder(&[
        ("one.md", b"# Quiet ferries\nTitle: Captain\nSource: The Harbour\n\nFerries were loud."),
        ("two.txt", b"Title: Quiet ferries\nTitle: Captain\nSource: The Harbour\n\nFerries were loud."),
        ("three.md", b"## Quiet ferries\nTitle: Captain\nSource: The Harbour\n\nFerries were loud."),
        ("four.md", b"Quiet ferries\n=====\nTitle: Captain\nSource: The Harbour\n\nFerries were loud."),
    ]);
    let below = b"Title: Quiet ferries\nSource: The Harbour\n\nFerries were loud.\n\n# Crews\n\nThey sleep.";
    std::fs::write(folder.path().join("below.md"), below).unwrap();
    assert_eq!(read(&folder.path().join("below.md")).0.unwrap()[0].title, "Quiet ferries");
    for name in ["one.md", "two.txt", "three.md", "four.md"] {
        let document = &read(&folder.path().join(name)).0.unwrap()[0];
        assert_eq!((document.title.as_str(), document.source.as_str()), ("Quiet ferries", "The Harbour"));
        assert!(document.text.contains("Title: Captain"), "{}", document.text);
    }
}

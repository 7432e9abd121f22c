//! The user's feeds: `feeds.opml` in the data folder, which is created with a default list and can be edited. OPML as
//! feed readers write it: nested outlines, of which those with an `xmlUrl` are feeds.

use std::path::Path;

use kernel::{Code, Error, Phrase, phrase};
use net::Url;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// The file name in the data folder.
pub const FEEDS_FILE: &str = "feeds.opml";

const DEFAULT: &str = include_str!("../../../../../data/feeds.opml");
const LARGEST: u64 = 2 << 20;
/// The most feeds of one search.
const MOST_FEEDS: usize = 100;

/// A feed of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedAddress {
    /// Its name; its host when the list has none.
    pub title: String,
    /// Its address.
    pub url: Url,
}

/// Writes the default list into a data folder that has none. An existing list is never changed.
///
/// # Errors
/// When the file cannot be written.
pub fn seed_feeds(folder: &Path) -> std::io::Result<()> {
    match disk::create_private(&folder.join(FEEDS_FILE)) {
        Ok(mut file) => std::io::Write::write_all(&mut file, DEFAULT.as_bytes()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// The feeds of a data folder; the default ones when it has no list.
///
/// # Errors
/// When a list exists but cannot be read; the message names the file.
pub fn read_feeds(folder: &Path) -> Result<Vec<FeedAddress>, Error> {
    let file = folder.join(FEEDS_FILE);
    let unreadable = |why: Phrase| {
        let message = phrase!(
            "The list of feeds {file} {why}; mend the file, or remove it to begin anew",
            file = file.display(),
            why
        );
        Error::new(Code::BadInput, message)
    };
    let text = match disk::read_text(&file, LARGEST) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => DEFAULT.to_owned(),
        Err(error) => return Err(unreadable(phrase!("cannot be read: {error}", error))),
    };
    feeds_of(&text).map_err(|why| unreadable(phrase!("is not OPML: {why}", why)))
}

fn feeds_of(text: &str) -> Result<Vec<FeedAddress>, Phrase> {
    let mut reader = Reader::from_str(text);
    // Users edit this by hand: unclosed outlines are accepted.
    reader.config_mut().check_end_names = false;
    let mut feeds: Vec<FeedAddress> = Vec::new();
    let mut is_opml = false;
    loop {
        match reader.read_event().map_err(|error| Phrase::verbatim(error.to_string()))? {
            Event::Start(tag) | Event::Empty(tag) => {
                is_opml |= tag.name().as_ref().eq_ignore_ascii_case("opml");
                let feed = feed_of(&tag).filter(|feed| feeds.iter().all(|known| known.url != feed.url));
                feeds.extend(feed);
            }
            Event::Eof => break,
            _ => {}
        }
        if feeds.len() == MOST_FEEDS {
            break;
        }
    }
    if is_opml { Ok(feeds) } else { Err(phrase!("it has no element `opml`")) }
}

fn feed_of(tag: &BytesStart<'_>) -> Option<FeedAddress> {
    let attribute = |name: &str| {
        let found = tag
            .attributes()
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.as_ref().eq_ignore_ascii_case(name))?;
        Some(crate::readers::markup::text_of(&found.value).trim().to_owned()).filter(|text| !text.is_empty())
    };
    let url =
        Url::parse(&attribute("xmlUrl")?).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let title = attribute("title").or_else(|| attribute("text"));
    Some(FeedAddress { title: title.unwrap_or_else(|| url.host_str().unwrap_or_default().to_owned()), url })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_list_is_written_once_and_an_existing_one_is_never_changed() {
        let folder = tempfile::tempdir().unwrap();
        let ours = read_feeds(folder.path()).unwrap();
        assert!(ours.len() >= 8 && ours.iter().all(|feed| feed.url.scheme() == "https"), "{ours:?}");
        seed_feeds(folder.path()).unwrap();
        assert_eq!(read_feeds(folder.path()).unwrap(), ours);
        let own = "<opml version='2.0'><body><outline text='Folder'><outline text='A &amp; B' xmlUrl='https://a.example.org/f?x=1&amp;y=2'/>
            <outline TITLE=\"C\" xmlurl=\"http://c.example.org/\"><outline type=rss xmlUrl='https://a.example.org/f?x=1&amp;y=2'/></body></opml>";
        std::fs::write(folder.path().join(FEEDS_FILE), own).unwrap();
        seed_feeds(folder.path()).unwrap();
        let feeds = read_feeds(folder.path()).unwrap();
        let addresses: Vec<(&str, &str)> =
            feeds.iter().map(|feed| (feed.title.as_str(), feed.url.as_str())).collect();
        assert_eq!(addresses, [("A & B", "https://a.example.org/f?x=1&y=2"), ("C", "http://c.example.org/")]);
    }

    #[test]
    fn an_invalid_list_is_named_and_hostile_ones_terminate() {
        let folder = tempfile::tempdir().unwrap();
        let deep = format!("<opml>{}", "<outline>".repeat(100_000));
        for (text, is_list) in [
            ("", false),
            ("not xml", false),
            ("<rss></rss>", false),
            ("<opml><outline xmlUrl='javascript:1'/><outline xmlUrl='file:///etc/passwd'/></opml>", true),
            (deep.as_str(), true),
            ("<opml><!", false),
        ] {
            std::fs::write(folder.path().join(FEEDS_FILE), text).unwrap();
            match read_feeds(folder.path()) {
                Ok(feeds) => assert!(is_list && feeds.is_empty(), "{}", &text[..text.len().min(60)]),
                Err(error) => assert!(!is_list && error.message.contains(FEEDS_FILE), "{error:?}"),
            }
        }
    }
}

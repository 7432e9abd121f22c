//! The files and fonts that typst can access: the templates, the text as data, and the fonts.

use std::sync::OnceLock;

use serde_json::Value;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

use crate::fonts::fonts;

/// The template of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Template {
    /// A continuous text.
    Page,
    /// A trip.
    Booklet,
}

/// The files of the templates and the data.
struct Files {
    page: Source,
    booklet: Source,
    letters: Source,
    data: FileId,
}

impl Files {
    fn template(&self, template: Template) -> &Source {
        match template {
            Template::Page => &self.page,
            Template::Booklet => &self.booklet,
        }
    }
}

fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    let source = |name: &str, text: &str| Source::new(file(name), text.to_owned());
    FILES.get_or_init(|| Files {
        page: source("page.typ", include_str!("page.typ")),
        booklet: source("booklet.typ", include_str!("booklet.typ")),
        letters: source("letters.typ", include_str!("letters.typ")),
        data: file("text.json"),
    })
}

fn file(name: &str) -> FileId {
    // All names are plain.
    let path = VirtualPath::new(name).unwrap_or_else(|error| unreachable!("{name}: {error:?}"));
    RootedPath::new(VirtualRoot::Project, path).intern()
}

fn library() -> &'static LazyHash<Library> {
    static LIBRARY: OnceLock<LazyHash<Library>> = OnceLock::new();
    LIBRARY.get_or_init(|| LazyHash::new(Library::default()))
}

pub(crate) struct PageWorld {
    template: Template,
    data: Bytes,
    own: Option<OwnFonts>,
}

/// Fonts for only one text.
struct OwnFonts {
    fonts: Vec<Font>,
    /// The index of the first one: they come after all others.
    first: usize,
    /// All fonts.
    book: LazyHash<FontBook>,
}

impl OwnFonts {
    fn new(own: Vec<Font>) -> OwnFonts {
        let mut book = FontBook::clone(fonts().book());
        let first = (0..).take_while(|number| book.info(*number).is_some()).count();
        own.iter().for_each(|font| book.push(font.info().clone()));
        OwnFonts { fonts: own, first, book: LazyHash::new(book) }
    }
}

impl PageWorld {
    pub(crate) fn new(template: Template, text: &Value, own: Vec<Font>) -> PageWorld {
        let own = (!own.is_empty()).then(|| OwnFonts::new(own));
        PageWorld { template, data: Bytes::from_string(text.to_string()), own }
    }
}

impl World for PageWorld {
    fn library(&self) -> &LazyHash<Library> {
        library()
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.own.as_ref().map_or_else(|| fonts().book(), |own| &own.book)
    }

    fn main(&self) -> FileId {
        files().template(self.template).id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        let files = files();
        let known = [files.template(self.template), &files.letters];
        known.into_iter().find(|source| source.id() == id).cloned().ok_or(FileError::AccessDenied)
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        match id == files().data {
            true => Ok(self.data.clone()),
            false => Err(FileError::AccessDenied),
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        match self.own.as_ref().filter(|own| index >= own.first) {
            Some(own) => own.fonts.get(index - own.first).cloned(),
            None => fonts().font(index),
        }
    }

    /// No date, so that equal texts give equal files.
    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

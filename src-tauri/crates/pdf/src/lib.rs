//! L1: typesets a text that is given as data: a PDF file, and a picture of its first page.
//!
//! Typst draws the pages. The content comes from models and web pages: typst gets it as data, never as markup, and can
//! read only its templates and that data.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod fonts;
mod missing;
#[cfg(test)]
mod tests;
mod world;

use kernel::{Code, Error, phrase};
use serde_json::Value;
use typst::foundations::{Bytes, Datetime, Smart};
use typst::text::Font;
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};
use typst_render::RenderOptions;

use crate::world::{PageWorld, Template};

/// The fonts of a file.
pub struct FontFile(Vec<Font>);

impl FontFile {
    /// The fonts in these bytes; `None` if there are none.
    pub fn read(bytes: Vec<u8>) -> Option<FontFile> {
        let fonts: Vec<Font> = Font::iter(Bytes::new(bytes)).collect();
        (!fonts.is_empty()).then_some(FontFile(fonts))
    }

    fn family(&self) -> &str {
        self.0.first().map_or("", |font| font.info().family.as_str())
    }
}

/// A typeset text.
pub struct Pages(PagedDocument);

impl Pages {
    /// Sets a text. Its parts, as `page.typ` reads them, each an object with a `kind`:
    ///
    /// - the whole: `title`; `lang`, `region` and `script` as in lines; `font` (a family that goes before the others); `blocks`; `notes` (for each footnote its blocks);
    /// - blocks: `heading` (`level`, `line`), `paragraph` (`line`), `list` (`start`: number or null, `tight`, `items`: blocks
    ///   of each), `table` (`columns`: `start`, `center` or `end`; `head`: lines; `rows`: lines of each), `code` (`text`),
    ///   `quote` (`blocks`), `rule`;
    /// - lines: `lang` (two or three letters; null: as the whole), `region` (two letters or null), `script` (how ideographs are
    ///   drawn: `SC`, `TC`, `JP` or `KR`), `parts`;
    /// - parts: `text` and `code` (`text`), `emphasis`, `strong` and `struck` (`parts`), `link` (`address`, `parts`), `note`
    ///   (`number`, `first`), `break`.
    ///
    /// # Errors
    /// `bad_input` if no font has one of its characters; `internal` if it cannot be typeset.
    pub fn set(text: &Value) -> Result<Pages, Error> {
        Pages::set_with(Template::Page, text, Vec::new())
    }

    /// The same with the first font of a file before all others; the text names its family as `font`.
    ///
    /// # Errors
    /// As for [`Pages::set`].
    pub fn set_in(text: &Value, file: FontFile) -> Result<Pages, Error> {
        let mut text = text.clone();
        text["font"] = file.family().into();
        Pages::set_with(Template::Page, &text, file.0)
    }

    /// Sets a trip as a booklet. Its parts, as `booklet.typ` reads them; all texts are plain:
    ///
    /// - the whole: `title`; `lang`, `region` and `script` as in lines of [`Pages::set`], and `local` with the same three for
    ///   names of the place, or null; `facts`: pairs of name and value; `weather`: text or null; `words`: the headings
    ///   `itinerary`, `point`, `time`, `way`, `opening`, `points`, `left_out`, `remarks`, `attributions`, `weather`, and
    ///   `local_time`; `works` (`title`, `color`); `left_out` and `remarks`: texts; `attributions` (`text`, `address`: text
    ///   or null); `rows`; `points`; `map`;
    /// - rows, of the table: `mark` (text, empty for the start), `color`, `ink`, `name`, `local_name` (text or null), `times`,
    ///   `way`, `pauses`, `opening`, `doubtful`;
    /// - points: what rows have, and `facts` (`name`, `value`, `address`: text or null), `description`, `short` (it stands
    ///   on one page);
    /// - the map, in points of the page: `alt`, `width`, `height`, `radius`, `letters`; `way`: pairs of x and y; `marks` (`at`,
    ///   `disc`: pairs; `aside`; `mark`, `color`, `ink`; `label`: null or `text`, `at`, `before`: the share of it left of there); `scale` (`at`, `length`, `text`).
    ///
    /// Colours are `#rrggbb`.
    ///
    /// # Errors
    /// As for [`Pages::set`].
    pub fn booklet(trip: &Value) -> Result<Pages, Error> {
        Pages::set_with(Template::Booklet, trip, Vec::new())
    }

    fn set_with(template: Template, text: &Value, own: Vec<Font>) -> Result<Pages, Error> {
        let world = PageWorld::new(template, text, own);
        let document = typst::compile::<PagedDocument>(&world).output.map_err(|errors| {
            let reasons: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            cannot_be_set(&reasons.join("; "))
        })?;
        match missing::characters(&document) {
            none if none.is_empty() => Ok(Pages(document)),
            characters => Err(missing::refusal(&characters)),
        }
    }

    /// The number of pages.
    pub fn count(&self) -> usize {
        self.0.pages().len()
    }

    /// The PDF file. Equal pages give equal bytes. `changed_at` is the time of the last change of the text.
    ///
    /// # Errors
    /// `internal` if the file cannot be written.
    pub fn pdf(&self, changed_at: Option<jiff::Timestamp>) -> Result<Vec<u8>, Error> {
        let options = PdfOptions {
            creator: Smart::Custom(Some("Galley".to_owned())),
            timestamp: changed_at.and_then(timestamp),
            ..PdfOptions::default()
        };
        typst_pdf::pdf(&self.0, &options).map_err(|errors| {
            let reasons: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            cannot_be_set(&reasons.join("; "))
        })
    }

    /// A PNG picture of the first page, with this many pixels per point.
    ///
    /// # Errors
    /// `internal` if it cannot be drawn.
    pub fn first_page(&self, pixels_a_point: f64) -> Result<Vec<u8>, Error> {
        let page = self.0.pages().first().ok_or_else(|| cannot_be_set("there is no page"))?;
        let options = RenderOptions { pixel_per_pt: pixels_a_point.into(), ..RenderOptions::default() };
        typst_render::render(page, &options).encode_png().map_err(|error| cannot_be_set(&error.to_string()))
    }
}

fn timestamp(moment: jiff::Timestamp) -> Option<Timestamp> {
    let at = jiff::tz::Offset::UTC.to_datetime(moment);
    let unsigned = |number: i8| u8::try_from(number).ok();
    let datetime = Datetime::from_ymd_hms(
        i32::from(at.year()),
        unsigned(at.month())?,
        unsigned(at.day())?,
        unsigned(at.hour())?,
        unsigned(at.minute())?,
        unsigned(at.second())?,
    )?;
    Some(Timestamp::new_utc(datetime))
}

fn cannot_be_set(reason: &str) -> Error {
    Error::new(
        Code::Internal,
        phrase!(
            "The text cannot be set on pages: {reason}. Export it as Word document or web page instead",
            reason
        ),
    )
}

//! The list of the export formats of a run.

mod list;

pub use list::FORMATS;

use itinerary::TripPlan;
use jiff::Timestamp;
use kernel::{Code, Error, EventKind, Form, State, fold_state, phrase};

use crate::document::Document;
use crate::redaction::Redaction;
use crate::trip::{self, Sheet};
use crate::{Exportable, docx, html, journal, paper, report, session, text};

/// The parts of a run that a format contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The text with its sources.
    Text,
    /// The planned trip.
    Trip,
    /// Every event with prompts, answers and the results of tools.
    Events,
    /// Every event as a sentence.
    Journal,
    /// Changes of the state with the answers of models and calls of tools.
    Session,
    /// Only the changes of the state.
    Changes,
}

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The word that selects it.
    pub id: &'static str,
    /// Its title for people.
    pub title: Form,
    /// The file extension, without the dot.
    pub extension: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// The parts of a run that it contains.
    pub holds: Holds,
    write: Write,
}

/// How the format is written.
#[derive(Debug, Clone, Copy)]
enum Write {
    Markdown,
    WebPage,
    Pages,
    Word,
    Trip(fn(&Sheet<'_>) -> String),
    Booklet,
    Record(fn(&Exportable<'_>, &State) -> String),
    Whole(fn(&Exportable<'_>, &State, &[Redaction]) -> Result<String, Error>),
    Journal,
}

/// Resolution of the picture of a page: enough for a screen with two pixels per point.
const PIXELS_A_POINT: f64 = 1.5;

impl Format {
    /// Whether its files are text that can be shown and copied directly.
    pub fn is_text(&self) -> bool {
        let data = ["application/json", "+json", "+xml"];
        self.media_type.starts_with("text/") || data.iter().any(|end| self.media_type.ends_with(end))
    }

    /// Whether it can omit kinds of events.
    pub fn leaves_out(&self) -> bool {
        self.holds == Holds::Journal
    }

    /// Whether it can redact prompts, pages and similar content.
    pub fn redacts(&self) -> bool {
        self.holds == Holds::Events
    }

    /// Whether it requires the run's text, which not every run has.
    fn needs_text(&self) -> bool {
        self.holds == Holds::Text
    }

    /// Writes the file of a trip.
    ///
    /// # Errors
    /// `bad_input` if the format holds no trip; `internal` if the trip cannot be typeset.
    pub(crate) fn of_trip(&self, sheet: &Sheet<'_>) -> Result<Vec<u8>, Error> {
        match self.write {
            Write::Trip(write) => Ok(write(sheet).into_bytes()),
            Write::Booklet => trip::booklet::pages(sheet)?.pdf(Some(sheet.changed_at)),
            _ => {
                let message = phrase!("“{title}” holds no trip", title = self.title);
                Err(Error::new(Code::BadInput, message))
            }
        }
    }

    /// Whether it requires a planned trip, which few runs have.
    fn needs_trip(&self) -> bool {
        self.holds == Holds::Trip
    }
}

/// The counts of an export's contents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// Events, or changes of the state.
    pub events: usize,
    /// Prompts with their answers.
    pub prompts: usize,
    /// Answers of models without their prompts.
    pub answers: usize,
    /// Tool calls with their results.
    pub tool_calls: usize,
    /// For a whole run, the number of items of each kind that can be left out.
    pub things: Vec<(Redaction, usize)>,
}

/// The parts that are left out of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Kinds of events, for the journal.
    pub events: Vec<EventKind>,
    /// Kinds of content, for a whole run.
    pub things: Vec<Redaction>,
}

/// A run in one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its content as text: the file itself if it is text, else the text that it was made from.
    pub text: String,
    /// For the run's text, its forms for copying, whatever the format.
    pub forms: Option<TextForms>,
    /// A PNG picture of the first page, if there are pages.
    pub picture: Option<Vec<u8>>,
    /// The counts of its contents.
    pub contents: Contents,
}

/// A text in the two forms for the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextForms {
    /// As Markdown.
    pub markdown: String,
    /// As HTML, which programs with rich text paste.
    pub html: String,
}

/// The format with this id.
pub fn format(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.id == id)
}

/// The formats that can be written for this run.
pub fn offered(run: &Exportable<'_>) -> Vec<&'static Format> {
    let state = fold_state(run.events);
    let (has_text, has_trip) = (text::body(run, &state).is_some(), trip::plan(run, &state).is_some());
    let fits = |format: &&Format| (has_text || !format.needs_text()) && (has_trip || !format.needs_trip());
    FORMATS.iter().filter(fits).collect()
}

/// Exports the run in this format without the omitted parts.
///
/// # Errors
/// `bad_input` if the format requires a text or a trip that the run does not have, if something is to be left out of a
/// format that does not support it, or if the text cannot be written in this format.
pub fn export(run: &Exportable<'_>, format: &Format, left: &Omissions) -> Result<Export, Error> {
    let without = &left.events;
    let title = format.title;
    if !without.is_empty() && !format.leaves_out() {
        let message = phrase!(
            "“{title}” holds every kind of event; leave kinds out of the journal (csv) instead",
            title
        );
        return Err(Error::new(Code::BadInput, message));
    }
    if !left.things.is_empty() && !format.redacts() {
        let known: Vec<&str> = Redaction::ALL.map(Redaction::word).to_vec();
        let message = phrase!(
            "{known} can be left out of a report (report) or of JSON (json), not of “{title}”",
            known,
            title
        );
        return Err(Error::new(Code::BadInput, message));
    }
    let state = fold_state(run.events);
    let made = match format.write {
        Write::Record(write) => WrittenFile::of(write(run, &state)),
        Write::Whole(write) => WrittenFile::of(write(run, &state, &left.things)?),
        Write::Journal => WrittenFile::of(journal::csv(run, without)?),
        Write::Trip(_) | Write::Booklet => trip_in(run, &state, format)?,
        Write::Markdown | Write::WebPage | Write::Pages | Write::Word => text_in(run, &state, format)?,
    };
    let mut contents = contents(run, format.holds, without);
    if format.redacts() {
        contents.things = Redaction::ALL.into_iter().zip(report::holds(run)).collect();
    }
    Ok(Export { bytes: made.bytes, text: made.text, forms: made.forms, picture: made.picture, contents })
}

/// A written file, with its text and picture.
struct WrittenFile {
    bytes: Vec<u8>,
    text: String,
    forms: Option<TextForms>,
    picture: Option<Vec<u8>>,
}

impl WrittenFile {
    /// A file that is text itself.
    fn of(text: String) -> WrittenFile {
        WrittenFile { bytes: text.clone().into_bytes(), text, forms: None, picture: None }
    }
}

/// Writes the run's text in one of its formats.
fn text_in(run: &Exportable<'_>, state: &State, format: &Format) -> Result<WrittenFile, Error> {
    let (markdown, addresses) = markdown(run, state, format)?;
    let changed_at = run.events.last().map_or(run.start.at_ms, |event| event.at_ms);
    let document = Document::read(&markdown, &addresses, changed_at);
    let html = html::page(&document);
    let made = match format.write {
        Write::Pages => {
            let pages = paper::pages(&document)?;
            WrittenFile {
                bytes: pages.pdf(document.changed_at.parse().ok())?,
                picture: Some(pages.first_page(PIXELS_A_POINT)?),
                ..WrittenFile::of(markdown.clone())
            }
        }
        Write::Word => WrittenFile { bytes: docx::write(&document)?, ..WrittenFile::of(markdown.clone()) },
        Write::WebPage => WrittenFile::of(html.clone()),
        _ => WrittenFile::of(markdown.clone()),
    };
    Ok(WrittenFile { forms: Some(TextForms { markdown, html }), ..made })
}

/// Writes the run's trip in one of its formats.
fn trip_in(run: &Exportable<'_>, state: &State, format: &Format) -> Result<WrittenFile, Error> {
    let Some(plan) = trip::plan(run, state) else {
        let title = format.title;
        let message = phrase!(
            "This run has no planned trip for “{title}”; go on with it until its visits are planned, or export its events",
            title
        );
        return Err(Error::new(Code::BadInput, message));
    };
    let sheet = trip::sheet(run, &plan);
    if let Write::Trip(write) = format.write {
        return Ok(WrittenFile::of(write(&sheet)));
    }
    let pages = trip::booklet::pages(&sheet)?;
    Ok(WrittenFile {
        bytes: pages.pdf(Some(sheet.changed_at))?,
        picture: Some(pages.first_page(PIXELS_A_POINT)?),
        ..WrittenFile::of(trip::booklet::plain_text(&sheet))
    })
}

/// The Markdown of the run's text, and the addresses of its sources.
fn markdown(run: &Exportable<'_>, state: &State, format: &Format) -> Result<(String, Vec<String>), Error> {
    let Some(body) = text::body(run, state) else {
        let title = format.title;
        let message = phrase!(
            "This run has no text for “{title}”; go on with it until a draft is there, or export its events",
            title
        );
        return Err(Error::new(Code::BadInput, message));
    };
    Ok((text::markdown(run, state, &body), text::addresses(run, state, &body)))
}

/// Writes a planned trip of this session in one of the trip formats, dated at this time.
///
/// # Errors
/// `bad_input` if the format holds no trip or a point cannot be drawn; `internal` if it cannot be typeset.
pub fn trip_in_format(
    plan: &TripPlan,
    session: &str,
    changed_at: Timestamp,
    format: &Format,
) -> Result<Vec<u8>, Error> {
    if !trip::is_drawable(plan) {
        let message =
            phrase!("A point of the visit is nowhere on the earth; give its latitude and longitude");
        return Err(Error::new(Code::BadInput, message));
    }
    format.of_trip(&Sheet::of(plan, session, changed_at))
}

fn contents(run: &Exportable<'_>, holds: Holds, without: &[EventKind]) -> Contents {
    let count =
        |is_meant: fn(&kernel::Fact) -> bool| run.events.iter().filter(|event| is_meant(&event.fact)).count();
    let count_effects = |is_meant: fn(&kernel::Effect) -> bool| {
        let effects = run.events.iter().filter(
            |event| matches!(&event.fact, kernel::Fact::EffectAsked { effect, .. } if is_meant(effect)),
        );
        effects.count()
    };
    let models = count_effects(|effect| matches!(effect, kernel::Effect::Model { .. }));
    let tool_calls = count_effects(|effect| matches!(effect, kernel::Effect::Tool { .. }));
    match holds {
        Holds::Text | Holds::Trip => Contents::default(),
        Holds::Events => {
            Contents { events: run.events.len(), prompts: models, tool_calls, ..Contents::default() }
        }
        Holds::Journal => {
            let is_kept = |event: &&kernel::Event| !without.contains(&kernel::kind(&event.fact));
            Contents { events: run.events.iter().filter(is_kept).count(), ..Contents::default() }
        }
        Holds::Session => Contents {
            events: session::events(run).len(),
            answers: models,
            tool_calls,
            ..Contents::default()
        },
        Holds::Changes => Contents {
            events: count(|fact| {
                matches!(fact, kernel::Fact::StateChanged { .. } | kernel::Fact::RunResumed { .. })
            }),
            ..Contents::default()
        },
    }
}

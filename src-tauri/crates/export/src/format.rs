//! The formats that a run can be exported in, as one list.

mod list;

pub use list::FORMATS;

use kernel::{Code, Error, EventKind, Form, State, fold_state, phrase};

use crate::document::Document;
use crate::redaction::Redaction;
use crate::trip::{self, Sheet};
use crate::{Exportable, docx, html, journal, paper, report, session, text};

/// What of a run a format holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The text with its sources.
    Text,
    /// The planned trip.
    Trip,
    /// Every event with prompts, answers and what tools returned.
    Events,
    /// Every event as a sentence.
    Journal,
    /// Changes of the state with answers of models and calls of tools.
    Session,
    /// Changes of the state alone.
    Changes,
}

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The word by which it is asked for.
    pub id: &'static str,
    /// Its title for people.
    pub title: Form,
    /// The ending of its files, without the dot.
    pub extension: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What of a run it holds.
    pub holds: Holds,
    write: Write,
}

/// How a format is written.
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

/// How sharp the picture of a page is: enough for a screen of two pixels a point.
const PIXELS_A_POINT: f64 = 1.5;

impl Format {
    /// Whether its files are text that can be shown and copied as it is.
    pub fn is_text(&self) -> bool {
        let data = ["application/json", "+json", "+xml"];
        self.media_type.starts_with("text/") || data.iter().any(|end| self.media_type.ends_with(end))
    }

    /// Whether kinds of events can be left out of it.
    pub fn leaves_out(&self) -> bool {
        self.holds == Holds::Journal
    }

    /// Whether prompts, pages and the like can be left out of it.
    pub fn redacts(&self) -> bool {
        self.holds == Holds::Events
    }

    /// Whether it is made of the run's text, which a run need not have.
    fn needs_text(&self) -> bool {
        self.holds == Holds::Text
    }

    /// The file of a trip.
    ///
    /// # Errors
    /// `bad_input` where it holds no trip; `internal` where the trip cannot be set on pages.
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

    /// Whether it is made of a planned trip, which few runs have.
    fn needs_trip(&self) -> bool {
        self.holds == Holds::Trip
    }
}

/// What an export holds, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// Events, or changes of the state.
    pub events: usize,
    /// Prompts with their answers.
    pub prompts: usize,
    /// Answers of models without their prompts.
    pub answers: usize,
    /// Tool calls with what they returned.
    pub tool_calls: usize,
    /// Of a whole run, how much it holds of each kind that can be left out.
    pub things: Vec<(Redaction, usize)>,
}

/// What is left out of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Kinds of events, of the journal.
    pub events: Vec<EventKind>,
    /// Kinds of things, of a whole run.
    pub things: Vec<Redaction>,
}

/// A run in one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub bytes: Vec<u8>,
    /// What is in it as text: the file itself where it is text, else the words it was made of.
    pub text: String,
    /// Of the run's text, in whichever format, its forms for copying.
    pub forms: Option<TextForms>,
    /// A picture of the first page as PNG, where there are pages.
    pub picture: Option<Vec<u8>>,
    /// What it holds.
    pub contents: Contents,
}

/// A text in the two forms in which it is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextForms {
    /// As Markdown.
    pub markdown: String,
    /// As a web page: what a program that takes rich text pastes.
    pub html: String,
}

/// The format of this id.
pub fn format(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.id == id)
}

/// The formats that this run has something for.
pub fn offered(run: &Exportable<'_>) -> Vec<&'static Format> {
    let state = fold_state(run.events);
    let (has_text, has_trip) = (text::body(run, &state).is_some(), trip::plan(run, &state).is_some());
    let fits = |format: &&Format| (has_text || !format.needs_text()) && (has_trip || !format.needs_trip());
    FORMATS.iter().filter(fits).collect()
}

/// The run in this format without what is left out.
///
/// # Errors
/// `bad_input` where the run has no text or no trip and the format is made of it, where something is to be left out of a format that
/// holds all of it, or where the text cannot be written in this format.
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
        Write::Record(write) => Made::of(write(run, &state)),
        Write::Whole(write) => Made::of(write(run, &state, &left.things)?),
        Write::Journal => Made::of(journal::csv(run, without)?),
        Write::Trip(_) | Write::Booklet => trip_in(run, &state, format)?,
        Write::Markdown | Write::WebPage | Write::Pages | Write::Word => text_in(run, &state, format)?,
    };
    let mut contents = contents(run, format.holds, without);
    if format.redacts() {
        contents.things = Redaction::ALL.into_iter().zip(report::holds(run)).collect();
    }
    Ok(Export { bytes: made.bytes, text: made.text, forms: made.forms, picture: made.picture, contents })
}

/// A file with what is told of it.
struct Made {
    bytes: Vec<u8>,
    text: String,
    forms: Option<TextForms>,
    picture: Option<Vec<u8>>,
}

impl Made {
    /// A file that is text itself.
    fn of(text: String) -> Made {
        Made { bytes: text.clone().into_bytes(), text, forms: None, picture: None }
    }
}

/// The run's text in one of its formats.
fn text_in(run: &Exportable<'_>, state: &State, format: &Format) -> Result<Made, Error> {
    let (markdown, addresses) = markdown(run, state, format)?;
    let changed_at = run.events.last().map_or(run.start.at_ms, |event| event.at_ms);
    let document = Document::read(&markdown, &addresses, changed_at);
    let html = html::page(&document);
    let made = match format.write {
        Write::Pages => {
            let pages = paper::pages(&document)?;
            Made {
                bytes: pages.pdf(document.changed_at.parse().ok())?,
                picture: Some(pages.first_page(PIXELS_A_POINT)?),
                ..Made::of(markdown.clone())
            }
        }
        Write::Word => Made { bytes: docx::write(&document)?, ..Made::of(markdown.clone()) },
        Write::WebPage => Made::of(html.clone()),
        _ => Made::of(markdown.clone()),
    };
    Ok(Made { forms: Some(TextForms { markdown, html }), ..made })
}

/// The run's trip in one of its formats.
fn trip_in(run: &Exportable<'_>, state: &State, format: &Format) -> Result<Made, Error> {
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
        return Ok(Made::of(write(&sheet)));
    }
    let pages = trip::booklet::pages(&sheet)?;
    Ok(Made {
        bytes: pages.pdf(Some(sheet.changed_at))?,
        picture: Some(pages.first_page(PIXELS_A_POINT)?),
        ..Made::of(trip::booklet::told(&sheet))
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

fn contents(run: &Exportable<'_>, holds: Holds, without: &[EventKind]) -> Contents {
    let count =
        |is_meant: fn(&kernel::Fact) -> bool| run.events.iter().filter(|event| is_meant(&event.fact)).count();
    let asked = |is_meant: fn(&kernel::Effect) -> bool| {
        let effects = run.events.iter().filter(
            |event| matches!(&event.fact, kernel::Fact::EffectAsked { effect, .. } if is_meant(effect)),
        );
        effects.count()
    };
    let models = asked(|effect| matches!(effect, kernel::Effect::Model { .. }));
    let tool_calls = asked(|effect| matches!(effect, kernel::Effect::Tool { .. }));
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

//! Exports runs that end, wait or are stopped in this process as spans to the collector in the settings.
//!
//! No run waits for the collector. The log reports once that it does not respond, and so does the doctor.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Log, Recorded, RunHandle};
use jiff::Timestamp;
use kernel::{Phrase, phrase};
use otlp::{Collector, ExportError, Span, latest_spans};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ApiError;
use crate::api::findings::line;
use crate::api::{DoctorLine, Remedy, Topic};
use crate::program::ProgramService;
use crate::settings::OTLP_URL;

/// The result of the last export, in a file of the data folder, because the doctor may be another process.
const FILE: &str = "last-export.json";
/// Largest file of it, in bytes.
const LARGEST: u64 = 64 << 10;
/// The timeout of an export and of the doctor's request.
const WITHIN: Duration = Duration::from_secs(10);

/// The result of an export.
#[derive(Debug, Serialize, Deserialize)]
struct LastExport {
    at_ms: i64,
    spans: u32,
    /// The reason why the spans did not arrive.
    error: Option<Phrase>,
}

/// The state of exports.
pub(crate) struct Exports {
    file: PathBuf,
    closing: CancellationToken,
    has_warned: AtomicBool,
}

impl Exports {
    pub(crate) fn of(folder: &Path) -> Exports {
        Exports {
            file: folder.join(FILE),
            closing: CancellationToken::new(),
            has_warned: AtomicBool::new(false),
        }
    }

    fn last(&self) -> Option<LastExport> {
        serde_json::from_str(&disk::read_text(&self.file, LARGEST).ok()?).ok()
    }

    /// Sends spans within the timeout.
    async fn send(&self, collector: &Collector, spans: Vec<Span>) -> Result<(), Phrase> {
        tokio::select! {
            sent = timeout(WITHIN, collector.send(spans)) => match sent {
                Ok(sent) => sent.map_err(|error: ExportError| error.phrase()),
                Err(_) => Err(phrase!("The collector took longer than {seconds} s", seconds = WITHIN.as_secs())),
            },
            () = self.closing.cancelled() => Err(phrase!("Galley ended before the collector had answered")),
        }
    }

    fn keep(&self, last: &LastExport) {
        match &last.error {
            None => self.has_warned.store(false, Ordering::Relaxed),
            Some(error) if !self.has_warned.swap(true, Ordering::Relaxed) => {
                tracing::warn!(error = error.english(), "spans of a run were not exported");
            }
            Some(_) => {}
        }
        let text = serde_json::to_vec(last).unwrap_or_default();
        if let Err(error) = disk::write_private(&self.file, &text) {
            tracing::warn!(%error, "what came of an export is not kept");
        }
    }
}

impl ProgramService {
    /// Cancels exports of spans, because the program ends.
    pub(crate) fn give_up_exports(&self) {
        self.exports.closing.cancel();
    }

    /// Exports the events of a run since its previous end, where the settings name a collector.
    pub(crate) async fn export_spans(&self, handle: &RunHandle) {
        let Some(collector) = self.collector() else { return };
        let spans = match self.spans_of(handle).await {
            Ok(spans) => spans,
            Err(error) => return tracing::warn!(%error, "a run cannot be read to export its spans"),
        };
        let count = u32::try_from(spans.len()).unwrap_or(u32::MAX);
        let error = self.exports.send(&collector, spans).await.err();
        self.exports.keep(&LastExport { at_ms: engine::now_ms(), spans: count, error });
    }

    /// `None` where none is set, or where the settings cannot be read, which other commands report.
    fn collector(&self) -> Option<Collector> {
        let url = self.settings.get(OTLP_URL).ok().filter(|url| !url.is_empty())?;
        Collector::new(&self.net, &url)
    }

    async fn spans_of(&self, handle: &RunHandle) -> Result<Vec<Span>, ApiError> {
        let Recorded { mut events, .. } = self.store.load(handle.run()).await?;
        // The run may already continue: later events are exported at its next end.
        let last = handle.fold().last_seq;
        events.retain(|event| event.seq <= last);
        let profiles = self.settings.profiles()?;
        let provider_of = |name: &str| {
            let card = profiles.iter().find(|card| card.name == name);
            card.map(|card| card.provider.clone())
        };
        Ok(latest_spans(&events, &provider_of))
    }

    /// Whether the collector responds, and the result of the last export; `None` where none is set.
    pub(crate) async fn about_collector(&self) -> Option<DoctorLine> {
        let collector = self.collector()?;
        let last = match self.exports.last() {
            None => phrase!("nothing was exported yet"),
            Some(LastExport { at_ms, spans, error: None }) => {
                phrase!("the last export took {spans} spans there ({at})", spans, at = utc_second(at_ms))
            }
            Some(LastExport { at_ms, error: Some(why), .. }) => {
                phrase!("the last export failed ({at}): {why}", at = utc_second(at_ms), why)
            }
        };
        let found = match self.exports.send(&collector, Vec::new()).await {
            Ok(()) => Ok(phrase!("the collector takes spans; {last}", last)),
            Err(why) => Err(Phrase::clauses([why, last])),
        };
        Some(line(Topic::Collector, found, Remedy::CheckCollector))
    }
}

/// A time to the second, in UTC.
fn utc_second(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

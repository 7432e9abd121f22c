//! Makes a file of a planned visit in the folder of the run: its map, its booklet, its calendar, …. Not in here: how any of
//! them looks, which is decided where files leave the program.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input};
use itinerary::{Choice, Stop, Trip, TripPlan, plan};
use jiff::Timestamp;
use jiff::civil::date;
use kernel::{Code, Coordinates, EffectClass, Error, Phrase, phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run_folder::path::{RunPath, shown};
use crate::run_folder::{Existing, Folder, LARGEST_FILE};

/// The name of the tool for files of visits.
const TRIP_FILE: &str = "trip_file";

/// What a plan is called in a session.
const ITINERARY: &str = "itinerary";

/// Makes files of planned trips.
pub trait TripFiles: Send + Sync + 'static {
    /// The trip of this session in the format with this id, and the extension of such a file without its dot. It is dated
    /// at this time, so that the same trip gives the same file. Blocks.
    ///
    /// # Errors
    /// `bad_input` where a point of the trip is nowhere on the earth; `internal` where it cannot be set on pages.
    fn make(
        &self,
        plan: &TripPlan,
        session: &str,
        changed_at: Timestamp,
        format: &str,
    ) -> Result<(Vec<u8>, &'static str), Error>;
}

/// Makes a file of a planned visit.
pub struct TripFileTool {
    files: Arc<dyn TripFiles>,
}

impl TripFileTool {
    /// With what makes the files.
    pub fn new(files: Arc<dyn TripFiles>) -> TripFileTool {
        TripFileTool { files }
    }
}

/// What is made. With comments of their own its variants would become a choice of schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TripFormat {
    Map,
    Booklet,
    Ics,
    Links,
    Gpx,
    Geojson,
    Kml,
}

/// Of which visit what is made.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TripFileInput {
    /// The visit: the whole value of the key `pilgrimage_session` of a run that planned one.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub session: Value,
    /// What to make: the drawn map as a web page, the booklet as PDF, a calendar, links to Google Maps, or the points and
    /// ways for other programs.
    pub format: TripFormat,
    /// The file as seen from the folder of the run, such as `visit/map.html`; named by the session where it is empty. One
    /// that exists is replaced.
    #[serde(default)]
    pub path: String,
}

/// The file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TripFileOutput {
    /// Its path as seen from the folder of the run.
    pub path: String,
    /// Its bytes.
    pub bytes: u64,
}

/// What of a session is needed.
#[derive(Deserialize)]
struct Session {
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    updated_at: String,
    itinerary: TripPlan,
}

impl TripFormat {
    /// Its id as exports have it.
    fn id(self) -> &'static str {
        match self {
            TripFormat::Map => "map",
            TripFormat::Booklet => "booklet",
            TripFormat::Ics => "ics",
            TripFormat::Links => "links",
            TripFormat::Gpx => "gpx",
            TripFormat::Geojson => "geojson",
            TripFormat::Kml => "kml",
        }
    }
}

#[async_trait]
impl TypedTool for TripFileTool {
    type Input = TripFileInput;
    type Output = TripFileOutput;
    const NAME: &'static str = TRIP_FILE;
    const DESCRIPTION: &'static str = "Makes a file of a planned visit in the folder of this run: `map` is a web page with the drawn map and the \
         itinerary, `booklet` a PDF file on A4, `ics` a calendar, `links` addresses of Google Maps, `gpx`, `geojson` and `kml` \
         hold points and ways for other programs.";
    const USES_FOLDER: bool = true;

    fn access(&self, _: &TripFileInput) -> Access {
        Access::own_folder(EffectClass::Repeatable)
    }

    fn title(&self, input: &TripFileInput) -> Phrase {
        phrase!("made the {format} file of the visit", format = input.format.id())
    }

    fn intent(&self, input: &TripFileInput) -> Phrase {
        let format = input.format.id();
        match input.path.as_str() {
            "" => phrase!("Makes the {format} file of the visit in the folder of the run", format),
            path => phrase!(
                "Makes the {format} file of the visit as {path} in the folder of the run",
                format,
                path = shown(path)
            ),
        }
    }

    fn examples(&self) -> Vec<ToolExample> {
        let example = |session| ToolExample {
            title: "the calendar of a visit",
            input: json!({ "session": session, "format": "ics", "path": "visit.ics" }),
            output_contains: "visit.ics",
        };
        session_of_one_bridge().ok().map(example).into_iter().collect()
    }

    async fn call(
        &self,
        input: TripFileInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<TripFileOutput>, Error> {
        let folder = Folder::of(TRIP_FILE, context, LARGEST_FILE)?;
        let TripFileInput { session, format, path } = input;
        let session: Session = serde_json::from_value(session).map_err(|why| {
            let why = format!("it has no planned visit ({why}); give the value of `pilgrimage_session`");
            bad_input(TRIP_FILE, &format!("/session/{ITINERARY}"), &why)
        })?;
        let files = Arc::clone(&self.files);
        let make = move || -> Result<_, Error> {
            // Whoever wrote no time gets a file of no time: the clock may not be read here, or a replay would differ.
            let changed_at = session.updated_at.parse().unwrap_or(Timestamp::UNIX_EPOCH);
            let (bytes, extension) =
                files.make(&session.itinerary, &session.session_id, changed_at, format.id())?;
            let name = Some(session.session_id).filter(|id| !id.is_empty());
            let usual = || format!("{}.{extension}", name.unwrap_or_else(|| "visit".to_owned()));
            let path = if path.is_empty() { usual() } else { path };
            let path = RunPath::of_file(&path).map_err(|why| bad_input(TRIP_FILE, "/path", &why))?;
            Ok((path, bytes))
        };
        let broken = |_| Error::new(Code::Internal, phrase!("The file of the visit could not be made"));
        // Pages take their time: meanwhile others may work with files.
        let (path, bytes) = tokio::task::spawn_blocking(make).await.map_err(broken)??;
        let file =
            folder.work(context, move |folder| folder.write(&path, &bytes, Existing::Replaced)).await?;
        let output = TripFileOutput { path: file.path.clone(), bytes: file.bytes };
        let summary = phrase!("{path} has {bytes} bytes", path = file.path.as_str(), bytes = file.bytes);
        Ok(ToolOutput { files: vec![file], ..ToolOutput::new(output, summary) })
    }
}

/// A session that visits one bridge.
fn session_of_one_bridge() -> Result<Value, Error> {
    let stop = |id: &str, name: &str, latitude, longitude| Stop {
        id: id.to_owned(),
        name: name.to_owned(),
        coordinates: Some(Coordinates { latitude, longitude }),
        opening_hours: None,
        stay_minutes: None,
    };
    let trip = Trip {
        start: stop("@start", "Uji", 34.8906, 135.8007),
        stops: vec![stop("bridge", "Uji Bridge", 34.8928, 135.8062)],
        departure: date(2026, 11, 29).at(10, 0, 0, 0),
        returns_to_start: false,
        utc_offset_minutes: Some(540),
        country: None,
    };
    let itinerary = plan(&trip, &trip.legs(&[]), &Choice::default())?;
    let visit = json!({
        "title": "A bridge in Uji", "language": "en", "trip": trip, "itinerary": itinerary, "time_zone": "Asia/Tokyo",
    });
    Ok(json!({ "session_id": "uji", "updated_at": "2026-11-29T01:00:00Z", "itinerary": visit }))
}

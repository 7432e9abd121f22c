//! Writes a file of a planned visit into the run's folder: its map, booklet, calendar and others. Not in here: their
//! layout, which the exports define.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input};
use itinerary::{Choice, MOST_POINTS, Stop, Trip, TripPlan, plan};
use jiff::Timestamp;
use jiff::civil::date;
use kernel::{Code, Coordinates, EffectClass, Error, Phrase, phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run_folder::path::{RunPath, journal_text, safe_name};
use crate::run_folder::{Existing, Folder, LARGEST_FILE};
use crate::trip_files::TripFiles;

/// The name of the tool for files of visits.
const TRIP_FILE: &str = "trip_file";

/// The key of a plan in a session.
const ITINERARY: &str = "itinerary";
/// The largest plan in bytes of JSON, about twice that of a trip with the most points.
const LARGEST_PLAN: usize = 4 << 20;

/// Writes a file of a planned visit.
pub struct TripFileTool {
    files: Arc<dyn TripFiles>,
}

impl TripFileTool {
    /// Creates the tool with the renderer of the files.
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
    /// The visit: the whole value of the key `pilgrimage_session`, or of `itinerary`, of a run that planned one.
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

/// The required part of a session.
#[derive(Deserialize)]
struct Session {
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    updated_at: String,
    itinerary: TripPlan,
}

impl Session {
    /// A session, or only the plan from the key `itinerary` of a run.
    ///
    /// # Errors
    /// `bad_input` when it contains no plan, or one with more points than allowed.
    fn read(value: Value) -> Result<Session, Error> {
        let refused = |why: &str| bad_input(TRIP_FILE, "/session", why);
        let is_plan = value.get("trip").is_some();
        let value = if is_plan { json!({ ITINERARY: value }) } else { value };
        let session: Session = serde_json::from_value(value).map_err(|why| {
            let why: String = why.to_string().chars().take(200).collect();
            refused(&format!(
                "it has no planned visit ({why}); give the value of `pilgrimage_session` or of `itinerary`, or plan the visit anew"
            ))
        })?;
        // The work grows with the square of the points, and cannot be cancelled.
        let TripPlan { trip, itinerary, .. } = &session.itinerary;
        let most = trip.stops.len().max(itinerary.visits.len()).max(itinerary.left_out.len());
        if most > MOST_POINTS {
            return Err(refused(&format!("it has {most} points, and a visit has at most {MOST_POINTS}")));
        }
        let bytes = serde_json::to_string(&session.itinerary).map_or(usize::MAX, |text| text.len());
        if bytes > LARGEST_PLAN {
            return Err(refused(&format!("its plan has {bytes} bytes, and at most {LARGEST_PLAN} are set")));
        }
        Ok(session)
    }
}

impl TripFormat {
    /// The id of the format among the exports.
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
                path = journal_text(path)
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
        let session = Session::read(session)?;
        let at_path = |path: &str| RunPath::of_file(path).map_err(|why| bad_input(TRIP_FILE, "/path", &why));
        // A refused path is reported before the file is rendered.
        let path = (!path.is_empty()).then(|| at_path(&path)).transpose()?;
        let files = Arc::clone(&self.files);
        let make = move || -> Result<_, Error> {
            // Without a time in the session the Unix epoch is used: reading the clock here would change a replay.
            let changed_at = session.updated_at.parse().unwrap_or(Timestamp::UNIX_EPOCH);
            let (bytes, extension) =
                files.make(&session.itinerary, &session.session_id, changed_at, format.id())?;
            let usual = || safe_name(&session.session_id).unwrap_or_else(|| "visit".to_owned());
            let path = match path {
                Some(path) => path,
                None => RunPath::of_file(&format!("{}.{extension}", usual()))
                    .map_err(|why| bad_input(TRIP_FILE, "/session/session_id", &why))?,
            };
            Ok((path, bytes))
        };
        let broken = |_| Error::new(Code::Internal, phrase!("The file of the visit could not be made"));
        // Rendering is slow: the folder is not locked meanwhile.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::test_run::TestRun;

    /// Returns its arguments as the file's content.
    struct Echo;

    impl TripFiles for Echo {
        fn make(
            &self,
            plan: &TripPlan,
            session: &str,
            changed_at: Timestamp,
            format: &str,
        ) -> Result<(Vec<u8>, &'static str), Error> {
            Ok((format!("{format} {session} {changed_at} {}", plan.title).into_bytes(), "txt"))
        }
    }

    async fn made(run: &TestRun, input: Value) -> Result<TripFileOutput, Error> {
        let input: TripFileInput = serde_json::from_value(input).unwrap();
        Ok(TripFileTool::new(Arc::new(Echo)).call(input, &run.context).await?.output)
    }

    #[tokio::test]
    async fn the_example_works_and_a_plan_alone_is_enough() {
        let run = TestRun::new();
        let example = TripFileTool::new(Arc::new(Echo)).examples().remove(0);
        assert_eq!(made(&run, example.input.clone()).await.unwrap().path, example.output_contains);
        let text = std::fs::read_to_string(run.on_disk("visit.ics")).unwrap();
        assert_eq!(text, "ics uji 2026-11-29T01:00:00Z A bridge in Uji");
        let plan = example.input["session"]["itinerary"].clone();
        let output = made(&run, json!({ "session": plan, "format": "kml" })).await.unwrap();
        assert_eq!((output.path.as_str(), output.bytes), ("visit.txt", 41));
    }

    #[tokio::test]
    async fn too_many_points_escaping_names_and_long_texts_are_refused_first() {
        let run = TestRun::new();
        let session = session_of_one_bridge().unwrap();
        let mut many = session.clone();
        let visit = many["itinerary"]["itinerary"]["visits"][0].clone();
        many["itinerary"]["itinerary"]["visits"] = json!(vec![visit; MOST_POINTS + 1]);
        let mut long = session.clone();
        long["itinerary"]["title"] = json!("a".repeat(LARGEST_PLAN + 1));
        let no_plan = json!({ "itinerary": "b".repeat(900_000) });
        for (session, expected) in [(many, "401 points"), (long, "bytes"), (no_plan, "plan the visit anew")] {
            let refused = made(&run, json!({ "session": session, "format": "map" })).await.unwrap_err();
            assert_eq!(refused.code, Code::BadInput);
            assert!(refused.message.contains(expected) && refused.message.len() < 600, "{}", refused.message);
        }
        let mut away = session;
        away["session_id"] = json!("../../away");
        let output = made(&run, json!({ "session": away, "format": "map" })).await.unwrap();
        assert_eq!(output.path, "away.txt");
    }
}

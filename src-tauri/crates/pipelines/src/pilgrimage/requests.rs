//! Requests for a visit, read by the table `request-forms.toml`.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

/// A longer request is read by its beginning, in characters.
const LONGEST: usize = 2_000;
/// Longest title and place, in characters: more is no name.
const LONGEST_NAME: usize = 60;

/// What a request says besides title and place, as `extraction_meta` holds it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RequestDetails {
    /// Who read the request: `llm` or `rules`.
    pub(super) method: String,
    /// How sure that is, 0 to 1.
    pub(super) confidence: Option<f64>,
    /// The day of the visit, `YYYY-MM-DD`.
    pub(super) date: Option<String>,
    /// When it begins, `HH:MM`.
    pub(super) start_time: Option<String>,
    /// How far from the start points may be.
    pub(super) radius_km: Option<f64>,
    /// Which points are wanted.
    pub(super) wishes: Wishes,
}

/// Which points are wanted; what is empty or absent is not asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Wishes {
    /// The episodes.
    pub(super) episodes: Vec<u32>,
    /// At most so many points, the nearest.
    pub(super) most_points: Option<u32>,
    /// The kinds of place.
    pub(super) kinds: Vec<String>,
}

impl Wishes {
    pub(super) fn is_empty(&self) -> bool {
        *self == Wishes::default()
    }
}

/// A request as the table reads it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ReadRequest {
    pub(super) title: Option<String>,
    pub(super) place: Option<String>,
    pub(super) details: RequestDetails,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: Vec<String>,
    place: Vec<String>,
    date: Vec<String>,
    start_time: Vec<String>,
    radius_km: Vec<String>,
    most_points: Vec<String>,
    episodes: Vec<String>,
    only: Vec<String>,
    kind: Vec<WrittenKind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenKind {
    name: String,
    words: String,
}

struct Forms {
    title: Vec<Regex>,
    place: Vec<Regex>,
    date: Vec<Regex>,
    start_time: Vec<Regex>,
    radius_km: Vec<Regex>,
    most_points: Vec<Regex>,
    episodes: Vec<Regex>,
    only: Vec<Regex>,
    kinds: Vec<(String, Regex)>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    // A test reads the table, so none that cannot be read comes here.
    read(include_str!("request-forms.toml"))
        .unwrap_or_else(|why| unreachable!("the forms of requests cannot be read: {why}"))
});

fn read(text: &str) -> Result<Forms, String> {
    let written: Written = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    let one = |pattern: &String| Regex::new(pattern).map_err(|error| error.to_string());
    let all = |patterns: &[String]| patterns.iter().map(one).collect::<Result<Vec<Regex>, String>>();
    Ok(Forms {
        title: all(&written.title)?,
        place: all(&written.place)?,
        date: all(&written.date)?,
        start_time: all(&written.start_time)?,
        radius_km: all(&written.radius_km)?,
        most_points: all(&written.most_points)?,
        episodes: all(&written.episodes)?,
        only: all(&written.only)?,
        kinds: written
            .kind
            .iter()
            .map(|kind| Ok((kind.name.clone(), one(&kind.words)?)))
            .collect::<Result<_, String>>()?,
    })
}

/// What a request says.
pub(super) fn read_request(request: &str) -> ReadRequest {
    let request: String = request.chars().take(LONGEST).collect();
    let forms = &*FORMS;
    let episodes = first(&forms.episodes, &request, |found| {
        let begin: u32 = number(found, "first")?;
        let end: u32 = number(found, "last").unwrap_or(begin);
        (begin <= end).then(|| (begin..=end).collect::<Vec<u32>>())
    });
    let wishes = Wishes {
        episodes: episodes.unwrap_or_default(),
        most_points: first(&forms.most_points, &request, |found| number(found, "number")),
        kinds: first(&forms.only, &request, |found| kind_of(found.name("kind")?.as_str()).map(str::to_owned))
            .into_iter()
            .collect(),
    };
    ReadRequest {
        title: first(&forms.title, &request, |found| named(found, "title")),
        place: first(&forms.place, &request, |found| named(found, "place")),
        details: RequestDetails {
            method: "rules".to_owned(),
            confidence: None,
            date: first(&forms.date, &request, date),
            start_time: first(&forms.start_time, &request, start_time),
            radius_km: first(&forms.radius_km, &request, |found| number(found, "km")),
            wishes,
        },
    }
}

/// The kind of place that these words name.
fn kind_of(words: &str) -> Option<&'static str> {
    let forms = &*FORMS;
    forms.kinds.iter().find(|(_, known)| known.is_match(words)).map(|(name, _)| name.as_str())
}

/// Whether one of the names of a point tells that it is of this kind.
pub(super) fn is_named_as(kind: &str, names: &[&str]) -> bool {
    let forms = &*FORMS;
    let known = forms.kinds.iter().find(|(name, _)| name == kind);
    known.is_some_and(|(_, words)| names.iter().any(|name| words.is_match(name)))
}

fn first<T>(patterns: &[Regex], text: &str, take: impl Fn(&Captures<'_>) -> Option<T>) -> Option<T> {
    patterns.iter().find_map(|pattern| pattern.captures_iter(text).find_map(|found| take(&found)))
}

fn number<N: std::str::FromStr>(found: &Captures<'_>, group: &str) -> Option<N> {
    found.name(group)?.as_str().parse().ok()
}

fn named(found: &Captures<'_>, group: &str) -> Option<String> {
    let name = found.name(group)?.as_str().trim();
    (!name.is_empty() && name.chars().count() <= LONGEST_NAME).then(|| name.to_owned())
}

fn date(found: &Captures<'_>) -> Option<String> {
    let day: Date = match found.name("date") {
        Some(day) => day.as_str().parse().ok()?,
        None => Date::new(number(found, "year")?, number(found, "month")?, number(found, "day")?).ok()?,
    };
    Some(day.to_string())
}

fn start_time(found: &Captures<'_>) -> Option<String> {
    let hour: i8 = number(found, "hour")?;
    let minute: i8 = number(found, "minute").unwrap_or(0);
    let half = found.name("half").map(|half| half.as_str().to_lowercase());
    let hour = match half.as_deref() {
        Some("pm") if hour < 12 => hour + 12,
        Some("am") if hour == 12 => 0,
        _ => hour,
    };
    let time = Time::new(hour, minute, 0, 0).ok()?;
    Some(time.strftime("%H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_and_place(request: &str) -> (Option<String>, Option<String>) {
        let read = read_request(request);
        (read.title, read.place)
    }

    #[test]
    fn title_and_place_are_read_in_three_languages_and_stay_open_where_nobody_named_them() {
        for (request, title, place) in [
            ("I am at Shinjuku and want to visit Your Name locations.", Some("Your Name"), Some("Shinjuku")),
            ("Visit the places of “Glass Hill” near Matsumoto", Some("Glass Hill"), Some("Matsumoto")),
            ("我在松本站，想去《玻璃坡的租书屋》的取景地", Some("玻璃坡的租书屋"), Some("松本")),
            ("松本駅から「硝子坂の貸本屋」の聖地巡礼をしたい", Some("硝子坂の貸本屋"), Some("松本")),
            ("plan something nice", None, None),
        ] {
            let (read_title, read_place) = title_and_place(request);
            assert_eq!((read_title.as_deref(), read_place.as_deref()), (title, place), "{request}");
        }
    }

    #[test]
    fn day_time_radius_and_wishes_are_read() {
        let read = read_request(
            "From Matsumoto on 2026-12-05 at 9:30 am, 「硝子坂の貸本屋」 within 3 km, episodes 2 to 4, at most 8 points, only the cafés",
        );
        assert_eq!(read.details.date.as_deref(), Some("2026-12-05"));
        assert_eq!(read.details.start_time.as_deref(), Some("09:30"));
        assert_eq!(read.details.radius_km, Some(3.0));
        let wishes = Wishes { episodes: vec![2, 3, 4], most_points: Some(8), kinds: vec!["cafe".to_owned()] };
        assert_eq!(read.details.wishes, wishes);
    }

    #[test]
    fn a_day_or_time_that_does_not_exist_is_left_open() {
        let read = read_request("2026-02-31 25:00 13pm");
        assert_eq!((read.details.date, read.details.start_time), (None, None));
    }
}

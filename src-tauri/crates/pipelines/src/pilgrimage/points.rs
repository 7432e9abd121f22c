//! The points of a title in the form of the seed's state, and the selection that the request asks for.

use std::collections::BTreeSet;

use engine::Acted;
use interpreter::{FunctionContext, Registry, Run, Shape};
use itinerary::distance_m;
use kernel::{Coordinates, Delta, Note, Phrase};
use prose::literal;
use serde_json::{Value, json};
use tools::trips::{Point, Points};

use super::requests::{RequestDetails, Wishes, is_named_as};
use super::trip::{START, station_name};
use super::words::Language;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("found_points", found_points as Shape);
    registry.run.insert("filter_points", filter_points as Run);
    registry.run.insert("tell_no_points", tell_no_points as Run);
}

/// The points in the form of the seed's state, with further fields of the service.
pub(super) fn found_points(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let source = context.read::<String>("bangumi_title").unwrap_or_default();
    let found: Points = serde_json::from_value(output).unwrap_or_default();
    let title_id = context.read::<i64>("bangumi_id").unwrap_or_default().to_string();
    let mut taken = BTreeSet::from([START.to_owned()]);
    let points: Vec<Value> = found
        .points
        .iter()
        .map(|point| {
            let id = free_id(&point.id, &taken);
            taken.insert(id.clone());
            of_seed(point, &id, &title_id, &source, &found.color)
        })
        .collect();
    let meta = json!({
        "total": found.total,
        "given": found.given,
        "unplaced": found.unplaced,
        "max_radius_km": context.read::<f64>("search_radius_km"),
        "source": found.attributions.first().map(|attribution| attribution.name.clone()),
        "attributions": found.attributions,
        "notes": found.notes,
    });
    let note = Note::decision("points_found", json!({ "n": points.len(), "total": found.total }));
    let delta = Delta::of("points", json!(points)).with("points_meta", meta);
    Acted { notes: vec![note], delta, ..Acted::default() }
}

/// The id, with a number appended if another point has it: services repeat ids. From here on ids are unique.
fn free_id(id: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let mut all = std::iter::once(id.to_owned()).chain(numbered);
    all.find(|id| !id.is_empty() && !taken.contains(id)).unwrap_or_default()
}

fn of_seed(point: &Point, id: &str, title_id: &str, title: &str, color: &str) -> Value {
    let digits: String = point.episode.chars().take_while(char::is_ascii_digit).collect();
    json!({
        "id": id,
        "name": point.name,
        "cn_name": point.cn_name,
        "coordinates": point.coordinates,
        "bangumi_id": title_id,
        "bangumi_title": title,
        "episode": digits.parse::<u32>().unwrap_or(0),
        "time_seconds": point.time_seconds,
        "screenshot_url": point.screenshot_url,
        "address": point.address,
        "opening_hours": point.opening_hours,
        "admission_fee": point.admission_fee,
        // Fields beyond the seed, for lists, maps and booklets.
        "en_name": point.en_name,
        "episode_label": point.episode,
        "kind": point.kind,
        "color": color,
        "origin": point.origin,
        "origin_url": point.origin_url,
    })
}

/// The result of applying the wishes of a request to the points of a title.
pub(super) struct WishedPoints {
    /// The points to plan.
    pub(super) kept: Vec<Value>,
    /// Whether no point fits, so that episodes and kinds are ignored.
    pub(super) none_fits: bool,
    /// How many points a wish for episodes leaves out because their episode is unknown.
    pub(super) without_episode: usize,
}

/// The points that the request asks for: those of its episodes and kinds, or all without such wishes; of these the
/// nearest.
pub(super) fn wished_points(points: &[Value], wishes: &Wishes, center: Option<Coordinates>) -> WishedPoints {
    let mut kept: Vec<Value> = points.iter().filter(|point| is_wished(point, wishes)).cloned().collect();
    let none_fits = kept.is_empty();
    if none_fits {
        kept = points.to_vec();
    }
    if let Some(most) = wishes.most_points {
        kept.sort_by_key(|point| {
            let at: Option<Coordinates> = serde_json::from_value(point["coordinates"].clone()).ok();
            center.zip(at).and_then(|(center, at)| distance_m(center, at)).unwrap_or(u32::MAX)
        });
        kept.truncate(most.max(1) as usize);
    }
    let is_unknown = |point: &&Value| !wishes.episodes.is_empty() && episode(point) == 0;
    WishedPoints { kept, none_fits, without_episode: points.iter().filter(is_unknown).count() }
}

fn filter_points(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let points: Vec<Value> = context.read("points").unwrap_or_default();
    let RequestDetails { wishes, .. } = context.read("extraction_meta").unwrap_or_default();
    if wishes.is_empty() {
        return Ok(Acted::default());
    }
    let wished = wished_points(&points, &wishes, context.read("user_coordinates"));
    let counts = json!({ "n": wished.kept.len(), "of": points.len() });
    let note = if wished.none_fits { "no_point_wished" } else { "points_kept" };
    let is_unfiltered = wished.none_fits && wished.kept.len() == points.len();
    let delta =
        if is_unfiltered { Delta::default() } else { Delta::of("points_filtered", json!(wished.kept)) };
    Ok(Acted { notes: vec![Note::decision(note, counts)], delta, ..Acted::default() })
}

/// The number of a point's episode; 0 if it is unknown.
fn episode(point: &Value) -> u32 {
    point["episode"].as_u64().and_then(|episode| u32::try_from(episode).ok()).unwrap_or(0)
}

fn is_wished(point: &Value, wishes: &Wishes) -> bool {
    let text = |field: &str| point[field].as_str().unwrap_or_default();
    let names = [text("name"), text("cn_name"), text("en_name")];
    let is_kind = |kind: &String| text("kind") == kind || is_named_as(kind, &names);
    (wishes.episodes.is_empty() || wishes.episodes.contains(&episode(point)))
        && !wishes.without_episodes.contains(&episode(point))
        && (wishes.kinds.is_empty() || wishes.kinds.iter().any(is_kind))
        && !wishes.without_kinds.iter().any(is_kind)
}

/// Reports that there is nothing to visit, and what may help.
fn tell_no_points(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let language = Language::of_locale(context.text("locale"));
    let station: Value = context.read("station").unwrap_or_default();
    let said = language.say(
        "no_points",
        &[
            ("title", literal(context.text("bangumi_title"))),
            ("radius", context.read::<f64>("search_radius_km").unwrap_or_default().to_string()),
            ("station", literal(&station_name(&station, language))),
        ],
    );
    Ok(Acted { delta: Delta::of("visit_answer", json!(said)), surface: true, ..Acted::default() })
}

#[cfg(test)]
mod tests {
    use interpreter::Pipeline;
    use kernel::State;

    use super::*;

    #[test]
    fn every_point_gets_a_unique_id_whatever_the_service_returned() {
        let point = |id: &str| json!({ "id": id, "name": "", "coordinates": { "latitude": 35.0, "longitude": 135.0 } });
        let given = ["a", "a-2", "a", "", "@start", "a"].map(point);
        let registry = crate::registry();
        let pipeline =
            Pipeline::from_text(crate::pilgrimage::DEFINITION.to_owned(), registry.clone()).unwrap();
        let state = State::default();
        let context = FunctionContext {
            definition: pipeline.definition(),
            registry: &registry,
            agent: "",
            state: &state,
            failure: None,
        };
        let acted = found_points(&context, &Value::Null, json!({ "points": given }));
        let points = acted.delta.set["points"].json_or_null();
        let ids: Vec<&str> =
            points.as_array().unwrap().iter().map(|point| point["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["a", "a-2", "a-3", "-2", "@start-2", "a-4"]);
    }
}

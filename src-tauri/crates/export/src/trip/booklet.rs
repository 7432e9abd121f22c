//! The booklet of a trip on A4 pages.

use itinerary::web_address;
use kernel::Error;
use pdf::Pages;
use serde_json::{Value, json};

use super::map::drawing;
use super::sheet::{DOT, Entry, Sheet, line};
use super::sketch::{Anchor, Frame, Sketch};
use super::words::length;

/// The map in points, as wide as the text.
const FRAME: Frame = Frame { width: 470.0, heights: (300.0, 480.0), radius: 8.5, letters: 8.5 };
/// Characters above which the entry of a point may break across pages.
const SHORT: usize = 1200;

/// The trip on pages.
///
/// # Errors
/// As for [`Pages::booklet`].
pub(crate) fn pages(sheet: &Sheet<'_>) -> Result<Pages, Error> {
    let words = sheet.words;
    let (lang, region, script) = letters(words.tag, sheet.local_language());
    let local = sheet.local_language().map(|tag| {
        let (lang, region, script) = letters(tag, None);
        json!({ "lang": lang, "region": region, "script": script })
    });
    let attributions: Vec<Value> = sheet
        .attributions()
        .into_iter()
        .map(|(text, address)| json!({ "text": text, "address": address }))
        .collect();
    let works: Vec<Value> = sheet
        .works()
        .into_iter()
        .map(|(title, color)| json!({ "title": title, "color": color.css() }))
        .collect();
    Pages::booklet(&json!({
        "title": sheet.title,
        "lang": lang,
        "region": region,
        "script": script,
        "local": local,
        "facts": sheet.facts(),
        "weather": sheet.weather(),
        "words": {
            "itinerary": words.itinerary,
            "point": words.point,
            "time": words.time,
            "way": words.way,
            "opening": words.opening,
            "points": words.points,
            "left_out": words.left_out,
            "remarks": words.remarks,
            "attributions": words.attributions,
            "weather": words.weather,
            "local_time": words.local_time,
        },
        "works": works,
        "left_out": sheet.left_out.iter().map(|it| format!("{}{DOT}{}", it.name, it.reason)).collect::<Vec<_>>(),
        "remarks": sheet.remarks(),
        "attributions": attributions,
        "rows": rows(sheet),
        "points": sheet.entries.iter().map(|entry| point(sheet, entry)).collect::<Vec<_>>(),
        "map": map(sheet, &drawing(sheet, FRAME)),
    }))
}

/// The language, region and ideograph variant of a text. A language without ideographs uses the variant of the place.
fn letters(tag: &str, local: Option<&str>) -> (&'static str, Option<&'static str>, &'static str) {
    match tag {
        "ja" => ("ja", None, "JP"),
        "ko" => ("ko", None, "KR"),
        "zh-Hant" => ("zh", Some("TW"), "TC"),
        "zh-Hans" => ("zh", Some("CN"), "SC"),
        _ => ("en", None, local.map_or("SC", |local| letters(local, None).2)),
    }
}

/// The rows of the table: the start, the visits, and the way back.
fn rows(sheet: &Sheet<'_>) -> Vec<Value> {
    let itinerary = &sheet.plan.itinerary;
    let end = |name: String, time: String, way: String| {
        json!({
            "mark": "",
            "color": "#000000",
            "ink": "#ffffff",
            "name": name,
            "local_name": null,
            "times": [time],
            "way": way,
            "pauses": "",
            "opening": "",
            "doubtful": false,
        })
    };
    let start = end(sheet.start.clone(), sheet.clock(itinerary.departure), String::new());
    let back = itinerary.return_leg.as_ref().map(|back| {
        let name = format!("{}{DOT}{}", sheet.words.way_back, sheet.start);
        end(name, sheet.clock(back.arrival), sheet.way(&back.leg))
    });
    std::iter::once(start).chain(sheet.entries.iter().map(row)).chain(back).collect()
}

fn row(entry: &Entry<'_>) -> Value {
    json!({
        "mark": entry.visit.position.to_string(),
        "color": entry.color.css(),
        "ink": entry.color.ink(),
        "name": entry.name,
        "local_name": entry.local_name,
        "times": [entry.arrival, entry.departure],
        "way": entry.way,
        "pauses": entry.pauses,
        "opening": entry.opening,
        "doubtful": entry.is_doubtful,
    })
}

fn point(sheet: &Sheet<'_>, entry: &Entry<'_>) -> Value {
    let description = line(&entry.details.description);
    let facts: Vec<Value> = entry
        .facts
        .iter()
        .map(|(name, value)| {
            let is_origin = *name == sheet.words.origin;
            let address = web_address(&entry.details.origin_url).filter(|_| is_origin);
            json!({ "name": name, "value": value, "address": address })
        })
        .collect();
    let characters: usize = entry.facts.iter().map(|(_, value)| value.chars().count()).sum();
    let characters = characters + description.chars().count() + entry.name.chars().count();
    let mut point = row(entry);
    point["facts"] = facts.into();
    point["description"] = description.into();
    point["short"] = (characters < SHORT).into();
    point
}

fn map(sheet: &Sheet<'_>, map: &Sketch) -> Value {
    let mark = |(index, mark): (usize, &super::sketch::Mark)| {
        let entry = index.checked_sub(1).and_then(|index| sheet.entries.get(index));
        let label = mark.label.as_ref().map(|label| {
            let before = match label.anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => 0.5,
                Anchor::End => 1.0,
            };
            json!({ "text": label.text, "at": label.at, "before": before })
        });
        json!({
            "at": mark.at,
            "disc": mark.disc,
            "aside": mark.is_aside(),
            "mark": entry.map(|entry| entry.visit.position.to_string()).unwrap_or_default(),
            "color": entry.map_or("#000000".to_owned(), |entry| entry.color.css()),
            "ink": entry.map_or("#ffffff", |entry| entry.color.ink()),
            "label": label,
        })
    };
    json!({
        "alt": format!("{}{DOT}{}", sheet.words.map, sheet.title),
        "width": map.width,
        "height": map.height,
        "radius": map.radius,
        "letters": FRAME.letters,
        "way": map.way,
        "marks": map.marks.iter().enumerate().map(mark).collect::<Vec<_>>(),
        "scale": { "at": map.scale_at, "length": map.scale_length, "text": length(map.scale_m) },
    })
}

/// The content of the booklet as plain text, for previews and copying.
pub(crate) fn plain_text(sheet: &Sheet<'_>) -> String {
    let words = sheet.words;
    let mut parts = vec![sheet.title.clone()];
    let facts = sheet.facts();
    parts.push(facts.iter().map(|(name, value)| words.pair(name, value)).collect::<Vec<_>>().join("\n"));
    parts.extend(sheet.weather().map(|weather| words.pair(words.weather, &weather)));
    parts.extend(
        sheet.entries.iter().map(|entry| {
            format!("{}. {}\n{}", entry.visit.position, entry.name, entry.lines(words).join("\n"))
        }),
    );
    let left_out = sheet.left_out.iter().map(|it| format!("{}{DOT}{}", it.name, it.reason));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        parts.push(format!("{}\n{}", words.left_out, left_out.join("\n")));
    }
    parts.extend(sheet.remarks());
    parts.extend(sheet.attributions().into_iter().map(|(text, _)| text));
    parts.join("\n\n") + "\n"
}

//! The result of a step, from its tool's answer: the value that `result_data` refers to.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Shape};
use kernel::{Delta, Phrase, RESULT};
use serde_json::{Value, json};

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.extend([
        ("search_result", searched as Shape),
        ("text_result", text),
        ("calculated_result", calculated),
        ("file_result", file),
        ("places_result", places),
        ("weather_result", weather),
        ("ways_result", ways),
    ]);
}

fn result(value: Value) -> Acted {
    Acted { delta: Delta::of(RESULT, value), ..Acted::default() }
}

/// The hits, each with its title, address and further fields.
fn searched(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let hits = output["hits"].as_array().cloned().unwrap_or_default();
    let hit = |hit: &Value| json!({ "title": hit["title"], "link": hit["url"], "snippet": hit["text"] });
    result(hits.iter().map(hit).collect())
}

/// The text of a page.
fn text(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    result(output["text"].clone())
}

/// The value that was calculated.
fn calculated(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    result(output["result"].clone())
}

/// The places, the likeliest first, each with its position and other fields.
fn places(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let place = |station: &Value| {
        let mut place = json!({
            "latitude": station["coordinates"]["latitude"], "longitude": station["coordinates"]["longitude"],
        });
        for field in ["name", "city", "prefecture", "country", "time_zone"] {
            place[field] = station[field].clone();
        }
        place
    };
    let found: Vec<Value> = output["stations"].as_array().into_iter().flatten().map(place).collect();
    result(json!({ "places": found, "sources": sources(&output) }))
}

/// The forecast without the other fields of the service's answer.
fn weather(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let mut forecast = json!({ "sources": sources(&output) });
    for field in [
        "date",
        "condition",
        "temperature_high_c",
        "temperature_low_c",
        "precipitation_chance",
        "wind_speed_kmh",
    ] {
        forecast[field] = output[field].clone();
    }
    result(forecast)
}

/// The routes, each with the indexes of its points.
fn ways(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let way = |offer: &Value| {
        let mut way = offer["leg"].clone();
        (way["from"], way["to"]) = (offer["from"].clone(), offer["to"].clone());
        way
    };
    let found: Vec<Value> = output["legs"].as_array().into_iter().flatten().map(way).collect();
    let notes: Vec<Phrase> = serde_json::from_value(output["notes"].clone()).unwrap_or_default();
    let notes: Vec<String> = notes.iter().map(Phrase::english).collect();
    result(json!({ "ways": found, "notes": notes, "sources": sources(&output) }))
}

/// The origins of a tool's data, with their licences.
fn sources(output: &Value) -> Vec<String> {
    let named = |attribution: &Value| {
        let parts = ["name", "licence", "url"].map(|field| attribution[field].as_str().unwrap_or_default());
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    };
    output["attributions"].as_array().into_iter().flatten().map(named).collect()
}

/// The text of a file that was read, the list of a folder, or else the path of the file.
fn file(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let made = ["content", "entries", "path"].into_iter().find_map(|field| output.get(field));
    result(made.cloned().unwrap_or_default())
}

//! What a step of a plan gets of what its tool answered: the value that `result_data` stands for.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Shape};
use kernel::{Delta, RESULT};
use serde_json::{Value, json};

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.extend([
        ("search_result", searched as Shape),
        ("text_result", text),
        ("calculated_result", calculated),
        ("file_result", file),
    ]);
}

fn result(value: Value) -> Acted {
    Acted { delta: Delta::of(RESULT, value), ..Acted::default() }
}

/// The hits, each with title, address and what is known of it.
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

/// The text of a file that was read, the list of a folder, else the path of the file.
fn file(_: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let made = ["content", "entries", "path"].into_iter().find_map(|field| output.get(field));
    result(made.cloned().unwrap_or_default())
}

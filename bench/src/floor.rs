//! The floor: a bare loop with reqwest (kept alive, not streamed) that makes the same requests, and
//! one WAL/NORMAL commit a stage.

use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;
use futures::stream;
use serde_json::{Value, json};

use crate::measure::{Figures, Meter, server};
use crate::{Options, program};

pub(crate) async fn run(options: &Options) -> Result<Figures, String> {
    let own = if options.base_url.is_none() { Some(server()?) } else { None };
    let base =
        options.base_url.clone().or_else(|| own.as_ref().map(|own| own.base_url.clone())).unwrap_or_default();
    // One run of the program tells what it asks: the floor makes the very same requests.
    let requests = Arc::new(program::requests(&base).await?);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let connection =
        rusqlite::Connection::open(folder.path().join("floor.sqlite3")).map_err(|error| error.to_string())?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE answers (run INTEGER, stage INTEGER, text TEXT)",
        )
        .map_err(|error| error.to_string())?;
    let connection = Arc::new(Mutex::new(connection));
    let client = reqwest::Client::builder().no_proxy().build().map_err(|error| error.to_string())?;
    let url = format!("{base}/chat/completions");
    let one = |run: u32| {
        let (client, url, requests, connection) =
            (client.clone(), url.clone(), requests.clone(), connection.clone());
        async move {
            for (stage, request) in requests.iter().enumerate() {
                let answer = client.post(&url).bearer_auth("none").json(request).send().await;
                let answer: Value = match answer {
                    Ok(answer) => answer.json().await.map_err(|error| error.to_string())?,
                    Err(error) => return Err(error.to_string()),
                };
                let text = answer["choices"][0]["message"]["content"].as_str().unwrap_or_default();
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                let mut insert = connection
                    .prepare_cached("INSERT INTO answers VALUES (?1, ?2, ?3)")
                    .map_err(|error| error.to_string())?;
                insert
                    .execute(rusqlite::params![run, stage as i64, text])
                    .map_err(|error| error.to_string())?;
            }
            Ok::<(), String>(())
        }
    };
    for run in 0..5 {
        one(run).await?;
    }
    let meter = Meter::start();
    let results: Vec<_> = stream::iter(0..options.runs)
        .map(one)
        .buffer_unordered(options.concurrency.max(1) as usize)
        .collect()
        .await;
    let failed = results.iter().filter(|result| result.is_err()).count();
    Ok(meter.stop(options.runs, u32::try_from(failed).unwrap_or(u32::MAX)))
}

/// A recorded request as it goes over the wire.
pub(crate) fn body(request: &kernel::ModelRequest) -> Value {
    let text = |value: &kernel::Value| value.as_str().unwrap_or_default().to_owned();
    let mut messages = vec![json!({"role": "system", "content": text(&request.instruction)})];
    for message in &request.messages {
        let role = match message.speaker {
            kernel::Speaker::User => "user",
            kernel::Speaker::Model => "assistant",
            kernel::Speaker::Tool => "tool",
        };
        messages.push(json!({"role": role, "content": text(&message.content)}));
    }
    let shape = request.shape.as_ref().map(|shape| {
        json!({"type": "json_schema", "json_schema": {"name": shape.name, "strict": true, "schema": shape.schema}})
    });
    json!({
        "model": request.model, "messages": messages, "temperature": request.temperature,
        "max_tokens": request.max_output_tokens, "response_format": shape
    })
}

//! `galley queue`: shows, sets and clears the queue of workers on other machines.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::{Nothing, QueueCard, SaveQueue};

use crate::arguments::{Queue, QueueCommand};
use crate::desk_client::{ask, open};
use crate::table::{one_line, table};
use crate::{option_values, output};

/// `galley queue`. Exits with 1 if its server does not answer.
pub(crate) async fn queue(data_dir: Option<PathBuf>, asked: Queue) -> Result<u8, ApiError> {
    let request = match asked.command {
        None => None,
        Some(QueueCommand::Clear) => {
            Some(SaveQueue { url: String::new(), key_env: String::new(), key: None, for_session: false })
        }
        Some(QueueCommand::Set { url, key }) => {
            // Read before anything is changed.
            let typed = if key.key_stdin { Some(option_values::standard_input("key")?) } else { None };
            let names_other = key.no_key || key.key_env.is_some();
            let key_env = key.key_env.unwrap_or_default();
            let key = typed.or_else(|| names_other.then(String::new));
            Some(SaveQueue { url, key_env, key, for_session: false })
        }
    };
    let desk = open(data_dir).await?;
    let card: Result<QueueCard, ApiError> = match request {
        None => ask(&desk, "describe_queue", Nothing {}).await,
        Some(request) => ask(&desk, "save_queue", request).await,
    };
    desk.close().await;
    let card = card?;
    let is_well = card.error.is_none();
    if asked.json {
        output::write_json(&card)?;
    } else {
        show(&card)?;
    }
    Ok(if is_well { 0 } else { 1 })
}

fn show(card: &QueueCard) -> Result<(), ApiError> {
    if card.url.is_empty() {
        return output::write("No queue is set: the sub-tasks of runs are done in their own process.\n");
    }
    if let Some(error) = &card.error {
        output::tell(&one_line(&error.english()));
    }
    let Some(server) = &card.server else { return Ok(()) };
    let way = if server.is_encrypted { "encrypted" } else { "not encrypted" };
    output::write(&format!(
        "{}  NATS {}, {way}; {} sub-tasks in the queue, {} laid aside\n",
        one_line(&card.url),
        one_line(&server.version),
        server.sub_tasks,
        server.dead_letters
    ))?;
    let now = now_ms();
    let rows: Vec<Vec<String>> = server
        .workers
        .iter()
        .map(|worker| {
            vec![
                one_line(&worker.role),
                one_line(&worker.name),
                format!("{} of {}", worker.working, worker.at_once),
                format!("{} s ago", (now - worker.heard_at_ms).max(0) / 1000),
            ]
        })
        .collect();
    output::write(&table(&["ROLE", "WORKER", "LOAD", "HEARD"], &rows))
}

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or_default()
}

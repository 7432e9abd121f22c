//! Publishes messages so that each is stored exactly once.

use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use kernel::Error;
use tokio::time::{Instant, sleep};

use crate::messages::{MESSAGE_ID, Packed};
use crate::{Connection, errors};

/// How long to wait for an unreachable server before a message is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// The delays between two attempts.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Publishes a message until the server confirms it. If the confirmation is lost, the message may be stored already: it
/// is sent again with the same id, which the server stores once.
///
/// # Errors
/// The stream is full, or the server is unreachable for more than [`PATIENCE`].
pub(crate) async fn publish(
    connection: &Connection,
    subject: &str,
    id: &str,
    message: &Packed,
) -> Result<(), Error> {
    let mut headers = message.headers.clone();
    headers.insert(MESSAGE_ID, id);
    let until = Instant::now() + PATIENCE;
    let mut wait = FIRST_WAIT;
    loop {
        let sent = connection.streams.publish_with_headers(
            subject.to_owned(),
            headers.clone(),
            message.payload.clone().into(),
        );
        let error = match sent.await {
            Ok(stored) => match stored.await {
                Ok(_) => return Ok(()),
                Err(error) => error,
            },
            Err(error) => error,
        };
        match error.kind() {
            // A server that has just started may not have its streams yet, or have lost them.
            PublishErrorKind::StreamNotFound => {
                let _not_yet = connection.make_streams().await;
            }
            _ if errors::code_of(&error).is_some() => {
                return Err(errors::full(&connection.address, &errors::innermost_reason(&error)));
            }
            _ => {}
        }
        if Instant::now() + wait > until {
            return Err(errors::unreachable(&connection.address, &errors::innermost_reason(&error)));
        }
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

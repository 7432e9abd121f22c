//! Messages: JSON, in the message itself or, if it is large, in the object store under a name in the header.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::object_store::{GetErrorKind, ObjectMetadata};
use futures::FutureExt;
use kernel::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use crate::{Connection, errors};

/// The header with the name of a value in the object store.
const STORED: &str = "Galley-Stored";
/// The header with the id of the sender of a sub-task, who waits for its result.
pub(crate) const SENDER: &str = "Galley-Sender";
/// The header with the reason of a dead letter.
pub(crate) const REASON: &str = "Galley-Reason";
/// The header by which the server detects duplicates.
pub(crate) const MESSAGE_ID: &str = "Nats-Msg-Id";

/// Most bytes of JSON in a message; servers accept a megabyte by default.
const MOST_IN_MESSAGE: usize = 256 << 10;
/// Most bytes of JSON of one value.
pub(crate) const MOST_OF_VALUE: usize = 64 << 20;

/// Timeout for storing or fetching a value.
const FETCHING: Duration = Duration::from_secs(60);

/// A message to publish.
pub(crate) struct Packed {
    pub(crate) headers: HeaderMap,
    pub(crate) payload: Vec<u8>,
}

/// Packs a value as a message. A value that is too large is stored under `name` first.
///
/// # Errors
/// The value is too large for a queue, or cannot be stored.
pub(crate) async fn packed<T: Serialize>(
    connection: &Connection,
    name: &str,
    value: &T,
) -> Result<Packed, Error> {
    let json = serde_json::to_vec(value).map_err(|error| errors::unreadable(&error.to_string()))?;
    packed_bytes(connection, HeaderMap::new(), name, json).await
}

/// Packs bytes as a message; they are stored under `name` if they are too large.
///
/// # Errors
/// As for [`packed`].
pub(crate) async fn packed_bytes(
    connection: &Connection,
    mut headers: HeaderMap,
    name: &str,
    payload: Vec<u8>,
) -> Result<Packed, Error> {
    if payload.len() > MOST_OF_VALUE {
        return Err(errors::too_large(payload.len(), MOST_OF_VALUE));
    }
    // Half of the server's limit, because headers and subject need room, too.
    let most = MOST_IN_MESSAGE.min(connection.client.max_payload() / 2);
    if payload.len() <= most {
        return Ok(Packed { headers, payload });
    }
    let about = ObjectMetadata { name: name.to_owned(), chunk_size: Some(most), ..ObjectMetadata::default() };
    let values = connection.values().await?;
    let stored = timeout(FETCHING, values.put(about, &mut payload.as_slice())).await;
    let stored = stored.map_err(|_| errors::unreachable(&connection.address, "it takes no value"))?;
    stored.map_err(|error| errors::of_streams(&connection.address, &error))?;
    headers.insert(STORED, name);
    Ok(Packed { headers, payload: Vec::new() })
}

/// The value of a message.
///
/// # Errors
/// `bad_input` if it is no JSON of this type, or its stored value no longer exists; `network` if the value cannot be
/// fetched now.
pub(crate) async fn unpacked<T: DeserializeOwned>(
    connection: &Connection,
    headers: Option<&HeaderMap>,
    payload: &[u8],
) -> Result<T, Error> {
    let read =
        |json: &[u8]| serde_json::from_slice(json).map_err(|error| errors::unreadable(&error.to_string()));
    let Some(name) = header(headers, STORED) else { return read(payload) };
    let away = |why: &str| errors::unreachable(&connection.address, why);
    let fetched = async {
        let mut object = connection.values().await?.get(&name).await.map_err(|error| match error.kind() {
            GetErrorKind::NotFound => errors::unreadable("the value that it refers to is no longer there"),
            _ => away(&errors::innermost_reason(&error)),
        })?;
        if object.info().size > MOST_OF_VALUE {
            return Err(errors::too_large(object.info().size, MOST_OF_VALUE));
        }
        let mut json = Vec::with_capacity(object.info().size);
        object.read_to_end(&mut json).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => errors::unreadable(&error.to_string()),
            _ => away(&error.to_string()),
        })?;
        read(&json)
    };
    // The client panics if the metadata of a value is not what it writes itself.
    let fetched = AssertUnwindSafe(fetched).catch_unwind();
    // Reading a value may never end if the server stops.
    match timeout(FETCHING, fetched).await {
        Ok(Ok(read)) => read,
        Ok(Err(_panic)) => Err(errors::unreadable("the value that it refers to is damaged")),
        Err(_) => Err(away("it gives no value")),
    }
}

/// Removes the stored value of a message, if it has one.
pub(crate) async fn remove_stored(connection: &Connection, headers: Option<&HeaderMap>) {
    let Some(name) = header(headers, STORED) else { return };
    let Ok(values) = connection.values().await else { return };
    if let Err(error) = values.delete(&name).await {
        tracing::debug!(%error, name, "a value of the queue stays until its lifetime ends");
    }
}

/// A header's value.
pub(crate) fn header(headers: Option<&HeaderMap>, name: &str) -> Option<String> {
    headers?.get(name).map(|value| value.as_str().to_owned())
}

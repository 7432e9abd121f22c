//! Parses requests from JSON and serializes responses.

use kernel::{Code, phrase};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ApiError;

pub(crate) fn read<T: DeserializeOwned>(command: &str, payload: Value) -> Result<T, ApiError> {
    // A request without fields may be missing.
    let payload = if payload.is_null() { Value::Object(serde_json::Map::new()) } else { payload };
    serde_json::from_value(payload).map_err(|error| {
        ApiError::new(Code::BadInput, phrase!("`{command}` cannot read its request: {error}", command, error))
    })
}

pub(crate) fn written<T: serde::Serialize>(response: &T) -> Result<Value, ApiError> {
    serde_json::to_value(response).map_err(|error| {
        ApiError::new(Code::Internal, phrase!("The answer cannot be written: {error}", error))
    })
}

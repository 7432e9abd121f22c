//! Rejects requests that are invalid in the protocol, with a message.

use desk::printable;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, CancelTaskMethod, CancelTaskParams, ConstString,
    CustomRequest, ErrorCode, GetTaskMethod, GetTaskParams, ListResourceTemplatesRequestMethod,
    ListResourcesRequestMethod, ListToolsRequestMethod, PaginatedRequestParams, ReadResourceRequestMethod,
    ReadResourceRequestParams, SubscriptionsListenRequestMethod, SubscriptionsListenRequestParams,
    UpdateTaskMethod, UpdateTaskParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a request is rejected: its method is unknown, or its params do not fit the method.
pub(crate) fn refusal(request: CustomRequest) -> ErrorData {
    let params = request.params.unwrap_or_default();
    let why = match request.method.as_str() {
        CallToolRequestMethod::VALUE => unfit::<CallToolRequestParams>(params),
        ListToolsRequestMethod::VALUE
        | ListResourcesRequestMethod::VALUE
        | ListResourceTemplatesRequestMethod::VALUE => unfit::<PaginatedRequestParams>(params),
        ReadResourceRequestMethod::VALUE => unfit::<ReadResourceRequestParams>(params),
        SubscriptionsListenRequestMethod::VALUE => unfit::<SubscriptionsListenRequestParams>(params),
        GetTaskMethod::VALUE => unfit::<GetTaskParams>(params),
        UpdateTaskMethod::VALUE => unfit::<UpdateTaskParams>(params),
        CancelTaskMethod::VALUE => unfit::<CancelTaskParams>(params),
        unknown => {
            let shown: String = unknown.chars().take(60).collect();
            let sentence = format!("This server has no method `{shown}`; it has tools, resources and tasks");
            return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, printable(&sentence).into_owned(), None);
        }
    };
    let sentence =
        format!("The params of `{}` do not fit: {why}; send those of the protocol", request.method);
    ErrorData::invalid_params(printable(&sentence).into_owned(), None)
}

fn unfit<T: DeserializeOwned>(params: Value) -> String {
    let read = serde_json::from_value::<T>(params);
    // The error may quote long parts of the request.
    read.err().map_or_else(
        || "they cannot be read".to_owned(),
        |error| error.to_string().chars().take(200).collect(),
    )
}

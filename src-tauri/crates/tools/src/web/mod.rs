//! The common parts of all network search sources: dates, pages, duplicates, rate limits, refusals.

pub(crate) mod duplicates;
pub(crate) mod feed_list;
pub(crate) mod json_fields;
pub(crate) mod pages;
pub(crate) mod rate_limit;
pub(crate) mod refusal;
pub(crate) mod search_tool;
pub(crate) mod service_client;
#[cfg(test)]
pub(crate) mod test_server;
pub(crate) mod web_client;

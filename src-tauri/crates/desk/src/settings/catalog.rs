//! All settings with their names, defaults and kinds.

use kernel::{BUILT_IN, Code, phrase};

use crate::ApiError;

/// Seconds that a run without a person waits for a disk that refuses writes.
pub(crate) const DISK_WAIT: &str = "disk_wait_s";

/// The levels of the log file in the data folder; empty for no file.
pub(crate) const LOG_LEVEL: &str = "log.level";

/// Whether pages that need scripts are read with the local browser.
pub(crate) const BROWSER: &str = "net.browser";

/// The file of map tiles; empty for none.
pub(crate) const MAP_TILES: &str = "map.tiles";

/// The file with a style for the map; empty for the program's own.
pub(crate) const MAP_STYLE: &str = "map.style";

/// Whether the machine is kept awake during runs.
pub(crate) const KEEP_AWAKE: &str = "keep_awake";

/// The address of the queue of workers on other machines; empty for calls in this process.
pub(crate) const QUEUE_URL: &str = "queue.url";

/// The environment variable with the queue's token or password; empty for none.
pub(crate) const QUEUE_KEY_ENV: &str = "queue.key_env";

/// Whether the keyring holds a key for the queue's address.
pub(crate) const QUEUE_KEEPS_KEY: &str = "queue.keeps_key";

/// Seconds without a heartbeat after which the sub-tasks of a worker go to another one.
pub(crate) const QUEUE_LEASE: &str = "queue.lease_s";

/// The file with the root certificates for an encrypted queue; empty for those of the system.
pub(crate) const QUEUE_CERTIFICATES: &str = "queue.root_certificates";

/// The base URL of the collector of spans; empty for none.
pub(crate) const OTLP_URL: &str = "otlp.url";

/// The address of the release feed.
pub(crate) const UPDATES_ADDRESS: &str = "updates.address";

/// Whether stable or trial versions are announced.
pub(crate) const UPDATES_CHANNEL: &str = "updates.channel";

/// Whether the release feed is read every day.
pub(crate) const UPDATES_CHECK: &str = "updates.check";

/// The kind of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A text, or `true` and `false` without quotes.
    Switch,
    /// A text, or a list of texts.
    Texts,
    /// A whole number, or a text.
    Number,
}

/// All settings with their defaults and kinds; `*` matches any name.
pub(crate) const KNOWN: &[(&str, &str, Kind)] = &[
    ("decide_issues", "false", Kind::Switch),
    ("default_fallback", "ask", Kind::Text),
    ("default_profile", BUILT_IN, Kind::Text),
    ("default_source", tools::USUAL_SEARCH, Kind::Text),
    (DISK_WAIT, "20", Kind::Number),
    (KEEP_AWAKE, "true", Kind::Switch),
    ("language", "system", Kind::Text),
    (LOG_LEVEL, "", Kind::Text),
    (MAP_STYLE, "", Kind::Text),
    (MAP_TILES, "", Kind::Text),
    ("net.allow", "", Kind::Texts),
    (BROWSER, "true", Kind::Switch),
    ("net.contact", "", Kind::Text),
    ("notifications", "ask", Kind::Text),
    (OTLP_URL, "", Kind::Text),
    ("pipelines.*.agents.*.instruction", "", Kind::Text),
    ("pipelines.*.agents.*.profile", "", Kind::Text),
    ("pipelines.*.profile", "", Kind::Text),
    (QUEUE_KEEPS_KEY, "", Kind::Switch),
    (QUEUE_KEY_ENV, "", Kind::Text),
    (QUEUE_LEASE, "30", Kind::Number),
    (QUEUE_CERTIFICATES, "", Kind::Text),
    (QUEUE_URL, "", Kind::Text),
    ("services.*.base_url", "", Kind::Text),
    ("services.*.enabled", "", Kind::Switch),
    ("services.*.engine", "", Kind::Text),
    ("services.*.key_env", "", Kind::Text),
    ("services.*.model", "", Kind::Text),
    ("services.*.profile", "", Kind::Text),
    ("theme", "system", Kind::Text),
    (UPDATES_ADDRESS, "", Kind::Text),
    (UPDATES_CHANNEL, "stable", Kind::Text),
    (UPDATES_CHECK, "on", Kind::Text),
];

/// The default of a known setting, and its kind.
pub(crate) fn known(key: &str) -> Result<(&'static str, Kind), ApiError> {
    let fits = |pattern: &str| {
        let (parts, wanted): (Vec<&str>, Vec<&str>) =
            (key.split('.').collect(), pattern.split('.').collect());
        parts.len() == wanted.len()
            && parts.iter().zip(wanted).all(|(part, want)| !part.is_empty() && (want == "*" || *part == want))
    };
    KNOWN.iter().find(|(pattern, _, _)| fits(pattern)).map(|(_, default, kind)| (*default, *kind)).ok_or_else(
        || {
            let names: Vec<&str> = KNOWN.iter().map(|(name, _, _)| *name).collect();
            ApiError::new(
                Code::NotFound,
                phrase!("There is no setting `{key}`; there is {known}", key, known = names),
            )
        },
    )
}

/// The value of a setting that is not set.
///
/// # Errors
/// `not_found` when there is no such setting.
pub(crate) fn default_of(key: &str) -> Result<&'static str, ApiError> {
    known(key).map(|(default, _)| default)
}

//! What a host tells of its work, on standard error, when `GALLEY_LOG` asks for it: a level (`info`), or levels by
//! crate (`engine=debug,store=info`).
//!
//! Only our own crates speak: those below would tell of requests, and a request can hold what nobody wants in a log.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::program::terminal::PrintableError;

const VARIABLE: &str = "GALLEY_LOG";
const OWN: [&str; 10] = [
    "bridge",
    "desk",
    "engine",
    "export",
    "galley",
    "galley_desktop",
    "models",
    "pipelines",
    "store",
    "tools",
];

/// Begins to log, if asked to; once in a process, by its host.
///
/// # Errors
/// A sentence when what was asked for is not understood; then nothing is logged.
pub fn log_if_asked() -> Result<(), String> {
    let Some(asked) = std::env::var(VARIABLE).ok().filter(|asked| !asked.trim().is_empty()) else {
        return Ok(());
    };
    let Some(levels) = levels(&asked) else {
        return Err(format!(
            "{VARIABLE} is not understood and nothing is logged; set it to error, warn, info, debug or trace, or to CRATE=LEVEL,…"
        ));
    };
    let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| PrintableError);
    tracing_subscriber::registry().with(lines).with(levels).init();
    Ok(())
}

fn levels(asked: &str) -> Option<Targets> {
    if let Ok(level) = asked.trim().parse::<LevelFilter>() {
        return Some(Targets::new().with_targets(OWN.map(|name| (name, level))));
    }
    let asked: Targets = asked.parse().ok()?;
    let is_own = |target: &str| OWN.iter().any(|own| target.split("::").next() == Some(own));
    let own: Vec<_> = asked.into_iter().filter(|(target, _)| is_own(target)).collect();
    (!own.is_empty()).then(|| own.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_crates_can_be_made_to_speak() {
        for asked in ["trace", "hyper=trace,engine=debug"] {
            let levels = levels(asked).unwrap();
            assert!(levels.would_enable("engine::llm", &tracing::Level::DEBUG), "{asked}");
            assert!(!levels.would_enable("hyper::client", &tracing::Level::ERROR), "{asked}");
        }
        assert!(levels("engine=loud").is_none() && levels("loudly").is_none());
    }
}

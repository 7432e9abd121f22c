//! The logging of a run: a span for each stage, decisions and counts at `info`, requests and answers at `debug`.
//!
//! Events hold no secrets, which are redacted before. They may hold text of the person, so their payloads are cut and
//! logged at `debug` only.

use kernel::{Answer, Event, Fact};
use serde::Serialize;
use tracing::{debug, info, warn};

/// Most bytes of a payload that are logged.
const PAYLOAD_BYTES: usize = 200;

/// The span of a stage.
pub(crate) fn stage(agent: &str, path: &kernel::Path) -> tracing::Span {
    tracing::info_span!("stage", agent, %path)
}

/// Logs an event of an agent.
pub(crate) fn log(event: &Event) {
    let seq = event.seq;
    match &event.fact {
        Fact::EffectAsked { effect, .. } => {
            debug!(seq, kind = effect.noun(), payload = %Payload(effect), "effect asked");
        }
        Fact::EffectAnswered { answer, took_ms, waited_ms, retries, summary, .. } => {
            let (kind, code) = match answer {
                Answer::Done { .. } => ("done", None),
                Answer::Failed { error } => ("failed", Some(error.code)),
                Answer::Interrupted { .. } => ("interrupted", None),
            };
            let retries = retries.len();
            info!(seq, kind, ?code, took_ms, waited_ms, retries, summary = %Payload(summary), "effect answered");
            debug!(seq, payload = %Payload(answer), "effect answer");
        }
        Fact::RequestFailed { error, .. } => {
            warn!(seq, code = ?error.code, "a request failed and is sent again")
        }
        Fact::RequestSent { attempt, .. } => info!(seq, attempt, "request sent"),
        Fact::FellBack { from, to, error } => {
            warn!(seq, from, to, code = ?error.code, "another profile stands in")
        }
        Fact::Noted { note } => info!(seq, note = %Payload(note), "decision"),
        Fact::RoundEnded { .. } => info!(seq, round = %Payload(&event.fact), "round ended"),
        Fact::StateChanged { delta } => {
            let keys: Vec<&str> = delta.keys().collect();
            debug!(seq, keys = keys.join(","), payload = %Payload(delta), "state changed");
        }
        // The span and the host log these.
        Fact::RunStarted { .. }
        | Fact::RunResumed { .. }
        | Fact::GatesSet { .. }
        | Fact::AgentStarted { .. }
        | Fact::AgentEnded { .. }
        | Fact::RunEnded { .. } => {}
    }
}

/// A value as JSON in one line, cut; built only where the level is enabled.
struct Payload<'a, T>(&'a T);

impl<T: Serialize> std::fmt::Display for Payload<'_, T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let json = serde_json::to_string(self.0).map_err(|_| std::fmt::Error)?;
        if json.len() <= PAYLOAD_BYTES {
            return formatter.write_str(&json);
        }
        let cut = json.floor_char_boundary(PAYLOAD_BYTES);
        write!(formatter, "{}… ({} bytes)", &json[..cut], json.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_payload_is_cut_at_a_character_and_its_length_is_logged() {
        let long = "漢".repeat(1000);
        let logged = Payload(&long).to_string();
        assert!(logged.starts_with("\"漢漢") && logged.ends_with("… (3002 bytes)"), "{logged}");
        assert!(logged.len() < PAYLOAD_BYTES + 30);
        assert_eq!(Payload(&"短い").to_string(), "\"短い\"");
    }
}

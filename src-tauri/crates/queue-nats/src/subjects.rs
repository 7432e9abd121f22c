//! Subjects and streams.

use std::fmt::Write as _;

/// The stream of sub-tasks.
pub(crate) const SUB_TASKS: &str = "GALLEY_SUB_TASKS";
/// The stream of results.
pub(crate) const RESULTS: &str = "GALLEY_RESULTS";
/// The stream of sub-tasks that no worker could perform.
pub(crate) const DEAD_LETTERS: &str = "GALLEY_DEAD_LETTERS";
/// The object store of values that are too large for a message.
pub(crate) const VALUES: &str = "galley-values";
/// The stream of heartbeats.
pub(crate) const WORKERS: &str = "GALLEY_WORKERS";

/// Every subject of the stream of sub-tasks.
pub(crate) const ALL_SUB_TASKS: &str = "galley.sub_task.*.*";
/// Every subject of the stream of results.
pub(crate) const ALL_RESULTS: &str = "galley.result.*.*";
/// Every subject of the stream of dead letters.
pub(crate) const ALL_DEAD_LETTERS: &str = "galley.dead_letter.*.*";
/// Every subject of the stream of workers.
pub(crate) const ALL_WORKERS: &str = "galley.worker.*";
/// The subjects on which stops of sub-tasks are announced.
pub(crate) const ALL_STOPS: &str = "galley.stop.*";

/// The subject of a sub-task.
pub(crate) fn sub_task(role: &str, id: &str) -> String {
    format!("galley.sub_task.{}.{}", token(role), token(id))
}

/// Every sub-task of a role.
pub(crate) fn of_role(role: &str) -> String {
    format!("galley.sub_task.{}.*", token(role))
}

/// The name of the consumer that the workers of a role share.
pub(crate) fn consumer(role: &str) -> String {
    format!("workers-{}", token(role))
}

/// The subject of a result.
pub(crate) fn result(sender: &str, id: &str) -> String {
    format!("galley.result.{}.{}", token(sender), token(id))
}

/// Every result of a sender's sub-tasks.
pub(crate) fn results(sender: &str) -> String {
    format!("galley.result.{}.*", token(sender))
}

/// The subject of a dead letter.
pub(crate) fn dead_letter(role: &str, id: &str) -> String {
    format!("galley.dead_letter.{}.{}", token(role), token(id))
}

/// The subject of a worker's heartbeats.
pub(crate) fn worker(id: &str) -> String {
    format!("galley.worker.{}", token(id))
}

/// The subject on which a sender answers claims.
pub(crate) fn claim(sender: &str) -> String {
    format!("galley.claim.{}", token(sender))
}

/// The subject that announces that a sub-task is no longer wanted.
pub(crate) fn stop(id: &str) -> String {
    format!("galley.stop.{}", token(id))
}

/// The last part of a subject.
pub(crate) fn last_token(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}

/// A name as one token of a subject: a role may have any name, but a token has no space, dot or wildcard.
pub(crate) fn token(name: &str) -> String {
    let mut token = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            token.push(byte.into());
        } else {
            let _ = write!(token, "={byte:02X}");
        }
    }
    if token.is_empty() { "=".to_owned() } else { token }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_a_unique_token() {
        let names = ["ResearchAgent", "Research Agent", "a.b", "a.*", "研究", "", "=", "a=b", ">"];
        let tokens = names.map(token);
        for (at, token) in tokens.iter().enumerate() {
            assert!(
                !token.is_empty() && !token.contains(['.', '*', '>', ' ']) && token.is_ascii(),
                "{token}"
            );
            assert!(!tokens[..at].contains(token), "{token} twice");
        }
        assert_eq!(sub_task("Research Agent", "r-7"), "galley.sub_task.Research=20Agent.r-7");
        assert_eq!(last_token(&sub_task("a.b", "r-7")), "r-7");
    }
}

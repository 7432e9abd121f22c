//! The English texts of phrases with ids, and the sentences for notes and retried requests in the terminal and the
//! search.
//!
//! The page has catalogues of other languages with the same ids, and inserts the titles of agents and keys.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{Error, Note, Phrase, Remark};

/// The texts of a pipeline's own notes, by id.
pub type NoteTexts = BTreeMap<String, String>;

/// The English text of each id. `{name}` is the place of a parameter.
pub const ENGLISH: &[(&str, &str)] = &[
    ("request.failed", "{who} asks again: {why}"),
    ("request.failed_in", "{who} asks again in {s} s: {why}"),
    ("request.sent", "{who} asks now: attempt {n}"),
    ("request.fell_back", "{who} goes on with profile {to} in place of {from}: {why}"),
    ("note.skipped", "Skipped: {agents}"),
    ("note.repair", "The answer of {who} was repaired: {rungs}"),
    ("note.asked_again", "The answer of {who} cannot be used, it is asked once more: {flaws}"),
    ("note.malformed", "The answer of {who} could not be used, even after one repair: {flaws}"),
    ("note.without_model", "{who} works without a model, because its model failed"),
    (
        "note.instruction_unread",
        "{who} works without a model and does not follow the instruction given for this run",
    ),
    ("note.refused", "{who} tried to write {key}, which it does not declare; nothing was changed"),
    ("note.kept", "The version of {key} so far is kept"),
    (
        "note.left_out",
        "The server of profile {profile} refused {part} for model {model}; it was asked again without, and will be from now on",
    ),
    (
        "note.unended_streams",
        "The server of profile {profile} does not say where streams of model {model} end; its answers are asked for in one piece from now on",
    ),
    ("note.pieces_skipped", "Pieces of the answer that could not be read and were passed over: {n}"),
    ("round.ended", "Round {n} of {who} ended: {exit}"),
    ("round.ended_measured", "Round {n} of {who} ended ({measures}): {exit}"),
    ("round.checks", "checks passed: {passed} of {all}"),
    ("round.issues", "open issues: {n}"),
    ("round.words", "words: {n}"),
    ("round.best", "the best so far"),
    ("exit.went_on", "the next round follows"),
    ("exit.condition_held", "the loop ended, its condition holds"),
    ("exit.exit_field", "the loop ended, {agent} is satisfied"),
    ("exit.exit_tool", "the loop ended, {agent} called `exit_loop`"),
    ("exit.exit_agent", "the loop ended, {agent} asked for it"),
    ("exit.exit_step", "the loop ended, its exit condition is met"),
    ("exit.rounds_used_up", "the loop ended, its rounds are used up"),
    ("exit.limit_reached", "the loop ended, a limit was reached"),
    ("exit.failed", "the loop ended, a step of it failed"),
    ("exit.run_ended", "a step of it ended the run"),
    ("rung.thinking", "thinking left out"),
    ("rung.from_thinking", "taken from the thinking"),
    ("rung.from_tool_call", "taken from a call of `{tool}`"),
    ("rung.fence", "fence stripped"),
    ("rung.talk", "text around it left out"),
    ("rung.drafts", "earlier versions left out"),
    ("rung.merged", "fields of {parts} objects put together"),
    ("rung.lenient", "read leniently"),
    ("rung.labelled", "read as named fields"),
    ("rung.named", "read as a list of titles"),
    ("rung.closed", "closing brackets added"),
    ("rung.json_in_text", "read as JSON inside a text"),
    ("rung.unwrapped", "unwrapped ({fields})"),
    ("rung.plain_text", "plain text taken as `{field}`"),
    ("rung.bare_list", "bare list taken as `{field}`"),
    ("rung.partial", "cut off, the whole items of `{field}` taken"),
    ("rung.renamed", "names matched ({fields})"),
    ("rung.dropped", "unknown fields dropped ({fields})"),
    ("rung.filled", "defaults filled in ({fields})"),
    ("rung.retyped", "types converted ({fields})"),
    ("rung.listed", "turned into lists ({fields})"),
    ("rung.joined", "turned into text ({fields})"),
    ("flaw.empty", "it is empty"),
    ("flaw.cut", "it was cut off before its end"),
    ("flaw.too_long", "it is longer than {most} bytes"),
    ("flaw.too_deep", "it is nested deeper than {most} levels"),
    ("flaw.entangled", "it is too entangled to be read"),
    ("flaw.stopped", "its reading was stopped"),
    ("flaw.not_json", "it is not JSON"),
    ("flaw.no_text", "it is no text for readers"),
    ("flaw.echo", "it repeats the format instead of filling it"),
    ("flaw.shape", "`{field}` {problem}"),
    ("flaw.whole_shape", "it {problem}"),
    ("flaw.check", "{problem}"),
    ("flaw.unknown_tool", "there is no tool `{tool}`"),
];

impl Note {
    /// The note in English; `texts` are those of the pipeline.
    pub fn english(&self, author: &str, texts: &NoteTexts) -> String {
        let (id, parameters) = match self {
            Note::Decision(phrase) => {
                return phrase.filled(texts.get(&phrase.id).map_or(phrase.id.as_str(), String::as_str));
            }
            Note::Skipped { agents } => ("skipped", json!({ "agents": agents })),
            Note::Repair { rungs } => ("repair", json!({ "rungs": list(rungs) })),
            Note::AskedAgain { flaws, .. } => ("asked_again", json!({ "flaws": list(flaws) })),
            Note::Malformed { flaws, .. } => ("malformed", json!({ "flaws": list(flaws) })),
            Note::WithoutModel => ("without_model", json!({})),
            Note::InstructionUnread => ("instruction_unread", json!({})),
            Note::Refused { key } => ("refused", json!({ "key": key })),
            Note::Kept { key } => ("kept", json!({ "key": key })),
            Note::Remark(Remark::LeftOut { profile, model, part, .. }) => {
                let part = format!("`{}`", part.name());
                ("left_out", json!({ "profile": profile, "model": model, "part": part }))
            }
            Note::Remark(Remark::UnendedStreams { profile, model }) => {
                ("unended_streams", json!({ "profile": profile, "model": model }))
            }
            Note::Remark(Remark::PiecesSkipped { count }) => ("pieces_skipped", json!({ "n": count })),
        };
        of_author(&format!("note.{id}"), author, parameters)
    }
}

/// The sentence for a request that failed and is sent again.
pub fn request_failed(author: &str, error: &Error) -> String {
    match error.retry_after_ms {
        None => of_author("request.failed", author, json!({ "why": error.message })),
        Some(ms) => {
            let s = format!("{:.1}", ms as f64 / 1000.0);
            of_author("request.failed_in", author, json!({ "s": s, "why": error.message }))
        }
    }
}

/// The sentence for a request that is sent once more.
pub fn request_sent(author: &str, attempt: u32) -> String {
    of_author("request.sent", author, json!({ "n": attempt }))
}

/// The sentence for a profile that replaces one that failed.
pub fn fell_back(author: &str, from: &str, to: &str, error: &Error) -> String {
    of_author("request.fell_back", author, json!({ "from": from, "to": to, "why": error.message }))
}

fn of_author(id: &str, author: &str, parameters: serde_json::Value) -> String {
    let mut phrase = Phrase::new(id, parameters);
    phrase.parameters.insert("who".to_owned(), json!(author).into());
    phrase.english()
}

fn list(phrases: &[Phrase]) -> Vec<String> {
    phrases.iter().map(Phrase::english).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, RequestPart};

    fn notes() -> Vec<Note> {
        let flaws = vec![Phrase::new("flaw.cut", json!({}))];
        vec![
            Note::Skipped { agents: vec!["writer".into(), "reviewer".into()] },
            Note::Repair { rungs: vec![Phrase::new("rung.dropped", json!({ "fields": ["a", "b"] }))] },
            Note::AskedAgain { flaws: flaws.clone(), room: 1 },
            Note::Malformed { raw: "{".into(), flaws },
            Note::WithoutModel,
            Note::InstructionUnread,
            Note::Refused { key: "draft".into() },
            Note::Kept { key: "draft".into() },
            Note::Remark(Remark::LeftOut {
                profile: "work".into(),
                model: "m".into(),
                part: RequestPart::Tools,
                words: "no".into(),
            }),
            Note::Remark(Remark::UnendedStreams { profile: "work".into(), model: "m".into() }),
            Note::Remark(Remark::PiecesSkipped { count: 2 }),
        ]
    }

    #[test]
    fn every_note_fills_its_placeholders_and_every_text_is_used() {
        let said: Vec<String> =
            notes().iter().map(|note| note.english("writer", &NoteTexts::new())).collect();
        assert_fills_all("note.", &said);
        assert_eq!(said[1], "The answer of writer was repaired: unknown fields dropped (a, b)");
    }

    #[test]
    fn every_request_sentence_fills_every_placeholder() {
        let error = Error::new(Code::RateLimited, Phrase::verbatim("too fast"));
        let later = Error { retry_after_ms: Some(2500), ..error.clone() };
        let said = [
            request_failed("writer", &error),
            request_failed("writer", &later),
            request_sent("writer", 2),
            fell_back("writer", "work", "home", &error),
        ];
        assert_fills_all("request.", &said);
        assert_eq!(said[1], "writer asks again in 2.5 s: too fast");
        assert_eq!(said[3], "writer goes on with profile home in place of work: too fast");
    }

    /// Each text under the prefix belongs to one sentence, and no sentence leaves a placeholder open.
    fn assert_fills_all(prefix: &str, said: &[String]) {
        for words in said {
            assert!(!words.contains(['{', '}']) && !words.starts_with(prefix), "{words}");
        }
        assert_eq!(said.len(), ENGLISH.iter().filter(|(id, _)| id.starts_with(prefix)).count());
    }

    #[test]
    fn a_note_of_a_pipeline_has_the_text_of_its_definition_or_its_id() {
        let note = Note::decision("found", json!({ "n": 3, "day": "{n}" }));
        let texts = NoteTexts::from([("found".into(), "{n} found up to {day}, {other}".into())]);
        assert_eq!(note.english("writer", &texts), "3 found up to {n}, {other}");
        assert_eq!(note.english("writer", &NoteTexts::new()), "found");
    }

    #[test]
    fn a_note_is_written_as_its_kind_with_its_fields_and_read_again() {
        let written = crate::compact(&notes()[8]).unwrap();
        assert!(written.starts_with(r#"{"kind":"remark","remark":"left_out""#), "{written}");
        for note in notes() {
            let written = crate::compact(&note).unwrap();
            assert_eq!(serde_json::from_str::<Note>(&written).unwrap(), note, "{written}");
        }
    }
}

//! The sentences for notes and retried requests in the terminal and the search. The page inserts the titles of agents and
//! keys.

use serde_json::json;

use crate::{Error, Note, NoteTexts, Phrase, Remark};

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
    use crate::{Code, ENGLISH, RequestPart};

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

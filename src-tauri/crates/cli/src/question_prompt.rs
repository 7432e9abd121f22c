//! Questions of a run, asked on the terminal.
//!
//! The engine asks, whoever follows the run shows the question and reads the answer, so that progress and questions
//! never write into each other.

use std::io::BufRead;

use async_trait::async_trait;
use desk::{Question, RunIdentity, UserAnswer, UserPrompt};
use tokio::sync::{mpsc, oneshot};

use crate::table::one_line;

/// A question with the way back to the agent that asks.
pub(crate) struct PendingQuestion {
    pub(crate) question: Question,
    pub(crate) reply: oneshot::Sender<UserAnswer>,
}

/// Hands the engine's questions to whoever follows the run.
pub(crate) struct Terminal {
    pub(crate) asked: mpsc::Sender<PendingQuestion>,
}

#[async_trait]
impl UserPrompt for Terminal {
    async fn ask(&self, _run: &RunIdentity, question: &Question) -> UserAnswer {
        let (reply, answer) = oneshot::channel();
        if self.asked.send(PendingQuestion { question: question.clone(), reply }).await.is_err() {
            return UserAnswer::NobodyThere;
        }
        answer.await.unwrap_or(UserAnswer::NobodyThere)
    }
}

/// The question as it is shown, with its choices.
pub(crate) fn shown(question: &Question) -> String {
    let mut text = question.text.english();
    let width = question.choices.iter().map(|choice| choice.value.len()).max().unwrap_or(0);
    for choice in &question.choices {
        let value = one_line(&choice.value);
        text.push_str(&format!("\n  {value:width$}  {}", one_line(&choice.label.english())));
        if choice.value == question.default {
            text.push_str(" (the default)");
        }
    }
    if question.choices.is_empty() && !question.default.is_empty() {
        text.push_str(&format!("\n  (the default: {})", one_line(&question.default)));
    }
    text
}

/// What a typed line chooses, or a sentence about why it chooses nothing.
pub(crate) fn chosen(question: &Question, line: &str) -> Result<String, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(question.default.clone());
    }
    let named = question.choices.iter().find(|choice| choice.value.eq_ignore_ascii_case(line));
    let answer = named.map_or(line, |choice| &choice.value);
    question.admits(answer).map(|()| answer.to_owned()).map_err(|error| error.message)
}

/// Reads a line from standard input; nothing at its end. On a thread of its own, because nothing can take a read back:
/// at the end of the program it is simply left behind.
pub(crate) fn read_line() -> oneshot::Receiver<Option<String>> {
    let (sender, line) = oneshot::channel();
    let read = move || {
        let mut line = String::new();
        let length = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
        // Refused only when the answer is no longer wanted.
        let _ = sender.send((length > 0).then_some(line));
    };
    // Without a thread the sender is dropped, which reads as the end of input.
    let _ = std::thread::Builder::new().name("questions".to_owned()).spawn(read);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(is_free: bool) -> Question {
        let [text, add, finish] = ["Go on?", "Add 4", "Finish"].map(desk::Phrase::verbatim);
        serde_json::from_value(serde_json::json!({
            "kind": { "kind": "agent" }, "text": text, "default": "finish", "is_free": is_free,
            "choices": [{ "value": "add", "label": add }, { "value": "finish", "label": finish }],
        }))
        .unwrap()
    }

    #[test]
    fn an_empty_line_is_the_default_and_only_a_free_question_takes_other_words() {
        assert_eq!(chosen(&question(false), "\n"), Ok("finish".to_owned()));
        assert_eq!(chosen(&question(false), "ADD"), Ok("add".to_owned()));
        assert!(chosen(&question(false), "7").unwrap_err().contains("add, finish"));
        assert_eq!(chosen(&question(true), "7"), Ok("7".to_owned()));
    }

    #[test]
    fn a_question_is_shown_with_its_choices_and_its_default() {
        assert_eq!(shown(&question(false)), "Go on?\n  add     Add 4\n  finish  Finish (the default)");
    }
}

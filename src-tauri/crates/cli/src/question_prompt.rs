//! Asks questions of a run on the terminal.
//!
//! The follower of the run shows the engine's questions and reads the answers, so that progress and questions do not
//! write into each other.

use std::io::BufRead;

use async_trait::async_trait;
use desk::{
    AskedInput, GateAnswer, PermissionAnswer, Question, QuestionKind, RunIdentity, Seq, ServerAnswer,
    UserAnswer, UserPrompt,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::table::one_line;

/// A question with the channel for its answer.
pub(crate) struct PendingQuestion {
    pub(crate) question: Question,
    pub(crate) reply: oneshot::Sender<UserAnswer>,
}

/// Passes the engine's questions to the follower of the run.
pub(crate) struct Terminal {
    pub(crate) asked: mpsc::Sender<PendingQuestion>,
}

#[async_trait]
impl UserPrompt for Terminal {
    async fn ask(&self, _run: &RunIdentity, _id: Seq, question: &Question) -> UserAnswer {
        let (reply, answer) = oneshot::channel();
        if self.asked.send(PendingQuestion { question: question.clone(), reply }).await.is_err() {
            return UserAnswer::NobodyThere;
        }
        answer.await.unwrap_or(UserAnswer::NobodyThere)
    }
}

/// The question with its choices, for display.
pub(crate) fn shown(question: &Question) -> String {
    let is_permission = matches!(question.kind, QuestionKind::Permission { .. });
    let of_server = question.of_server();
    // The text comes from a model or a server, so it must not look like the prompt around it.
    let text = question.text.english();
    let mut text = if is_permission || of_server.is_some() { one_line(&text) } else { text };
    match of_server.map(|asked| asked.asks_for) {
        Some(AskedInput::Form { schema }) => {
            text.push_str("\n  {…}  Answer with these fields, as JSON:");
            for line in fields(&schema.0) {
                text.push_str(&format!("\n    {line}"));
            }
        }
        Some(AskedInput::Page { url }) => text.push_str(&format!("\n  Open this page: {}", one_line(&url))),
        None => {}
    }
    let width = question.choices.iter().map(|choice| choice.value.len()).max().unwrap_or(0);
    for choice in &question.choices {
        let value = one_line(&choice.value);
        text.push_str(&format!("\n  {value:width$}  {}", one_line(&choice.label.english())));
        if choice.value == question.default {
            text.push_str(" (the default)");
        }
        if let Some(details) = &choice.details {
            text.push_str(&format!("\n  {:width$}  {}", "", one_line(details)));
        }
    }
    if question.choices.is_empty() && !question.default.is_empty() {
        text.push_str(&format!("\n  (the default: {})", one_line(&question.default)));
    }
    if question.takes_changes() {
        text.push_str("\n  changes …  Let the agent work again, and tell it what to change");
    }
    if is_permission {
        let input = question.details.json_or_null().pointer("/call/input").cloned().unwrap_or_default();
        text.push_str("\n  refuse because …  Refuse, and tell the model why");
        text.push_str("\n  change {…}        Allow it once with other arguments in place of these:");
        for line in serde_json::to_string_pretty(&input).unwrap_or_default().lines() {
            text.push_str(&format!("\n    {}", desk::printable_json(line.to_owned())));
        }
    }
    text
}

/// The choice in a typed line, or a sentence on why there is none. For a permission, `refuse because …` gives a reason,
/// and `change {…}` another input.
pub(crate) fn chosen(question: &Question, line: &str) -> Result<Value, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(json!(question.default));
    }
    let named = question.choices.iter().find(|choice| choice.value.eq_ignore_ascii_case(line));
    let answer = match (&question.kind, named) {
        (_, Some(choice)) => json!(choice.value),
        (QuestionKind::Permission { .. }, None) => permission(line)?,
        (QuestionKind::ToolServer { .. }, None) => form(line)?,
        (QuestionKind::Gate { .. }, None) => match line.strip_prefix("changes ") {
            Some(words) => json!(GateAnswer::AskForChanges(words.trim().to_owned())),
            None => json!(line),
        },
        (_, None) => json!(line),
    };
    desk::admits(question, &answer.clone().into()).map(|()| answer).map_err(|error| error.message)
}

/// The fields of a form, each with its type.
fn fields(schema: &Value) -> Vec<String> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let field = |(name, of): (&String, &Value)| {
        let words = ["title", "description"].iter().filter_map(|word| of[*word].as_str());
        let words: Vec<String> = words.map(one_line).collect();
        let choices = of.get("enum").or_else(|| of.get("oneOf")).map(|choices| format!(", one of {choices}"));
        let optional = if required.iter().any(|one| one == name) { "" } else { ", optional" };
        let kind = of["type"].as_str().unwrap_or_default();
        one_line(&format!("{name}: {kind}{}{optional}  {}", choices.unwrap_or_default(), words.join(". ")))
    };
    schema["properties"].as_object().into_iter().flatten().map(field).collect()
}

/// The fields that answer the form of a server.
fn form(line: &str) -> Result<Value, String> {
    let fields: Value = serde_json::from_str(line).map_err(|error| {
        format!("The answer is not JSON: {error}. Write for example {{\"name\": \"Ada\"}}")
    })?;
    Ok(json!(ServerAnswer::Accept(fields.into())))
}

fn permission(line: &str) -> Result<Value, String> {
    if let Some(reason) = line.strip_prefix("refuse because ") {
        return Ok(json!(PermissionAnswer::RefuseBecause(reason.trim().to_owned())));
    }
    let Some(input) = line.strip_prefix("change ") else { return Ok(json!(line)) };
    let input: Value = serde_json::from_str(input).map_err(|error| {
        format!("The new arguments are not JSON: {error}. Write for example change {{\"to\": \"ada\"}}")
    })?;
    Ok(json!(PermissionAnswer::Change(input.into())))
}

/// Reads a line from standard input; `None` at its end. A thread does this, because a read cannot be cancelled: at the
/// end of the program it is abandoned.
pub(crate) fn read_line() -> oneshot::Receiver<Option<String>> {
    let (sender, line) = oneshot::channel();
    let read = move || {
        let mut line = String::new();
        let length = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
        // Fails only if the answer is no longer wanted.
        let _ = sender.send((length > 0).then_some(line));
    };
    // Without a thread the sender is dropped, which counts as the end of input.
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
    fn an_empty_line_is_the_default_and_only_a_free_question_accepts_other_text() {
        assert_eq!(chosen(&question(false), "\n"), Ok(json!("finish")));
        assert_eq!(chosen(&question(false), "ADD"), Ok(json!("add")));
        assert!(chosen(&question(false), "7").unwrap_err().contains("add, finish"));
        assert_eq!(chosen(&question(true), "7"), Ok(json!("7")));
    }

    #[test]
    fn a_question_is_shown_with_its_choices_and_its_default() {
        assert_eq!(shown(&question(false)), "Go on?\n  add     Add 4\n  finish  Finish (the default)");
    }
}

//! Replaces the placeholders of a template with what a summary says; what it does not say stays open.

use crate::answers::{Memory, solve};
use crate::lines::lines;
use crate::placeholders::{Placeholder, placeholders};
use crate::summary::Summary;
use serde::{Deserialize, Serialize};

/// A placeholder that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The placeholder, with its place in the text before.
    pub placeholder: Placeholder,
    /// What stands there now.
    pub value: String,
    /// The words of the summary from which it comes.
    pub from: String,
}

/// A text with its placeholders replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// The text; it differs from the text before at placeholders only.
    pub text: String,
    /// What was replaced, in order.
    pub filled: Vec<Replacement>,
    /// What the summary does not answer, with its place in this text.
    pub open: Vec<Placeholder>,
}

/// Replaces the placeholders that the summary answers.
pub fn fill(template: &str, summary: &str) -> Filled {
    let found = placeholders(template);
    let summary = Summary::new(summary);
    let mut memory = Memory::default();
    let mut filled = Vec::new();
    let lines = lines(template, &found);
    for (index, line) in lines.iter().enumerate() {
        if line.gaps.is_empty() && line.units.is_empty() {
            continue;
        }
        let solution = solve(template, &lines, index, &summary, &memory);
        for (gap, answer) in line.gaps.iter().zip(&solution.answers) {
            if let (Some(answer), Some(placeholder)) = (answer, found.get(gap.placeholder)) {
                let from = summary.text.get(answer.from.clone()).unwrap_or_default().to_owned();
                filled.push(Replacement {
                    placeholder: placeholder.clone(),
                    value: answer.text.clone(),
                    from,
                });
            }
        }
        memory.note(line, &solution, &summary);
    }
    let mut text = String::with_capacity(template.len());
    let mut open = Vec::new();
    let mut from = 0;
    let mut replacements = filled.iter().peekable();
    for placeholder in found {
        let replacement = replacements.next_if(|next| next.placeholder.place == placeholder.place);
        text.push_str(&template[from..placeholder.place.start]);
        from = placeholder.place.end;
        match replacement {
            Some(replacement) => text.push_str(&replacement.value),
            None => {
                let start = text.len();
                text.push_str(&template[placeholder.place.clone()]);
                open.push(Placeholder { place: start..text.len(), ..placeholder });
            }
        }
    }
    text.push_str(&template[from..]);
    Filled { text, filled, open }
}

//! The built-in instructions.

use kernel::{Form, form};

/// The instruction that works without a model.
pub const SHORTER: &str = "shorter";

/// A built-in instruction.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInInstruction {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: Form,
    /// The text for the model, with a placeholder `{language}`.
    text: &'static str,
}

/// All built-in instructions, in the order in which they are offered.
pub const INSTRUCTIONS: [BuiltInInstruction; 4] = [
    BuiltInInstruction {
        name: SHORTER,
        title: form!("Make it shorter"),
        text: "Make the text shorter by about a third: leave out what carries least, and keep every heading that still has something under it.",
    },
    BuiltInInstruction {
        name: "longer",
        title: form!("Make it longer"),
        text: "Make the text longer by about a third: explain what it says more fully, from what it says itself and without new facts.",
    },
    BuiltInInstruction {
        name: "plainer",
        title: form!("Say it in plainer words"),
        text: "Write the text in plainer words: short sentences, everyday words, technical terms explained at their first use.",
    },
    BuiltInInstruction {
        name: "translate",
        title: form!("Translate"),
        text: "Translate the whole text, headings too, into {language}.",
    },
];

impl BuiltInInstruction {
    /// Whether it needs a language.
    pub fn takes_language(&self) -> bool {
        self.text.contains("{language}")
    }

    /// The text for the model, in which `language` replaces the placeholder.
    pub fn text_in(&self, language: &str) -> String {
        self.text.replace("{language}", language)
    }
}

//! The instructions of one-step rewrites: the program's own, and the person's in `instructions.toml` of the data
//! folder, as names with texts.

use std::path::Path;

use kernel::{Code, Phrase, form, phrase};
use pipelines::{BuiltInInstruction, INSTRUCTION, INSTRUCTION_NAME, INSTRUCTIONS};
use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::api::{
    Instructions, Named, Nothing, OwnInstruction, RewriteStep, SaveInstruction, SavedInstruction,
};
use crate::program::toml_file::TomlFile;
use crate::runs::RunService;

/// The file in the data folder.
const FILE: &str = "instructions.toml";
/// Most saved instructions.
const MOST_SAVED: usize = 200;
/// Longest name of a language, in bytes.
const LONGEST_LANGUAGE: usize = 60;

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    #[serde(default, rename = "instruction", skip_serializing_if = "Vec::is_empty")]
    instructions: Vec<SavedInstruction>,
}

/// The person's instructions.
pub(crate) struct SavedInstructions(TomlFile<Saved>);

/// The instruction of a rewrite.
pub(crate) struct ChosenInstruction {
    /// Its name; empty for an instruction in free text.
    pub(crate) name: String,
    /// The text for the model.
    pub(crate) text: String,
}

impl SavedInstructions {
    pub(crate) fn of(folder: &Path) -> SavedInstructions {
        SavedInstructions(TomlFile::new(folder, FILE, form!("Your saved instructions")))
    }

    /// All instructions, by name.
    fn all(&self) -> Result<Vec<SavedInstruction>, ApiError> {
        let mut all = self.0.read()?.instructions;
        all.sort_by_key(|saved| saved.name.to_lowercase());
        Ok(all)
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Vec<SavedInstruction>) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        self.0.change(|saved| change(&mut saved.instructions))
    }
}

impl RunService {
    pub(crate) async fn list_instructions(&self, _: Nothing) -> Result<Instructions, ApiError> {
        let own = |one: &BuiltInInstruction| OwnInstruction {
            name: one.name.to_owned(),
            title: one.title.into(),
            takes_language: one.takes_language(),
        };
        Ok(Instructions {
            own: INSTRUCTIONS.iter().map(own).collect(),
            saved: self.instructions.all()?,
            max_bytes: most_bytes(INSTRUCTION),
        })
    }

    pub(crate) async fn save_instruction(&self, request: SaveInstruction) -> Result<Instructions, ApiError> {
        let SaveInstruction { name, text, replaces } = request;
        let (name, text) = (name.trim().to_owned(), text.trim().to_owned());
        if name.is_empty() || text.is_empty() {
            return bad(phrase!("An instruction has a name and a text; fill in both"));
        }
        if name.chars().any(char::is_control) {
            return bad(phrase!("The name of an instruction is one line"));
        }
        if let Some(own) = INSTRUCTIONS.iter().find(|own| is_same(own.name, &name)) {
            return bad(phrase!(
                "Galley itself has the instruction `{name}`; choose another name",
                name = own.name
            ));
        }
        refuse_longer(&name, most_bytes(INSTRUCTION_NAME), |bytes, most| {
            phrase!("The name has {bytes} bytes; at most {most} are allowed, so shorten it", bytes, most)
        })?;
        refuse_longer(&text, most_bytes(INSTRUCTION), |bytes, most| {
            phrase!(
                "The instruction has {bytes} bytes; at most {most} are allowed, so shorten it",
                bytes,
                most
            )
        })?;
        self.instructions.change(|all| {
            if let Some(former) = &replaces {
                let at = place(all, former)?;
                all.remove(at);
            }
            if all.iter().any(|saved| is_same(&saved.name, &name)) {
                return bad(phrase!(
                    "You have an instruction `{name}` already; choose another name, or change that one",
                    name
                ));
            }
            if all.len() >= MOST_SAVED {
                return bad(phrase!(
                    "{most} instructions are saved already; remove one first",
                    most = MOST_SAVED
                ));
            }
            all.push(SavedInstruction { name, text });
            all.sort_by_key(|saved| saved.name.to_lowercase());
            Ok(())
        })?;
        self.list_instructions(Nothing {}).await
    }

    pub(crate) async fn remove_instruction(&self, named: Named) -> Result<Instructions, ApiError> {
        self.instructions.change(|all| {
            let at = place(all, &named.name)?;
            all.remove(at);
            Ok(())
        })?;
        self.list_instructions(Nothing {}).await
    }

    /// The instruction of a rewrite step.
    ///
    /// # Errors
    /// `not_found` with the existing names; `bad_input` where a language is missing or not allowed.
    pub(crate) fn chosen_instruction(&self, step: &RewriteStep) -> Result<ChosenInstruction, ApiError> {
        let language = step.language.as_deref().map(str::trim).filter(|language| !language.is_empty());
        let name = match (&step.instruction, &step.text) {
            (Some(name), None) => name.trim(),
            (None, Some(text)) if !text.trim().is_empty() => {
                refuse_language(language)?;
                return Ok(ChosenInstruction { name: String::new(), text: text.trim().to_owned() });
            }
            _ => return bad(phrase!("Name an instruction, or say one in words")),
        };
        if let Some(own) = INSTRUCTIONS.iter().find(|own| is_same(own.name, name)) {
            if !own.takes_language() {
                refuse_language(language)?;
            }
            let Some(language) = language.or((!own.takes_language()).then_some("")) else {
                return bad(phrase!(
                    "`{name}` needs the language into which is translated; name it, for example Japanese",
                    name = own.name
                ));
            };
            if language.len() > LONGEST_LANGUAGE || language.chars().any(char::is_control) {
                return bad(phrase!("“{language}” is no name of a language", language));
            }
            return Ok(ChosenInstruction { name: own.name.to_owned(), text: own.text_in(language) });
        }
        let saved = self.instructions.all()?;
        let Some(found) = saved.iter().find(|saved| is_same(&saved.name, name)) else {
            let known: Vec<&str> = INSTRUCTIONS
                .iter()
                .map(|own| own.name)
                .chain(saved.iter().map(|saved| saved.name.as_str()))
                .collect();
            let message = phrase!("There is no instruction `{name}`; there is {known}", name, known);
            return Err(ApiError::new(Code::NotFound, message));
        };
        refuse_language(language)?;
        Ok(ChosenInstruction { name: found.name.clone(), text: found.text.clone() })
    }
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn place(all: &[SavedInstruction], name: &str) -> Result<usize, ApiError> {
    all.iter()
        .position(|saved| is_same(&saved.name, name))
        .ok_or_else(|| ApiError::new(Code::NotFound, phrase!("You have no instruction `{name}`", name)))
}

fn refuse_language(language: Option<&str>) -> Result<(), ApiError> {
    match language {
        None => Ok(()),
        Some(_) => bad(phrase!("Only `translate` takes a language; leave it out")),
    }
}

/// Longest input of a one-step rewrite, in bytes: the same limit holds for saved instructions.
fn most_bytes(input: &str) -> u32 {
    let pipeline = pipelines::one_step();
    pipeline.definition().inputs.get(input).map(|known| known.max_bytes).unwrap_or_default()
}

fn refuse_longer(text: &str, most: u32, message: impl FnOnce(usize, u32) -> Phrase) -> Result<(), ApiError> {
    if text.len() > most as usize { bad(message(text.len(), most)) } else { Ok(()) }
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}

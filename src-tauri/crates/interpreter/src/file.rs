//! Reads a definition from a TOML file, and reports faults with line and column.

use kernel::{Phrase, PipelineDefinition, phrase};
use serde::{Deserialize, Serialize};
use toml_edit::{Document, DocumentMut, Item, Table};
use ts_rs::TS;

use crate::check::{check, is_id};
use crate::registry::Registry;

/// Most bytes of such a file.
pub const MOST_BYTES: usize = 256 * 1024;

/// What is wrong with a file, at one place of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionFault {
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The column in characters, from 1; 0 for the file as a whole.
    pub column: usize,
    /// What is wrong and what helps.
    pub reason: Phrase,
}

impl DefinitionFault {
    /// The fault with its position.
    pub fn phrase(&self) -> Phrase {
        let DefinitionFault { line, column, reason } = self;
        match line {
            0 => reason.clone(),
            _ => phrase!("line {line}, column {column}: {reason}", line, column, reason),
        }
    }
}

impl std::fmt::Display for DefinitionFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.phrase().fmt(f)
    }
}

/// Reads and checks a definition.
///
/// # Errors
/// All faults in the order of the file.
pub fn read(text: &str, registry: &Registry) -> Result<PipelineDefinition, Vec<DefinitionFault>> {
    if text.len() > MOST_BYTES {
        let reason = phrase!(
            "the file has {bytes} bytes; a pipeline has at most {most}",
            bytes = text.len(),
            most = MOST_BYTES
        );
        return Err(vec![DefinitionFault { line: 0, column: 0, reason }]);
    }
    let document = parse(text)?;
    if let Some((key, _)) = document.get_key_value("examples") {
        let at = key.span().map_or(0, |span| span.start);
        let reason =
            phrase!("`examples` is no field of the top: write it under `[routing]`, at the end of the file");
        return Err(vec![placed(text, at, reason)]);
    }
    let definition: PipelineDefinition = toml_edit::de::from_str(text).map_err(|error| {
        let at = error.span().map(|span| span.start);
        let reason = Phrase::verbatim(error.message().trim());
        vec![match at {
            Some(at) => placed(text, at, reason),
            None => DefinitionFault { line: 0, column: 0, reason },
        }]
    })?;
    let definition = definition.with_review_desk();
    let mut faults: Vec<(usize, DefinitionFault)> = check(&definition, registry)
        .iter()
        .map(|finding| {
            let at = place_of(document.as_table(), &finding.path);
            (at, placed(text, at, finding.reason.clone()))
        })
        .collect();
    faults.sort_by_key(|(at, _)| *at);
    let mut reported = Vec::new();
    faults.retain(|fault| {
        let is_new = !reported.contains(fault);
        reported.extend(is_new.then(|| fault.clone()));
        is_new
    });
    match faults.is_empty() {
        true => Ok(definition),
        false => Err(faults.into_iter().map(|(_, fault)| fault).collect()),
    }
}

/// The text as an editable TOML document with its comments.
///
/// # Errors
/// The position of a syntax error.
pub(crate) fn read_document(text: &str) -> Result<DocumentMut, Vec<DefinitionFault>> {
    Ok(parse(text)?.into_mut())
}

fn parse(text: &str) -> Result<Document<&str>, Vec<DefinitionFault>> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        vec![placed(text, at, Phrase::verbatim(error.message()))]
    })
}

/// The id of a pipeline in a text, also if other parts are invalid; `None` if there is no valid id.
pub fn id_of(text: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    Some(document.get("id")?.as_str()?.to_owned()).filter(|id| is_id(id))
}

/// A fault of the id of a definition in this text.
pub fn fault_of_id(text: &str, reason: Phrase) -> DefinitionFault {
    let at = Document::parse(text).map_or(0, |document| place_of(document.as_table(), &["id".to_owned()]));
    placed(text, at, reason)
}

/// The byte offset of a path: of its deepest part that exists in the file.
fn place_of(table: &Table, path: &[String]) -> usize {
    let mut at = 0;
    let mut item: Option<&Item> = None;
    for name in path {
        let found = match item {
            None => table.get_key_value(name),
            Some(item) => item.as_table_like().and_then(|table| table.get_key_value(name)),
        };
        let Some((key, inner)) = found else { break };
        let span = key.span().or_else(|| inner.span());
        at = span.map_or(at, |span| span.start);
        item = Some(inner);
    }
    item.and_then(Item::span).map_or(at, |span| span.start.max(at))
}

fn placed(text: &str, at: usize, reason: Phrase) -> DefinitionFault {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    DefinitionFault { line, column, reason }
}

//! Removes content from a run before it is given to somebody else.
//!
//! Each removed text is replaced by a mark with its kind, everywhere in the run and also in the names of fields.
//! Numbers other than costs, names of agents and keys stay.

use std::collections::BTreeSet;

use kernel::{Form, KeyDeclaration, LimitName, Role, form};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod patterns;

#[cfg(test)]
mod tests;

use patterns::{is_file_name, replaced};

/// A kind of content that can be left out of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redaction {
    /// Prompts: instructions and messages. The answers stay.
    Prompts,
    /// Results of tools, and their parts in the state. Prompts quote them and are left out with them.
    Pages,
    /// Names of files and folders.
    FileNames,
    /// Web and mail addresses.
    Addresses,
    /// Amounts of money, including the cost of calls.
    Amounts,
    /// Keys of profiles that the program knows. They are always left out, so they cannot be chosen.
    Keys,
}

impl Redaction {
    /// All kinds that can be chosen, in the order in which they are offered.
    pub const ALL: [Redaction; 5] = [
        Redaction::Prompts,
        Redaction::Pages,
        Redaction::FileNames,
        Redaction::Addresses,
        Redaction::Amounts,
    ];

    /// The word that selects it.
    pub fn word(self) -> &'static str {
        match self {
            Redaction::Prompts => "prompts",
            Redaction::Pages => "pages",
            Redaction::FileNames => "file-names",
            Redaction::Addresses => "addresses",
            Redaction::Amounts => "amounts",
            Redaction::Keys => "keys",
        }
    }

    /// The kind with this word that can be chosen.
    pub fn of(word: &str) -> Option<Redaction> {
        Redaction::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Its title for people.
    pub fn title(self) -> Form {
        match self {
            Redaction::Prompts => form!("Prompts"),
            Redaction::Pages => form!("Pages and results of tools"),
            Redaction::FileNames => form!("Names of files"),
            Redaction::Addresses => form!("Addresses"),
            Redaction::Amounts => form!("Amounts of money"),
            Redaction::Keys => form!("Keys"),
        }
    }

    fn mark(self) -> String {
        format!("[left out: {}]", self.word())
    }
}

/// Redacts a run as JSON (`start`, `events`, `state`). `keys` are the declarations of its state.
pub(crate) fn redact(mut run: Value, keys: &[KeyDeclaration], kinds: &[Redaction]) -> Value {
    if kinds.is_empty() {
        return run;
    }
    let cleaner = Cleaner {
        kinds,
        pages: if kinds.contains(&Redaction::Pages) { pages_of(&run["events"]) } else { Vec::new() },
        found: keys
            .iter()
            .filter(|key| matches!(key.role, Role::Sources { .. } | Role::Data))
            .map(|key| &*key.name)
            .collect(),
        titles: if kinds.contains(&Redaction::FileNames) { titles_by_file(&run) } else { Vec::new() },
    };
    cleaner.definition(&mut run["start"]["definition"]);
    for event in run["events"].as_array_mut().into_iter().flatten() {
        cleaner.fact(&mut event["fact"]);
    }
    cleaner.state(&mut run["start"]["inputs"]);
    cleaner.state(&mut run["state"]);
    if cleaner.has(Redaction::Amounts) {
        each_cost(&mut run);
    }
    cleaner.rest(&mut run);
    run
}

struct Cleaner<'a> {
    kinds: &'a [Redaction],
    /// The results of tools.
    pages: Vec<String>,
    /// The keys with the role of search results.
    found: Vec<&'a str>,
    /// Titles that are the name of a file without its extension.
    titles: Vec<String>,
}

impl Cleaner<'_> {
    fn has(&self, kind: Redaction) -> bool {
        self.kinds.contains(&kind)
    }

    /// The kind for which prompts are left out: they also quote pages.
    fn hides_prompts(&self) -> Option<Redaction> {
        [Redaction::Prompts, Redaction::Pages].into_iter().find(|kind| self.has(*kind))
    }

    /// Redacts the instructions of agents and their prompt templates.
    fn definition(&self, definition: &mut Value) {
        if self.has(Redaction::Prompts) {
            instructions(&mut definition["agents"]);
            instructions(&mut definition["declared"]);
        }
    }

    fn fact(&self, fact: &mut Value) {
        if fact["effect"]["effect"] == "model"
            && let Some(kind) = self.hides_prompts()
        {
            let request = &mut fact["effect"]["request"];
            for message in request["messages"].as_array_mut().into_iter().flatten() {
                each_text(&mut message["content"], &mut |text| *text = kind.mark());
            }
            each_text(&mut request["instruction"], &mut |text| *text = kind.mark());
        }
        if self.has(Redaction::Prompts)
            && let Some(overrides) = fact.get_mut("overrides")
        {
            instructions(overrides);
        }
        // A model's answer is text; a tool's answer is its result.
        if self.has(Redaction::Pages) && fact["answer"]["result"].get("output").is_some() {
            self.found(&mut fact["answer"]["result"]["output"]);
        }
        if let Some(set) = fact.get_mut("delta").and_then(|delta| delta.get_mut("set")) {
            self.state(set);
        }
    }

    /// Redacts values by key.
    fn state(&self, values: &mut Value) {
        for (key, value) in values.as_object_mut().into_iter().flatten() {
            if self.has(Redaction::Pages) && self.found.contains(&key.as_str()) {
                self.found(value);
            }
        }
    }

    /// Redacts the longer texts in search results.
    fn found(&self, value: &mut Value) {
        each_text(value, &mut |text| {
            let is_address = text.starts_with("http") && !text.contains(char::is_whitespace);
            if text.len() >= PASSAGE && !is_address {
                *text = Redaction::Pages.mark();
            }
        });
    }

    /// Redacts all remaining texts and names of fields.
    fn rest(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.words(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.rest(item)),
            Value::Object(fields) => {
                // The program's own words are the keys of translations.
                let is_phrase =
                    fields.len() == 2 && fields.contains_key("id") && fields.contains_key("parameters");
                let mut kept = Map::with_capacity(fields.len());
                for (name, mut field) in std::mem::take(fields) {
                    if !(is_phrase && name == "id") {
                        self.rest(&mut field);
                    }
                    let mut name = self.words(&name);
                    // Two redacted names must stay distinct.
                    while kept.contains_key(&name) {
                        name.push('+');
                    }
                    kept.insert(name, field);
                }
                *fields = kept;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn words(&self, text: &str) -> String {
        if self.pages.iter().any(|page| text.contains(page.as_str())) {
            return Redaction::Pages.mark();
        }
        let text = self
            .titles
            .iter()
            .fold(text.to_owned(), |text, title| text.replace(title, &Redaction::FileNames.mark()));
        // Addresses first: the remainder of one could look like a file name.
        let order = [Redaction::Addresses, Redaction::FileNames, Redaction::Amounts];
        let chosen = order.into_iter().filter(|kind| self.has(*kind));
        chosen.fold(text, |text, kind| replaced(&text, kind, &mut |_| kind.mark()))
    }
}

/// The names of a run's files, without extensions, that also occur in it as titles.
fn titles_by_file(run: &Value) -> Vec<String> {
    let (mut names, mut titles) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = vec![run];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) if is_file_name(text) => {
                let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
                names.extend(name.rsplit_once('.').map(|(stem, _)| stem));
            }
            Value::Object(fields) => {
                titles.extend(fields.get("title").and_then(Value::as_str));
                waiting.extend(fields.values());
            }
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    let both = names.intersection(&titles).filter(|title| !title.is_empty());
    both.map(|title| (*title).to_owned()).collect()
}

/// Removes the fields with instructions to models.
fn instructions(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_str() {
                    Some(_) if matches!(name.as_str(), "instruction" | "prompt") => {
                        *field = Value::String(Redaction::Prompts.mark());
                    }
                    _ => instructions(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(instructions),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A tool result with this many bytes counts as a page, not as a field of one.
const PAGE: usize = 160;
/// Longer texts in search results are passages of pages; shorter ones are titles and names.
const PASSAGE: usize = 120;

/// The results of tools, which also occur in other values.
fn pages_of(events: &Value) -> Vec<String> {
    let mut asked_tools: Vec<(String, u64)> = Vec::new();
    let mut pages = Vec::new();
    for event in events.as_array().into_iter().flatten() {
        let (path, fact) = (event["path"].as_str().unwrap_or_default(), &event["fact"]);
        if fact["effect"]["effect"] == "tool" {
            asked_tools.push((path.to_owned(), event["n"].as_u64().unwrap_or_default()));
        }
        let asked = fact["asked"].as_u64();
        if fact["kind"] == "effect_answered"
            && asked_tools.iter().any(|(at, n)| at == path && Some(*n) == asked)
        {
            let mut result = fact["answer"]["result"].clone();
            each_text(&mut result, &mut |text| {
                if text.len() >= PAGE {
                    pages.push(text.clone());
                    // A selected part begins or ends as the result does.
                    pages.extend(text.get(..text.floor_char_boundary(PAGE)).map(str::to_owned));
                }
            });
        }
    }
    pages
}

/// Visits every text in a value, but not the names of its fields.
fn each_text(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, visit)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Removes the costs and the cost limits of calls; a call with unknown price looks the same.
fn each_cost(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_limit = fields.get("name").and_then(Value::as_str) == Some(LimitName::MaxCost.word());
            let says_money = fields.get("id").and_then(Value::as_str).is_some_and(|form| form.contains('$'));
            for (name, field) in fields {
                match name.as_str() {
                    "cost" | "max_cost" if field.is_number() => *field = Value::Null,
                    "most" if is_limit && field.is_number() => *field = Value::from(0),
                    "parameters" if says_money => {
                        for parameter in field.as_object_mut().into_iter().flat_map(Map::values_mut) {
                            if parameter.is_number() {
                                *parameter = Value::String(Redaction::Amounts.mark());
                            }
                        }
                    }
                    _ => each_cost(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(each_cost),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The number of distinct items of each kind in a run, so that a person can choose what to leave out.
pub(crate) fn counts(run: &Value) -> [usize; 5] {
    let events = run["events"].as_array().map_or(&[][..], Vec::as_slice);
    let prompts = events.iter().filter(|event| event["fact"]["effect"]["effect"] == "model").count();
    let pages: BTreeSet<String> =
        pages_of(&run["events"]).into_iter().filter(|page| page.len() > PAGE).collect();
    let mut found = [prompts, pages.len(), 0, 0, 0];
    let mut texts = BTreeSet::new();
    texts_in(run, &mut texts);
    for (kind, count) in Redaction::ALL.into_iter().zip(&mut found).skip(2) {
        let mut things = BTreeSet::new();
        for text in &texts {
            replaced(text, kind, &mut |thing| {
                things.insert(thing.to_owned());
                String::new()
            });
        }
        *count = things.len();
    }
    found[4] += events.iter().filter(|event| event["fact"]["summary"]["cost"].is_number()).count();
    found
}

/// Collects every distinct text in a value, with the names of its fields.
fn texts_in<'v>(value: &'v Value, texts: &mut BTreeSet<&'v str>) {
    match value {
        Value::String(text) => {
            texts.insert(text);
        }
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, texts)),
        Value::Object(fields) => {
            for (name, field) in fields {
                texts.insert(name);
                texts_in(field, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

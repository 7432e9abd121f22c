//! What is left out of a run before it is handed to somebody else.
//!
//! A text that is left out is replaced by a mark that names its kind; numbers, names of agents and of keys stay.

use kernel::{Form, KeyDeclaration, Role, form};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A kind of things in a run that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redaction {
    /// What models were asked: instructions and messages. What they answered stays.
    Prompts,
    /// What tools returned and what of it stands in the state. Prompts quote it and go with it.
    Pages,
    /// Names of files and folders.
    FileNames,
    /// Addresses of the web and of mail.
    Addresses,
    /// Sums of money, what calls cost among them.
    Amounts,
}

impl Redaction {
    /// Every kind, in the order in which they are offered.
    pub const ALL: [Redaction; 5] = [
        Redaction::Prompts,
        Redaction::Pages,
        Redaction::FileNames,
        Redaction::Addresses,
        Redaction::Amounts,
    ];

    /// The word by which it is asked for.
    pub fn word(self) -> &'static str {
        match self {
            Redaction::Prompts => "prompts",
            Redaction::Pages => "pages",
            Redaction::FileNames => "file-names",
            Redaction::Addresses => "addresses",
            Redaction::Amounts => "amounts",
        }
    }

    /// The kind of this word.
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
        }
    }

    fn mark(self) -> String {
        format!("[left out: {}]", self.word())
    }

    /// Whether a word, as it stands between blanks, is of this kind.
    fn is_word(self, word: &str) -> bool {
        let word =
            word.trim_matches(|c: char| "()[]<>\"'“”‘’,;:!?。，、）（「」".contains(c)).trim_end_matches('.');
        match self {
            Redaction::Prompts | Redaction::Pages => false,
            Redaction::FileNames => is_file_name(word),
            Redaction::Addresses => {
                word.contains("://")
                    || word.starts_with("www.")
                    || word.starts_with("mailto:")
                    || is_mail(word)
            }
            Redaction::Amounts => {
                word.contains(['$', '€', '£', '¥', '₩', '₹'])
                    || (word.contains(|c: char| c.is_ascii_digit()) && word.contains(['元', '円']))
            }
        }
    }
}

const ENDINGS: [&str; 17] = [
    ".csv", ".doc", ".docx", ".epub", ".htm", ".html", ".jpg", ".json", ".jsonl", ".md", ".odt", ".pdf",
    ".png", ".pptx", ".txt", ".xlsx", ".xml",
];

fn is_file_name(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_path = (word.starts_with('/') || word.starts_with("~/")) && word.len() > 2
        || word.starts_with("file://")
        || word.get(1..3) == Some(":\\");
    is_path
        || (!word.contains("://")
            && ENDINGS.iter().any(|ending| lower.len() > ending.len() && lower.ends_with(ending)))
}

fn is_mail(word: &str) -> bool {
    word.split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'))
}

/// Names of currencies: a figure before one of them is an amount.
const CURRENCIES: [&str; 12] =
    ["dollars", "dollar", "USD", "euros", "euro", "EUR", "pounds", "GBP", "yen", "JPY", "yuan", "CNY"];

/// A run as JSON (`start`, `events`, `state`) without what is to be left out. `keys` are those of its state.
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
    };
    for event in run["events"].as_array_mut().into_iter().flatten() {
        cleaner.fact(&mut event["fact"]);
    }
    cleaner.state(&mut run["start"]["inputs"]);
    cleaner.words(&mut run["start"]["definition"]["title"]);
    cleaner.state(&mut run["state"]);
    run
}

struct Cleaner<'a> {
    kinds: &'a [Redaction],
    /// What tools returned.
    pages: Vec<String>,
    /// Names of the keys that hold what was found.
    found: Vec<&'a str>,
}

impl Cleaner<'_> {
    fn has(&self, kind: Redaction) -> bool {
        self.kinds.contains(&kind)
    }

    fn fact(&self, fact: &mut Value) {
        let hidden = [Redaction::Prompts, Redaction::Pages].into_iter().find(|kind| self.has(*kind));
        if fact["effect"]["effect"] == "model" {
            let request = &mut fact["effect"]["request"];
            let messages = request["messages"].as_array_mut().into_iter().flatten();
            let mut texts: Vec<&mut Value> = messages.map(|message| &mut message["content"]).collect();
            for text in &mut texts {
                self.prompt(text, hidden);
            }
            self.prompt(&mut fact["effect"]["request"]["instruction"], hidden);
        }
        if self.has(Redaction::Amounts) {
            each_cost(fact);
        }
        // A model's answer is a text; a tool's is what it found.
        if self.has(Redaction::Pages) && fact["answer"]["result"].get("output").is_some() {
            self.found(&mut fact["answer"]["result"]["output"]);
        }
        for part in ["answer", "error", "retries", "note"] {
            if let Some(value) = fact.get_mut(part) {
                self.words(value);
            }
        }
        if let Some(set) = fact.get_mut("delta").and_then(|delta| delta.get_mut("set")) {
            self.state(set);
        }
        if let Some(input) = fact["effect"].get_mut("call").and_then(|call| call.get_mut("input")) {
            self.words(input);
        }
    }

    fn prompt(&self, value: &mut Value, hidden: Option<Redaction>) {
        match hidden {
            Some(kind) => each_text(value, &mut |text| *text = kind.mark()),
            None => self.words(value),
        }
    }

    /// Values by key.
    fn state(&self, values: &mut Value) {
        for (key, value) in values.as_object_mut().into_iter().flatten() {
            if self.has(Redaction::Pages) && self.found.contains(&key.as_str()) {
                self.found(value);
            }
            self.words(value);
        }
    }

    /// What was found, without its longer texts.
    fn found(&self, value: &mut Value) {
        each_text(value, &mut |text| {
            if text.len() >= PASSAGE && !text.contains("://") {
                *text = Redaction::Pages.mark();
            }
        });
    }

    fn words(&self, value: &mut Value) {
        each_text(value, &mut |text| {
            if self.pages.iter().any(|page| text.contains(page.as_str())) {
                *text = Redaction::Pages.mark();
            } else {
                *text = without_words(text, self.kinds);
            }
        });
    }
}

/// Texts of this many bytes that a tool returned are what it found, not a field of it.
const PAGE: usize = 160;
/// Longer texts among what was found are passages of it; shorter ones are titles and names.
const PASSAGE: usize = 120;

/// What tools returned, as it stands in other values too.
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
                    // What was chosen of it begins or ends as it does.
                    pages.extend(text.get(..text.floor_char_boundary(PAGE)).map(str::to_owned));
                }
            });
        }
    }
    pages
}

/// Visits every text in a value, not the names of its fields.
fn each_text(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, visit)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Takes away what calls cost; a call whose price is not known is written so too.
fn each_cost(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if name == "cost" && field.is_number() {
                    *field = Value::Null;
                } else {
                    each_cost(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(each_cost),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text with a mark in place of each word of these kinds; its blanks stay.
fn without_words(text: &str, kinds: &[Redaction]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let blank = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        kept.push_str(&rest[..blank]);
        rest = &rest[blank..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        let next = rest.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ',', ';', ')']);
        let is_amount = kinds.contains(&Redaction::Amounts)
            && word.starts_with(|c: char| c.is_ascii_digit())
            && CURRENCIES.contains(&next);
        match kinds.iter().find(|kind| kind.is_word(word)) {
            Some(kind) => kept.push_str(&kind.mark()),
            None if is_amount => kept.push_str(&Redaction::Amounts.mark()),
            None => kept.push_str(word),
        }
    }
    kept
}

/// How many texts of each kind a run holds, so that a person can choose what to leave out.
pub(crate) fn counts(run: &Value) -> [usize; 5] {
    let events = run["events"].as_array().map_or(&[][..], Vec::as_slice);
    let prompts = events.iter().filter(|event| event["fact"]["effect"]["effect"] == "model").count();
    let pages = pages_of(&run["events"]).len() / 2;
    let mut found = [prompts, pages, 0, 0, 0];
    let mut all = run["state"].clone();
    each_text(&mut all, &mut |text| {
        for word in text.split_whitespace() {
            for (place, kind) in Redaction::ALL.iter().enumerate().skip(2) {
                found[place] += usize::from(kind.is_word(word));
            }
        }
    });
    found
}

//! The web addresses that a run knows from the person, a search, or a page that it read.
//!
//! Any other address may have been made up by a web page to leak what the run knows.

use std::collections::{HashMap, HashSet};

use kernel::{Answer, Effect, Event, Fact, Hash, Path, Seq, USER, Value};

/// The addresses that a run was given.
#[derive(Debug, Default)]
pub(crate) struct NamedAddresses {
    /// Addresses by hash, since they may be long and many.
    named: HashSet<Hash>,
    /// Calls whose answers come from the web, by path and ordinal, with the addresses in their inputs: an answer that
    /// only repeats these does not name them.
    web_calls: HashMap<(Path, u32), HashSet<Hash>>,
    /// Questions to the person.
    questions: HashSet<(Path, u32)>,
    /// Whether the run has read a web page.
    has_read: bool,
    /// The keys that the run began with as an earlier run left them.
    taken_over: Vec<String>,
}

/// The number of the event that holds the inputs of a run.
const BEGINNING: Seq = 2;

impl NamedAddresses {
    /// For a run that began with these keys of an earlier run, which may contain texts of the web.
    pub(crate) fn beginning_with(taken_over: &[String]) -> NamedAddresses {
        NamedAddresses {
            has_read: !taken_over.is_empty(),
            taken_over: taken_over.to_vec(),
            ..NamedAddresses::default()
        }
    }

    /// Whether a request to an address needs no question.
    pub(crate) fn allow(&self, address: &str) -> bool {
        !self.has_read || self.named.contains(&key(address))
    }

    /// Adds the addresses that an event of the person, or of a tool that reads the web, names. Texts of a model, and
    /// files that it wrote, do not count.
    pub(crate) fn apply(&mut self, event: &Event) {
        match &event.fact {
            Fact::StateChanged { delta } if event.author == USER => {
                for (key, value) in &delta.set {
                    if event.seq != BEGINNING || !self.taken_over.contains(key) {
                        self.take(value);
                    }
                }
            }
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } if call.is_of_web => {
                self.web_calls.insert((event.path.clone(), event.n), keys(&call.input));
            }
            Fact::EffectAsked { effect: Effect::Question { .. }, .. } => {
                self.questions.insert((event.path.clone(), event.n));
            }
            Fact::EffectAnswered { asked, answer: Answer::Done { result }, .. } => {
                let place = (event.path.clone(), *asked);
                if self.questions.remove(&place) {
                    self.take(result);
                }
                if let Some(own) = self.web_calls.remove(&place) {
                    self.has_read = true;
                    self.named.extend(keys(result).difference(&own).cloned());
                }
            }
            _ => {}
        }
    }

    fn take(&mut self, value: &Value) {
        self.named.extend(keys(value));
    }
}

/// The addresses in every text of a value.
fn keys(value: &Value) -> HashSet<Hash> {
    fn collect(json: &serde_json::Value, into: &mut HashSet<Hash>) {
        match json {
            serde_json::Value::String(text) => into.extend(addresses(text).map(key)),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
            serde_json::Value::Object(fields) => fields.values().for_each(|field| collect(field, into)),
            _ => {}
        }
    }
    let mut keys = HashSet::new();
    collect(value.json_or_null(), &mut keys);
    keys
}

/// The hash of an address without its fragment, which servers do not see.
fn key(address: &str) -> Hash {
    let shown = address.split('#').next().unwrap_or(address);
    Hash::of(shown.trim_end_matches('/').as_bytes())
}

/// The web addresses in a text.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let begins = text.match_indices("http").map(|(at, _)| &text[at..]);
    let webs = begins.filter(|rest| rest.starts_with("http://") || rest.starts_with("https://"));
    webs.map(|rest| {
        let is_end = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '"' | '<'
                        | '>'
                        | ')'
                        | ']'
                        | '|'
                        | '`'
                        | '，'
                        | '。'
                        | '、'
                        | '；'
                        | '：'
                        | '！'
                        | '？'
                        | '）'
                        | '」'
                        | '』'
                        | '】'
                        | '》'
                        | '“'
                        | '”'
                )
        };
        let end = rest.find(is_end).unwrap_or(rest.len());
        rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\''])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_where_a_person_would_end_them() {
        let text = "See https://example.org/a?b=c#d, (http://example.org/) and <https://example.org/e>. 读https://example.org/f，然后";
        let found: Vec<&str> = addresses(text).collect();
        assert_eq!(
            found,
            [
                "https://example.org/a?b=c#d",
                "http://example.org/",
                "https://example.org/e",
                "https://example.org/f"
            ]
        );
        assert_eq!(key("https://example.org/a#x"), key("https://example.org/a/"));
    }
}

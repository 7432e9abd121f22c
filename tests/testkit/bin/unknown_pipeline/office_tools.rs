//! Three tools of an office, for pipelines of tests: one that looks, one that acts at a host, one that acts once. They tell
//! what they were called with.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Tool, ToolContext, ToolExample, ToolOutput, Typed, TypedTool, refused_host};
use kernel::{EffectClass, Error, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Is told of every call: the tool and its input in words.
pub(crate) type Calls = Arc<dyn Fn(String) + Send + Sync>;

/// The tools of an office, which note their calls.
pub(crate) fn office_tools(calls: &Calls) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Typed(LookUp(calls.clone()))),
        Arc::new(Typed(PostNote(calls.clone()))),
        Arc::new(Typed(PrintLabel(calls.clone()))),
    ]
}

/// What an office tool tells.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Told {
    /// In words.
    told: String,
}

fn told(text: String) -> ToolOutput<Told> {
    ToolOutput::new(Told { told: text.clone() }, Phrase::verbatim(text))
}

/// Looks a name up in the register.
pub(crate) struct LookUp(Calls);

/// A name to look up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    /// The name.
    name: String,
    /// How many lines are wanted.
    #[serde(default)]
    lines: Option<u8>,
}

#[async_trait]
impl TypedTool for LookUp {
    type Input = Name;
    type Output = Told;
    const NAME: &'static str = "look_up";
    const DESCRIPTION: &'static str = "Looks a name up in the register.";

    fn access(&self, _: &Name) -> Access {
        Access::looks()
    }

    fn title(&self, input: &Name) -> Phrase {
        Phrase::verbatim(format!("looked {} up", input.name))
    }

    fn examples(&self) -> Vec<ToolExample> {
        let input = json!({"name": "Ada"});
        vec![ToolExample { title: "a name", input, output_contains: "Ada lives at 3 Quay Road" }]
    }

    async fn call(&self, input: Name, _: &ToolContext) -> Result<ToolOutput<Told>, Error> {
        (self.0)(format!("look_up {}", input.name));
        let lines = usize::from(input.lines.unwrap_or(1));
        Ok(told(vec![format!("{} lives at 3 Quay Road", input.name); lines].join("\n")))
    }
}

/// Posts a note at a host.
pub(crate) struct PostNote(Calls);

/// A note to post.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    /// The host that takes it.
    host: String,
    /// What is posted.
    text: String,
    /// The host to which the first one sends on.
    #[serde(default)]
    sent_on_to: Option<String>,
    /// For how many milliseconds it takes.
    #[serde(default)]
    takes_ms: Option<u64>,
}

#[async_trait]
impl TypedTool for PostNote {
    type Input = Note;
    type Output = Told;
    const NAME: &'static str = "post_note";
    const DESCRIPTION: &'static str = "Posts a note at a host.";

    fn access(&self, input: &Note) -> Access {
        Access::acts(EffectClass::Repeatable, Some(input.host.clone()))
    }

    fn title(&self, input: &Note) -> Phrase {
        Phrase::verbatim(format!("posted a note at {}", input.host))
    }

    fn intent(&self, input: &Note) -> Phrase {
        Phrase::verbatim(format!("Posts “{}” at {}", input.text, input.host))
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(700)
    }

    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(&self, input: Note, context: &ToolContext) -> Result<ToolOutput<Told>, Error> {
        let host = input.sent_on_to.as_deref().unwrap_or(&input.host);
        if !context.hosts.allow(host) {
            return Err(refused_host(Self::NAME, host));
        }
        (self.0)(format!("post_note {host} {}", input.text));
        tokio::time::sleep(Duration::from_millis(input.takes_ms.unwrap_or(0))).await;
        Ok(told(format!("posted at {host}: {}", input.text)))
    }
}

/// Prints a label, which costs paper.
pub(crate) struct PrintLabel(Calls);

/// A label to print.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    /// What stands on it.
    text: String,
    /// For how many milliseconds it takes.
    #[serde(default)]
    takes_ms: Option<u64>,
}

#[async_trait]
impl TypedTool for PrintLabel {
    type Input = Label;
    type Output = Told;
    const NAME: &'static str = "print_label";
    const DESCRIPTION: &'static str = "Prints a label.";

    fn access(&self, _: &Label) -> Access {
        Access::acts(EffectClass::Once, None)
    }

    fn title(&self, input: &Label) -> Phrase {
        Phrase::verbatim(format!("printed “{}”", input.text))
    }

    fn intent(&self, input: &Label) -> Phrase {
        Phrase::verbatim(format!("Prints a label that says “{}”", input.text))
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(700)
    }

    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(&self, input: Label, _: &ToolContext) -> Result<ToolOutput<Told>, Error> {
        (self.0)(format!("print_label {}", input.text));
        tokio::time::sleep(Duration::from_millis(input.takes_ms.unwrap_or(0))).await;
        Ok(told(format!("printed {}", input.text)))
    }
}

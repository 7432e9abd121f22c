//! What a tool is to the engine: described, bounded, and called with JSON; and the typed form in which tools are written.
//!
//! Not here: who may call it (`permission`), how a call is journalled (`tool_call`), any tool.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kernel::{
    Code, CredentialRoute, EffectClass, Error, Hash, Json, Phrase, Rule, RunFile, ToolFailure, ToolResult,
    phrase,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::stream::Meter;

/// How long a call may take, where its tool does not say.
pub const TOOL_TIMEOUT: Duration = Duration::from_secs(60);

/// What a tool says of itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDescription {
    /// Its name, letters and underscores; of a foreign tool with its server before it: `files/read_file`.
    pub name: String,
    /// What it does, for people and models.
    pub description: String,
    /// JSON Schema of its input: an object without other properties.
    pub input: Json,
    /// JSON Schema of its output.
    pub output: Json,
}

impl ToolDescription {
    /// Whether a tool of this name is a server's rather than the program's.
    pub fn is_foreign(name: &str) -> bool {
        name.split_once('/').is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
    }

    /// What changes when the tool is another one: a hash of what it says of itself.
    pub fn version(&self) -> Hash {
        Hash::of(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}

/// One example of a tool: documentation and test.
#[derive(Debug, Clone)]
pub struct ToolExample {
    /// What it shows.
    pub title: &'static str,
    /// The input.
    pub input: Value,
    /// What must be found in the output's JSON text.
    pub output_contains: &'static str,
}

/// What one call does to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// How it may be repeated.
    pub class: EffectClass,
    /// The host or folder that it is about, in small letters.
    pub place: Option<String>,
    /// Whether somebody is asked before it, where no rule decides.
    pub asks: Asks,
    /// Whether it gives what somebody on the web wrote: that may name addresses, and may want to deceive.
    pub is_of_web: bool,
    /// Whether it gives what this machine keeps for its owner: it is not given to other machines without being allowed.
    pub is_own: bool,
}

/// Whether somebody is asked before a call, where no rule decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// It only looks, or stays in the run's own folder.
    No,
    /// It acts.
    Yes,
    /// It looks at an address. Once the run has read a text of the web, that text may have made the address up to carry away
    /// what the run knows: then somebody is asked, unless the person or a page named the address.
    UnlessNamed(String),
}

impl Access {
    /// A call that only looks.
    pub fn looks() -> Access {
        Access { class: EffectClass::Pure, place: None, asks: Asks::No, is_of_web: false, is_own: false }
    }

    /// A call that only looks, at what somebody on the web wrote.
    pub fn looks_at_web() -> Access {
        Access { is_of_web: true, ..Access::looks() }
    }

    /// A call that only looks, at what this machine keeps for its owner.
    pub fn looks_at_own() -> Access {
        Access { is_own: true, ..Access::looks_at_web() }
    }

    /// A call that acts in the run's own folder.
    pub fn own_folder(class: EffectClass) -> Access {
        Access { class, ..Access::looks() }
    }

    /// A call that acts.
    pub fn acts(class: EffectClass, place: Option<String>) -> Access {
        Access { class, is_of_web: place.is_some(), place, asks: Asks::Yes, is_own: false }
    }
}

/// A tool. Written as a [`TypedTool`] where its input is known when the program is built.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// What it is.
    fn describe(&self) -> ToolDescription;
    /// The kinds of slot that it fits.
    fn slots(&self) -> Vec<String> {
        Vec::new()
    }
    /// What a call with this input does. The input fits the schema.
    fn access(&self, input: &Value) -> Access;
    /// A title of one call for the journal: “searched the library for …”.
    fn title(&self, input: &Value) -> Phrase;
    /// What a call will do, in one plain sentence for whoever is asked to allow it.
    fn intent(&self, input: &Value) -> Phrase {
        self.title(input)
    }
    /// How long a call may take.
    fn timeout(&self) -> Duration {
        TOOL_TIMEOUT
    }
    /// Whether it works in the folder of the run.
    fn uses_folder(&self) -> bool {
        false
    }
    /// Examples, run as tests.
    fn examples(&self) -> Vec<ToolExample>;
    /// Whose key a call would use now: of this profile, else as the person set it. Nothing where no key is used.
    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let _ = profile;
        None
    }
    /// Does it, once: the engine retries what may be repeated. Dropping the future stops it; long blocking work watches
    /// `context.cancel`.
    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error>;
}

/// What a tool is given beside its input.
#[derive(Clone, Default)]
pub struct ToolContext {
    /// Ends when the run is stopped.
    pub cancel: CancellationToken,
    /// Takes what a model that the tool asks uses, also when nothing comes of it.
    pub meter: Meter,
    /// The profile whose key it uses, where that is not as the person set it: who stands in for one that failed.
    pub profile: Option<String>,
    /// Only to see whether it works: nothing is done that is not needed for that.
    pub is_trial: bool,
    /// The run's own folder, of a tool that uses it.
    pub folder: Option<RunFolder>,
    /// Which hosts it may reach; every one outside a run.
    pub hosts: Hosts,
    /// What the tool asked when the same call was made before, with the answers.
    pub given: Option<kernel::GivenInput>,
}

/// The folder of a run, which nothing below it leads out of, and where the content of its files is kept.
#[derive(Clone)]
pub struct RunFolder {
    /// The folder.
    pub dir: Arc<cap_std::fs::Dir>,
    /// Keeps content by its hash.
    pub contents: Arc<dyn FileContents>,
}

/// Keeps the content of files by its hash.
pub trait FileContents: Send + Sync + 'static {
    /// Keeps these bytes. Blocks.
    ///
    /// # Errors
    /// They cannot be written.
    fn keep(&self, content: &[u8]) -> Result<Hash, Error>;
    /// The bytes of this hash. Blocks.
    ///
    /// # Errors
    /// `not_found` where they are not kept; else when they cannot be read.
    fn content(&self, hash: &Hash) -> Result<Vec<u8>, Error>;
}

/// Which hosts a call may reach: where it is sent on to another one, that must be allowed, too.
#[derive(Clone, Default)]
pub struct Hosts(Option<Arc<IsAllowed>>);

type IsAllowed = dyn Fn(&str) -> bool + Send + Sync;

impl Hosts {
    /// Those for which this is true.
    pub fn only(is_allowed: impl Fn(&str) -> bool + Send + Sync + 'static) -> Hosts {
        Hosts(Some(Arc::new(is_allowed)))
    }

    /// Whether a host may be reached.
    pub fn allow(&self, host: &str) -> bool {
        self.0.as_ref().is_none_or(|is_allowed| is_allowed(&Rule::place(host)))
    }
}

/// What a typed tool gives.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput<T> {
    /// The output.
    pub output: T,
    /// One sentence for the journal: “5 articles found”.
    pub summary: Phrase,
    /// The files of the run that it changed.
    pub files: Vec<RunFile>,
}

impl<T> ToolOutput<T> {
    /// An output without files.
    pub fn new(output: T, summary: Phrase) -> ToolOutput<T> {
        ToolOutput { output, summary, files: Vec::new() }
    }
}

/// A tool whose input and output are types: schemas are derived from these, so that they cannot differ. The input is a
/// struct without other fields (`#[serde(deny_unknown_fields)]`): what models take as the input of a tool is one flat object.
#[async_trait]
pub trait TypedTool: Send + Sync + 'static {
    /// Its input.
    type Input: DeserializeOwned + JsonSchema + Send + Sync;
    /// Its output.
    type Output: Serialize + JsonSchema + Send;
    /// Its name, letters and underscores.
    const NAME: &'static str;
    /// What it does, for people and models.
    const DESCRIPTION: &'static str;
    /// The kinds of slot that it fits.
    const SLOTS: &'static [&'static str] = &[];
    /// Whether it works in the folder of the run.
    const USES_FOLDER: bool = false;
    /// What a call does to the world.
    fn access(&self, input: &Self::Input) -> Access;
    /// A title of one call for the journal.
    fn title(&self, input: &Self::Input) -> Phrase;
    /// What a call will do, in one plain sentence for whoever is asked to allow it.
    fn intent(&self, input: &Self::Input) -> Phrase {
        self.title(input)
    }
    /// How long a call may take.
    fn timeout(&self) -> Duration {
        TOOL_TIMEOUT
    }
    /// Examples, run as tests.
    fn examples(&self) -> Vec<ToolExample>;
    /// Whose key a call would use now, as [`Tool::credential_route`] says it.
    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let _ = profile;
        None
    }
    /// Does it, once.
    async fn call(
        &self,
        input: Self::Input,
        context: &ToolContext,
    ) -> Result<ToolOutput<Self::Output>, Error>;
}

/// A typed tool as the engine calls it.
pub struct Typed<T>(pub T);

impl<T: TypedTool> Typed<T> {
    fn read(input: &Value) -> Result<T::Input, Error> {
        serde_path_to_error::deserialize(input).map_err(|error| {
            let place = match error.path().to_string().as_str() {
                "." => String::new(),
                path => format!("/{}", path.replace(['.', '['], "/").replace(']', "")),
            };
            bad_input(T::NAME, &place, &error.inner().to_string())
        })
    }

    fn with_input<R>(input: &Value, use_it: impl FnOnce(T::Input) -> R, otherwise: impl FnOnce() -> R) -> R {
        match Self::read(input) {
            Ok(input) => use_it(input),
            Err(_) => otherwise(),
        }
    }
}

#[async_trait]
impl<T: TypedTool> Tool for Typed<T> {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: T::NAME.to_owned(),
            description: T::DESCRIPTION.to_owned(),
            input: schema_of::<T::Input>(),
            output: schema_of::<T::Output>(),
        }
    }

    fn slots(&self) -> Vec<String> {
        T::SLOTS.iter().map(|slot| (*slot).to_owned()).collect()
    }

    fn access(&self, input: &Value) -> Access {
        // What cannot be read is refused before it is called; nothing less careful stands in for it.
        Self::with_input(input, |input| self.0.access(&input), || Access::acts(EffectClass::Once, None))
    }

    fn title(&self, input: &Value) -> Phrase {
        Self::with_input(input, |input| self.0.title(&input), || phrase!("called {tool}", tool = T::NAME))
    }

    fn intent(&self, input: &Value) -> Phrase {
        Self::with_input(input, |input| self.0.intent(&input), || phrase!("Calls {tool}", tool = T::NAME))
    }

    fn timeout(&self) -> Duration {
        self.0.timeout()
    }

    fn uses_folder(&self) -> bool {
        T::USES_FOLDER
    }

    fn examples(&self) -> Vec<ToolExample> {
        self.0.examples()
    }

    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        self.0.credential_route(profile)
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error> {
        let ToolOutput { output, summary, files } = self.0.call(Self::read(input)?, context).await?;
        let output = serde_json::to_value(output).map_err(|error| {
            let message = phrase!("`{tool}` gave no JSON: {why}", tool = T::NAME, why = error.to_string());
            failure(Code::ToolFailed, ToolFailure::Failed, message)
        })?;
        Ok(ToolResult { output: Json(output), summary, files })
    }
}

/// The schema of a type as servers of models take it: without the words that only tell about the schema itself.
fn schema_of<T: JsonSchema>() -> Json {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    strip(&mut schema);
    Json(schema)
}

fn strip(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for word in ["$schema", "title", "format"] {
                // A property may have such a name; its schema is no text.
                if fields.get(word).is_some_and(Value::is_string) {
                    fields.remove(word);
                }
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// That the input of a tool does not fit, and where.
pub fn bad_input(tool: &str, place: &str, why: &str) -> Error {
    let message = match place {
        "" => phrase!("The input of `{tool}` does not fit: {why}", tool, why),
        place => phrase!("The input of `{tool}` does not fit at `{place}`: {why}", tool, place, why),
    };
    failure(Code::BadInput, ToolFailure::BadInput { place: place.to_owned() }, message)
}

/// The failure of a call.
pub(crate) fn failure(code: Code, kind: ToolFailure, message: Phrase) -> Error {
    Error { tool_failure: Some(Box::new(kind)), ..Error::new(code, message) }
}

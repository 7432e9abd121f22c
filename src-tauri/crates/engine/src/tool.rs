//! The interface of a tool: a description, limits and a call with JSON; and the typed form in which tools are written.
//!
//! Not here: permissions (`permission`), how a call is journalled (`tool_call`), any tool.

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

/// The timeout of a call, where its tool sets none.
pub const TOOL_TIMEOUT: Duration = Duration::from_secs(60);

/// The description of a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDescription {
    /// Its name, letters and underscores; for a foreign tool with the name of its server: `files/read_file`.
    pub name: String,
    /// What it does, for people and models.
    pub description: String,
    /// JSON Schema of its input: an object without other properties.
    pub input: Json,
    /// JSON Schema of its output.
    pub output: Json,
}

impl ToolDescription {
    /// Whether the name is that of a server's tool.
    pub fn is_foreign(name: &str) -> bool {
        name.split_once('/').is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty())
    }

    /// A hash of the description, which changes whenever the tool changes.
    pub fn version(&self) -> Hash {
        Hash::of(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}

/// An example of a tool, which serves as documentation and test.
#[derive(Debug, Clone)]
pub struct ToolExample {
    /// What it shows.
    pub title: &'static str,
    /// The input.
    pub input: Value,
    /// A text that the output's JSON must contain.
    pub output_contains: &'static str,
}

/// The access of one call to the outside world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Whether the call may be repeated.
    pub class: EffectClass,
    /// The host or folder of the call, in lower case.
    pub place: Option<String>,
    /// Whether the person is asked before the call, where no rule decides.
    pub asks: Asks,
    /// Whether the output comes from the web: it may name addresses, and may try to deceive.
    pub is_of_web: bool,
    /// Whether the output contains data that this machine keeps for its owner: other machines need permission to get
    /// it.
    pub is_own: bool,
}

/// Whether the person is asked before a call, where no rule decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// The call only reads, or stays in the run's own folder.
    No,
    /// The call acts.
    Yes,
    /// The call reads an address. After the run has read a web page, that page may have made the address up to leak
    /// what the run knows: then the person is asked, unless they or a page named the address.
    UnlessNamed(String),
}

impl Access {
    /// A call that only reads.
    pub fn looks() -> Access {
        Access { class: EffectClass::Pure, place: None, asks: Asks::No, is_of_web: false, is_own: false }
    }

    /// A call that only reads the web.
    pub fn looks_at_web() -> Access {
        Access { is_of_web: true, ..Access::looks() }
    }

    /// A call that only reads data that this machine keeps for its owner.
    pub fn looks_at_own() -> Access {
        Access { is_own: true, ..Access::looks_at_web() }
    }

    /// A call that writes in the run's own folder.
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
    /// The description of the tool.
    fn describe(&self) -> ToolDescription;
    /// The kinds of slot that the tool fits.
    fn slots(&self) -> Vec<String> {
        Vec::new()
    }
    /// The access of a call with this input, which fits the schema.
    fn access(&self, input: &Value) -> Access;
    /// A title of one call for the journal: “searched the library for …”.
    fn title(&self, input: &Value) -> Phrase;
    /// The effect of a call in one plain sentence, for the person who is asked to allow it.
    fn intent(&self, input: &Value) -> Phrase {
        self.title(input)
    }
    /// The timeout of a call.
    fn timeout(&self) -> Duration {
        TOOL_TIMEOUT
    }
    /// Whether the tool uses the folder of the run.
    fn uses_folder(&self) -> bool {
        false
    }
    /// Examples, run as tests.
    fn examples(&self) -> Vec<ToolExample>;
    /// The route to the key that a call would use: of this profile, or else of the settings. `None` where no key is
    /// used.
    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let _ = profile;
        None
    }
    /// Makes the call once; the engine retries repeatable calls. Dropping the future stops it; long blocking work
    /// checks `context.cancel`.
    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error>;
}

/// The context of a tool call.
#[derive(Clone, Default)]
pub struct ToolContext {
    /// Cancelled when the run is stopped.
    pub cancel: CancellationToken,
    /// Counts the usage of models that the tool asks, even if the call fails.
    pub meter: Meter,
    /// The profile whose key is used, where a fallback replaces the one of the settings.
    pub profile: Option<String>,
    /// A trial whether the tool works: it does only what that needs.
    pub is_trial: bool,
    /// The run's folder, for a tool that uses it.
    pub folder: Option<RunFolder>,
    /// The hosts that the call may reach; all of them outside a run.
    pub hosts: Hosts,
    /// The questions of the tool in an earlier attempt of this call, with their answers.
    pub given: Option<kernel::GivenInput>,
}

/// The folder of a run, which the tool cannot leave, and the store for the content of its files.
#[derive(Clone)]
pub struct RunFolder {
    /// The folder.
    pub dir: Arc<cap_std::fs::Dir>,
    /// Keeps content by its hash.
    pub contents: Arc<dyn FileContents>,
}

/// Stores the content of files by its hash.
pub trait FileContents: Send + Sync + 'static {
    /// Stores these bytes. Blocks.
    ///
    /// # Errors
    /// They cannot be written.
    fn keep(&self, content: &[u8]) -> Result<Hash, Error>;
    /// The bytes of this hash. Blocks.
    ///
    /// # Errors
    /// `not_found` where no content with this hash is stored; another error when it cannot be read.
    fn content(&self, hash: &Hash) -> Result<Vec<u8>, Error>;
}

/// The hosts that a call may reach, also after a redirect.
#[derive(Clone, Default)]
pub struct Hosts(Option<Arc<IsAllowed>>);

type IsAllowed = dyn Fn(&str) -> bool + Send + Sync;

impl Hosts {
    /// The hosts for which `is_allowed` returns true.
    pub fn only(is_allowed: impl Fn(&str) -> bool + Send + Sync + 'static) -> Hosts {
        Hosts(Some(Arc::new(is_allowed)))
    }

    /// Whether a host may be reached.
    pub fn allow(&self, host: &str) -> bool {
        self.0.as_ref().is_none_or(|is_allowed| is_allowed(&Rule::place(host)))
    }
}

/// The result of a typed tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput<T> {
    /// The output.
    pub output: T,
    /// One sentence for the journal: “5 articles found”.
    pub summary: Phrase,
    /// The files of the run that the call changed.
    pub files: Vec<RunFile>,
}

impl<T> ToolOutput<T> {
    /// Makes an output without files.
    pub fn new(output: T, summary: Phrase) -> ToolOutput<T> {
        ToolOutput { output, summary, files: Vec::new() }
    }
}

/// A tool whose input and output are types, from which its schemas are derived, so that they cannot differ. The input
/// is a struct without further fields (`#[serde(deny_unknown_fields)]`), because models expect one flat object as the
/// input of a tool.
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
    /// The kinds of slot that the tool fits.
    const SLOTS: &'static [&'static str] = &[];
    /// Whether the tool uses the folder of the run.
    const USES_FOLDER: bool = false;
    /// The access of a call to the outside world.
    fn access(&self, input: &Self::Input) -> Access;
    /// A title of one call for the journal.
    fn title(&self, input: &Self::Input) -> Phrase;
    /// The effect of a call in one plain sentence, for the person who is asked to allow it.
    fn intent(&self, input: &Self::Input) -> Phrase {
        self.title(input)
    }
    /// The timeout of a call.
    fn timeout(&self) -> Duration {
        TOOL_TIMEOUT
    }
    /// Examples, run as tests.
    fn examples(&self) -> Vec<ToolExample>;
    /// The route to the key that a call would use, as in [`Tool::credential_route`].
    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let _ = profile;
        None
    }
    /// Makes the call once.
    async fn call(
        &self,
        input: Self::Input,
        context: &ToolContext,
    ) -> Result<ToolOutput<Self::Output>, Error>;
}

/// Adapts a typed tool to [`Tool`].
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
        // An unreadable input is refused before the call, so this assumes the strictest access.
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

/// The schema of a type as model servers accept it, without the keywords that describe the schema itself.
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
                // A property may have such a name; its schema is an object.
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

/// The error of an input that does not fit the schema, with the place.
pub fn bad_input(tool: &str, place: &str, why: &str) -> Error {
    let message = match place {
        "" => phrase!("The input of `{tool}` does not fit: {why}", tool, why),
        place => phrase!("The input of `{tool}` does not fit at `{place}`: {why}", tool, place, why),
    };
    failure(Code::BadInput, ToolFailure::BadInput { place: place.to_owned() }, message)
}

/// The error of a failed call.
pub(crate) fn failure(code: Code, kind: ToolFailure, message: Phrase) -> Error {
    Error { tool_failure: Some(Box::new(kind)), ..Error::new(code, message) }
}

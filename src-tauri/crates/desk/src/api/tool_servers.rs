//! Tool servers in the API.

use std::collections::BTreeMap;
use std::fmt;

use kernel::Phrase;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where the value of a variable or header of a tool server comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum GivenValue {
    /// It stands in the settings.
    Text {
        /// The value.
        text: String,
    },
    /// An environment variable of the program has it.
    Variable {
        /// The variable.
        variable: String,
    },
    /// The keyring has it.
    Keyring,
}

/// A tool server as the person set it up: a program, or an address.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolServerSetup {
    /// Its name: small letters, digits, `-` and `_`.
    pub name: String,
    /// The program; empty where it has an address.
    #[serde(default)]
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The folder it is started in; empty for that of the program.
    #[serde(default)]
    pub folder: String,
    /// The address; empty where it is a program.
    #[serde(default)]
    pub url: String,
    /// Variables of its environment; of an address, headers.
    #[serde(default)]
    pub given: BTreeMap<String, GivenValue>,
    /// The tools that are offered; all of them where none are named.
    #[serde(default)]
    pub tools: Vec<String>,
    /// How long one call may take, in seconds; as usual where not given.
    #[serde(default)]
    pub timeout_s: Option<u32>,
    /// Whether it is switched off.
    #[serde(default)]
    pub is_off: bool,
}

/// Every tool server.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ToolServerCards {
    /// By name.
    pub servers: Vec<ToolServerCard>,
    /// The tools that are added to pipelines, by the ids of these: `SERVER/TOOL`, or `SERVER/*` for all of a server.
    pub pipelines: BTreeMap<String, Vec<String>>,
    /// What the person should know of the change that was made: a sign-in that was not revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remark: Option<Phrase>,
}

/// A server whose resources and prompts are listed.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerTexts {
    /// What it has to read.
    pub resources: Vec<ServerResourceCard>,
    /// What it fills in.
    pub prompts: Vec<ServerPromptCard>,
}

/// A resource of a tool server.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerResourceCard {
    /// Its address at the server.
    pub uri: String,
    /// Its title, in the server's words.
    pub title: String,
    /// What it is, in the server's words; may be empty.
    pub description: String,
}

/// A prompt of a tool server.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerPromptCard {
    /// Its name at the server.
    pub name: String,
    /// Its title, in the server's words.
    pub title: String,
    /// What it is for, in the server's words; may be empty.
    pub description: String,
    /// What it is filled in with.
    pub arguments: Vec<ServerPromptArgument>,
}

/// What a prompt is filled in with.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerPromptArgument {
    /// Its name.
    pub name: String,
    /// What the server says of it; may be empty.
    pub description: String,
    /// Whether it is needed.
    pub is_required: bool,
}

/// A resource or a prompt of a tool server to be read.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReadServerText {
    /// The server.
    pub server: String,
    /// What is read.
    #[serde(flatten)]
    pub what: ServerText,
}

/// What of a tool server is read.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ServerText {
    /// A resource.
    Resource {
        /// Its address.
        uri: String,
    },
    /// A prompt.
    Prompt {
        /// Its name.
        prompt: String,
        /// What it is filled in with.
        #[serde(default)]
        arguments: BTreeMap<String, String>,
    },
}

/// Tools of servers to be added to a pipeline, in place of those that were.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct AddTools {
    /// The pipeline's id.
    pub pipeline: String,
    /// `SERVER/TOOL`, or `SERVER/*` for all of a server.
    #[serde(default)]
    pub tools: Vec<String>,
}

/// A tool server, and what it listed last.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ToolServerCard {
    /// How it is set up.
    pub setup: ToolServerSetup,
    /// The tools that it listed last; empty before its first start.
    pub listed: Vec<ForeignToolCard>,
    /// The sign-in at it, where somebody is signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<SignedInCard>,
}

/// A sign-in at a tool server.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SignedInCard {
    /// What the server may be asked for, in the words of the server.
    pub scopes: Vec<String>,
    /// When its token ends, in milliseconds since 1970 UTC, where the server says so. It is renewed before, where the server
    /// allows that.
    #[ts(type = "number | null")]
    pub until_ms: Option<u64>,
}

/// A sign-in that is to begin.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct SignInToolServer {
    /// The name of the server.
    pub name: String,
    /// What is asked for, beside what the server names, what was granted before, and what the server wanted since.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// Whether `scopes` are asked for without any other.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub is_exact: bool,
    /// The client ID that the person got from the authorization server; as before where not given. Without one Galley
    /// registers itself.
    #[serde(default)]
    pub client: Option<String>,
}

/// A sign-in that waits for the person.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ToolServerSignIn {
    /// The address to open in a browser: https, or on this machine.
    pub address: String,
}

/// A tool that a server listed.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ForeignToolCard {
    /// Its name at the server.
    pub name: String,
    /// What the server says of it.
    pub description: String,
    /// About so many tokens it takes in each request to a model.
    pub tokens: u32,
}

/// A tool server to be kept.
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct SaveToolServer {
    /// How it is set up.
    pub setup: ToolServerSetup,
    /// The name of the one that it takes the place of; a new one when not given.
    #[serde(default)]
    pub replaces: Option<String>,
    /// Values for the keyring, by variable or header. They go in and never come back.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Whether these values are kept in memory only, until the program ends.
    #[serde(default)]
    pub for_session: bool,
}

impl fmt::Debug for SaveToolServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SaveToolServer").field("setup", &self.setup).finish_non_exhaustive()
    }
}

/// What a test of a tool server found.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ToolServerTest {
    /// What it calls itself, with its version.
    pub title: String,
    /// Whether it speaks the protocol as of 2026-07-28.
    pub is_new_protocol: bool,
    /// Its tools.
    pub tools: Vec<ForeignToolCard>,
    /// The tools that cannot be offered, and why.
    pub refused: Vec<RefusedTool>,
    /// The end of what it said on standard error.
    pub standard_error: String,
}

/// A tool that cannot be offered.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RefusedTool {
    /// Its name, as far as it can be shown.
    pub name: String,
    /// Why.
    pub why: Phrase,
}

/// Servers from a file of another program.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportToolServers {
    /// The text of the file, with `mcpServers` or `servers` in it.
    pub text: String,
    /// Whether values are kept in memory only, until the program ends.
    #[serde(default)]
    pub for_session: bool,
}

/// What came of such a file.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportedToolServers {
    /// Those that were added.
    pub added: Vec<String>,
    /// Those that were not, and why.
    pub refused: Vec<RefusedTool>,
}

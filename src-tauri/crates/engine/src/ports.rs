//! The interfaces that the engine needs from the layers above: a log, models, tools, a library, a person to ask.
//!
//! Ports are traits over plain data; `desk` implements them for the program, tests implement their own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kernel::{
    AgentChange, Code, Definition, Effect, Error, Event, ModelReply, ModelRequest, Phrase, Question, RunFile,
    RunId, Seq, Start, Value, phrase,
};
use serde::{Deserialize, Serialize};

use crate::permission::Permissions;
use crate::stream::TextSink;
use crate::task_queue::TaskQueue;
use crate::tool::RunFolder;
use crate::tool_directory::ToolDirectory;

/// The durability of an append before it is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Committed: survives a crash of the process.
    Committed,
    /// Committed and synced to the disk: survives a power failure. For requests of effects that may be executed only
    /// once.
    Synced,
}

/// All that the log stores of a run.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The start of the run.
    pub start: Start,
    /// The events in the order of their numbers, with their values loaded.
    pub events: Vec<Event>,
}

/// Why the log failed. The message names the object, the reason and the next step.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{phrase}")]
pub struct LogError {
    /// The kind of the error.
    pub code: Code,
    /// The message.
    pub phrase: Phrase,
}

impl LogError {
    /// Makes an error from its kind and message.
    pub fn new(code: Code, phrase: impl Into<Phrase>) -> LogError {
        LogError { code, phrase: phrase.into() }
    }
}

impl From<LogError> for Error {
    fn from(error: LogError) -> Error {
        Error::new(error.code, error.phrase)
    }
}

/// The append-only log of runs. A run is written only by the process that holds it.
#[async_trait]
pub trait Log: Send + Sync + 'static {
    /// Stores a new run with its first events and holds it for this process.
    async fn create(&self, start: &Start, events: Vec<Event>) -> Result<(), LogError>;

    /// Appends events, which continue the numbering without a gap. The event that ends the run releases it in the same
    /// commit. Fails with [`Code::Busy`] when this process does not hold the run, and then stores nothing.
    async fn append(
        &self,
        run: &RunId,
        events: Vec<Arc<Event>>,
        durability: Durability,
    ) -> Result<(), LogError>;

    /// Loads a run with all its values.
    async fn load(&self, run: &RunId) -> Result<Recorded, LogError>;

    /// Holds a run that no living process holds; [`Code::Busy`] names the holder.
    async fn hold(&self, run: &RunId) -> Result<(), LogError>;

    /// Releases a run: it may be held again at once, even when the release could not be written.
    async fn release(&self, run: &RunId) -> Result<(), LogError>;

    /// Keeps the events that the log refuses in a file beside it, in place of those kept before; an empty list keeps
    /// the former ones. The next holder of the run takes them up, and a successful append deletes them. Returns the
    /// path of the file; the error names it too.
    async fn set_aside(&self, run: &RunId, events: Vec<Event>) -> Result<String, LogError>;
}

/// A model of some provider.
#[async_trait]
pub trait Model: Send + Sync + 'static {
    /// Sends one request. Visible text is pushed to `text` as it arrives, so that it is kept when this future is
    /// dropped. The engine retries and obeys `retry_after_ms` of the error, so this does not retry. An error's message
    /// contains neither the key nor the request.
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Error>;
}

/// Changes by agent.
pub type AgentChanges = BTreeMap<String, AgentChange>;

/// Finds the model behind a profile's name.
#[async_trait]
pub trait ModelDirectory: Send + Sync + 'static {
    /// The model of this profile; reads the profile's secret when first needed.
    async fn model(&self, profile: &str) -> Result<Arc<dyn Model>, Error>;

    /// The alternatives to failed profiles: other profiles by name, each with the changed settings of the agents that
    /// use a failed one. Empty where there is no alternative.
    async fn others(
        &self,
        definition: &Definition,
        failed: &BTreeSet<String>,
    ) -> BTreeMap<String, AgentChanges> {
        let _ = (definition, failed);
        BTreeMap::new()
    }

    /// The least cost of a request to a model, by an agent or a tool, in US dollars; `None` where the price is not
    /// known, and 0 only where it is free.
    fn least_cost(&self, effect: &Effect) -> Option<f64> {
        let _ = effect;
        None
    }
}

/// An article of the person's library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryArticle {
    /// Its id in the library.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// The source: `arXiv`, a feed's title, a file's name.
    pub source: String,
    /// `YYYY-MM-DD`, or empty when unknown.
    pub published: String,
    /// The text.
    pub text: String,
    /// Whether it came with the program rather than from the person.
    #[serde(default)]
    pub is_sample: bool,
}

/// The full-text index of the person's library.
#[async_trait]
pub trait LibraryIndex: Send + Sync + 'static {
    /// Articles that contain any informative word of the query, best first, at most `limit`. With `from..=until`
    /// (`YYYY-MM-DD`), only articles published in that range. Chinese and Japanese are searched too.
    async fn candidates(
        &self,
        query: &str,
        from: Option<&str>,
        until: Option<&str>,
        limit: u32,
    ) -> Result<Vec<LibraryArticle>, Error>;

    /// Undated articles of the person that contain any informative word of the query, best first, at most `limit`.
    async fn undated(&self, query: &str, limit: u32) -> Result<Vec<LibraryArticle>, Error>;

    /// The frequency of words in the whole library, which separates rare words from misspelt ones.
    async fn words(&self, words: &[String]) -> Result<LibraryWords, Error>;

    /// The newest articles of the person, at most `limit`: those published within `from..=until` (`YYYY-MM-DD`), then
    /// undated ones. Each has the stored embedding of its text by `model`.
    async fn own(&self, days: (&str, &str), model: &str, limit: u32) -> Result<Vec<OwnArticle>, Error>;

    /// The articles with these ids, as far as they exist.
    async fn articles(&self, ids: &[String]) -> Result<Vec<LibraryArticle>, Error>;

    /// Stores embeddings made by `model`, each with the hash of the text that it was made from.
    async fn keep_embeddings(&self, model: &str, embeddings: Vec<KeptEmbedding>) -> Result<(), Error>;
}

/// An article of the person, with the fields needed to compare it.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnArticle {
    /// Its id in the library.
    pub id: String,
    /// The hash of its title and text.
    pub hash: String,
    /// The beginning of its title.
    pub title: String,
    /// The beginning of its text, some 2 000 characters.
    pub beginning: String,
    /// Whether it has a publication date.
    pub is_dated: bool,
    /// Its stored embedding as bytes.
    pub embedding: Option<Vec<u8>>,
}

/// An embedding to store.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptEmbedding {
    /// The article's id in the library.
    pub id: String,
    /// The hash of the title and text that it was made from.
    pub hash: String,
    /// The embedding as bytes.
    pub bytes: Vec<u8>,
}

/// The frequency of some words in the library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibraryWords {
    /// The number of articles in the library.
    pub articles: u64,
    /// For each word, in order, the number of articles with a word that begins like it.
    pub holding: Vec<u64>,
    /// For each word, in order, a word of a title with nearly the same spelling, where no article has the word itself.
    pub meant: Vec<Option<String>>,
}

/// The outcome of a question to the person.
#[derive(Debug, Clone, PartialEq)]
pub enum UserAnswer {
    /// The answer of the person or their default: a text, or where the question allows it, another value.
    Chosen(Value),
    /// No person is there: the run ends as waiting, and a limit finishes with the best result so far.
    NobodyThere,
}

/// Asks the person.
#[async_trait]
pub trait UserPrompt: Send + Sync + 'static {
    /// Asks and waits. `id` is the number of the event with the question, because several may be open.
    async fn ask(&self, run: &RunId, id: Seq, question: &Question) -> UserAnswer;

    /// Whether a person may be asked an optional question: without one, a failing model ends the run.
    fn is_present(&self) -> bool {
        true
    }
}

/// The folders of runs.
#[async_trait]
pub trait RunFiles: Send + Sync + 'static {
    /// The folder of a run, with exactly the files that its events list. Called once for each execution of the run,
    /// before its first tool writes there.
    ///
    /// # Errors
    /// It cannot be made or written.
    async fn folder(&self, run: &RunId, files: Vec<RunFile>) -> Result<RunFolder, Error>;
}

/// No folders: for programs whose tools keep no files.
pub struct NoFolders;

#[async_trait]
impl RunFiles for NoFolders {
    async fn folder(&self, run: &RunId, _: Vec<RunFile>) -> Result<RunFolder, Error> {
        Err(Error::new(Code::NotFound, phrase!("The run {run} has no folder for files", run)))
    }
}

/// The implementations of all ports.
#[derive(Clone)]
pub struct World {
    /// The log.
    pub log: Arc<dyn Log>,
    /// The models.
    pub models: Arc<dyn ModelDirectory>,
    /// The tools.
    pub tools: Arc<dyn ToolDirectory>,
    /// The queues of the workers.
    pub queue: Arc<dyn TaskQueue>,
    /// The rules of the settings about what tools may do.
    pub permissions: Arc<dyn Permissions>,
    /// The folders of runs.
    pub files: Arc<dyn RunFiles>,
    /// The person.
    pub user_prompt: Arc<dyn UserPrompt>,
    /// How long a run waits for a log that cannot be written; `None`: until it is stopped.
    pub disk_patience: Option<Duration>,
}

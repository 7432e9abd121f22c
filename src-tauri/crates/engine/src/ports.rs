//! What the engine asks of the layers above: a log, models, tools, a library, somebody to ask.
//!
//! Ports are traits over plain data; `desk` plugs the real ones in, tests plug their own.

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

/// How firmly an append must stand before it is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Committed: survives the death of the process.
    Committed,
    /// Committed and synced to the disk: survives the loss of power. For the intent of what may be done only once.
    Synced,
}

/// Everything stored of a run.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// How it began.
    pub start: Start,
    /// Its events in the order of their numbers, values present whole.
    pub events: Vec<Event>,
}

/// Why the log could not do what was asked. The text names the thing, the reason and the next step.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{phrase}")]
pub struct LogError {
    /// What kind.
    pub code: Code,
    /// The sentence.
    pub phrase: Phrase,
}

impl LogError {
    /// An error of this kind with this sentence.
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
    /// Stores a new run with its first events and takes hold of it.
    async fn create(&self, start: &Start, events: Vec<Event>) -> Result<(), LogError>;

    /// Appends events, which continue the numbering without a gap. The event that ends the run lets go of it
    /// with the same commit. Fails with [`Code::Busy`] when this process does not hold the run (any more), and
    /// then stores nothing.
    async fn append(
        &self,
        run: &RunId,
        events: Vec<Arc<Event>>,
        durability: Durability,
    ) -> Result<(), LogError>;

    /// Reads a run whole, values brought back.
    async fn load(&self, run: &RunId) -> Result<Recorded, LogError>;

    /// Takes hold of a run whose holder is gone or has let go; [`Code::Busy`] names the holder.
    async fn hold(&self, run: &RunId) -> Result<(), LogError>;

    /// Lets go of a run: it may be held again at once, also when that could not be written.
    async fn release(&self, run: &RunId) -> Result<(), LogError>;

    /// Keeps events beside the log that the log refuses now, in place of those kept before; none: leaves those. Who holds
    /// the run next takes them up, and an append that succeeds makes them void. Gives the file; the error names it too.
    async fn set_aside(&self, run: &RunId, events: Vec<Event>) -> Result<String, LogError>;
}

/// A model of some provider.
#[async_trait]
pub trait Model: Send + Sync + 'static {
    /// Sends one request. Visible text goes into `text` as it comes, so that what was received is
    /// kept when this future is dropped. No retries here: the engine retries, and obeys
    /// `retry_after_ms` of the error. An error's words never contain the key nor the request.
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Error>;
}

/// Changes by agent.
pub type AgentChanges = BTreeMap<String, AgentChange>;

/// Finds the model behind a profile's name.
#[async_trait]
pub trait ModelDirectory: Send + Sync + 'static {
    /// The model of this profile; reads the profile's secret when first needed.
    async fn model(&self, profile: &str) -> Result<Arc<dyn Model>, Error>;

    /// What could be asked where these profiles fail: other profiles by name, each with what the agents that ask a
    /// failed one would run with. Nothing where there is nothing to choose from.
    async fn others(
        &self,
        definition: &Definition,
        failed: &BTreeSet<String>,
    ) -> BTreeMap<String, AgentChanges> {
        let _ = (definition, failed);
        BTreeMap::new()
    }

    /// What a request to a model, of an agent or on the way of a tool, costs at the least, in US dollars; nothing where
    /// its price is not known. 0 only where it is free.
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
    /// Where it is from: `arXiv`, a feed's title, a file's name.
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
    /// Articles in which any informative word of the query occurs, best first, at most `limit`;
    /// published within `from..=until` (`YYYY-MM-DD`) when given, undated ones left out then.
    /// Finds Chinese and Japanese too.
    async fn candidates(
        &self,
        query: &str,
        from: Option<&str>,
        until: Option<&str>,
        limit: u32,
    ) -> Result<Vec<LibraryArticle>, Error>;

    /// Articles that the person added and that have no day, in which any informative word of the query occurs, best first,
    /// at most `limit`.
    async fn undated(&self, query: &str, limit: u32) -> Result<Vec<LibraryArticle>, Error>;

    /// How common words are in the whole library, to tell what is rare from what is misspelt.
    async fn words(&self, words: &[String]) -> Result<LibraryWords, Error>;

    /// The newest articles that the person added, at most `limit`: published within `from..=until` (`YYYY-MM-DD`), then those
    /// without a day. Each with the embedding that was kept for its text, made by `model`.
    async fn own(&self, days: (&str, &str), model: &str, limit: u32) -> Result<Vec<OwnArticle>, Error>;

    /// Whole articles by their ids, those that are there.
    async fn articles(&self, ids: &[String]) -> Result<Vec<LibraryArticle>, Error>;

    /// Keeps embeddings that `model` made, each for the text of an article that it was made of.
    async fn keep_embeddings(&self, model: &str, embeddings: Vec<KeptEmbedding>) -> Result<(), Error>;
}

/// An article that the person added, as far as it takes to compare it.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnArticle {
    /// Its id in the library.
    pub id: String,
    /// Of its title and text.
    pub hash: String,
    /// How its title begins.
    pub title: String,
    /// How its text begins, some 2 000 characters.
    pub beginning: String,
    /// Whether it has a day.
    pub is_dated: bool,
    /// Its embedding as bytes, where one was kept.
    pub embedding: Option<Vec<u8>>,
}

/// An embedding to keep.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptEmbedding {
    /// The article's id in the library.
    pub id: String,
    /// Of the title and text that it was made of.
    pub hash: String,
    /// The embedding as bytes.
    pub bytes: Vec<u8>,
}

/// How common some words are in the library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibraryWords {
    /// Articles of the library.
    pub articles: u64,
    /// For each word, in order, how many articles have a word that begins like it.
    pub holding: Vec<u64>,
    /// For each word, in order, the word of a title that is spelt nearly so, where no article has the word itself.
    pub meant: Vec<Option<String>>,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum UserAnswer {
    /// The person (or their default) answered this: a text, or where the question takes it, another value.
    Chosen(Value),
    /// Nobody is there: the run ends as waiting, and a limit finishes with the best so far.
    NobodyThere,
}

/// Somebody to ask.
#[async_trait]
pub trait UserPrompt: Send + Sync + 'static {
    /// Asks and waits. The question is named by the number of the event that asks it: several may be open.
    async fn ask(&self, run: &RunId, id: Seq, question: &Question) -> UserAnswer;

    /// Whether a person may be asked what nobody needs to decide: where none is there, a model that fails ends the run.
    fn is_present(&self) -> bool {
        true
    }
}

/// The folders of runs.
#[async_trait]
pub trait RunFiles: Send + Sync + 'static {
    /// The folder of a run, brought to what its events tell: those files, and no others. Asked once for each time that the run
    /// is executed, before its first tool writes there.
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

/// Everything outside, plugged together.
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
    /// How long a run waits for a log that cannot be written; nothing: until it is stopped.
    pub disk_patience: Option<Duration>,
}

//! The search sources against loopback services that refuse what the real ones refuse.
//!
//! `wire`: each service as it answers, with recordings where there are any. `odd_answers`: empty answers in each service's
//! own way, wrong types, refusals. Not here: AI News over them (`terminal::sources`), the policy of the network (`net`).

mod odd_answers;
mod wire;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{KeptEmbedding, LibraryArticle, LibraryIndex, LibraryWords, OwnArticle, ToolContext};
use itinerary::TripPlan;
use jiff::Timestamp;
use kernel::Error;
use net::{Net, Url};
use secrecy::SecretString;
use serde_json::json;
use tempfile::TempDir;
use testkit::{SearchServices, sample_articles};
use tools::trips::TripFiles;
use tools::{Hits, PageBrowser, SEARCH_SOURCES, ServiceKey, ServiceSettings, Services, ToolParts};

/// The topic that the articles of the services are about.
pub(crate) const TOPIC: &str = "retrieval-augmented generation";

/// Services that know five real articles of June 2026 about the topic.
pub(crate) fn services() -> SearchServices {
    SearchServices::knowing(sample_articles("rag", 5))
}

/// What a person has set up: base URLs of the loopback services, keys.
struct SetUp {
    base_url: String,
    keys: BTreeMap<&'static str, &'static str>,
    enabled: Vec<&'static str>,
}

#[async_trait]
impl Services for SetUp {
    async fn service(&self, name: &str, _: Option<&str>) -> Result<ServiceSettings, Error> {
        Ok(ServiceSettings {
            base_url: format!("{}/{name}", self.base_url),
            key: self.keys.get(name).map(|key| SecretString::from((*key).to_owned())),
            engine: "engine-1".to_owned(),
            model: String::new(),
            is_enabled: self.enabled.contains(&name),
        })
    }

    fn key_of(&self, name: &str, _: Option<&str>) -> Option<ServiceKey> {
        self.keys
            .get(name)
            .map(|_| ServiceKey { profile: format!("services.{name}"), ..ServiceKey::default() })
    }

    fn allowed(&self) -> Result<Vec<String>, Error> {
        Ok(vec![self.base_url.clone()])
    }

    fn contact(&self) -> Result<String, Error> {
        Ok(String::new())
    }
}

/// Searches open no browser and make no files.
struct Nobody;

#[async_trait]
impl PageBrowser for Nobody {
    async fn open(&self, _: &Net, page: &Url) -> Result<Vec<u8>, Error> {
        panic!("{page} was opened in a browser")
    }

    fn longest(&self) -> Duration {
        Duration::ZERO
    }
}

impl TripFiles for Nobody {
    fn make(&self, _: &TripPlan, _: &str, _: Timestamp, _: &str) -> Result<(Vec<u8>, &'static str), Error> {
        unreachable!()
    }
}

/// A library with one article in it.
struct OneArticle;

#[async_trait]
impl LibraryIndex for OneArticle {
    async fn candidates(
        &self,
        _: &str,
        _: Option<&str>,
        _: Option<&str>,
        _: u32,
    ) -> Result<Vec<LibraryArticle>, Error> {
        Ok(vec![LibraryArticle {
            id: "1".into(),
            title: "Retrieval-augmented generation at home".into(),
            url: "https://example.org/1".into(),
            source: "Library".into(),
            published: "2026-06-20".into(),
            text: "Retrieval-augmented generation in a library.".into(),
            is_sample: false,
        }])
    }

    async fn undated(&self, _: &str, _: u32) -> Result<Vec<LibraryArticle>, Error> {
        Ok(Vec::new())
    }

    async fn words(&self, words: &[String]) -> Result<LibraryWords, Error> {
        let (holding, meant) = (vec![1; words.len()], vec![None; words.len()]);
        Ok(LibraryWords { articles: 1, holding, meant })
    }

    async fn own(&self, _: (&str, &str), _: &str, _: u32) -> Result<Vec<OwnArticle>, Error> {
        Ok(Vec::new())
    }

    async fn articles(&self, _: &[String]) -> Result<Vec<LibraryArticle>, Error> {
        Ok(Vec::new())
    }

    async fn keep_embeddings(&self, _: &str, _: Vec<KeptEmbedding>) -> Result<(), Error> {
        Ok(())
    }
}

/// A place to search from.
struct Searcher {
    set_up: SetUp,
    folder: TempDir,
}

impl Searcher {
    /// With a key for every service that wants one, and a list of feeds with one feed in it.
    fn of(services: &SearchServices) -> Searcher {
        let searcher = Searcher {
            set_up: SetUp {
                base_url: services.base_url.clone(),
                keys: BTreeMap::from([
                    ("tavily", "tvly-fake-0000"),
                    ("brave", "BSA-fake-0000"),
                    ("google-cse", "AIza-fake-0000"),
                    ("gemini", "AIza-fake-0001"),
                ]),
                enabled: Vec::new(),
            },
            folder: tempfile::tempdir().unwrap(),
        };
        searcher.feeds(&[&services.base("feed")]);
        searcher
    }

    fn feeds(&self, addresses: &[&str]) {
        std::fs::write(self.folder.path().join("feeds.opml"), opml(addresses)).unwrap();
    }

    /// What the source answers about the topic in June 2026.
    fn search(&self, source: &str) -> Result<Hits, Error> {
        self.search_for(source, TOPIC, "2026-06-01", "2026-07-01")
    }

    fn search_for(&self, source: &str, query: &str, from: &str, until: &str) -> Result<Hits, Error> {
        let parts = ToolParts {
            index: Arc::new(OneArticle),
            net: Net::new(),
            services: Arc::new(SetUp {
                base_url: self.set_up.base_url.clone(),
                keys: self.set_up.keys.clone(),
                enabled: self.set_up.enabled.clone(),
            }),
            browser: Arc::new(Nobody),
            trips: Arc::new(Nobody),
            folder: self.folder.path().to_owned(),
        };
        let source = SEARCH_SOURCES.iter().find(|known| known.id == source).unwrap();
        let tool = (source.make)(&parts);
        let input = json!({"query": query, "from": from, "until": until, "max_results": 10});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let result = runtime.block_on(tool.call(&input, &ToolContext::default()))?;
        assert!(result.summary.english().starts_with("found "), "{}", result.summary);
        Ok(serde_json::from_value(result.output.0).unwrap())
    }
}

/// A list of feeds.
pub(crate) fn opml(addresses: &[&str]) -> String {
    let outline = |address: &&str| {
        let name = address.rsplit('/').next().unwrap_or_default();
        format!("<outline text=\"{name}\" xmlUrl=\"{address}\"/>")
    };
    format!("<opml version=\"2.0\"><body>{}</body></opml>", addresses.iter().map(outline).collect::<String>())
}

/// A file of the recordings, to be put where a folder is wanted.
fn recording(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts").join(name);
    std::fs::read(file).unwrap()
}

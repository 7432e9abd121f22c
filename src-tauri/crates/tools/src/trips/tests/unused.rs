//! Stubs of dependencies that the trip services do not use.

use itinerary::TripPlan;
use jiff::Timestamp;

use super::*;
use crate::trips::TripFiles;

pub(super) struct Unused;

#[async_trait]
impl LibraryIndex for Unused {
    async fn candidates(
        &self,
        _: &str,
        _: Option<&str>,
        _: Option<&str>,
        _: u32,
    ) -> Result<Vec<LibraryArticle>, Error> {
        unreachable!()
    }

    async fn undated(&self, _: &str, _: u32) -> Result<Vec<LibraryArticle>, Error> {
        unreachable!()
    }

    async fn words(&self, _: &[String]) -> Result<LibraryWords, Error> {
        unreachable!()
    }

    async fn own(&self, _: (&str, &str), _: &str, _: u32) -> Result<Vec<OwnArticle>, Error> {
        unreachable!()
    }

    async fn articles(&self, _: &[String]) -> Result<Vec<LibraryArticle>, Error> {
        unreachable!()
    }

    async fn keep_embeddings(&self, _: &str, _: Vec<KeptEmbedding>) -> Result<(), Error> {
        unreachable!()
    }
}

#[async_trait]
impl PageBrowser for Unused {
    async fn open(&self, _: &Net, _: &Url) -> Result<Vec<u8>, Error> {
        unreachable!()
    }

    fn longest(&self) -> Duration {
        Duration::ZERO
    }
}

impl TripFiles for Unused {
    fn make(&self, _: &TripPlan, _: &str, _: Timestamp, _: &str) -> Result<(Vec<u8>, &'static str), Error> {
        unreachable!()
    }
}

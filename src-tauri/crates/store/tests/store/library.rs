//! The user's library.

use std::sync::{Arc, Mutex};

use engine::{KeptEmbedding, LibraryArticle, LibraryIndex};
use kernel::Code;
use store::{ImportReport, NewArticle, Store};

fn article(id: &str, title: &str, published: &str, text: &str) -> NewArticle {
    NewArticle {
        article: LibraryArticle {
            id: id.to_owned(),
            title: title.to_owned(),
            url: format!("https://example.org/{id}"),
            source: "arXiv".to_owned(),
            published: published.to_owned(),
            text: text.to_owned(),
            is_sample: false,
        },
        authors: vec!["A. Author".to_owned()],
        categories: vec!["cs.AI".to_owned()],
        origin: "a file".to_owned(),
    }
}

fn shelf() -> Vec<NewArticle> {
    vec![
        article("a", "Retrieval for agents", "2026-06-01", "Agents that retrieve remember more."),
        article("b", "Weather", "2026-06-20T10:00:00Z", "Rain is retrieved from clouds; agents stay dry."),
        article("c", "聖地巡礼ガイド", "2026-06-10", "東京の聖地を巡る計画。"),
        article("d", "Undated agents", "someday", "Agents without a day."),
    ]
}

async fn ids(store: &Store, query: &str, from: Option<&str>, until: Option<&str>) -> Vec<String> {
    let found = store.candidates(query, from, until, 10).await.unwrap();
    found.into_iter().map(|article| article.id).collect()
}

#[tokio::test]
async fn candidates_contain_any_informative_word_within_the_days_best_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.import(shelf(), |_| {}).await.unwrap();
    assert_eq!(ids(&store, "retrieval agents", None, None).await[0], "a");
    assert_eq!(ids(&store, "the latest news on agents", None, None).await.len(), 3);
    assert_eq!(ids(&store, "agents", Some("2026-06-02"), Some("2026-07-01")).await, ["b"]);
    assert_eq!(ids(&store, "agents", None, Some("2026-06-01")).await, ["a"], "undated ones are left out");
    assert_eq!(ids(&store, "agents", Some("2026-06-20"), None).await, ["b"]);
    for query in ["聖地", "聖", "地", "巡礼ガイド", "計画 zeppelin"] {
        assert_eq!(ids(&store, query, None, None).await, ["c"], "{query}");
    }
    for query in ["", "zeppelin", "\" OR \"", "title:*) NEAR(", "地聖", "\u{0}'; DROP TABLE library; --"] {
        assert!(ids(&store, query, None, None).await.is_empty(), "{query}");
    }
    assert_eq!(ids(&store, &"agents ".repeat(200_000), None, None).await.len(), 3);
}

#[tokio::test]
async fn words_are_counted_in_the_whole_library_and_corrected_by_titles() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.import(shelf(), |_| {}).await.unwrap();
    let asked = ["agent", "retreival", "weathr", "zeppelin", "aggnt", "rain"].map(str::to_owned);
    let words = store.words(&asked).await.unwrap();
    assert_eq!((words.articles, words.holding.as_slice()), (4, [3, 0, 0, 0, 0, 1].as_slice()));
    let meant: Vec<Option<&str>> = words.meant.iter().map(Option::as_deref).collect();
    assert_eq!(meant, [None, Some("retrieval"), Some("weather"), None, None, None], "no slip too many");
}

#[tokio::test]
async fn an_article_is_imported_once_by_id_address_or_content() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let progress = Arc::clone(&reports);
    let report = store.import(shelf(), move |done| progress.lock().unwrap().push(done)).await.unwrap();
    assert_eq!(report, ImportReport { added: 4, updated: 0, unchanged: 0 });
    assert_eq!(*reports.lock().unwrap(), [4]);
    let mut same_text = shelf().remove(0);
    same_text.article.id = String::new();
    same_text.article.url = String::new();
    let mut same_address = shelf().remove(1);
    same_address.article.id = "elsewhere".to_owned();
    same_address.article.text = "Now it is about volcanoes.".to_owned();
    let report = store.import(vec![shelf().remove(0), same_text, same_address], |_| {}).await.unwrap();
    assert_eq!(report, ImportReport { added: 0, updated: 1, unchanged: 2 });
    assert_eq!(ids(&store, "volcanoes", None, None).await, ["b"]);
    assert!(ids(&store, "clouds", None, None).await.is_empty());
    assert_eq!(store.count_articles().await.unwrap(), 4);
    let mut nameless = article("", "A note", "", "Only a text.");
    nameless.article.url = String::new();
    store.import(vec![nameless], |_| {}).await.unwrap();
    let page = store.list_articles(Some("only text"), 5).await.unwrap();
    assert_eq!((page.total, page.entries[0].snippet.as_str()), (1, "[[Only]] a [[text]]."));
    assert!(page.entries[0].id.starts_with("doc-"));
    assert_eq!(store.list_articles(None, 2).await.unwrap().entries.len(), 2);
    store.remove_article(&page.entries[0].id).await.unwrap();
    assert_eq!(store.remove_article(&page.entries[0].id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(store.article("a").await.unwrap().published, "2026-06-01");
    assert_eq!(store.list_articles(Some("only text"), 5).await.unwrap().total, 0);
}

#[tokio::test]
async fn the_sample_is_imported_once_per_version_without_removed_articles() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.ensure_sample(shelf(), 1).await.unwrap();
    store.remove_article("a").await.unwrap();
    let untouched = std::iter::from_fn(|| -> Option<NewArticle> { panic!("the sample was looked at again") });
    store.ensure_sample(untouched, 1).await.unwrap();
    let mut more = shelf();
    more.push(article("e", "Newer", "2026-07-01", "A newer sample."));
    store.ensure_sample(more, 2).await.unwrap();
    assert_eq!(store.count_articles().await.unwrap(), 4);
    assert_eq!(store.article("a").await.unwrap_err().code, Code::NotFound);
    store.import(vec![shelf().remove(0)], |_| {}).await.unwrap();
    assert_eq!(store.count_articles().await.unwrap(), 5, "but the person may bring it back");
}

#[tokio::test]
async fn an_embedding_is_valid_for_one_text_and_model_and_deleted_with_its_article() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store
        .ensure_sample(vec![article("s", "A sample", "2026-06-03", "It came with the program.")], 1)
        .await
        .unwrap();
    store.import(shelf(), |_| {}).await.unwrap();
    let own = async |model: &str| store.own(("2026-06-01", "2026-06-15"), model, 10).await.unwrap();
    let kept = async || -> Vec<(String, Option<Vec<u8>>)> {
        own("m").await.into_iter().map(|article| (article.id, article.embedding)).collect()
    };
    let ids: Vec<String> = own("m").await.into_iter().map(|article| article.id).collect();
    assert_eq!(ids, ["c", "a", "d"], "newest first, undated last; no sample, nothing of other days");

    let found = own("m").await;
    let embedding = |id: &str, bytes: &[u8]| {
        let hash = found.iter().find(|article| article.id == id).map(|article| article.hash.clone());
        KeptEmbedding { id: id.to_owned(), hash: hash.unwrap_or_default(), bytes: bytes.to_vec() }
    };
    let foreign = KeptEmbedding { hash: "of another text".to_owned(), ..embedding("c", &[3]) };
    let all = vec![embedding("a", &[1]), embedding("d", &[2]), foreign, embedding("nowhere", &[4])];
    store.keep_embeddings("m", all).await.unwrap();
    let expected = [("c", None), ("a", Some(vec![1])), ("d", Some(vec![2]))];
    assert_eq!(kept().await, expected.map(|(id, bytes)| (id.to_owned(), bytes)));
    assert!(own("another").await.iter().all(|article| article.embedding.is_none()));

    store
        .import(vec![article("a", "Retrieval for agents", "2026-06-01", "Another text.")], |_| {})
        .await
        .unwrap();
    store.remove_article("d").await.unwrap();
    store
        .import(vec![article("e", "A new one", "", "It may take the place of the removed.")], |_| {})
        .await
        .unwrap();
    assert!(kept().await.iter().all(|(_, bytes)| bytes.is_none()));
    let whole = store.articles(&["a".to_owned(), "d".to_owned()]).await.unwrap();
    assert_eq!(whole.iter().map(|article| article.text.as_str()).collect::<Vec<_>>(), ["Another text."]);
}

use super::*;
use engine::{KeptEmbedding, LibraryWords, OwnArticle};

/// A library whose index returns every article that contains a word of the query.
struct Shelf(Vec<LibraryArticle>);

#[async_trait]
impl LibraryIndex for Shelf {
    async fn candidates(
        &self,
        query: &str,
        _: Option<&str>,
        _: Option<&str>,
        _: u32,
    ) -> Result<Vec<LibraryArticle>, Error> {
        let has = |article: &&LibraryArticle| {
            let text = format!("{} {}", article.title, article.text).to_lowercase();
            query.to_lowercase().split(' ').any(|word| text.contains(word))
        };
        Ok(self.0.iter().filter(|article| !article.published.is_empty()).filter(has).cloned().collect())
    }

    async fn undated(&self, query: &str, _: u32) -> Result<Vec<LibraryArticle>, Error> {
        let is_about = |article: &&LibraryArticle| {
            query.to_lowercase().split(' ').any(|word| article.text.to_lowercase().contains(word))
        };
        Ok(self.0.iter().filter(|article| article.published.is_empty()).filter(is_about).cloned().collect())
    }

    async fn words(&self, words: &[String]) -> Result<LibraryWords, Error> {
        let holding = |word: &String| {
            self.0.iter().filter(|article| article.text.to_lowercase().contains(word)).count() as u64
        };
        let meant = |word: &String| match word.as_str() {
            "ferryes" => Some("ferries".to_owned()),
            "defamation" => Some("deformation".to_owned()),
            _ => None,
        };
        Ok(LibraryWords {
            articles: self.0.len() as u64,
            holding: words.iter().map(holding).collect(),
            meant: words.iter().map(meant).collect(),
        })
    }

    async fn own(&self, _: (&str, &str), _: &str, _: u32) -> Result<Vec<OwnArticle>, Error> {
        let own = self.0.iter().filter(|article| !article.is_sample);
        let own = own.map(|article| OwnArticle {
            id: article.id.clone(),
            hash: String::new(),
            title: article.title.clone(),
            beginning: article.text.clone(),
            is_dated: !article.published.is_empty(),
            embedding: None,
        });
        Ok(own.collect())
    }

    async fn articles(&self, ids: &[String]) -> Result<Vec<LibraryArticle>, Error> {
        Ok(self.0.iter().filter(|article| ids.contains(&article.id)).cloned().collect())
    }

    async fn keep_embeddings(&self, _: &str, _: Vec<KeptEmbedding>) -> Result<(), Error> {
        Ok(())
    }
}

#[tokio::test]
async fn a_misspelt_word_is_corrected_with_a_note() {
    let article = |title: &str, text: &str| LibraryArticle {
        id: title.to_owned(),
        title: title.to_owned(),
        url: String::new(),
        source: "a file".to_owned(),
        published: "2026-06-02".to_owned(),
        text: text.to_owned(),
        is_sample: false,
    };
    let shelf = vec![
        article("Electric ferries", "Electric ferries are quiet."),
        article("Electric buses", "Electric buses are quiet."),
    ];
    let search = LibrarySearch::new(Arc::new(Shelf(shelf)));
    let request = SearchRequest {
        query: "Electric ferryes?".to_owned(),
        from: "2026-06-01".to_owned(),
        until: "2026-07-01".to_owned(),
        max_results: 5,
        is_broad: false,
    };
    let found = search.search(&request).await.unwrap();
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(titles, ["Electric ferries"]);
    let notes: Vec<String> = found.notes.iter().map(Phrase::english).collect();
    assert_eq!(notes, ["no article has “ferryes”; searched for “ferries”"]);
}

#[tokio::test]
async fn an_unknown_word_with_related_terms_is_not_corrected() {
    let article = LibraryArticle {
        id: "1".to_owned(),
        title: "Councillor sues over libel by a chatbot".to_owned(),
        url: String::new(),
        source: "a file".to_owned(),
        published: "2026-06-02".to_owned(),
        text: "The court heard the libel case against the chatbot. Libel is costly.".to_owned(),
        is_sample: false,
    };
    let search = LibrarySearch::new(Arc::new(Shelf(vec![article])));
    let request = SearchRequest {
        query: "defamation".to_owned(),
        from: "2026-06-01".to_owned(),
        until: "2026-07-01".to_owned(),
        max_results: 5,
        is_broad: false,
    };
    let found = search.search(&request).await.unwrap();
    assert_eq!(found.hits.len(), 1);
    assert!(found.notes.is_empty());
}

#[tokio::test]
async fn the_sample_is_searched_when_no_own_article_answers() {
    let article = |title: &str, is_sample: bool| LibraryArticle {
        id: title.to_owned(),
        title: title.to_owned(),
        url: String::new(),
        source: "a file".to_owned(),
        published: "2026-06-02".to_owned(),
        text: format!("{title} are quiet. {title} cost less."),
        is_sample,
    };
    let shelf = [("Electric ferries", true), ("Electric ferries at night", false), ("Sailing boats", true)];
    let shelf = shelf.map(|(title, is_sample)| article(title, is_sample));
    let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
    let request = |query: &str| SearchRequest {
        query: query.to_owned(),
        from: "2026-06-01".to_owned(),
        until: "2026-07-01".to_owned(),
        max_results: 5,
        is_broad: false,
    };
    for (query, expected) in
        [("electric ferries", "Electric ferries at night"), ("sailing boats", "Sailing boats")]
    {
        let found = search.search(&request(query)).await.unwrap();
        let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
        assert_eq!(titles, [expected]);
    }
}

#[tokio::test]
async fn undated_files_rank_last_and_keep_a_third_of_the_places() {
    let article = |number: usize, published: &str| LibraryArticle {
        id: number.to_string(),
        title: format!("Electric ferries {number}"),
        url: String::new(),
        source: "a file".to_owned(),
        published: published.to_owned(),
        text: "Electric ferries are quiet.".to_owned(),
        is_sample: false,
    };
    let shelf = |dated: usize, undated: usize| {
        let dated = (0..dated).map(|number| article(number, "2026-06-02"));
        let undated = (0..undated).map(|number| article(100 + number, ""));
        LibrarySearch::new(Arc::new(Shelf(undated.chain(dated).collect())))
    };
    let request = SearchRequest {
        query: "Electric ferries".to_owned(),
        from: "2026-06-01".to_owned(),
        until: "2026-07-01".to_owned(),
        max_results: 6,
        is_broad: false,
    };
    for (dated, undated, expected) in
        [(9, 4, "ddddu u"), (9, 1, "dddddu"), (2, 9, "dduuuu"), (9, 0, "dddddd"), (0, 1, "u")]
    {
        let found = shelf(dated, undated).search(&request).await.unwrap();
        let kinds: String =
            found.hits.iter().map(|hit| if hit.published.is_empty() { 'u' } else { 'd' }).collect();
        assert_eq!(kinds, expected.replace(' ', ""), "{dated} dated, {undated} undated");
    }
}

/// One of the user's own articles.
fn own(title: &str, text: &str) -> LibraryArticle {
    LibraryArticle {
        id: title.to_owned(),
        title: title.to_owned(),
        url: String::new(),
        source: "a file".to_owned(),
        published: "2026-06-02".to_owned(),
        text: text.to_owned(),
        is_sample: false,
    }
}

fn asked(query: &str, is_broad: bool) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        from: "2026-06-01".to_owned(),
        until: "2026-07-01".to_owned(),
        max_results: 5,
        is_broad,
    }
}

#[tokio::test]
async fn an_article_in_other_words_or_another_language_is_found_by_meaning() {
    let shelf = [
        own(
            "Man jailed on a false match sues",
            "He spent eleven days in a cell because software took his picture for that of a thief.",
        ),
        own("千葉・印西のデータセンター、電力不足で稼働延期", "送電網が追いつかず、稼働は来年になる。"),
        own("Nurses walk out", "Nurses of three hospitals went on strike over night shifts."),
        own("A laser that weeds", "A robot burns weeds between rows of beets."),
        own("Faster hail warnings", "A model of the weather office warns of hail twenty minutes earlier."),
        own(
            "A course for everybody",
            "The university opens its course of machine learning. Lectures are online and free.",
        ),
    ];
    let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
    for (query, expected) in [
        ("wrongly arrested prisoner", vec!["Man jailed on a false match sues"]),
        ("power shortage delays data centers", vec!["千葉・印西のデータセンター、電力不足で稼働延期"]),
        // Not near enough: no hit is better than an unrelated one.
        ("false arrests after facial recognition", vec![]),
        ("opera singers", vec![]),
        ("opera machine learning", vec![]),
    ] {
        let found = search.search(&asked(query, false)).await.unwrap();
        let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
        assert_eq!(titles, expected, "{query}");
        assert!(found.are_chosen);
    }
}

#[tokio::test]
async fn an_article_with_the_words_in_another_sense_is_left_out() {
    let chips = own("Crisps", "Chips and dips: the factory fries potatoes. Its chips are sold in bags.");
    let shelf = [
        chips,
        own(
            "A foundry for accelerators",
            "The new semiconductor plant makes AI chips for servers. The chips cost less.",
        ),
        own("Nurses walk out", "Nurses of three hospitals went on strike over night shifts."),
    ];
    let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
    let found = search.search(&asked("chips for artificial intelligence", true)).await.unwrap();
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(titles, ["A foundry for accelerators"]);
}

#[tokio::test]
async fn the_sample_is_not_searched_next_to_a_large_own_library() {
    for (count, expected) in [(19, vec!["Sailing boats"]), (20, vec![])] {
        let nurse = |number: usize| LibraryArticle {
            id: number.to_string(),
            ..own("Nurses walk out", "Nurses of three hospitals went on strike over night shifts.")
        };
        let sample = LibraryArticle {
            is_sample: true,
            ..own("Sailing boats", "Sailing boats are quiet. They cost less.")
        };
        let search = LibrarySearch::new(Arc::new(Shelf((0..count).map(nurse).chain([sample]).collect())));
        let found = search.search(&asked("sailing boats", false)).await.unwrap();
        assert_eq!(found.hits.iter().map(|hit| hit.title.as_str()).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn an_undated_file_found_by_meaning_ranks_after_the_dated_articles() {
    let undated = LibraryArticle {
        published: String::new(),
        ..own("Wrongly jailed", "A false face match put a man in a cell.")
    };
    let shelf = [
        undated,
        own("Wrongly jailed man sues", "A false face match put him in a cell."),
        own("Nurses walk out", "Nurses of three hospitals went on strike over night shifts."),
        own("A laser that weeds", "A robot burns weeds between rows of beets."),
        own("Faster hail warnings", "The weather office warns of hail twenty minutes earlier."),
        own("Cheaper memory", "The price of memory chips fell by a fifth in May."),
        own("A choir without singers", "A composer lets a synthesiser sing the mass."),
        own("Sheep on the solar farm", "Sheep graze between the panels and keep the grass short."),
        own("Bread from yesterday", "A bakery sells what is left at half the price."),
        own("Bridges under water", "Divers look for cracks in the pillars of bridges."),
    ];
    let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
    let found = search.search(&asked("innocent people in prison", false)).await.unwrap();
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(titles, ["Wrongly jailed man sues", "Wrongly jailed"]);
}

#[tokio::test]
async fn an_article_about_one_listed_thing_is_a_source_on_the_broad_subject() {
    let shelf = [
        own(
            "An earthquake warning from the sea floor",
            "A cable feels the earthquake. The warning comes early.",
        ),
        own("A bakery opens in the harbour", "It sells bread."),
    ];
    let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
    let subject = "libraries, opera and earthquake warning";
    let found = search.search(&asked(subject, true)).await.unwrap();
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(titles, ["An earthquake warning from the sea floor"]);
}

#[tokio::test]
async fn a_broad_subject_requires_the_aspect_and_not_only_the_thing() {
    let article = |title: &str, text: &str, is_sample| LibraryArticle { is_sample, ..own(title, text) };
    for is_sample in [false, true] {
        let fillers = (0..40).map(|number| {
            article(
                &format!("Language models read letters of the year {number}"),
                &format!("A language model read {number} letters. The language models make few mistakes."),
                is_sample,
            )
        });
        let wanted = article(
            "Compressing language models for phones",
            "We compress language models to a tenth. Compressed models answer as well.",
            is_sample,
        );
        let shelf: Vec<LibraryArticle> = fillers
            .chain([wanted])
            .enumerate()
            .map(|(at, article)| LibraryArticle { id: at.to_string(), ..article })
            .collect();
        let search = LibrarySearch::new(Arc::new(Shelf(shelf)));
        let found = search.search(&asked("compressing language models", true)).await.unwrap();
        let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
        assert_eq!(titles, ["Compressing language models for phones"], "{is_sample}");
    }
}

#[tokio::test]
async fn a_topic_in_another_language_is_translated_for_the_sample_with_a_note() {
    let sample = LibraryArticle {
        is_sample: true,
        ..own(
            "Speech recognition in a noisy kitchen",
            "Speech recognition fails in kitchens. We mend speech recognition.",
        )
    };
    let search = LibrarySearch::new(Arc::new(Shelf(vec![sample])));
    for topic in ["语音识别", "音声認識"] {
        let found = search.search(&asked(topic, false)).await.unwrap();
        assert_eq!(found.hits.len(), 1, "{topic}");
        let notes: Vec<String> = found.notes.iter().map(Phrase::english).collect();
        assert_eq!(notes, [format!("no article has “{topic}”; searched for “speech recognition”")]);
    }
    assert!(search.search(&asked("番茄种植", false)).await.unwrap().hits.is_empty());
}

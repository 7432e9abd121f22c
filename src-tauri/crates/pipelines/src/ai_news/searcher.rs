//! Turns the hits of the search into articles. Each article is one of the hits, whatever the model answers.

use std::collections::BTreeSet;

use engine::Acted;
use extractive::{extract, query_terms};
use kernel::{Delta, Note, Phrase, form};
use prose::{clean, clean_article, is_stop_word, stem};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tools::{Hit, Hits};

use super::FALLBACK;
use crate::functions::search::DAYS;
use crate::functions::undated::UNDATED;
use interpreter::Latest;
use interpreter::{Accept, FunctionContext, Registry, Shape, Titles, WithoutModel};

const MOST_ARTICLES: usize = 5;
/// Longest summary, in words.
const SUMMARY_WORDS: usize = 80;
/// The value of a field of an article that the model left empty.
const NOT_STATED: &str = "not stated";
/// Characters from the beginning of a text that serve as its summary if no sentence of it fits the topic.
const SUMMARY_START: usize = 400;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("hits_of_window", hits_of_window as Shape);
    registry.accept.insert("articles_of_hits", articles_of_hits as Accept);
    registry.titles.insert("articles_of_hits", titles_of_hits as Titles);
    registry.without_model.insert("first_hits", first_hits as WithoutModel);
}

/// The hits of the one search within its window, both days included.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SearchHits {
    from: String,
    until: String,
    hits: Vec<Hit>,
    /// Sentences on what could not be reached or was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// The attributions that the services require, as the search returned them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attributions: Vec<Value>,
}

/// An article that may be cited. Its number is its position in the list, counted from 1.
#[derive(Debug, Serialize)]
struct Article {
    title: String,
    url: String,
    source: String,
    published: String,
    summary: String,
    ai_relevance: String,
    confidence: String,
}

/// The output of the searcher, which the writer reads.
#[derive(Debug, Default, Serialize)]
struct SearchResults {
    articles: Vec<Article>,
    search_window_days: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// Whether the articles are the first hits, because the model named none that was found.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stands_in: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributions: Vec<Value>,
}

/// The hits of the window, followed by the person's own files without a date, which are called undated: only the
/// library returns such hits. Without any hits the result is final and no model is called.
fn hits_of_window(context: &FunctionContext<'_>, input: &Value, output: Value) -> Acted {
    let Hits { hits, notes, attributions, .. } = serde_json::from_value(output).unwrap_or_default();
    let day = |field: &str| input[field].as_str().unwrap_or_default().to_owned();
    let (from, until) = (day("from"), day("until"));
    let is_recent = |hit: &Hit| hit.published >= from && hit.published <= until;
    let plain = |hit: Hit| Hit { title: clean(&hit.title), text: clean_article(&hit.text), ..hit };
    let (undated, dated): (Vec<Hit>, Vec<Hit>) =
        hits.into_iter().partition(|hit| hit.published.trim().is_empty());
    let undated = undated.into_iter().map(|hit| Hit { published: UNDATED.to_owned(), ..hit });
    let dated: Vec<Hit> = dated.into_iter().filter(is_recent).collect();
    let (n, own) = (dated.len(), undated.len());
    let hits: Vec<Hit> = dated.into_iter().chain(undated).map(plain).collect();
    let found = match own {
        0 => Note::decision("found", json!({ "n": n, "from": from, "until": until })),
        _ => Note::decision("found_undated", json!({ "n": n, "from": from, "until": until, "undated": own })),
    };
    let is_empty = hits.is_empty();
    let attributions = attributions.iter().map(|attribution| json!(attribution)).collect();
    let notes = notes.iter().map(Phrase::english).collect();
    let mut delta = Delta::of("search_hits", json!(SearchHits { from, until, hits, notes, attributions }));
    if is_empty {
        let results = SearchResults { message: Some(FALLBACK.into()), ..results(context) };
        delta = delta.with("search_results", json!(results));
    }
    Acted { notes: vec![found], delta, ..Acted::default() }
}

/// The results before any article is added.
fn results(context: &FunctionContext<'_>) -> SearchResults {
    let days = context.definition.tools.values().find_map(|slot| slot.option(DAYS));
    SearchResults { search_window_days: days.unwrap_or_default(), ..SearchResults::default() }
}

/// The numbered titles of the hits.
fn titles_of_hits(context: &FunctionContext<'_>) -> Vec<String> {
    let found: SearchHits = context.read("search_hits").unwrap_or_default();
    found.hits.into_iter().map(|hit| hit.title).collect()
}

/// Binds each article that the model chose to its hit. Leaves out an article that matches no hit, or whose title and
/// address belong to two hits. If none is left, the hits that rank first are used.
fn articles_of_hits(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let found: SearchHits = context.read("search_hits").unwrap_or_default();
    let topic = context.topic();
    let chosen = answer["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<HitNames<'_>> = found.hits.iter().map(HitNames::of).collect();
    let mut articles: Vec<Article> = Vec::new();
    for article in chosen {
        let text = |field: &str| article[field].as_str().unwrap_or_default().trim();
        let named = NamedHit {
            number: article["number"].as_u64().and_then(|number| usize::try_from(number).ok()),
            url: text("url"),
            title: text("title"),
        };
        let Some(hit) = named.hit(&names) else { continue };
        if articles.iter().any(|known| known.url == hit.url && known.title == hit.title) {
            continue;
        }
        let known = article_of(hit, &topic);
        let field_or = |field: &str, unsaid: String| {
            Some(text(field).to_owned()).filter(|text| !text.is_empty()).unwrap_or(unsaid)
        };
        articles.push(Article {
            ai_relevance: field_or("ai_relevance", NOT_STATED.into()),
            confidence: field_or("confidence", NOT_STATED.into()),
            ..known
        });
        if articles.len() == MOST_ARTICLES {
            break;
        }
    }
    let stands_in = articles.is_empty() && !chosen.is_empty();
    if stands_in {
        let confidence = "stands in, because the model named none that was found";
        let of_hit = |hit| Article { confidence: confidence.to_owned(), ..article_of(hit, &topic) };
        articles = found.hits.iter().take(MOST_ARTICLES).map(of_hit).collect();
    }
    let message = articles.is_empty().then(|| FALLBACK.to_owned());
    let attributions = found.attributions;
    Ok(json!(SearchResults { articles, message, stands_in, attributions, ..results(context) }))
}

/// Whether a title shares no word with the other one except grammar. A title in another script than Latin may be a
/// translation, so it is not foreign.
fn is_foreign(title: &str, of_hit: &str) -> bool {
    let is_latin = |text: &str| text.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii());
    let words = |text: &str| -> BTreeSet<u64> {
        let words = text.split(|character: char| !character.is_alphanumeric());
        let words = words.map(str::to_lowercase).filter(|word| !word.is_empty() && !is_stop_word(word));
        words.map(|word| stem(&word)).collect()
    };
    let own = words(title);
    is_latin(title) && is_latin(of_hit) && !own.is_empty() && own.is_disjoint(&words(of_hit))
}

/// Shortest word that counts as a name, in bytes.
const LEAST_NAME: usize = 4;

/// The letters and digits of a text in lower case.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// An address in the form in which addresses are compared.
fn address(url: &str) -> String {
    url.trim().trim_end_matches('/').replace("http://", "https://")
}

/// The names of a hit.
struct HitNames<'a> {
    hit: &'a Hit,
    address: String,
    title: String,
    /// The part of its title before the colon, by which a model often names a work.
    short: Option<String>,
}

impl HitNames<'_> {
    fn of(hit: &Hit) -> HitNames<'_> {
        let short = hit.title.split_once(':').map(|(name, _)| plain(name));
        HitNames { hit, address: address(&hit.url), title: plain(&hit.title), short }
    }
}

/// The fields of an article in the answer that identify its hit.
struct NamedHit<'a> {
    /// Counted from 1.
    number: Option<usize>,
    url: &'a str,
    title: &'a str,
}

impl NamedHit<'_> {
    /// The hit that is meant, if there is one. A copied title or address is more reliable than a number. If the title
    /// and the address belong to two hits, the number decides between them. A title that is foreign to the hit at its
    /// address contradicts it, and then no hit is returned.
    fn hit<'a>(&self, hits: &[HitNames<'a>]) -> Option<&'a Hit> {
        let (own, own_address) = (plain(self.title), address(self.url));
        let by_url = hits.iter().find(|names| !names.hit.url.is_empty() && names.address == own_address);
        let mut by_name =
            hits.iter().filter(|names| own.len() >= LEAST_NAME && names.short.as_ref() == Some(&own));
        let by_name = by_name.next().filter(|_| by_name.next().is_none());
        let by_title = hits.iter().find(|names| !self.title.is_empty() && names.title == own).or(by_name);
        let by_number = self.number.and_then(|number| Some(hits.get(number.checked_sub(1)?)?.hit));
        match (by_url, by_title) {
            (Some(url), Some(title)) if url.title != title.title && url.hit.url != title.hit.url => {
                by_number.filter(|hit| [url.hit, title.hit].contains(hit))
            }
            (Some(url), None) if by_number != Some(url.hit) && is_foreign(self.title, &url.hit.title) => None,
            (url, title) => url.or(title).map(|names| names.hit).or(by_number),
        }
    }
}

/// Summaries that are cached: enough for all runs that are likely to be worked on at once.
const MOST_SUMMARIES: usize = 80;

/// A short summary of what a text says about a topic.
fn summary_of(text: &str, topic: &str) -> String {
    static SUMMARIES: Latest<(String, String), String> = Latest::new(MOST_SUMMARIES);
    let made = || {
        let summary = extract(text, topic, SUMMARY_WORDS);
        if summary.is_empty() { text.chars().take(SUMMARY_START).collect() } else { summary }
    };
    SUMMARIES.get_or_make(
        text.len(),
        |(of, about)| about == topic && of == text,
        || ((text.to_owned(), topic.to_owned()), made()),
    )
}

fn article_of(hit: &Hit, topic: &str) -> Article {
    Article {
        title: hit.title.clone(),
        url: hit.url.clone(),
        source: hit.source.clone(),
        published: hit.published.clone(),
        summary: summary_of(&hit.text, topic),
        ai_relevance: format!("Its text answers the topic “{topic}”."),
        confidence: "chosen by rank, without a model".to_owned(),
    }
}

/// Words that show that a text belongs to the field of this pipeline, and parts of words for scripts without spaces.
const FIELD_WORDS: [&str; 54] = [
    "agent",
    "agents",
    "ai",
    "algorithm",
    "algorithms",
    "anthropic",
    "artificial",
    "assistant",
    "autonomous",
    "benchmark",
    "benchmarks",
    "chatbot",
    "chatbots",
    "chatgpt",
    "classifier",
    "copilot",
    "dataset",
    "datasets",
    "deepfake",
    "deepfakes",
    "diffusion",
    "driverless",
    "generated",
    "generative",
    "gpt",
    "ki",
    "learning",
    "llm",
    "llms",
    "model",
    "modell",
    "modelle",
    "models",
    "neural",
    "openai",
    "pretrained",
    "program",
    "programs",
    "rag",
    "retrieval",
    "robot",
    "robotaxis",
    "robotic",
    "robotics",
    "robots",
    "simulator",
    "software",
    "tokens",
    "trained",
    "training",
    "transformer",
    "transformers",
    "watermark",
    "watermarks",
];
const FIELD_WORD_PARTS: [&str; 14] = [
    "チャットボット",
    "ロボット",
    "机器人",
    "聊天机器人",
    "人工智能",
    "模型",
    "机器学习",
    "智能体",
    "人工知能",
    "機械学習",
    "モデル",
    "data centre",
    "data center",
    "self-driving",
];

/// Whether a hit belongs to the field. A model may also be named like an animal or a painter.
fn is_of_the_field(hit: &Hit) -> bool {
    let text = format!("{} {}", hit.title, hit.text);
    let lower = text.to_lowercase();
    // "生成AIと" is one run of letters, and so is "VALAIS", so only words that are ASCII as a whole are compared.
    let mut words = lower.split(|character: char| !character.is_ascii_alphanumeric());
    words.any(|word| FIELD_WORDS.contains(&word)) || FIELD_WORD_PARTS.iter().any(|word| text.contains(word))
}

/// The answer without a model: the hits in their order of rank.
fn first_hits(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let found: SearchHits = context.read("search_hits").ok_or(form!("there are no hits to choose from"))?;
    let topic = context.topic();
    // A topic of one word may be a name that is used in other fields, too. For a longer topic, hits that clearly belong
    // to the field come first.
    let is_name = query_terms(&topic).len() < 2;
    let (of_the_field, others): (Vec<_>, Vec<_>) =
        found.hits.iter().zip(1..).partition(|(hit, _)| is_of_the_field(hit));
    let chosen = of_the_field.into_iter().chain(others.into_iter().filter(|_| !is_name));
    let chosen = chosen.take(MOST_ARTICLES).map(|(hit, number)| {
        let Article { ai_relevance, confidence, .. } = article_of(hit, &topic);
        json!({ "number": number, "ai_relevance": ai_relevance, "confidence": confidence })
    });
    Ok(json!({ "articles": chosen.collect::<Vec<_>>(), "message": "" }))
}

#[cfg(test)]
mod tests {
    use super::{is_foreign, is_of_the_field};
    use tools::Hit;

    #[test]
    fn an_article_of_another_field_is_left_out() {
        let hit = |title: &str, text: &str| Hit {
            title: title.to_owned(),
            text: text.to_owned(),
            ..Hit::default()
        };
        for (title, text, expected) in [
            ("A falcon flies again", "The keeper of the falcon had a new aviary built.", false),
            ("Falcon in a smaller size", "The language model has seven billion parameters.", true),
            ("使用计算机", "这个模型更小。", true),
            ("花火", "今年は二万発。", false),
        ] {
            assert_eq!(is_of_the_field(&hit(title, text)), expected, "{title}");
        }
    }

    #[test]
    fn a_title_that_shares_no_word_with_the_hit_is_foreign_unless_it_may_be_a_translation() {
        for (title, of_hit, expected) in [
            ("The Future of Autonomous Driving", "CEO-Bench: Can Agents Run a Company?", true),
            ("CEO Bench", "CEO-Bench: Can Agents Run a Company?", false),
            ("Agents that use computers", "使用计算机的代理", false),
            ("使用计算机的代理", "Agents that use computers", false),
            ("", "Agents that use computers", false),
        ] {
            assert_eq!(is_foreign(title, of_hit), expected, "{title} / {of_hit}");
        }
    }
}

//! AI News with the built-in profile: the run of the README, and a topic about which nothing is found.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::galley::{Galley, Told};

const TOPIC: &str = "retrieval-augmented generation";
const FALLBACK: &str = "No recent AI news found on this topic.";

/// Every record of the sample library by its address: title and text.
fn sample() -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/library/arxiv-2026-06.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let record = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        (field("url"), format!("{} {}", field("title"), field("summary")))
    };
    text.lines().map(record).collect()
}

/// The words that carry meaning: long ones, in lower case.
fn telling(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 4).collect()
}

/// The paragraphs of a post, each with what it quotes and the numbers that it cites.
fn quoting_paragraphs(post: &str) -> Vec<(String, Vec<usize>)> {
    let paragraphs = post.split("\n\n").filter(|paragraph| !paragraph.starts_with('#'));
    let found = paragraphs.map(|paragraph| {
        let quoted = paragraph.split(['“', '”']).skip(1).step_by(2).collect::<Vec<_>>().join(" ");
        let numbers = paragraph.split('[').skip(1).filter_map(|part| part.split_once(']')?.0.parse().ok());
        (quoted, numbers.collect())
    });
    found.collect()
}

/// The same text with nothing in it that differs from run to run: ids and times.
fn without_ids_and_times(told: &Told) -> String {
    let lines = told.lines();
    let mut text = told.out.clone();
    let started = &lines[0]["fact"];
    for id in [&started["run"], &started["session"]] {
        text = text.replace(id.as_str().unwrap(), "ID");
    }
    for name in ["at_ms", "took_ms", "waited_ms"] {
        let mark = format!("\"{name}\":");
        let parts: Vec<String> = text
            .split(&mark)
            .enumerate()
            .map(|(index, part)| match index {
                0 => part.to_owned(),
                _ => part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
            })
            .collect();
        text = parts.join(&mark);
    }
    text
}

#[test]
fn the_run_of_the_readme_quotes_its_sources_word_for_word_and_comes_out_the_same_twice() {
    let run = || Galley::new().news(TOPIC, &["--profile", "built-in", "--json"]).ok();
    let (told, again) = std::thread::scope(|scope| {
        let again = scope.spawn(run);
        (run(), again.join().unwrap())
    });
    assert!(without_ids_and_times(&told) == without_ids_and_times(&again), "two runs differ");

    let fields = ["type", "seq", "at_ms", "author", "path", "n", "surface", "fact"];
    let lines = told.lines();
    for (index, event) in lines[..lines.len() - 1].iter().enumerate() {
        let names: HashSet<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, HashSet::from(fields), "{event}");
        assert_eq!(event["seq"], index + 1);
    }
    let result = told.result();
    assert_eq!(result["outcome"], "finished");
    assert_eq!(result["run"], lines[0]["fact"]["run"]);
    assert_eq!(result["error"], Value::Null);
    let usage = serde_json::json!({"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": null});
    assert_eq!(result["usage"], usage);
    assert_eq!(result["output"], result["state"]["final_post"]);

    let post = result["output"].as_str().unwrap();
    assert!(post.split_whitespace().count() <= 200, "{post}");
    let (articles, sample) = (&result["state"]["search_results"]["articles"], sample());
    let paragraphs = quoting_paragraphs(post);
    let cited: HashSet<usize> = paragraphs.iter().flat_map(|(_, numbers)| numbers.clone()).collect();
    assert!(paragraphs.len() >= 2 && cited.len() == paragraphs.len(), "{post}");
    for (quoted, numbers) in paragraphs {
        let [number] = numbers[..] else { panic!("{quoted} cites {numbers:?}") };
        let article = &articles[number.checked_sub(1).unwrap()];
        let published = article["published"].as_str().unwrap_or_else(|| panic!("[{number}] is no article"));
        assert!(("2026-06-01"..="2026-07-01").contains(&published));
        let source = telling(&sample[article["url"].as_str().unwrap()]);
        let words = telling(&quoted);
        assert!(words.len() > 20 && words.is_subset(&source), "[{number}]: {quoted}");
    }
}

#[test]
fn a_topic_without_matches_gives_the_fallback_sentence_and_skips_writer_and_reviewer() {
    let galley = Galley::new();
    let told = galley.news("zxqvyt wxyzzq", &[]).ok();
    assert_eq!((told.out.as_str(), told.err.as_str()), (format!("{FALLBACK}\n").as_str(), ""));
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("Skipped: ai_news_writer, ai_news_reviewer"), "{journal}");
    let events = galley.events("last");
    let started: Vec<&str> = events
        .iter()
        .filter(|event| event["fact"]["kind"] == "agent_started")
        .map(|event| event["author"].as_str().unwrap())
        .collect();
    assert_eq!(started, ["AiNewsPipelineManager", "ai_news_searcher"]);
    assert_eq!(events.last().unwrap()["fact"]["outcome"], "finished");
    let result = galley.news("zxqvyt wxyzzq", &["--json"]).ok().result();
    assert_eq!(result["output"], FALLBACK);
}

#[test]
fn the_start_says_which_source_is_searched_and_when_its_news_is_old() {
    let galley = Galley::new();
    let words = ["run", "ai-news", "--input", "user_topic=agents", "--profile", "built-in"];
    let auto = galley.run(words.into_iter().chain(["--source", "auto", "--as-of", "2026-09-01"])).ok();
    assert!(auto.err.contains("source is `auto`. The open news; falls back to the library"), "{}", auto.err);
    let old = galley.run(words.into_iter().chain(["--source", "library", "--as-of", "2026-09-01"])).ok();
    for words in ["latest article of the library is of 2026-0", "as of 2026-09-01"] {
        assert!(old.err.contains(words), "{words}: {}", old.err);
    }
    let recent = galley.run(words.into_iter().chain(["--source", "library", "--as-of", "2026-07-01"])).ok();
    assert!(!recent.err.contains("latest article") && !recent.err.contains("source is"), "{}", recent.err);
}

#[test]
fn an_instruction_that_nobody_reads_without_a_model_is_said_to_be_unread() {
    let galley = Galley::new();
    let more = ["--profile", "built-in", "--instruction", "ai_news_writer=Write a poem.", "--json"];
    let told = galley.news(TOPIC, &more).ok();
    let run = told.lines()[0]["fact"]["run"].as_str().unwrap().to_owned();
    let noted: Vec<Value> = galley
        .events(&run)
        .into_iter()
        .filter(|event| event["fact"]["note"]["kind"] == "instruction_unread")
        .collect();
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert_eq!(noted[0]["author"], "ai_news_writer");
}

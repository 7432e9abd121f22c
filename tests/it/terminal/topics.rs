//! Which articles AI News chooses without a model, measured with topics whose articles were judged before the rule was
//! written (`fixtures/topics/held_out_*.jsonl`): the third of them that only share words with a topic must stay out.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use super::galley::Galley;

/// A topic with the articles that are about it.
struct Case {
    topic: String,
    on: BTreeSet<String>,
}

/// What a run told of a topic.
struct Answer {
    post: String,
    /// Ids of the articles that the post cites.
    cited: BTreeSet<String>,
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/topics").join(name)
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(fixture("held_out_topics.jsonl")).unwrap();
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let on = case["on"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
        Case { topic: case["topic"].as_str().unwrap().to_owned(), on }
    };
    text.lines().map(case).collect()
}

fn answer(galley: &Galley, topic: &str) -> Answer {
    let input = format!("user_topic={topic}");
    let words =
        ["run", "ai-news", "--input", &input, "--source", "library", "--as-of", "2026-08-31", "--json"];
    let result = galley.run(words.into_iter().chain(["--profile", "built-in"])).ok().result();
    let post = result["output"].as_str().unwrap().to_owned();
    let articles = &result["state"]["search_results"]["articles"];
    let numbers = post.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse::<usize>().ok());
    let id = |number: usize| articles[number - 1]["url"].as_str()?.rsplit('/').next().map(str::to_owned);
    let cited = numbers.filter_map(id).collect();
    Answer { post, cited }
}

#[test]
fn of_the_articles_of_judged_topics_few_are_off_the_topic_and_most_topics_find_theirs() {
    let galley = Galley::new();
    galley.run(["library", "import", fixture("held_out_articles.jsonl").to_str().unwrap()]).ok();
    let cases = cases();
    let answers = Mutex::new(Vec::new());
    let (galley, answers_of_all) = (&galley, &answers);
    std::thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(4)) {
            scope.spawn(move || {
                for case in part {
                    let answer = answer(galley, &case.topic);
                    answers_of_all.lock().unwrap().push((case, answer));
                }
            });
        }
    });
    let answers = answers.into_inner().unwrap();
    let (mut items, mut off, mut found, mut told) = (0, 0, 0, String::new());
    for (case, answer) in &answers {
        let wrong: Vec<&String> = answer.cited.difference(&case.on).collect();
        let missed: Vec<&String> = case.on.difference(&answer.cited).collect();
        items += answer.cited.len();
        off += wrong.len();
        found += usize::from(!answer.cited.is_disjoint(&case.on));
        if !wrong.is_empty() || !missed.is_empty() {
            writeln!(told, "{}: off {wrong:?}, missed {missed:?}\n{}\n", case.topic, answer.post).unwrap();
        }
    }
    let answerable = cases.iter().filter(|case| !case.on.is_empty()).count();
    let figures =
        format!("{off} of {items} items are off the topic; {found} of {answerable} topics found theirs");
    println!("{figures}\n{told}");
    assert!(off * 20 <= items, "{figures}\n{told}");
    assert!(found * 3 >= answerable * 2, "{figures}\n{told}");
}

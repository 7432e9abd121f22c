//! Properties of any answer: the result is the original value or an error, within limits, whatever the model did to it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something unexpected comes")]

mod samples;

use answers::{Answer, Fault, Reader, Rung};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

use samples::{read, reader, schema};

/// Texts with all characters that have a meaning in JSON, Markdown or chatter.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z ]{1,12}",
        1 => proptest::sample::select(vec![
            "\"", "\\", "{", "}", "[1]", ",", ": ", "\n", "\n\n", "```", "<think>", "</think>", "'", "“", "😀", "聖地",
            "//", "# ", "\t", "&quot;", "*", "\u{7}", "e.g. ", "90 %",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 1..8).prop_map(|pieces| format!("It says {} here", pieces.concat()))
}

fn any_value() -> impl Strategy<Value = Value> {
    let items = proptest::collection::vec((1..40_i64, any_text()), 1..4);
    let issues = proptest::collection::vec(any_text(), 0..4);
    (any_text(), issues, 0..100_i64, any::<bool>(), items).prop_map(|(notes, issues, score, ready, items)| {
        let items: Vec<Value> =
            items.into_iter().map(|(number, why)| json!({"number": number, "why": why})).collect();
        json!({"notes": notes, "issues": issues, "score": score, "ready": ready, "items": items})
    })
}

/// The changes that models make to an answer, each with a number.
fn mangled(value: &Value, kind: usize) -> String {
    let plain = value.to_string();
    let laid_out = serde_json::to_string_pretty(value).unwrap();
    let with = |field: &str, other: Value| {
        let mut changed = value.clone();
        changed[field] = other;
        changed.to_string()
    };
    let draft = with("notes", json!("It says draft here")).replace("It says", "It said");
    match kind {
        0 => laid_out,
        1 => format!("```json\n{laid_out}\n```"),
        2 => format!("Sure! Here it is:\n\n{plain}\n\nLet me know."),
        3 => format!("<think>I could say {draft}, or not.</think>\n{plain}"),
        4 => format!("It could be {draft} or worse.\n</think>\n{plain}"),
        5 => format!("Draft:\n{draft}\n\nFinal:\n{plain}"),
        6 => json!({"result": value}).to_string(),
        7 => json!([value]).to_string(),
        8 => json!({"name": "review", "arguments": value}).to_string(),
        9 => Value::String(plain).to_string(),
        10 => with("score", json!(value["score"].to_string())),
        11 => with("ready", json!(if value["ready"] == true { "yes" } else { "No" })),
        12 => with("word_count", json!({"deep": [1, 2]})),
        13 => format!("{},}}", plain.trim_end_matches('}')),
        14 if !plain.contains("\\\\") => plain.replace("\\n", "\n").replace("\\t", "\t"),
        14 => plain,
        15 => format!(
            "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{plain}"
        ),
        16 => format!("{plain}<|im_end|>\n<|im_start|>user\nMore?<|im_end|>\n<|im_start|>assistant\n{draft}"),
        _ => format!("{}\n// that is all\n}}", laid_out.trim_end_matches('}').trim_end()),
    }
}

proptest! {
    #![proptest_config(Config { cases: 600, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_mangled_answer_gives_the_original_value_or_an_error(value in any_value(), kind in 0..18_usize) {
        let text = mangled(&value, kind);
        match read(&text) {
            Ok(reading) => prop_assert_eq!(reading.value, value, "{}", text),
            // Text around an answer is removed, so these are always read.
            Err(unusable) => prop_assert!(kind > 2, "{unusable}: {text}"),
        }
    }

    #[test]
    fn a_truncated_answer_gives_the_original_value_or_an_error(value in any_value(), kind in 0..18_usize, share in 0.0..1.0_f64) {
        let text = mangled(&value, kind);
        let mut end = (text.len() as f64 * share) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for was_cut in [true, false] {
            if let Ok(reading) = reader().read(&Answer { text: &text[..end], was_cut, ..Answer::default() }) {
                // If the text has two versions, only the first may have arrived completely.
                let is_draft = reading.value["notes"] == "It said draft here";
                prop_assert!(is_draft || reading.value == value, "{}", &text[..end]);
            }
        }
    }

    #[test]
    fn plain_json_of_the_shape_is_read_unchanged(value in any_value()) {
        let reading = read(&value.to_string()).unwrap();
        prop_assert_eq!((reading.value, reading.rungs), (value, vec![]));
    }

    #[test]
    fn any_bytes_are_read_or_rejected_deterministically(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(read(&text), read(&text));
    }

    #[test]
    fn any_list_with_parts_of_titles_gives_shown_titles_or_an_error(
        pieces in proptest::collection::vec((0..12_usize, 0..30_usize), 0..12),
    ) {
        let titles: Vec<String> =
            ["CEO-Bench: Can Agents Run İt?", "Straße für Ａgenten im Überblick", "検索拡張生成の評価：長文を例に", ""]
                .map(str::to_owned)
                .to_vec();
        let signs = ["- ", "1. ", "\n", "\n\n", "**", "Hit 2", "#3", "[4]", ": ", " – not relevant"];
        let piece = |(kind, length): &(usize, usize)| match signs.get(*kind) {
            Some(sign) => (*sign).to_owned(),
            None => titles[*length % titles.len()].chars().take(*length).collect(),
        };
        let text: String = pieces.iter().map(piece).collect();
        let answer = Answer { text: &text, titles: &titles, ..Answer::default() };
        let choosing = Reader::new("items", json!({
            "type": "object", "required": ["items"],
            "properties": {"items": schema()["properties"]["items"]}
        })).unwrap();
        for read in [choosing.read(&answer), choosing.read_partial(&answer), choosing.read_mentioned(&answer)] {
            let Ok(reading) = read else { continue };
            if reading.rungs.contains(&Rung::Named) {
                let items = reading.value["items"].as_array().unwrap();
                prop_assert!(!items.is_empty(), "{}", text);
                for item in items {
                    prop_assert!((1..=4).contains(&item["number"].as_i64().unwrap()), "{}", text);
                }
            }
        }
    }

    #[test]
    fn any_characters_of_json_are_read_or_rejected(text in "[\\[\\]{}｛｝［］“”「：，\"':,\\\\ \n`a-c0-2<>/=|聖]{0,200}") {
        if let Ok(reading) = read(&text) {
            prop_assert!(jsonschema::is_valid(&schema(), &reading.value));
        }
    }
}

#[test]
fn a_reading_can_be_stopped() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let text = format!("So: {}", "{\"a\": 1} ".repeat(2_000));
    let faults =
        reader().read(&Answer { text: &text, stop: Some(&stop), ..Answer::default() }).unwrap_err().faults;
    assert!(faults.contains(&Fault::Stopped), "{faults:?}");
}

#[test]
fn a_truncation_is_reported_also_if_it_could_be_closed_or_an_earlier_version_is_complete() {
    let whole = json!({"notes": "Fine.", "issues": [], "score": 3, "ready": true, "items": []}).to_string();
    for text in [
        r#"{"score": 3, "ready": true, "items": [], "notes": "The second par"#.to_owned(),
        r#"{"notes": "", "issues": [], "score": 3"#.to_owned(),
        format!("{whole}\nBetter:\n{}", &whole[..20]),
    ] {
        for was_cut in [true, false] {
            let read = reader().read(&Answer { text: &text, was_cut, ..Answer::default() });
            let is_cut = read.as_ref().is_err_and(|unusable| unusable.faults == [Fault::Cut]);
            assert!(is_cut, "{text}: {read:?}");
        }
    }
    let talk = format!("{whole}\n\nI have chosen these because the");
    assert!(reader().read(&Answer { text: &talk, was_cut: true, ..Answer::default() }).is_ok());
}

#[test]
fn repairs_are_reported_with_their_fields() {
    let text = r#"Sure: {"review": {"notes": ["a", "b"], "Score": "3", "ready": "yes", "items": [], "word_count": 9,}}"#;
    let reading = read(text).unwrap();
    assert_eq!(
        reading.rungs,
        [
            Rung::Talk,
            Rung::Lenient,
            Rung::Unwrapped { fields: vec!["review".into()] },
            Rung::Renamed { fields: vec!["score".into()] },
            Rung::Retyped { fields: vec!["ready".into(), "score".into()] },
            Rung::Joined { fields: vec!["notes".into()] },
            Rung::Filled { fields: vec!["issues".into()] },
            Rung::Dropped { fields: vec!["word_count".into()] },
        ]
    );
    assert_eq!(
        serde_json::to_value(&reading.rungs[2]).unwrap(),
        json!({"rung": "unwrapped", "fields": ["review"]})
    );
}

#[test]
fn the_requested_schema_has_no_internal_keywords_and_no_fields_with_defaults() {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["number"],
        "properties": {
            "number": {"type": "integer", "default": 0},
            "why": {"type": "string", "default": ""},
            "url": {"type": "string", "default": "", "x-asked": false}
        }
    });
    let asked = Reader::new("article", schema).unwrap().asked();
    assert_eq!(asked["required"], json!(["number", "why"]));
    assert_eq!(asked["properties"], json!({"number": {"type": "integer"}, "why": {"type": "string"}}));
}

#[test]
fn an_end_of_thinking_inside_a_text_of_a_truncated_answer_begins_no_answer() {
    let value = json!({
        "notes": "It says </think>``` here", "issues": [], "score": 0, "ready": false,
        "items": [{"number": 1, "why": "It says A here"}],
    });
    let whole = mangled(&value, 17);
    for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        for was_cut in [true, false] {
            let read = reader().read(&Answer { text: &whole[..end], was_cut, ..Answer::default() });
            assert!(
                read.as_ref().is_ok_and(|reading| reading.value == value) || read.is_err(),
                "{}",
                &whole[..end]
            );
        }
    }
}

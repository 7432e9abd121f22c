//! Free text through the real clients of models: whatever a model says to an agent of plain text is the answer, word for
//! word and at the first call.

use std::sync::Arc;

use answers::{Answer, Reader, Rung};
use models::{Delivery, ProfileAccess, connect_with};
use testkit::Dialect;

use super::cases::Case;
use super::dialects::{request, server};

/// Short and odd answers; each is its own whole text.
const TEXTS: &[&str] = &[
    "42",
    "3.5",
    "-7",
    "1e6",
    "0",
    "1,200",
    "50%",
    "€ 3",
    "true",
    "false",
    "none",
    "None.",
    "null",
    "N/A",
    "n/a",
    "-",
    "…",
    "?",
    "done",
    "OK",
    "ok.",
    "Sure!",
    "Yes",
    "no",
    "Understood.",
    "I'm sorry, I can't help with that.",
    "2026-06-01",
    "12:30",
    "[1]",
    "[]",
    "{}",
    "[1, 2]",
    r#"{"a":1}"#,
    r#"{"text":"inside"}"#,
    r#"{"text": 3}"#,
    r#""quoted""#,
    "“quoted”",
    "'",
    "```\n42\n```",
    "```json\n{\"a\": 1}\n```",
    "# A heading",
    "Here is the post:\n\nIt rains.",
    "- one\n- two",
    "It rains.\n\nLet me know if you'd like any changes!",
    "It rains.\n\n---\n\nWould you like more?",
    "| a | b |\n|---|---|",
    "<b>bold</b>",
    "<answer>42</answer>",
    "<!doctype html><html></html>",
    "print(\"a\")",
    "f(x) = {x}",
    "x",
    "😀",
    "好的",
    "无",
    "なし",
    "はい",
    "ありません。",
    "نعم",
    "User: hello\nAssistant: hi",
    "She asked.\nUser: why?",
    "analysisParis",
    "text: 42",
    "thinking aloud",
    "The tag <think> opens a thought.",
    "<s>Old price 30</s>",
    "<s>Old price 30</s> New price 20",
    "<analysis>It rains.</analysis>\n<verdict>Wet</verdict>",
    "<analysis>It rains.</analysis>",
    "<reasoning>It rains.</reasoning>",
    "<reflection>It rains.</reflection>",
    "<scratchpad>2 + 2</scratchpad>\n4",
    "Tags: <think>, <answer>",
    "Tags: <|im_end|>, <|eot_id|>",
    "Use the <thinking>\ntag here.",
    "It ends with </think>",
    "First:\n</thinking>\nthen the answer.",
    "The last token is <|im_end|>",
    "Use [INST] and [/INST]",
    "<bos> is the first token.",
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>",
    "<|channel|> is a token of Harmony.",
    "a\u{a0}b",
    "first\r\nsecond",
    "trailing\n\n\n\nlines",
];

fn cases() -> Vec<Case> {
    TEXTS.iter().map(|text| Case::of_text(text)).collect()
}

async fn assert_word_for_word(provider: &str, dialect: Dialect, delivery: Delivery) {
    let cases = Arc::new(cases());
    let server = server(dialect, Arc::clone(&cases));
    let access = ProfileAccess {
        profile: "texts".into(),
        provider: provider.into(),
        base_url: server.base_url.clone(),
        key: Some("not-a-key-texts-0123456789".into()),
    };
    let model = connect_with(access, delivery).unwrap();
    let reader = Reader::of_texts("text").unwrap();
    for (place, text) in TEXTS.iter().enumerate() {
        let reply = model.answer(&request(place, None), &engine::TextSink::default()).await.unwrap();
        let read = reader.read(&Answer { text: &reply.text, thinking: &reply.thinking, ..Answer::default() });
        let read = read.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!((&read.value["text"], read.rungs.len()), (&serde_json::json!(text), 0));
    }
}

#[tokio::test]
async fn any_text_is_the_answer_of_an_agent_of_free_text_in_every_dialect() {
    for (provider, dialect) in [
        ("openai-compatible", Dialect::OpenAi),
        ("gemini", Dialect::Gemini),
        ("anthropic", Dialect::Anthropic),
        ("ollama", Dialect::Ollama),
    ] {
        for delivery in [Delivery::Streamed, Delivery::Whole] {
            assert_word_for_word(provider, dialect, delivery).await;
        }
    }
}

#[test]
fn thinking_and_marks_of_turns_are_no_part_of_a_free_text_and_an_empty_one_is_none() {
    let reader = Reader::of_texts("text").unwrap();
    let read = |text: &str| reader.read(&Answer { text, ..Answer::default() });
    for text in [
        "<think>Six times seven.</think>42",
        "<think>\nSix.\n</think>\n\n42\n",
        "[THINK]six[/THINK]42",
        "<|channel|>analysis<|message|>Six.<|end|><|start|>assistant<|channel|>final<|message|>42",
        "<|im_start|>assistant\n42<|im_end|>",
        "<|start_header_id|>assistant<|end_header_id|>\n\n42<|eot_id|>",
        "<start_of_turn>model\n42<end_of_turn>",
        "\u{feff}42</s>",
        "<s>42",
        "<think>Six.</think>\n<thinking>Still six.</thinking>\n42",
        "<think>Six, it is</think>42",
        "<|begin_of_thought|>six<|end_of_thought|><|begin_of_solution|>42<|end_of_solution|>",
        "<|START_THINKING|>Six.<|END_THINKING|><|START_RESPONSE|>42<|END_RESPONSE|>",
        "<|start|>assistant<|channel|>final<|message|>42<|return|>",
        "42<|im_end|>\n<|im_start|>user\nMore?<|im_end|>",
    ] {
        let reading = read(text).unwrap();
        assert_eq!(reading.value["text"], "42", "{text}");
        assert_eq!(reading.rungs.contains(&Rung::Thinking), text.to_lowercase().contains("six"), "{text}");
    }
    assert_eq!(read("<think>\n\n</think>\n42").unwrap().value["text"], "42");
    let about = "Close it with `</think>`, <s>never</s> with </thinking>.";
    assert_eq!(read(&format!("<think>Which tag?</think>{about}")).unwrap().value["text"], about);
    for text in [
        "<think> and </think> mark thinking.",
        "<think>, <thinking>: two tags.",
        "<think>Six times seven.</think>",
    ] {
        assert_eq!(read(text).unwrap().value["text"], text);
    }
    for text in ["", " \n", "\u{feff}", "<|im_end|>"] {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(reader.read(&Answer { text: "42", was_cut: true, ..Answer::default() }).is_err());
}

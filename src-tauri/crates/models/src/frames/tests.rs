//! The readers of all four dialects, tested with arbitrary bytes in arbitrary pieces.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::chat_completions::ChatCompletions;
use crate::generate_content::GenerateContent;
use crate::messages::Messages;
use crate::ndjson_chat::NdjsonChat;

type NewReader = fn() -> Box<dyn Reader>;

/// Each dialect with one of its streams, which says “A galley is a proof. 😀”.
const DIALECTS: [(&str, NewReader, &str); 4] = [
    (
        "chat completions",
        || Box::new(ChatCompletions::default()),
        "data: {\"choices\":[{\"delta\":{\"content\":\"A galley \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"is a proof. 😀\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n",
    ),
    (
        "messages",
        || Box::new(Messages::default()),
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":7}}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"A galley is a proof. 😀\"}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n",
    ),
    (
        "generate content",
        || Box::new(GenerateContent::default()),
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"A galley is a \"}]}}]}\r\n\r\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"proof. 😀\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":7,\"candidatesTokenCount\":3}}\r\n\r\n",
    ),
    (
        "lines of JSON",
        || Box::new(NdjsonChat::default()),
        "{\"message\":{\"content\":\"A galley is a \"},\"done\":false}\n{\"message\":{\"content\":\"proof. 😀\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true,\"prompt_eval_count\":7,\"eval_count\":3}\n",
    ),
];

struct Outcome {
    text: String,
    is_complete: bool,
    input_tokens: u32,
    broken: u32,
}

fn read(new: NewReader, bytes: &[u8], sizes: &[usize]) -> Outcome {
    let mut frames = Frames::new(new());
    let mut rest = bytes;
    let mut sizes = sizes.iter().cycle();
    let mut text = String::new();
    while !rest.is_empty() {
        let size = sizes.next().copied().unwrap_or(1).clamp(1, rest.len());
        let mut now = &rest[..size];
        while frames.next(&mut now) {}
        text.push_str(&frames.text());
        rest = &rest[size..];
    }
    frames.end();
    text.push_str(&frames.text());
    let (input_tokens, broken) = (frames.usage().input_tokens, frames.broken());
    let read = frames.read();
    Outcome { text, is_complete: read.is_complete, input_tokens, broken }
}

/// The line ends that servers use, with and without empty lines between events.
const ENDS: [&str; 6] = ["\n\n", "\r\n\r\n", "\r\r", "\n", "\r\n", "\r"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_is_read_alike_however_it_is_split_and_its_lines_end(
        sizes in prop::collection::vec(1_usize..40, 1..6),
        end in 0_usize..ENDS.len(),
        noise in 0_usize..4,
    ) {
        for (name, new, stream) in DIALECTS {
            let is_events = !stream.starts_with('{');
            let stream = if is_events { stream.replace("\r\n", "\n").replace("\n\n", "\u{1}").replace('\n', &ENDS[end][..ENDS[end].len().div_ceil(2)]).replace('\u{1}', ENDS[end]) } else { stream.to_owned() };
            let before = if is_events { [": hi\n\n", "\u{feff}", "retry: 3\n", "\n\n\n"][noise] } else { ["\n", "\u{feff}", " ", ""][noise] };
            let read = read(new, format!("{before}{stream}").as_bytes(), &sizes);
            prop_assert_eq!(&read.text, "A galley is a proof. 😀", "{}: {:?}", name, stream);
            prop_assert!(read.is_complete && read.input_tokens == 7 && read.broken == 0, "{}", name);
        }
    }

    #[test]
    fn changed_bytes_neither_block_a_reader_nor_exhaust_memory(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 0..24),
        sizes in prop::collection::vec(1_usize..200, 1..4),
    ) {
        for (name, new, stream) in DIALECTS {
            let mut bytes = stream.repeat(3).into_bytes();
            for (at, byte, what) in &changes {
                bytes.resize(bytes.len().max(2), b'{');
                let at = at.index(bytes.len());
                match what {
                    0 => bytes[at] = *byte,
                    1 => bytes.insert(at, *byte),
                    2 => _ = bytes.remove(at),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let read = read(new, &bytes, &sizes);
            prop_assert!(read.text.len() <= 3 * bytes.len(), "{}", name);
        }
    }

    #[test]
    fn any_bytes_at_all_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for (name, new, _) in DIALECTS {
            prop_assert!(read(new, &bytes, &[7]).text.len() <= 3 * bytes.len(), "{}", name);
        }
    }
}

#[test]
fn one_invalid_frame_of_many_is_skipped_and_counted() {
    for (name, new, stream) in DIALECTS {
        let broken =
            if stream.starts_with('{') { "{\"message\": \"open\n" } else { "data: {\"open\": \"\n\n" };
        let read = read(new, format!("{broken}{stream}").as_bytes(), &[50]);
        assert_eq!((read.text.as_str(), read.broken), ("A galley is a proof. 😀", 1), "{name}");
    }
}

#[test]
fn time_and_memory_grow_linearly_with_the_input() {
    let begun = Instant::now();
    for (_, new, _) in DIALECTS {
        for bytes in [
            b"\n".repeat(3_000_000),
            b"\r\n".repeat(1_000_000),
            b"data:\n".repeat(300_000),
            b"data: {},\n\n".repeat(200_000),
            b"{},".repeat(400_000),
            b"[".repeat(1_000_000),
            b"{\"a\":".repeat(200_000),
            b"data: {\"a\": \"\n".repeat(100_000),
            b": still here\n\n".repeat(100_000),
        ] {
            let read = read(new, &bytes, &[8192]);
            assert!(read.text.len() <= bytes.len());
        }
    }
    // Quadratic growth would take hours.
    assert!(begun.elapsed() < Duration::from_secs(90), "{:?}", begun.elapsed());
}

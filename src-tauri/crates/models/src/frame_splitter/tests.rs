//! The pieces of an answer, however its bytes are split.

use super::*;

/// The pieces of these bytes, whether a frame is incomplete, and the stray text. They must be the same for every split.
fn cut(bytes: &[u8]) -> (Vec<String>, bool, String) {
    let whole = cut_by(bytes, bytes.len().max(1));
    for size in [1, 2, 3, 7] {
        assert_eq!(cut_by(bytes, size), whole, "cut by {size}: {}", String::from_utf8_lossy(bytes));
    }
    whole
}

fn cut_by(bytes: &[u8], size: usize) -> (Vec<String>, bool, String) {
    let mut splitter = FrameSplitter::default();
    bytes.chunks(size).for_each(|bytes| splitter.push(bytes));
    let is_open = splitter.end();
    let word = |piece: Piece| match piece {
        Piece::Value(value) => String::from_utf8_lossy(&value).into_owned(),
        Piece::Error(error) => format!("error {}", String::from_utf8_lossy(&error)),
        Piece::Broken => "broken".to_owned(),
        Piece::Done => "done".to_owned(),
    };
    let pieces = std::iter::from_fn(|| splitter.next()).map(word).collect();
    (pieces, is_open, splitter.stray())
}

fn pieces(text: &str) -> Vec<String> {
    cut(text.as_bytes()).0
}

#[test]
fn events_are_split_with_any_line_end_and_with_or_without_empty_lines() {
    for end in ["\n", "\r", "\r\n"] {
        for between in ["", end] {
            let text = format!(
                ": hello{end}event: x{end}data: {{\"a\":1}}{end}{between}id: 7{end}data:{{\"b\":[2]}}{end}{between}data: [DONE]{end}{between}"
            );
            assert_eq!(pieces(&text), [r#"{"a":1}"#, r#"{"b":[2]}"#, "done"], "{text:?}");
        }
    }
    // The last line end may be missing, and the data of an event may span lines, with or without the field name.
    assert_eq!(pieces("data: {\"a\":1}\n\ndata: [DONE]"), [r#"{"a":1}"#, "done"]);
    assert_eq!(pieces("data: {\ndata:   \"a\": 1\ndata: }\n\n"), ["{\n  \"a\": 1\n}"]);
    assert_eq!(pieces("data: {\"a\": \"one\n\ntwo\"}\n\ndata: {}\n"), ["{\"a\": \"one\n\ntwo\"}", "{}"]);
}

#[test]
fn values_are_split_one_per_line_over_many_lines_and_in_a_list() {
    for text in
        ["{\"a\":1}\n{\"b\":[2]}\n", "{\"a\":1}{\"b\":[2]}", "\u{feff}\r\n [{\"a\":1},\n{\"b\":[2]}\n]"]
    {
        assert_eq!(pieces(text), [r#"{"a":1}"#, r#"{"b":[2]}"#], "{text:?}");
    }
    let over_lines = "{\n  \"a\": [\n    {\"b\": \"}\\\"\"}\n  ]\n}";
    assert_eq!(pieces(over_lines), [over_lines]);
}

#[test]
fn an_invalid_frame_loses_only_itself() {
    let events =
        "data: {\"a\": \"open\ndata: {\"b\":1}\n\ndata: soon\n\ndata: {\"c\":\n\ndata: {\"d\":1}\n\n";
    assert_eq!(pieces(events), ["broken", r#"{"b":1}"#, "broken", "broken", r#"{"d":1}"#]);
    assert_eq!(pieces("{\"a\": \"open\n{\"b\":1}\n{\"c\":1}\n"), ["broken", r#"{"b":1}"#, r#"{"c":1}"#]);
    assert_eq!(pieces("data: {\"a\":\ndata: [DONE]\n"), ["broken", "done"]);
    for text in ["data: {\"a\": [", "{\"a\": \"", "[{\"a\":1},{\"b\""] {
        assert!(cut(text.as_bytes()).1, "{text}");
    }
}

#[test]
fn errors_and_pages_are_distinguished_from_frames() {
    assert_eq!(pieces("error: {\"code\":500}\n\n"), ["error {\"code\":500}"]);
    assert_eq!(pieces("event: error\ndata: {\"x\":1}\n\ndata: {}\n\n"), ["error {\"x\":1}", "{}"]);
    assert_eq!(pieces("event: error\ndata: too many\n\n"), ["error too many"]);
    let (none, _, stray) = cut(b"<html>\n<b>502 Bad Gateway</b>");
    assert_eq!((none.len(), stray.as_str()), (0, "<html>\n<b>502 Bad Gateway</b>"));
    let (none, _, stray) = cut(b"Internal Server Error\n");
    assert_eq!((none.len(), stray.as_str()), (0, "Internal Server Error "));
}

#[test]
fn a_million_empty_lines_or_brackets_take_little_time_and_memory() {
    for bytes in [b"\n".repeat(4_000_000), b"\r\n".repeat(2_000_000), b"data:\n".repeat(700_000)] {
        let begun = std::time::Instant::now();
        let mut splitter = FrameSplitter::default();
        for bytes in bytes.chunks(1000) {
            splitter.push(bytes);
            assert!(splitter.next().is_none() && splitter.line.capacity() < 64);
        }
        // Quadratic time took a minute; linear time stays far below this limit even on a busy machine.
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
    let mut splitter = FrameSplitter::default();
    while !splitter.is_too_long() {
        splitter.push(&b"{\"a\":[".repeat(10_000));
    }
    splitter.push(&[b'['; 100_000]);
    assert!(splitter.scan.bytes.len() <= MOST_OF_ONE + 1);
}

//! Texts that are designed to consume time, memory or stack. Time is limited by steps, not by the clock.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something unexpected comes")]

mod samples;

use answers::{Answer, Fault, MAX_BYTES, Reader};
use peak_alloc::PeakAlloc;

use samples::read;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Most bytes of memory for reading an answer of 1 MiB.
const MOST: usize = 24 << 20;

#[test]
fn hostile_texts_are_read_within_bounded_memory_and_stack() {
    let megabyte = MAX_BYTES - 16;
    let unit = |unit: &str| unit.repeat(megabyte / unit.len());
    let texts = [
        format!("\"{}", "[".repeat(50_000)),
        unit("["),
        unit("{"),
        unit("{\"a\":"),
        unit("[{\"a\":["),
        unit(" "),
        unit("\n"),
        unit("\""),
        unit("\","),
        unit("{},"),
        format!("[{}]", unit("{},")),
        unit("{\"score\": 1}"),
        unit("{\"score\":\"a\" \"b\":"),
        unit("</think>"),
        unit("<think>{"),
        unit("{\"a\": \"</think>"),
        unit("\\"),
        unit("(a="),
        unit("//"),
        unit("/*"),
        unit("'\"`"),
        unit("score: 1\n"),
        unit("<score>"),
        unit("> "),
        unit("{\\\""),
        unit("{&quot;"),
        format!("{{\"notes\": \"{}\"", unit("\\u00e9")),
        format!("{{\"score\": 1, \"ready\": true, \"issues\": [{}\"a\"], \"items\": []}}", unit("\"a\",")),
        format!("score: 1\nready: yes\nitems: []\nissues:\n{}", unit("- a\n")),
    ];
    for text in texts {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let outcome = std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn({
                let text = text.clone();
                move || read(&text).is_ok()
            })
            .unwrap()
            .join()
            .unwrap();
        assert!(!outcome, "{text:.30}");
        let taken = MEMORY.peak_usage() - before;
        assert!(taken < MOST, "{text:.30} took {} MB", taken >> 20);
    }
    let long = "x".repeat(MAX_BYTES + 1);
    assert_eq!(read(&long).unwrap_err().faults, [Fault::TooLong { most: MAX_BYTES }]);
}

#[test]
fn hostile_free_texts_are_read_within_bounds_too() {
    let unit = |unit: &str| unit.repeat((MAX_BYTES - 16) / unit.len());
    let reader = Reader::of_texts("text").unwrap();
    for text in [
        unit("<think></think>"),
        unit("<think>`</think>` "),
        format!("<think>{}", unit("a </think> b")),
        unit("<s>"),
        unit("</s>"),
        unit("<|im_end|>"),
        unit("<|im_end|><|im_start|>"),
        unit("<|channel|>final"),
        unit("["),
    ] {
        // Either result is fine, as long as the call returns.
        let _ = reader.read(&Answer { text: &text, ..Answer::default() });
    }
}

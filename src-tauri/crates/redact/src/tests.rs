//! The key in every form, whole and in pieces.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::*;

const KEY: &str = "sk-proj-Ab3/xY+9qLmN0pRsTuVw";

fn cleaned(words: &str) -> String {
    clean(words, Some(&SecretString::from(KEY)))
}

#[test]
fn a_key_is_covered_in_every_form_and_part_of_it() {
    let encoded = |text: &str| STANDARD_NO_PAD.encode(text);
    let echoes = [
        format!("Incorrect key {KEY}."),
        format!("Incorrect key {}***", &KEY[..12]),
        format!("Incorrect key ***{}", &KEY[KEY.len() - 9..]),
        format!("url ?key={}", utf8_percent_encode(KEY, NON_ALPHANUMERIC)),
        format!("header {}", encoded(&format!("user:{KEY}"))),
        format!("header {}", encoded(&format!("u:{KEY}!")).replace('+', "-").replace('/', "_")),
        format!("shouted {}", KEY.to_uppercase()),
    ];
    for echo in echoes {
        let shown = cleaned(&echo);
        assert!(shown.contains(PLACEHOLDER), "{shown}");
        for window in KEY.as_bytes().windows(WINDOW) {
            let window = std::str::from_utf8(window).unwrap();
            assert!(!shown.to_lowercase().contains(&window.to_lowercase()), "{shown}");
        }
        assert!(!shown.contains(&encoded(KEY)[4..16]), "{shown}");
    }
}

#[test]
fn words_without_the_key_stay_and_are_folded_and_cut() {
    assert_eq!(cleaned("  Überlastet,\n\tbitte  warten \u{0}"), "Überlastet, bitte warten");
    let long = cleaned(&"字".repeat(40_000));
    assert_eq!(long.chars().count(), MOST_KEPT);
    assert!(long.ends_with('…'));
    assert_eq!(clean("a b", None), "a b");
}

#[test]
fn a_key_in_an_answer_is_covered_wherever_it_is_cut_and_all_else_comes_through() {
    let key = SecretString::from(KEY);
    let text = format!("Is {KEY} yours? sk-proj-A is none, 字 neither; {}", &KEY[..20]);
    for size in 1..text.chars().count() {
        let mut redactor = Redactor::of(Some(&key));
        let pieces: Vec<char> = text.chars().collect();
        let mut shown: String =
            pieces.chunks(size).map(|piece| redactor.pass(&piece.iter().collect::<String>())).collect();
        shown.push_str(&redactor.rest());
        // Where the first piece of a key is too short to be held, it is all that is seen of it.
        for start in ["sk-", "sk", "s"] {
            shown = shown.replace(&format!("{start}[key]"), "[key]");
        }
        assert_eq!(shown, "Is [key] yours? sk-proj-A is none, 字 neither; [key]", "{size}");
    }
    let redactor = Redactor::of(Some(&key));
    let value = serde_json::json!({"q": [format!("a {KEY}"), 7], KEY: null});
    assert_eq!(redactor.json(value), serde_json::json!({"q": ["a [key]", 7], "[key]": null}));
    let mut open = Redactor::of(Some(&SecretString::from("ollama")));
    assert_eq!(open.pass("ollama") + &open.rest(), "ollama");
}

#[test]
fn a_short_key_is_covered_as_a_whole() {
    assert_eq!(clean("key hunter2 is wrong", Some(&SecretString::from("hunter2"))), "key [key] is wrong");
}

/// The key as whoever wants to hide it may write it.
fn encodings() -> Vec<(&'static str, String)> {
    let each = |write: &dyn Fn(u8) -> String| KEY.bytes().map(write).collect::<String>();
    let json = each(&|byte| format!("\\u{byte:04x}"));
    vec![
        ("plain", KEY.to_owned()),
        ("json", json.clone()),
        ("json in upper case", each(&|byte| format!("\\u{byte:04X}"))),
        ("json in json", json.replace('\\', "\\\\")),
        (
            "every other character",
            KEY.char_indices()
                .map(|(at, c)| if at % 2 == 0 { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) })
                .collect(),
        ),
        ("slashes", KEY.replace('/', "\\/")),
        ("percent", each(&|byte| format!("%{byte:02x}"))),
        ("percent twice", each(&|byte| format!("%25{byte:02X}"))),
        ("entities", each(&|byte| format!("&#{byte};"))),
        ("entities in hex", each(&|byte| format!("&#x{byte:X};"))),
        ("names", KEY.replace('/', "&sol;").replace('+', "&plus;")),
        ("hex", each(&|byte| format!("{byte:02x}"))),
        ("hex apart", KEY.bytes().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")),
        ("backwards", KEY.chars().rev().collect()),
        ("base64", STANDARD.encode(KEY)),
        ("base64 inside", STANDARD.encode(format!("user:{KEY}"))),
        ("base64 twice", STANDARD.encode(STANDARD.encode(KEY))),
        ("base64 twice inside", STANDARD.encode(format!("x{}", STANDARD.encode(format!("Bearer {KEY}"))))),
    ]
}

#[test]
fn a_key_is_covered_in_every_encoding_whole_and_in_pieces_and_json_stays_json() {
    let key = SecretString::from(KEY);
    for (name, written) in encodings() {
        let text = format!("{{\"a\\n\": \"it is {written}, a\\tkey\", \"b\": [1, \"字\"]}}");
        let before: Value = serde_json::from_str(&text).unwrap();
        let mut shown = vec![redact_text(&text, Some(&key)), Redactor::of(Some(&key)).whole(&text)];
        for size in [1, 2, 3, 5, 8, 13, 64] {
            let mut redactor = Redactor::of(Some(&key));
            let characters: Vec<char> = text.chars().collect();
            let pieces = characters.chunks(size).map(|piece| piece.iter().collect::<String>());
            let mut all: String = pieces.map(|piece| redactor.pass(&piece)).collect();
            all.push_str(&redactor.rest());
            shown.push(all);
        }
        shown.push(Redactor::of(Some(&key)).json(before.clone()).to_string());
        for shown in shown {
            assert!(shown.contains(PLACEHOLDER), "{name}: {shown}");
            let value: Value =
                serde_json::from_str(&shown).unwrap_or_else(|error| panic!("{name}: {error}: {shown}"));
            assert_eq!(value["b"], before["b"], "{name}: {shown}");
            let rest = value["a\n"].as_str().unwrap();
            assert!(rest.starts_with("it is ") && rest.ends_with(", a\tkey"), "{name}: {shown}");
            // But for the ends, which are too short to tell, nothing is left of it.
            assert!(rest.len() < 60, "{name}: {shown}");
        }
    }
}

#[test]
fn covering_beside_a_backslash_or_in_place_of_a_number_leaves_json() {
    let key = SecretString::from("ncf78d0eb4a917756");
    let text =
        r#"{"a": "C:\\ncf78d0eb4a917756", "b": "x\ncf78d0eb4a917756", "c": "\u006ecf78d0eb4a917756\\"}"#;
    let shown = redact_text(text, Some(&key));
    let value: Value = serde_json::from_str(&shown).unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert!(!shown.contains("f78d0eb4"), "{shown}");
    assert!(value["c"].as_str().unwrap().ends_with('\\'), "{shown}");
    let digits = SecretString::from("123456789012345678");
    let shown = redact_text(
        r#"{"n": 123456789012345678, "m": [5, -99123456789012345678], "t": "is 123456789012345678"}"#,
        Some(&digits),
    );
    assert_eq!(shown, r#"{"n": 0, "m": [5, -990], "t": "is [key]"}"#);
    let numbers = Redactor::of(Some(&digits)).json(serde_json::json!({"n": 123456789012345678_u64, "m": 7}));
    assert_eq!(numbers, serde_json::json!({"n": "[key]", "m": 7}));
}

#[test]
fn a_long_text_without_the_key_comes_through_as_it_is_and_at_once() {
    let key = SecretString::from(KEY);
    let text = "sk-proj, \\u00e9 100 % &amp; 字 ".repeat(40_000);
    assert_eq!(Redactor::of(Some(&key)).whole(&text), text);
    let mut redactor = Redactor::of(Some(&key));
    let pieces: Vec<char> = text.chars().take(60_000).collect();
    let begun = std::time::Instant::now();
    let shown: String =
        pieces.chunks(4).map(|piece| redactor.pass(&piece.iter().collect::<String>())).collect();
    assert!(text.starts_with(&(shown + &redactor.rest())));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

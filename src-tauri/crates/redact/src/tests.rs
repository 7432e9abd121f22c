//! The key in every form, whole and in pieces.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;

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
        // A first piece that is too short to be held is all that is shown of the key.
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

/// A key in an encoding that hides it.
struct Written {
    /// The parts of the text, each one character of the key or of its encoding.
    parts: Vec<String>,
    /// The most consecutive parts that may be shown.
    most: usize,
    /// The text before and behind, which was encoded together with the key.
    around: [String; 2],
}

impl Written {
    fn each(key: &str, write: impl Fn(u8) -> String) -> Written {
        Written {
            parts: key.bytes().map(write).collect(),
            most: ANSWER_WINDOW - 1,
            around: Default::default(),
        }
    }

    fn hex(key: &str, write: impl Fn(u8) -> String) -> Written {
        // Two digits per byte.
        Written { most: ANSWER_WINDOW / 2 - 1, ..Written::each(key, write) }
    }

    /// Base64 of these bytes between others. Only the characters that depend on these bytes alone are parts.
    fn base64(self, before: &str, after: &str, of_addresses: bool) -> Written {
        let start = before.len() + self.around[0].len();
        let inner = self.parts.concat();
        let whole = format!("{before}{}{inner}{}{after}", self.around[0], self.around[1]);
        let whole = if of_addresses { URL_SAFE.encode(whole) } else { STANDARD.encode(whole) };
        let (from, until) = ((start * 4).div_ceil(3), (start + inner.len()) * 4 / 3);
        Written {
            parts: whole[from..until].chars().map(String::from).collect(),
            most: ANSWER_WINDOW - 1,
            around: [whole[..from].to_owned(), whole[until..].to_owned()],
        }
    }

    fn text(&self) -> String {
        format!("{}{}{}", self.around[0], self.parts.concat(), self.around[1])
    }

    /// The same in a JSON string.
    fn in_json(&self) -> Written {
        let escaped = |text: &String| text.replace('\\', "\\\\").replace('\n', "\\n");
        Written {
            parts: self.parts.iter().map(escaped).collect(),
            around: self.around.each_ref().map(escaped),
            ..*self
        }
    }

    fn is_seen_in(&self, shown: &str) -> bool {
        let shown = shown.to_lowercase();
        self.parts.windows(self.most + 1).any(|parts| shown.contains(&parts.concat().to_lowercase()))
    }
}

/// Every form that is covered.
fn forms_of(key: &str) -> Vec<(String, Written)> {
    let plain = || Written::each(key, |byte| char::from(byte).to_string());
    let backwards: String = key.chars().rev().collect();
    let each = |name: &str, write: fn(u8) -> String| (name.to_owned(), Written::each(key, write));
    let mut forms = vec![
        ("plain".to_owned(), plain()),
        ("backwards".to_owned(), Written::each(&backwards, |byte| char::from(byte).to_string())),
        ("backwards in hex".to_owned(), Written::hex(&backwards, |byte| format!("{byte:02x}"))),
        each("shouted", |byte| char::from(byte).to_ascii_uppercase().to_string()),
        each("json", |byte| format!("\\u{byte:04x}")),
        each("json in upper case", |byte| format!("\\u{byte:04X}")),
        each("json in json", |byte| format!("\\\\u{byte:04x}")),
        each("json in json in json", |byte| format!("\\\\\\\\u{byte:04x}")),
        each("every other character", |byte| {
            if byte % 2 == 0 { char::from(byte).to_string() } else { format!("\\u{byte:04x}") }
        }),
        each("braces", |byte| format!("\\u{{{byte:x}}}")),
        each("eight digits", |byte| format!("\\U{byte:08x}")),
        each("x", |byte| format!("\\x{byte:02x}")),
        each("x in json", |byte| format!("\\\\x{byte:02X}")),
        each("octal", |byte| format!("\\{byte:03o}")),
        each("percent", |byte| format!("%{byte:02x}")),
        each("percent twice", |byte| format!("%25{byte:02X}")),
        each("percent three times", |byte| format!("%2525{byte:02x}")),
        each("percent u", |byte| format!("%u{byte:04x}")),
        each("percent of a slash in json", |byte| format!("%5Cu{byte:04x}")),
        each("entities", |byte| format!("&#{byte};")),
        each("entities in hex", |byte| format!("&#x{byte:X};")),
        each("entities with zeros", |byte| format!("&#x{byte:06x};")),
        each("entities of entities", |byte| format!("&amp;#{byte};")),
        each("entities in percent", |byte| format!("%26%23{byte}%3B")),
        each("mail", |byte| format!("={byte:02X}")),
        each("markdown", |byte| {
            let character = char::from(byte);
            if byte.is_ascii_punctuation() { format!("\\{character}") } else { character.to_string() }
        }),
        each("a line each", |byte| format!("{}\\\n", char::from(byte))),
        each("a string each", |byte| format!("{}\" + \"", char::from(byte))),
        each("a string a line each", |byte| format!("{}'\n  + '", char::from(byte))),
    ];
    for (name, between) in [
        ("", ""),
        (" apart", " "),
        (" by colons", ":"),
        (" by dashes", "-"),
        (" by lines", "\n"),
        (" by commas", ", 0x"),
    ] {
        forms.push((format!("hex{name}"), Written::hex(key, |byte| format!("{byte:02x}{between}"))));
        forms.push((format!("HEX{name}"), Written::hex(key, |byte| format!("{byte:02X}{between}"))));
    }
    let places = ["", "u", "u:"];
    for (before, of_addresses) in places.iter().flat_map(|before| [(before, false), (before, true)]) {
        let once = || plain().base64(before, "!", of_addresses);
        forms.push((format!("base64 behind {before:?} {of_addresses}"), once()));
        for (outer, outer_of_addresses) in places.iter().flat_map(|outer| [(outer, false), (outer, true)]) {
            let name = format!("base64 behind {before:?} {of_addresses} and {outer:?} {outer_of_addresses}");
            forms.push((name, once().base64(outer, "", outer_of_addresses)));
        }
    }
    forms
}

fn in_pieces(redactor: &mut Redactor, text: &str, sizes: &[usize]) -> String {
    let characters: Vec<char> = text.chars().collect();
    let (mut shown, mut at) = (String::new(), 0);
    for size in sizes.iter().cycle() {
        if at >= characters.len() {
            break;
        }
        let end = characters.len().min(at + size);
        shown.push_str(&redactor.pass(&characters[at..end].iter().collect::<String>()));
        at = end;
    }
    shown + &redactor.rest()
}

/// Puts a form into a text of an event, and checks everything that can be shown of it.
fn assert_covered(key: &str, name: &str, form: &Written, (before, after): (&str, &str), sizes: &[usize]) {
    let secret = SecretString::from(key);
    let plain = Written::each(key, |byte| char::from(byte).to_string());
    let quoted = |text: &str| Value::from(text).to_string().trim_matches('"').to_owned();
    // Raw in a JSON string, where it is valid there; and escaped as a JSON string.
    let embedded = form.in_json();
    for form in [form, &embedded] {
        let text = format!(
            "{{\"n\": 7, \"a\\n\": \"{}<{}>{}\", \"b\": [1, \"字\", {{\"c\": -2.5e3}}]}}",
            quoted(before),
            form.text(),
            quoted(after)
        );
        let Ok(whole) = serde_json::from_str::<Value>(&text) else { continue };
        let redactor = || Redactor::of(Some(&secret));
        let shown = [
            redact_text(&text, Some(&secret)),
            redactor().whole(&text),
            in_pieces(&mut redactor(), &text, sizes),
            redactor().json(whole.clone()).to_string(),
        ];
        for (way, shown) in shown.iter().enumerate() {
            let failure = || format!("{name}, way {way}, of {text}: {shown}");
            assert!(shown.contains(PLACEHOLDER), "{}", failure());
            let value: Value =
                serde_json::from_str(shown).unwrap_or_else(|error| panic!("{error}: {}", failure()));
            assert_eq!((&value["n"], &value["b"]), (&whole["n"], &whole["b"]), "{}", failure());
            let said = value["a\n"].as_str().unwrap();
            assert!(
                said.starts_with(&format!("{before}<")) && said.ends_with(&format!(">{after}")),
                "{}",
                failure()
            );
            assert!(!form.is_seen_in(shown) && !plain.is_seen_in(said), "{}", failure());
        }
    }
}

#[test]
fn a_key_is_covered_in_every_form_whole_and_in_pieces_and_json_stays_json() {
    for (name, form) in forms_of(KEY) {
        for size in [1, 3, 8, 64] {
            assert_covered(KEY, &name, &form, ("it is ", ", a\tkey"), &[size]);
        }
    }
}

#[test]
fn a_key_in_parts_that_a_lenient_reader_joins_is_covered_with_what_joins_them() {
    let key = SecretString::from(KEY);
    for joint in ["\\\n", "\\\r\n", "\" + \"", "\"\n    + \"", "\"+\""] {
        let parts: Vec<&str> = KEY.split_inclusive(['-', '/', '+']).collect();
        let text = format!("{{\"a\": \"it is {} and \" + \"more\"}}", parts.join(joint));
        for size in 1..40 {
            let shown = in_pieces(&mut Redactor::of(Some(&key)), &text, &[size]);
            assert!(shown.ends_with(r#"[key] and " + "more"}"#), "{joint:?} {size}: {shown}");
            // Only characters that are too few to be held back are shown.
            assert!(shown.len() <= r#"{"a": "it is sk-[key] and " + "more"}"#.len() + joint.len(), "{shown}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_key_comes_out_of_any_form_at_any_place_however_it_is_cut(
        key in "[A-Za-z][A-Za-z0-9_./+-]{15,60}",
        which in any::<proptest::sample::Index>(),
        before in r#"[ -~é字\n\t\\"]{0,40}"#,
        after in r#"[ -~é字\n\t\\"]{0,40}"#,
        sizes in proptest::collection::vec(1..20_usize, 1..12),
    ) {
        let forms = forms_of(&key);
        let (name, form) = which.get(&forms);
        assert_covered(&key, name, form, (&before, &after), &sizes);
    }

    #[test]
    fn json_stays_json_where_the_key_is_digits(
        digits in "[1-9][0-9]{14,30}",
        around in ("-?", "[0-9]{0,3}", "(\\.[0-9]{1,3})?(e[0-9])?"),
        sizes in proptest::collection::vec(1..20_usize, 1..12),
    ) {
        let key = SecretString::from(digits.as_str());
        let (sign, before, after) = around;
        let before = before.trim_start_matches('0');
        let text = format!("{{\"n\": {sign}{before}{digits}{after}, \"m\": [{digits}, \"{digits}\"]}}");
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
        for shown in [Redactor::of(Some(&key)).whole(&text), in_pieces(&mut Redactor::of(Some(&key)), &text, &sizes)] {
            prop_assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{} of {}", shown, text);
            prop_assert!(!shown.contains(&digits[..ANSWER_WINDOW]), "{} of {}", shown, text);
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
    assert_eq!(shown, r#"{"n": 1, "m": [5, -991], "t": "is [key]"}"#);
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

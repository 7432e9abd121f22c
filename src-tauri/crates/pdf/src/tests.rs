use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A text of one paragraph.
fn text(words: &str) -> Value {
    let parts = json!([{ "kind": "text", "text": words }]);
    whole(
        &json!([{ "kind": "paragraph", "line": { "lang": null, "region": null, "script": "SC", "parts": parts } }]),
    )
}

fn whole(blocks: &Value) -> Value {
    json!({ "title": "Title", "lang": "en", "region": null, "script": "SC", "blocks": blocks, "notes": [] })
}

fn words_on(frame: &typst::layout::Frame, words: &mut String) {
    for (_, item) in frame.items() {
        match item {
            typst::layout::FrameItem::Group(group) => words_on(&group.frame, words),
            typst::layout::FrameItem::Text(text) => words.push_str(&text.text),
            _ => {}
        }
    }
}

/// The words on the pages, without spaces and characters that break long words.
fn words_of(pages: &Pages) -> String {
    let mut words = String::new();
    pages.0.pages().iter().for_each(|page| words_on(&page.frame, &mut words));
    without_spaces(&words)
}

fn without_spaces(words: &str) -> String {
    words.chars().filter(|c| !c.is_whitespace() && *c != '\u{200B}' && *c != '\u{AD}').collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn text_is_never_read_as_markup(
        words in "[ -~]{0,40}(#read\\(\"/etc/hostname\"\\)|\\$x\\^2\\$|@ref|<label>|\\*b\\*|_e_|\\\\u\\{41\\}|= h|//c|/\\*c)[ -~]{0,40}"
    ) {
        let pages = Pages::set(&text(&words)).unwrap();
        // The page number is at the bottom.
        prop_assert_eq!(words_of(&pages), without_spaces(&words) + "1");
    }
}

#[test]
fn a_character_without_a_font_is_named_and_nothing_is_set() {
    let error = Pages::set(&text("known and \u{10FFFD}")).err().unwrap();
    assert_eq!(error.code, Code::BadInput);
    assert!(error.message.to_string().contains("(U+10FFFD)"), "{}", error.message);
    // A character that only shapes others needs no glyph.
    Pages::set(&text("e\u{301} soft\u{AD}hyphen 👩\u{200D}👩 \u{FEFF}")).unwrap();
}

#[test]
fn a_font_file_precedes_the_other_fonts_which_set_what_it_lacks() {
    let mono = fonts::fonts().book().select_family("dejavu sans mono").next().unwrap();
    let bytes = fonts::fonts().font(mono).unwrap().data().to_vec();
    let pages = Pages::set_in(&text("words 書く"), FontFile::read(bytes).unwrap()).unwrap();
    let mut families = Vec::new();
    families_on(&pages.0.pages()[0].frame, &mut families);
    assert_eq!(families[0], "DejaVu Sans Mono");
    assert!(families.iter().any(|family| family.contains("CJK")), "{families:?}");
    assert!(FontFile::read(b"no font".to_vec()).is_none());
}

fn families_on(frame: &typst::layout::Frame, families: &mut Vec<String>) {
    for (_, item) in frame.items() {
        match item {
            typst::layout::FrameItem::Group(group) => families_on(&group.frame, families),
            typst::layout::FrameItem::Text(text) => families.push(text.font.info().family.clone()),
            _ => {}
        }
    }
}

#[test]
fn an_empty_text_is_one_page_with_a_picture_and_equal_texts_are_equal_files() {
    let empty = Pages::set(&whole(&json!([]))).unwrap();
    assert_eq!(empty.count(), 1);
    assert!(empty.first_page(0.5).unwrap().starts_with(b"\x89PNG"));
    let at = Some(jiff::Timestamp::UNIX_EPOCH);
    let file = || Pages::set(&text("words")).unwrap().pdf(at).unwrap();
    assert_eq!(file(), file());
}

#[test]
fn a_word_longer_than_the_page_breaks_within_it() {
    let pages = Pages::set(&text(&"x".repeat(400))).unwrap();
    let mut widest = 0.0_f64;
    for (_, item) in pages.0.pages()[0].frame.items() {
        if let typst::layout::FrameItem::Group(group) = item {
            widest = widest.max(group.frame.width().to_pt());
        }
    }
    assert!(widest <= pages.0.pages()[0].frame.width().to_pt(), "{widest}");
    assert_eq!(words_of(&pages).len(), 401);
}

//! Formulas, superscript digits and ruby readings keep their meaning in plain text.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::super::formula::Part;
use super::super::legible::legible;
use super::super::markup::text_of;
use super::one;

fn line(formula: &str) -> String {
    let mut reader = Reader::from_str(formula);
    let Ok(Event::Start(start)) = reader.read_event() else { panic!("{formula}") };
    Part::read(&mut reader, &start).line()
}

#[test]
fn a_formula_of_a_page_keeps_its_value_in_one_line() {
    for (parts, expected) in [
        ("<mfrac><mn>3</mn><mn>8</mn></mfrac>", "3/8"),
        ("<mn>2</mn><mfrac><mn>3</mn><mn>8</mn></mfrac><mi>cm</mi>", "2 3/8 cm"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<msup><mn>10</mn><mn>9</mn></msup>", "10^9"),
        ("<mn>3</mn><msup><mn>10</mn><mrow><mo>−</mo><mn>4</mn></mrow></msup>", "3 10^−4"),
        ("<msub><mi>x</mi><mn>1</mn></msub><mn>2</mn>", "x_1 2"),
        ("<msqrt><mi>a</mi><mo>+</mo><mn>1</mn></msqrt>", "√(a+1)"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", "∛(8)"),
        ("<mi>f</mi><mo>&#x2061;</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "f(x)"),
        ("<mfrac linethickness=\"0\"><mi>n</mi><mi>k</mi></mfrac>", "(n; k)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
            "1, 2; 3",
        ),
    ] {
        assert_eq!(line(&format!("<math>{parts}</math>")), expected, "{parts}");
    }
    let deep = format!("<math>{}x", "<msup><mi>a</mi><mrow>".repeat(100_000));
    assert!(line(&deep).contains('x'));
}

#[test]
fn the_rendering_of_a_formula_is_not_read_again() {
    let math = "<math alttext=\"a&lt;b^2\"><mi>a</mi><mo>&lt;</mo><msup><mi>b</mi><mn>2</mn></msup></math>";
    let with_source = "<math><semantics><mrow><mi>E</mi></mrow><annotation encoding=\"application/x-tex\">E=mc^2</annotation></semantics></math>";
    for (page, expected) in [
        (
            format!("<p>So <span class=\"katex\"><span class=\"katex-mathml\">{with_source}</span><span class=\"katex-html\" aria-hidden=\"true\"><span>E</span>=<span>mc2</span></span></span> holds."),
            "So E=mc^2 holds.",
        ),
        (
            "<p>So <span class=MathJax_Preview>E=mc^2</span><span class=\"MathJax\" id=M><nobr><span>E=mc2</span></nobr></span><script type=\"math/tex\" id=M1>E=mc^2</script> holds.".to_owned(),
            "So E=mc^2 holds.",
        ),
        (
            "<p>So <mjx-container class=\"MathJax\"><mjx-math aria-hidden=true></mjx-math><mjx-assistive-mml><math><mfrac><mn>1</mn><mn>4</mn></mfrac></math></mjx-assistive-mml></mjx-container> holds.".to_owned(),
            "So 1/4 holds.",
        ),
        (format!("<p>So <span style=\"display:none\">{math}</span><img alt=x> holds."), "So a<b^2 holds."),
        ("<p>So <math>unclosed holds.".to_owned(), "So unclosed holds."),
    ] {
        assert_eq!(text_of(&page), expected);
    }
    let article =
        "The town counted its ferries, and it found that they were quieter than all of those before them. "
            .repeat(8);
    let page = format!(
        "<html><head><title>Ferries</title></head><body><article><h1>Ferries</h1><p>{article}</p><p>About 3<span style=\"display: none;\">{math}</span> and 10<sup>6</sup> of <ruby>東京<rt>とうきょう</rt></ruby>です.</p></article></body></html>"
    );
    let text = one("page.html", page.as_bytes()).text;
    assert!(text.contains("About 3a<b^2 and 10^6 of 東京です."), "{text}");
}

#[test]
fn superscripts_are_powers_and_ruby_readings_do_not_split_words() {
    for (page, expected) in [
        ("10<sup>6</sup> cells in 5 cm<sup>3</sup> of H<sub>2</sub>O", "10^6 cells in 5 cm^3 of H2O"),
        ("10<sup>−3</sup> on the 20<sup>th</sup>", "10^−3 on the 20th"),
        ("2<sup>1</sup>/<sub>3</sub> cups", "2 1/3 cups"),
        ("as was shown<sup>1</sup> there<sup><a href=#n>[2]</a></sup>", "as was shown1 there[2]"),
        (
            "<ruby>東<rt>とう<rt></ruby><ruby>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>の<ruby>海<rp>（<rt>うみ<rp>）</ruby>。",
            "東京の海。",
        ),
    ] {
        assert_eq!(text_of(page), expected);
    }
}

#[test]
fn the_last_formula_of_a_long_page_keeps_its_value() {
    let half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>";
    let parts = [
        ("<math><msup><mn>10</mn><mn>7</mn></msup></math> spores".to_owned(), "10^7 spores"),
        (format!("a part of {half} of it"), "a part of 1/2 of it"),
        ("4 m<sup>2</sup> of cloth".to_owned(), "4 m^2 of cloth"),
        ("<ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>の船".to_owned(), "港の船"),
        ("<ruby>波<rt>なみ<rt></ruby>の音".to_owned(), "波の音"),
        (
            format!("Drawn <span class=katex>{half}<span class=katex-html><span>1</span>2</span></span>."),
            "Drawn 1/2.",
        ),
    ];
    // A small budget, so that it is soon used up.
    for (element, expected) in &parts {
        let text = text_of(&format!("<p>{element}</p>").repeat(200));
        assert_eq!(text.matches(expected).count(), 200, "{element}: {text}");
    }
    let all: String = parts.iter().map(|(element, _)| format!("<p>{element}</p>")).collect();
    let text = text_of(&all.repeat(200));
    for (_, expected) in &parts {
        assert_eq!(text.matches(expected).count(), 200, "{expected}");
    }
}

#[test]
fn tags_inside_scripts_styles_and_titles_remove_no_text() {
    let body = "<p>The first words.</p><p><ruby>岸<rt>きし</rt></ruby>に <math><mfrac><mn>3</mn><mn>5</mn></mfrac></math> 残る。</p>";
    for kept in [
        "<script>toggle('<rt>', \"<rp>\")</script>",
        "<script type=\"application/ld+json\">{\"@type\":\"Article\",\"name\":\"On <rt> and <math>\"}</script>",
        "<SCRIPT>var open = \"<math>\" + it, shown = '<span class=katex-html>';</SCRIPT>",
        "<script src=\"/math/tex/all.js\">/* <sup>2</sup> */</script>",
        "<style>/* <math> and <rt> */ p{}</style>",
        "<title>What <rt> is for</title>",
        "<textarea>10<sup>6</sup> <rt> <math></textarea>",
    ] {
        let page = format!("{kept}{body}");
        assert!(legible(&page).starts_with(kept), "{kept} is changed");
        assert_eq!(text_of(&page), "The first words.\n\n岸に 3/5 残る。", "{kept}");
    }
    let open = format!("{body}<script>never('<rt>ends'");
    assert_eq!(text_of(&open), "The first words.\n\n岸に 3/5 残る。");
}

#[test]
fn a_script_that_mentions_formula_sources_is_not_one() {
    let page = "<script>find('script[type=\"math/tex\"]')</script><p>So <span class=MathJax><math><mfrac><mn>1</mn><mn>7</mn></mfrac></math></span> holds.";
    assert_eq!(text_of(page), "So 1/7 holds.");
}

#[test]
fn no_words_are_lost_between_two_formulas() {
    for (page, expected) in [
        ("<p><MATH><MN>4</MN></MATH> then <math><mn>5</mn></math> left.", "4 then 5 left."),
        ("<p>Of <math>open then <math><mn>5</mn></math> left.", "Of open then 5 left."),
        ("<p><RUBY>岸<RT>きし</RT></RUBY>に<ruby>船<rt>ふね</rt></ruby>", "岸に船"),
        (
            "<p><rt-text>Own</rt-text> and <math-field>free</math-field> <rp-x>words.</rp-x>",
            "Own and free words.",
        ),
    ] {
        assert_eq!(text_of(page), expected, "{page}");
    }
}

#[test]
fn unbreakable_phrases_add_no_spaces_in_scripts_without_spaces() {
    let phrase = |words: &str| format!("<span style=\"display: inline-block\">{words}</span>");
    for (words, expected) in [
        (["朝の", "<b>静かな</b>", "港で、", "船を待つ"], "朝の静かな港で、船を待つ"),
        (
            ["<ruby>朝<rt>あさ</rt></ruby>の", "<ruby><b>港</b><rt>みなと</rt></ruby>", "です", "。"],
            "朝の港です。",
        ),
        (["早晨", "Go", "语言", "2026"], "早晨 Go 语言 2026"),
        (["Eins", "zwei", "drei", "港"], "Eins zwei drei 港"),
    ] {
        let page: String = words.iter().map(|words| phrase(words)).collect();
        assert_eq!(text_of(&format!("<p>{page}</p>")), expected);
    }
    let blocks =
        "<p><span style=\"display:block\">朝の港</span><span style=\"display:block\">船を待つ</span>";
    assert_eq!(text_of(blocks), "朝の港 船を待つ");
}

//! Formulas, raised figures and readings keep what they say when a text becomes one of plain lines.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::super::formula::Part;
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
fn what_was_made_of_a_formula_for_the_eye_is_not_read_again() {
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
fn raised_figures_are_powers_and_readings_part_no_words() {
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

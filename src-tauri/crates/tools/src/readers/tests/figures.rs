//! Numbers, formulas and list levels of Word documents keep their value.

use super::one;
use super::words::{archive, document, paragraph, part, run, text_of};

const SUPERSCRIPT: &str = "<w:vertAlign w:val=\"superscript\"/>";
const SUBSCRIPT: &str = "<w:vertAlign w:val=\"subscript\"/>";

#[test]
fn the_argument_of_a_function_is_separate_from_its_name() {
    let function = |name: &str, of: &str| {
        format!("<m:oMath><m:func><m:fName>{name}</m:fName>{}</m:func></m:oMath>", part("e", of))
    };
    let log = format!("<m:sSub>{}{}</m:sSub>", part("e", "log"), part("sub", "2"));
    let limit = format!("<m:limLow>{}{}</m:limLow>", part("e", "lim"), part("lim", "n→0"));
    let plain = |name: &str| format!("<m:r><m:t>{name}</m:t></m:r>");
    for (formula, expected) in [
        (function(&log, "64"), "log_2 64"),
        (function(&limit, "7n"), "lim_(n→0) 7n"),
        (function(&plain("cos"), "60"), "cos 60"),
        (function(&plain("cos"), "a+1"), "cos(a+1)"),
    ] {
        assert_eq!(text_of(&format!("<w:p>{formula}</w:p>"), ""), expected);
    }
    let page = "<math><mi>cos</mi><mo>&#x2061;</mo><mn>60</mn><mo>+</mo><mn>2</mn><mo>&#x2062;</mo><mn>4</mn></math>";
    assert_eq!(super::super::markup::text_of(page), "cos 60+2 4");
}

#[test]
fn a_figure_superscript_by_its_style_is_a_power() {
    let styles = "<w:styles><w:style w:type=\"character\" w:styleId=\"up\"><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>\
        <w:style w:type=\"character\" w:styleId=\"mine\"><w:basedOn w:val=\"up\"/></w:style></w:styles>";
    let text = |properties: &str| {
        let body = format!("<w:p>{}{}{}</w:p>", run("", "Some 10"), run(properties, "7"), run("", " seeds"));
        one("a.docx", &archive(&[("word/document.xml", &document(&body)), ("word/styles.xml", styles)])).text
    };
    assert_eq!(text("<w:rStyle w:val=\"up\"/>"), "Some 10^7 seeds");
    assert_eq!(text("<w:rStyle w:val=\"mine\"/>"), "Some 10^7 seeds");
    // Formatting of the run overrides its style.
    assert_eq!(text("<w:rStyle w:val=\"up\"/><w:vertAlign w:val=\"baseline\"/>"), "Some 107 seeds");
}

#[test]
fn superscript_text_in_several_runs_is_one_power() {
    let hyphen = format!("<w:r><w:rPr>{SUPERSCRIPT}</w:rPr><w:noBreakHyphen/></w:r>");
    for (runs, expected) in [
        ([run(SUPERSCRIPT, "−"), run(SUPERSCRIPT, "9")].concat(), "Some 10^−9 m"),
        ([hyphen, run(SUPERSCRIPT, "9")].concat(), "Some 10^-9 m"),
        ([run(SUPERSCRIPT, "1"), run(SUPERSCRIPT, ""), run(SUPERSCRIPT, "2")].concat(), "Some 10^12 m"),
        ([run(SUPERSCRIPT, "0"), run(SUPERSCRIPT, ".5")].concat(), "Some 10^0.5 m"),
        ([run(SUPERSCRIPT, "th"), run(SUPERSCRIPT, "")].concat(), "Some 10th m"),
    ] {
        let body = format!("<w:p>{}{runs}{}</w:p>", run("", "Some 10"), run("", " m"));
        assert_eq!(text_of(&body, ""), expected);
    }
    let last = format!("<w:p>{}{}</w:p>", run("", "An area of 8 m"), run(SUPERSCRIPT, "2"));
    assert_eq!(text_of(&last, ""), "An area of 8 m^2");
}

#[test]
fn superscript_and_subscript_around_a_slash_are_a_fraction() {
    for (runs, expected) in [
        ([run(SUPERSCRIPT, "3"), run("", "/"), run(SUBSCRIPT, "4")].concat(), "Use 5 3/4 l"),
        ([run(SUPERSCRIPT, "3"), run("", "⁄"), run(SUBSCRIPT, "4")].concat(), "Use 5 3⁄4 l"),
        ([run(SUPERSCRIPT, "3/"), run(SUBSCRIPT, "4")].concat(), "Use 5 3/4 l"),
        ([run(SUPERSCRIPT, "3"), run(SUBSCRIPT, "/4")].concat(), "Use 5 3/4 l"),
        ([run(SUPERSCRIPT, "3"), run("", "/ml")].concat(), "Use 5^3/ml l"),
        ([run(SUPERSCRIPT, "3"), run("", "/H"), run(SUBSCRIPT, "2"), run("", "O")].concat(), "Use 5^3/H2O l"),
    ] {
        let body = format!("<w:p>{}{runs}{}</w:p>", run("", "Use 5"), run("", " l"));
        assert_eq!(text_of(&body, ""), expected);
    }
}

#[test]
fn an_item_sets_its_level_and_its_style_the_list() {
    let styles = "<w:styles><w:style w:styleId=\"I\"><w:pPr><w:numPr><w:numId w:val=\"3\"/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId=\"J\"><w:basedOn w:val=\"I\"/><w:pPr><w:numPr><w:ilvl w:val=\"2\"/></w:numPr></w:pPr></w:style></w:styles>";
    let level = "<w:numFmt w:val=\"bullet\"/>";
    let lists = format!(
        "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\">{level}</w:lvl><w:lvl w:ilvl=\"1\">{level}</w:lvl><w:lvl w:ilvl=\"2\">{level}</w:lvl></w:abstractNum><w:num w:numId=\"3\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>"
    );
    let body = [
        paragraph("<w:pStyle w:val=\"I\"/>", "Boats"),
        paragraph("<w:pStyle w:val=\"I\"/><w:numPr><w:ilvl w:val=\"1\"/></w:numPr>", "Ferries"),
        paragraph("<w:pStyle w:val=\"J\"/>", "Quiet ones"),
    ];
    let file = archive(&[
        ("word/document.xml", &document(&body.concat())),
        ("word/styles.xml", styles),
        ("word/numbering.xml", &lists),
    ]);
    assert_eq!(one("a.docx", &file).text, "- Boats\n   - Ferries\n      - Quiet ones");
}

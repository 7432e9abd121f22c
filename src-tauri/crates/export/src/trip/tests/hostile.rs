//! Names with markup and control characters.

use super::*;
use crate::tests::paper::poppler;

const NAME: &str = "<script>alert(1)</script>]]>&\"'\n\u{202E}`[x](javascript:alert(1)) ;,\\\u{1}#{}";

fn hostile() -> TripPlan {
    let mut plan = trip_of(
        "en",
        stop("station", NAME, (0.0, 0.0), None),
        vec![stop("a\"><b>", NAME, (300.0, 0.0), Some(NAME)), stop("b", "plain", (0.0, 300.0), None)],
    );
    plan.title = NAME.to_owned();
    plan.language = "en\"><script>".to_owned();
    plan.time_zone = Some(NAME.to_owned());
    plan.remarks = vec![NAME.to_owned()];
    plan.attributions = vec![
        Attribution {
            name: NAME.to_owned(),
            url: "javascript:alert(1)".to_owned(),
            licence: NAME.to_owned(),
        },
        Attribution {
            name: NAME.to_owned(),
            url: "https://a.example/\"><script>".to_owned(),
            licence: NAME.to_owned(),
        },
    ];
    plan.details.insert(
        "a\"><b>".to_owned(),
        StopDetails {
            local_name: format!("{NAME}{NAME}"),
            title: NAME.to_owned(),
            color: "\"><script>".to_owned(),
            scene: NAME.to_owned(),
            address: NAME.to_owned(),
            admission: NAME.to_owned(),
            description: NAME.to_owned(),
            picture: "https://spy.example/a.png".to_owned(),
            origin: NAME.to_owned(),
            origin_url: "data:text/html,<script>".to_owned(),
        },
    );
    plan
}

/// The name as it is displayed: on one line, without control characters.
const SHOWN: &str = "<script>alert(1)</script>]]>&\"' `[x](javascript:alert(1)) ;,\\#{}";

#[test]
fn in_xml_a_name_is_text() {
    for id in ["gpx", "kml"] {
        let all = elements(&text(&hostile(), id));
        assert!(all.iter().all(|(name, ..)| name != "script"));
        let names: Vec<&str> =
            all.iter().filter(|(name, ..)| name == "name").map(|(.., text)| text.as_str()).collect();
        assert!(names.iter().filter(|name| name.ends_with(SHOWN)).count() >= 3, "{names:?}");
        // It is escaped also for programs that read it as HTML.
        let descriptions = all.iter().filter(|(name, ..)| name == "description");
        assert!(descriptions.into_iter().all(|(.., text)| !text.contains("<script")));
        let links = all.iter().flat_map(|(_, attributes, _)| attributes.get("href"));
        assert_eq!(links.count(), 0);
    }
}

#[test]
fn the_page_has_no_active_content_and_makes_no_requests() {
    let page = text(&hostile(), "map");
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'"));
    assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("spy.example"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&amp;&quot;&#39;"), "{page}");
    for address in page.split("href=\"").skip(1) {
        assert!(address.starts_with('#'), "{}", &address[..40]);
    }
    for part in page.split(['=', '(']).filter(|part| part.contains("//")) {
        assert!(!part.trim_start_matches('"').starts_with("//"), "{part}");
    }
    assert!(!page.contains("url("));
    let calm = text(&uji("ja"), "map");
    assert!(calm.contains("<html lang=\"ja\">") && calm.contains("<h2>旅程</h2>"), "{calm}");
    assert!(calm.contains("href=\"https://www.openstreetmap.org/copyright\""));
    assert!(text(&uji("zh"), "map").contains("<html lang=\"zh-Hans\">"));
}

#[test]
fn a_name_in_a_calendar_ends_no_property() {
    let calendar = text(&hostile(), "ics");
    let unfolded = calendar.replace("\r\n ", "");
    for line in unfolded.split("\r\n").filter(|line| !line.is_empty()) {
        let name: String = line.chars().take_while(|c| c.is_ascii_uppercase() || *c == '-').collect();
        let known = [
            "BEGIN",
            "END",
            "VERSION",
            "PRODID",
            "CALSCALE",
            "X-WR-CALNAME",
            "X-WR-CALDESC",
            "X-WR-TIMEZONE",
            "UID",
            "DTSTAMP",
            "DTSTART",
            "DTEND",
            "SUMMARY",
            "LOCATION",
            "GEO",
            "DESCRIPTION",
        ];
        assert!(known.contains(&name.as_str()), "{line}");
    }
    assert!(unfolded.contains("\\;\\,\\\\#{}"), "{unfolded}");
    assert!(calendar.chars().all(|c| !c.is_control() || c == '\r' || c == '\n'));
}

#[test]
fn in_the_list_of_links_only_the_links_are_links() {
    let html = comrak::markdown_to_html(&text(&hostile(), "links"), &comrak::Options::default());
    for address in html.split("href=\"").skip(1) {
        assert!(address.starts_with("https://www.google.com/maps/dir/?api=1"), "{html}");
    }
    assert_eq!(html.matches("<a ").count(), 1, "{html}");
    assert!(!html.contains("<script"), "{html}");
}

#[test]
fn numbers_have_enough_contrast_with_their_colours() {
    use crate::trip::color::Color;
    for (text, css, ink) in [
        ("#ffd54f", "#ffd54f", "#000000"),
        ("#6A1B9A", "#6a1b9a", "#ffffff"),
        ("#000000", "#000000", "#ffffff"),
        ("#ffffff", "#ffffff", "#000000"),
        ("#777777", "#777777", "#000000"),
        ("", "#1a4f9c", "#ffffff"),
        ("red", "#1a4f9c", "#ffffff"),
        ("#+12345", "#1a4f9c", "#ffffff"),
        ("#12345é", "#1a4f9c", "#ffffff"),
        ("#fff", "#1a4f9c", "#ffffff"),
    ] {
        let color = Color::read(text);
        assert_eq!((color.css().as_str(), color.ink()), (css, ink), "{text}");
    }
}

#[test]
fn a_name_in_the_booklet_is_text_without_links() {
    let pdf = exported(&hostile(), "booklet").bytes;
    let text = poppler("pdftotext", &pdf, &["-"]);
    let words: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{200B}').collect();
    let shown: String = SHOWN.chars().filter(|c| !c.is_whitespace()).collect();
    assert!(words.contains(&shown), "{words}");
    let links = poppler("pdfinfo", &pdf, &["-url"]);
    assert!(!links.contains("javascript") && !links.contains("data:"), "{links}");
}

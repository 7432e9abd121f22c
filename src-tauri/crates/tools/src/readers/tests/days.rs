//! Dates in all supported formats; an instant gives the same day in every kind of file.

use super::super::dates;
use super::super::head_day::day_in_head;
use super::one;

#[test]
fn days_are_found_in_every_style_of_date() {
    assert!(dates::patterns_are_sound());
    for (text, day) in [
        ("2026-06-12", "2026-06-12"),
        ("\"2026-06-12\"", "2026-06-12"),
        ("2026-06-12T08:30:00Z", "2026-06-12"),
        ("2026-06-12T23:30:00-07:00", "2026-06-12"),
        ("20260612", "2026-06-12"),
        ("2026-06-12T08:30:00", "2026-06-12"),
        ("2026-06-12 08:30", "2026-06-12"),
        ("Fri, 12 Jun 2026 08:30:00 +0000", "2026-06-12"),
        ("Fri, 12 Jun 2026 08:30:00 GMT", "2026-06-12"),
        ("Mon, 12 Jun 2026 08:30:00 +0000", "2026-06-12"),
        ("2026/6/2", "2026-06-02"),
        ("2026年6月2日", "2026-06-02"),
        ("12 June 2026", "2026-06-12"),
        ("June 2, 2026", "2026-06-02"),
        ("Jun 2, 2026", "2026-06-02"),
        ("D:20260612083000+09'00'", "2026-06-12"),
        // Formats of other programs and languages.
        ("Sat, 30 May 2026 16:03:00 GMT+0000", "2026-05-30"),
        ("Sat, 30 May 2026 09:00:00 GMT+0800 (CST)", "2026-05-30"),
        ("SAT,30 MAY 2026 02:23:01", "2026-05-30"),
        ("Sat, May 30 2026 04:45:26 +0000", "2026-05-30"),
        ("Sat May 30 04:45:26 UTC 2026", "2026-05-30"),
        ("Sat, 30 May 26 08:00:00 JST", "2026-05-30"),
        ("Fri, 30 May 2026 08:00:00 GMT", "2026-05-30"),
        ("2026-05-30 08:00:00", "2026-05-30"),
        ("2026年5月30日（土）08:00", "2026-05-30"),
        ("２０２６年５月３０日", "2026-05-30"),
        ("2026년 5월 30일", "2026-05-30"),
        ("sab, 30 mag 2026 18:55:00 GMT", "2026-05-30"),
        ("mar, 02 giu 2026 18:55:00 GMT", "2026-06-02"),
        ("Samstag, 30. Mai 2026", "2026-05-30"),
        ("1er juillet 2026", "2026-07-01"),
        ("30 de mayo de 2026", "2026-05-30"),
        ("30 мая 2026 г.", "2026-05-30"),
        ("1st July 2026", "2026-07-01"),
        ("July 1st, 2026", "2026-07-01"),
        ("Jul. 1, 2026", "2026-07-01"),
        ("Sept. 5, 2026", "2026-09-05"),
        // 24:00 is the beginning of the next day.
        ("2026-05-30T24:00:00Z", "2026-05-31"),
        // Seconds and milliseconds since 1970.
        ("1780099200", "2026-05-30"),
        ("1780099200000", "2026-05-30"),
        ("1780099200000.0", "2026-05-30"),
        ("1780099200.25", "2026-05-30"),
        ("946728000", "2000-01-01"),
        ("946728000000", "2000-01-01"),
        // Read as `YYYYMMDD` the first eight digits would be in the year 1710.
        ("1710122300", "2024-03-11"),
        // A day followed by its hour.
        ("2026070415", "2026-07-04"),
        // Formats of Hungary, Finland, printed pages and East Asian feeds.
        ("2026. július 4.", "2026-07-04"),
        ("2026. szept. 14.", "2026-09-14"),
        ("4. heinäkuuta 2026", "2026-07-04"),
        ("4 heinäkuu 2026", "2026-07-04"),
        ("4TH JULY 2026", "2026-07-04"),
        ("2ND OF JULY 2026", "2026-07-02"),
        ("土, 4 7月 2026", "2026-07-04"),
        ("토, 4 7월 2026 08:30:00 +0900", "2026-07-04"),
    ] {
        assert_eq!(dates::day(text).as_deref(), Some(day), "{text}");
    }
    for text in [
        "",
        "yesterday",
        "2026-13-01",
        "2026-02-30",
        "0000-00-00",
        "12",
        "2026-06-12x",
        "2026-06-12-1",
        "June 2026",
        "4 May",
        "5 June 12 people",
        "10 out of 2026 pages",
        "05/06/2026",
        "PT5M",
        "12345678",
        "2026079915x",
        "4. kuuta 2026",
        "P3D",
        "日日日日日日",
        "D:日本語",
    ] {
        assert_eq!(dates::day(text), None, "{text}");
    }
}

#[test]
fn the_date_of_an_article_is_found_in_the_lines_above_its_text() {
    for (head, day) in [
        ("A title\n\nPublished: June 24, 2026\n\nText.", "2026-06-24"),
        ("# A title\n\nBy Dana Whitlock | 9 June 2026\n\nText.", "2026-06-09"),
        ("# A title\n\n*Sunita Rao, health — 22 June 2026*\n\nText.", "2026-06-22"),
        ("Published: Monday 29 June 2026", "2026-06-29"),
        ("Published 4 June 2026 by Ann Lee, legal affairs of the paper, with two others.", "2026-06-04"),
        ("Berlin, 20. Juni 2026", "2026-06-20"),
        ("Published: 26/06/2026", "2026-06-26"),
        ("作者：王林 2026年6月2日", "2026-06-02"),
        (
            "Quiet ferries\n\nPARIS, 10 June 2026 — The first ferry without an engine of oil left the harbour this morning, and the ministry said on 18 June 2026 that ten more would follow before the year is over.",
            "2026-06-10",
        ),
        (
            "NEW YORK, June 10, 2026 (Reuters) - Shares rose on the news that a model had been trained at a tenth of the usual cost, its makers said.",
            "2026-06-10",
        ),
        (
            "Berlin, 20. Juni 2026 – Das Ministerium teilte mit, dass die Fähren ab dem kommenden Jahr ohne Diesel fahren sollen, und zwar auf allen Linien.",
            "2026-06-20",
        ),
        ("新华社北京2026年6月10日电（记者王林）新模型的训练成本降低了一半。", "2026-06-10"),
        ("【東京=2026年6月10日】新しいモデルの費用は半分になった。", "2026-06-10"),
        ("Date: 10 June 2026. The first of three reports.", "2026-06-10"),
    ] {
        assert_eq!(day_in_head(head).as_deref(), Some(day), "{head}");
    }
    for head in [
        "Published: 05/06/2026",
        "The plant was opened on 5 June 2026.",
        "What the ministry said on 5 June 2026 about chips and what it had said a year before that",
        "The firm, its maker said on 18 June 2026, is sold",
        "The ministry said on 18 June 2026",
        "By 10 June 2026 the plan will be complete.",
        "Dated habits of 10 June 2026 stay.",
        "The deal of 10 June 2026 — which nobody had expected — was cancelled a week later, the company said, and its price was not told to anybody who asked for it.",
        "On 10 June 2026 — a Wednesday — the company told its investors that the model had been withdrawn, and that no other would take its place in this year.",
        "公司于2026年6月10日宣布新模型的训练成本降低了一半。",
        "Since 2026\n\nRoom 20260\n\nhttps://example.org/2026/06/05",
    ] {
        assert_eq!(day_in_head(head), None, "{head}");
    }
}

#[test]
fn an_instant_is_the_same_day_in_a_feed_a_page_front_matter_and_a_record() {
    // In UTC it is another day.
    for (instant, day) in
        [("2026-05-30T22:30:00-05:00", "2026-05-30"), ("2026-06-02T03:00:00+09:00", "2026-06-02")]
    {
        let files = [
            (
                "feed.xml",
                format!(
                    "<rss version=\"2.0\"><channel><item><title>T</title><description>D</description><pubDate>{instant}</pubDate></item></channel></rss>"
                ),
            ),
            (
                "atom.xml",
                format!(
                    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><id>a</id><updated>{instant}</updated><entry><title>T</title><id>b</id><updated>{instant}</updated><summary>S</summary></entry></feed>"
                ),
            ),
            (
                "page.html",
                format!(
                    "<title>T</title><meta property=\"article:published_time\" content=\"{instant}\"><p>Words."
                ),
            ),
            ("note.md", format!("---\ntitle: T\ndate: {instant}\n---\nWords.")),
            ("lines.jsonl", format!("{{\"title\":\"T\",\"summary\":\"S\",\"published\":\"{instant}\"}}")),
        ];
        for (name, text) in files {
            assert_eq!(one(name, text.as_bytes()).published.as_deref(), Some(day), "{name}");
        }
    }
}

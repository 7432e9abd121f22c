//! Well-formed and malformed feeds. The short ones follow public samples (feedparser's).

use encoding_rs::EUC_JP;

use super::{error_text, folder, notes, one, read, try_one};

#[test]
fn rss_2_gives_an_entry_with_all_fields() {
    let feed = "<?xml version='1.0' encoding='UTF-8'?><rss xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" version=\"2.0\"><channel><title>Example AI Blog</title><link>https://example.com</link><atom:link href=\"https://example.com/feed.xml\" rel=\"self\"/><item><title>Agents &amp; tools</title><link>https://example.com/agents</link><description>&lt;img src=\"x\"/&gt;A &lt;b&gt;short&lt;/b&gt; summary &amp;amp; more.</description><category>Research</category><author>mark@example.org (Mark)</author><pubDate>Fri, 12 Jun 2026 00:00:00 +0000</pubDate></item><item><title>Second</title><description>Short.</description><content:encoded><![CDATA[<p>The whole <i>text</i>.</p><p>Second paragraph.</p>]]></content:encoded></item></channel></rss>";
    let documents = try_one("blog.xml", feed.as_bytes()).unwrap();
    let first = &documents[0];
    assert_eq!((first.title.as_str(), first.text.as_str()), ("Agents & tools", "A short summary & more."));
    assert_eq!(first.url.as_deref(), Some("https://example.com/agents"));
    assert_eq!(first.published.as_deref(), Some("2026-06-12"));
    assert_eq!(
        (first.source.as_str(), first.origin.as_str()),
        ("Example AI Blog", "https://example.com/feed.xml")
    );
    assert_eq!(first.categories, ["Research"]);
    assert_eq!(documents[1].text, "The whole text.\n\nSecond paragraph.");
}

#[test]
fn rdf_and_atom_and_json_feeds_are_read() {
    let rdf = "<?xml version=\"1.0\" encoding=\"utf-8\"?><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns=\"http://purl.org/rss/1.0/\"><channel rdf:about=\"http://www.example.org/index.rdf\"><title>Sample Feed</title><link>http://www.example.org/</link><description>For documentation only</description></channel><item rdf:about=\"http://www.example.org/1\"><title>First of all</title><link>http://example.org/1.html</link><description>Some words.</description><dc:creator>Aaron</dc:creator><dc:date>2026-05-30T14:23:54-06:00</dc:date></item></rdf:RDF>";
    let document = one("sample.rdf", rdf.as_bytes());
    assert_eq!((document.title.as_str(), document.source.as_str()), ("First of all", "Sample Feed"));
    assert_eq!(
        (document.published.as_deref(), document.authors.as_slice()),
        (Some("2026-05-30"), ["Aaron".to_owned()].as_slice())
    );

    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>原子</title><id>urn:1</id><updated>2026-06-12T18:30:02Z</updated><entry><title type=\"html\">論文 &lt;b&gt;一&lt;/b&gt;</title><link href=\"https://example.com/1\"/><id>urn:2</id><updated>2026-06-11T18:30:02Z</updated><author><name>山田</name></author><summary>要約です。</summary></entry></feed>";
    let document = one("feed", atom.as_bytes());
    assert_eq!((document.title.as_str(), document.text.as_str()), ("論文 一", "要約です。"));
    assert_eq!(document.published.as_deref(), Some("2026-06-11"));
    assert_eq!(document.authors, ["山田"]);

    let numbers = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"J\",\"items\":[{\"id\":7,\"title\":\"T\",\"content_text\":\"Words.\",\"date_published\":1780099200}]}";
    assert_eq!(one("feed.json", numbers.as_bytes()).published.as_deref(), Some("2026-05-30"));
    let json = b"{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"J\",\"items\":[{\"id\":\"1\",\"title\":\"T\",\"url\":\"https://example.com/j\",\"content_text\":\"Words.\",\"date_published\":\"2026-06-12T00:00:00Z\"}]}";
    assert_eq!(one("feed.json", json).text, "Words.");
}

#[test]
fn malformed_feeds_are_repaired() {
    let no_version = b"<!--\nDescription: no version, an entity of HTML, a stray ampersand\n-->\n<!DOCTYPE rss [<!ENTITY x \"y\">]>\n<rss><channel><title>found</title><item><title>Q&A &nbsp;&eacute;t&eacute; &lt;1&gt;</title><description><![CDATA[a & b]]></description></item></channel></rss>";
    let document = one("odd.xml", no_version);
    assert_eq!((document.title.as_str(), document.text.as_str()), ("Q&A été <1>", "a & b"));

    let declared = "<?xml version=\"1.0\" encoding=\"EUC-JP\"?><rss version=\"2.0\"><channel><item><title>新製品の話題</title><description>これはとてもよい。</description></item></channel></rss>";
    assert_eq!(one("feed.xml", &EUC_JP.encode(declared).0).title, "新製品の話題");
    let undeclared = "<rss>\n<channel>\n<item>\n<title>新製品の話題</title>\n<description>これはとてもよいゲームです。</description></item></channel></rss>";
    assert_eq!(one("feed.xml", &EUC_JP.encode(undeclared).0).text, "これはとてもよいゲームです。");
    let wrong = "<?xml version=\"1.0\" encoding=\"us-ascii\"?><rss version=\"0.94\"><channel><item><title>日本</title></item></channel></rss>";
    assert_eq!(one("feed.xml", wrong.as_bytes()).title, "日本");
}

#[test]
fn an_entry_with_an_unreadable_date_has_no_day_and_a_note() {
    let item = |title: &str, date: &str| {
        format!(
            "<item><title>{title}</title><description>Words.</description><pubDate>{date}</pubDate></item>"
        )
    };
    let items = [
        item("One", "SAT,30 MAY 2026 02:23:01"),
        item("Two", "on Whit Sunday"),
        item("Three", "sab, 30 mag 2026 18:55:00 GMT+0000"),
    ];
    let feed = format!("<rss version=\"2.0\"><channel><title>S</title>{}</channel></rss>", items.concat());
    let folder = folder(&[("feed.xml", feed.as_bytes())]);
    let (documents, reported) = read(&folder.path().join("feed.xml"));
    let days: Vec<Option<String>> =
        documents.unwrap().into_iter().map(|document| document.published).collect();
    assert_eq!(days, [Some("2026-05-30".to_owned()), None, Some("2026-05-30".to_owned())]);
    assert_eq!(notes(&reported), ["1 of its dates could not be read; their entries have no day"]);
}

#[test]
fn the_date_of_a_feed_is_not_used_for_its_entries() {
    let feed = |date: &str, entries: &str| {
        format!(
            "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>S</title><lastBuildDate>{date}</lastBuildDate><pubDate>{date}</pubDate>{entries}</channel></rss>"
        )
    };
    let whole = feed(
        "never",
        "<item><title>One</title><pubDate>4 July 2026</pubDate></item><item><title>Two</title><pubDate> </pubDate></item>",
    );
    let torn = feed(
        "never",
        "<item><title>One</title><pubDate>soon</pubDate><dc:date>later</dc:date></item><item><pubDate>soon</pubDate></item>",
    );
    let folder = folder(&[("whole.xml", whole.as_bytes()), ("torn.xml", torn.as_bytes())]);
    let (documents, reported) = read(&folder.path().join("whole.xml"));
    let documents = documents.unwrap();
    assert_eq!(
        (documents[0].published.as_deref(), documents[1].published.as_deref()),
        (Some("2026-07-04"), None)
    );
    assert_eq!(notes(&reported), Vec::<String>::new());
    let (_, reported) = read(&folder.path().join("torn.xml"));
    assert_eq!(
        notes(&reported),
        [
            "1 of 2 entries are empty or too many and were left out",
            "1 of its dates could not be read; their entries have no day"
        ]
    );
}

#[test]
fn too_many_entries_of_a_feed_are_cut_and_counted() {
    let rss = |number: usize| {
        format!(
            "<item><title>Entry {number}</title><description><![CDATA[An </item> & <b>more</b>]]></description></item>"
        )
    };
    let atom = |number: usize| {
        format!(
            "<a:entry><a:title>Entry {number}</a:title><a:id>urn:{number}</a:id><a:content type=\"xhtml\"><entry>Words</entry></a:content></a:entry>"
        )
    };
    let rdf = |number: usize| {
        format!(
            "<item rdf:about=\"urn:{number}\"><title>Entry {number}</title><link>https://example.org/{number}</link></item >"
        )
    };
    for (total, head, entry, tail) in [
        (
            5_000,
            "<rss version=\"2.0\"><channel><title>S</title><!-- <item> -->",
            &rss as &dyn Fn(usize) -> String,
            "</channel></rss>",
        ),
        (
            5_203,
            "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\"><a:title>S</a:title><a:id>urn:s</a:id>",
            &atom,
            "</a:feed>",
        ),
        (
            5_001,
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\"><channel><title>S</title><items/></channel>",
            &rdf,
            "</rdf:RDF>",
        ),
        // A feed that needs repair.
        (5_203, "<rss><channel><title>S &nbsp; T</title>", &rss, "</channel></rss>"),
    ] {
        let entries: String = (1..=total).map(entry).collect();
        let feed = format!("{head}{entries}{tail}");
        let folder = folder(&[("feed.rss", feed.as_bytes())]);
        let (documents, reported) = read(&folder.path().join("feed.rss"));
        let documents = documents.unwrap();
        assert_eq!((documents.len(), documents[4_999].title.as_str()), (5_000, "Entry 5000"), "{head}");
        let left = total - 5_000;
        let note = format!("{left} of {total} entries are empty or too many and were left out");
        assert_eq!(notes(&reported), Vec::from_iter((left > 0).then_some(note)), "{head}");
    }
}

#[test]
fn unreadable_feeds_give_an_error_message() {
    assert!(
        error_text("broken.rss", b"<!--\nDescription: illformed XML\n-->\n<rss version=\"2.0\">\n</rss\n")
            .contains("could not be understood")
    );
    assert!(error_text("doctype.xml", b"<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\" \"http://site.invalid/\"><rss><channel><title>found</title></channel></rss>").contains("no entries"));
    assert!(error_text("words.rss", b"just words").contains("no feed"));
    let deep = format!("<rss version=\"2.0\"><channel><item><title>{}", "<b>".repeat(300_000));
    assert!(error_text("deep.rss", deep.as_bytes()).contains("nested deeper"));
    let laughs = "<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><rss version=\"2.0\"><channel><item><title>&b;</title></item></channel></rss>";
    let _any = try_one("laughs.xml", laughs.as_bytes());
}

//! The library from the terminal: files of every kind imported, found, cited and removed.

use std::path::Path;

use super::galley::Galley;

const RSS: &str = r#"<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>
<item><title>Zeppelin retrieval</title><link>https://example.org/z</link>
<pubDate>Fri, 12 Jun 2026 08:00:00 GMT</pubDate><description>Airships index their passages.</description></item>
</channel></rss>"#;
const CHINESE: &str = "---\ntitle: 检索增强生成的新基准\ndate: 2026-06-20\nurl: https://example.org/zh\n---\n\
    研究人员提出了一个新的检索增强生成基准，覆盖中文医疗问答。该基准包含三千个问题。";
const JAPANESE: &str = "---\ntitle: 聖地巡礼の経路\ndate: 2026-06-21\n---\n\
    本研究は聖地巡礼の経路を最適化する手法を提案する。実験では歩行距離が二割短くなった。";

#[test]
fn files_of_every_kind_are_imported_once_found_by_their_words_and_removed() {
    let galley = Galley::new();
    for (name, content) in [
        ("shelf/zh.md", CHINESE),
        ("shelf/ja.md", JAPANESE),
        ("shelf/plain.txt", "Quokkas\n\nQuokkas are measured with bounding boxes."),
        (
            "shelf/page.html",
            "<html><title>Wombats</title><body><p>Wombats dig \u{201c}cubes\u{201d}.</p></body></html>",
        ),
        ("shelf/feed.xml", RSS),
        ("shelf/records.jsonl", "{\"title\":\"Numbats\",\"text\":\"Numbats retrieve termites.\"}\n"),
    ] {
        galley.file(name, content);
    }
    let shelf = galley.file("shelf/bad.txt", b"caf\xe9 \xff\xfe\x00");
    let shelf = std::path::Path::new(&shelf).parent().unwrap().to_str().unwrap();
    let told = galley.run(["library", "import", shelf]).ok();
    let undated = "; 3 without a date, which a search by date finds last";
    assert_eq!(told.out, format!("6 added, 0 already there, 1 skipped{undated}\n"));
    told.says(&["Skipped", "bad.txt", "UTF-8"]);
    let again = galley.run(["library", "import", shelf]).ok().out;
    assert_eq!(again, format!("0 added, 6 already there, 1 skipped{undated}\n"));

    let mut id = String::new();
    for (words, title) in [
        ("增强生成", "检索增强生成的新基准"),
        ("医疗", "检索增强生成的新基准"),
        ("聖地巡礼", "聖地巡礼の経路"),
        ("歩行距離", "聖地巡礼の経路"),
        ("bounding quokkas", "Quokkas"),
        ("wombats cubes", "Wombats"),
        ("airships", "Zeppelin retrieval"),
        ("termites", "Numbats"),
    ] {
        let found = galley.run(["library", "search", words]).ok().out;
        let rows: Vec<&str> = found.lines().skip(1).collect();
        assert!(rows.len() == 1 && rows[0].contains(title), "{words}: {found}");
        id = rows[0].split(' ').next().unwrap().to_owned();
    }
    galley.run(["library", "remove", &id]).ok();
    let told = galley.run(["library", "search", "termites"]).ok();
    assert_eq!((told.out.as_str(), told.err.as_str()), ("", "Nothing is found in the library\n"));
    assert_eq!(galley.run(["library", "list"]).ok().out.lines().count(), 1 + 600 + 5);

    // What was imported is what the news are made of.
    let told = galley.news("检索增强生成", &["--json"]).ok().result();
    let article = &told["state"]["search_results"]["articles"][0];
    assert_eq!(
        (&article["title"], &article["url"]),
        (&"检索增强生成的新基准".into(), &"https://example.org/zh".into())
    );
    assert!(told["output"].as_str().unwrap().contains("[1]"), "{}", told["output"]);
}

#[test]
fn what_cannot_be_imported_is_told_and_leaves_the_library_as_it_was() {
    let galley = Galley::new();
    let bad = galley.file("refused/bad.txt", b"caf\xe9 \xff\xfe\x00");
    let pdf = galley.file("refused/cut.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog");
    let empty = galley.file("refused/empty.md", "");
    for (file, words) in [
        (bad.as_str(), &["bad.txt", "UTF-8", "import it again"][..]),
        (&pdf, &["cut.pdf"]),
        (&empty, &["empty.md"]),
        ("/no/such/file.md", &["/no/such/file.md", "not found"]),
    ] {
        galley.run(["library", "import", file]).exits(2).says(words);
    }
    let folder = Path::new(&empty).parent().unwrap().to_str().unwrap();
    galley.run(["library", "import", folder]).exits(2).says(&["bad.txt", "UTF-8", "cut.pdf", "empty.md"]);
    galley.run(["library", "remove", "doc-none"]).exits(2).says(&["doc-none", "List the library"]);
    assert_eq!(galley.run(["library", "list"]).ok().out.lines().count(), 1 + 600);
}

#[test]
fn a_file_without_a_day_is_news_behind_dated_ones_and_is_called_undated_in_the_window_the_text_and_the_export()
 {
    let galley = Galley::new();
    let file = galley.file(
        "notes/clinic.md",
        "# Discharge letters in our clinic\n\nOur clinic tried a language model on 412 discharge letters. The model named \
         the right medicine in 94 % of the letters. The ministry said on 18 June 2026 that letters would follow elsewhere.",
    );
    let told = galley.run(["library", "import", &file]).ok();
    assert_eq!(
        told.out,
        "1 added, 0 already there, 0 skipped; 1 without a date, which a search by date finds last\n"
    );

    // Behind ten of the sample, of which one gives way.
    let told = galley.news("language models", &["--json"]).ok().result();
    let hits = told["state"]["search_hits"]["hits"].as_array().unwrap();
    let days: Vec<&str> = hits.iter().map(|hit| hit["published"].as_str().unwrap()).collect();
    assert_eq!((days.len(), days.iter().position(|day| *day == "undated")), (10, Some(9)), "{days:?}");

    let told = galley.news("discharge letters", &["--json"]).ok().result();
    let article = &told["state"]["search_results"]["articles"][0];
    assert_eq!(
        (&article["title"], &article["published"]),
        (&"Discharge letters in our clinic".into(), &"undated".into())
    );
    let text = told["output"].as_str().unwrap();
    assert!(text.contains("[1] (undated)"), "{text}");
    let failed: Vec<_> = told["state"]["draft_checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["passed"] == false)
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    let exported = galley.run(["export", "last", "--format", "md"]).ok().out;
    assert!(exported.contains("clinic.md, undated"), "{exported}");
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("undated files of your own: 1"), "{journal}");
}

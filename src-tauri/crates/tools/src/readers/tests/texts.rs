//! Markdown, plain text and records, in common encodings.

use std::ops::ControlFlow;

use encoding_rs::{EUC_JP, GB18030, SHIFT_JIS};

use super::{Progress, error_text, folder, notes, one, read, read_path};

#[test]
fn the_front_matter_of_a_markdown_file_is_used() {
    let text = "---\ntitle: \"検索拡張生成: 入門\"\ndate: 2026-06-12 # announced\nauthor: [\"山田 花子\", 'Bo Chen']\ntags:\n  - RAG\n  - \"検索\"\nurl: https://example.com/rag\nnested:\n  title: no\n---\n\n# Another heading\n\n本文です。\n";
    let document = one("記事.md", text.as_bytes());
    assert_eq!(document.title, "検索拡張生成: 入門");
    assert_eq!(document.published.as_deref(), Some("2026-06-12"));
    assert_eq!(document.authors, ["山田 花子", "Bo Chen"]);
    assert_eq!(document.categories, ["RAG", "検索"]);
    assert_eq!(document.url.as_deref(), Some("https://example.com/rag"));
    assert_eq!(document.text, "# Another heading\n\n本文です。");
    assert_eq!((document.source.as_str(), document.origin.as_str()), ("記事.md", "記事.md"));

    let toml = one("t.md", b"+++\ntitle = 'Of TOML'\ndate = 2026-06-12T10:00:00Z\n+++\nText.");
    assert_eq!((toml.title.as_str(), toml.published.as_deref()), ("Of TOML", Some("2026-06-12")));
}

#[test]
fn an_invalid_yaml_entry_affects_only_itself() {
    for (head, title) in [
        ("title: 'Ann''s \"ferry\": quiet'", "Ann's \"ferry\": quiet"),
        ("title: \"Ann said \\\"no\\\": a ferry\"", "Ann said \"no\": a ferry"),
        ("title: >-\n  A ferry\n  is quiet\ndate: 2026-06-12", "A ferry is quiet"),
        ("title: |\n  A ferry", "A ferry"),
        (
            "title: Ferries: a report # not a comment of one's own",
            "Ferries: a report # not a comment of one's own",
        ),
        ("bad: [a, {b\ntitle: A ferry", "A ferry"),
        ("title: 1.10", "1.10"),
    ] {
        assert_eq!(one("a.md", format!("---\n{head}\n---\nText.").as_bytes()).title, title, "{head}");
    }
    let people = "---\ntitle: T\nauthors:\n- name: Ann Lee\n  mail: a@example.org\n- {given: Bo, family: Chen}\ndate: 12. Juni 2026\n---\nText.";
    let document = one("a.md", people.as_bytes());
    assert_eq!(document.authors, ["Ann Lee", "Bo Chen"]);
    assert_eq!(document.published.as_deref(), Some("2026-06-12"));
    // Each alias would expand to ten of the one before.
    let lines: String =
        (1..40).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", "))).collect();
    let bomb =
        format!("---\na0: &a0 x\n{lines}tags: *a39\ntitle: Sound\ndeep: {}\n---\nText.", "[".repeat(20_000));
    assert_eq!(one("a.md", bomb.as_bytes()).title, "Sound");
}

#[test]
fn null_values_are_ignored() {
    let head =
        "---\ntitle: null\nauthor: ~\ntags: [lake, null, ~, \"null\"]\ndate: NULL\n---\n# Ferries\n\nText.";
    let document = one("a.md", head.as_bytes());
    assert_eq!((document.title.as_str(), document.published), ("Ferries", None));
    assert_eq!(
        (document.authors.len(), document.categories),
        (0, vec!["lake".to_owned(), "null".to_owned()])
    );
    let both = one("a.md", b"---\ntitle: T\nauthor: Ann Lee\nauthors: null\n---\nText.");
    assert_eq!(both.authors, ["Ann Lee"]);
}

#[test]
fn published_outranks_created() {
    for (head, day) in [
        ("created: 2019-03-04\ndate: 2026-07-04", "2026-07-04"),
        ("date: 2026-07-04\ncreated: 2019-03-04", "2026-07-04"),
        ("created: 2019-03-04", "2019-03-04"),
        ("created: 2019-03-04\ndate: someday", "2019-03-04"),
    ] {
        let document = one("a.md", format!("---\n{head}\n---\nText.").as_bytes());
        assert_eq!(document.published.as_deref(), Some(day), "{head}");
    }
}

#[test]
fn an_invalid_toml_entry_affects_only_itself() {
    let head = "+++\ntitle = \"A ferry\ndate = 2026-7-4\nauthors = [\n  \"Ann Lee\", # the first\n  \"Bo Chen\",\n]\ntags = [lake]\nsource = 'The Harbour'\n[extra]\nsource = 'no'\n+++\nText.";
    let document = one("a.md", head.as_bytes());
    assert_eq!((document.title.as_str(), document.source.as_str()), ("A ferry", "The Harbour"));
    assert_eq!(document.published.as_deref(), Some("2026-07-04"));
    assert_eq!(document.authors, ["Ann Lee", "Bo Chen"]);
}

#[test]
fn metadata_lines_are_read_and_removed_from_the_text() {
    let text = "# Quiet ferries\nPublished: 11 June 2026\n**Source:** The Harbour Times, by Ann Lee\n\nThe ferry left.\n\nSource: the ministry";
    for (name, title) in [("a.md", "Quiet ferries"), ("a.txt", "# Quiet ferries")] {
        let document = one(name, text.as_bytes());
        assert_eq!(document.title, title);
        assert_eq!(document.source, "The Harbour Times");
        assert_eq!(document.authors, ["Ann Lee"]);
        assert_eq!(document.published.as_deref(), Some("2026-06-11"));
        assert_eq!(document.text, "# Quiet ferries\n\nThe ferry left.\n\nSource: the ministry");
    }
    let linked = one(
        "b.md",
        "来源：[港口报](https://example.org/a)\n日期：2026年6月2日\n\n# 渡轮\n\n正文。".as_bytes(),
    );
    assert_eq!((linked.source.as_str(), linked.url.as_deref()), ("港口报", Some("https://example.org/a")));
    assert_eq!((linked.published.as_deref(), linked.text.as_str()), (Some("2026-06-02"), "# 渡轮\n\n正文。"));
    // A sentence with a label word, or such a line further down, is part of the text.
    for text in [
        "# T\n\nSource: a spring in the hills is where the river begins.",
        "One.\n\nTwo.\n\nThree.\n\nSource: The Daily",
    ] {
        let document = one("c.md", text.as_bytes());
        assert_eq!((document.source.as_str(), document.text.as_str()), ("c.md", text));
    }
}

#[test]
fn without_front_matter_the_first_heading_outside_code_is_the_title() {
    let cases = [
        ("```sh\n# no heading\n```\n\n## The *real* [heading](https://x.y) ##\n\ntext", "The real heading"),
        ("    # code\n\nWords\n=====\n\ntext", "Words"),
        ("\u{feff}# 見出し\r\n\r\n本文", "見出し"),
        ("---\n\n# After a rule\n", "After a rule"),
        ("---\ntitle: unclosed\n# Head", "Head"),
        ("no heading at all", "name"),
        ("#no heading\n\n#", "name"),
    ];
    for (text, title) in cases {
        assert_eq!(one("name.md", text.as_bytes()).title, title, "{text:?}");
    }
}

#[test]
fn the_title_of_a_text_file_is_its_separate_first_line() {
    assert_eq!(one("notes.txt", b"A title\n\nAnd text.").title, "A title");
    assert_eq!(one("notes.txt", b"A sentence that begins.\n\nAnd text.").title, "notes");
    assert_eq!(one("notes.txt", b"First line\nsecond line").title, "notes");
}

#[test]
fn east_asian_encodings_are_read_and_others_are_not_guessed() {
    let japanese = "検索拡張生成は、外部の文書を読んで答えるしくみです。モデルが知らないことも答えられます。";
    let chinese = "检索增强生成是一种让模型先查找资料再回答问题的方法，它的结果可以核对。";
    for (bytes, text) in [
        (SHIFT_JIS.encode(japanese).0.into_owned(), japanese),
        (EUC_JP.encode(japanese).0.into_owned(), japanese),
        (GB18030.encode(chinese).0.into_owned(), chinese),
    ] {
        assert_eq!(one("notes.txt", &bytes).text, text);
    }
    let wide =
        |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let little = [b"\xff\xfe".to_vec(), wide(japanese, u16::to_le_bytes)].concat();
    let big = [b"\xfe\xff".to_vec(), wide(chinese, u16::to_be_bytes)].concat();
    assert_eq!(one("notes.txt", &little).text, japanese);
    assert_eq!(one("notes.md", &big).text, chinese);
    assert_eq!(one("notes.txt", &wide("no mark here", u16::to_le_bytes)).text, "no mark here");
    for latin in [
        b"caf\xe9 au lait, r\xe9sum\xe9 et na\xefvet\xe9".as_slice(),
        b"\xc4rger \xfcber gro\xdfe \xd6fen",
        b"\xff\xfe\x00",
        b"zero \0 inside, and \xff",
    ] {
        assert!(error_text("notes.txt", latin).contains("save it as UTF-8"));
    }
}

#[test]
fn records_are_read_and_invalid_lines_are_reported_by_number() {
    let lines = "{\"id\":\"arXiv:1\",\"title\":\"One\",\"url\":\"https://arxiv.org/abs/1\",\"source\":\"arXiv\",\"published\":\"2026-06-01\",\"summary\":\"First.\",\"authors\":[\"A\",\"B\"],\"categories\":[\"cs.CL\"]}\n\nnot json\n{\"title\":\"Two\",\"summary\":\"Second.\",\"authors\":\"One Name\",\"published\":\"June\"}\n{\"title\":\"no text\"}\n{\"title\":7,\"summary\":\"x\"}\n";
    let folder = folder(&[("data.jsonl", lines.as_bytes())]);
    let (documents, reported) = read(&folder.path().join("data.jsonl"));
    let documents = documents.unwrap();
    assert_eq!(documents.len(), 2);
    assert_eq!(
        (documents[0].source.as_str(), documents[0].published.as_deref()),
        ("arXiv", Some("2026-06-01"))
    );
    assert_eq!(documents[0].authors, ["A", "B"]);
    assert_eq!((documents[1].source.as_str(), documents[1].published.as_deref()), ("data.jsonl", None));
    assert_eq!(documents[1].authors, ["One Name"]);
    assert_eq!(
        notes(&reported),
        [
            "3 of 5 lines are no records and were left out: line 3, 5, 6",
            "1 of its dates could not be read; their entries have no day"
        ]
    );
    assert!(error_text("bad.jsonl", b"1\n2\n").contains("none of its 2 lines"));
}

#[test]
fn the_fields_of_a_record_may_have_other_shapes() {
    let lines = [
        r#"{"title":"One","summary":"S","authors":[{"name":"Ann Lee"},{"given":"Bo","family":"Chen"},"Cid"],"published":1780099200,"categories":{"term":"cs.CL"},"source":{"name":"arXiv"}}"#,
        r#"{"title":"Two","content":"S","author":{"name":"Ann Lee"},"date":"30 May 2026","published":null,"tags":["a",7],"url":4}"#,
        r#"{"title":"Three","abstract":"S","published":[2026,5,30],"date":"another","text":null,"summary":5}"#,
        r#"{"title":"Four","text":"S","published":1780099200000,"authors":null}"#,
        r#"{"title":"Five","text":"S","published":{"raw":"2026-05-30"}}"#,
    ];
    let folder = folder(&[("a.jsonl", lines.join("\n").as_bytes())]);
    let (documents, reported) = read(&folder.path().join("a.jsonl"));
    let documents = documents.unwrap();
    assert_eq!((documents.len(), notes(&reported)), (5, vec![]));
    assert!(
        documents.iter().all(|document| document.published.as_deref() == Some("2026-05-30")),
        "{documents:?}"
    );
    assert_eq!(documents[0].authors, ["Ann Lee", "Bo Chen", "Cid"]);
    assert_eq!(
        (documents[0].categories.as_slice(), documents[0].source.as_str()),
        (["cs.CL".to_owned()].as_slice(), "arXiv")
    );
    assert_eq!(
        (documents[1].authors.as_slice(), documents[1].categories.len()),
        (["Ann Lee".to_owned()].as_slice(), 2)
    );
}

#[test]
fn the_first_non_empty_field_of_a_record_counts() {
    let lines = [
        r#"{"title":"One","summary":"S","published":"","date":"2026-07-04","authors":[],"author":"Ann Lee"}"#,
        r#"{"title":"Two","summary":"S","published":" ","date":["2026","7","4"],"authors":[""],"author":"Ann Lee"}"#,
        r#"{"title":"Three","summary":"S","published":"soon","date":[2026,7,4,8,30],"authors":{},"author":["Ann Lee"]}"#,
        r#"{"title":"Four","summary":"S","published":1783123200000.0,"authors":"Ann Lee"}"#,
        r#"{"title":"Five","summary":"S","published":["2026-07-04","2026-07-05","2026-07-06"],"authors":"Ann Lee"}"#,
    ];
    let folder = folder(&[("a.jsonl", lines.join("\n").as_bytes())]);
    let (documents, reported) = read(&folder.path().join("a.jsonl"));
    let documents = documents.unwrap();
    assert_eq!((documents.len(), notes(&reported)), (5, vec![]));
    for document in documents {
        assert_eq!(
            (document.published.as_deref(), document.authors),
            (Some("2026-07-04"), vec!["Ann Lee".to_owned()])
        );
    }
    let empty = br#"{"title":"One","summary":"S","published":"","date":null}"#;
    let empty = super::folder(&[("a.jsonl", empty)]);
    assert_eq!(notes(&read(&empty.path().join("a.jsonl")).1), Vec::<String>::new());
}

#[test]
fn a_few_invalid_bytes_do_not_change_the_encoding() {
    let chinese = "检索增强生成是一种让模型先查找资料再回答问题的方法，它的结果可以核对。";
    let english =
        "A galley is the proof that a writer and a reviewer mark up before anything is printed. ".repeat(4);
    for (text, wrong) in
        [(chinese.to_owned(), b"\xb0".as_slice()), (english.clone(), b"\xe9"), (english, b"\x92")]
    {
        for at in [0, text.len() / 2, text.len()] {
            let at = text.floor_char_boundary(at);
            let (before, after) = text.split_at(at);
            let bytes = [before.as_bytes(), wrong, after.as_bytes()].concat();
            let read = one("notes.txt", &bytes).text;
            assert_eq!(read.replace('\u{fffd}', "").trim(), text.trim(), "{at}");
        }
        // Truncated in the middle of a character, as in a partial download.
        let cut = [text.as_bytes(), &"字".as_bytes()[..2]].concat();
        assert_eq!(one("notes.txt", &cut).text.replace('\u{fffd}', "").trim(), text.trim());
    }
    let declared = "<?xml version=\"1.0\" encoding=\"EUC-JP\"?><rss version=\"2.0\"><channel><item><title>新製品の話題がたくさんあります</title></item></channel></rss>";
    let mut bytes = EUC_JP.encode(declared).0.into_owned();
    let at = EUC_JP.encode(declared.split_once("がたくさん").unwrap().0).0.len();
    bytes.insert(at, 0xff);
    assert!(one("feed.xml", &bytes).title.starts_with("新製品の話題"));
}

#[test]
fn big5_is_read() {
    let taiwanese = "檢索增強生成是一種讓模型先查找資料再回答問題的方法，它的結果可以核對。這個做法在學界和產業都有人使用。";
    let bytes = encoding_rs::BIG5.encode(taiwanese).0.into_owned();
    assert_eq!(one("notes.txt", &bytes).text, taiwanese);
}

#[test]
fn a_file_of_many_records_is_passed_on_in_batches() {
    let record = |number: usize| format!("{{\"title\":\"Record {number}\",\"summary\":\"Words.\"}}\n");
    let lines: String = (0..2_500).map(record).collect();
    let folder = folder(&[("many.jsonl", lines.as_bytes())]);
    for path in [folder.path().join("many.jsonl"), folder.path().to_owned()] {
        let (mut parts, mut count) = (Vec::new(), 0);
        let result = read_path(
            &path,
            &mut |progress| {
                if let Progress::Read { documents, .. } = progress {
                    count = documents;
                }
                ControlFlow::Continue(())
            },
            &mut |found| {
                parts.push(found.len());
                ControlFlow::Continue(())
            },
        );
        assert_eq!((result, parts, count), (Ok(()), vec![1_000, 1_000, 500], 2_500));
    }
    let mut parts = 0;
    let stopped =
        read_path(&folder.path().join("many.jsonl"), &mut |_| ControlFlow::Continue(()), &mut |_| {
            parts += 1;
            ControlFlow::Break(())
        });
    // Once during the reading, and once with the empty rest.
    assert_eq!((stopped, parts), (Ok(()), 2));
}

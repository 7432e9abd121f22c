//! Pages and feeds in legacy encodings, with and without a declaration.

use encoding_rs::{EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use super::one;

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

#[test]
fn a_page_is_decoded_as_browsers_do() {
    let russian = "Русская заметка о паромах";
    for (head, encoding, title) in [
        ("<meta charset = windows-1251>", WINDOWS_1251, russian),
        ("<META CHARSET = 'windows-1251' >", WINDOWS_1251, russian),
        (
            "<meta http-equiv='content-type' content=\"text/html; charset = windows-1251\">",
            WINDOWS_1251,
            russian,
        ),
        (
            "<script src=a.js charset=utf-8></script><script>var c = '<meta charset=utf-8>';</script><meta charset=windows-1251>",
            WINDOWS_1251,
            russian,
        ),
        (
            "<!-- <meta charset=utf-8> --><link charset=utf-8 href=a><meta name=a content=charset><meta charset=windows-1251>",
            WINDOWS_1251,
            russian,
        ),
        ("<meta content='text/html;charset=gb2312'>", GBK, "家居的新闻"),
        ("<meta charset=Shift_JIS>", SHIFT_JIS, "渡船の記事"),
        ("<meta charset=euc-kr>", EUC_KR, "한국어 기사"),
        ("<meta charset=iso-2022-jp>", ISO_2022_JP, "日本語の記事"),
        ("", ISO_2022_JP, "日本語の記事"),
        ("<meta charset=iso-8859-1>", WINDOWS_1252, "Café “quoted”"),
    ] {
        let page = format!(
            "<!doctype html><html><head>{head}<title>{title}</title></head><body><p>{title}.</p></body></html>"
        );
        let document = one("page.html", &encoded(&page, encoding));
        assert_eq!((document.title.as_str(), document.text), (title, format!("{title}.")), "{head}");
    }
    // The detected encoding outranks a wrong declaration.
    let page = "<html><head><meta charset=gbk><title>家居</title></head><body><p>家居。</p></body></html>";
    assert_eq!(one("page.html", page.as_bytes()).title, "家居");
}

#[test]
fn iso_2022_jp_is_read_in_feeds_and_texts_too() {
    let feed = "<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?><rss version=\"2.0\"><channel><item><title>日本語の項目</title></item></channel></rss>";
    assert_eq!(one("feed.xml", &encoded(feed, ISO_2022_JP)).title, "日本語の項目");
    assert_eq!(one("note.txt", &encoded("渡船は静かだ。", ISO_2022_JP)).text, "渡船は静かだ。");
    // A terminal escape sequence in ASCII text.
    assert_eq!(one("note.txt", b"a \x1b[1mbold\x1b[0m word").text, "a [1mbold[0m word");
}

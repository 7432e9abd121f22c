//! Every kind of file with bytes changed, duplicated or removed: readers return and never panic.

use super::try_one;

/// A small deterministic generator of random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

fn damaged(whole: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=numbers.below(6) {
        let place = numbers.below(bytes.len());
        match numbers.below(4) {
            0 => bytes[place] = u8::try_from(numbers.below(256)).unwrap(),
            1 => bytes.truncate(place.max(1)),
            2 => bytes.insert(place, b"<>[]{}&\"'\0\xff\xe3#-:"[numbers.below(15)]),
            _ => {
                let end = (place + numbers.below(40)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
        }
    }
    bytes
}

#[test]
fn damaged_files_of_every_kind_do_not_crash_a_reader() {
    let wholes: [(&str, &[u8]); 6] = [
        ("a.md", "---\ntitle: \"題名\"\ntags: [a, 'b']\n---\n\n# 見出し `x` [l](u)\n\n```\ncode\n```\n本文。".as_bytes()),
        ("a.txt", "題名\n\n本文です。Some words, too.".as_bytes()),
        ("a.html", "<!DOCTYPE html><html><head><meta charset='utf-8'><title>題 &amp; t</title></head><body><p>本文 &#x65E5;</p><!-- c --><script>1</script></body></html>".as_bytes()),
        ("a.jsonl", "{\"title\":\"題\",\"summary\":\"本文\",\"authors\":[\"a\"]}\n{\"title\":\"t\",\"summary\":\"s\"}".as_bytes()),
        ("a.xml", "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\"><channel><title>題</title><item><title>t &amp; u</title><link>https://example.com</link><description><![CDATA[<p>本文]]></description><pubDate>Fri, 12 Jun 2026 00:00:00 GMT</pubDate></item></channel></rss>".as_bytes()),
        ("a.pdf", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n4 0 obj\n<< /Length 30 >>\nstream\nBT /F 12 Tf 7 7 Td (words) Tj ET\nendstream\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n"),
    ];
    let mut numbers = Numbers(20_260_612);
    for (name, whole) in wholes {
        let mut read = 0;
        for _ in 0..150 {
            match try_one(name, &damaged(whole, &mut numbers)) {
                Ok(documents) => {
                    assert!(
                        documents
                            .iter()
                            .all(|document| !document.title.is_empty() && !document.text.is_empty())
                    );
                    read += 1;
                }
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
        assert!(read > 0 || name == "a.pdf", "{name} was never read");
    }
}

//! Detects duplicate articles: by address without tracking parameters, or by nearly equal titles.

use std::collections::{HashMap, HashSet};

use net::Url;

use super::search_tool::Candidate;

/// Parameters that identify the referrer and not the page.
const TRACKING_PARAMETERS: [&str; 16] = [
    "fbclid",
    "gclid",
    "dclid",
    "msclkid",
    "mc_cid",
    "mc_eid",
    "igshid",
    "ref",
    "ref_src",
    "referrer",
    "source",
    "src",
    "cmpid",
    "ncid",
    "guccounter",
    "smid",
];
/// The share of common words from which titles count as the same.
const LEAST_OVERLAP: f64 = 0.85;
/// Titles with fewer words are compared whole: "Weekly news" is not "Weekly AI news".
const SHORT_TITLE: usize = 5;

/// Keeps the first candidate of each article, completed with better data from its duplicates.
pub(crate) fn deduplicated(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut by_address: HashMap<String, usize> = HashMap::new();
    let mut titles: Vec<HashSet<String>> = Vec::new();
    for candidate in candidates {
        let address = plain_address(&candidate.hit.url);
        let title = words_of(&candidate.hit.title);
        // A page behind a redirect has no address yet, and only a host name as title.
        let known = by_address.get(&address).copied().or_else(|| {
            (!candidate.is_redirect).then(|| titles.iter().position(|known| is_near(known, &title))).flatten()
        });
        match known.and_then(|known| kept.get_mut(known)) {
            Some(known) => known.merge(candidate),
            None => {
                by_address.insert(address, kept.len());
                titles.push(if candidate.is_redirect { HashSet::new() } else { title });
                kept.push(candidate);
            }
        }
    }
    kept
}

/// The address without parts that do not change the page.
pub(crate) fn plain_address(text: &str) -> String {
    let Ok(url) = Url::parse(text.trim()) else { return text.trim().to_lowercase() };
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_lowercase();
    let host =
        ["www.", "m.", "amp.", "mobile."].iter().find_map(|start| host.strip_prefix(start)).unwrap_or(&host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut path = url.path().trim_end_matches('/').to_owned();
    if host == "arxiv.org" {
        path = arxiv_path(&path);
    }
    for end in ["/index.html", "/index.htm", "/index.php", "/amp"] {
        path = path.strip_suffix(end).unwrap_or(&path).to_owned();
    }
    let mut parameters: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| {
            let name = name.to_lowercase();
            !name.starts_with("utm_") && !TRACKING_PARAMETERS.contains(&name.as_str())
        })
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    parameters.sort();
    let query: String = parameters.iter().map(|(name, value)| format!("&{name}={value}")).collect();
    format!("{host}{port}{path}{query}")
}

/// Abstract, PDF, HTML and versions of a paper are one article.
fn arxiv_path(path: &str) -> String {
    let Some(id) = ["/abs/", "/pdf/", "/html/"].iter().find_map(|start| path.strip_prefix(start)) else {
        return path.to_owned();
    };
    let id = id.strip_suffix(".pdf").unwrap_or(id);
    let without_version = id.rsplit_once('v').filter(|(before, version)| {
        !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_digit())
            && before.ends_with(|c: char| c.is_ascii_digit())
    });
    format!("/abs/{}", without_version.map_or(id, |(before, _)| before))
}

fn words_of(title: &str) -> HashSet<String> {
    let title = title.to_lowercase();
    // Sites append their name after a bar or a dash.
    let own = title.split(" | ").next().unwrap_or(&title);
    let words = own.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(60).map(str::to_owned).collect()
}

fn is_near(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    if one.is_empty() || other.is_empty() {
        return false;
    }
    if one.len().min(other.len()) < SHORT_TITLE {
        return one == other;
    }
    let shared = one.intersection(other).count() as f64;
    shared / one.union(other).count() as f64 >= LEAST_OVERLAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Hit;

    #[test]
    fn equivalent_addresses_are_normalized() {
        for group in [
            &[
                "https://www.example.org/a/?utm_source=x&id=2&ref=y#part",
                "http://example.org/a?id=2",
                "https://m.example.org/a/amp?id=2",
            ][..],
            &[
                "https://arxiv.org/abs/2606.01234v2",
                "http://arxiv.org/pdf/2606.01234",
                "https://www.arxiv.org/pdf/2606.01234v1.pdf",
                "https://arxiv.org/html/2606.01234v3",
            ],
            &["https://example.org/index.html", "https://example.org"],
            &["https://example.org/?b=2&a=1", "https://example.org/?a=1&b=2"],
        ] {
            let plain: HashSet<String> = group.iter().map(|url| plain_address(url)).collect();
            assert_eq!(plain.len(), 1, "{plain:?}");
        }
        for (one, other) in [
            ("https://example.org/?id=1", "https://example.org/?id=2"),
            ("https://example.org/a", "https://example.org/b"),
            ("https://example.org:8443/a", "https://example.org/a"),
            ("https://arxiv.org/abs/solv-int/9901001", "https://arxiv.org/abs/solv-int/9901002"),
        ] {
            assert_ne!(plain_address(one), plain_address(other));
        }
    }

    fn candidate(title: &str, url: &str, text: &str) -> Candidate {
        let hit = Hit { title: title.into(), url: url.into(), text: text.into(), ..Hit::default() };
        Candidate { hit, ..Candidate::default() }
    }

    #[test]
    fn an_article_found_twice_is_kept_once_with_the_longer_text() {
        let kept = deduplicated(vec![
            candidate("A new model reads whole books at once", "https://a.example.org/1", ""),
            candidate(
                "A New Model Reads Whole Books at Once | The Site",
                "https://b.example.org/2",
                "It reads books.",
            ),
            candidate("Other", "https://a.example.org/1?utm_medium=feed", "Longer than it: it reads books."),
            candidate("Weekly news", "https://c.example.org/1", ""),
            candidate("Weekly AI news", "https://c.example.org/2", ""),
        ]);
        let remaining: Vec<(&str, &str)> =
            kept.iter().map(|k| (k.hit.url.as_str(), k.hit.text.as_str())).collect();
        assert_eq!(
            remaining,
            [
                ("https://a.example.org/1", "Longer than it: it reads books."),
                ("https://c.example.org/1", ""),
                ("https://c.example.org/2", "")
            ]
        );
    }
}

//! Reads a rule from its text.

use std::str::FromStr;

use crate::{Code, Error, Rule, phrase};

impl TryFrom<String> for Rule {
    type Error = Error;

    fn try_from(text: String) -> Result<Rule, Error> {
        text.parse()
    }
}

impl FromStr for Rule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rule, Error> {
        let (tool, place) = match text.split_once('@') {
            Some((tool, place)) => (tool.trim(), Some(Rule::place(place))),
            None => (text.trim(), None),
        };
        let (tool, version) = match tool.split_once('#') {
            Some((tool, version)) => (tool, Some(version)),
            None => (tool, None),
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        let is_version =
            |version: &str| !version.is_empty() && version.chars().all(|c| c.is_ascii_hexdigit());
        // A text that cannot be in a host could never match a call, so such a rule is refused.
        let is_place = |place: &str| {
            is_name(place) && place.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        };
        if !is_name(tool) || !version.is_none_or(is_version) || !place.as_deref().is_none_or(is_place) {
            let message = phrase!(
                "`{text}` is no rule; write TOOL, or TOOL@HOST with the host alone: `post@example.org`",
                text
            );
            return Err(Error::new(Code::BadInput, message));
        }
        Ok(Rule { tool: tool.to_owned(), version: version.map(str::to_owned), place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    #[test]
    fn a_rule_covers_its_tool_and_only_the_place_it_names() {
        let of_host: Rule = "post@Example.org.".parse().unwrap();
        assert!(of_host.covers("post", Some("example.org")));
        for (tool, place) in [("post", Some("other.org")), ("post", None), ("posts", Some("example.org"))] {
            assert!(!of_host.covers(tool, place), "{tool} {place:?}");
        }
        let of_all: Rule = "post".parse().unwrap();
        assert!(of_all.covers("post", None) && of_all.covers("post", Some("other.org")));
        assert_eq!(serde_json::to_value(&of_host).unwrap(), "post@example.org");
        let (then, now) = (Hash::of(b"then"), Hash::of(b"now"));
        let of_version: Rule = format!("files/read#{}", Rule::version(&then)).parse().unwrap();
        assert!(of_version.is_of_version(Some(&then)) && of_all.is_of_version(None));
        assert!(!of_version.is_of_version(Some(&now)) && !of_version.is_of_version(None));
        assert_eq!(of_version.to_string().parse::<Rule>().unwrap(), of_version);
    }

    #[test]
    fn an_invalid_rule_is_refused() {
        for text in [
            "",
            "@example.org",
            "post@",
            "post it",
            "post@a b",
            "post@https://a.org",
            "post@*.org",
            "post@a.org:1",
        ] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
    }
}

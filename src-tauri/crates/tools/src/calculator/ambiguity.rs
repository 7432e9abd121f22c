//! Refuses expressions that `fend` reads differently from most people, because a wrong value looks like a right one.

use std::sync::LazyLock;

use regex::Regex;

/// Explains how to rewrite an expression that `fend` reads differently from most people: it ignores commas and unclosed
/// brackets, takes `//` for a division, `sin 30°` for `(sin 30)°`, and 20% for 0.2 also after a plus.
pub(super) fn ambiguous(expression: &str) -> Option<String> {
    static DEGREES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)\b(a?(?:sin|cos|tan)h?)\s*(-?[\d.]+\s*(?:°|deg))").ok());
    static PERCENT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^(.*[^\s%(+\-*/^,])\s*([+-])\s*([\d.]+)\s*%$").ok());
    let is_of_number = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    for number in expression.split(|c| !is_of_number(c)).filter(|number| number.contains(',')) {
        let whole = number.split('.').next().unwrap_or_default();
        let mut groups = whole.split(',');
        let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
        let is_grouped = is_first && groups.all(|group| group.len() == 3);
        if !is_grouped || number.matches('.').count() > 1 || number[whole.len()..].contains(',') {
            return Some(format!(
                "the comma in `{number}` can be read in more than one way; write a decimal as 1.5, and calculate with several \
                 numbers by + and /"
            ));
        }
    }
    if expression.contains("//") && !expression.contains('"') {
        return Some("`//` is no operation here; write `/`, or `floor(7 / 2)` for a whole number".to_owned());
    }
    if expression.matches('(').count() != expression.matches(')').count() {
        return Some("a bracket is open; close each one".to_owned());
    }
    if let Some(found) = DEGREES.as_ref().and_then(|pattern| pattern.captures(expression)) {
        return Some(format!("an angle stands in brackets: write `{}({})`", &found[1], &found[2]));
    }
    let found = PERCENT.as_ref().and_then(|pattern| pattern.captures(expression.trim()))?;
    let (first, sign, share) = (&found[1], &found[2], &found[3]);
    Some(format!(
        "`{sign} {share}%` may mean a share of what stands before it, or {share} / 100; write `({first}) * (1 {sign} {share}%)`, \
         or `{first} {sign} {share}/100`"
    ))
}

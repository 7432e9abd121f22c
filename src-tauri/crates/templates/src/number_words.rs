//! Reads figures that are spelt: "three hundred and twelve", "三百一十二".

use std::ops::Range;

use prose::spelt_number;

static LARGE: [(&str, f64); 5] =
    [("dozen", 12.0), ("hundred", 1e2), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9)];

/// The spelt figures of a text, with their byte ranges.
pub(crate) fn spelt_figures(text: &str) -> Vec<(Range<usize>, f64)> {
    let mut found = english(text);
    if !text.is_ascii() {
        found.extend(ideographic(text));
    }
    found
}

fn english(text: &str) -> Vec<(Range<usize>, f64)> {
    let mut found: Vec<(Range<usize>, f64)> = Vec::new();
    let mut open: Option<(Range<usize>, f64, f64)> = None;
    let mut close = |open: &mut Option<(Range<usize>, f64, f64)>| {
        if let Some((range, total, last)) = open.take() {
            found.push((range, total + last));
        }
    };
    let mut from = 0;
    let is_letter = |c: char| c.is_ascii_alphabetic();
    while let Some(start) = text[from..].find(is_letter).map(|at| from + at) {
        let end = text[start..].find(|c: char| !is_letter(c)).map_or(text.len(), |at| start + at);
        let word = text[start..end].to_ascii_lowercase();
        let is_near =
            open.as_ref().is_some_and(|(range, ..)| matches!(&text[range.end..start], " " | "-" | " and "));
        from = end;
        // "and" only joins numbers after a hundred.
        if word == "and" && open.as_ref().is_some_and(|(_, total, last)| *total > 0.0 && *last == 0.0) {
            continue;
        }
        let large = LARGE.iter().find(|(name, _)| word == *name || word.strip_suffix('s') == Some(name));
        match (spelt_number(&word).map(f64::from), large, &mut open) {
            (Some(value), _, Some((range, _, last)))
                if is_near && (*last == 0.0 || *last >= 20.0 && value < 10.0) =>
            {
                *last += value;
                range.end = end;
            }
            (Some(value), ..) => {
                close(&mut open);
                open = Some((start..end, 0.0, value));
            }
            (None, Some((_, scale)), Some((range, total, last))) if is_near => {
                *total = (*total + last.max(f64::from(u8::from(*total == 0.0)))) * scale;
                *last = 0.0;
                range.end = end;
            }
            _ => close(&mut open),
        }
    }
    close(&mut open);
    found
}

static DIGITS: &str = "〇一二三四五六七八九";
static COUNTERS: &str =
    "人名个個台件次份只匹頭头本枚户戸张張辆輛栋棟箱袋瓶吨项項家所组組点回冊種种位天年月日时時分秒元円";

/// Figures in ideographs; a single one only before a counter.
fn ideographic(text: &str) -> Vec<(Range<usize>, f64)> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let digit = |letter: char| match letter {
        '零' => Some(0),
        '两' | '兩' => Some(2),
        _ => DIGITS.chars().position(|one| one == letter),
    };
    let scale = |letter: char| match letter {
        '十' => Some(1e1),
        '百' => Some(1e2),
        '千' => Some(1e3),
        '万' => Some(1e4),
        '亿' | '億' => Some(1e8),
        _ => None,
    };
    let is_part =
        |at: &usize| letters.get(*at).is_some_and(|(_, c)| digit(*c).is_some() || scale(*c).is_some());
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !is_part(&at) {
            at += 1;
            continue;
        }
        let end = (at..letters.len()).take_while(is_part).last().unwrap_or(at) + 1;
        let next = letters.get(end).map(|(_, letter)| *letter);
        let first = letters[at].1;
        let is_large = scale(first).is_some_and(|scale| scale > 10.0);
        let counts = next.is_some_and(|next| COUNTERS.contains(next));
        let is_behind_digit = at > 0 && letters[at - 1].1.is_ascii_digit();
        if !is_large && !is_behind_digit && (end - at > 1 || counts) {
            let (mut total, mut section, mut last) = (0.0, 0.0, 0.0);
            for (_, letter) in &letters[at..end] {
                match (digit(*letter), scale(*letter)) {
                    (Some(value), _) => last = last * 10.0 + value as f64,
                    (_, Some(scale)) if scale >= 1e4 => {
                        total += (section + last) * scale;
                        (section, last) = (0.0, 0.0);
                    }
                    (_, Some(scale)) => {
                        section += if last == 0.0 { scale } else { last * scale };
                        last = 0.0;
                    }
                    _ => {}
                }
            }
            let end_byte = letters.get(end).map_or(text.len(), |(byte, _)| *byte);
            found.push((letters[at].0..end_byte, total + section + last));
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::spelt_figures;

    #[test]
    fn spelt_figures_are_read() {
        let read = |text: &str| spelt_figures(text).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        assert_eq!(read("Forty-two of three hundred and twelve, two thousand"), [42.0, 312.0, 2000.0]);
        assert_eq!(read("twenty and five, one hundred twenty five"), [20.0, 5.0, 125.0]);
        assert_eq!(read("三百一十二人、二十台、一万二千円、五人、一致した千万"), [312.0, 20.0, 12000.0, 5.0]);
        assert_eq!(read("3万円"), Vec::<f64>::new());
    }
}

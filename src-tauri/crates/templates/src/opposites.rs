//! Tells that a summary says the opposite of a template's sentence: "closed" and "opened", "all" and "6 of the 8".

use crate::lines::Line;
use crate::summary::Summary;
use crate::thesaurus::{is_denial, least_share};
use crate::tokens::TokenKind;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Words that exclude each other, in two columns.
static ENGLISH: &[(&str, &str)] = &[
    (
        "open opened opens reopen reopened resume resumed operating unlocked",
        "close closed closes shut suspended halted locked closure",
    ),
    (
        "rise rose risen rising increase increased increasing grew grown growing gained climbed improved doubled",
        "fall fell fallen falling decrease decreased decreasing drop dropped decline declined shrank reduced worsened halved",
    ),
    ("pass passed passes", "fail failed fails failure"),
    (
        "accept accepted approve approved grant granted agree agreed confirmed",
        "reject rejected refuse refused deny denied declined withdrawn",
    ),
    ("win won", "lose lost"),
    ("succeed succeeded successful successfully success", "fail failed failure unsuccessful unsuccessfully"),
    ("hire hired recruit recruited", "dismiss dismissed fired"),
    ("keep kept retain retained preserved", "remove removed scrapped abolished discarded demolished"),
    ("present attended", "absent missed"),
    ("early ahead punctual punctually", "late delayed behind overdue"),
    ("complete completed finished", "incomplete unfinished abandoned cancelled"),
    ("safe safely", "unsafe dangerous hazardous"),
    ("satisfied happy pleased content", "dissatisfied unhappy disappointed displeased"),
    ("working functioning intact operational", "broken faulty defective damaged"),
    ("clean", "dirty contaminated polluted"),
    ("free clear accessible", "blocked obstructed inaccessible"),
    ("full", "empty"),
    ("held", "cancelled postponed"),
    ("allow allowed permit permitted", "ban banned forbid forbidden prohibit prohibited"),
    ("valid", "expired invalid"),
    ("profit surplus", "loss deficit"),
    ("improve improved better", "deteriorate deteriorated worse worsened"),
    ("public", "private"),
    ("above exceeded", "below"),
    ("repaired fixed", "unrepaired broken"),
    ("start started begin began launched", "stop stopped cancelled abandoned postponed"),
    ("indoors inside", "outdoors outside"),
    ("support supported favour", "oppose opposed against"),
    ("easy simple", "difficult hard"),
    ("sufficient enough adequate", "insufficient inadequate"),
    ("new", "old"),
    ("more", "fewer less"),
    ("longer", "shorter"),
    ("higher", "lower"),
];

/// The same in Chinese and Japanese.
static WIDE: &[(&[&str], &[&str])] = &[
    (
        &[
            "恢复", "复工", "开业", "营业", "开放", "生产", "运行", "启动", "继续", "投产", "複業", "営業",
            "開館", "開放", "開店", "再開", "稼働", "実施", "開催", "継続", "举行", "举办",
        ],
        &[
            "停产", "停工", "停业", "关闭", "停止", "暂停", "中止", "停运", "取消", "休業", "休館", "閉館",
            "閉鎖", "閉店", "休止", "延期",
        ],
    ),
    (
        &[
            "增加", "上升", "提高", "增长", "扩大", "延长", "上涨", "増加", "上昇", "増え", "拡大", "延長",
            "改善", "好转", "向上",
        ],
        &[
            "减少", "下降", "降低", "缩短", "缩小", "下跌", "減少", "低下", "減っ", "減り", "縮小", "短縮",
            "悪化", "恶化",
        ],
    ),
    (&["成功"], &["失败", "失敗"]),
    (&["合格", "达标"], &["不合格", "超标", "未达标"]),
    (
        &["批准", "通过", "同意", "赞成", "承認", "可決", "賛成", "受理"],
        &["否决", "驳回", "拒绝", "反对", "却下", "否決", "反対", "拒否"],
    ),
    (&["提前", "前倒し"], &["推迟", "延期", "延误", "遅延", "遅れ", "拖延"]),
    (&["盈利", "黒字", "盈余"], &["亏损", "赤字"]),
    (&["出席", "到场", "参加"], &["缺席", "欠席", "不参加"]),
    (&["满意", "満足"], &["不满", "不満"]),
    (&["正常", "完好", "良好"], &["异常", "异様", "損壊", "损坏", "破损", "異常", "不良"]),
    (&["安全"], &["危险", "危険"]),
    (&["保留", "存続"], &["拆除", "废除", "撤去", "廃止"]),
    (&["公开", "公開"], &["保密", "非公開"]),
    (&["有效", "有効"], &["失效", "无效", "無効"]),
    (&["充足", "十分な"], &["不足"]),
    (&["早い", "早く"], &["遅い", "遅く"]),
];

type Side = (usize, bool);

fn english() -> &'static HashMap<u64, Vec<Side>> {
    static TABLE: OnceLock<HashMap<u64, Vec<Side>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<u64, Vec<Side>> = HashMap::new();
        for (pair, (one, other)) in ENGLISH.iter().enumerate() {
            for (words, side) in [(one, true), (other, false)] {
                for word in words.split(' ') {
                    let sides = table.entry(prose::stem(word)).or_default();
                    if !sides.contains(&(pair, side)) {
                        sides.push((pair, side));
                    }
                }
            }
        }
        table
    })
}

fn sides(lowered: &str) -> &'static [Side] {
    english().get(&prose::stem(lowered)).map_or(&[], Vec::as_slice)
}

/// Whether a text says a word of Chinese or Japanese without denying it.
fn says(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(['不', '未', '非', '無', '无', '没']))
}

/// Whether a sentence of the summary says the opposite of what the line says.
pub(crate) fn says_the_opposite(text: &str, line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    let Some(range) = summary.sentences.get(sentence).cloned() else { return false };
    let is_denied =
        line.is_denied || summary.denials.get(sentence).is_some_and(|denials| !denials.is_empty());
    if !is_denied
        && (english_opposite(text, line, summary, &range) || wide_opposite(text, line, summary, &range))
    {
        return true;
    }
    counts_otherwise(text, line, summary, sentence)
}

static PARTING: &[&str] =
    &[";", "；", ".", "。", "，", "and", "but", "while", "whereas", "although", "though"];

/// The parts of a sentence, the one that has most of the line's words first.
fn clauses(line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for at in range.clone() {
        if PARTING.contains(&summary.tokens[at].text(summary.text)) {
            is_open = false;
            continue;
        }
        match found.last_mut().filter(|_| is_open) {
            Some(last) => last.end = at + 1,
            None => found.push(at..at + 1),
        }
        is_open = true;
    }
    let shared = |clause: &Range<usize>| -> f64 {
        let units = line.units.iter().filter(|unit| {
            let places = summary.places(unit.key);
            places
                .get(places.partition_point(|place| *place < clause.start))
                .is_some_and(|place| *place < clause.end)
        });
        units.map(|unit| unit.weight).sum()
    };
    let mut ranked: Vec<(f64, Range<usize>)> =
        found.into_iter().map(|clause| (shared(&clause), clause)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, clause)| clause).collect()
}

fn english_opposite(text: &str, line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> bool {
    let ours: Vec<String> = words(&line.tokens, text);
    let theirs = |part: &Range<usize>| words(&summary.tokens[part.clone()], summary.text);
    let ranked = clauses(line, summary, range);
    let Some(nearest) = ranked.first().map(theirs) else { return false };
    let all = theirs(range);
    ours.iter().any(|word| {
        // A prefix that denies: "satisfactory" and "unsatisfactory".
        let is_prefixed = |other: &String| {
            let denies = |long: &str, short: &str| {
                short.len() > 4
                    && ["un", "in", "im", "dis", "non"]
                        .iter()
                        .any(|prefix| long.strip_prefix(prefix) == Some(short))
            };
            denies(other, word) || denies(word, other)
        };
        let own = sides(word);
        let is_same = |other: &String| sides(other).iter().any(|side| own.contains(side)) || other == word;
        let is_opposite = |other: &String| {
            sides(other).iter().any(|(pair, side)| own.contains(&(*pair, !*side))) || is_prefixed(other)
        };
        if nearest.iter().any(is_same) {
            return false;
        }
        nearest.iter().any(is_opposite) || all.iter().any(is_opposite) && !all.iter().any(is_same)
    })
}

fn words(tokens: &[crate::tokens::Token], text: &str) -> Vec<String> {
    let is_word = |token: &&crate::tokens::Token| matches!(token.kind, TokenKind::Word | TokenKind::Stop);
    tokens.iter().filter(is_word).map(|token| token.text(text).to_lowercase()).collect()
}

fn wide_opposite(text: &str, line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> bool {
    let (Some(first), Some(last)) = (line.tokens.first(), line.tokens.last()) else { return false };
    let ours = text.get(first.start..last.end).unwrap_or_default();
    if ours.is_ascii() {
        return false;
    }
    let written = |part: &Range<usize>| &summary.text[summary.span(part.start, part.end)];
    let ranked = clauses(line, summary, range);
    let Some(nearest) = ranked.first().map(written) else { return false };
    let all = written(range);
    let any = |text: &str, words: &[&str]| words.iter().any(|word| says(text, word));
    WIDE.iter().flat_map(|(one, other)| [(one, other), (other, one)]).any(|(own, opposite)| {
        any(ours, own)
            && !any(ours, opposite)
            && !any(nearest, own)
            && (any(nearest, opposite) || any(all, opposite) && !any(all, own))
    })
}

/// Whether the sentence counts otherwise than the words of quantity that open the line.
fn counts_otherwise(text: &str, line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    let opens = |token: &crate::tokens::Token| {
        !line.gaps.iter().any(|gap| gap.place.end <= token.start)
            && !is_denial(&token.text(text).to_lowercase())
    };
    let Some(least) = line
        .tokens
        .first()
        .filter(|token| opens(token))
        .and_then(|token| least_share(&token.text(text).to_lowercase()))
    else {
        return false;
    };
    let Some(range) = summary.sentences.get(sentence).cloned() else { return false };
    let said = |at: usize| least_share(&summary.tokens[at].text(summary.text).to_lowercase());
    // Its own words of quantity say as much.
    if range.clone().filter_map(said).any(|share| share == least) {
        return false;
    }
    let values = summary.values.get(sentence).map_or(&[][..], Vec::as_slice);
    let shares: Vec<f64> = values
        .iter()
        .filter_map(|value| summary.fraction(sentence, value))
        .filter(|fraction| fraction.is_explicit)
        .map(|fraction| fraction.part * 100.0 / fraction.whole)
        .collect();
    match least {
        100 => {
            let has_less = shares.iter().any(|share| *share < 99.5);
            has_less || range.filter_map(said).any(|share| share < 100)
        }
        34..=99 => !shares.is_empty() && shares.iter().all(|share| *share < f64::from(least)),
        _ => false,
    }
}

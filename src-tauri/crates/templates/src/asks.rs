//! What a placeholder asks for, read from its name: a share, a date, a person, a reference …

use crate::tokens::{Token, TokenKind, Unit, tokens, units};
use crate::values::ValueKind;

/// What a placeholder asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Share,
    Count,
    Money,
    Date,
    Time,
    Duration,
    Range,
    Person,
    Organisation,
    Place,
    Reference,
    /// A way to reach somebody.
    Contact,
    /// The date or place of the document itself.
    OfDocument,
    /// The largest of several items.
    Largest,
    /// A difference of two figures of the summary, which is never printed in it.
    Difference,
    Text,
}

static ENGLISH: &[(Asked, &[&str])] = &[
    (
        Asked::Contact,
        &["email", "e-mail", "mail", "phone", "telephone", "contact", "url", "link", "website", "fax"],
    ),
    (Asked::OfDocument, &["insert", "today", "signature", "version"]),
    (Asked::Share, &["percentage", "percent", "percentages", "share", "proportion", "pct"]),
    (Asked::Difference, &["difference"]),
    (Asked::Range, &["range", "interval"]),
    (Asked::Date, &["date", "dates", "day", "month", "year", "deadline", "start", "end", "when"]),
    (Asked::Time, &["clock"]),
    (Asked::Duration, &["duration", "length", "period"]),
    (
        Asked::Money,
        &["amount", "cost", "costs", "price", "budget", "fee", "revenue", "grant", "allowance", "balance"],
    ),
    (
        Asked::Count,
        &[
            "number",
            "count",
            "total",
            "score",
            "age",
            "temperature",
            "size",
            "minutes",
            "hours",
            "limit",
            "attendance",
            "weight",
            "rate",
            "days",
            "weeks",
            "points",
            "attempts",
            "n",
        ],
    ),
    (
        Asked::Person,
        &[
            "person",
            "commander",
            "manager",
            "investigator",
            "auditor",
            "author",
            "owner",
            "director",
            "officer",
            "editor",
            "chair",
            "leader",
            "coordinator",
            "supervisor",
            "responsible",
            "teacher",
            "chef",
        ],
    ),
    (
        Asked::Organisation,
        &[
            "company",
            "organisation",
            "organization",
            "funder",
            "client",
            "institution",
            "sponsor",
            "agency",
            "supplier",
            "vendor",
            "customer",
            "foundation",
            "firm",
            "employer",
            "partner",
            "provider",
        ],
    ),
    (
        Asked::Place,
        &["place", "location", "site", "venue", "city", "town", "country", "region", "branch", "area"],
    ),
    (Asked::Reference, &["reference", "id", "identifier", "code"]),
];

static IDEOGRAPHIC: &[(Asked, &[&str])] = &[
    (Asked::Contact, &["电话", "联系", "邮箱", "電話", "連絡", "問い合わせ", "メール", "网址"]),
    (Asked::OfDocument, &["填写", "记入", "記入", "作成", "填表", "填报"]),
    (Asked::Largest, &["最大", "最多", "最も"]),
    (Asked::Difference, &["との差", "差额", "差値", "差值"]),
    (Asked::Reference, &["编号", "番号", "文号"]),
    (Asked::Share, &["比例", "百分比", "占比", "割合", "比率", "率"]),
    (Asked::Duration, &["所要時間", "時長", "时长", "修复时间", "目標時間", "期間", "期间"]),
    (Asked::Time, &["時刻", "时刻", "关闭时间", "开放时间", "終了時間"]),
    (Asked::Date, &["日期", "時期", "期限", "予定", "年月", "年度", "日", "时间", "月"]),
    (Asked::Money, &["金额", "金額", "费用", "費用", "支出", "经费", "予算", "预算", "价格", "価格"]),
    (Asked::Person, &["氏名", "姓名", "负责人", "責任者", "担当", "管理者", "审批人", "负责人姓名"]),
    (Asked::Organisation, &["单位", "机构", "公司", "团体", "団体", "会社", "施設", "機関", "基金会"]),
    (Asked::Place, &["場所", "场所", "地点", "会場", "会场", "地址"]),
    (Asked::Count, &["数", "量", "人数", "次数", "面积", "面積", "得分", "点数", "台数"]),
];

/// What a placeholder asks for, with the words that say of what.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) asked: Asked,
    /// The words of its name without those that name its kind.
    pub(crate) units: Vec<Unit>,
    /// The name that was read.
    pub(crate) name: String,
    /// Last word of the name that means a thing ("service", "社区"): a class to which the value belongs.
    pub(crate) class: Option<String>,
}

/// Words of a name that only say its kind or join others.
static EMPTY: &[&str] = &[
    "number",
    "name",
    "year",
    "month",
    "and",
    "percentage",
    "percent",
    "date",
    "total",
    "insert",
    "amount",
    "count",
    "time",
    "value",
    "of",
    "share",
    "dates",
    "no",
    "number_of",
    "proportion",
    "main",
    "with",
    "in",
    "the",
    "full",
    "what",
    "your",
    "enter",
];

/// Reads the name of a placeholder.
pub(crate) fn request(written: &str) -> Request {
    let name = written.replace(['_', '-'], " ");
    let lowered = name.to_lowercase();
    let words: Vec<&str> = lowered.split_whitespace().collect();
    let asked = if lowered.is_ascii() { english(&words) } else { ideographic(&lowered) };
    let cut = tokens(&name, 0, name.len());
    let is_empty = |token: &Token| EMPTY.contains(&token.text(&name).to_lowercase().as_str());
    let kept: Vec<Token> = cut.iter().filter(|token| !is_empty(token)).copied().collect();
    let mut units = units(&name, &kept, false);
    for unit in &mut units {
        unit.weight = unit.weight.max(0.5);
    }
    let class = if lowered.is_ascii() {
        let is_thing = |word: &&&str| !EMPTY.contains(*word) && word.len() > 2;
        words.iter().rev().find(is_thing).map(|word| (*word).to_owned())
    } else {
        let bare =
            ["名称", "姓名", "氏名", "名"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let is_wide = kept.first().is_some_and(|token| token.kind != TokenKind::Word);
        let from = bare.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
        (is_wide && !bare.is_empty()).then(|| bare[from..].to_owned())
    };
    Request { asked, units, name, class }
}

fn english(words: &[&str]) -> Asked {
    let has = |asked: &Asked| {
        ENGLISH.iter().any(|(kind, names)| kind == asked && words.iter().any(|word| names.contains(word)))
    };
    let first = words.first().copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    if words.contains(&"largest")
        || words.contains(&"biggest")
        || words.contains(&"highest") && last == "item"
    {
        return Asked::Largest;
    }
    if has(&Asked::Contact) {
        return Asked::Contact;
    }
    if has(&Asked::OfDocument) || words.iter().any(|word| word.ends_with(',')) {
        return Asked::OfDocument;
    }
    if first == "number" || first == "total" || words.contains(&"of") && words.first() == Some(&"count") {
        return Asked::Count;
    }
    if matches!(last, "number" | "no" | "id" | "reference") && words.len() > 1 || has(&Asked::Reference) {
        return if last == "number" && is_number_before(words) { Asked::Count } else { Asked::Reference };
    }
    if last == "name" || first == "name" {
        return [Asked::Person, Asked::Organisation, Asked::Place]
            .into_iter()
            .find(|asked| has(asked))
            .unwrap_or(Asked::Text);
    }
    if words.contains(&"time") || words.contains(&"window") {
        return if words.iter().any(|word| matches!(*word, "response" | "duration" | "average")) {
            Asked::Count
        } else {
            Asked::Time
        };
    }
    if matches!(last, "rate" | "ratio") || matches!(first, "rate" | "ratio") && words.len() == 1 {
        return Asked::Share;
    }
    let order = [
        Asked::Share,
        Asked::Difference,
        Asked::Range,
        Asked::Duration,
        Asked::Date,
        Asked::Time,
        Asked::Count,
        Asked::Money,
        Asked::Person,
        Asked::Organisation,
        Asked::Place,
    ];
    // The words that say the kind stand first or last.
    let says = |asked: &Asked, word: &str| {
        ENGLISH.iter().any(|(kind, names)| kind == asked && names.contains(&word))
    };
    let named = |word: &str| order.iter().copied().find(|asked| says(asked, word));
    named(first)
        .filter(|asked| matches!(asked, Asked::Share | Asked::Date | Asked::Person | Asked::Duration))
        .or_else(|| named(last))
        .or_else(|| order.into_iter().find(has))
        .unwrap_or(Asked::Text)
}

/// "previous number", "present number": a count, no reference.
fn is_number_before(words: &[&str]) -> bool {
    words.first().is_some_and(|word| {
        matches!(*word, "previous" | "present" | "current" | "new" | "old" | "average" | "mean" | "total")
    })
}

fn ideographic(name: &str) -> Asked {
    let has = |words: &&[&str]| words.iter().any(|word| name.contains(word));
    let ends = |words: &&[&str]| words.iter().any(|word| name.ends_with(word));
    let special = IDEOGRAPHIC.iter().take(5).find(|(_, words)| has(words));
    special
        .or_else(|| IDEOGRAPHIC.iter().find(|(_, words)| ends(words)))
        .or_else(|| {
            let bare = ["名称", "名"].iter().find_map(|end| name.strip_suffix(end))?;
            IDEOGRAPHIC.iter().find(|(_, words)| words.iter().any(|word| bare.ends_with(word)))
        })
        .map_or(Asked::Text, |(asked, _)| *asked)
}

/// Words that ask for whoever or wherever the report is about.
static GENERAL: &[&str] = &[
    "company",
    "organisation",
    "organization",
    "institution",
    "supplier",
    "firm",
    "employer",
    "site",
    "location",
    "place",
    "venue",
    "施設",
    "公司",
    "会社",
    "機関",
    "团体",
    "団体",
];

impl Request {
    /// Whether it asks for the subject of the report rather than for somebody with a part in it.
    pub(crate) fn is_general(&self) -> bool {
        let lowered = self.name.to_lowercase();
        GENERAL.iter().any(|word| lowered.contains(word))
    }

    /// How well a value of a kind answers: 0 not at all, 1 as asked.
    pub(crate) fn fit(&self, kind: ValueKind) -> f64 {
        use ValueKind as V;
        match self.asked {
            Asked::Share => match kind {
                V::Percent => 1.0,
                V::Number | V::Money => 0.5,
                _ => 0.0,
            },
            Asked::Count => match kind {
                V::Number => 1.0,
                V::Money | V::Duration | V::Percent | V::Range => 0.8,
                _ => 0.0,
            },
            Asked::Money => match kind {
                V::Money => 1.0,
                V::Number => 0.95,
                _ => 0.0,
            },
            Asked::Date => match kind {
                V::Year if self.name.contains("year") || self.name.contains('年') => 1.2,
                // A month answers "when", but it is no date.
                V::Month if self.name.contains("date") && !self.name.contains("month") => 0.75,
                V::Date | V::Month => 1.0,
                V::Year => 0.7,
                V::Time => 0.5,
                _ => 0.0,
            },
            Asked::Time => match kind {
                V::Time => 1.0,
                V::Date | V::Month => 0.5,
                V::Duration => 0.4,
                _ => 0.0,
            },
            Asked::Duration => match kind {
                V::Duration => 1.0,
                V::Number => 0.5,
                _ => 0.0,
            },
            Asked::Range => match kind {
                V::Range => 1.0,
                _ => 0.0,
            },
            Asked::Person | Asked::Organisation => match kind {
                V::Name => 1.0,
                V::Phrase => 0.9,
                _ => 0.0,
            },
            Asked::Place => match kind {
                V::Name => 1.0,
                V::Phrase => 0.9,
                _ => 0.0,
            },
            Asked::Reference => match kind {
                V::Code => 1.0,
                _ => 0.0,
            },
            Asked::Contact => match kind {
                V::Address => 1.0,
                _ => 0.0,
            },
            Asked::OfDocument | Asked::Largest | Asked::Difference => 0.0,
            Asked::Text => match kind {
                V::Phrase | V::Name => 1.0,
                V::Code => 0.9,
                V::Date | V::Month | V::Duration | V::Range => 0.6,
                V::Number | V::Time | V::Money => 0.55,
                _ => 0.3,
            },
        }
    }
}

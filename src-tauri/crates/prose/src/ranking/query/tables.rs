//! Words by which the parts of a topic are told apart.

/// Kinds of works that nearly every article uses, and few are about.
pub(super) const KINDS: [&str; 12] = [
    "benchmark",
    "corpus",
    "corpora",
    "dataset",
    "datasets",
    "benchmarks",
    "leaderboard",
    "leaderboards",
    "simulator",
    "simulators",
    "survey",
    "surveys",
];

/// What happens to companies and before courts, without a plural s.
pub(super) const AFFAIRS: [&str; 22] = [
    "breach",
    "leak",
    "legislation",
    "regulation",
    "ceo",
    "export",
    "acquisition",
    "bankruptcy",
    "deal",
    "earning",
    "fine",
    "funding",
    "investment",
    "investor",
    "ipo",
    "lawsuit",
    "layoff",
    "merger",
    "outage",
    "partnership",
    "startup",
    "takeover",
];

/// Words that fit anything and still belong to the name of a thing of two words, without a plural s.
pub(super) const NEEDED_IN_PAIRS: [&str; 6] = ["data", "language", "model", "open", "small", "large"];
/// What they decide there.
pub(super) const OF_NEEDED: f64 = 0.7;

/// What is turned into something else: "text to video" is one thing.
pub(super) const MEDIA: [&str; 6] = ["audio", "image", "speech", "text", "video", "voice"];

/// Verbs of a question that stand between two things.
pub(super) const BETWEEN: [&str; 16] = [
    "affect",
    "change",
    "compare",
    "cost",
    "destroy",
    "harm",
    "help",
    "hurt",
    "improve",
    "influence",
    "kill",
    "lose",
    "replace",
    "save",
    "threaten",
    "use",
];

/// Characters of Chinese and Japanese topics that carry no subject ("关于…的最近新闻").
pub(super) const WRAPPING: &str = "的和在了是有哪些什么怎如何吗呢与及对被把将最近闻关于";

/// Words of the same kind, between which the subject stands.
pub(super) static WRAPPING_WORDS: [&str; 18] = [
    "ニュース",
    "最新",
    "最近",
    "新闻",
    "消息",
    "記事",
    "文章",
    "話題",
    "について",
    "に関する",
    "关于",
    "有关",
    "动态",
    "進展",
    "进展",
    "動向",
    "を教えて",
    "介绍",
];

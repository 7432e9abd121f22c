//! Words of a question that do not say what it is about.

use crate::stop_words::keys;
use crate::tokens::Keys;
use std::sync::OnceLock;

/// Words that people wrap a topic in ("latest news about …"); they do not name one.
static TOPIC_FILLERS: [&str; 93] = [
    "advance",
    "advances",
    "announced",
    "announcement",
    "announcements",
    "area",
    "areas",
    "article",
    "articles",
    "breakthrough",
    "breakthroughs",
    "came",
    "come",
    "comes",
    "coming",
    "cope",
    "copes",
    "coping",
    "cover",
    "current",
    "development",
    "developments",
    "explain",
    "field",
    "find",
    "finding",
    "findings",
    "give",
    "handle",
    "handles",
    "handling",
    "happened",
    "happening",
    "interested",
    "know",
    "knows",
    "latest",
    "like",
    "look",
    "looks",
    "mean",
    "means",
    "month",
    "months",
    "new",
    "newest",
    "news",
    "overview",
    "paper",
    "papers",
    "please",
    "post",
    "posts",
    "progress",
    "publication",
    "publications",
    "recent",
    "recently",
    "release",
    "released",
    "releases",
    "report",
    "reports",
    "research",
    "say",
    "says",
    "show",
    "state",
    "stories",
    "story",
    "studies",
    "study",
    "summary",
    "teach",
    "teaches",
    "tell",
    "tells",
    "thing",
    "things",
    "this",
    "today",
    "topic",
    "trend",
    "trends",
    "update",
    "updates",
    "want",
    "wants",
    "week",
    "wonder",
    "work",
    "write",
    "year",
];

/// Those of them that name a thing together with the word behind them: "state space", "report generation".
static FIRST_PARTS: [&str; 14] = [
    "field", "paper", "papers", "post", "posts", "release", "releases", "report", "reports", "state",
    "story", "study", "topic", "trend",
];

/// Words that belong to a topic but fit nearly any: alone they say of no document that it is about it.
static VAGUE_WORDS: [&str; 49] = [
    "application",
    "applications",
    "approach",
    "approaches",
    "best",
    "better",
    "companies",
    "company",
    "compare",
    "compares",
    "comparing",
    "data",
    "good",
    "help",
    "helps",
    "improve",
    "improving",
    "large",
    "little",
    "machine",
    "machines",
    "maker",
    "makers",
    "method",
    "methods",
    "model",
    "models",
    "people",
    "performance",
    "problem",
    "problems",
    "question",
    "questions",
    "rule",
    "rules",
    "small",
    "system",
    "systems",
    "task",
    "tasks",
    "technique",
    "techniques",
    "technology",
    "time",
    "tool",
    "tools",
    "way",
    "ways",
    "written",
];

/// Whether the token with this key only wraps a topic.
pub(crate) fn is_filler(key: u64) -> bool {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| keys(&TOPIC_FILLERS)).contains(&key)
}

/// Whether the token with this key names a thing together with the word behind it.
pub(crate) fn is_first_part(key: u64) -> bool {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| keys(&FIRST_PARTS)).contains(&key)
}

/// Whether the token with this key fits nearly any topic.
pub(crate) fn is_vague(key: u64) -> bool {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| keys(&VAGUE_WORDS)).contains(&key)
}

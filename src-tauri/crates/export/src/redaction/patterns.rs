//! Patterns for file names, addresses and amounts of money in texts of any language.
//!
//! A false match costs a word, but a missed one is disclosed. So the patterns are wide.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::Redaction;

/// Characters besides white space that end an address or a file name.
const STOPS: &str = "\\s\"'`<>|“”‘’«»，。、；：！？（）「」『』【】《》";

/// Top-level domains. Those that are also words count only in lower case.
const DOMAINS: &str = "com|org|net|edu|gov|mil|int|io|ai|dev|app|co|cn|jp|de|uk|fr|eu|us|info|me|tv|ch|at|nl|be|se|no|fi|dk|es|it|pt|\
    pl|cz|hu|gr|ie|ru|ua|tr|il|in|kr|tw|hk|sg|my|th|vn|id|ph|au|nz|ca|br|mx|ar|cl|za|xyz|site|online|cloud|tech|news|blog|shop|\
    onion|local|internal|lan|test|example|invalid";

/// Extensions of files that people keep.
const ENDINGS: &str = "7z|bmp|csv|docx?|epub|gif|gz|html?|jpe?g|jsonl?|log|md|mov|mp3|mp4|odp|ods|odt|pdf|png|pptx?|rtf|sqlite3?|svg|\
    tar|tex|tiff?|toml|tsv|txt|wav|webp|xlsx?|xml|ya?ml|zip";

const SIGNS: &str = "$€£¥￥₩₹₽₫₴฿₿";
const CODES: &str = "USD|EUR|GBP|JPY|CNY|RMB|CHF|AUD|CAD|NZD|HKD|TWD|SGD|KRW|INR|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|RUB|UAH|TRY|BTC|ETH";
const CURRENCIES: &str = "dollars?|euros?|pounds?|pence|yen|yuan|renminbi|rupees?|francs?|cents?|美元|美金|欧元|歐元|英镑|英鎊|日元|\
    日圆|人民币|人民幣|港元|港币|元|块钱|塊錢|円|圓|圆|ドル|ユーロ|ポンド|원|달러|유로";
/// A number with its scale: “1,250.50”, “3.5 million”, “七百万”. A single Chinese numeral is part of too many words.
const FIGURE: &str = "(?:(?:\\d{1,3}(?:\\x20\\d{3})+|\\d[\\d.,'’\\x{a0}\\x{202f}]*)(?:\\s?-?\\s?(?:(?:thousand|million|billion|trillion|bn|\
    tn|k|m|b)(?-u:\\b)|[千万萬億亿兆百])+)*|[〇零一二两兩三四五六七八九十百千万萬億亿兆]{2,})";
const NUMERALS: &str = "a|an|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|\
    seventy|eighty|ninety|hundred|thousand|million|billion|trillion|and|of";

static ADDRESSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        "(?x)(?i: [a-z][a-z0-9+.\\-]{{1,20}}:(?:\\\\?/){{2}} | https?%3a | mailto: | tel: | www\\. )[^{STOPS}]+
        | [\\p{{Latin}}\\d._%+\\-]+@[\\p{{Latin}}\\d\\-]+(?:\\.[\\p{{Latin}}\\d\\-]+)+
        | (?:\\d{{1,3}}\\.){{3}}\\d{{1,3}}(?::\\d+)? | localhost(?::\\d+)?
        | (?:[\\p{{Latin}}\\d](?:[\\p{{Latin}}\\d\\-]*[\\p{{Latin}}\\d])?\\.)+(?:{DOMAINS})(?-u:\\b)(?::\\d+)?(?:/[^{STOPS}]*)?"
    ))
    .ok()
});

static FILE_NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        "(?ix)(?:^|[{STOPS}(\\[{{=:,])(?P<path>(?:~?/|\\.{{1,2}}[/\\\\]|[a-z]:[/\\\\]|\\\\\\\\|file:/)[^{STOPS}]{{2,}})
        | (?P<name>[^{STOPS}()\\[\\]{{}}*?:]+\\.(?:{ENDINGS})(?-u:\\b))"
    ))
    .ok()
});

static AMOUNTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        "(?ix)(?-u:\\b)?[a-z]{{0,3}}[{SIGNS}]\\s?-?{FIGURE}(?:\\s?(?:-|–|—|~|to)\\s?[{SIGNS}]?{FIGURE})?
        | (?-u:\\b)(?-i:{CODES})\\s?{FIGURE}
        | {FIGURE}\\s?-?(?:[{SIGNS}]|(?-i:{CODES})(?-u:\\b)|(?:{CURRENCIES}))
        | (?-u:\\b)(?:(?:{NUMERALS})[\\s\\-]+)+(?:dollars?|euros?|pounds?|yen|yuan|rupees?|francs?|cents?)(?-u:\\b)"
    ))
    .ok()
});

/// Replaces each match of this kind in a text; `replace` may also only count.
pub(super) fn replaced(text: &str, kind: Redaction, replace: &mut dyn FnMut(&str) -> String) -> String {
    let pattern = match kind {
        Redaction::Prompts | Redaction::Pages | Redaction::Keys => return text.to_owned(),
        Redaction::FileNames if is_file_name(text) => return replace(text),
        Redaction::FileNames => &FILE_NAMES,
        Redaction::Addresses => &ADDRESSES,
        Redaction::Amounts => &AMOUNTS,
    };
    // Without its pattern nothing would be found, so the whole text is replaced.
    let Some(pattern) = &**pattern else { return replace(text) };
    let found = pattern.replace_all(text, |captures: &Captures<'_>| {
        let all = captures.get(0).map_or("", |found| found.as_str());
        let thing =
            captures.name("path").or_else(|| captures.name("name")).map_or(all, |found| found.as_str());
        // The path of a web address is not a file name.
        let is_of_address = kind == Redaction::FileNames
            && thing.starts_with("//")
            && captures
                .get(0)
                .is_some_and(|found| text[..found.start()].ends_with(':') || all.starts_with(':'));
        if is_of_address || thing.is_empty() {
            return all.to_owned();
        }
        let thing = thing.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_']);
        all.replacen(thing, &replace(thing), 1)
    });
    found.into_owned()
}

/// Whether the whole text is a file name, including spaces.
pub(super) fn is_file_name(text: &str) -> bool {
    const LONGEST: usize = 120;
    let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
    text.len() <= LONGEST
        && !text.contains('\n')
        && !text.contains("://")
        && !ending.is_empty()
        && FILE_NAMES
            .as_ref()
            .is_some_and(|names| names.find_iter(text).last().is_some_and(|found| found.end() == text.len()))
        && !ending.contains(['/', '\\', ' '])
}

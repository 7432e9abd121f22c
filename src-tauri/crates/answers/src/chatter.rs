//! Removes what a model says to the person around a draft: a greeting and an announcement before it, an offer after it.
//!
//! Only for a text that the schema marks as a draft. A sentence is removed if it speaks to the person about the text
//! itself, cites nothing, has no figure, and was not shown to the model; everything else is content.

use crate::text_features::{cites, ends_with_a_text, is_rule, names_a_text};

/// Most sentences at one end that count as chatter.
const MOST: usize = 5;
/// Most characters of a sentence that counts as chatter.
const LONGEST: usize = 200;

// Lists of words, parted by `|`.

/// Greetings before an answer.
const GREETINGS: &str = "\
    sure|sure thing|certainly|of course|okay|ok|alright|great|absolutely|got it|understood|\
    no problem|definitely|happy to help|here you go|thank you for the feedback|\
    thank you for your feedback|thanks for the feedback|thanks for your feedback|\
    thank you for the notes|thanks for the notes|好的|好|当然|当然可以|可以|没问题|明白|明白了|收到|はい|承知しました|承知いたしました|\
    かしこまりました|了解しました|もちろん|もちろんです|わかりました|分かりました";
/// Beginnings of a sentence in which the model presents its text.
const HANDS_OVER: &str = "\
    here is |here's |below is |below you will find |below you'll find |i have written |i've written |\
    i have revised |i've revised |i have rewritten |i've rewritten |i have updated |i've updated ";
/// Words that may precede them, up to a comma.
const AS_ASKED: &str = "as requested|as you requested|based on your |per your |following your ";
/// Words that may follow the name of the text in such a sentence.
const WAS_ASKED: &str = "you asked|you requested|based on|as requested";
const HANDS_OVER_IN_CJK: &str =
    "以下|下面|这是|根据您|根据你|按照您|按照你|我已|我为|こちら|下記|それでは|では、|ご要望|ご指示";
/// Words that show that the model made the text for the person.
const MADE_IN_CJK: &str = "您|你|修改|修订|重写|改写|润色|撰写";

/// Beginnings of a sentence that offers more work.
const OFFERS: &str = "\
    let me know if|let me know what|let me know whether|let me know how|let me know should|\
    just let me know|please let me know|feel free to ask|feel free to request|feel free to suggest|\
    feel free to tell me|feel free to let me know|please feel free to ask|would you like|\
    do you want|do you need|want me to|shall i |should i |i can also |i can make |i can adjust |\
    i can expand |i can shorten |i can revise |i can provide |i could |i'd be happy to|\
    i would be happy to|i'm happy to|i am happy to|happy to |if you'd like|if you would like|\
    if you want|if you need|if you prefer|if you have|is there anything|should you ";
/// Beginnings of an offer by the model to the person, whatever follows.
const OWN_OFFERS: &str = "feel free to ask|please feel free to ask|happy to |i can also ";
/// What is offered: work on the text.
const WORK: &str = "\
    change|changes|adjust|adjusted|adjustment|adjustments|edit|edits|revise|revised|revision|\
    revisions|rewrite|rework|shorten|shorter|longer|expand|expanded|tweak|tweaks|refine|refined|\
    refinements|modify|modifications|translate|tone|headline";
/// Beginnings of a polite sentence, and its further words.
const COURTESY_STARTS: &str = "i hope this|i hope that|hope this|hope that|i hope the";
const COURTESY_ENDS: &str = "helps|meets your|is what you|is helpful|is useful|works for you";
/// Beginnings of a sentence in which the model reports its work on the text, and the nouns of such a sentence.
const REPORT_STARTS: &str = "\
    i've kept |i've made |i've used |i've written |i've revised |i've rewritten |i've updated |\
    i've added |i've included |i've ensured |i've tried |i've focused |i have kept |i have made |\
    i have used |i have written |i have revised |i have rewritten |i have updated |i have added |\
    i have included |i have ensured |i have tried |i have focused |i kept |i made |i used |i wrote |\
    i revised |i rewrote |i updated |i added |i included |i ensured |i tried |i focused |\
    note that i |note: i ";
const TASK: &str = "\
    your feedback|your notes|your request|you gave me|you provided|the word limit|the word count|\
    the review notes|each note is met";

/// A Chinese offer has a word from each of three lists, a Japanese one from each of two.
const SAID_TO_IN_CHINESE: &str = "如果|如需|如有|若|需要|是否|要不要|要我|请|您|你";
const WORK_IN_CHINESE: &str = "修改|调整|改动|更改|补充|扩展|缩短|润色|修订|重写|版本|语气";
const OFFERS_IN_CHINESE: &str = "告诉我|告知我|随时告知|请告知|让我知道|我可以|需要我|要我|我很乐意";
const WORK_IN_JAPANESE: &str = "修正|変更|調整|短く|長く|追加|書き直|加筆|ご要望|ご希望|トーン";
const OFFERS_IN_JAPANESE: &str = "\
    お知らせください|お申し付けください|お申しつけください|教えてください|おっしゃってください|\
    ご指示ください|お聞かせください|しましょうか|いたしましょうか";
const COURTESY_IN_JAPANESE: &str = "お役に立てば幸い|お役に立てれば幸い|ご参考になれば幸い";

/// The draft alone. `shown` is the model's input: a sentence that it contains word for word is content.
pub(crate) fn without<'t>(text: &'t str, shown: &str) -> &'t str {
    let is_shown = |sentence: &str| shown.contains(sentence.trim());
    without_closing(without_opening(text, &is_shown), &is_shown)
}

fn without_opening<'t>(text: &'t str, is_shown: &impl Fn(&str) -> bool) -> &'t str {
    let mut rest = text;
    let mut is_greeted = false;
    for _ in 0..MOST {
        let line = rest.lines().next().unwrap_or_default();
        let sentence = &line[..sentence_end(line)];
        let after = &rest[line.len()..];
        let next = after.trim_start();
        let is_apart = after.trim_start_matches(['\r', ' ']).starts_with("\n\n")
            || next.starts_with('#')
            || is_rule(next.lines().next().unwrap_or_default());
        let is_whole = sentence.len() == line.trim_end().len();
        let announces = sentence.ends_with([':', '：']) && hands_over(sentence, is_greeted);
        let chatter = if is_apart && announces_only(line, is_greeted) {
            line
        } else if is_greeting(sentence) || (announces && (is_greeted || is_whole)) {
            sentence
        } else {
            break;
        };
        let kept = rest[chatter.len()..].trim_start();
        if kept.is_empty() || is_shown(chatter) {
            break;
        }
        is_greeted |= sentences(chatter).any(is_greeting);
        rest = match kept.split_once('\n') {
            Some((first, body)) if is_rule(first) => body.trim_start(),
            _ => kept,
        };
    }
    rest
}

fn without_closing<'t>(text: &'t str, is_shown: &impl Fn(&str) -> bool) -> &'t str {
    let mut rest = text;
    for _ in 0..MOST {
        let end = rest.trim_end();
        let line = &end[end.rfind('\n').map_or(0, |at| at + 1)..];
        let sentence = last_sentence(line);
        let is_chatter = is_closing(sentence) || (is_count(line) && sentence.len() == line.len());
        let kept = end[..end.len() - sentence.len()].trim_end();
        let kept = match kept.rsplit_once('\n') {
            // Dashes directly below a line of text make it a heading.
            Some((body, last)) if is_rule(last) && body.trim_end_matches([' ', '\r']).ends_with('\n') => {
                body.trim_end()
            }
            _ => kept,
        };
        let above = kept.lines().next_back().unwrap_or_default();
        // The only sentence below a heading stays.
        if !is_chatter || is_block(line) || kept.is_empty() || is_heading(above) || is_shown(sentence) {
            break;
        }
        rest = kept;
    }
    rest
}

/// Whether a line only greets, presents the following text, or reports the work on it.
pub(crate) fn announces_only(line: &str, is_greeted: bool) -> bool {
    let mut is_greeted = is_greeted;
    !line.trim().is_empty()
        && sentences(line).all(|sentence| {
            is_greeted |= is_greeting(sentence);
            is_greeting(sentence)
                || hands_over(sentence, is_greeted)
                || bare(sentence).is_some_and(|text| is_report(&text))
        })
}

/// Whether each line only speaks to the person about the text, or states its number of words.
pub(crate) fn is_talk(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.all(|line| !is_block(line) && (is_count(line) || sentences(line).all(is_closing)))
}

/// The bytes of the first sentence of a line, with its mark.
fn sentence_end(line: &str) -> usize {
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        let goes_on = characters.peek().is_some_and(|(_, next)| !next.is_whitespace());
        if "。！？：".contains(character) || (".!?:".contains(character) && !goes_on) {
            let closers =
                line[end..].chars().take_while(|c| "*_)）".contains(*c)).map(char::len_utf8).sum::<usize>();
            return end + closers;
        }
    }
    line.trim_end().len()
}

/// The sentences of a line, each with its mark.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim();
    std::iter::from_fn(move || {
        let (sentence, after) = rest.split_at(sentence_end(rest));
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The last sentence of a line, which may contain a colon.
fn last_sentence(line: &str) -> &str {
    let mut at = 0;
    let mut start = 0;
    for sentence in sentences(line) {
        let begin = at + line[at..].find(sentence).unwrap_or_default();
        if !line[..at].trim_end().ends_with([':', '：']) {
            start = begin;
        }
        at = begin + sentence.len();
    }
    &line[start..]
}

/// Whether a line is a heading, an item, a quotation or a table row, all of which are content.
fn is_block(line: &str) -> bool {
    let line = line.trim_start();
    let marks = ["#", "- ", "* ", "+ ", ">", "|", "```", "~~~"];
    marks.iter().any(|mark| line.starts_with(mark)) || line.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a line is the heading of the following text, or underlines one.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let bold = line.trim_end_matches([':', '：']).strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    line.starts_with('#')
        || line.starts_with("===")
        || is_rule(line)
        || bold.is_some_and(|text| !text.ends_with(['.', '!', '?', '。', '！', '？']))
}

/// A sentence in lower case without surrounding emphasis, if it can be chatter.
fn bare(sentence: &str) -> Option<String> {
    let sentence = sentence.trim();
    let inner = sentence.trim_start_matches(['*', '_', '(', '（']);
    let opened = sentence.len() - inner.len();
    let text = inner.trim_end_matches(['*', '_', ')', '）']);
    let is_whole = opened == inner.len() - text.len();
    let is_figure = |c: char| c.is_numeric();
    let says_nothing = is_whole
        && sentence.chars().count() <= LONGEST
        && !cites(text)
        && !text.contains(is_figure)
        && !text.ends_with(['"', '”', '’', '」', '』']);
    says_nothing.then(|| text.to_lowercase().replace('’', "'"))
}

fn without_mark(text: &str) -> &str {
    text.trim_end_matches(['.', '!', ',', ':', '。', '！', '，', '、', '：', '~', '～']).trim()
}

fn is_greeting(sentence: &str) -> bool {
    let Some(text) = bare(sentence) else { return false };
    // A word and a comma begin a sentence of content.
    without_mark(&text) != text && is_among(GREETINGS, without_mark(&text))
}

/// Whether a sentence presents the following text: it names the text at its end, or says that it was requested. After a
/// greeting, naming the text is enough.
fn hands_over(sentence: &str, is_greeted: bool) -> bool {
    let Some(text) = bare(sentence) else { return false };
    // “Sure, here is the post”: the greeting belongs to the sentence.
    let greeting = text.find([',', '，', '、']).filter(|at| is_among(GREETINGS, &text[..*at]));
    let is_greeted = is_greeted || greeting.is_some();
    let handed = greeting.map_or(text.as_str(), |at| text[at..].trim_start_matches([',', '，', '、', ' ']));
    if !handed.starts_with(|c: char| c.is_ascii()) {
        return starts(handed, HANDS_OVER_IN_CJK)
            && ends_with_a_text(without_mark(handed).trim_end_matches("です"))
            && (is_greeted || has(handed, MADE_IN_CJK));
    }
    let is_as_asked = starts(handed, AS_ASKED);
    let reason = handed.rfind(',').filter(|_| is_as_asked);
    let clause = reason.map_or(handed, |at| handed[at + 1..].trim_start());
    // “I have written a post” may be content of the post.
    let is_own = clause.starts_with("i ") || clause.starts_with("i'");
    let is_open = is_greeted || is_as_asked;
    if is_own && !is_open && !handed.ends_with(':') {
        return false;
    }
    let Some(named) = HANDS_OVER.split('|').find_map(|start| clause.strip_prefix(start)) else {
        return false;
    };
    // Not “what you need to know about the post”, nor “their post”.
    let is_definite = named.split(' ').next().is_some_and(|word| is_among("the|your|a|an", word));
    let was_asked_for = WAS_ASKED.split('|').any(|asked| {
        named
            .split_once(asked)
            .is_some_and(|(before, _)| ends_with_a_text(before.trim_end_matches([' ', ','])))
    });
    is_definite
        && names_a_text(named)
        && (is_greeted || was_asked_for || ends_with_a_text(without_mark(named)))
}

fn is_closing(sentence: &str) -> bool {
    let Some(text) = bare(sentence) else { return false };
    is_offer(&text) || is_courtesy(&text) || is_report(&text) || is_closing_in_cjk(&text)
}

/// Whether a sentence offers more work on the text: it names the text, or only the work.
fn is_offer(text: &str) -> bool {
    let words: Vec<&str> = words(text).collect();
    let has_word = |list: &str| words.iter().any(|word| is_among(list, word));
    // “If you want to change it” may be advice in a guide.
    let is_condition = starts(text, "if you|should you");
    let is_own = match is_condition {
        true => has(text, "i can |let me know|feel free to ask"),
        false => has_word("i|me") || starts(text, OWN_OFFERS),
    };
    let is_to_person = has_word("you") || text.ends_with('?') || starts(text, OWN_OFFERS);
    if !starts(text, OFFERS) || !has_word(WORK) || !is_own || !is_to_person || has_word("my|our") {
        return false;
    }
    // “Any changes to the schedule” do not concern the text, and “should I change?” is a question to oneself.
    let last = words.last().copied().unwrap_or_default();
    let is_thing = last.ends_with('s') || is_among("shorter|longer|tone|headline", last);
    let is_work_alone = (is_thing && is_among(WORK, last)) || without_mark(text).ends_with(" it further");
    let is_about_nothing_else =
        is_work_alone && !has_word("your") && (has_word("you") || starts(text, OWN_OFFERS));
    names_a_text(text) || is_about_nothing_else
}

/// Whether a sentence only expresses the hope that the text is useful.
fn is_courtesy(text: &str) -> bool {
    let text = without_mark(text);
    COURTESY_STARTS.split('|').filter_map(|start| text.strip_prefix(start)).any(|hoped| {
        is_among(COURTESY_ENDS, hoped.trim()) || (names_a_text(hoped) && has_words(hoped, COURTESY_ENDS))
    })
}

/// Whether a sentence reports the model's work on the text.
fn is_report(text: &str) -> bool {
    starts(text, REPORT_STARTS) && has_words(text, TASK) && names_a_text(text)
}

fn is_closing_in_cjk(text: &str) -> bool {
    let is_named = names_a_text(text);
    let works = |list: &str, is_alone: fn(&str, &str) -> bool| {
        list.split('|').any(|work| {
            let mut places = text.match_indices(work);
            places.any(|(at, _)| is_named || is_alone(&text[..at], &text[at + work.len()..]))
        })
    };
    // The object of the change would follow: “修改订单”.
    let ends_clause = |_: &str, after: &str| {
        let is_end = |c: char| "，,、。！!？?；吗".contains(c);
        after.is_empty()
            || after.starts_with(is_end)
            || after.starts_with("一些")
            || after.starts_with("一下")
    };
    // It would stand before it: “予約の変更”, “住所変更”.
    let begins_clause = |before: &str, _: &str| {
        let is_loose = |c: char| c == '、' || ('ぁ'..='ん').contains(&c);
        !before.contains(['の', 'を']) && (before.is_empty() || before.ends_with(is_loose))
    };
    let is_offer_in_chinese =
        has(text, SAID_TO_IN_CHINESE) && has(text, OFFERS_IN_CHINESE) && works(WORK_IN_CHINESE, ends_clause);
    let is_courtesy_in_chinese =
        is_named && text.contains("希望") && has(text, "您|你") && has(text, "帮助|满意|要求|需求");
    (!text.contains("我们") && (is_offer_in_chinese || is_courtesy_in_chinese))
        || (has(text, OFFERS_IN_JAPANESE) && works(WORK_IN_JAPANESE, begins_clause))
        || (is_named && has(text, COURTESY_IN_JAPANESE))
}

/// The longest line that only states a number, in bytes.
const LONGEST_COUNT: usize = 100;

/// Whether a line only states the number of words or characters of the text.
fn is_count(line: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_digit();
    // Most lines are long prose, whose words need no look.
    if line.len() > LONGEST_COUNT || !line.contains(is_figure) {
        return false;
    }
    let text = line.to_lowercase();
    let words: Vec<&str> = words(&text).collect();
    let is_unit = |word: &str| is_among("word|words|characters|字数|字|文字数|文字|词数", word);
    let is_glued = |word: &&str| is_unit(word.trim_matches(is_figure));
    let is_other = |word: &&str| word.chars().all(is_figure) || is_among("count|total", word);
    words.iter().any(is_glued) && words.iter().all(|word| is_glued(word) || is_other(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn starts(text: &str, list: &str) -> bool {
    list.split('|').any(|start| text.starts_with(start))
}

fn has(text: &str, list: &str) -> bool {
    list.split('|').any(|part| text.contains(part))
}

/// The same for whole words: “the postcard” does not contain “the post”.
fn has_words(text: &str, list: &str) -> bool {
    list.split('|').any(|part| {
        text.match_indices(part).any(|(at, _)| {
            !text[..at].ends_with(char::is_alphanumeric)
                && !text[at + part.len()..].starts_with(char::is_alphanumeric)
        })
    })
}

/// Whether a word is one of a list.
fn is_among(list: &str, word: &str) -> bool {
    list.split('|').any(|known| known == word)
}

#[cfg(test)]
mod tests;

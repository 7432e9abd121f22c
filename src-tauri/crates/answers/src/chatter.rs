//! What a model says to the person around a draft: a greeting and an announcement before it, an offer behind it.
//!
//! Only for a text of which the schema says that it is a draft. A sentence is left out where it speaks to the person about
//! the text itself, cites nothing, gives no figure, and was not shown to the model; everything else is content.

use crate::plain::{cites, is_rule, names_a_text};

/// More sentences than this at one end are no chatter.
const MOST: usize = 5;
/// A sentence with more characters says something.
const LONGEST: usize = 200;

// Lists of words, parted by `|`.

/// Words that stand alone before an answer.
const GREETINGS: &str = "\
    sure|sure thing|certainly|of course|okay|ok|alright|great|absolutely|got it|understood|\
    no problem|definitely|happy to help|here you go|thank you for the feedback|\
    thank you for your feedback|thanks for the feedback|thanks for your feedback|\
    thank you for the notes|thanks for the notes|好的|好|当然|当然可以|可以|没问题|明白|明白了|收到|はい|承知しました|承知いたしました|\
    かしこまりました|了解しました|もちろん|もちろんです|わかりました|分かりました";
/// How a sentence begins that hands a text over.
const HANDS_OVER: &str = "\
    here is |here's |here are |below is |below you will find |below you'll find |as requested|\
    as you requested|based on your |per your |following your |i have written |i've written |\
    i have revised |i've revised |i have rewritten |i've rewritten |i have updated |i've updated |\
    i wrote |i revised |i rewrote |以下|下面|这是|根据您|根据你|按照您|按照你|我已|我为|こちら|下記|それでは|では、|ご要望|ご指示";
/// What tells there that the text was made, and for whom.
const MADE: &str = "you|your|i|requested|revised|updated|rewritten|corrected|below";
const MADE_IN_CJK: &str = "您|你|我|修改|修订|重写|改写|润色|撰写|です|ます|ました";

/// How a sentence begins that offers more.
const OFFERS: &str = "\
    let me know if|let me know what|let me know whether|let me know how|let me know should|\
    just let me know|please let me know|feel free to ask|feel free to request|feel free to suggest|\
    feel free to tell me|feel free to let me know|please feel free to ask|would you like|\
    do you want|do you need|want me to|shall i |should i |i can also |i can make |i can adjust |\
    i can expand |i can shorten |i can revise |i can provide |i could |i'd be happy to|\
    i would be happy to|i'm happy to|i am happy to|happy to |if you'd like|if you would like|\
    if you want|if you need|if you prefer|if you have|is there anything|should you ";
/// What is offered: work on the text.
const WORK: &str = "\
    change|changes|adjust|adjusted|adjustment|adjustments|edit|edits|revise|revised|revision|\
    revisions|rewrite|rework|shorten|shorter|longer|expand|expanded|tweak|tweaks|refine|refined|\
    refinements|modify|modifications|translate|tone|headline";
/// How a sentence of courtesy begins, and what it then says.
const HOPES: &str = "i hope this|i hope that|hope this|hope that|i hope the";
const HOPED: &str = "helps|meets your|is what you|is helpful|is useful|works for you";
/// How a sentence begins in which the model tells what it did with the text, and what it then names.
const TELLS: &str = "\
    i've kept |i've made |i've used |i've written |i've revised |i've rewritten |i've updated |\
    i've added |i've included |i've ensured |i've tried |i've focused |i have kept |i have made |\
    i have used |i have written |i have revised |i have rewritten |i have updated |i have added |\
    i have included |i have ensured |i have tried |i have focused |i kept |i made |i used |i wrote |\
    i revised |i rewrote |i updated |i added |i included |i ensured |i tried |i focused |\
    note that i |note: i ";
const TOLD: &str = "\
    the post|this post|the draft|this draft|the article|this article|the text|the tone|the length|\
    the structure|your feedback|your notes|your request|you gave me|you provided|the word limit|\
    the word count|the review notes|each statement|every statement|every paragraph";

/// The same of Chinese and Japanese: of each list of a row one word must be there.
const OFFERED: &[&[&str]] = &[
    &[
        "如果|如需|如有|若|需要|是否|要不要|要我|请|您|你",
        "修改|调整|改动|更改|补充|扩展|缩短|润色|修订|重写|版本|语气",
        "告诉我|告知我|随时告知|欢迎随时|请告知|让我知道|我可以|我来|我再|需要我|要我|我帮|我会|我很乐意",
    ],
    &["希望", "这篇|这份|这个版本|以上|本文|对您有|对你有", "帮助|满意|要求|需求"],
    &[
        "修正|変更|調整|短く|長く|追加|書き直|加筆|ご要望|ご希望|トーン",
        "お知らせください|お申し付けください|お申しつけください|教えてください|おっしゃってください|ご指示ください|お聞かせください|しましょうか|いたしましょうか",
    ],
    &["お役に立てば幸い|お役に立てれば幸い|ご参考になれば幸い"],
];

/// The draft alone. `shown` is what the model was given: a sentence that stands there word for word is content.
pub(crate) fn without<'t>(text: &'t str, shown: &str) -> &'t str {
    let is_shown = |sentence: &str| shown.contains(sentence.trim());
    without_closing(without_opening(text, &is_shown), &is_shown)
}

fn without_opening<'t>(text: &'t str, is_shown: &impl Fn(&str) -> bool) -> &'t str {
    let mut rest = text;
    for _ in 0..MOST {
        let line = rest.lines().next().unwrap_or_default();
        let sentence = &line[..sentence_end(line)];
        let after = &rest[line.len()..];
        let next = after.trim_start();
        let is_apart = after.trim_start_matches(['\r', ' ']).starts_with("\n\n")
            || next.starts_with('#')
            || is_rule(next.lines().next().unwrap_or_default());
        let is_talk = |sentence: &str| is_greeting(sentence) || hands_over(sentence) || is_closing(sentence);
        let chatter = if is_apart && sentences(line).all(is_talk) {
            line
        } else if is_greeting(sentence) || (hands_over(sentence) && sentence.ends_with([':', '：'])) {
            sentence
        } else {
            break;
        };
        let kept = rest[chatter.len()..].trim_start();
        if kept.is_empty() || is_shown(chatter) {
            break;
        }
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
        let kept = end[..end.len() - sentence.len()].trim_end();
        let is_chatter = !is_block(line) && is_closing(sentence);
        if !(is_chatter || is_count(line) && sentence.len() == line.len())
            || kept.is_empty()
            || is_shown(sentence)
        {
            break;
        }
        rest = match kept.rsplit_once('\n') {
            Some((body, last)) if is_rule(last) => body.trim_end(),
            _ => kept,
        };
    }
    rest
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

/// The last sentence of a line, which may have a colon within.
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

/// Whether a line is a heading, an item, a quotation or a row: what stands in these is content.
fn is_block(line: &str) -> bool {
    let line = line.trim_start();
    let marks = ["#", "- ", "* ", "+ ", ">", "|", "```", "~~~"];
    marks.iter().any(|mark| line.starts_with(mark)) || line.starts_with(|c: char| c.is_ascii_digit())
}

/// A sentence in small letters without the emphasis around it, where it can be chatter.
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
    // A word and its comma begin a sentence of content.
    without_mark(&text) != text && is_among(GREETINGS, without_mark(&text))
}

/// Whether a sentence hands over the text that follows: it names it at its end, or says for whom or how it was made.
fn hands_over(sentence: &str) -> bool {
    let Some(text) = bare(sentence) else { return false };
    // “Sure, here is the post”: the greeting belongs to it.
    let greeting = text.find([',', '，', '、']).filter(|at| is_among(GREETINGS, &text[..*at]));
    let handed = greeting.map_or(text.as_str(), |at| text[at..].trim_start_matches([',', '，', '、', ' ']));
    let last = without_mark(handed).rsplit(' ').next().unwrap_or_default();
    let mut words = handed.split(|c: char| !c.is_alphanumeric());
    HANDS_OVER.split('|').any(|start| handed.starts_with(start))
        && names_a_text(handed)
        && match handed.starts_with(|c: char| c.is_ascii()) {
            true => names_a_text(last) || words.any(|word| is_among(MADE, word)),
            false => MADE_IN_CJK.split('|').any(|word| handed.contains(word)),
        }
}

fn is_closing(sentence: &str) -> bool {
    let Some(text) = bare(sentence) else { return false };
    let starts = |list: &str| list.split('|').any(|start| text.starts_with(start));
    let has = |list: &str| list.split('|').any(|word| text.contains(word));
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    // An offer is one of the model: a guide tells its reader what to do “if you want to change it”.
    let is_condition = starts("if you|should you") && !text.contains("feel free");
    let is_offer = starts(OFFERS)
        && (words.iter().any(|word| is_among(WORK, word)) || text.contains("anything else"))
        && (!is_condition || words.iter().any(|word| is_among("i|me", word)))
        && (names_a_text(&text) || !has(" to the | to your | of the | of your "));
    is_offer
        || (starts(HOPES) && has(HOPED))
        || text.trim_end_matches(['.', '!']) == "let me know what you think"
        || (starts(TELLS) && has(TOLD))
        || (!text.contains("我们") && OFFERED.iter().any(|row| row.iter().all(|words| has(words))))
}

/// Whether a line only says how long the text is.
fn is_count(line: &str) -> bool {
    let text = line.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_unit = |word: &str| is_among("word|words|count|total|characters|字数|字|文字数|文字|词数", word);
    let is_glued = |word: &str| is_unit(word.trim_matches(|c: char| c.is_ascii_digit()));
    words.len() > 1
        && words.iter().any(|word| is_unit(word))
        && words.iter().all(|word| is_number(word) || is_glued(word))
}

/// Whether a word is one of a list.
fn is_among(list: &str, word: &str) -> bool {
    list.split('|').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::without;

    /// A draft whose ends could be taken for something else.
    const DRAFT: &str = "## Small models grow up\n\nGemma fits on a phone [1]. If you want to change its tone, fine-tune it [2].";

    #[test]
    fn what_is_said_around_a_draft_is_left_out() {
        let openings = [
            "Sure! ",
            "Sure!\n\n",
            "**Certainly!**\n\n",
            "Of course! Here's the revised post:\n\n",
            "Sure, here is the article you asked for.\n\n",
            "Okay. Here is the draft: ",
            "Thank you for the feedback! Here is the updated version.\n\n---\n\n",
            "I've rewritten the post so that each note is met.\n\n",
            "Based on your notes, here is the revised draft.\n",
            "好的！",
            "好的，以下是为您撰写的文章：\n\n",
            "当然可以。下面是修改后的文章。\n\n",
            "承知しました。以下が修正した記事です。\n\n",
            "はい、こちらが記事です。\n\n",
            "",
        ];
        let closings = [
            "\n\nLet me know if you'd like any changes!",
            "\nLet me know if you’d like any changes!",
            " Let me know if you'd like any changes!",
            "\n\n**Word count:** 187",
            "\n\n(187 words)",
            "\n\n*Let me know if you want it shorter, or with another tone.*",
            "\n\n---\n\nWould you like me to adjust the tone?",
            "\n\nI hope this helps! Feel free to ask for any edits.",
            "\n\nIf you'd like, I can make it shorter.",
            "\n\n(I kept the post below the word limit.)",
            "\n\nHappy to revise it further.",
            "\n\n如需修改，请随时告诉我！",
            "\n\n希望这篇文章对您有所帮助！如果您需要调整语气，请告诉我。",
            "\n\n需要我再缩短一些吗？",
            "\n\n修正が必要な場合はお知らせください。",
            "\n\nこの記事がお役に立てば幸いです。",
            "\n\n字数：350",
            "",
        ];
        for opening in openings {
            for closing in closings {
                let text = format!("{opening}{DRAFT}{closing}");
                assert_eq!(without(&text, ""), DRAFT, "{text}");
            }
        }
    }

    #[test]
    fn content_stays_also_where_it_speaks_to_the_reader() {
        for text in [
            DRAFT,
            "Sure, small models are weaker. They are cheap, too [1].",
            "Sure Start is a programme of the state.\n\nIt began in 1998.",
            "Here is what changed.\n\nThe model got smaller [1].",
            "The authors say it best.\n\nThey ask readers: let me know if you'd like any changes [2].",
            "She wrote to them: “Fine. Let me know if you'd like any changes!”",
            "Settings\n\nIf you want to change the tone, open the menu.",
            "Dear Ms. Kent,\n\nthe offer is attached. Please let me know if you have questions.",
            "Let me know in the comments which version you use!\n\nIt costs 3 euros.",
            "It works.\n\n- Let me know if you'd like any changes!",
            "It works.\n\nI've used it since 2024, and the tone is right.",
            "好的模型不一定大。\n\n如需修改配置，请联系管理员。",
            "以下是三个要点。\n\n- 速度",
            "設定の変更が必要な場合は管理者にご連絡ください。",
            "Here is the post office.\n\nIt opened in 1990.",
            "Here is the text of the law: nobody may park there.",
            "The menu has them.\n\nFeel free to edit the file.",
            "Dear Ms. Kent,\n\nlet me know if you'd like any changes to the schedule.",
            "She wrote it.\n\nI've read the article twice.",
            "I hope this post finds you well.\n\nWe met.",
            "It has 300 pages.\n\n300 pages",
            "Of course!",
            "Let me know if you'd like any changes!",
        ] {
            assert_eq!(without(text, ""), text);
        }
        let letter = "The plan is below.\n\nLet me know if you'd like any changes!";
        assert_eq!(
            without(letter, "Shorten: the plan. Let me know if you'd like any changes! Yours"),
            letter
        );
    }
}

//! Writes an article without a model: attributed quotations of what the sources say about the subject.

use extractive::{Article, is_file_name, quotation, without_markup};
use kernel::Phrase;
use prose::{is_hiragana, is_ideographic};
use serde_json::{Value, json};

use interpreter::{FunctionContext, Registry, SourceItem, WithoutModel};

/// Most words that are quoted from one source.
const QUOTED_WORDS: usize = 110;

/// The sentences of the introductions that disclose how the text was made. A text that is made shorter keeps them.
pub(crate) const DISCLOSURES: [&str; 3] =
    ["No model wrote this text", "本文没有使用模型", "モデルは使っていません"];

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.insert("article_of_quotations", article_of_quotations as WithoutModel);
}

/// The sentences around the quotations, in one language.
struct Frame {
    /// States the subject of the search and that no model wrote the text. It cites nothing: the sections do.
    introduction: fn(&str) -> String,
    /// Words a subject, or a question, for use inside a sentence.
    asked: fn(&str, bool) -> String,
    from: fn(&SourceItem, usize) -> String,
    further_on: fn(usize) -> String,
    /// Names the choices of the person that need a model.
    unfollowed: fn(&str) -> String,
    /// States that the search found nothing, or that nothing of what it found can be quoted.
    nothing: fn(&str) -> String,
    unquotable: fn(&str) -> String,
    /// What the person can do then.
    advice: &'static str,
}

const ENGLISH: Frame = Frame {
    introduction: |asked| {
        format!(
            "This article quotes the sources that were found for {asked}, each in a section of its own. No model wrote this \
             text: what stands between quotation marks is taken from the sources word for word, and nothing is added to it."
        )
    },
    asked: |asked, is_question| {
        if is_question { format!("the question “{asked}”") } else { format!("“{asked}”") }
    },
    from: |source, number| match (named(source), day_in_words(&source.published)) {
        (Some(name), day) if day.is_empty() => format!("From {name} [{number}]:"),
        (Some(name), day) => format!("From {name}, {day} [{number}]:"),
        (None, day) if day.is_empty() => format!("In the words of the source [{number}]:"),
        (None, day) => format!("In the words of the source, {day} [{number}]:"),
    },
    further_on: |number| format!("Further on it says [{number}]:"),
    unfollowed: |asked| {
        format!(
            "Without a model this could not be followed: {asked}. The quotations are as their sources wrote them."
        )
    },
    nothing: |asked| format!("The search found no source that fits {asked}."),
    unquotable: |asked| {
        format!(
            "Of what the search found for {asked}, no sentence can be understood when it is quoted by itself."
        )
    },
    advice: "Without a model nothing can be said that a source does not say.\n\nChoose another source for the search, or a \
             profile with a model, and run this again.",
};
const CHINESE: Frame = Frame {
    introduction: |asked| {
        format!(
            "本文引用为{asked}找到的来源，每个来源一节。本文没有使用模型：引号中的文字均为来源原文，未作任何添加。"
        )
    },
    asked: |asked, is_question| {
        if is_question { format!("问题“{asked}”") } else { format!("“{asked}”") }
    },
    from: |source, number| match (named(source), source.published.as_str()) {
        (Some(name), "") => format!("来自{name} [{number}]："),
        (Some(name), day) => format!("来自{name}，{day} [{number}]："),
        (None, "") => format!("来源原文 [{number}]："),
        (None, day) => format!("来源原文，{day} [{number}]："),
    },
    further_on: |number| format!("后文写道 [{number}]："),
    unfollowed: |asked| format!("没有模型，无法满足以下要求：{asked}。引文保持来源原样。"),
    nothing: |asked| format!("搜索没有找到适合{asked}的来源。"),
    unquotable: |asked| format!("搜索为{asked}找到的来源中，没有一句话单独引用时能看懂。"),
    advice: "没有模型，就不能说出来源没有说的内容。\n\n请为搜索选择其他来源，或选择带模型的配置，再运行一次。",
};
const JAPANESE: Frame = Frame {
    introduction: |asked| {
        format!(
            "この記事は、{asked}について見つかった情報源を、節ごとに一つずつ引用します。モデルは使っていません。引用符の中は情報源の原文のままで、何も加えていません。"
        )
    },
    asked: |asked, is_question| {
        if is_question { format!("「{asked}」という問い") } else { format!("「{asked}」") }
    },
    from: |source, number| match (named(source), source.published.as_str()) {
        (Some(name), "") => format!("{name}より [{number}]："),
        (Some(name), day) => format!("{name}、{day} より [{number}]："),
        (None, "") => format!("情報源の原文 [{number}]："),
        (None, day) => format!("情報源の原文、{day} [{number}]："),
    },
    further_on: |number| format!("さらに後には次のようにあります [{number}]："),
    unfollowed: |asked| {
        format!("モデルがないため、次の指定には従えませんでした：{asked}。引用は情報源の原文のままです。")
    },
    nothing: |asked| format!("{asked}に合う情報源は見つかりませんでした。"),
    unquotable: |asked| {
        format!("{asked}について見つかった情報源には、それだけを引用して意味が通る文がありませんでした。")
    },
    advice: "モデルなしでは、情報源が述べていないことは書けません。\n\n検索の情報源を変えるか、モデルのあるプロファイルを選んで、もう一度実行してください。",
};

/// The publisher of a source; `None` if only the name of a file is known.
fn named(SourceItem { source, .. }: &SourceItem) -> Option<&str> {
    (!source.is_empty() && !is_file_name(source)).then_some(source)
}

/// A date as an English text writes it. A text that is no date is returned unchanged.
fn day_in_words(published: &str) -> String {
    let day = published.parse::<jiff::civil::Date>();
    day.map_or_else(|_| published.to_owned(), |day| day.strftime("%-d %B %Y").to_string())
}

fn frame(context: &FunctionContext<'_>) -> &'static Frame {
    let request = context.text("input_text");
    match context.text("text_language") {
        "English" => &ENGLISH,
        "Chinese" => &CHINESE,
        "Japanese" => &JAPANESE,
        _ if request.chars().any(is_hiragana) => &JAPANESE,
        _ if request.chars().any(is_ideographic) => &CHINESE,
        _ => &ENGLISH,
    }
}

/// The choices of the person that quoting cannot follow: the kind of text, its readers and the language.
fn unfollowed_choices(context: &FunctionContext<'_>) -> String {
    const USUAL: [(&str, &str); 3] =
        [("mode", "blog post"), ("tone", "general"), ("text_language", "as the request")];
    let chosen = USUAL.into_iter().map(|(key, usual)| (context.text(key), usual));
    let chosen: Vec<&str> = chosen
        .filter(|(chosen, usual)| !chosen.is_empty() && chosen != usual)
        .map(|(chosen, _)| chosen)
        .collect();
    chosen.join(", ")
}

/// An article with a title, an introduction, and a section per source with the sentences that say most about the
/// subject.
fn article_of_quotations(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let (subject, frame) = (context.text("text_subject"), frame(context));
    let title = context.text("text_title");
    let asked = (frame.asked)(title, title.ends_with(['?', '？']));
    let mut parts = vec![format!("# {}", capitalised(title))];
    let sources = context.sources();
    let numbered = sources.iter().zip(1..);
    let quoted: Vec<(&SourceItem, usize, Vec<String>)> = numbered
        .map(|(source, number)| (source, number, quoted(source, subject)))
        .filter(|(_, _, passages)| !passages.is_empty())
        .collect();
    if quoted.is_empty() {
        let why = if sources.is_empty() { frame.nothing } else { frame.unquotable };
        parts.extend([why(&asked), frame.advice.to_owned()]);
        return Ok(json!({ "markdown": parts.join("\n\n") }));
    }
    parts.push((frame.introduction)(&asked));
    let in_vain = unfollowed_choices(context);
    if !in_vain.is_empty() {
        parts.push((frame.unfollowed)(&in_vain));
    }
    parts.extend(quoted.iter().map(|(source, number, passages)| section(source, *number, passages, frame)));
    Ok(json!({ "markdown": parts.join("\n\n") }))
}

/// The passages of a source on a subject that can be quoted; empty if no sentence can stand alone.
pub(super) fn quoted(source: &SourceItem, subject: &str) -> Vec<String> {
    let SourceItem { title, source: publisher, published, .. } = source;
    let article = Article { title, source: publisher, published, text: source.body() };
    quotation(&article, subject, QUOTED_WORDS)
}

fn section(source: &SourceItem, number: usize, passages: &[String], frame: &Frame) -> String {
    let mut parts = vec![format!("## {}", heading(source)), (frame.from)(source, number)];
    for (place, passage) in passages.iter().enumerate() {
        if place == 1 {
            parts.push((frame.further_on)(number));
        }
        parts.push(format!("> “{}” [{number}]", with_inner_marks(passage)));
    }
    parts.join("\n\n")
}

/// A passage with its quotation marks made single, because it is put between double ones.
fn with_inner_marks(passage: &str) -> String {
    let mut is_open = false;
    let marked = passage.chars().map(|character| match character {
        '"' => {
            is_open = !is_open;
            if is_open { '‘' } else { '’' }
        }
        '„' => '‚',
        '“' => '‘',
        '”' => '’',
        other => other,
    });
    marked.collect()
}

/// The title of a source as a heading.
fn heading(source: &SourceItem) -> String {
    without_markup(source.title.trim_start_matches('#')).trim().to_owned()
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_inside_a_quotation_has_single_marks() {
        assert_eq!(with_inner_marks("It is \"ready\", he said: “Go.”"), "It is ‘ready’, he said: ‘Go.’");
    }

    #[test]
    fn every_introduction_says_that_no_model_wrote_the_text() {
        for (frame, says) in [&ENGLISH, &CHINESE, &JAPANESE].into_iter().zip(DISCLOSURES) {
            assert!((frame.introduction)("“tides”").contains(says));
        }
    }
}

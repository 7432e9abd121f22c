//! An article without a model: what the sources say about the subject, openly quoted.

use kernel::Phrase;
use prose::{is_file_name, is_hiragana, is_ideographic, quotation, sentences};
use serde_json::{Value, json};

use crate::registry::{FunctionContext, Registry, SourceItem, WithoutModel};
use crate::template::one_line;

/// Words of what is quoted of one source.
const QUOTED_WORDS: usize = 120;

/// Characters of a question that can be a title.
const LONGEST_QUESTION: usize = 120;

/// What the introductions say of how the text was made; a text that is made shorter keeps it.
pub(crate) const DISCLOSURES: [&str; 3] =
    ["No model wrote this text", "本文没有使用模型", "モデルは使っていません"];

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.insert("article_of_quotations", article_of_quotations as WithoutModel);
}

/// The sentences that frame the quotations, in one language.
struct Frame {
    introduction: fn(&str) -> String,
    reports: fn(&SourceItem, usize) -> String,
    /// What was asked for and needs a model.
    unfollowed: fn(&str) -> String,
    nothing: fn(&str) -> String,
}

const ENGLISH: Frame = Frame {
    introduction: |subject| {
        format!(
            "What the sources below say about “{subject}”, in their own words. No model wrote this text: each section quotes one source openly."
        )
    },
    reports: |source, number| format!("{} writes [{number}]:", whence(source, ", ")),
    unfollowed: |asked| {
        format!(
            "Without a model this could not be followed: {asked}. The quotations are as their sources wrote them."
        )
    },
    nothing: |subject| {
        format!(
            "There is no source about “{subject}”, and without a model nothing can be said about it that a source does not say.\n\nChoose another source for the search, or a profile with a model, and run this again."
        )
    },
};
const CHINESE: Frame = Frame {
    introduction: |subject| {
        format!("以下来源对“{subject}”的说法，均为原文。本文没有使用模型：每一节公开引用一个来源。")
    },
    reports: |source, number| format!("{}写道 [{number}]：", whence(source, "，")),
    unfollowed: |asked| format!("没有模型，无法满足以下要求：{asked}。引文保持来源原样。"),
    nothing: |subject| {
        format!(
            "没有关于“{subject}”的来源；没有模型，就不能说出来源没有说的内容。\n\n请为搜索选择其他来源，或选择带模型的配置，再运行一次。"
        )
    },
};
const JAPANESE: Frame = Frame {
    introduction: |subject| {
        format!(
            "「{subject}」について以下の情報源が述べていることを、原文のまま示します。モデルは使っていません。各節で一つの情報源を明示して引用します。"
        )
    },
    reports: |source, number| format!("{}は次のように述べています [{number}]：", whence(source, "、")),
    unfollowed: |asked| {
        format!("モデルがないため、次の指定には従えませんでした：{asked}。引用は情報源の原文のままです。")
    },
    nothing: |subject| {
        format!(
            "「{subject}」についての情報源はありません。モデルなしでは、情報源が述べていないことは書けません。\n\n検索の情報源を変えるか、モデルのあるプロファイルを選んで、もう一度実行してください。"
        )
    },
};

/// Where a source is from, and of which day.
fn whence(SourceItem { source, published, title, .. }: &SourceItem, comma: &str) -> String {
    let name = if source.is_empty() || is_file_name(source) { title } else { source };
    if published.is_empty() { name.clone() } else { format!("{name}{comma}{published}") }
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

/// What the request chose that quoting cannot do: the kind of text, its readers and a language of its own.
fn asked_in_vain(context: &FunctionContext<'_>) -> String {
    const USUAL: [(&str, &str); 3] =
        [("mode", "blog post"), ("tone", "general"), ("text_language", "as the request")];
    let chosen = USUAL.into_iter().map(|(key, usual)| (context.text(key), usual));
    let chosen: Vec<&str> = chosen
        .filter(|(chosen, usual)| !chosen.is_empty() && chosen != usual)
        .map(|(chosen, _)| chosen)
        .collect();
    chosen.join(", ")
}

/// A title, an introduction, and a section for each source with the sentences that say most about the subject.
fn article_of_quotations(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let (subject, frame) = (context.text("text_subject"), frame(context));
    let mut parts = vec![format!("# {}", headline(context.text("input_text"), subject))];
    let sections: Vec<String> = context
        .sources()
        .iter()
        .zip(1..)
        .filter_map(|(source, number)| section(source, number, subject, frame))
        .collect();
    if sections.is_empty() {
        parts.push((frame.nothing)(subject));
        return Ok(json!({ "markdown": parts.join("\n\n") }));
    }
    parts.push((frame.introduction)(subject));
    let asked = asked_in_vain(context);
    if !asked.is_empty() {
        parts.push((frame.unfollowed)(&asked));
    }
    parts.extend(sections);
    Ok(json!({ "markdown": parts.join("\n\n") }))
}

/// What one source says of the subject; nothing where it says nothing that can stand alone.
fn section(source: &SourceItem, number: usize, subject: &str, frame: &Frame) -> Option<String> {
    let quoted = quotation(source.body(), subject, &source.title, QUOTED_WORDS);
    let title = source.title.trim_start_matches('#').trim();
    let reports = (frame.reports)(source, number);
    (!quoted.is_empty()).then(|| format!("## {title}\n\n{reports}\n\n> “{quoted}” [{number}]"))
}

/// The title: a request that is one short question asks it itself, else the subject.
fn headline(request: &str, subject: &str) -> String {
    let request = request.trim();
    let is_question = request.ends_with(['?', '？']) && request.chars().count() <= LONGEST_QUESTION;
    if is_question && sentences(request).len() == 1 {
        return one_line(request);
    }
    let mut characters = subject.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_introduction_says_that_no_model_wrote_the_text() {
        for (frame, says) in [&ENGLISH, &CHINESE, &JAPANESE].into_iter().zip(DISCLOSURES) {
            assert!((frame.introduction)("tides").contains(says));
        }
    }
}

//! What AI News says of itself and of what it checks, decides and finds, in Chinese and Japanese. A sentence with
//! `{names}` stands for every one of its form: what it was filled with fills the other. Not here: what models write.

use kernel::NoteTexts;

use crate::Catalogue;

/// The notes of the flow.
pub(crate) fn notes() -> NoteTexts {
    NOTES.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

const NOTES: Words = &[
    ("found", "The search found {n} articles of {from} to {until}"),
    ("stand_in", "The model named no article that was found; those that rank first stand in"),
    ("search_failed", "The search failed, so nothing could be found: the fallback is published"),
    ("nothing_found", "Nothing was found in the window of recency: the fallback is published"),
    ("rewrite", "The draft is not ready: it is rewritten once with the notes"),
    ("rejected", "The rewritten draft is not ready either: nothing is published"),
    ("unreadable_review", "The review could not be read twice: nothing is published"),
    ("published_draft", "Published: the draft"),
    ("published_revision", "Published: the reviewer's revised text"),
    ("best_draft", "A limit was reached: the best draft is the result"),
];

pub(crate) fn catalogues() -> Vec<Catalogue> {
    let owned = |(english, theirs): &(&str, &str)| ((*english).to_owned(), (*theirs).to_owned());
    let catalogue = |(language, words): &(&str, &[(&str, &str)])| Catalogue {
        language: (*language).to_owned(),
        words: words.iter().map(owned).collect(),
    };
    CATALOGUES.iter().map(catalogue).collect()
}

type Words = &'static [(&'static str, &'static str)];

const CATALOGUES: &[(&str, Words)] = &[
    (
        "zh",
        &[
            ("AI News", "AI 新闻"),
            (super::PURPOSE, "就一个 AI 主题的新动态写一篇不超过 200 词的文章，附引用，发布前经过审阅。"),
            ("Topic", "主题"),
            (super::TOPIC_HELP, "新闻的主题，用几个词写出。"),
            (super::STRICT, "四次模型调用，按最初的方案。被退回的草稿会重写，但重写后不能再次审阅。"),
            ("Searcher", "搜索"),
            ("Writer", "撰写"),
            ("Reviewer", "审阅"),
            ("What the search found", "搜索所得"),
            ("Articles", "文章"),
            ("Draft", "草稿"),
            ("Checks", "检查"),
            ("Review", "审阅意见"),
            ("Final text", "最终文本"),
            ("Remark on the post", "对文章的说明"),
            ("length", "字数"),
            ("citations", "引用"),
            ("coverage", "引用覆盖"),
            ("recency", "时效"),
            ("grounding", "依据"),
            ("the post is empty", "文章是空的"),
            ("over {most} words ({words})", "超过 {most} 词（{words} 词）"),
            ("{words} of at most {most} words", "{words} 词，上限 {most} 词"),
            ("nothing is cited", "没有任何引用"),
            ("{numbers} names no article of the {count}", "{numbers} 不对应 {count} 篇文章中的任何一篇"),
            ("{n} citations, each of an article", "{n} 处引用，各对应一篇文章"),
            ("a paragraph cites nothing: “{start}”", "有一段没有引用：“{start}”"),
            ("every paragraph cites what it states", "每一段都为其陈述注明了引用"),
            ("no window is known", "时间范围未知"),
            (
                "“{title}” is of {day}, outside {from} to {until}",
                "“{title}”的日期为{day}，不在 {from} 至 {until} 之间",
            ),
            ("an unknown day", "未知日期"),
            ("all cited articles are of {from} to {until}", "所引文章都在 {from} 至 {until} 之间"),
            ("{claims} stands in no article", "{claims} 在任何文章中都找不到"),
            ("{claims} stands in no article that is cited for it", "{claims} 在为其引用的文章中找不到"),
            (
                "every figure and name stands in the article cited for it",
                "每个数字和名称都见于为其引用的文章",
            ),
            (
                "All {n} checks pass. This review was made by checks alone, without a model.",
                "全部 {n} 项检查通过。此次审阅仅由检查完成，未用模型。",
            ),
            ("{n} of {all} checks pass. Open: {issues}.", "{all} 项检查中 {n} 项通过。未解决：{issues}。"),
            (
                "The search found {n} articles of {from} to {until}",
                "搜索找到 {from} 至 {until} 的 {n} 篇文章",
            ),
            (
                "The model named no article that was found; those that rank first stand in",
                "模型没有指名任何找到的文章；由排名最前的文章代替",
            ),
            (
                "The draft is not ready: it is rewritten once with the notes",
                "草稿尚未就绪：按审阅意见重写一次",
            ),
            ("The rewritten draft is not ready either: nothing is published", "重写的草稿仍未就绪：不发布"),
            ("The review could not be read twice: nothing is published", "审阅意见两次都无法读取：不发布"),
            ("Published: the draft", "已发布：草稿"),
            ("Published: the reviewer's revised text", "已发布：审阅者修订的文本"),
            (
                "The search failed, so nothing could be found: the fallback is published",
                "搜索失败，因此没有找到任何内容：发布替代文本",
            ),
            (
                "Nothing was found in the window of recency: the fallback is published",
                "在时间范围内没有找到任何内容：发布替代文本",
            ),
            ("A limit was reached: the best draft is the result", "达到上限：以最好的草稿为结果"),
            ("not reviewed", "未经审阅"),
            ("reviewed with open issues, not rewritten", "已审阅、仍有问题、未重写"),
            ("rewritten, not reviewed again", "已重写、未再次审阅"),
            (
                "The drafts were rejected by the review; the notes and both drafts stand beside this.",
                "草稿未通过审阅；审阅意见和两份草稿见旁边。",
            ),
            (
                "The review could not be read; the draft and the raw review stand beside this.",
                "审阅意见无法读取；草稿和原始审阅意见见旁边。",
            ),
            ("Its text answers the topic “{topic}”.", "其正文回应了主题“{topic}”。"),
            (
                "With {most} model calls the draft cannot be reviewed: search, writing and review need 3.",
                "只有 {most} 次模型调用，草稿无法审阅：搜索、撰写和审阅共需 3 次。",
            ),
            (
                "With {most} model calls a rejected draft cannot be rewritten and reviewed again: the whole way needs {whole}.",
                "只有 {most} 次模型调用，被退回的草稿无法重写后再次审阅：全程需要 {whole} 次。",
            ),
        ],
    ),
    (
        "ja",
        &[
            ("AI News", "AI ニュース"),
            (
                super::PURPOSE,
                "AI のあるテーマの新しい動きを 200 語以内で、出典を付けてまとめ、公開前に査読します。",
            ),
            ("Topic", "テーマ"),
            (super::TOPIC_HELP, "何についてのニュースか、数語で書いてください。"),
            (
                super::STRICT,
                "最初の計画どおりモデル呼び出しは 4 回。差し戻された原稿は書き直されますが、再査読はできません。",
            ),
            ("Searcher", "検索"),
            ("Writer", "執筆"),
            ("Reviewer", "査読"),
            ("What the search found", "検索で見つかったもの"),
            ("Articles", "記事"),
            ("Draft", "原稿"),
            ("Checks", "検査"),
            ("Review", "査読結果"),
            ("Final text", "最終稿"),
            ("Remark on the post", "記事についての注記"),
            ("length", "語数"),
            ("citations", "引用"),
            ("coverage", "引用の網羅"),
            ("recency", "新しさ"),
            ("grounding", "裏付け"),
            ("the post is empty", "記事が空です"),
            ("over {most} words ({words})", "{most} 語を超えています（{words} 語）"),
            ("{words} of at most {most} words", "上限 {most} 語のうち {words} 語"),
            ("nothing is cited", "引用が一つもありません"),
            (
                "{numbers} names no article of the {count}",
                "{numbers} は {count} 件の記事のどれも指していません",
            ),
            ("{n} citations, each of an article", "引用 {n} 件、いずれも記事を指しています"),
            ("a paragraph cites nothing: “{start}”", "引用のない段落があります：“{start}”"),
            ("every paragraph cites what it states", "どの段落も述べたことに引用があります"),
            ("no window is known", "期間が分かりません"),
            (
                "“{title}” is of {day}, outside {from} to {until}",
                "“{title}”の日付は{day}で、{from} から {until} の外です",
            ),
            ("an unknown day", "不明な日"),
            (
                "all cited articles are of {from} to {until}",
                "引用した記事はすべて {from} から {until} のものです",
            ),
            ("{claims} stands in no article", "{claims} はどの記事にもありません"),
            ("{claims} stands in no article that is cited for it", "{claims} は引用した記事にありません"),
            (
                "every figure and name stands in the article cited for it",
                "数字と名前はすべて、引用した記事にあります",
            ),
            (
                "All {n} checks pass. This review was made by checks alone, without a model.",
                "{n} 項目の検査すべてに合格。この査読はモデルなしで検査だけで行いました。",
            ),
            (
                "{n} of {all} checks pass. Open: {issues}.",
                "{all} 項目中 {n} 項目の検査に合格。未解決：{issues}。",
            ),
            (
                "The search found {n} articles of {from} to {until}",
                "検索で {from} から {until} の記事が {n} 件見つかりました",
            ),
            (
                "The model named no article that was found; those that rank first stand in",
                "モデルは見つかった記事を一つも挙げませんでした。上位の記事で代えます",
            ),
            (
                "The draft is not ready: it is rewritten once with the notes",
                "原稿はまだ公開できません。査読の注記に沿って一度書き直します",
            ),
            (
                "The rewritten draft is not ready either: nothing is published",
                "書き直した原稿もまだ公開できません。何も公開しません",
            ),
            (
                "The review could not be read twice: nothing is published",
                "査読結果を二度とも読み取れませんでした。何も公開しません",
            ),
            ("Published: the draft", "公開：原稿"),
            ("Published: the reviewer's revised text", "公開：査読者が直した文"),
            (
                "The search failed, so nothing could be found: the fallback is published",
                "検索が失敗し、何も見つけられませんでした。代わりの文を公開します",
            ),
            (
                "Nothing was found in the window of recency: the fallback is published",
                "対象期間には何も見つかりませんでした。代わりの文を公開します",
            ),
            (
                "A limit was reached: the best draft is the result",
                "上限に達しました。最もよい原稿を結果とします",
            ),
            ("not reviewed", "未査読"),
            ("reviewed with open issues, not rewritten", "査読済み、指摘が残り、書き直していません"),
            ("rewritten, not reviewed again", "書き直し済み、再査読していません"),
            (
                "The drafts were rejected by the review; the notes and both drafts stand beside this.",
                "原稿は査読で差し戻されました。注記と二つの原稿は横にあります。",
            ),
            (
                "The review could not be read; the draft and the raw review stand beside this.",
                "査読結果を読み取れませんでした。原稿と元の査読結果は横にあります。",
            ),
            ("Its text answers the topic “{topic}”.", "本文がテーマ“{topic}”に応えています。"),
            (
                "With {most} model calls the draft cannot be reviewed: search, writing and review need 3.",
                "モデル呼び出しが {most} 回では原稿を査読できません。検索、執筆、査読に 3 回必要です。",
            ),
            (
                "With {most} model calls a rejected draft cannot be rewritten and reviewed again: the whole way needs {whole}.",
                "モデル呼び出しが {most} 回では、差し戻された原稿を書き直して再査読できません。全行程に {whole} 回必要です。",
            ),
        ],
    ),
];

//! What AI News says of itself in Chinese and Japanese. Not here: what it finds, writes and checks.

use crate::Catalogue;

pub(crate) const CATALOGUES: &[Catalogue] = &[
    Catalogue {
        language: "zh",
        words: &[
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
            ("Published post", "发布的文章"),
            ("Remark on the post", "对文章的说明"),
        ],
    },
    Catalogue {
        language: "ja",
        words: &[
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
            ("Checks", "チェック"),
            ("Review", "査読結果"),
            ("Published post", "公開された記事"),
            ("Remark on the post", "記事についての注記"),
        ],
    },
];

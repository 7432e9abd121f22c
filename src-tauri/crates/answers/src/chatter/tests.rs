//! What is removed around a draft, and what stays.

use super::without;

/// A draft whose ends could be mistaken for chatter.
const DRAFT: &str =
    "## Small models grow up\n\nGemma fits on a phone [1]. If you want to change its tone, fine-tune it [2].";

#[test]
fn chatter_around_a_draft_is_removed() {
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
fn content_stays_also_if_it_addresses_the_reader() {
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
    assert_eq!(without(letter, "Shorten: the plan. Let me know if you'd like any changes! Yours"), letter);
}

#[test]
fn the_last_line_of_a_table_or_a_sum_is_no_word_count() {
    for text in [
        "Costs:\n\n| Item | Euros |\n|---|---|\n| Rent | 258 |\n| Total | 300 |",
        "Costs are 40 for rent and 2 for stamps.\n\nTotal: 42",
        "He wrote each day.\n\n| Words | 300 |",
        "He wrote each day.\n\n1. 300 words",
        "He wrote each day.\n\n- Words: 300",
        "She counts sheep.\n\nCount: 12",
        "“What do you read?”\n\nWords, words, words.",
    ] {
        assert_eq!(without(text, ""), text);
    }
    for count in ["Word count: 42", "*Total words: 42*", "(42 words)", "字数：42"] {
        assert_eq!(without(&format!("It rains.\n\n{count}"), ""), "It rains.", "{count}");
    }
}

#[test]
fn a_first_line_that_mentions_a_text_is_content() {
    for line in [
        "Here is what you need to know about the latest version of RCSP:",
        "Below is the response of the labs to your questions:",
        "I wrote the first version of this compiler alone.",
        "I have written the article.",
        "Here is their answer:",
        "Below is the company's response:",
        "Here is how you edit your draft:",
        "Based on your readings, this is the better version.",
        "以下是我最喜欢的文章：",
        "以下は昨年書いた記事です。",
    ] {
        let text = format!("{line}\n\nIt rains.");
        assert_eq!(without(&text, ""), text);
        let known = format!("Sure!\n\n{text}");
        assert!(without(&known, "").ends_with("It rains."), "{known}");
    }
    for line in [
        "Here is the final version:",
        "Below is the revised draft:",
        "Here's a short post based on the articles:",
        "As requested, here's the updated article.",
        "I've rewritten the post:",
        "Sure! Here's the revised post:",
        "Sure! I have written the article you asked for.",
    ] {
        assert_eq!(without(&format!("{line}\n\nIt rains."), ""), "It rains.", "{line}");
    }
}

#[test]
fn a_last_sentence_without_an_offer_is_content() {
    for sentence in [
        "Do you want to shorten your reviews?",
        "Should I change my mind?",
        "Should I change?",
        "Should I rewrite my article?",
        "Do you want to expand your own tests?",
        "Do you want me to change?",
        "I kept the postcard.",
        "I wrote the text alone.",
        "I wrote every paragraph of this post alone.",
        "I can make it shorter.",
        "I could edit the text in the train.",
        "I hope this vaccine helps.",
        "If you need to change the text, I would recommend Word.",
        "希望以上方法可以帮助开发者减少幻觉。",
        "如果您需要修改订单，请告诉我。",
        "我会补充更多例子，请关注。",
        "予約の変更が必要な場合はお知らせください。",
        "住所変更があればお知らせください。",
        "この方法がお役に立てば幸いです。",
    ] {
        let text = format!("It rains.\n\n{sentence}");
        assert_eq!(without(&text, ""), text);
    }
    for sentence in [
        "Shall I shorten the draft?",
        "Let me know if you'd like any changes to the post!",
        "I can also make it shorter.",
        "I hope this post meets your needs.",
        "I've kept the article below the word limit.",
        "如果您需要任何修改，请随时告诉我。",
        "ご要望がございましたらお知らせください。",
    ] {
        assert_eq!(without(&format!("It rains.\n\n{sentence}"), ""), "It rains.", "{sentence}");
    }
}

#[test]
fn the_only_sentence_below_a_heading_stays() {
    for text in [
        "It rains.\n\n## 结论\n\n希望这篇文章对您有所帮助。",
        "It rains.\n\n## Outlook\n\nLet me know if you'd like any changes!",
        "It rains.\n\n**Outlook**\n\nLet me know if you'd like any changes!",
        "It rains.\n\nOutlook\n---\nLet me know if you'd like any changes!",
        "It rains.\n\nOutlook\n=======\n\n(12 words)",
        "It rains.\n\n## Outlook\n\n---\n\nShall I shorten the draft?",
    ] {
        assert_eq!(without(text, ""), text);
    }
    assert_eq!(
        without("## Outlook\n\nIt rains. Let me know if you'd like any changes!", ""),
        "## Outlook\n\nIt rains."
    );
}

//! The subject and the title of requests, tested without a run.

use super::{grammars, subject_of, title_of};

#[test]
fn every_frame_of_the_file_can_be_parsed() {
    let [english, chinese, japanese] = grammars().unwrap_or_else(|error| panic!("{error}"));
    for grammar in [english, chinese, japanese] {
        assert!(!grammar.before.is_empty() && !grammar.after.is_empty() && !grammar.question.is_empty());
    }
}

#[test]
fn a_whole_sentence_is_reduced_to_its_subject() {
    for (request, subject) in [
        ("I'd love a quick rundown of recent work on Gaussian splatting, please", "Gaussian splatting"),
        (
            "Could you put together a short update on retrieval-augmented generation for my team?",
            "retrieval-augmented generation",
        ),
        ("What have researchers been publishing lately around multi-agent systems?", "multi-agent systems"),
        ("Give us last month's headlines on federated learning", "federated learning"),
        (
            "Please write me a long article that explains how hallucinations of language models are detected",
            "hallucinations of language models are detected",
        ),
        (
            "Can you draft a technical explainer on graph neural networks aimed at engineers?",
            "graph neural networks",
        ),
        (
            "Explain to a newcomer what knowledge distillation is and why it matters, as an essay",
            "knowledge distillation",
        ),
        ("帮我看看最近一个月大语言模型有什么新进展", "大语言模型"),
        ("最近有没有什么关于视频生成的新研究？", "视频生成"),
        ("我想了解一下扩散模型这段时间的最新消息", "扩散模型"),
        ("给团队写一条关于检索增强生成的快讯吧", "检索增强生成"),
        ("我需要一篇关于多智能体系统的深度文章，大约两千字", "多智能体系统"),
        ("写一篇长文说明如何检测大语言模型的幻觉", "检测大语言模型的幻觉"),
        ("为专家写一份有关联邦学习隐私保护的综述", "联邦学习隐私保护"),
        ("音声認識について最近何か新しい発表はありましたか？", "音声認識"),
        ("強化学習に関する今月のニュースを短くまとめてもらえますか", "強化学習"),
        ("先月、ロボット操作の分野で何があったのか簡単に知らせてほしい", "ロボット操作"),
        ("初心者向けに知識蒸留を解説するブログ記事を書いてください", "知識蒸留"),
        (
            "グラフニューラルネットワークの仕組みを説明する技術記事を作成してほしいです",
            "グラフニューラルネットワーク",
        ),
        ("エンジニア向けに、モデルの量子化に関する技術解説記事が必要です", "モデルの量子化"),
        (
            "Catch me up on what has happened with large language models over the past month",
            "large language models",
        ),
        (
            "I run a small museum. Could you write a news post about image restoration, with citations?",
            "image restoration",
        ),
        ("請寫一篇關於唐三彩歷史的文章,給博物館的訪客閱讀", "唐三彩歷史"),
        ("Explain to me in a blog post what speculative decoding is", "speculative decoding"),
        (
            "Create a tutorial-style article that explains how diffusion models generate images",
            "diffusion models generate images",
        ),
        (
            "I'd like to know which papers on retrieval-augmented generation came out in June",
            "retrieval-augmented generation",
        ),
        ("Hey, what did I miss about federated learning while I was on holiday?", "federated learning"),
        ("能不能写一篇讲解强化学习的长文？", "强化学习"),
        ("拡散モデルについて今月の新しい研究はありますか？", "拡散モデル"),
        ("先月の音声認識の進歩について教えてください", "音声認識"),
        ("会報に載せたいので、浮世絵の技法についてのエッセイを書いてください。", "浮世絵の技法"),
    ] {
        assert_eq!(subject_of(request), subject, "{request}");
    }
}

#[test]
fn a_subject_without_a_frame_stays_as_it_is() {
    for subject in [
        "Segment Anything (SAM 3)",
        "New York ferries",
        "nature, farming and natural hazards",
        "text-to-SQL in companies",
        "Newsletter design",
        "人工智能对劳动者的影响",
        "生成AIと著作権",
        "大模型的幻觉检测",
        "news",
        "最新消息",
        "什么",
    ] {
        assert_eq!(subject_of(subject), subject);
    }
}

#[test]
fn the_subject_of_a_request_is_what_it_names_as_such() {
    for (request, subject) in [
        (
            "Write a blog post about retrieval-augmented generation for beginners.",
            "retrieval-augmented generation",
        ),
        ("Explain speculative decoding to developers", "speculative decoding"),
        ("explain how attention works\nKeep it short.", "attention"),
        (
            "Write an article that explains mixture-of-experts routing to engineers",
            "mixture-of-experts routing",
        ),
        ("What is direct preference optimization?", "direct preference optimization"),
        ("What do courts say about chatbots?", "courts say about chatbots"),
        ("What can you tell me about bees?", "bees"),
        ("a post that tells about bees", "bees"),
        (
            "algorithms that decide about workers and citizens",
            "algorithms that decide about workers and citizens",
        ),
        ("When algorithms decide about people", "When algorithms decide about people"),
        ("When you have time, write about tide tables", "tide tables"),
        ("How do diffusion language models work?", "diffusion language models"),
        ("Compare dense and sparse retrieval, with examples", "dense and sparse retrieval"),
        ("A deep dive on GPT-4.1 and TCP/IP for developers, in German", "GPT-4.1 and TCP/IP"),
        ("Write about 800 words on large language models for finance", "large language models for finance"),
        ("a short story of about 500 words about agents that use tools", "agents that use tools"),
        ("Please write documentation for vector databases in plain English", "vector databases"),
        ("I'd like a tutorial on prompt caching (around 600 words)", "prompt caching"),
        ("什么是混合专家模型？", "混合专家模型"),
        ("检索增强生成是什么", "检索增强生成"),
        ("请比较向量数据库和图数据库", "向量数据库和图数据库"),
        ("写一篇推测解码的技术文章", "推测解码"),
        ("検索拡張生成とは何ですか", "検索拡張生成"),
        ("初心者向けに拡散モデルの仕組みを解説して", "拡散モデル"),
        ("Heat pumps in old houses: what to check before buying", "Heat pumps in old houses"),
        (
            "How retrieval-augmented generation works and when it is worth the effort",
            "retrieval-augmented generation",
        ),
        (
            "Why large language models make things up, and what a reader can do about it",
            "large language models make things up",
        ),
        ("医学影像中的人工智能：医院该如何评估一款新模型", "医学影像中的人工智能"),
        ("写一篇关于大语言模型幻觉的技术文章", "大语言模型幻觉"),
        ("ロボットの模倣学習について解説記事を書いて", "ロボットの模倣学習"),
        ("about", "about"),
        ("\n\n", ""),
    ] {
        assert_eq!(subject_of(request), subject, "{request}");
    }
}

#[test]
fn a_title_keeps_the_question_about_the_subject() {
    for (request, title) in [
        ("synthetic media and how to detect it", "synthetic media and how to detect it"),
        (
            "Write a post about synthetic media and how to detect it for beginners",
            "synthetic media and how to detect it",
        ),
        (
            "Why should a company be careful when it buys AI tools?",
            "Why should a company be careful when it buys AI tools?",
        ),
        ("Explain how attention works to developers", "how attention works"),
        (
            "How retrieval works and when it is worth the effort",
            "How retrieval works and when it is worth the effort",
        ),
        (
            "Heat pumps in old houses: what to check before buying",
            "Heat pumps in old houses: what to check before buying",
        ),
        ("写一篇推测解码的技术文章", "推测解码"),
        ("检索增强生成是什么？", "检索增强生成是什么？"),
        ("", ""),
    ] {
        assert_eq!(title_of(request), title, "{request}");
    }
}

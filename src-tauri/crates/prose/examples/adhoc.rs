//! Ad hoc.
use prose::*;
use std::time::Instant;
fn load() -> Vec<[String; 4]> {
    std::fs::read_to_string("/tmp/lib.tsv")
        .unwrap()
        .lines()
        .map(|l| {
            let mut p = l.split('\t').map(str::to_owned);
            std::array::from_fn(|_| p.next().unwrap())
        })
        .collect()
}
fn main() {
    let lib = load();
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args[0].as_str() {
        "ground" => {
            let (mut n, mut bad, mut cross, mut flagged) = (0, 0, 0, 0);
            for (i, a) in lib.iter().enumerate() {
                let own = format!("{}\n{}\n{}\n{}", a[0], a[1], a[2], a[3]);
                let s = SourceTexts::new(&[&own]);
                let b = &lib[(i + 37) % lib.len()];
                let other = format!("{}\n{}\n{}\n{}", b[0], b[1], b[2], b[3]);
                let o = SourceTexts::new(&[&other]);
                let c = clean(&a[3]);
                for x in sentences(&c) {
                    n += 1;
                    let u = s.ungrounded(x.text);
                    if !u.is_empty() {
                        bad += 1;
                        println!("{u:?} <- {}", x.text);
                    }
                    if !claims(x.text).is_empty() {
                        cross += 1;
                        if !o.ungrounded(x.text).is_empty() {
                            flagged += 1;
                        }
                    }
                }
            }
            println!(
                "{n} sentences, {bad} wrongly flagged; {cross} with claims, {flagged} flagged against another article"
            );
        }
        "claims" => {
            for a in lib.iter().take(40) {
                for x in sentences(&clean(&a[3])) {
                    println!(
                        "{:?}\n   {}",
                        claims(x.text).iter().map(|c| c.text.clone()).collect::<Vec<_>>(),
                        x.text
                    );
                }
            }
        }
        "clean" => {
            for a in &lib {
                for t in [&a[0], &a[3]] {
                    let c = clean(t);
                    if c != **t && t.contains(['\\', '$', '{', '`', '~', '&', '<', '*']) {
                        println!("{c}\n");
                    }
                }
            }
        }
        "sentences" => {
            for a in lib.iter() {
                for x in sentences(&clean(&a[3])) {
                    if x.text.len() < 40 || x.text.len() > 420 {
                        println!("{}", x.text);
                    }
                }
            }
        }
        "rank" => {
            let docs: Vec<Document> = lib.iter().map(|a| Document { title: &a[0], body: &a[3] }).collect();
            let t = Instant::now();
            let c = Collection::new(&docs);
            println!("index {:?}", t.elapsed());
            for q in &args[1..] {
                let t = Instant::now();
                let r = c.rank(q);
                println!("== {q}: {} found in {:?}", r.len(), t.elapsed());
                for (i, s) in r.iter().take(6) {
                    println!("  {s:.2} {}", lib[*i][0]);
                }
            }
        }
        "post" => {
            let docs: Vec<Document> = lib.iter().map(|a| Document { title: &a[0], body: &a[3] }).collect();
            let c = Collection::new(&docs);
            for q in &args[1..] {
                let r = c.rank(q);
                let arts: Vec<ArticleText> = r
                    .iter()
                    .take(5)
                    .map(|(i, _)| ArticleText {
                        title: &lib[*i][0],
                        source: &lib[*i][1],
                        published: &lib[*i][2],
                        text: &lib[*i][3],
                    })
                    .collect();
                let t = Instant::now();
                let p = compose_post(q, &arts, 200);
                let took = t.elapsed();
                println!(
                    "==== {q} ({} articles, {} words, {} by spaces, {took:?})\n{p}\n",
                    arts.len(),
                    count_words(&p),
                    p.split_whitespace().count()
                );
                let texts: Vec<String> = arts
                    .iter()
                    .map(|a| format!("{}\n{}\n{}\n{}", a.title, a.source, a.published, a.text))
                    .collect();
                let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
                let s = SourceTexts::new(&refs);
                for x in sentences(&p) {
                    let u = s.ungrounded(x.text);
                    if !u.is_empty() {
                        println!("  UNGROUNDED {u:?} in {}", x.text);
                    }
                    let cites = sources_used(x.text);
                    if x.place == Place::Paragraph && cites.is_empty() {
                        println!("  uncited: {}", x.text);
                    }
                    for k in cites {
                        let v = s.support(x.text, k);
                        if v < 0.85 {
                            println!("  support {v:.2}: {}", x.text);
                        }
                    }
                }
                println!();
            }
        }
        "loop" => {
            let docs: Vec<Document> = lib.iter().map(|a| Document { title: &a[0], body: &a[3] }).collect();
            let r = Collection::new(&docs).rank("LLM agents");
            let arts: Vec<ArticleText> = r
                .iter()
                .take(5)
                .map(|(i, _)| ArticleText {
                    title: &lib[*i][0],
                    source: &lib[*i][1],
                    published: &lib[*i][2],
                    text: &lib[*i][3],
                })
                .collect();
            let texts: Vec<String> = arts.iter().map(|a| a.whole()).collect();
            let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
            let p = compose_post("LLM agents", &arts, 200);
            let s = SourceTexts::new(&refs);
            println!("{} bytes", texts.iter().map(String::len).sum::<usize>());
            let n: usize = args[2].parse().unwrap();
            let t = Instant::now();
            for _ in 0..n {
                match args[1].as_str() {
                    "prepare" => {
                        std::hint::black_box(SourceTexts::new(&refs));
                    }
                    "compose" => {
                        std::hint::black_box(compose_post("LLM agents", &arts, 200));
                    }
                    "ungrounded" => {
                        for x in sentences(&p) {
                            std::hint::black_box(s.ungrounded(x.text));
                        }
                    }
                    "words" => {
                        std::hint::black_box(count_words(&p));
                    }
                    _ => {}
                }
            }
            println!("{:?} each", t.elapsed() / n as u32);
        }
        "odd" => {
            let show = |t: &str, a: &[ArticleText], m: usize| {
                let p = compose_post(t, a, m);
                println!("---- {t} max {m}: {} words\n{p}\n", count_words(&p));
            };
            let ja = ArticleText {
                title: "検索拡張生成における矛盾の解消",
                source: "情報処理学会",
                published: "2026-06-12",
                text: "大規模言語モデルは誤った情報を生成することがある。本研究では、検索結果の矛盾を検出して解消する新しい手法を提案する。実験の結果、正答率が12.5%向上した。",
            };
            let zh = ArticleText {
                title: "面向长文档的检索增强生成",
                source: "arXiv",
                published: "2026-06-18",
                text: "大型语言模型在长文档上表现不佳。本文提出了一种分层检索方法，以降低成本。实验表明，准确率提高了8.3%。",
            };
            let empty = ArticleText {
                title: "GPT-9 System Card",
                source: "OpenAI",
                published: "2026-06-20",
                text: "",
            };
            let nothing = ArticleText { title: "", source: "", published: "", text: "" };
            let short = ArticleText { title: "A note", source: "Blog", published: "bad", text: "It works." };
            let en = ArticleText {
                title: &lib[0][0],
                source: &lib[0][1],
                published: &lib[0][2],
                text: &lib[0][3],
            };
            show("検索拡張生成", &[ja, zh], 200);
            show("検索拡張生成", &[ja], 100);
            show("検索拡張生成", &[ja, zh, en], 200);
            show("gestures", &[en, empty, short, nothing], 200);
            show("nothing", &[nothing], 200);
            show("gestures", &[en], 30);
            show("gestures", &[en], 12);
            show("gestures", &[en], 3);
            show("gestures", &[en, empty], 40);
            show("[x](y) <b>", &[en, en, en], 120);
            for m in [60, 90, 120, 400] {
                let a: Vec<ArticleText> = lib
                    .iter()
                    .skip(20)
                    .take(5)
                    .map(|a| ArticleText { title: &a[0], source: &a[1], published: &a[2], text: &a[3] })
                    .collect();
                show("language models", &a, m);
            }
        }
        "time" => {
            let docs: Vec<Document> = lib.iter().map(|a| Document { title: &a[0], body: &a[3] }).collect();
            let c = Collection::new(&docs);
            let mut worst = std::time::Duration::ZERO;
            let mut total = worst;
            for q in &args[1..] {
                let r = c.rank(q);
                let arts: Vec<ArticleText> = r
                    .iter()
                    .take(5)
                    .map(|(i, _)| ArticleText {
                        title: &lib[*i][0],
                        source: &lib[*i][1],
                        published: &lib[*i][2],
                        text: &lib[*i][3],
                    })
                    .collect();
                let mut best = std::time::Duration::MAX;
                for _ in 0..20 {
                    let t = Instant::now();
                    std::hint::black_box(compose_post(q, &arts, 200));
                    best = best.min(t.elapsed());
                }
                let p = compose_post(q, &arts, 200);
                let texts: Vec<String> = arts.iter().map(|a| a.whole()).collect();
                let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
                let mut b = [std::time::Duration::MAX; 6];
                for _ in 0..50 {
                    let t = Instant::now();
                    std::hint::black_box(count_words(&p));
                    b[0] = b[0].min(t.elapsed());
                    let t = Instant::now();
                    std::hint::black_box(sentences(&p));
                    b[1] = b[1].min(t.elapsed());
                    let t = Instant::now();
                    std::hint::black_box(citations(&p));
                    b[2] = b[2].min(t.elapsed());
                    let t = Instant::now();
                    let s = std::hint::black_box(SourceTexts::new(&refs));
                    b[3] = b[3].min(t.elapsed());
                    let t = Instant::now();
                    for x in sentences(&p) {
                        std::hint::black_box(s.ungrounded(x.text));
                    }
                    b[4] = b[4].min(t.elapsed());
                    let t = Instant::now();
                    for x in sentences(&p) {
                        std::hint::black_box(s.support(x.text, 0));
                    }
                    b[5] = b[5].min(t.elapsed());
                }
                println!(
                    "{q}: compose {best:?}; words {:?} sentences {:?} citations {:?} prepare {:?} ungrounded {:?} support {:?}",
                    b[0], b[1], b[2], b[3], b[4], b[5]
                );
                worst = worst.max(best);
                total += best;
            }
            println!("worst {worst:?}, mean {:?}", total / (args.len() as u32 - 1));
        }
        _ => {}
    }
}

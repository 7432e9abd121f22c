use kernel::{Event, Start};
use serde_json::json;

use super::*;

fn without(text: &str, kind: Redaction) -> String {
    replaced(text, kind, &mut |_| "▮".to_owned())
}

#[test]
fn amounts_addresses_and_file_names_are_found_as_people_write_them() {
    let amounts = [
        ("It costs USD 700, or 650 EUR.", "It costs ▮, or ▮."),
        ("$1,250.50 and US$3.5 million; €700-900", "▮ and ▮; ▮"),
        ("about 700 000 yen", "about ▮"),
        ("five hundred dollars a month", "▮ a month"),
        ("预算是七百万元，每月3,000美元", "预算是▮，每月▮"),
        ("予算は700万円です、単一元素", "予算は▮です、単一元素"),
        ("In 2026 there are 40 pages of 3 parts", "In 2026 there are 40 pages of 3 parts"),
    ];
    let addresses = [
        ("See https://a.example/b?c=d&e=%20f.", "See ▮."),
        ("请看https://a.example/文，谢谢", "请看▮，谢谢"),
        ("ask ana.ng@mail.example or (www.galley.example/x)", "ask ▮ or (▮)"),
        ("on internal.acme.com/wiki and 10.0.0.7:8080", "on ▮ and ▮"),
        ("{\"url\":\"https:\\/\\/a.example\\/b\"}", "{\"url\":\"▮\"}"),
        ("Node.js 22, e.g. version 3.5 (U.S.)", "Node.js 22, e.g. version 3.5 (U.S.)"),
    ];
    let files = [
        ("read /home/ana/plans.txt and ~/notes", "read ▮ and ▮"),
        ("C:\\Users\\ana\\x and \\\\server\\share", "▮ and ▮"),
        ("请看预算.pdf吧", "▮吧"),
        ("budget 2026 final.xlsx", "▮"),
        ("the file=../a/b.tar.gz, and src/notes.md: new", "the ▮, and ▮: new"),
        ("https://a.example/paper.pdf", "https://a.example/paper.pdf"),
        ("and/or 3/4 of it; step 1/2", "and/or 3/4 of it; step 1/2"),
    ];
    let cases = [
        (Redaction::Amounts, &amounts[..]),
        (Redaction::Addresses, &addresses[..]),
        (Redaction::FileNames, &files[..]),
    ];
    for (kind, cases) in cases {
        for (text, wanted) in cases {
            assert_eq!(without(text, kind), *wanted, "{kind:?}");
        }
        assert_eq!(without(&kind.mark(), kind), kind.mark());
    }
}

/// A run with this text in every possible position.
fn run(thing: &str) -> Value {
    let phrase = json!({ "id": "Open {what}", "parameters": { "what": thing } });
    let error = json!({
        "code": "bad_input", "phrase": phrase, "message": format!("Open {thing}"), "provider_words": thing,
        "limit": { "name": "max_cost", "most": 731.5 }
    });
    let request = json!({
        "agent": "writer", "profile": "p", "model": "m", "instruction": format!("Obey {thing}"),
        "messages": [{ "speaker": "user", "content": format!("About {thing}"),
            "tool_requests": [{ "id": "1", "tool": "search", "input": { "q": thing } }] }],
        "shape": null, "temperature": 0.0, "max_output_tokens": 9
    });
    let call = json!({ "tool": "search", "input": { "query": thing }, "class": "pure", "title": phrase });
    let question = json!({
        "kind": { "kind": "agent" }, "text": phrase, "choices": [{ "value": thing, "label": phrase }],
        "default": thing, "is_free": true, "details": { "about": thing }
    });
    let asked = |effect: Value| json!({ "kind": "effect_asked", "effect": effect, "reads": [] });
    let answered = |asked: u32, answer: Value| {
        json!({
            "kind": "effect_answered", "asked": asked, "answer": answer, "took_ms": 1, "waited_ms": 0,
            "retries": [error], "summary": { "cost": 731.5, "tool_summary": phrase }
        })
    };
    let facts = [
        json!({ "kind": "state_changed", "delta": { "set": { "topic": thing, "facts": { thing: [1, thing] } }, "removed": [] } }),
        asked(json!({ "effect": "model", "request": request })),
        answered(
            2,
            json!({ "status": "done", "result": { "text": format!("I read {thing}"), "cost": 731.5 } }),
        ),
        asked(json!({ "effect": "tool", "call": call })),
        answered(
            4,
            json!({ "status": "done", "result": { "output": { "text": thing }, "summary": phrase } }),
        ),
        asked(json!({ "effect": "question", "question": question })),
        answered(6, json!({ "status": "failed", "error": error })),
        json!({ "kind": "request_failed", "asked": 6, "error": error }),
        json!({ "kind": "fell_back", "from": "p", "to": "q", "error": error }),
        json!({ "kind": "noted", "note": { "kind": "malformed", "raw": thing, "flaws": [phrase] } }),
        json!({
            "kind": "run_resumed", "drops": [], "delta": { "set": {}, "removed": [] }, "overrides": {
                "agents": { "writer": { "instruction": format!("Obey {thing}") } }, "limits": { "max_cost": 731.5 },
                "already_done": [{ "tool": "t", "input": thing, "result": thing }]
            }
        }),
        json!({ "kind": "run_ended", "outcome": "failed", "error": error }),
    ];
    let events = facts.into_iter().zip(1..).map(|(fact, n)| {
        json!({ "v": kernel::EVENT_VERSION, "seq": n, "at_ms": 1, "author": "writer", "path": "writer", "n": n, "surface": false, "fact": fact })
    });
    let start = json!({
        "run": "run-1", "session": "s", "at_ms": 1, "inputs": { "topic": thing }, "origin": null,
        "definition": {
            "pipeline": "sample", "title": format!("On {thing}"), "limits": { "max_cost": 731.5 }, "as_of": null,
            "agents": { "writer": { "instruction": format!("Obey {thing}"), "profile": "p", "model": "m",
                "temperature": 0.0, "max_output_tokens": 9 } },
            "declared": { "input": { "topic": { "example": thing } },
                "agents": { "writer": { "instruction": format!("Obey {thing}"), "prompt": format!("About {thing}") } } },
            "allowed_tools": [], "outline": {
                "name": "writer", "title": "", "agent": { "kind": "custom" }, "stream": null, "children": [],
                "calls": { "least": 0, "most": 0 }, "contract": { "reads": [], "may_read": [], "writes": [] }
            }
        }
    });
    json!({ "start": start, "events": events.collect::<Vec<_>>(), "state": { "topic": thing } })
}

#[test]
fn redacted_content_occurs_nowhere_in_a_run_that_is_still_readable() {
    let cases = [
        (Redaction::Amounts, "USD 731.5", "731.5"),
        (Redaction::Addresses, "https://secret.example/page", "secret"),
        (Redaction::FileNames, "/home/ana/secret.pdf", "secret"),
    ];
    for (kind, thing, word) in cases {
        let whole = run(thing);
        let cleaned = redact(whole.clone(), &[], &[kind]);
        let text = cleaned.to_string();
        assert!(!text.contains(word), "{kind:?} leaves {word} in {text}");
        serde_json::from_value::<Start>(cleaned["start"].clone()).unwrap();
        let events: Vec<Event> = serde_json::from_value(cleaned["events"].clone()).unwrap();
        assert_eq!(events.len(), 12);
        let place = Redaction::ALL.iter().position(|one| *one == kind).unwrap();
        assert!(counts(&whole)[place] > 0 && counts(&cleaned)[place] == 0, "{kind:?}: {:?}", counts(&whole));
    }
    let cleaned = redact(run("the plan"), &[], &[Redaction::Prompts]).to_string();
    assert!(!cleaned.contains("Obey") && !cleaned.contains("About") && cleaned.contains("I read the plan"));
    let page = "A page of many words, some of them with https://an.address/in it. ".repeat(5);
    let cleaned = redact(run(page.trim()), &[], &[Redaction::Pages]).to_string();
    assert!(!cleaned.contains("A page of many words"), "{cleaned}");
}

#[test]
fn a_title_that_is_a_file_name_is_redacted_with_the_name() {
    let sources = json!([{ "title": "secret plan", "source": "secret plan.txt" }, { "title": "Tides" }]);
    let whole = json!({ "start": {}, "events": [], "state": { "sources": sources, "post": "As “secret plan” says." } });
    let cleaned = redact(whole, &[], &[Redaction::FileNames]).to_string();
    assert!(!cleaned.contains("secret plan") && cleaned.contains("Tides"), "{cleaned}");
}

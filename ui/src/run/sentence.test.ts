// @vitest-environment node
import { expect, test } from "vitest";
import { recording } from "../ipc/hosts/fake-records";
import { EventIndex } from "./event-index";
import { speech } from "../i18n/language.svelte";
import type { Question } from "../ipc/bindings";
import { labelOf, lineOf } from "./question-text";
import { whyOf } from "./remarks";
import { EventFormatter } from "./sentence";

const run = recording("run-two-drafts");
const formatter = new EventFormatter(run.page.outline, run.page.keys);
const told = (seq: number) => formatter.format(run.entries[seq - 1]!);

test("the journal speaks of stages and keys by their titles", () => {
  expect([told(2), told(28), told(29), told(39)]).toEqual(["you wrote Subject", "Scribe wrote Draft", "Scribe finished", "Run finished"]);
});

test("an answer that stands only by its hash tells what was asked, how large it is and how long it took", () => {
  const asked = run.entries.find(({ event }) => event.fact.kind === "effect_asked" && event.fact.effect.effect === "tool")!;
  const answer = run.entries.find(({ event }) => event.fact.kind === "effect_answered" && event.path === asked.event.path)!;
  const stored = { ...answer, event: { ...answer.event, fact: { ...answer.event.fact, answer: { status: "done", result: { $stored: "ab".repeat(32), bytes: 16_607 } } } } } as typeof answer;
  expect(formatter.format(stored, asked.event)).toContain("17 kB after");
  expect(formatter.format(stored, asked.event)).toContain("search the library");
});

test("a kind of event that only a newer program writes keeps the program's sentence", () => {
  const entry = run.entries[0]!;
  expect(formatter.format({ ...entry, sentence: "It told the future", event: { ...entry.event, fact: { kind: "told_the_future" } as never } })).toBe("It told the future");
});

test("events are filtered by kind, by author and by trouble without being held", () => {
  const index = new EventIndex();
  const failed = recording("run-failed").entries;
  for (const entry of failed) index.add(entry);
  expect(index.matching(new Set(), new Set())).toHaveLength(failed.length);
  expect(index.matching(new Set(["run"]), new Set())).toEqual([1, failed.length]);
  expect(index.matching(new Set(["stage"]), new Set(["collector"]))).toHaveLength(2);
  expect(index.matching(new Set(["trouble"]), new Set())).toContain(failed.length);
});

test("a hundred thousand events are filtered within a moment's memory: three bytes each", () => {
  const index = new EventIndex();
  const [first] = run.entries;
  for (let seq = 1; seq <= 100_000; seq++) index.add({ ...first!, event: { ...first!.event, seq, author: `agent_${seq % 7}` } });
  expect(index.matching(new Set(["run"]), new Set(["agent_3"]))).toHaveLength(Math.floor(100_000 / 7) + (100_000 % 7 >= 3 ? 1 : 0));
});

test("what the engine itself remarks, and why something failed, is told in the reader's language", () => {
  const note = (kind: string, parameters: unknown, sentence = "Scribe said something in English") => {
    const fact = { kind: "noted", note: { kind, sentence, parameters } };
    return formatter.format({ ...run.entries[0]!, event: { ...run.entries[0]!.event, author: "scribe", fact: fact as never } });
  };
  expect(note("retry", { code: "rate_limited", retry_after_ms: 2000 })).toBe("Scribe said something in English");
  expect(note("retry", {}, "Scribe_of asks"), "another begins so").toBe("Scribe_of asks");
  expect(note("retry", {}, "sCRIBE asks again in 2.0 s")).toBe("Scribe asks again in 2.0 s");
  speech.chosen = "ja";
  expect(note("retry", { code: "rate_limited", retry_after_ms: 2000 })).toContain("2.0 秒後に再試行");
  expect(note("skipped", { agents: ["scribe"] })).toBe("省略: Scribe");
  expect(note("repair", { rungs: [{ rung: "fence" }, { rung: "dropped", fields: ["word_count", "mood"] }] })).toContain("コードの囲みを除去、未知の項目を除去 (word_count, mood)");
  expect(note("repair", { asked_again: true, errors: [{ error: "cut" }], room: 2 })).toBe("Scribe の回答が使えないため、もう一度尋ねます");
  for (const [kind, parameters] of [["repair", { rungs: [{ rung: "of_tomorrow" }] }], ["retry", null], ["skipped", { agents: [7] }], ["decision", {}]] as const) {
    expect(note(kind, parameters)).toBe("Scribe said something in English");
  }
  expect(whyOf({ code: "key_refused", message: "in English", provider_words: "Bad key" })).toBe("キーが拒否されました (Bad key)");
  expect(whyOf({ code: "of_tomorrow" as never, message: "in English", provider_words: null })).toBe("in English");
  speech.chosen = "system";
});

test("what the engine asks is asked in the reader's language, what an agent asks in the words of its pipeline", () => {
  const of = (kind: Question["kind"], value: string, label: string): Question => ({ kind, text: "In English?", choices: [{ value, label }], default: value, is_free: false, details: { title: "send a letter" } });
  const limit = of({ kind: "limit", limit: "max_cost" }, "add", "Add $0.5 and go on");
  const repeat = of({ kind: "repeat" }, "skip", "Do not repeat it");
  const agent = of({ kind: "agent" }, "stop", "Halt");
  const said = (question: Question) => [lineOf(question), labelOf(question, question.choices[0]!)];
  expect(said(limit)).toEqual(["In English?", "Add $0.50 and go on"]);
  speech.chosen = "zh";
  expect(said(limit)).toEqual(["费用已达上限。要增加上限、以目前最好的结果结束，还是停止？", "增加 US$0.50 并继续"]);
  expect(said(repeat)[0]).toContain("send a letter");
  expect(said(repeat)[1]).toBe("不再重复");
  expect(said(agent)).toEqual(["In English?", "Halt"]);
  speech.chosen = "system";
});

// @vitest-environment node
import { verbatim } from "../ipc/verbatim";
import { expect, test } from "vitest";
import { recording } from "../fake-host/fake-records";
import { EventIndex } from "./event-index";
import { speech } from "../i18n/language.svelte";
import { learnRun } from "../i18n/pipeline-text.svelte";
import type { ApiError, Fact, Note, Phrase, Question, Role } from "../ipc/bindings";
import { labelOf, lineOf } from "./question-text";
import { whyOf } from "./remarks";
import { whole } from "./recorded-views";
import { verdictSentence } from "./review-sentence";
import { EventFormatter } from "./sentence";
import { draftBefore } from "./texts";
import { knownTitles } from "./titles";

const run = recording("run-two-drafts");
const formatter = new EventFormatter(run.page.outline, run.page.keys);
const told = (seq: number) => formatter.format(run.entries[seq - 1]!);

test("the journal speaks of stages and keys by their titles", () => {
  expect([told(2), told(28), told(29), told(39)]).toEqual([
    "you wrote Subject",
    "Scribe wrote Draft",
    "Scribe finished",
    "Run finished",
  ]);
});

test("a review is told with its verdict, of the draft that was judged", () => {
  const view = whole(run);
  const judge = new EventFormatter(run.page.outline, run.page.keys, (seq) => draftBefore(view, seq));
  const tell = (seq: number) => judge.format(run.entries[seq - 1]!);
  expect(tell(22)).toMatch(/^Proofreader rejected draft 1: .+/);
  expect(tell(34)).toMatch(/^Proofreader: ready to publish, \d issues?$/);
  expect(told(22)).toMatch(/^Proofreader rejected the draft: .+/);
  const role = { kind: "review", notes: "n", issues: "i", ready: "r" } as const;
  const review = (i: unknown[], n = "") => verdictSentence(role, { r: false, i, n }, "Editor", 2);
  expect(review(["over 200 words.", { text: "no source" }])).toBe(
    "Editor rejected draft 2: over 200 words, and 1 more issue",
  );
  expect([review([], "Too dry"), review([])]).toEqual([
    "Editor rejected draft 2: Too dry",
    "Editor: draft 2 is not ready",
  ]);
  expect(verdictSentence(role, { $stored: "ab", bytes: 9000 }, "Editor", 2)).toBeNull();
  const rounds = [{ round: 2, score: 7.5, scores: {}, verdict: "revise", changed: "" }];
  expect(verdictSentence({ kind: "rounds" } as Role, rounds, "Evaluator", null)).toBe(
    "Evaluator, round 2: revise · 7.5",
  );
});

test("an answer that stands only by its hash tells what was asked, how large it is and how long it took", () => {
  const asked = run.entries.find(
    ({ event }) => event.fact.kind === "effect_asked" && event.fact.effect.effect === "tool",
  )!;
  const answer = run.entries.find(
    ({ event }) => event.fact.kind === "effect_answered" && event.path === asked.event.path,
  )!;
  const stored = {
    ...answer,
    event: {
      ...answer.event,
      fact: {
        ...answer.event.fact,
        answer: { status: "done", result: { $stored: "ab".repeat(32), bytes: 16_607 } },
        summary: {},
      },
    },
  } as typeof answer;
  expect(formatter.format(stored, asked.event)).toContain("17 kB after");
  expect(formatter.format(stored, asked.event)).toContain("search the library");
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
  for (let seq = 1; seq <= 100_000; seq++)
    index.add({ ...first!, event: { ...first!.event, seq, author: `agent_${seq % 7}` } });
  expect(index.matching(new Set(["run"]), new Set(["agent_3"]))).toHaveLength(Math.floor((100_000 - 3) / 7) + 1);
});

test("what the engine notes, and why something failed, is told in the reader's language", () => {
  const happened = (fact: Fact) =>
    formatter.format({ ...run.entries[0]!, event: { ...run.entries[0]!.event, author: "scribe", fact } });
  const told = (note: Note) => happened({ kind: "noted", note });
  const error: ApiError = {
    code: "rate_limited",
    message: "too fast",
    phrase: verbatim("too fast"),
    provider_words: null,
    retry_after_ms: null,
    limit: null,
  };
  const dropped = { id: "rung.dropped", parameters: { fields: ["word_count", "mood"] } };
  expect(happened({ kind: "request_failed", asked: 2, error })).toBe("Scribe asks again: too fast");
  expect(told({ kind: "repair", rungs: [dropped, { id: "rung.of_tomorrow", parameters: {} }] })).toBe(
    "The answer of Scribe was repaired: unknown fields dropped (word_count, mood), rung.of_tomorrow",
  );
  expect(told({ kind: "refused", key: "manuscript" })).toBe(
    "Scribe tried to write Draft, which it does not declare; nothing was changed",
  );
  speech.chosen = "ja";
  expect(happened({ kind: "request_failed", asked: 2, error: { ...error, retry_after_ms: 2000 } })).toContain(
    "2.0 秒後に再試行",
  );
  expect(told({ kind: "skipped", agents: ["scribe", "proofreader"] })).toBe("省略：Scribe、Proofreader");
  expect(told({ kind: "repair", rungs: [{ id: "rung.fence", parameters: {} }, dropped] })).toContain(
    "コードの囲みを除去、未知の項目を除去（word_count、mood）",
  );
  expect(told({ kind: "asked_again", flaws: [{ id: "flaw.cut", parameters: {} }], room: 2 })).toBe(
    "Scribeの回答が使えないため、もう一度尋ねます：回答が途中で切れています",
  );
  expect(
    told({ kind: "remark", remark: "left_out", profile: "work", model: "m-1", part: "tools", words: "no" }),
  ).toContain("work のサーバーは m-1 で");
  expect(
    whyOf({
      code: "timeout",
      phrase: { id: "{server} was silent for too long; try again.", parameters: { server: "a.example" } },
    }),
  ).toBe("a.example から長い間応答がありません。やり直してください。");
  expect(whyOf({ code: "of_tomorrow" as never, phrase: verbatim("in English") })).toBe("in English");
  speech.chosen = "system";
});

test("a note of a pipeline is told with the text that its run keeps, in the reader's language where the run has the words", () => {
  const told = () =>
    formatter.format(
      run.entries.find(({ event }) => event.fact.kind === "noted" && event.fact.note.kind === "decision")!,
    );
  learnRun({ notes: {}, words: {} });
  expect(told()).toBe("found");
  const text = "{articles} articles found, the oldest of {oldest}: on to writing";
  learnRun({ notes: run.page.notes, words: { ja: { [text]: "記事 {articles} 件、最も古いものは {oldest}" } } });
  expect(told()).toBe("5 articles found, the oldest of 2026-06-03: on to writing");
  speech.chosen = "ja";
  expect(told()).toBe("記事 5 件、最も古いものは 2026-06-03");
  speech.chosen = "system";
  learnRun({ notes: {}, words: {} });
});

test("what the engine asks is asked in the reader's language, what an agent asks in the words of its pipeline", () => {
  const of = (kind: Question["kind"], text: Phrase, label: Phrase): Question => ({
    kind,
    text,
    choices: [{ value: "value", label }],
    default: "value",
    is_free: false,
    details: null,
  });
  const used: Phrase = { id: "${most} are used up, or the next call would pass them", parameters: { most: 0.5 } };
  const limit = of(
    { kind: "limit", limit: "max_cost" },
    { id: "{used_up}. Add to it, finish with the best so far, or stop?", parameters: { used_up: used } },
    { id: "Add ${more} and go on", parameters: { more: 0.5 } },
  );
  const agent = of({ kind: "agent" }, verbatim("In English?"), verbatim("Halt"));
  const said = (question: Question) => [lineOf(question), labelOf(question, question.choices[0]!)];
  expect(said(limit)).toEqual([
    "$0.5 are used up, or the next call would pass them. Add to it, finish with the best so far, or stop?",
    "Add $0.5 and go on",
  ]);
  speech.chosen = "zh";
  expect(said(limit)).toEqual([
    "$0.5 已用完，或下一次调用会超出。要增加上限、以目前最好的结果结束，还是停止？",
    "增加 $0.5 并继续",
  ]);
  expect(said(agent)).toEqual(["In English?", "Halt"]);
  learnRun({ notes: {}, words: { zh: { "In English?": "用英语吗？", Halt: "止步" } } });
  expect(said(agent)).toEqual(["用英语吗？", "止步"]);
  learnRun({ notes: {}, words: {} });
  speech.chosen = "system";
});

test("a name stands as its title in any run, except where two pipelines call different things by it", () => {
  const { page } = run;
  const [first, second] = page.keys;
  if (!first || !second) throw new Error("the recording has two keys");
  const titles = knownTitles([page, { ...page, keys: [{ ...first, title: "Something else" }] }]);
  expect(titles.get(second.name)).toBe(second.title);
  expect(titles.has(first.name)).toBe(false);
  expect(titles.get(page.outline.name)).toBe(page.outline.title);
});

// @vitest-environment node
import { expect, test } from "vitest";
import { recording, type Recording } from "../fake-host/fake-records";
import { livenessOf, type Present } from "./liveness";
import { placeOf } from "./place";
import { agents, changedSince, stageOf, wasTakenOver } from "./stages";
import { empty } from "./empty-view";
import { applyAll } from "./view";

const view = (run: Recording, until = run.entries.length) =>
  applyAll(
    empty(run.page.keys),
    run.entries.slice(0, until).map(({ event }) => event),
  );
const deep = recording("run-deep");
const stage = (name: string) => stageOf(view(deep), agents(deep.page.outline).get(name)!, false);
const asked = deep.page.card.last_at_ms;
const present = (over: Partial<Present> = {}): Present => ({
  nowMs: asked + 3000,
  heardAt: () => undefined,
  spokeAt: () => undefined,
  usualMs: () => null,
  mostAttempts: () => 5,
  isWaitedFor: () => false,
  ...over,
});

test("a tree of any shape has a stage for every agent: rounds within lanes, lanes within rounds", () => {
  const now = view(deep);
  const states = Object.fromEntries(
    [...agents(deep.page.outline).values()].map((agent) => [agent.name, stageOf(now, agent, false).state]),
  );
  expect(states).toMatchObject({
    survey: "running",
    measuring: "done",
    crossing: "done",
    left_bank: "done",
    speller: "done",
    walker_quay: "running",
    walker_tannery: "running",
    drawing: "waiting",
    printer: "waiting",
  });
  expect(stage("measuring")).toMatchObject({ round: 2, mostRounds: 4 });
  expect(placeOf(stage("left_bank").call!.path)).toBe("round 2 · call 1");
});

test("the first word is waited for, and a silence is measured from the last", () => {
  expect(livenessOf(stage("walker_quay"), present())?.words).toBe("medium-2: no output yet");
  expect(livenessOf(stage("walker_quay"), present({ spokeAt: () => asked + 1000 }))?.words).toContain("2.0 s ago");
});

test("a delay that the provider asks for counts down by the present, from when the page heard of it", () => {
  const late = present({ nowMs: asked + 100_000, heardAt: () => asked + 80_000 });
  expect(livenessOf(stage("walker_ropewalk"), late)).toMatchObject({
    leftMs: 25_000,
    words: "retry in 25 s · attempt 2 of 5",
  });
  expect(livenessOf(stage("walker_ropewalk"), present({ nowMs: asked + 46_000 }))).toMatchObject({ leftMs: null });
});

test("longer than usual is said only where what is usual is known", () => {
  expect(livenessOf(stage("walker_quay"), present({ usualMs: () => 2500 }))).toMatchObject({
    isSlow: true,
    words: "longer than usual (2.5 s)",
  });
  expect(livenessOf(stage("walker_quay"), present({ usualMs: () => 4000 }))?.isSlow).toBe(false);
  const isSlow = (seq: number) =>
    livenessOf(stage("walker_quay"), present({ usualMs: () => 2500, isWaitedFor: (other) => other === seq }))?.isSlow;
  expect([isSlow(stage("walker_quay").waiting!.seq), isSlow(0)]).toEqual([false, true]);
});

test("what the person changes makes the stages stale that had read it, and only those", () => {
  const run = recording("run-two-drafts");
  const edit = {
    ...run.entries[1]!.event,
    seq: 40,
    fact: { kind: "state_changed", delta: { set: { manuscript: { body: "mine" } }, removed: [] } },
  } as (typeof run.entries)[number]["event"];
  const edited = applyAll(view(run), [edit]);
  const stale = [...agents(run.page.outline).values()]
    .filter((agent) => stageOf(edited, agent, false).isStale)
    .map((agent) => agent.name);
  expect(stale).toEqual(["proofreader"]);
  // What the program derives from the text cannot be set in a fork.
  const derived = applyAll(view(run), [
    {
      ...edit,
      fact: { kind: "state_changed", delta: { set: { manuscript: { body: "mine" }, measures: [] }, removed: [] } },
    } as typeof edit,
  ]);
  const reader = [...derived.calls.values()].find(({ path }) => path.includes("proofreader")) ?? expect.fail("no call");
  expect(changedSince(derived, { ...reader, reads: [...reader.reads, "measures"] })).toEqual(["manuscript"]);
  // Where the same event has what the stage writes, it follows.
  const [call] = [...edited.calls.values()].filter(({ path }) => path.includes("proofreader"));
  const made = Object.fromEntries((call?.wrote ?? expect.fail("no call")).map((key) => [key, "anew"]));
  const together = {
    ...edit,
    fact: { kind: "state_changed", delta: { set: { manuscript: { body: "mine" }, ...made }, removed: [] } },
  } as typeof edit;
  const followed = applyAll(view(run), [together]);
  expect([...agents(run.page.outline).values()].filter((agent) => stageOf(followed, agent, false).isStale)).toEqual([]);
  const read = edited.versions.filter(({ key, author }) => key === "manuscript" && author !== "user").at(-1);
  const undone = applyAll(edited, [
    {
      ...edit,
      seq: 41,
      fact: { kind: "state_changed", delta: { set: { manuscript: read?.value }, removed: [] } },
    } as typeof edit,
  ]);
  expect([...agents(run.page.outline).values()].filter((agent) => stageOf(undone, agent, false).isStale)).toEqual([]);
});

test("calls before the place of a fork are taken over, later ones are its own", () => {
  const run = recording("run-two-drafts");
  const fork = { ...view(run), origin: { run: "parent", seq: 20 } };
  expect([...fork.calls.values()].map((call) => [call.agent, wasTakenOver(fork, call)])).toContainEqual([
    "collector",
    true,
  ]);
  expect(wasTakenOver(fork, fork.calls.get("desk_editor/scribe#2") ?? null)).toBe(false);
});

// @vitest-environment node
import { expect, test } from "vitest";
import runs from "../fixtures/recorded-runs.json";
import { each } from "../fake-host/fake-each";
import { recording } from "../fake-host/fake-records";
import type { Event, Outline } from "../ipc/bindings";
import { empty } from "./empty-view";
import { interruptionOf, interruptionText } from "./interruption";
import { until } from "./recorded-views";
import { applyAll } from "./view";

const outline = (name: string, kind: string, children: Outline[] = []): Outline => ({
  name,
  title: name,
  agent: (kind === "loop" ? { kind, max_rounds: 2 } : { kind }) as Outline["agent"],
  contract: { reads: [], may_read: [], writes: [] },
  stream: null,
  calls: { least: 0, most: 0 },
  children,
});

test("what is kept, what runs and that nothing is repeated is told of a run that died while a model answered", () => {
  const run = recording("run-two-drafts");
  const told = (seq: number) => interruptionText(interruptionOf(until(run, seq), run.page.outline));
  expect(told(20)).toEqual([
    "Stopped at Proofreader.",
    "Restored: Collector, Scribe.",
    "Will run: Proofreader.",
    "May repeat: nothing.",
  ]);
  expect(told(10)).toEqual([
    "Stopped between two stages.",
    "Restored: Collector.",
    "Will run: Scribe, Proofreader.",
    "May repeat: nothing.",
  ]);
});

test("what a tool had begun may be repeated, after a question where it may be done once", () => {
  const crashed = (runs as unknown as { name: string; events: Event[] }[]).find(({ name }) =>
    name.startsWith("crashed"),
  )!;
  const events = structuredClone(crashed.events.slice(0, 8));
  const tree = outline("p", "sequential", [outline("a1", "llm"), outline("a2", "llm")]);
  const told = () => interruptionText(interruptionOf(applyAll(empty([]), events), tree)).join(" ");
  expect(told()).toBe(
    "Stopped at a1. Will run: a1, a2. May repeat: act at p/a1#1:1 (was in flight; you are asked first).",
  );
  const asked = events[7]!.fact;
  if (asked.kind !== "effect_asked" || asked.effect.effect !== "tool") throw new Error("no tool");
  asked.effect.call.class = "repeatable";
  expect(told()).toContain("May repeat: act at p/a1#1:1 (was in flight).");
  asked.effect.call.class = "pure";
  expect(told()).toContain("May repeat: nothing.");
});

test("rounds and items are told with the stage that stopped, and an agent on demand may start again", () => {
  const started = (seq: number, path: string, author: string) =>
    ({
      v: 2,
      seq,
      at_ms: 0,
      ran_ms: 0,
      author,
      path,
      n: 1,
      surface: false,
      fact: { kind: "agent_started" },
    }) as unknown as Event;
  const tree = outline("p", "sequential", [outline("loop", "loop", [outline("reviewer", "llm")])]);
  const view = applyAll(empty([]), [
    started(1, "p", "p"),
    started(2, "p/loop#1", "loop"),
    started(3, "p/loop#1[2]/reviewer#1", "reviewer"),
  ]);
  expect(interruptionText(interruptionOf(view, tree))[0]).toBe("Stopped at reviewer (2 of 2).");
  const journey = each(50);
  const halted = interruptionOf(until(journey, 60), journey.page.outline);
  expect(halted.stoppedAt.every((who) => /^.+ \(item \d+\)$/.test(who))).toBe(true);
  expect(halted.willRun).toContain("Guide to a place");
});

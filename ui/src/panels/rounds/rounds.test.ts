// The rounds of a loop in their panel.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Event, Fact, KeyDeclaration, Outline } from "../../ipc/bindings";
import { empty } from "../../run/empty-view";
import { applyAll } from "../../run/view";
import Rounds from "./Rounds.svelte";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(cleanup);

test("a round is compared where a text stands before its own, and no text is fetched for that", () => {
  const declarations: KeyDeclaration[] = [
    {
      name: "draft",
      title: "Draft",
      role: { kind: "draft", edit: "text", words: "length", word_limit: 0 },
      schema: {},
    },
  ];
  const outline: Outline = {
    name: "laps",
    title: "Laps",
    agent: { kind: "loop", max_rounds: 3 },
    contract: { reads: [], may_read: [], writes: [] },
    stream: null,
    calls: { least: 0, most: 0 },
    children: [],
  };
  let seq = 0;
  const event = (path: string, author: string, fact: object): Event => ({
    v: 3,
    seq: ++seq,
    at_ms: 0,
    ran_ms: 0,
    author,
    path,
    n: 1,
    surface: false,
    fact: fact as Fact,
  });
  const round = (number: number) => [
    event(`laps#1[${number}]/writer#1`, "writer", {
      kind: "state_changed",
      delta: { set: { draft: { text: `text ${number}` } }, removed: [] },
    }),
    event(`laps#1[${number}]`, "laps", {
      kind: "round_ended",
      round: {
        number,
        draft: "draft",
        words: 2,
        checks: { passed: 1, failed: 0 },
        issues: 0,
        cost: null,
        unpriced_calls: 0,
      },
      exit: { why: "went_on" },
      best: 1,
    }),
  ];
  const view = applyAll(empty(declarations), [round(1), round(2), round(3)].flat());
  const resolve = vi.fn();
  render(Rounds, { run: "a run", view, outline, resolve, canEdit: true, onGo: () => {}, onShow: () => {} });
  const compared = screen.getAllByRole("button", { name: /^Compare the text of round/, hidden: true });
  expect(compared.map((button) => button.getAttribute("aria-label")?.at(-1)).sort()).toEqual(["2", "3"]);
  expect(resolve).not.toHaveBeenCalled();
});

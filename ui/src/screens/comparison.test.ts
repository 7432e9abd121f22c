// Two runs compared, and the text of one taken into the other.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call, useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import Comparison from "./Comparison.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });
const offered: { label: string; onClick: () => void }[] = [];
vi.mock("svelte-sonner", () => ({
  toast: (_words: string, { action }: { action: { label: string; onClick: () => void } }) => offered.push(action),
}));

// jsdom lays nothing out: there is no room for two pages, so both texts are shown in one.
beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(cleanup);

test("the other's text becomes the person's own edit, and is taken back again", async () => {
  useHost(fakeHost());
  const [one, other] = ["run-two-drafts", "run-surfaced"];
  const textOf = async (run: string) => JSON.stringify((await call("state_at", { run, seq: null })).state);
  const before = await textOf(one);
  const events = (await call("open_run", { run: one })).card.last_seq;
  render(Comparison, { one, other });
  await fireEvent.click(await screen.findByRole("button", { name: /^Use this text in/ }));
  await waitFor(() => expect(offered).toHaveLength(1));
  const { entries } = await call("read_events", { run: one, from_seq: events + 1, limit: 10 });
  expect(entries.map(({ event }) => [event.author, event.fact.kind])).toEqual([["user", "state_changed"]]);
  expect(await textOf(one)).not.toBe(before);
  offered[0]!.onClick();
  await waitFor(async () => expect(await textOf(one)).toBe(before));
});

test("of two forks each column says what was changed in it", async () => {
  const fake = fakeHost();
  const overrides = {
    agents: { scribe: { instruction: "Be brief.", profile: null, model: null } },
    limits: {},
    allowed_tools: [],
    already_done: [],
  };
  const by = { v: 1, author: "user", path: "user", n: 9, surface: false, at_ms: 0 };
  const told = (seq: number, fact: object) => ({
    event: { ...by, seq, fact },
    sentence: "",
    kind: "run",
    is_trouble: false,
  });
  useHost({
    ...fake,
    call: async (command, payload) => {
      const { run, from_seq: from } = payload as { run: string; from_seq: number };
      const found = (await fake.call(command, payload)) as { card: object };
      if (command === "open_run")
        return { ...found, card: { ...found.card, title: "the same", origin: { run: "run-nested", seq: 5 } } };
      if (command !== "read_events") return found;
      const goesOn = { kind: "run_resumed", drops: [], delta: { set: {}, removed: [] } };
      return run === "run-two-drafts"
        ? { entries: [told(from, { ...goesOn, overrides })] }
        : {
            entries: [
              told(from, { ...goesOn, overrides: { ...overrides, agents: {} } }),
              told(from + 1, { kind: "state_changed", delta: { set: { subject: "other" }, removed: [] } }),
            ],
          };
    },
  });
  render(Comparison, { one: "run-two-drafts", other: "run-surfaced" });
  const [one, other] = (await screen.findAllByRole("columnheader")).map(({ textContent }) => textContent);
  expect(one).toContain("changed: instruction of Scribe");
  expect(other).toContain("changed: Subject");
});

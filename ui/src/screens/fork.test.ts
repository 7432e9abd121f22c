import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call, useHost } from "../ipc/client";
import type { Host } from "../ipc/host";
import { fakeHost } from "../ipc/hosts/fake";
import { LiveRun } from "../run/live.svelte";
import { restored } from "../run/view";
import ForkForm from "./ForkForm.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

const RUN = "run-two-drafts";
/** After the first draft and after the second. */
const [FIRST, SECOND] = [16, 28];

let host: Host;
let forks: Record<string, unknown>[];
/** What the program answers instead of anything, when it is set. */
let broken: Error | null;

beforeEach(() => {
  const fake = fakeHost();
  forks = [];
  broken = null;
  host = {
    ...fake,
    call: async (command, payload) => {
      if (broken) throw broken;
      if (command === "fork_run") forks.push(payload as Record<string, unknown>);
      const answer = await fake.call(command, payload);
      // As of a long run: events are not told with a view.
      return command === "view_at" ? { ...(answer as object), whole_from: Infinity } : answer;
    },
  };
  useHost(host);
});
afterEach(cleanup);

async function form() {
  const page = await call("open_run", { run: RUN });
  const viewAt = async (seq: number | null) => restored(page.keys, await call("view_at", { run: RUN, seq }));
  const bodyAt = async (seq: number) => ((await call("state_at", { run: RUN, seq })).state["manuscript"] as { body: string }).body;
  const head = await viewAt(null);
  const shown = { run: RUN, head, outline: page.outline, began: page.profiles, instructed: null, onGo: () => {}, onFork: () => {} };
  const { rerender } = render(ForkForm, { ...shown, view: await viewAt(FIRST), moment: FIRST });
  return { rerender, viewAt, bodyAt, start: () => fireEvent.click(screen.getByRole("button", { name: "Start the fork" })) };
}

test("the value of a key is that of the moment until something is written, and only what was written is sent", async () => {
  const { rerender, viewAt, bodyAt, start } = await form();
  const [first, second] = await Promise.all([bodyAt(FIRST), bodyAt(SECOND)]);
  expect(second).not.toBe(first);
  await fireEvent.change(screen.getByRole("combobox", { name: "Change a value" }), { target: { value: "manuscript" } });
  const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Draft" });
  expect(text.value).toBe(first);
  await rerender({ moment: SECOND, view: await viewAt(SECOND) });
  await waitFor(() => expect(text.value).toBe(second));
  await start();
  await waitFor(() => expect(forks).toEqual([expect.objectContaining({ at: SECOND, set: {} })]));

  await fireEvent.input(text, { target: { value: "My words." } });
  await rerender({ moment: FIRST, view: await viewAt(FIRST) });
  await start();
  const { state } = await call("state_at", { run: RUN, seq: FIRST });
  await waitFor(() => expect(forks).toHaveLength(2));
  expect(forks[1]).toMatchObject({ at: FIRST, set: { manuscript: { ...(state["manuscript"] as object), body: "My words." } } });
});

test("a fork is sent when the moment that it was started at is here, and not from another", async () => {
  const { rerender, viewAt, start } = await form();
  await rerender({ moment: SECOND });
  await start();
  await tick();
  expect(forks).toEqual([]);
  await rerender({ view: await viewAt(SECOND) });
  await waitFor(() => expect(forks).toEqual([expect.objectContaining({ at: SECOND })]));

  await rerender({ moment: FIRST });
  await start();
  // It could not be had: the slider goes back.
  await rerender({ moment: SECOND });
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Start the fork" }).disabled).toBe(false));
  expect(forks).toHaveLength(1);
});

test("a moment that cannot be had leaves what is shown, and the next one is asked for", async () => {
  const live = new LiveRun(RUN);
  await live.open();
  broken = new Error("no room");
  await live.seek(FIRST);
  expect([live.moment, live.isSeeking, live.fault?.message]).toEqual([null, false, "no room"]);
  broken = null;
  await live.seek(SECOND);
  expect([live.moment, live.shown.seq, live.isSeeking]).toEqual([SECOND, SECOND, false]);
  live.close();
});

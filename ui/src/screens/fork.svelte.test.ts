import { configure, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call, useHost } from "../ipc/client";
import type { Host } from "../ipc/host";
import { fakeHost } from "../fake-host/fake";
import { restored } from "../run/view";
import ForkForm from "./ForkForm.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

const RUN = "run-two-drafts";
/** Before any draft, after the first and after the second. */
const [NONE, FIRST, SECOND] = [3, 16, 28];

let host: Host;
let forks: Record<string, unknown>[];

beforeEach(() => {
  const fake = fakeHost();
  forks = [];
  host = {
    ...fake,
    call: async (command, payload) => {
      if (command === "fork_run") forks.push(payload as Record<string, unknown>);
      return fake.call(command, payload);
    },
  };
  useHost(host);
});
let close = async () => {};
afterEach(async () => {
  await close();
  close = async () => {};
});

const manuscriptAt = async (seq: number) =>
  (await call("state_at", { run: RUN, seq })).state["manuscript"] as { body: string };
const canStart = () =>
  waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Start the fork" }).disabled).toBe(false));
const start = async () => {
  await canStart();
  await fireEvent.click(screen.getByRole("button", { name: "Start the fork" }));
};
const choose = (key: string) =>
  fireEvent.change(screen.getByRole("combobox", { name: "Change a value" }), { target: { value: key } });
const text = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Draft" });

/** The form after an event; null is the end of a run that goes on. */
async function form(seq: number, moment: number | null) {
  const page = await call("open_run", { run: RUN });
  const viewAt = async (seq: number | null) => restored(page.keys, await call("view_at", { run: RUN, seq }));
  let view = $state.raw(await viewAt(seq));
  let wanted = $state.raw(moment);
  const fixed = {
    run: RUN,
    head: await viewAt(null),
    outline: page.outline,
    began: page.profiles,
    instructed: null,
    onGo: () => {},
    onFork: () => {},
  };
  // Each property by itself, as the desk gives them.
  const props = {
    ...fixed,
    get view() {
      return view;
    },
    get moment() {
      return wanted;
    },
  };
  const shown = mount(ForkForm, { target: document.body, props });
  close = () => unmount(shown);
  return {
    want: (moment: number) => (wanted = moment),
    show: async (seq: number) => (view = await viewAt(seq)),
  };
}

test("the value of a key is that of the moment until something is written, and only what was written is sent", async () => {
  const { want, show } = await form(FIRST, FIRST);
  const [first, second] = await Promise.all([manuscriptAt(FIRST), manuscriptAt(SECOND)]);
  expect(second.body).not.toBe(first.body);
  // The checks are the program's: a fork that set them would be refused.
  expect((await call("state_at", { run: RUN, seq: SECOND })).state).toHaveProperty("measures");
  const values = () =>
    [...screen.getByRole<HTMLSelectElement>("combobox", { name: "Change a value" }).options].map(({ value }) => value);
  expect(values()).toContain("manuscript");
  expect(values()).not.toContain("measures");
  await choose("manuscript");
  expect((await text()).value).toBe(first.body);
  want(SECOND);
  await show(SECOND);
  await waitFor(async () => expect((await text()).value).toBe(second.body));
  await start();
  await waitFor(() => expect(forks).toEqual([expect.objectContaining({ at: SECOND, set: {} })]));

  await fireEvent.input(await text(), { target: { value: "My words." } });
  want(FIRST);
  await show(FIRST);
  await start();
  await waitFor(() => expect(forks).toHaveLength(2));
  expect(forks[1]).toMatchObject({ at: FIRST, set: { manuscript: { ...first, body: "My words." } } });
});

test("at the end of a run that goes on the value follows what its agents write", async () => {
  const { show } = await form(FIRST, null);
  await choose("manuscript");
  expect((await text()).value).toBe((await manuscriptAt(FIRST)).body);
  await show(SECOND);
  const { body } = await manuscriptAt(SECOND);
  await waitFor(async () => expect((await text()).value).toBe(body));
});

test("a key that is not there yet is left as it is, or written in its own shape", async () => {
  const { want, show } = await form(FIRST, FIRST);
  await choose("manuscript");
  await text();
  want(NONE);
  await show(NONE);
  await waitFor(async () => expect((await text()).value).toBe(""));
  await start();
  await waitFor(() => expect(forks).toEqual([expect.objectContaining({ at: NONE, set: {} })]));
  await fireEvent.input(await text(), { target: { value: "My words." } });
  await start();
  await waitFor(() => expect(forks[1]).toMatchObject({ at: NONE, set: { manuscript: { body: "My words." } } }));
});

test("a fork is sent when the moment that it was started at is here, and not from another", async () => {
  const { want, show } = await form(FIRST, FIRST);
  want(SECOND);
  await start();
  await tick();
  expect(forks).toEqual([]);
  await show(SECOND);
  await waitFor(() => expect(forks).toEqual([expect.objectContaining({ at: SECOND })]));

  want(FIRST);
  await start();
  // It could not be had: the slider goes back.
  want(SECOND);
  await canStart();
  expect(forks).toHaveLength(1);
});

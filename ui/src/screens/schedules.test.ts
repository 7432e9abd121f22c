import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { schedules } from "../app/schedules.svelte";
import { fakeHost } from "../fake-host/fake";
import { useHost } from "../ipc/client";
import { verbatim } from "../ipc/verbatim";
import NeedsYou from "./NeedsYou.svelte";
import NewRun from "./NewRun.svelte";
import Schedules from "./Schedules.svelte";

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
beforeEach(async () => {
  useHost(fakeHost());
  await schedules.load();
});
afterEach(() => {
  cleanup();
  router.go({ screen: "welcome" });
});

async function make(subject: string, when: string) {
  router.go({ screen: "launch" });
  render(NewRun);
  await fireEvent.click(await screen.findByRole("radio", { name: /Evening proof/ }));
  await fireEvent.input(await screen.findByLabelText("Subject"), { target: { value: subject } });
  await fireEvent.click(screen.getByRole("button", { name: "Schedule…" }));
  await fireEvent.input(screen.getByLabelText("When"), { target: { value: when } });
}

test("a form becomes a schedule once its time can be read, and is paused, resumed and removed in the list", async () => {
  await make("the harbour", "whenever");
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
  expect(await screen.findByText(/“whenever” is not understood/)).toBeTruthy();
  expect(save.disabled).toBe(true);
  await fireEvent.input(screen.getByLabelText("When"), { target: { value: "every day at 7" } });
  expect(await screen.findByText(/^Next: .*07:00/)).toBeTruthy();
  await waitFor(() => expect(save.disabled).toBe(false));
  await fireEvent.click(save);
  await waitFor(() =>
    expect(schedules.list?.map(({ request }) => request.inputs)).toEqual([{ subject: "the harbour" }]),
  );
  cleanup();

  render(Schedules);
  const entry = within(await screen.findByRole("article", { name: "Evening proof · the harbour" }));
  expect(entry.getByText("active")).toBeTruthy();
  await fireEvent.click(entry.getByRole("button", { name: "Pause" }));
  expect(await entry.findByText("paused")).toBeTruthy();
  await fireEvent.click(entry.getByRole("button", { name: "Resume" }));
  expect(await entry.findByText("active")).toBeTruthy();
  await fireEvent.click(entry.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText(/Nothing is scheduled/)).toBeTruthy();
});

test("what a schedule needs stands in the inbox and leads to the schedules, but a run that waits stands there by its question", async () => {
  await schedules.save({ name: "news", when: "every day at 7", missed: "once", request: schedulable });
  const [card] = schedules.list ?? [];
  const needs = [
    { kind: "stopped", text: verbatim("It failed three times in a row; resume it") },
    { kind: "waiting", run: "r1", text: verbatim("A run waits for an answer") },
  ] as const;
  useHost({ ...fakeHost(), call: () => Promise.resolve({ schedules: [{ ...card, needs }], timer: null }) as never });
  await schedules.load();
  render(NeedsYou);
  expect(screen.getByText("1 item")).toBeTruthy();
  expect(screen.queryByText("A run waits for an answer")).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: /failed three times/ }));
  expect(router.route).toEqual({ screen: "schedules" });
});

const schedulable = {
  pipeline: "evening-proof",
  inputs: { subject: "the tides" },
  profile: null,
  tools: {},
  as_of: null,
  session: null,
  agents: {},
  limits: {},
  allow: [],
};

// What differs between the state at a moment and at another one.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { useHost } from "../../ipc/client";
import { fakeHost } from "../../fake-host/fake";
import { recording } from "../../fake-host/fake-records";
import { empty } from "../../run/empty-view";
import { exactState } from "../../run/exact-state.svelte";
import { applyAll } from "../../run/view";
import StateDifference from "./StateDifference.svelte";

configure({ asyncUtilTimeout: 60_000, defaultHidden: true });
vi.setConfig({ testTimeout: 180_000 });
afterEach(cleanup);

test("the keys that differ from the start, or from an event that is chosen, are shown with what changed", async () => {
  useHost(fakeHost());
  const run = "run-two-drafts";
  const { page, entries } = recording(run);
  const view = applyAll(
    empty(page.keys),
    entries.map(({ event }) => event),
  );
  const exact = exactState(run);
  exact.want(view.seq);
  await waitFor(() => expect(exact.seq).toBe(view.seq));
  render(StateDifference, { run, exact, view, seen: null });
  const status = await screen.findByRole("status");
  expect(status.textContent).toMatch(/keys differ$/);
  expect(document.querySelectorAll("section ins").length).toBeGreaterThan(0);

  await fireEvent.change(screen.getByLabelText("Compare with"), { target: { value: "event" } });
  await fireEvent.input(screen.getByLabelText("Event"), { target: { value: String(view.seq) } });
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("No difference."));
});

test("while another moment is asked for, nothing is said of the one before it", async () => {
  const fake = fakeHost();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  useHost({
    ...fake,
    call: async (command, payload) => {
      if (command === "state_at" && (payload as { seq: number }).seq === 2) await held;
      return fake.call(command, payload);
    },
  });
  const run = "run-two-drafts";
  const { page, entries } = recording(run);
  const view = applyAll(
    empty(page.keys),
    entries.map(({ event }) => event),
  );
  const exact = exactState(run);
  exact.want(view.seq);
  await waitFor(() => expect(exact.seq).toBe(view.seq));
  render(StateDifference, { run, exact, view, seen: null });
  await screen.findByRole("status");
  await fireEvent.change(screen.getByLabelText("Compare with"), { target: { value: "event" } });
  const event = screen.getByLabelText("Event") as HTMLInputElement;
  expect(event.max).toBe(String(view.seq));
  await fireEvent.input(event, { target: { value: "2" } });
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByRole("status")).toBeNull();
  expect(document.querySelector("section")).toBeNull();
  answer();
  await screen.findByRole("status");
});

// Runs of the list that are selected and handled together, by the keys of the list.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { runCosts } from "../app/run-costs.svelte";
import { runSelection, trashRuns } from "../app/run-selection.svelte";
import { runs } from "../app/runs.svelte";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { apiError } from "../fake-host/fake-error";
import RunSummary from "./RunSummary.svelte";
import RunTags from "./RunTags.svelte";
import Sidebar from "./Sidebar.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });
let leave = () => {};
/** A run that cannot be thrown away. */
let busy = "";

beforeEach(async () => {
  busy = "";
  const host = fakeHost();
  useHost({
    ...host,
    async call(command, payload) {
      if (command === "trash_run" && (payload as { run: string }).run === busy)
        throw apiError("busy", "the run goes on");
      return host.call(command, payload);
    },
  });
  leave = runs.follow();
  await waitFor(() => expect(runs.card("run-failed")).toBeTruthy());
});
afterEach(() => {
  runs.order = "date";
  runs.closeTrash();
  runSelection.clear();
  router.go({ screen: "welcome" });
  leave();
  cleanup();
});

const cardsOf = (...ids: string[]) => ids.map((run) => runs.card(run)!);
const row = (run: string) =>
  waitFor(
    () => document.querySelector<HTMLElement>(`[data-run="${run}"]`) ?? Promise.reject(new Error("not there yet")),
  );
const sidebar = () => render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });

test("a run that cannot be thrown away keeps no other run from the trash, and stays open", async () => {
  router.go({ screen: "run", run: "run-failed" });
  busy = "run-failed";
  await trashRuns(cardsOf("run-failed", "run-limited"));
  expect([runs.card("run-failed")?.run, runs.card("run-limited")]).toEqual(["run-failed", undefined]);
  expect(router.route).toEqual({ screen: "run", run: "run-failed" });
  busy = "";
  await trashRuns(cardsOf("run-failed"));
  expect(router.route).toEqual({ screen: "welcome" });
});

test("a run that was thrown away is no longer selected, neither in the trash nor when it comes back", async () => {
  sidebar();
  for (const run of ["run-failed", "run-limited"]) runSelection.toggle(run);
  busy = "run-failed";
  await trashRuns(runSelection.cards);
  await runs.restore("run-limited");
  expect(runSelection.cards.map(({ run }) => run)).toEqual(["run-failed"]);

  runSelection.toggle("run-limited");
  // As if another window threw it away.
  await runs.trash(cardsOf("run-limited"));
  await runs.lookInTrash();
  await row("run-limited");
  expect(document.querySelector(".row.selected")).toBeNull();
});

test("two tags that are given at once are both kept", async () => {
  await runs.change("run-limited", { tags: ["harbour", "quay"] });
  render(RunTags, { cards: cardsOf("run-failed") });
  for (const name of ["harbour", "quay"])
    void fireEvent.click(screen.getByRole("checkbox", { name: new RegExp(name) }));
  await waitFor(() => expect(runs.card("run-failed")?.tags).toEqual(["harbour", "quay"]));
  await runs.change("run-failed", { tags: [] });
});

test("the letter x selects the run that has the focus", async () => {
  sidebar();
  await fireEvent.keyDown(await row("run-failed"), { key: "x" });
  expect(runSelection.cards.map(({ run }) => run)).toEqual(["run-failed"]);
  await fireEvent.keyDown(await row("run-failed"), { key: "x" });
  expect(runSelection.cards).toEqual([]);
});

test("Enter and Escape of an input method leave the title in its field", async () => {
  sidebar();
  await fireEvent.keyDown(await row("run-failed"), { key: "F2" });
  const field = await screen.findByLabelText<HTMLInputElement>("Title of the run");
  for (const key of ["Enter", "Escape"]) await fireEvent.keyDown(field, { key, isComposing: true });
  expect(field.isConnected).toBe(true);
  await fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(field.isConnected).toBe(false));
});

test("no cost is shown before the costs are known, nor of a run that goes on", async () => {
  runs.order = "cost";
  const [card] = cardsOf("run-failed");
  render(RunSummary, { card: card!, isSelected: false });
  const cost = () => document.querySelector(".under span.figures")?.textContent;
  expect([runCosts.isKnown, cost()]).toEqual([false, undefined]);
  await waitFor(() => expect(cost()).toBe("$0.00"));
  cleanup();
  render(RunSummary, { card: { ...card!, status: "running" }, isSelected: false });
  expect(cost()).toBeUndefined();
});

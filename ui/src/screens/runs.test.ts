import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bySession } from "../app/by-session";
import { runs } from "../app/runs.svelte";
import { router } from "../app/route.svelte";
import type { Commands } from "../ipc/bindings";
import { call, useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { recordings } from "../fake-host/fake-records";
import Sidebar from "./Sidebar.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });
let leave = () => {};

beforeEach(() => {
  useHost(fakeHost());
  leave = runs.follow();
});
afterEach(() => {
  runs.closeTrash();
  leave();
  cleanup();
});

const titles = () => [...document.querySelectorAll("[data-run] .title")].map((title) => title.textContent?.trim());
const row = async (run: string) =>
  waitFor(
    () => document.querySelector<HTMLElement>(`[data-run="${run}"]`) ?? Promise.reject(new Error("not there yet")),
  );

test("a run is renamed with F2 where it stands, and Escape leaves its title", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await fireEvent.keyDown(await row("run-failed"), { key: "F2" });
  const field = await screen.findByLabelText<HTMLInputElement>("Title of the run");
  await fireEvent.input(field, { target: { value: "Small type" } });
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(titles()).toContain("Small type"));
  await fireEvent.keyDown(await row("run-failed"), { key: "F2" });
  await fireEvent.keyDown(await screen.findByLabelText("Title of the run"), { key: "Escape" });
  await waitFor(() => expect(titles()).toContain("Small type"));
});

test("a run goes to the trash with Delete, stands there, and comes back", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await fireEvent.keyDown(await row("run-limited"), { key: "Delete" });
  await waitFor(() => expect(document.querySelector('[data-run="run-limited"]')).toBeNull());
  await fireEvent.click(screen.getByRole("button", { name: "Trash" }));
  await waitFor(() => expect(titles()).toEqual(["editing with margins (strict)"]));
  await runs.restore("run-limited");
  await fireEvent.click(screen.getByRole("button", { name: "Back to runs" }));
  await waitFor(() => expect(document.querySelector('[data-run="run-limited"]')).not.toBeNull());
});

test("what was looked for is looked for again when another run comes to fit", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await row("run-failed");
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "lanterns on the quay" } });
  await screen.findByText("No run contains these words.");
  const { run } = await call("start_run", {
    pipeline: "evening-proof",
    inputs: { subject: "lanterns on the quay" },
  } as unknown as Commands["start_run"][0]);
  await row(run);
  expect(titles()).toEqual(["lanterns on the quay"]);
  runs.find("");
});

test("keys go from row to row and throw away the one that has the focus; the trash says what it is, and its runs are opened", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await row("run-two-drafts");
  // The last of the list have ended long ago.
  const first = [...document.querySelectorAll<HTMLElement>("[data-run]")].at(-3)!;
  first.focus();
  const after = [...document.querySelectorAll<HTMLElement>("[data-run]")];
  await fireEvent.keyDown(first, { key: "ArrowDown" });
  const second = document.activeElement as HTMLElement;
  expect(after.indexOf(second)).toBe(after.indexOf(first) + 1);
  // From its menu's button as well as from the row itself.
  const menu = second.parentElement!.querySelector<HTMLElement>(".row-menu")!;
  menu.focus();
  const run = second.dataset["run"]!;
  await fireEvent.keyDown(menu, { key: "Delete" });
  await waitFor(() => expect(document.querySelector(`[data-run="${run}"]`)).toBeNull());
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["run"]).toBeTruthy());
  await fireEvent.click(screen.getByRole("button", { name: "Trash" }));
  expect(await screen.findByRole("heading", { name: "Trash" })).toBeTruthy();
  await fireEvent.click(await row(run));
  expect(router.route).toEqual({ screen: "run", run });
});

test("a run is erased from the trash only after a second word", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await fireEvent.keyDown(await row("run-limited"), { key: "Delete" });
  await waitFor(() => expect(document.querySelector('[data-run="run-limited"]')).toBeNull());
  await fireEvent.click(screen.getByRole("button", { name: "Trash" }));
  await fireEvent.keyDown(await row("run-limited"), { key: "Delete" });
  await fireEvent.click(await screen.findByRole("button", { name: "Keep" }));
  expect(titles()).toEqual(["editing with margins (strict)"]);
  await fireEvent.keyDown(await row("run-limited"), { key: "Delete" });
  await fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(titles()).toEqual([]));
});

test("runs are found by the tags that they were given", async () => {
  render(Sidebar, { find: undefined, onPalette: () => {}, onHide: () => {} });
  await row("run-failed");
  await runs.change("run-failed", { tags: ["proofs", ""] });
  const all = titles().length;
  const filter = await screen.findByLabelText<HTMLSelectElement>("Only runs with this tag");
  await fireEvent.change(filter, { target: { value: "proofs" } });
  await waitFor(() => expect(titles()).toHaveLength(1));
  await runs.change("run-failed", { tags: [] });
  await waitFor(() => expect(titles()).toHaveLength(all));
});

test("runs of one session stand together in the order in which they began, where the newest of them stands", () => {
  const [first, second, third] = recordings().map(({ page }) => page.card);
  const began = (card: typeof first, session: string, at: number) => ({ ...card!, session, started_at_ms: at });
  const cards = [began(first, "a", 30), began(second, "b", 20), began(third, "a", 10)];
  expect(bySession(cards).map(({ card, isBelow }) => [card.run, isBelow])).toEqual([
    [third!.run, false],
    [first!.run, true],
    [second!.run, false],
  ]);
});

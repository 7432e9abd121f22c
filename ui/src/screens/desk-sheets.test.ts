// What lies over the page of a run: an error again after Resume, questions that fold, and the room that is taken.
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import { fakeHost } from "../fake-host/fake";
import { recording } from "../fake-host/fake-records";
import { LiveRun } from "../run/live-run.svelte";
import { whole } from "../run/recorded-views";
import DeskSheets from "./DeskSheets.svelte";
import { OpenTool } from "./open-tool.svelte";
import { RunActions } from "./run-actions.svelte";
import { watchDesk } from "./watched-desk";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Shows what lies over a recorded run, after some of its open questions only. */
function show(run: string, status: "failed" | "waiting", asked = Infinity) {
  watchDesk(run, fakeHost({ speed: 400 }));
  const live = new LiveRun(run);
  const recorded = recording(run);
  const view = whole(recorded);
  const withQuestions = (count: number) => ({
    ...view,
    waiting: new Map([...view.waiting].sort(([, one], [, other]) => one.seq - other.seq).slice(0, count)),
  });
  live.page = recorded.page;
  live.head = withQuestions(asked);
  const tool = new OpenTool(live);
  render(DeskSheets, {
    live,
    page: recorded.page,
    status,
    isTrashed: false,
    tool,
    runActions: new RunActions(run),
    isFolded: false,
    slow: null,
    onResume: () => {},
    onGo: () => {},
  });
  return { live, tool, view, withQuestions };
}
const isFolded = () => document.getElementById("question-line")!.getAttribute("aria-expanded") === "false";
const fold = () => fireEvent.click(document.getElementById("question-line")!);

test("a run that fails again after Resume shows its card again, though both events arrive at once", async () => {
  const { live } = show("run-failed", "failed");
  await fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
  live.head = { ...live.head, error: { ...live.head.error! } };
  expect(await screen.findByRole("alert")).toBeTruthy();
});

test("a folded question stays folded while the slider moves away and back, and opens when a new one is asked", async () => {
  const { live, withQuestions } = show("run-permission", "waiting", 1);
  await fold();
  expect(isFolded()).toBe(true);
  live.moment = 5;
  await tick();
  live.moment = null;
  await tick();
  expect(isFolded()).toBe(true);
  live.head = withQuestions(2);
  await waitFor(() => expect(isFolded()).toBe(false));
  await fold();
  // The newest is answered: the older one stays folded.
  live.head = withQuestions(1);
  await tick();
  expect(isFolded()).toBe(true);
});

test("in a low window a question that arrives beside an open form stays folded", async () => {
  vi.stubGlobal("innerHeight", 600);
  const { live, tool, withQuestions } = show("run-permission", "waiting", 1);
  expect(isFolded()).toBe(false);
  tool.name = "ledger";
  await waitFor(() => expect(isFolded()).toBe(true));
  live.head = withQuestions(2);
  await tick();
  expect(isFolded()).toBe(true);
});

test("notices go back to the side when the form is closed", async () => {
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(400);
  const { tool } = show("run-permission", "waiting");
  const beside = () => document.documentElement.style.getPropertyValue("--beside");
  tool.name = "ledger";
  await waitFor(() => expect(beside()).toBe("400px"));
  // Whoever works by keyboard is in what was opened.
  await waitFor(() => expect(document.activeElement?.closest(".tool")).not.toBeNull());
  tool.name = null;
  await waitFor(() => expect(beside()).toBe("0px"));
});

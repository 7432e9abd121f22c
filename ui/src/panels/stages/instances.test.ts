// The picture of an agent on demand as a person meets it.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deep } from "../../fake-host/fake-deep";
import { each } from "../../fake-host/fake-each";
import { NO_LIMITS } from "../../run/budgets";
import { here, until, whole } from "../../run/recorded-views";
import Picture from "./Picture.svelte";
import Stages from "./Stages.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 60_000 });

const calls = vi.fn();
const went = vi.fn();
const opened = vi.fn();

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
afterEach(() => {
  cleanup();
  calls.mockReset();
  went.mockReset();
  setGate.mockReset();
  vi.unstubAllGlobals();
});

const setGate = vi.fn();

function show(
  run: Pick<ReturnType<typeof each>, "page" | "entries" | "limits"> & { streams?: Record<string, string> },
  view = whole(run),
  isOpen = true,
) {
  render(Stages, {
    outline: run.page.outline,
    view,
    isHalted: false,
    isNow: true,
    text: new Map(Object.entries(run.streams ?? {})),
    present: {
      heardAt: () => undefined,
      spokeAt: () => undefined,
      usualMs: () => null,
      mostAttempts: () => 5,
      isWaitedFor: () => false,
    },
    resolve: here,
    onGo: went,
    onRead: calls,
    onRerun: () => {},
    actions: { gates: { gates: view.gates, set: setGate }, slow: null, askedAgain: () => "" },
    isOpen,
    onOpen: opened,
  });
}
const group = (name = "Guide to a place") => screen.getByRole("group", { name });
const headOf = (name: string) => group(name).querySelector(":scope > .head")!;
async function detailsOf(title: string) {
  await fireEvent.click(screen.getByRole("button", { name: `Details of ${title}` }));
  return waitFor(() => screen.getByLabelText(title, { selector: ".details" }));
}
const rows = () => [...group().querySelectorAll<HTMLElement>("[data-instance]")];

test("fifty instances are counted in words and as a bar, and the few worth a look have a row each", () => {
  show(each(50));
  expect(group().textContent).toContain("50 items · 31 done · 4 running · 1 waits for you · 1 failed · 13 not started");
  expect(
    within(group())
      .getByRole("progressbar", { name: "Guide to a place: 32 of 50 ended" })
      .getAttribute("aria-valuenow"),
  ).toBe("32");
  expect(rows().map(({ dataset }) => dataset["instance"])).toEqual(["33", "17", "34", "35", "36", "37"]);
  expect(rows()[0]!.textContent).toContain("The ferry does not run in winter. Go by bus?");
  expect(rows()[2]!.textContent).toContain("Three temples within a walk, o");
  expect(within(group()).getByRole("button", { name: "Show all 37" })).toBeTruthy();
});

test("the list of all is as high in pixels as its place in a window, so that it scrolls in every engine", async () => {
  const place = vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(310);
  show(each(50));
  await fireEvent.click(within(group()).getByRole("button", { name: "Show all 37" }));
  const list = await waitFor(
    () => screen.getByRole("list", { name: "Guide to a place" }).firstElementChild as HTMLElement,
  );
  expect(list.style.height).toBe("310px");
  place.mockRestore();
});

test("the row of an instance that the run stops before shows the item that the question tells, and its details do", async () => {
  show(each(5));
  const row = rows().find(({ dataset }) => dataset["instance"] === "4")!;
  expect(row.dataset["state"]).toBe("needs_you");
  expect(row.textContent).toMatch(/San Miguel de Allende.*The run stops before/s);
  await fireEvent.click(row);
  expect((await waitFor(() => screen.getByLabelText("Guide to a place · item 4"))).textContent).toContain(
    "San Miguel de Allende",
  );
});

test("a row opens the details of that very instance: its item, its result, the stages within it and its moment", async () => {
  show(each(3));
  await fireEvent.click(rows().find(({ dataset }) => dataset["instance"] === "1")!);
  const details = await waitFor(() => screen.getByLabelText("Guide to a place · item 1"));
  expect(details.textContent).toMatch(/Bergen.*Norway.*Take the funicular before nine/s);
  expect(
    [...details.querySelectorAll<HTMLElement>("[data-stage]")].map(
      ({ dataset }) => `${dataset["stage"]} ${dataset["state"]}`,
    ),
  ).toEqual(["guide done", "finder done", "teller done"]);
  await fireEvent.click(within(details).getByRole("button", { name: "Go to this moment" }));
  expect(went).toHaveBeenCalledTimes(1);
  await fireEvent.click(within(details).getByRole("button", { name: "item 1" }));
  expect(calls.mock.calls[0]?.[0]).toMatchObject({ path: "journey/visits#1*guide#1" });
});

test("before it starts, and in a pipeline that does not run, an agent on demand is one box", () => {
  const run = each(50);
  show(run, until(run, 5));
  expect(group().dataset["state"]).toBe("waiting");
  expect(rows()).toEqual([]);
  cleanup();
  render(Picture, { outline: run.page.outline, keys: run.page.keys });
  expect(screen.getByText("4 at once at most")).toBeTruthy();
  expect(screen.getByText("Guide to a place")).toBeTruthy();
});

test("an agent that holds others shows beside its title what it used up of its limits, and nothing where none holds", () => {
  const run = deep();
  show(run);
  expect(headOf("Measuring").textContent).toContain("6 of 7 calls · 2,760 of 9,000 tokens");
  expect(headOf("Measuring").querySelector(".near")?.textContent).toBe("6 of 7 calls");
  expect(headOf("Drawing").textContent).toContain("0 of 24 calls");
  expect(headOf("Drawing").textContent).not.toContain("tokens");
  expect(headOf("Streets").textContent).not.toContain("calls");
});

test("the figures of an agent that holds others go on with the run and stand as they were at a moment gone by", () => {
  const run = each(50);
  show(run, until(run, 60));
  expect(headOf("Every place").textContent).toContain(" 12 of 40 calls");
  cleanup();
  show(run);
  expect(headOf("Every place").textContent).toContain(" 36 of 40 calls");
});

test("details of an agent that holds others tell its sum, and its gate is set there", async () => {
  show(deep());
  const details = await detailsOf("Quarters");
  expect(details.textContent).toContain("in parallel");
  expect(within(details).getByTestId("budget").textContent).toBe("8 calls · 3,680 tokens");
  await fireEvent.click(within(details).getByRole("switch", { name: "Stop after" }));
  expect(setGate).toHaveBeenCalledWith("quarters", { before: false, after: true });
});

test("instances show the sum of all beside their title, and their details what each may use at most", async () => {
  show(each(50));
  expect(within(headOf("Guide to a place") as HTMLElement).getByTestId("budget").textContent).toBe(
    "36 calls · 13,764 tokens · $0.0651",
  );
  expect((await detailsOf("Guide to a place")).textContent).toMatch(/Limit for each\s*3 calls · \$0\.02/);
});

test("limits of the whole tree that are not the run's stand above it", () => {
  const run = { ...deep(), limits: { survey: { ...NO_LIMITS, max_llm_calls: 50 } } };
  show(run);
  expect(headOf("Survey").textContent).toMatch(/Survey.*\d+ of 50 calls/s);
  cleanup();
  show({ ...run, limits: {} });
  expect(headOf("Survey")).toBeNull();
});

test("in one line instances are counted, those worth a look are told in words, and a click opens them", async () => {
  show(each(50), undefined, false);
  const line = group("Every place");
  expect(line.querySelector('[data-stage="guide"]')!.textContent).toMatch(
    /Guide to a place\s*32\/50\s*1 waits for you\s*1 failed/,
  );
  await fireEvent.click(
    within(line).getByRole("button", { name: "Guide to a place: 32 of 50 ended, 1 waits for you, 1 failed" }),
  );
  expect(
    (await waitFor(() => screen.getByLabelText("Guide to a place", { selector: ".details" }))).textContent,
  ).toContain("13 not started");
  await fireEvent.click(screen.getByRole("button", { name: "Show the stages as boxes" }));
  expect(opened).toHaveBeenCalledWith(true);
});

test("in one line what lies deep has brackets of its own, whose mark opens its details", async () => {
  show(deep(), undefined, false);
  await fireEvent.click(within(group("Quarters")).getByRole("button", { name: /^Details of Quarters:/ }));
  expect((await waitFor(() => screen.getByLabelText("Quarters", { selector: ".details" }))).textContent).toContain(
    "in parallel",
  );
});

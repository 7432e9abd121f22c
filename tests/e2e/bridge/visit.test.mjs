// A planned visit in the window: its list and its map, and what the person changes of it.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openRun, openTab, strays } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";

const REQUEST = "From Matsumoto station, visit the places of “The Lending Library on Glass Hill”";

test("the visit of a pilgrimage is listed and drawn, and changed point by point", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await page.getByRole("radio", { name: /^Pilgrimage/ }).check();
  // The example is of an invented title, which the demonstration alone knows.
  await page.getByRole("button", { name: "Use the example" }).click();
  await expect(page.getByRole("textbox", { name: "Request" })).toHaveValue(REQUEST);
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Profile").selectOption("built-in");
  await page.getByLabel("Day of the visit").fill("2026-12-05");
  await expect(page.getByRole("combobox", { name: "All sources" })).toHaveValue("demonstration");
  for (const slot of ["Titles", "Stations", "Points", "Weather", "Ways on foot", "Trains and buses"]) {
    await expect(page.getByRole("combobox", { name: slot, exact: true })).toHaveValue("demonstration");
  }
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("region", { name: "Time", exact: true }).getByText("Run finished").waitFor();
  await openTab(page, "Map");

  const list = page.getByRole("list", { name: "Visits in order" });
  const rows = list.locator("[data-visit]");
  /** The ids in the order of the list. */
  const ids = () => rows.evaluateAll((found) => found.map((row) => row.getAttribute("data-visit")));
  /** @param {string} id */
  const row = (id) => page.locator(`[data-visit="${id}"]`);
  /** @param {string} id @param {string} item */
  const act = async (id, item) => {
    await row(id)
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await expect(rows).toHaveCount(24);
  const first = /** @type {string[]} */ (await ids());
  await expect(page.getByRole("note").getByText(/invented/)).toBeVisible();
  const map = page.getByRole("img", { name: /Map of 24 points/ });
  await expect(map.locator("[data-mark]")).toHaveCount(24);

  // Each chooses in the other.
  await map.locator(`[data-mark="${first[20]}"]`).click();
  await expect(row(first[20]).getByRole("button", { expanded: true })).toBeVisible();
  await page.getByRole("button", { name: "Show in the list" }).click();
  await expect(row(first[20]).locator("button").first()).toBeFocused();
  await row(first[3]).locator("button").first().click();
  await expect(map.locator(`[data-mark="${first[3]}"].chosen`)).toHaveCount(1);

  // Down by the menu, and by the keys: the focus goes with the point, and what became of it is said.
  const before = await row(first[0]).locator("time").first().textContent();
  await act(first[0], "Move down");
  await expect.poll(ids).toEqual([first[1], first[0], ...first.slice(2)]);
  await expect(row(first[0]).locator("time").first()).not.toHaveText(before ?? "");
  await expect(row(first[0]).locator("button").first()).toBeFocused();
  await expect(page.locator("[aria-live=polite]").getByText(/number 2, .* The visit ends at/)).toBeAttached();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(ids).toEqual([first[1], first[2], first[0], ...first.slice(3)]);
  await expect(row(first[0]).locator("button").first()).toBeFocused();

  // Fixed where it is, and let go again.
  await act(first[0], "Fix here");
  await row(first[0]).getByText("Fixed as number 3").waitFor();
  await act(first[0], "Release");
  await expect(row(first[0]).getByText("Fixed as number 3")).toHaveCount(0);

  // Left out, and visited again.
  await act(first[5], "Leave out");
  await expect(rows).toHaveCount(23);
  const left = page.locator(`[data-left="${first[5]}"]`);
  await expect(left).toContainText("You left it out");
  await expect(page.getByRole("img", { name: /Map of 23 points/ }).locator(".hollow")).toHaveCount(1);
  await left.getByRole("button", { name: /^Visit .* again$/ }).click();
  await expect(rows).toHaveCount(24);
  await expect(row(first[5]).locator("button").first()).toBeFocused();

  // A number is dragged.
  await row(first[2]).evaluate((over) => over.scrollIntoView({ block: "center" }));
  const [held, over] = [await row(first[1]).locator(".number").boundingBox(), await row(first[2]).boundingBox()];
  assert.ok(held && over);
  await page.mouse.move(held.x + 8, held.y + 8);
  await page.mouse.down();
  await page.mouse.move(held.x + 8, over.y + over.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await ids())[0]).toBe(first[2]);

  await page.getByRole("button", { name: "Best order" }).click();
  await expect(page.getByRole("button", { name: "Best order" })).toHaveCount(0);
  const { state } = await ask(bridge.url, "state_at", {
    run: await openRun(page),
    seq: null,
  });
  assert.deepEqual(state.itinerary.itinerary.choice, {
    order: null,
    fixed: {},
    dropped: [],
  });

  await page.setViewportSize({ width: 900, height: 600 });
  assert.deepEqual(await strays(page), []);
  // The line of many stages scrolls; it does not cut their names.
  const names = page.getByRole("region", { name: "Stages" }).locator("[data-stage] .title");
  assert.ok((await names.count()) > 12);
  const cut = await names.evaluateAll((all) =>
    all.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent),
  );
  assert.deepEqual(cut, []);
  assert.deepEqual(complaints, []);
});

test("an answer is given differently later: a fork goes on from it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  const inputs = {
    user_query: "I am at Nowhere and want to visit “The Lending Library on Glass Hill”",
    visit_date: "2026-12-05",
  };
  const slots = [
    "search_bangumi_subjects",
    "search_anitabi_bangumi_near_station",
    "points_of_title",
    "weather",
    "transit",
  ];
  const tools = Object.fromEntries(slots.map((slot) => [slot, "demonstration"]));
  const { run } = await ask(bridge.url, "start_run", {
    pipeline: "pilgrimage",
    inputs,
    profile: "built-in",
    tools,
  });
  await page.locator(`[data-run="${run}"]`).click();
  const asked = page.getByTestId("question");
  await asked.getByRole("textbox").fill("Elsewhere");
  await asked.getByRole("button", { name: "Answer" }).click();
  await expect(asked.getByRole("textbox")).toHaveValue("");
  await asked.getByRole("textbox").fill("Matsumoto");
  await asked.getByRole("button", { name: "Answer" }).click();
  await page.getByRole("region", { name: "Time", exact: true }).getByText("Run finished").waitFor();

  await page.getByRole("button", { name: "Details of Name of the station?" }).click();
  await page.getByRole("button", { name: "Answer differently" }).click();
  const again = page.getByTestId("answered");
  await expect(again).toContainText("this run stays as it is");
  await again.getByRole("textbox").fill("Nowhere else");
  await again.getByRole("button", { name: "Answer" }).click();
  await expect(page.getByTestId("question")).toContainText("No station was found");
  const fork = await openRun(page);
  assert.notEqual(fork, run);
  const { state } = await ask(bridge.url, "state_at", { run: fork, seq: null });
  assert.equal(state.location, "Nowhere else");
  const before = await ask(bridge.url, "state_at", { run, seq: null });
  assert.equal(before.state.station.name, "松本駅");
  assert.deepEqual(complaints, []);
});

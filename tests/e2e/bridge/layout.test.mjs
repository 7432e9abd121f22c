// The room on the desk is the person's: what they moved, opened and typed is there again after a reload.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, launch, openRun, openTab, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";

const TOPIC = "retrieval-augmented generation";

test("panes are resized by keys and by mouse, the list of runs goes and comes, and a reload finds all of it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url, {
    viewport: { width: 1280, height: 620 },
  });
  await launch(page, { topic: TOPIC });
  await untilStatus(page, "finished");
  const side = page.locator(".side");
  const width = async () => Math.round((await side.boundingBox())?.width ?? 0);
  const before = await width();
  const divider = page.getByRole("separator", { name: "Resize panels" });
  await divider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(width).toBeGreaterThan(before + 20);
  const wider = await width();
  const box = await divider.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x - 90, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(wider + 40);

  await openTab(page, "Sources");
  // What is open on the screen beside the list stays open.
  await page.keyboard.press("Control+Shift+F");
  const fork = page.getByRole("region", { name: /^Fork after event/ });
  await fork.getByLabel("Instruction").first().selectOption({ index: 1 });
  await page.keyboard.press("Control+b");
  await expect(page.locator(".desk")).toHaveCount(1);
  await expect(fork.getByRole("textbox", { name: "Instruction" })).toBeVisible();
  await fork.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Show the list of runs" }).waitFor();
  await expect(page.getByRole("searchbox", { name: "Search runs" })).toHaveCount(0);
  const text = draft(page).locator("xpath=..");
  const wanted = await text.evaluate((element) => {
    element.scrollTop = 120;
    return Math.round(element.scrollTop);
  });
  assert.ok(wanted > 0, "the draft is too short to be scrolled");
  await eventually("the place is kept", () =>
    page.evaluate((top) => (localStorage.getItem("galley.scroll") ?? "").includes(`:${top}`), wanted),
  );
  const shown = await width();

  await page.reload();
  await page.getByRole("tab", { name: /^Sources/, selected: true }).waitFor();
  await page.getByRole("button", { name: "Show the list of runs" }).waitFor();
  await eventually("the same width", async () => Math.abs((await width()) - shown) <= 2);
  await eventually(
    "the same lines",
    async () => (await text.evaluate((element) => Math.round(element.scrollTop))) === wanted,
  );
  await page.keyboard.press("Control+b");
  const find = page.getByRole("searchbox", { name: "Search runs" });
  await find.waitFor();
  // While its divider is held the list stays: a divider that goes under the hand would hold the mouse.
  await page.getByRole("separator", { name: "Width of the list of runs" }).hover();
  await page.mouse.down();
  await page.mouse.move(300, 300);
  await page.keyboard.press("Control+b");
  await page.mouse.up();
  await expect(find).toBeVisible();
  await page.getByRole("tab", { name: /^Journal/ }).click();
  for (const [chord, name] of [
    ["Control+1", "Review"],
    ["Control+2", "Checks"],
    ["Control+4", "State"],
  ]) {
    await page.keyboard.press(chord ?? "");
    await page.getByRole("tab", { name: new RegExp(`^${name}`), selected: true }).waitFor();
  }
  assert.deepEqual(complaints, []);
});

test("what was typed and could not be saved is there again after a reload, and is saved then", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilStatus(page, "finished");
  const run = await openRun(page);
  await page.route("**/rpc", (route) =>
    route.request().postDataJSON().cmd === "edit_state" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await draft(page).getByRole("textbox").press("Control+End");
  await page.keyboard.type("Kept through the storm.");
  await page.getByText("Not saved. Your text stays here.").waitFor();
  await page.reload();
  await draft(page).getByText("Kept through the storm.").waitFor();
  await page.getByText("Not saved. Your text stays here.").waitFor();
  await page.unroute("**/rpc");
  // A save that was under way when the network came back fails, too, and can be tried again.
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.click();
  await eventually("the text in the state", async () => {
    if (await again.isVisible()) await again.click();
    const { state } = await ask(bridge.url, "state_at", { run, seq: null });
    return /Kept through the storm\./.test(JSON.stringify(state));
  });
  await page.getByText("Not saved. Your text stays here.").waitFor({ state: "hidden" });
});

test("two runs are chosen with Control and a click, and compared", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  for (const topic of [TOPIC, "speech recognition"]) {
    await launch(page, { topic });
    await untilStatus(page, "finished");
  }
  const rows = page.locator("[data-run]");
  await rows.nth(0).click({ modifiers: ["Control"] });
  await page.getByText("1 run selected").waitFor();
  await rows.nth(1).click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Compare runs" }).click();
  await page.getByRole("heading", { name: "Compare runs" }).waitFor();
  await page.getByRole("button", { name: TOPIC }).last().waitFor();
  // Each text is a page of its own with what differs marked, and both are one text where the person prefers that.
  const sheets = page.getByRole("main").getByRole("article");
  await expect(sheets).toHaveCount(2);
  await expect(sheets.first().locator("del")).not.toHaveCount(0);
  await expect(sheets.first().locator("ins")).toHaveCount(0);
  await expect(sheets.last().locator("ins")).not.toHaveCount(0);
  await page.getByRole("button", { name: "One text" }).click();
  await expect(sheets).toHaveCount(1);
  await expect(sheets.locator("ins")).not.toHaveCount(0);
  await expect(sheets.locator("del")).not.toHaveCount(0);
  await page.getByRole("button", { name: /values differ/ }).click();
  await page.getByRole("main").getByText("speech recognition").first().waitFor();
  assert.deepEqual(complaints, []);
});

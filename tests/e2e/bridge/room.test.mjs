// The text of a run keeps its room: what is opened or asked lies over the page, and what stands around it folds away.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, launch, strays, untilFinished, untilStage } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";

const TOPIC = "retrieval-augmented generation";

/** Where an element is, in whole pixels. @param {import("playwright/test").Locator} part */
async function boxOf(part) {
  const box = await part.boundingBox();
  assert.ok(box);
  const [top, bottom] = [Math.round(box.y), Math.round(box.y + box.height)];
  return { top, bottom, width: Math.round(box.width), height: bottom - top };
}

test("in a window of 900 × 600 the text has 300 pixels, and no form that is opened over it moves it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  const sheet = draft(page);
  const well = sheet.locator("xpath=..");
  assert.ok((await boxOf(well)).height >= 300, `the text has ${(await boxOf(well)).height} pixels`);
  assert.ok((await boxOf(page.getByRole("region", { name: "Stages" }))).height < 48);
  const tabs = await page.getByRole("tab").all();
  assert.ok(tabs.length > 0, "no tab is shown");
  for (const tab of tabs) assert.ok(await tab.evaluate((part) => part.getBoundingClientRect().right <= innerWidth));
  assert.deepEqual(await strays(page), []);

  const before = await boxOf(sheet);
  const slider = page.getByLabel("Moment of the run");
  for (const name of ["Export", "What it cost"]) {
    const opener = page.getByRole("banner").or(page.locator("main header")).getByRole("button", { name, exact: true });
    await opener.click();
    const form = page.getByRole("region", { name, exact: true });
    await form.waitFor();
    assert.deepEqual(await boxOf(sheet), before);
    await expect.poll(async () => (await boxOf(form)).bottom).toBeLessThanOrEqual((await boxOf(slider)).top);
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await expect(opener).toBeFocused();
  }
  assert.deepEqual(complaints, []);
});

test("a question is folded to one line above the slider and opened again, with what was typed in it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const { page, complaints } = await openPage(at, bridge.url, { viewport: { width: 1280, height: 800 } });
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("radio", { name: /Unheard Of/ }).check();
  await page.getByLabel("Errand").fill("carry three lanterns to the harbour");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await untilStage(page, "toll_keeper", "needs_you");
  const question = page.getByTestId("question");
  await question.getByRole("textbox").fill("As it comes");
  const [plan, slider] = [page.getByRole("region", { name: "Course" }), page.getByLabel("Moment of the run")];
  const before = await boxOf(plan);
  assert.ok((await boxOf(question)).bottom <= (await boxOf(slider)).top);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  const line = page.getByRole("main").getByRole("button", { name: /How is the manuscript to sound/ });
  await expect(line).toBeFocused();
  assert.ok((await boxOf(line)).height < 40);
  assert.equal((await boxOf(plan)).top, before.top);
  // The key that answers as suggested shows first what it would answer.
  await page.keyboard.press("Control+Enter");
  await expect(question.getByRole("textbox")).toHaveValue("As it comes");
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await question.getByText("How is the manuscript to sound?").waitFor({ state: "hidden" });
  assert.deepEqual(complaints, []);
});

test("the stages open into boxes and the side panel folds away by their keys, and a reload finds it so", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url, { viewport: { width: 1280, height: 800 } });
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  await page.getByRole("button", { name: /Details of Writer$/ }).click();
  await page.getByLabel("Writer", { exact: true }).getByRole("button", { name: "Go to this moment" }).click();
  await page
    .getByRole("region", { name: "Time", exact: true })
    .getByText(/Writer finished/)
    .waitFor();
  await page.keyboard.press("Escape");
  const stages = page.getByRole("region", { name: "Stages" });
  const low = (await boxOf(stages)).height;
  await page.keyboard.press("Control+Shift+G");
  await expect.poll(async () => (await boxOf(stages)).height).toBeGreaterThan(low * 2);
  await page.keyboard.press("Control+Shift+B");
  await expect(page.getByRole("tab")).toHaveCount(0);
  await page.reload();
  await page.getByRole("button", { name: "Show the side panel" }).waitFor();
  await page.getByRole("button", { name: "Show the stages in one line" }).click();
  await expect.poll(async () => (await boxOf(stages)).height).toBe(low);
  await page.keyboard.press("Control+b");
  await expect.poll(async () => (await boxOf(page.getByRole("region", { name: "Draft" }))).width).toBeGreaterThan(1200);
  assert.ok((await boxOf(draft(page))).width < 800, "a line of the text is longer than about 70 characters");
  // Whoever wants to see a panel gets it back.
  await page.keyboard.press("Control+3");
  await page.getByRole("tab", { name: /^Sources/, selected: true }).waitFor();
  assert.deepEqual(complaints, []);
});

// The whole main job without a mouse: start, watch, read, edit, look back, fork, find, throw away, take back. Only
// keys are pressed; where the focus stands is asked and never set.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, openRun, untilStage, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";

/** @typedef {import("playwright/test").Page} Page */

/** What has the focus, by its name or its text. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === document.body) return "the page";
    const label =
      element?.getAttribute("aria-label") ??
      (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.labels?.[0]?.innerText
        : undefined);
    return `${label ?? ""} ${element?.textContent ?? ""}`.replace(/\s+/g, " ").trim();
  });

/**
 * Presses Tab until what is wanted has the focus: round and round, for it may be on its way.
 * @param {Page} page
 * @param {RegExp} wanted
 * @param {string} [key]
 */
async function tabTo(page, wanted, key = "Tab") {
  const seen = new Set();
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const name = await focused(page);
    if (wanted.test(name)) return;
    seen.add(name.slice(0, 30));
    await page.keyboard.press(key);
  }
  throw new Error(`${wanted} is not reached by ${key}; on the way were ${[...seen].join(" | ")}`);
}

/** Does something by its name in the palette. @param {Page} page @param {string} words */
async function command(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("the main job is done by keyboard alone", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const { page, complaints } = await openPage(at, bridge.url);
  await page.getByRole("heading", { name: "A proof desk" }).waitFor();

  // Start: the form of the pipeline with a question and a loop.
  await page.keyboard.press("Control+n");
  await tabTo(page, /Unheard Of|AI News/);
  const wanted = page.getByRole("radio", { name: /^Unheard Of/ });
  await eventually("the arrows come to it", async () => {
    await page.keyboard.press("ArrowDown");
    return wanted.isChecked();
  });
  await tabTo(page, /^Errand/);
  await page.keyboard.type("carry three lanterns to the harbour");
  await page.keyboard.press("Control+Enter");

  // Watch, and answer.
  await untilStage(page, "toll_keeper", "needs_you");
  await tabTo(page, /^Solemn/);
  await page.keyboard.press("Enter");
  await untilStatus(page, "needs a look");
  await expect(page.locator("div.unseen[aria-live=polite]")).toContainText(/finished/i);
  const first = await openRun(page);

  // Read, and edit.
  await draft(page).getByText("solemn boat").waitFor();
  await tabTo(page, /^Edit$/);
  await page.keyboard.press("Enter");
  const editor = draft(page).getByRole("textbox");
  await tabTo(page, /Imprint/);
  await eventually("the editor has the focus", async () =>
    editor.evaluate((element) => element.contains(document.activeElement) || element === document.activeElement),
  );
  await page.keyboard.press("Control+End");
  // A text of several lines on the screen: where one of them breaks, too, the keys lead out of the editor.
  await page.keyboard.type(`${" And on and on".repeat(12)}. By hand.`);
  await page.getByText(/^Saved as event/).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");

  // Judge an issue, and take that back.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+1");
  await expect.poll(() => focused(page)).toMatch(/^Review/);
  await page.evaluate(
    () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go)))),
  );
  assert.match(await focused(page), /^Review/);

  // Look back: the slider by arrows, its ends by Home and End.
  await tabTo(page, /^Moment of the run/, "Shift+Tab");
  await page.keyboard.press("Home");
  await page.getByText(/^event 1 of/).waitFor();
  for (let count = 0; count < 4; count++) await page.keyboard.press("ArrowRight");
  await page.getByText(/^event 5 of/).waitFor();
  await page.keyboard.press("End");
  await draft(page).getByText("By hand.").waitFor();

  // Fork in the middle, with another instruction.
  for (let count = 0; count < 8; count++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Shift+F");
  await tabTo(page, /^Start the fork/);
  await page.keyboard.press("Enter");
  await eventually("a fork", async () => (await openRun(page)) !== first);
  await untilStatus(page, "needs a look");

  // Find it, rename it, throw it away, and take that back. On the desk the keys of a search look in the draft.
  await command(page, "Search runs");
  await page.keyboard.type("lanterns");
  await page.locator("[data-run] mark").first().waitFor();
  await tabTo(page, /carry three lanterns/);
  await page.keyboard.press("F2");
  await page.getByLabel("Title of the run").waitFor();
  await expect.poll(() => focused(page)).toMatch(/^Title of the run/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("The second voyage");
  await page.keyboard.press("Enter");
  await tabTo(page, /The second voyage/);
  await page.keyboard.press("Delete");
  await page.getByText("“The second voyage” is in the trash.").waitFor();
  // The notices are reached by Alt and T, as their makers wanted it; Undo stands in them.
  await page.keyboard.press("Alt+t");
  await tabTo(page, /^Undo$/);
  await page.keyboard.press("Enter");
  await page.locator("[data-run]").getByText("The second voyage").waitFor();
  await expect.poll(() => focused(page)).toContain("The second voyage");

  // Escape closes the topmost alone, and the focus goes back to where it was.
  await command(page, "Search runs");
  await page.keyboard.press("Control+/");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toMatch(/^Search runs/);
  await command(page, "Doctor");
  await page.getByRole("heading", { name: "Doctor" }).waitFor();
  assert.deepEqual(complaints, []);
});

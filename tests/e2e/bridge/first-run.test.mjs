// What a person does with a first run: fill the form, read what came out, correct it, look back at how it came about.
// On the sample library and without a model, so that everything is known beforehand.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import {
  draft,
  exactState,
  launch,
  moveTo,
  openEvent,
  openRun,
  openTab,
  untilFinished,
  untilStage,
} from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { galley } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";
const AGENTS = ["ai_news_searcher", "ai_news_writer", "ai_news_reviewer"];

/** A page on which a first run has just ended. @param {import("node:test").TestContext} t */
async function afterFirstRun(t) {
  const at = await place(t);
  const bridge = await startBridge(at);
  const opened = await openPage(at, bridge.url);
  await launch(opened.page, { topic: TOPIC });
  await untilFinished(opened.page);
  return { at, bridge, ...opened, run: await openRun(opened.page) };
}

test("the form asks for what the pipeline needs and starts nothing without it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await page.getByRole("button", { name: "New run" }).click();
  const topic = page.getByRole("textbox", { name: "Topic" });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(topic).toHaveAttribute("aria-invalid", "true");
  await page.getByText("Required.").waitFor();
  await page.getByText("No runs yet").waitFor();
  // What it would cost is known; nothing is said in the terminal's words.
  await page.getByText("no model calls").waitFor();
  assert.doesNotMatch(await page.getByRole("main").innerText(), /--input/);

  await page.getByRole("button", { name: "Use the example" }).click();
  await expect(topic).toHaveValue(TOPIC);
});

test("a run goes from the form to a draft with sources, and the page has nothing to complain of", async (t) => {
  const { page, complaints } = await afterFirstRun(t);
  for (const agent of AGENTS) await untilStage(page, agent, "done");

  await expect(draft(page)).toContainText(/retrieval-augmented generation/i);
  await expect(draft(page)).toContainText("[1]");
  await openTab(page, "Sources");
  await page.getByText("5 sources", { exact: true }).last().waitFor();
  await openTab(page, "Review");
  await page.getByText("Ready to publish").last().waitFor();
  assert.deepEqual(complaints, []);
});

test("an edited draft is saved by itself, survives a reload, and its history names the person", async (t) => {
  const { at, page, run, complaints } = await afterFirstRun(t);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await draft(page).getByRole("textbox").press("Control+End");
  await page.keyboard.insertText("A sentence of my own.");
  await page.getByText("Saved as event 32").waitFor();

  await page.reload();
  await draft(page).getByText("A sentence of my own.").waitFor();
  await openTab(page, "State");
  await page
    .getByTestId("state")
    .getByRole("button", { name: /you · 32/ })
    .first()
    .waitFor();
  assert.match(
    await galley(at, ["show", run, "--key", "final_post", "--history"]),
    /by AiNewsPipelineManager[^]*\b32 .* by user\b[^]*A sentence of my own\./,
  );
  assert.match(await galley(at, ["export", run, "--format", "md"]), /A sentence of my own\./);
  assert.deepEqual(complaints, []);
});

test("at an earlier moment everything shown is of then, and the draft can only be read", async (t) => {
  const { at, page, run } = await afterFirstRun(t);
  await openTab(page, "State");

  // The search has ended, nobody has written yet.
  await moveTo(page, 14);
  await page.getByText("There is no draft yet at this point.").waitFor();
  await untilStage(page, "ai_news_searcher", "done");
  await untilStage(page, "ai_news_writer", "waiting");
  assert.equal(await exactState(page, 14), await galley(at, ["show", run, "--state", "--at", "14"]));

  // The draft is there, its review is not.
  await moveTo(page, 20);
  await draft(page).getByRole("heading", { name: "Retrieval-augmented generation", exact: true }).waitFor();
  await untilStage(page, "ai_news_reviewer", "waiting");
  assert.equal(await exactState(page, 20), await galley(at, ["show", run, "--state", "--at", "20"]));
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
  await expect(draft(page).getByRole("textbox")).toHaveCount(0);

  await page.getByRole("button", { name: "Go to the end to edit" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
  assert.equal(await exactState(page, 31), await galley(at, ["show", run, "--state"]));
});

test("the journal tells every event in a sentence and leads to its moment and its record", async (t) => {
  const { page } = await afterFirstRun(t);
  await openTab(page, "Journal");
  const journal = page.getByRole("list", { name: "Journal" });
  for (const sentence of [
    /searched the library for “retrieval-augmented generation”/,
    /found 10 articles of 2026-06-01/,
    /Published: the draft/,
  ]) {
    await journal.getByRole("button", { name: sentence }).waitFor();
  }
  const record = await openEvent(page, /^18 /);
  await page.getByText("event 18 of 31").waitFor();
  await record.getByRole("button", { name: "JSON", exact: true }).click();
  await expect(record.locator("pre")).toContainText(/"author": "ai_news_writer"/);
});

test("the first screen is passed by without an answer, does not come back by itself, and is found again in Help", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  const first = page.getByRole("heading", { name: "A proof desk" });
  await first.waitFor();
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("textbox", { name: "Topic" }).waitFor();
  await page.reload();
  await page.getByRole("textbox", { name: "Topic" }).waitFor();
  await expect(first).toHaveCount(0);

  await page.getByRole("button", { name: "Help", exact: true }).click();
  await page
    .getByRole("main")
    .getByRole("button", { name: /first screen|Welcome/i })
    .click();
  await first.waitFor();
  await page
    .getByRole("button", { name: /sample/ })
    .first()
    .click();
  await untilFinished(page);
});

test("every citation has its verdict and its passage, and a text that cites no source leaves only when the person says so", async (t) => {
  const { page, complaints } = await afterFirstRun(t);
  await openTab(page, "Sources");
  const side = page.getByRole("tabpanel");
  await side.getByText("supported").first().waitFor();
  await expect(side.locator("mark").first()).not.toBeEmpty();
  await side
    .getByText(/^Fetched /)
    .first()
    .waitFor();

  // A citation leads to the passage of its own sentence.
  await draft(page).getByRole("button", { name: "Source 1" }).last().click();
  await side.locator('[aria-current="true"]').getByText("supported").first().waitFor();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await draft(page).getByRole("textbox").press("Control+End");
  await page.keyboard.insertText(" Lanterns are carried by whales [9].");
  await page.getByText(/^Saved as event/).waitFor();
  await side.getByText("[9] points to no source.").waitFor();

  await page.keyboard.press("Control+Shift+E");
  await page.getByRole("alert").getByText("Lanterns are carried by whales").waitFor();
  await expect(page.getByRole("button", { name: /^Save as/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Export anyway" }).click();
  await page.getByRole("button", { name: /^Save as/ }).waitFor();
  assert.deepEqual(complaints, []);
});

// What can be done with a run that has ended: tell the one who wrote its text to do it otherwise, write on oneself,
// and read what a call was asked and answered.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, launch, openRun, untilFinished, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { newsModel } from "../lib/provider.mjs";

const TOPIC = "retrieval-augmented generation";

test("what is said to a finished run becomes an instruction in a fork, told before it is sent, with the line still in sight", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  await ask(bridge.url, "add_profile", {
    name: "news",
    provider: "openai-compatible",
    base_url: await newsModel(at),
    models: { default: "news-1" },
    key_env: "",
  });
  const { page } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await launch(page, { topic: TOPIC, profile: "news" });
  await untilStatus(page, "finished");
  const parent = await openRun(page);

  const line = page.locator("#message-line");
  const isInSight = async () => {
    const box = await line.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 600;
  };
  await page.keyboard.press("Control+j");
  await page.keyboard.type("make it shorter");
  await page.getByText(/^Press Enter to open a fork before Writer/).waitFor();
  await page.getByRole("button", { name: "Next run" }).click();
  await page
    .getByText(/^Press Enter to start a new run of AI News in this session, with this as its “Topic”/)
    .waitFor();
  await page.getByRole("button", { name: "Instruct Writer" }).click();
  await page.keyboard.press("Enter");
  const form = page.getByRole("region", { name: /^Fork after event/ });
  const written = form.getByRole("textbox", { name: "Instruction" });
  await expect(written).toHaveValue(/You .+\n\nmake it shorter$/s);
  assert.ok(await isInSight(), "the form pushes the line out of the window");
  assert.equal((await ask(bridge.url, "list_runs", { search: null, limit: null })).runs.length, 1, "a run was started");

  await form.getByRole("button", { name: "Start the fork" }).click();
  await eventually("the fork", async () => (await openRun(page)) !== parent);
  await untilStatus(page, "finished");
  const run = await openRun(page);
  const { entries } = await ask(bridge.url, "read_events", {
    run,
    from_seq: 1,
    limit: 200,
  });
  const told = entries.flatMap((/** @type {any} */ { event }) =>
    event.fact.effect?.request?.agent === "ai_news_writer" ? [event.fact.effect.request.instruction] : [],
  );
  assert.match(told.at(-1), /make it shorter$/);
  // The two are told apart by what was changed.
  await page.locator(`[data-run="${parent}"]`).click({ modifiers: ["Control"] });
  await page.locator(`[data-run="${run}"]`).click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Compare runs" }).click();
  await page.getByRole("columnheader").getByText("changed: instruction of Writer").waitFor();
});

test("what a person wrote before they saved on purpose, or closed the editor, stays a version of its own", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilStatus(page, "finished");
  const mine = page.getByRole("combobox", { name: "Version" }).locator("option").filter({ hasText: "you" });
  const type = async (/** @type {string} */ words) => {
    await draft(page).getByRole("textbox").press("Control+End");
    await page.keyboard.type(words);
    await page.getByText(/^Saved as event/).waitFor();
  };
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await type(" One.");
  await type(" Two.");
  await expect(mine).toHaveCount(1);
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved as a separate version/).waitFor();
  await type(" Three.");
  await expect(mine).toHaveCount(2);
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await type(" Four.");
  await expect(mine).toHaveCount(3);
  await page.reload();
  await expect(mine).toHaveCount(3);

  // Who had read the text before runs anew in a fork, on the text as it is now.
  await page.getByRole("button", { name: "Show the stages as boxes" }).click();
  await page.getByRole("button", { name: "Re-run stale Reviewer in a fork" }).click();
  await page.getByRole("button", { name: /^fork of a run/ }).waitFor();
  await untilFinished(page);
  await expect(draft(page)).toContainText("One. Two. Three. Four.");
});

test("who writes before the page has heard that the run is at its end writes one version, and takes up what was left unsaved", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  const run = await openRun(page);
  await page.evaluate(
    ([key, text]) => localStorage.setItem(key ?? "", text ?? ""),
    [`galley.unsaved.${run}`, JSON.stringify({ key: "final_post", text: "Left in a storm." })],
  );
  /** @type {() => void} */
  let release = () => {};
  const released = new Promise((go) => (release = () => go(undefined)));
  await page.route(`**/watch?*run=${run}*`, (route) => released.then(() => route.continue()));
  await page.reload();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await draft(page).getByRole("textbox").getByText("Left in a storm.").waitFor();
  await page.getByText(/^Saved as event/).waitFor();
  release();
  await page
    .getByRole("region", { name: "Time", exact: true })
    .getByText(/^event 32 of 32/)
    .waitFor();
  await draft(page).getByRole("textbox").press("Control+End");
  await page.keyboard.insertText(" And on.");
  await page.getByText("Saved as event 33").waitFor();
  await expect(
    page.getByRole("combobox", { name: "Version" }).locator("option").filter({ hasText: "you" }),
  ).toHaveCount(1);
});

test("a call in the details of a stage leads to what it was answered, and from there to what it asked", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilStatus(page, "finished");
  await page.getByRole("button", { name: "Details of Writer" }).click();
  await page.getByTitle("Show request and answer").first().click();
  const raw = page.getByRole("region", { name: /^Event \d+ as stored/ });
  await expect(raw.getByRole("region", { name: "Answer" })).toContainText(/\w{3}/);
  await raw.getByRole("button", { name: "JSON", exact: true }).click();
  await raw.getByText('"effect_answered"').waitFor();
  // Beside it stands the text that came of it.
  await draft(page).getByRole("heading", { name: "Retrieval-augmented generation", exact: true }).waitFor();
  await raw.getByRole("button", { name: /^Request: event/ }).click();
  await raw.getByText('"effect_asked"').waitFor();
});

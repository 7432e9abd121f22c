// A run that pauses: each answer does what it says, nothing that was answered is asked again, and after the death of
// the program the figures are what the events say.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, figures, keptIn, launch, openRun, strays, untilStage, untilStatus } from "../lib/desk.mjs";
import { NO_KEYRING } from "../lib/keyring.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { gatedModel, lockedModel, newsModel } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";
const [OLD, NEW] = ["sk-e2e-old-and-withdrawn", "sk-e2e-new-and-well"];
const PRICES = '[[price]]\nprovider = "openai-compatible"\nmodel = "*"\ninput = 2.0\noutput = 8.0\n';

/** @typedef {import("playwright/test").Page} Page */

/** The question that the run asks. @param {Page} page */
const question = (page) => page.getByTestId("question");

/** @param {Page} page @param {string} name */
const answer = (page, name) => question(page).getByRole("button", { name }).click();

/**
 * The figures at the head, once they are what the ledger and the program's own fold of the events say.
 * @param {Page} page
 * @param {string} url
 */
async function meter(page, url) {
  // As the page rounds: 150 ms are 0.2 s.
  const oneDigit = new Intl.NumberFormat("en", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const run = await openRun(page);
  const { usage } = await ask(url, "open_run", { run });
  const { lines } = await ask(url, "total_usage", {
    run,
    profile: null,
    month: null,
  });
  const sum = (/** @type {string} */ name) =>
    lines.reduce((/** @type {number} */ all, /** @type {any} */ line) => all + (line[name] ?? 0), 0);
  assert.deepEqual(
    [usage.calls, usage.input_tokens, usage.output_tokens],
    [sum("calls"), sum("input_tokens"), sum("output_tokens")],
  );
  assert.ok(Math.abs(usage.cost - sum("cost")) < 1e-9);
  // What a call cost that was cut off in the middle is not known.
  assert.equal(usage.unpriced_calls, sum("unpriced_calls"));
  const SOME = "+ calls of unknown price";
  const money = `${new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 }).format(usage.cost)}${usage.unpriced_calls > 0 ? ` ${SOME}` : ""}`;
  const expected = {
    calls: String(usage.calls),
    tokens: (usage.input_tokens + usage.output_tokens).toLocaleString("en"),
    money,
    seconds: oneDigit.format(usage.active_ms / 1000),
  };
  const shown = async () => {
    const { calls, call, tokens, "": money, [SOME]: some, s: seconds } = await figures(page);
    return { calls: calls ?? call, tokens, money: some === undefined ? money : `${some} ${SOME}`, seconds };
  };
  await expect.poll(shown).toEqual(expected);
  return usage;
}

test("a key that is refused in the middle is mended on its profile's screen, and the run asks nothing twice", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, (key, number) => (number === 1 ? key === OLD : key === NEW));
  await addProfile(at, "work", model.baseUrl);
  const bridge = await startBridge(at, NO_KEYRING);
  await ask(bridge.url, "save_key", {
    profile: "work",
    key: OLD,
    for_session: true,
  });
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await launch(page, { topic: TOPIC, profile: "work" });
  await untilStage(page, "ai_news_writer", "needs_you");
  const card = page.getByRole("region", {
    name: "Key of profile work was refused",
  });
  await card.getByText("Another key is wanted.").first().waitFor();
  assert.deepEqual(await strays(page), []);
  await picture("key-question-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("key-question-dark");
  assert.deepEqual([model.answered(), model.refused()], [1, 1]);

  await answer(page, "Open profile work");
  const field = page.getByLabel("Key of work");
  await expect(field).toBeFocused();
  await page.keyboard.insertText(NEW);
  // Without a keyring there is no other choice.
  await expect(keptIn(page)).toHaveValue("session");
  await page.getByRole("button", { name: "Save without a test" }).click();
  await expect(field).toBeHidden();
  await page.locator("[data-run]").click();
  await answer(page, "Try again");
  await untilStatus(page, "finished");
  assert.deepEqual([model.answered(), model.refused()], [3, 1]);
  assert.deepEqual(complaints, []);
});

test("at a limit: the best so far becomes the result, or the run stops where it is", async (t) => {
  const at = await place(t);
  await writeFile(join(at.folder, "prices.toml"), PRICES);
  await addProfile(at, "strict-reviewer", await newsModel(at, ["--reject-first"]));
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  for (const [name, status] of /** @type {const} */ ([
    ["Finish with the best so far", "limit reached"],
    ["Stop", "stopped"],
  ])) {
    await launch(page, {
      topic: TOPIC,
      profile: "strict-reviewer",
      limits: "strict",
    });
    await question(page).waitFor();
    await answer(page, name);
    await untilStatus(page, status);
    // What the person chose is no failure, of the run or of a stage.
    await expect(page.locator('[data-state="failed"]')).toHaveCount(0);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await draft(page).getByText("[1]").first().waitFor();
    assert.equal((await meter(page, bridge.url)).calls, 4);
    const { state } = await ask(bridge.url, "state_at", {
      run: await openRun(page),
      seq: null,
    });
    assert.equal("final_post" in state, status === "limit reached");
  }
  assert.deepEqual(complaints, []);
});

test("a program killed while a limit is asked about, and one killed in the middle of a call, leave figures that are right", async (t) => {
  const at = await place(t);
  await writeFile(join(at.folder, "prices.toml"), PRICES);
  await addProfile(at, "strict-reviewer", await newsModel(at, ["--reject-first"]));
  let bridge = await startBridge(at);
  let { page, picture } = await openPage(at, bridge.url);
  await launch(page, {
    topic: TOPIC,
    profile: "strict-reviewer",
    limits: "strict",
  });
  await question(page).waitFor();
  const before = await meter(page, bridge.url);
  assert.equal(before.calls, 4);
  await bridge.stop("SIGKILL");

  bridge = await startBridge(at);
  ({ page, picture } = await openPage(at, bridge.url));
  await page.locator("[data-run]").click();
  await untilStatus(page, "interrupted");
  assert.deepEqual(await meter(page, bridge.url), before);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await question(page).waitFor();
  await answer(page, "Add 2 calls and go on");
  await untilStatus(page, "finished");
  assert.equal((await meter(page, bridge.url)).calls, 5);

  const gated = await gatedModel(at, (number) => number === 2);
  await addProfile(at, "gated", gated.baseUrl);
  await launch(page, { topic: TOPIC, profile: "gated" });
  await untilStage(page, "ai_news_writer", "running");
  await eventually("the second request", () => gated.asked() === 2);
  await bridge.stop("SIGKILL");
  bridge = await startBridge(at);
  ({ page, picture } = await openPage(at, bridge.url));
  await page.locator("[data-run]").first().click();
  await untilStatus(page, "interrupted");
  await page.getByText("Stopped at Writer (1 of 2).").waitFor();
  const card = page.getByTestId("interruption");
  for (const sentence of ["Restored: Searcher.", "Will run: Writer, Reviewer.", "May repeat: nothing."])
    await card.getByText(sentence).waitFor();
  assert.equal((await meter(page, bridge.url)).unpriced_calls, 1);
  await picture("interruption");
  await card.getByRole("button", { name: "Resume from here" }).click();
  await untilStatus(page, "finished");
  const after = await meter(page, bridge.url);
  assert.deepEqual([after.calls, after.unpriced_calls, gated.asked()], [4, 1, 4]);
});

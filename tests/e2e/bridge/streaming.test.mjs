// A run on a slow model: what it says is seen while it says it, Stop stops it, and nothing that was received or
// answered is lost by that. The test itself decides when the model says its next words.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, figures, launch, openEvent, openTab, untilStage, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const WRITING = 2;

test("text grows while it is written, Stop keeps what came, Resume asks only for the rest", async (t) => {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, {
    topic: "retrieval-augmented generation",
    profile: "slow",
  });

  await untilStage(page, "ai_news_searcher", "done");
  await untilStage(page, "ai_news_writer", "running");
  await untilStage(page, "ai_news_reviewer", "waiting");
  await untilStatus(page, "running");
  await page.locator("[data-run]").getByText("running").waitFor();

  let seen = "";
  for (let round = 0; round < 3; round++) {
    const text = await eventually("more words of the draft", async () => {
      model.pass(1);
      const shown = (await page.getByText("Writer is writing").isVisible()) ? await draft(page).innerText() : "";
      return shown.length > seen.length ? shown : undefined;
    });
    assert.ok(text.startsWith(seen), `"${seen}" became "${text}"`);
    assert.doesNotMatch(text, /\*\*|^#/m, "marks of Markdown are shown");
    seen = text;
  }
  await picture("writing");

  // The second click of a double click must not resume, which would be paid for.
  await page.getByRole("button", { name: "Stop" }).dblclick();
  await untilStatus(page, "stopped");
  await untilStage(page, "ai_news_writer", "stopped");
  await untilStage(page, "ai_news_reviewer", "unreached");
  await eventually("an answer that was left", () => model.left() === 1);
  const asked = model.asked();
  assert.equal(asked, WRITING);

  await openTab(page, "Journal");
  const event = await openEvent(page, /You stopped/);
  await event.getByText("The answer was cut off. This is what was received:").waitFor();
  await event.getByRole("button", { name: "JSON", exact: true }).click();
  const stored = event.locator("pre");
  await expect(stored).not.toBeEmpty();
  const record = JSON.parse(await stored.innerText());
  assert.ok(record.fact.answer.partial.includes(seen), JSON.stringify(record));

  await page.getByRole("button", { name: "end", exact: true }).click();
  await expect.poll(() => figures(page)).toMatchObject({ calls: "2" });
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await untilStatus(page, "finished");
  // The writer once more and the reviewer; the searcher's answer was there.
  assert.equal(model.asked(), asked + 2);
  await expect.poll(() => figures(page)).toMatchObject({ calls: "4" });
  await expect.poll(async () => (await draft(page).innerText()).slice(0, seen.length)).toBe(seen);
  assert.deepEqual(complaints, []);
});

test("the end of what is written stays in view until the reader scrolls up, and a button leads back to it", async (t) => {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === WRITING, {
    isLong: true,
  });
  await addProfile(at, "slow", model.baseUrl);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url, {
    viewport: { width: 1280, height: 600 },
  });
  await launch(page, {
    topic: "retrieval-augmented generation",
    profile: "slow",
  });
  await untilStage(page, "ai_news_writer", "running");
  const well = draft(page).locator("xpath=..");
  const jump = page.getByRole("button", { name: "Jump to the latest text" });
  const below = () =>
    well.evaluate(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight));
  const drawn = () =>
    well.evaluate(({ textContent, scrollHeight, clientHeight }) => ({
      textContent,
      scrollHeight,
      clientHeight,
    }));
  /**
   * Lets words come until the page is so high, each when the last are drawn; not every piece is words. @param
   * {number} height
   */
  const grow = async (height) => {
    for (let last = await drawn(), pieces = 0; last.scrollHeight <= height; last = await drawn()) {
      assert.ok(pieces++ < 200, `the page does not become ${height} pixels high: ${JSON.stringify(last)}`);
      model.pass(1);
      await eventually("another word", async () => (await drawn()).textContent !== last.textContent, 1_000).catch(
        () => {},
      );
    }
  };
  await grow((await drawn()).clientHeight + 60);
  await eventually("the end in view", async () => (await below()) < 2);
  await expect(jump).toHaveCount(0);

  await well.hover();
  await page.mouse.wheel(0, -60);
  await jump.waitFor();
  const stood = await well.evaluate(({ scrollTop }) => scrollTop);
  await grow((await drawn()).scrollHeight + 20);
  assert.equal(await well.evaluate(({ scrollTop }) => scrollTop), stood, "the text moved under the reader");
  await jump.click();
  await eventually("the end in view", async () => (await below()) < 2);
  await jump.waitFor({ state: "detached" });
  await grow((await drawn()).scrollHeight + 20);
  await eventually("the end still in view", async () => (await below()) < 2);
  await expect(jump).toHaveCount(0);
});

test("of an answer that only the program reads it is told that it comes, not what it says", async (t) => {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === 1);
  await addProfile(at, "slow", model.baseUrl);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: "retrieval-augmented generation", profile: "slow" });
  // The boxes of the stages have room for it.
  await page.getByRole("button", { name: "Show the stages as boxes" }).click();
  const searcher = page.locator('[data-stage="ai_news_searcher"]');
  await searcher.getByText(/no output yet/).waitFor();
  await eventually("a word of the model", async () => {
    model.pass(1);
    return searcher.getByText(/last output/).isVisible();
  });
  assert.doesNotMatch(await searcher.innerText(), /[{}]/);
});

test("what takes longer than usual is waited for, made again, or left to another profile", async (t) => {
  const at = await place(t);
  // The writer's request, and what takes its place twice.
  const model = await gatedModel(at, (number) => number >= WRITING && number < WRITING + 3);
  await addProfile(at, "slow", model.baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await page.evaluate(() =>
    localStorage.setItem("galley.took", JSON.stringify([["news-1", [50, 50, 50, 50, 50, 50]]])),
  );
  await page.reload();
  await launch(page, { topic: "retrieval-augmented generation", profile: "slow" });
  const late = page.getByTestId("slow");
  await late.getByText(/^Writer: longer than usual/).waitFor();
  await picture("slow-note");
  await late.getByRole("button", { name: "Retry" }).click();
  await eventually("the request once more", () => model.asked() === WRITING + 1);

  // Where the details of the stage are, by keyboard.
  const chip = page.locator('[data-stage="ai_news_writer"] button');
  await late.waitFor();
  await chip.focus();
  await page.keyboard.press("Enter");
  const details = page.getByLabel("Writer", { exact: true });
  await details.getByRole("button", { name: "Retry" }).waitFor();
  await picture("slow-details");
  await details.getByRole("button", { name: "Another profile…" }).press("Enter");
  const form = page.getByRole("region", { name: /^Fork after event/ });
  await expect(form.getByRole("combobox", { name: "Profile" }).first()).toBeFocused();
  await picture("slow-profile");
  await untilStatus(page, "stopped");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await eventually("the request a third time", () => model.asked() === WRITING + 2);

  await late.getByRole("button", { name: "Keep waiting" }).click();
  await expect(late).toHaveCount(0);
  model.pass(1000);
  await untilStatus(page, "finished");
  assert.equal(model.asked(), WRITING + 3);
  assert.deepEqual(complaints, []);
});

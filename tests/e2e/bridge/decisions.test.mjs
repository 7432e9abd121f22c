// What a run leaves to the person: a text that was rejected, an answer that could not be used, a first profile, and
// where a fork begins.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import {
  draft,
  figures,
  fillProfile,
  launch,
  openEvent,
  openRun,
  openSettings,
  openTab,
  untilFinished,
  untilStage,
  untilStatus,
} from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { newsModel, refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";
const FALLBACK = "No recent AI news found on this topic.";

test("a text rejected twice is shown with the notes, in the list it waits for a look, and is used, rewritten or let go", async (t) => {
  const at = await place(t);
  await addProfile(at, "strict", await newsModel(at, ["--always-reject"]));
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, profile: "strict" });
  const rejected = page.getByTestId("rejected");
  await rejected.getByRole("heading", { name: "Draft 2 was not approved" }).waitFor();
  const run = await openRun(page);
  const { state } = await ask(bridge.url, "state_at", { run, seq: null });
  // The sentence is what the run came to; the page is the draft.
  assert.equal(state.final_post, FALLBACK);
  await rejected.getByText(FALLBACK).waitFor();
  await draft(page).getByText("[1]").first().waitFor();
  await expect(rejected).toContainText(state.review_feedback.review_notes.slice(0, 40));
  await expect(page.getByText(/^Uncited/)).toHaveCount(0);
  await untilStatus(page, "needs a look");
  await page.locator(`[data-run="${run}"]`).getByText("needs a look").waitFor();
  await picture("rejected");

  await rejected.getByRole("button", { name: "Rewrite" }).click();
  await expect.poll(() => openRun(page)).not.toBe(run);
  // Written and reviewed anew, from the last draft and the last review.
  await untilStatus(page, "needs a look");
  const again = await ask(bridge.url, "open_run", { run: await openRun(page) });
  assert.equal(again.card.session, (await ask(bridge.url, "open_run", { run })).card.session);
  // Nothing is searched again; of the two rounds each is written and reviewed.
  await expect.poll(() => figures(page)).toMatchObject({ calls: "4" });
  const rewritten = await openRun(page);
  await rejected.getByRole("button", { name: "Discard" }).click();
  await expect(rejected).toHaveCount(0);
  await untilStatus(page, "finished");
  assert.equal((await ask(bridge.url, "state_at", { run: rewritten, seq: null })).state.final_post, FALLBACK);

  await page.locator(`[data-run="${run}"]`).click();
  await rejected.getByRole("button", { name: "Use anyway" }).click();
  await expect(rejected).toHaveCount(0);
  await untilStatus(page, "finished");
  assert.equal(
    (await ask(bridge.url, "state_at", { run, seq: null })).state.final_post,
    state.draft_post.post_markdown,
  );
  assert.deepEqual(complaints, []);
});

test("where no place could be reached that is said once, with the library to be searched beside it", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, source: "open-news" });
  await untilFinished(page);
  const nothing = page.getByTestId("nothing-found");
  await nothing.getByText("No source could be reached.").waitFor();
  await nothing.getByText(/^No part of the open news could be reached/).waitFor();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await picture("nothing-reached");
  await nothing.getByRole("button", { name: "Search the library", exact: true }).click();
  await expect(nothing).toHaveCount(0);
  await untilFinished(page);
  await draft(page).getByText("[1]").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("a prompt of any length is read in the journal, and a long answer that could not be used is there to be corrected", async (t) => {
  const at = await place(t);
  const words = `This is no JSON. ${Array.from({ length: 700 }, (_, n) => `Word ${n}.`).join(" ")}`;
  const answer = {
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "news-1",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: words },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  };
  const provider = await refusingProvider(at, () => ({
    status: 200,
    body: JSON.stringify(answer),
  }));
  await addProfile(at, "chatty", provider.baseUrl);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, profile: "chatty" });
  await page.getByRole("button", { name: "Correct the answer" }).click();
  const answered = page.getByRole("textbox", {
    name: "Correct the answer by hand",
  });
  await expect.poll(async () => (await answered.inputValue()) === words).toBe(true);
  // The question waits for it, and is there again with its choices when the form is closed.
  const asking = page.getByRole("button", { name: "Correct the answer" });
  await expect(asking).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(answered).toHaveCount(0);
  await expect(asking).toBeFocused();
  await asking.press("Enter");
  await answered.waitFor();

  // The form lies over the panels.
  await page.keyboard.press("Escape");
  await openTab(page, "Journal");
  const raw = await openEvent(page, /asked news-1/);
  // As it is read, not as JSON writes it.
  await expect(raw.getByRole("region", { name: "Instruction" })).toContainText(/\w{3}/);
  await expect(raw.getByRole("region", { name: "Request" })).toContainText(TOPIC);
  await expect(raw).not.toContainText("\\n");
  await expect(raw).not.toContainText('"effect_asked"');
  await raw.getByRole("button", { name: "JSON", exact: true }).click();
  await raw.getByText('"effect_asked"').waitFor();
  await expect(raw).not.toContainText("$stored");
  const { entries } = await ask(bridge.url, "read_events", {
    run: await openRun(page),
    from_seq: 1,
    limit: 200,
  });
  assert.ok(JSON.stringify(entries).includes("$stored"), "nothing of this run is long enough to be kept apart");
});

test("the first profile that works is offered for new runs, and the form says at its button who will be asked", async (t) => {
  const at = await place(t);
  const baseUrl = await newsModel(at);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  const asks = page.getByTestId("asks");
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await asks.getByText("Works without a model").waitFor();

  await openSettings(page, "Profiles and keys");
  await page.getByRole("main").getByRole("button", { name: "Add a key" }).click();
  await fillProfile(page, { name: "work", baseUrl, from: "none" });
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
  await page.getByRole("button", { name: "Use for new runs" }).waitFor();
  // Until it is taken, the form has it one click away.
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await asks.getByRole("button", { name: "Use work" }).click();
  await asks.getByText("Uses news-1 through profile work.").waitFor();
  await openSettings(page, "Profiles and keys");
  await page.getByRole("button", { name: "Use for new runs: work" }).click();
  await page.getByText("New runs now use work.").waitFor();
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await asks.getByText("Uses news-1 through profile work.").waitFor();
  assert.deepEqual(complaints, []);
});

test("a fork of a finished run begins before its last agent, and does its work anew", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  const parent = await openRun(page);
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  await page.getByRole("button", { name: "Start the fork" }).click();
  await expect.poll(() => openRun(page)).not.toBe(parent);
  await untilStatus(page, "finished");
  await untilStage(page, "ai_news_reviewer", "done");
  const { card } = await ask(bridge.url, "open_run", {
    run: await openRun(page),
  });
  const { entries } = await ask(bridge.url, "read_events", {
    run: card.run,
    from_seq: card.origin.seq + 1,
    limit: 100,
  });
  assert.ok(
    entries.some(
      (/** @type {any} */ { event }) => event.author === "ai_news_reviewer" && event.fact.kind === "agent_started",
    ),
  );
});

test("the doctor does not call everything well while nothing is set up, and sends nobody to a terminal", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
  });
  const { page } = await openPage(at, bridge.url);
  await page.evaluate(() => localStorage.setItem("galley.opened", JSON.stringify({ screen: "doctor" })));
  await page.reload();
  const lead = page.locator("main .lead");
  await expect(lead).toContainText("No model is set up");
  await expect(lead).toContainText(/\d things? (is|are) not set up/);
  await expect(page.getByText("Everything works.")).toHaveCount(0);
  assert.doesNotMatch(await page.getByRole("main").innerText(), /`|galley (profile|config|library)/);
});

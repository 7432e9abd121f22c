// The review desk: issues beside the passage that they concern, decided by keys between review and rewrite; and the
// sentences that are the person's, through a rewrite that forgets them.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, openRun, openTab, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const VAGUE = "“The first work is told here” is vague";
const UNTITLED = "the post has no title";
const MINE = "I tried this at home myself.";

/**
 * A provider whose first review raises two issues; every text that it writes is a new one. @param
 * {import("../lib/place.mjs").Place} at
 */
async function reviewer(at) {
  let [posts, reviews] = [0, 0];
  return refusingProvider(at, (_key, _number, body) => {
    const { properties } = JSON.parse(body).response_format.json_schema.schema;
    const post = () =>
      [
        "The first work is told here: retrieval-augmented generation [1]. A second sentence on retrieval-augmented generation says more [1].",
        "All of this retrieval-augmented generation is new [1].",
        "Once more it is another text on retrieval-augmented generation [1].",
      ][posts++ % 3];
    const review = () =>
      reviews++ === 0
        ? {
            review_notes: "See the issues.",
            issues_found: [VAGUE, UNTITLED],
            ready: false,
          }
        : { review_notes: "Good.", issues_found: [], ready: true };
    /** @type {any} */
    let said = {
      articles: [{ number: 1, ai_relevance: "It is new.", confidence: "high" }],
      message: "",
    };
    if (properties.post_markdown) said = { post_markdown: post() };
    if (properties.review_notes) {
      const { ready, ...rest } = review();
      said = { ...rest, revised_post_markdown: "", ready_for_publish: ready };
    }
    const message = { role: "assistant", content: JSON.stringify(said) };
    const answer = {
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "news-1",
      choices: [{ index: 0, finish_reason: "stop", message }],
      usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
    };
    return { status: 200, body: JSON.stringify(answer) };
  });
}

test("issues are decided by keys beside their passages, and a sentence of the person outlives a rewrite and is merged", async (t) => {
  const at = await place(t);
  await addProfile(at, "desk", (await reviewer(at)).baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await page.getByRole("textbox", { name: "Topic" }).fill("retrieval-augmented generation");
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Profile").selectOption("desk");
  await page.getByLabel("Search in").selectOption("library");
  await page.getByLabel("As of").fill("2026-07-01");
  await page.getByLabel("Review issues").selectOption("true");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByTestId("question").getByText("Issues to decide: 2").waitFor();
  const run = await openRun(page);

  await openTab(page, "Review");
  const cards = page.locator(".issue");
  const vague = cards.filter({ hasText: "is vague" });
  const untitled = cards.filter({ hasText: "no title" });
  // From the card to the passage, and from the passage to the card.
  await vague.getByRole("button", { name: "Show the passage" }).click();
  await draft(page).locator('mark[data-mark="pointed"]').getByText("The first work is told here").waitFor();
  await draft(page).locator("mark[data-issue]").first().click();
  await expect(vague).toBeFocused();
  await cards.first().focus();
  await page.keyboard.press("j");
  await expect(cards.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(cards.first()).toBeFocused();
  await vague.focus();
  await page.keyboard.press("a");
  await vague.getByText("open · accepted").waitFor();
  await vague.focus();
  await page.keyboard.press("r");
  await page.keyboard.type("Name it.");
  await vague.getByRole("button", { name: "Save the reply" }).click();
  await untitled.focus();
  await page.keyboard.press("d");
  await untitled.getByText("dismissed by you").waitFor();
  await picture("issues");
  await page.getByRole("button", { name: "Go on" }).click();
  await untilStatus(page, "finished");
  await vague.getByText("resolved, by review 2").waitFor();
  const { entries } = await ask(bridge.url, "read_events", {
    run,
    from_seq: 1,
    limit: 500,
    is_whole: true,
  });
  const asked = entries
    .map((/** @type {any} */ { event }) => event.fact.effect?.request)
    .filter((/** @type {any} */ request) => request?.shape?.name === "draft_post");
  const rewrite = JSON.stringify(asked[1]);
  assert.ok(rewrite.includes("is vague") && rewrite.includes("Name it.") && !rewrite.includes(UNTITLED), rewrite);

  const text = (await ask(bridge.url, "state_at", { run, seq: null })).state.draft_post.post_markdown;
  await ask(bridge.url, "edit_state", {
    run,
    key: "draft_post",
    field: "post_markdown",
    value: `${text} ${MINE}`,
  });
  await draft(page).locator('mark[data-mark="locked"]').getByText(MINE).waitFor();
  await page.getByRole("region", { name: "Your sentences" }).getByRole("button", { name: "Locked" }).waitFor();
  await page.getByRole("button", { name: "Rewrite with these notes" }).click();
  await expect.poll(() => openRun(page)).not.toBe(run);
  await untilStatus(page, "finished");
  await draft(page).getByText(MINE).waitFor();
  await openTab(page, "Review");
  const merge = page.getByRole("region", { name: "Conflicts to merge" });
  await picture("merge");
  await merge.getByRole("button", { name: "Take the agent’s" }).click();
  await expect(merge).toHaveCount(0);
  await expect(draft(page).getByText(MINE)).toHaveCount(0);
  const linked = await openRun(page);
  await eventually(
    "the text without it",
    async () =>
      !(await ask(bridge.url, "state_at", { run: linked, seq: null })).state.draft_post.post_markdown.includes(MINE),
  );
  assert.deepEqual(complaints, []);
});

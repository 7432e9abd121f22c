// What the page says and offers when a run cannot simply go on: a provider that refuses, a limit that is reached.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, figures, keptIn, launch, strays, untilStage, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { newsModel, refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";

test("a refused run says so in the provider's words, offers what helps, and goes on when that is done", async (t) => {
  const at = await place(t);
  const words = "This key was withdrawn on Tuesday.";
  const refusing = await refusingProvider(at, () => ({
    status: 401,
    body: JSON.stringify({
      error: { message: words, code: "invalid_api_key" },
    }),
  }));
  await addProfile(at, "work", refusing.baseUrl, "GALLEY_E2E_KEY");
  const bridge = await startBridge(at, { GALLEY_E2E_KEY: "key-of-a-test" });
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, profile: "work" });
  await untilStatus(page, "needs you");
  await untilStage(page, "ai_news_searcher", "needs_you");
  const card = page.getByRole("region", {
    name: "Key of profile work was refused",
  });
  await card.getByText(words).first().waitFor();
  await expect(card).toContainText("profile work");
  await picture("refused");
  assert.deepEqual(await strays(page), []);
  // A refused key is not tried again.
  assert.equal(refusing.asked(), 1);

  await card.getByRole("button", { name: "Open profile work" }).click();
  await page.getByRole("heading", { name: "Profiles" }).waitFor();
  // Whoever comes for a refused key stands where it is given.
  await expect(page.getByLabel("Variable with the key")).toBeFocused();
  await page.getByLabel("Address of the server").fill(await newsModel(at));
  await keptIn(page).selectOption("none");
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByRole("listitem").filter({ hasText: "news-1" }).getByText("no key saved").waitFor();
  await page.locator("[data-run]").click();
  await card.getByRole("button", { name: "Try again" }).click();
  await untilStatus(page, "finished");
  await draft(page).getByText("[1]").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("a limit that is reached asks, and with one more call the run goes on to its end", async (t) => {
  const at = await place(t);
  await addProfile(at, "strict-reviewer", await newsModel(at, ["--reject-first"]));
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, {
    topic: TOPIC,
    profile: "strict-reviewer",
    limits: "strict",
  });
  await page.getByText("A limit was reached").waitFor();
  await untilStatus(page, "needs you");
  await untilStage(page, "ai_news_reviewer", "needs_you");
  await page.locator("[data-run]").getByText("needs you").waitFor();
  await draft(page).getByText("[1]").first().waitFor();
  await picture("limit");
  assert.deepEqual(await strays(page), []);

  await page.getByRole("button", { name: "Add 2 calls and go on" }).click();
  await untilStatus(page, "finished");
  await expect.poll(() => figures(page)).toMatchObject({ calls: "5" });
  await expect(page.getByTestId("question")).toHaveCount(0);
  assert.deepEqual(complaints, []);
});

// A run of a process that died: the page says so and goes on with it, without asking again for what was answered.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, startBridge } from "../lib/bridge.mjs";
import { draft, openTab, strays, untilStage, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile, begin, runOf } from "../lib/terminal.mjs";

test("a run whose process was killed is shown as interrupted and resumed from the page", async (t) => {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === 2);
  await addProfile(at, "slow", model.baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  const headless = begin(at, runOf("retrieval-augmented generation", "slow"));
  await page.locator("[data-run]").click();
  await untilStage(page, "ai_news_writer", "running");
  await eventually("the writer's request", () => model.asked() === 2);
  await headless.stop("SIGKILL");

  await untilStatus(page, "interrupted");
  await picture("interrupted");
  assert.deepEqual(await strays(page), []);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await untilStatus(page, "finished");
  await draft(page).getByText("[1]").first().waitFor();
  // The writer's unanswered request is made again, the searcher's is not.
  assert.equal(model.asked(), 4);
  // The times of the journal go on where the run was interrupted.
  await openTab(page, "Journal");
  await page.getByRole("list", { name: "Journal" }).getByText("Run finished").waitFor();
  const times = (await page.locator("[data-seq] .time").allTextContents()).map(Number.parseFloat);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  assert.deepEqual(complaints, []);
});

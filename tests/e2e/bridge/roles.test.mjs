// The page knows roles, not names: a pipeline that it never heard of fills every panel, and no file of it holds a
// name of the product's own pipelines.
// @ts-check
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, openTab, strays, untilStage, untilStatus } from "../lib/desk.mjs";
import { place, root } from "../lib/place.mjs";

test("a pipeline that the page never heard of fills all panels", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const { page, complaints, picture } = await openPage(at, bridge.url);
  /** @type {string[]} */
  const elsewhere = [];
  page.on("request", (request) => {
    if (new URL(request.url()).host !== new URL(bridge.url).host) elsewhere.push(request.url());
  });
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("radio", { name: /Unheard Of/ }).check();
  await page.getByLabel("Errand").fill("carry three lanterns to the harbour");
  await page.getByRole("button", { name: "Start", exact: true }).click();

  // It plans, gathers in two lanes, and asks.
  const question = page.getByTestId("question");
  await question.getByText("How is the manuscript to sound?").waitFor();
  await untilStage(page, "toll_keeper", "needs_you");
  await untilStage(page, "box_collector", "done");
  await untilStage(page, "bay_surveyor", "done");
  await expect(question).toContainText("four steps");

  // Until there is a text, the plan stands in its place.
  const plan = page.getByRole("region", { name: "Course" });
  await plan.getByText("revision 1 of 2").waitFor();
  await plan.getByText("The lanterns must stay dry.").waitFor();
  const steps = () =>
    plan.locator("[data-step]").evaluateAll((all) => all.map((step) => `${step.dataset.step} ${step.dataset.state}`));
  await expect.poll(steps).toEqual(["look done", "wrap running", "row planned", "light planned"]);
  await plan.getByRole("button", { name: "Compare with the previous plan" }).click();
  await expect(plan.getByRole("row", { name: /^swim/ })).toContainText(/removed[^]*Swim to the harbour/);
  await expect(plan.getByRole("row", { name: /^wrap/ })).toContainText(/new[^]*Wrap them in oilcloth/);

  // What waits can be changed, and a later stage finds it so.
  await plan.getByRole("button", { name: "Edit step row" }).click();
  await plan.getByLabel("What to do").fill("Sail to the harbour");
  await plan.getByRole("button", { name: "Save the step" }).click();
  await plan.getByText("Sail to the harbour").first().waitFor();
  await plan.getByRole("button", { name: "Skip step light" }).click();
  await plan.locator('[data-step="light"][data-state="skipped"]').waitFor();

  await question.getByRole("button", { name: /^Plain/ }).click();
  await untilStatus(page, "needs a look");
  for (const agent of ["old_navigator", "patient_scribe", "stern_assessor", "quiet_printer"])
    await untilStage(page, agent, "done");
  await openTab(page, "Plan");
  await plan.locator('[data-step="row"][data-state="done"]').getByText("Sail to the harbour").waitFor();

  await draft(page).getByRole("heading", { name: "Three lanterns" }).waitFor();
  await page.getByRole("note").getByText("printed without a proof-reader").waitFor();
  await openTab(page, "Review");
  await page.getByText("Ready to publish").last().waitFor();
  await page.getByText("“swim to the harbour” is no way to treat a lantern").first().waitFor();
  await openTab(page, "Checks");
  await page.getByText("2 of 2 checks passed").waitFor();
  await openTab(page, "Sources");
  await page.getByText("Rowing by night").waitFor();
  await openTab(page, "Rounds");
  const rounds = page.getByRole("region", { name: "Laps" });
  // The figures of a round and the words below them are one group of rows; the first group is the head of the table.
  const round = (/** @type {number} */ number) => rounds.getByRole("rowgroup").nth(number);
  await expect(round(1)).toContainText(/1 of 2[^]*0\.41[^]*rejected[^]*the next round follows/);
  await expect(round(2)).toContainText(
    /the best[^]*2 of 2[^]*0\.92[^]*accepted[^]*They are carried by boat\.[^]*the loop ended, Assessor asked for it/,
  );
  await rounds
    .getByRole("img", {
      name: /Scores from round to round; the best is round 2/,
    })
    .waitFor();
  await openTab(page, "Map");
  const map = page.getByRole("region", { name: "Waypoints" });
  await map.getByRole("img", { name: "Map of 3 places, north at the top" }).waitFor();
  await expect(map.locator("svg[role=img] .mark")).toHaveCount(3);
  await map.getByText("54.3829, 10.1543").waitFor();
  for (const tab of ["State", "Journal"]) await openTab(page, tab);
  assert.deepEqual(await strays(page), []);

  // A picture that the text names is not fetched, and a link says first where it leads.
  await expect(draft(page).locator("img")).toHaveCount(0);
  await draft(page).getByRole("link", { name: "the harbour" }).click();
  await page.getByRole("group", { name: "Leads to" }).getByText("https://example.org/harbour").waitFor();
  assert.equal(page.context().pages().length, 1);
  await picture("unknown-pipeline");

  // The text of any round is opened, compared with the one before, and taken into the draft.
  await openTab(page, "Rounds");
  await rounds.getByRole("button", { name: "Open the text of round 1" }).click();
  await draft(page).getByText("Three lanterns swim to the harbour.").waitFor();
  await rounds.getByRole("button", { name: "Compare the text of round 2" }).click();
  await page.getByRole("combobox", { name: "Later version" }).waitFor();
  await page.getByRole("region", { name: "Draft" }).getByRole("button", { name: "Read" }).click();
  await rounds.getByRole("button", { name: "Adopt the text of round 1" }).click();
  await page.getByText("The draft now has the text of round 1, as your edit.").waitFor();
  await openTab(page, "Journal");
  await page
    .getByRole("list", { name: "Journal" })
    .getByRole("button", {
      name: /Round 2 of Laps ended \(checks passed: 2 of 2, open issues: 0, words: \d+, the best so far\): the loop ended, Assessor asked for it/,
    })
    .waitFor();
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(complaints, []);
});

test("no file of the page holds the name of a pipeline, an agent or a key", async (t) => {
  const bridge = await startBridge(await place(t));
  const { pipelines } = await ask(bridge.url, "list_pipelines", {});
  /** @param {{ name: string, children: any[] }} outline @returns {string[]} */
  const agents = ({ name, children }) => [name, ...children.flatMap(agents)];
  /** @type {string[]} */
  const names = pipelines.flatMap((/** @type {any} */ pipeline) => [
    pipeline.id,
    ...agents(pipeline.outline),
    ...pipeline.keys.map((/** @type {any} */ key) => key.name),
  ]);
  assert.ok(names.length > 10, `only ${names.length} names are known`);
  // A key may be called as its role is, which the page knows.
  const roles = new Set(
    pipelines.flatMap((/** @type {any} */ { keys }) => keys.map((/** @type {any} */ key) => key.role.kind)),
  );
  // An agent or a key may be called as the kind of its tool is, which the form of a pipeline offers.
  for (const kind of ["title_search", "weather"]) roles.add(kind);
  const folder = join(root, "ui");
  const files = (await readdir(join(folder, "src"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = [];
  for (const file of [...files, join(folder, "index.html")]) {
    const text = await readFile(file, "utf8");
    // A name that is a word of the language may stand in a sentence; as a value in quotation marks it is the name, as a
    // field of a record it is not.
    const isName = (/** @type {string} */ name) =>
      /[_-]/.test(name) ? `(?<![\\w-])${name}(?![\\w-])` : `(["'\`])${name}\\1(?!\\s*:)`;
    for (const name of names.filter((name) => !roles.has(name)))
      if (new RegExp(isName(name)).test(text)) found.push(`${file.slice(folder.length)}: ${name}`);
  }
  assert.deepEqual(found, []);
});

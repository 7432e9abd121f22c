// What a run would cost is told before it begins, what it did cost beside it and with its profile; and a server of
// models that runs on this machine is offered, and only offered.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, moveTo, openRun, openSettings, strays, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { newsModel } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";
const PRICES = '[[price]]\nprovider = "openai-compatible"\nmodel = "*"\ninput = 2.0\noutput = 8.0\n';

test("calls, tokens and money are told from to before the start, and added up by stage and by month after it", async (t) => {
  const at = await place(t);
  await writeFile(join(at.folder, "prices.toml"), PRICES);
  await addProfile(at, "work", await newsModel(at));
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("textbox", { name: "Topic" }).fill(TOPIC);
  const estimate = page.getByTestId("estimate");
  await estimate.getByText("no model calls").waitFor();
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Profile").selectOption("work");
  await estimate.getByText(/^3 to 7 model calls · about \S+ to \S+ tokens · \$\S+ to \$\S+ · at most .+$/).waitFor();
  await picture("estimate");
  assert.deepEqual(await strays(page), []);

  await page.getByLabel("Search in").selectOption("library");
  await page.getByLabel("As of").fill("2026-07-01");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await untilFinished(page);
  await page.getByRole("button", { name: "What it cost" }).click();
  const ledger = page.getByRole("region", { name: "What it cost" });
  await ledger.getByRole("row", { name: /Total/ }).waitFor();
  await picture("ledger-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(300);
  await picture("ledger-dark");
  assert.deepEqual(await strays(page), []);
  const rows = (await ledger.getByRole("row").allInnerTexts()).map((row) => row.split("\t").map((cell) => cell.trim()));
  const { usage } = await ask(bridge.url, "open_run", {
    run: await openRun(page),
  });
  const number = (/** @type {string | undefined} */ cell) => Number((cell ?? "").replace(/[$,]/g, ""));
  const [, ...told] = rows;
  const together = told.pop() ?? [];
  assert.deepEqual(
    told.map(([stage]) => stage),
    ["Searcher", "Writer", "Reviewer"],
  );
  assert.deepEqual(together.slice(1, 4).map(number), [usage.calls, usage.input_tokens, usage.output_tokens]);
  for (const column of [2, 3, 4])
    assert.equal(
      told.reduce((sum, row) => sum + number(row[column]), 0),
      number(together[column - 1]),
    );
  assert.ok(Math.abs(number(together[4]) - usage.cost) < 0.0001);

  // A fork before the last stage asks again what that stage asked.
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  const [reviewer] = told.slice(-1);
  const again = page.getByTestId("asked-again");
  await again.getByText(/^asks models about once; .+ · 2 stages reused – \$0\.00$/).waitFor();
  const tokens = (number(reviewer?.[3]) + number(reviewer?.[4])).toLocaleString("en");
  assert.match(await again.innerText(), new RegExp(`used ${tokens} tokens and \\${reviewer?.[5]} `));
  await picture("fork-estimate");
  await page
    .getByRole("region", { name: /^Fork after event/ })
    .getByRole("combobox", { name: "Profile" })
    .first()
    .selectOption("built-in");
  await again.getByText(/^asks no model · 2 stages reused/).waitFor();
  await page.keyboard.press("Escape");

  await openSettings(page, "Profiles and keys");
  const profile = page.getByRole("listitem").filter({ hasText: "news-1" });
  await profile.getByRole("button", { name: /this month 3 calls, \$/ }).click();
  await profile.getByRole("row", { name: /news-1/ }).waitFor();
  await picture("spending-light");
  await profile.getByRole("button", { name: "Remove the profile work" }).click();
  await profile.getByText("Remove work?").waitFor();
  await profile.getByRole("button", { name: "Keep" }).click();
  assert.deepEqual(await strays(page), []);
  assert.deepEqual(complaints, []);
});

test("an Ollama on this machine is named on the first screen, and one click makes it a profile that is tested", async (t) => {
  const at = await place(t);
  const ollama = await newsModel(at, ["--dialect", "ollama"]);
  const bridge = await startBridge(at, { OLLAMA_HOST: new URL(ollama).host });
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await page.getByText(/Ollama with \d+ models?/).waitFor();
  await picture("found-light");
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("button", { name: /^Use Ollama/ }).waitFor();
  assert.equal((await ask(bridge.url, "list_profiles", {})).profiles.length, 1);
  await page.getByRole("button", { name: /^Use Ollama/ }).click();
  await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
  await picture("found-added-light");
  assert.deepEqual(await strays(page), []);
  await page.getByRole("button", { name: "1 Provider" }).click();
  await expect(page.getByRole("button", { name: /^Use Ollama/ })).toHaveCount(0);
  await launch(page, { topic: TOPIC, profile: "ollama" });
  await untilFinished(page);
  assert.deepEqual(complaints, []);
});

test("a figure is amber and names its limit from four fifths of it on, and not before", async (t) => {
  const at = await place(t);
  await addProfile(at, "strict", await newsModel(at, ["--reject-first"]));
  const bridge = await startBridge(at);
  const { pipelines } = await ask(bridge.url, "list_pipelines", {});
  const pipeline = pipelines.find((/** @type {any} */ { slots }) => slots.length > 0);
  const request = {
    pipeline: pipeline.id,
    inputs: { [pipeline.inputs[0].key]: TOPIC },
    profile: "strict",
    tools: { search: "library" },
    as_of: "2026-07-01",
    session: null,
    agents: {},
    limits: { max_llm_calls: 5 },
    allow: [],
  };
  const { run } = await ask(bridge.url, "start_run", request);
  const { page } = await openPage(at, bridge.url);
  await page.locator(`[data-run="${run}"]`).click();
  await untilFinished(page);
  const { card } = await ask(bridge.url, "open_run", { run });
  const calls = page.locator('[data-figure="calls"]');
  const amber = await page.evaluate(() => {
    const probe = document.body.appendChild(
      Object.assign(document.createElement("i"), {
        style: "color: var(--amber)",
      }),
    );
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  /** @type {Record<string, boolean>} */
  const seen = {};
  for (let seq = 1; seq <= card.last_seq; seq++) {
    await moveTo(page, seq);
    const amount = await calls.locator("dd").first().innerText();
    const isAmber = await calls.evaluate((figure, color) => getComputedStyle(figure).color === color, amber);
    // Not by colour alone: the limit stands beside the figure as soon as it is near.
    assert.equal((await calls.innerText()).replace(/\s+/g, "").includes("/5"), isAmber, amount);
    assert.equal(seen[amount] ?? isAmber, isAmber, `${amount} calls are amber at one moment and not at another`);
    seen[amount] = isAmber;
  }
  assert.deepEqual(seen, {
    0: false,
    1: false,
    2: false,
    3: false,
    4: true,
    5: true,
  });
});

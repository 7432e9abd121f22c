// Pictures of every screen for a person to look at: empty and full, light and dark, in two languages, at two sizes. Words
// in PICTURES choose among them: `PICTURES="dark 900" npm run pictures` takes those whose name has both. Nothing is judged.
// @ts-check
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, openPage, startBridge } from "./lib/bridge.mjs";
import { pictures, place } from "./lib/place.mjs";
import { eventually } from "./lib/processes.mjs";
import { newsModel } from "./lib/provider.mjs";
import { SCREENS } from "./lib/screens.mjs";

const wanted = (process.env.PICTURES ?? "").split(/\s+/).filter((word) => word !== "");
const isWanted = (/** @type {string} */ name) => wanted.every((word) => name.includes(word));
const SIZES = [[1600, 1000], [900, 600]];

for (const fill of /** @type {const} */ (["full", "empty"])) {
  test(`pictures of a desk that is ${fill}`, async (t) => {
    const names = ["light", "dark"].flatMap((scheme) => ["en", "ja"].flatMap((language) => SIZES.map(([width = 0, height = 0]) => ({ scheme, language, width, height }))));
    const at = await place(t);
    const bridge = await startBridge(at, {}, "unheard");
    const runs = fill === "full" ? await fillDesk(at, bridge.url) : null;
    await mkdir(pictures, { recursive: true });
    for (const { scheme, language, width, height } of names) {
      const made = Object.entries(SCREENS).map(([screen, go]) => ({ go, name: `${fill}-${screen}-${scheme}-${language}-${width}` }));
      if (!made.some(({ name }) => isWanted(name))) continue;
      const { page } = await openPage(at, bridge.url, { colorScheme: scheme === "dark" ? "dark" : "light", viewport: { width, height } });
      await page.evaluate((chosen) => localStorage.setItem("galley.language", chosen), language);
      for (const { go, name } of made) {
        if (!isWanted(name) || !(await go(page, runs))) continue;
        await page.waitForTimeout(350);
        await page.screenshot({ path: join(pictures, `${name}.png`) });
      }
    }
  });
}

/**
 * Runs of every kind, by what they show.
 * @param {import("./lib/place.mjs").Place} at @param {string} url
 */
async function fillDesk(at, url) {
  const model = { provider: "openai-compatible", models: { default: "news-1" }, key_env: "" };
  await ask(url, "add_profile", { ...model, name: "strict", base_url: await newsModel(at, ["--reject-first"]) });
  await ask(url, "add_profile", { ...model, name: "away", base_url: "http://127.0.0.1:9/v1" });
  const { pipelines } = await ask(url, "list_pipelines", {});
  const known = pipelines.find((/** @type {any} */ { sources }) => sources.length > 0);
  const start = async (/** @type {any} */ pipeline, /** @type {string} */ words, /** @type {string} */ profile, limits = {}) => {
    const request = { pipeline: pipeline.id, inputs: { [pipeline.inputs[0].key]: words }, profile, source: pipeline.sources.length > 0 ? "library" : null, as_of: "2026-07-01", session: null, instructions: {}, models: {}, limits, allow: [] };
    return (await ask(url, "start_run", request)).run;
  };
  const until = (/** @type {string} */ run, /** @type {string} */ status) =>
    eventually(`${run} ${status}`, async () => (await ask(url, "open_run", { run })).card.status === status);
  const unheard = pipelines.find((/** @type {any} */ { sources }) => sources.length === 0);
  const runs = {
    plain: await start(known, "retrieval-augmented generation", "built-in"),
    reviewed: await start(known, "agents that use tools", "strict"),
    failed: await start(known, "speech recognition", "away"),
    waiting: await start(unheard, "carry three lanterns to the harbour", "built-in"),
    unheard: await start(unheard, "carry the lamp oil after them", "built-in"),
    japanese: await start(known, "検索拡張生成の評価", "built-in"),
  };
  for (const run of [runs.plain, runs.reviewed, runs.japanese]) await until(run, "finished");
  await until(runs.failed, "failed");
  await until(runs.waiting, "waiting");
  await until(runs.unheard, "waiting");
  await ask(url, "answer_run", { run: runs.unheard, value: "plain" });
  await until(runs.unheard, "finished");
  const { card } = await ask(url, "open_run", { run: runs.reviewed });
  await ask(url, "fork_run", { run: runs.reviewed, at: Math.floor(card.last_seq / 2), set: {}, instructions: {}, models: {}, limits: {}, profile: null, allow: [] });
  return runs;
}

// How fast a run of 100 000 events opens and scrubs, how fluid streaming is, and what the page holds: one line of
// JSON for each figure beside its target. Nothing is judged, for the figures are those of the machine; an idle page's
// frames are measured in the same run, so that they can be told from the program's. `SPEED_EVENTS` is the length.
// @ts-check
import { test } from "node:test";
import { ask, openPage, startBridge } from "./lib/bridge.mjs";
import { launch, untilStage, untilStatus } from "./lib/desk.mjs";
import { heap, scrub, watchFrames } from "./lib/frames.mjs";
import { makePattern, writeLong } from "./lib/long-runs.mjs";
import { binary, place } from "./lib/place.mjs";
import { delay, start } from "./lib/processes.mjs";
import { pouringModel } from "./lib/provider.mjs";
import { addProfile } from "./lib/terminal.mjs";

const EVENTS = Number(process.env.SPEED_EVENTS ?? 100_000);
const [SCRUB_MS, STREAM_MS, IDLE_MS] = [5_000, 5_000, 2_000];
const NO_DROPS = "no gap above 20 ms";

/** @param {string} figure @param {object} found @param {string} target */
const say = (figure, found, target) => console.log(JSON.stringify({ figure, ...found, target }));

/** @param {number[]} times */
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

/**
 * Clicks a run in the list and waits until it is drawn: stages, text, and the journal's last row or the state's text.
 * @param {import("playwright/test").Page} page
 * @param {string} run
 * @param {number} last
 * @returns {Promise<number>} milliseconds
 */
const open = (page, run, last) =>
  page.evaluate(
    ([id, end]) =>
      new Promise((done) => {
        const begin = performance.now();
        /** @type {HTMLElement} */ (document.querySelector(`[data-run="${id}"]`)).click();
        const look = () => {
          const slider = /** @type {HTMLInputElement | null} */ (document.querySelector(".time input[type=range]"));
          const isAtEnd =
            slider?.max === String(end) && document.querySelector("[data-stage][data-state=done]") !== null;
          const hasText = (document.querySelector(".page-sheet")?.textContent?.length ?? 0) > 100;
          const row = document.querySelector(`[data-seq="${end}"][data-kind]`);
          const state = document.querySelector("[data-testid=state]")?.textContent ?? "";
          if (isAtEnd && hasText && (row || state.length > 100)) done(performance.now() - begin);
          else requestAnimationFrame(look);
        };
        look();
      }),
    /** @type {const} */ ([run, last]),
  );

/**
 * A page that has drawn the list, and stands on the short run with this tab.
 * @param {import("./lib/place.mjs").Place} at
 * @param {string} url
 * @param {string} tab
 * @param {string} run
 */
async function stand(at, url, tab, run) {
  const { page } = await openPage(at, url);
  await page.evaluate((name) => localStorage.setItem("galley.tab", name), tab);
  await page.reload();
  await page.locator(`[data-run="${run}"]`).waitFor();
  return page;
}

test("the window is started until its page has the runs", { timeout: 120_000 }, async (t) => {
  const at = await place(t);
  await makePattern(at);
  const found = [];
  for (let round = 0; round < 5; round++) {
    const begin = performance.now();
    const window = start(binary("galley-desktop"), [], {
      env: { ...at.env, RUST_LOG: "galley_desktop=debug", GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" },
    });
    at.atEnd(() => window.stop());
    // What the page asks for first is what it draws first; its frame comes after that.
    while (window.isRunning() && !/was answered.*list_runs|list_runs.*was answered/.test(window.output()))
      await delay(5);
    if (!window.isRunning()) throw new Error(window.output());
    found.push(performance.now() - begin);
    await window.stop();
  }
  const [first = 0] = found;
  say(
    "start of the window",
    { first_ms: Math.round(first), median_ms: Math.round(median(found)), best_ms: Math.round(Math.min(...found)) },
    "under 2 000 ms, of a release build",
  );
});

test("a long run is opened and scrubbed", { timeout: 600_000 }, async (t) => {
  const at = await place(t);
  await makePattern(at);
  const run = await writeLong(at, EVENTS);
  const tenth = await writeLong(at, EVENTS / 10);
  const once = await startBridge(at);
  const last = Number((await ask(once.url, "view_at", { run, seq: null })).seq);
  const lastOfTenth = Number((await ask(once.url, "view_at", { run: tenth, seq: null })).seq);
  await once.stop();

  for (const tab of ["journal", "state"]) {
    const cold = [];
    for (let round = 0; round < 3; round++) {
      const bridge = await startBridge(at);
      const page = await stand(at, bridge.url, tab, run);
      cold.push(await open(page, run, last));
      await page.context().close();
      await bridge.stop();
    }
    const bridge = await startBridge(at);
    const page = await stand(at, bridge.url, tab, run);
    const warm = [];
    for (let round = 0; round < 10; round++) {
      await open(page, tenth, lastOfTenth);
      warm.push(await open(page, run, last));
    }
    const [best, typical] = [Math.round(Math.min(...warm)), Math.round(median(warm))];
    say(
      `open ${last} events, ${tab}`,
      { cold_ms: Math.round(median(cold)), median_ms: typical, best_ms: best },
      "under 300 ms",
    );
    say(`idle, ${tab}`, await watchFrames(page, IDLE_MS), "the machine's own");
    say(`scrub for the first time, ${tab}`, await scrub(page, SCRUB_MS), NO_DROPS);
    say(`scrub again, ${tab}`, await scrub(page, SCRUB_MS), NO_DROPS);
    await page.getByLabel("Moment of the run").fill(String(last >> 1));
    await page.getByLabel("Moment of the run").focus();
    const frames = watchFrames(page, 3_000);
    for (let press = 0; press < 60; press++) await page.keyboard.press("ArrowRight");
    say(`60 arrow keys, ${tab}`, await frames, NO_DROPS);
    await page.context().close();
    await bridge.stop();
  }

  const bridge = await startBridge(at);
  const held = [];
  for (const [id, end] of /** @type {const} */ ([
    [tenth, lastOfTenth],
    [run, last],
  ])) {
    const page = await stand(at, bridge.url, "journal", id);
    await open(page, id, end);
    const before = await heap(page);
    for (let round = 0; round < 3; round++) await scrub(page, SCRUB_MS);
    await page.getByRole("button", { name: "end", exact: true }).click();
    held.push({ opened: before, scrubbed: await heap(page) });
    await page.context().close();
  }
  say(
    `heap after ${lastOfTenth} and ${last} events, MB`,
    { short: held[0], long: held[1] },
    "does not grow with the run beyond its window",
  );
});

test("500 tokens a second are watched", { timeout: 120_000 }, async (t) => {
  const at = await place(t);
  const model = await pouringModel(at, { second: 500, seconds: STREAM_MS / 1000 + 5 });
  await addProfile(at, "pouring", model);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  say("idle before streaming", await watchFrames(page, IDLE_MS), "the machine's own");
  await launch(page, { topic: "retrieval-augmented generation", profile: "pouring" });
  await untilStage(page, "ai_news_writer", "running");
  await page.getByText("Writer is writing").waitFor();
  const sheet = page.locator(".page-sheet");
  const before = (await sheet.innerText()).length;
  const frames = await watchFrames(page, STREAM_MS);
  const tokens = ((await sheet.innerText()).length - before) / " token".length;
  say(
    "streaming 500 tokens a second",
    { ...frames, tokens_a_second: Math.round(tokens / (STREAM_MS / 1000)), heap_mb: await heap(page) },
    NO_DROPS,
  );
  await page.getByRole("button", { name: "Stop" }).click();
  await untilStatus(page, "stopped");
});

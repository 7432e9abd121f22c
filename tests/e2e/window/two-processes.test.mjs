// The window and the terminal on one data folder: each sees what the other does, and neither takes a run from the
// other.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile, begin, galley, runOf } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { DRAFT, launch, openRun, STATUS, untilThere } from "../lib/window-desk.mjs";

const WRITING = 2;

test("a headless run appears in the window while it goes on, is watched there to its end, and stays the terminal's", async (t) => {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  const window = await openWindow(at);
  await launch(window, "speech recognition");
  await window.untilText(STATUS, "finished");

  const headless = begin(at, [...runOf("retrieval-augmented generation", "slow"), "--json"]);
  // By its title's attribute: the driver leaves out words of which the line is clamped.
  await window.untilText('[data-run][title="retrieval-augmented generation"]', "running");
  const { run } = JSON.parse(await eventually("a first line", () => headless.firstLine())).fact;
  await openRun(window, run);
  await untilThere(window, '[data-stage="ai_news_writer"][data-state="running"]');
  await untilThere(window, '[data-stage="ai_news_searcher"][data-state="done"]');

  assert.match(await window.text(STATUS), /running/);
  assert.ok(headless.isRunning());
  await window.picture("window-headless-run");

  model.pass(10_000);
  await window.untilText(STATUS, "finished");
  await window.untilText(DRAFT, "[1]");
  await eventually("an end of the terminal's run", () => !headless.isRunning());
  assert.equal(headless.exitCode(), 0, headless.output());
  // Search, draft, review: nobody asked for any of them a second time.
  assert.equal(model.asked(), 3);
  const told = headless
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const events = told.filter(({ type }) => type === "event").map(({ seq }) => seq);
  assert.deepEqual(
    events,
    events.map((_, index) => index + 1),
  );
  await window.untilText('section[aria-label="Time"]', `event ${events.length} of ${events.length}`);
  assert.equal(
    (await galley(at, ["runs"]))
      .trim()
      .split("\n")
      .filter((line) => line.includes("finished")).length,
    2,
  );
});

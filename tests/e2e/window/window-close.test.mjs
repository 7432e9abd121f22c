// Closing the window while a run goes on: what becomes of both is the person's choice.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { binary, place } from "../lib/place.mjs";
import { eventually, start } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, close, hide, launch, press, STATUS, untilBack, untilThere } from "../lib/window-desk.mjs";

const WRITING = 2;
const ASKED = '[role="alertdialog"]';
const CLOSE_COMMAND = '//*[@role="option"][contains(., "Close the window")]';

/** @typedef {import("../lib/window-desk.mjs").Window} Window */

/** @param {Window} window */
const untilEnded = (window) =>
  eventually("an end of the program", () =>
    window.title().then(
      () => false,
      () => true,
    ),
  );

/** A window with a run that waits for its model. @param {import("node:test").TestContext} t */
async function busyWindow(t) {
  const at = await place(t);
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  const window = await openWindow(at);
  await launch(window, "speech recognition", "slow");
  await untilThere(window, '[data-stage="ai_news_writer"][data-state="running"]');
  await eventually("a request for the draft", () => model.asked() === WRITING);
  return { at, model, window };
}

test("a window that is kept hides, comes back with a second start, and ends by itself when its run is done", async (t) => {
  const { at, model, window } = await busyWindow(t);
  await close(window);
  await window.untilText(ASKED, "A run is in progress");
  await window.picture("window-closing");
  await press(window, button("Cancel"));
  await eventually("a question that is gone", async () => (await window.count(ASKED)) === 0);
  assert.match(await window.text(STATUS), /running/);

  await hide(window);
  const second = start(binary("galley-desktop"), [], { env: at.env });
  at.atEnd(() => second.stop());
  await untilBack();

  await hide(window);
  model.pass(10_000);
  await untilEnded(window);
  assert.match(await galley(at, ["runs"]), /finished/);
});

test("a window whose runs are stopped ends, and what they had done is there and goes on when it is wanted", async (t) => {
  const { at, model, window } = await busyWindow(t);
  await close(window);
  await untilThere(window, button("Stop and save"));
  // The program may be gone before the driver has its answer.
  await window.click(button("Stop and save")).catch(() => {});
  await untilEnded(window);
  assert.match(await galley(at, ["runs"]), /cancelled|stopped/);
  model.pass(10_000);
  await galley(at, ["resume", "last"]);
  assert.match(await galley(at, ["runs"]), /finished/);
});

test("a window without a run closes at once", async (t) => {
  const at = await place(t);
  const window = await openWindow(at);
  // The page learns that it stands in a window, and so its keys, a moment after it is drawn: the palette has the
  // command then.
  await untilThere(window, "nav");
  await window.run(
    'document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }))',
  );
  await untilThere(window, CLOSE_COMMAND);
  await window.run(
    'document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))',
  );
  await eventually("a palette that is gone", async () => (await window.count(CLOSE_COMMAND)) === 0);
  // Once, and without a question: there is nothing to ask about.
  await close(window).catch(() => {});
  await untilEnded(window);
  assert.equal(await galley(at, ["runs"]).then((listed) => /running|interrupted/.test(listed)), false);
});

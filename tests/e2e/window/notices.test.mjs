// Notifications of the desktop: only for whoever wants them, only while they look elsewhere; a click leads to the run.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { binary, place } from "../lib/place.mjs";
import { eventually, start } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, hide, launch, press, STATUS, untilBack, untilThere } from "../lib/window-desk.mjs";

const WRITING = 2;

test("a hidden window notifies of the end of its run, and a click on that opens the run", async (t) => {
  const at = await place(t);
  const desktop = start(binary("notification-server"), [], { env: at.env });
  at.atEnd(() => desktop.stop());
  await eventually("a desktop with notifications", () => {
    if (!desktop.isRunning()) throw new Error(desktop.output());
    return desktop.firstLine();
  });
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  await galley(at, ["config", "set", "notifications", "on"]);
  const window = await openWindow(at);
  await launch(window, "speech recognition", "slow");
  await eventually("a request for the draft", () => model.asked() === WRITING);
  await press(window, button("Library"));
  await hide(window);

  model.pass(10_000);
  // The click of the desktop brings the window forward, on the run.
  await untilThere(window, STATUS);
  await window.untilText(STATUS, "finished");
  await untilBack();
  const told = desktop
    .output()
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
  assert.equal(told.length, 1);
  assert.equal(told[0].summary, "Run finished");
  assert.equal(told[0].body, "speech recognition");
});

// What the desktop around the window sees of the runs: the machine stays awake while one works, and the tray lists it.
// @ts-check
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { binary, place } from "../lib/place.mjs";
import { eventually, start } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, launch, press, STATUS } from "../lib/window-desk.mjs";

const WRITING = 2;

/** @param {import("../lib/place.mjs").Place} at */
async function desktop(at) {
  const session = start(binary("desktop-session"), [], { env: at.env });
  at.atEnd(() => session.stop());
  await eventually("a desktop", () => {
    if (!session.isRunning()) throw new Error(session.output());
    return session.firstLine();
  });
  /** @returns {any[]} */
  const lines = () =>
    session
      .output()
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line));
  return {
    /** What is in the menu of the tray now. @returns {string[]} */
    tray: () => lines().findLast(({ tray }) => tray)?.tray ?? [],
    held: () =>
      lines()
        .filter(({ held }) => held)
        .map(({ held }) => held),
    released: () =>
      lines()
        .filter(({ released }) => released)
        .map(({ released }) => released),
    /** @param {string} entry of the menu of the tray */
    click: (entry) =>
      promisify(execFile)("dbus-send", [
        ...["--session", "--print-reply", "--dest=org.kde.StatusNotifierWatcher"],
        ...["/person", "app.galley.TestPerson.Click", `string:${entry}`],
      ]),
  };
}

test("while a run works the machine is kept awake and the tray leads to the run; then neither", async (t) => {
  const at = await place(t);
  const around = await desktop(at);
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  // The login manager is played on the bus of the session.
  const window = await openWindow(at, {
    DBUS_SYSTEM_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS,
  });
  assert.deepEqual(around.held(), []);
  await launch(window, "speech recognition", "slow");
  await eventually("a request for the draft", () => model.asked() === WRITING);
  await eventually("what keeps the machine awake", () => around.held().length === 2);
  assert.deepEqual(around.held().sort(), ["idle", "sleep"]);
  const entry = "speech recognition · running";
  await eventually("the run in the tray", () => around.tray().includes(entry));
  await press(window, button("Library"));
  await eventually("the run left", async () => (await window.count(STATUS)) === 0);
  await around.click(entry);
  await window.untilText(STATUS, "running");

  model.pass(10_000);
  await window.untilText(STATUS, "finished");
  await eventually("a machine that may sleep", () => around.released().length === 2);
  await eventually("an empty tray", () => around.tray().length === 0);
});

test("with `keep_awake` off nothing keeps the machine awake while a run works", async (t) => {
  const at = await place(t);
  const around = await desktop(at);
  await galley(at, ["config", "set", "keep_awake", "false"]);
  const model = await gatedModel(at, (number) => number === WRITING);
  await addProfile(at, "slow", model.baseUrl);
  const window = await openWindow(at, {
    DBUS_SYSTEM_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS,
  });
  await launch(window, "speech recognition", "slow");
  await eventually("the run in the tray", () => around.tray().some((entry) => entry.startsWith("speech recognition")));
  model.pass(10_000);
  await window.untilText(STATUS, "finished");
  assert.deepEqual(around.held(), []);
});

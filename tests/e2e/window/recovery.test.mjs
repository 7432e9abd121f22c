// A database that cannot be read: the window begins with the ways to go on, and goes one of them to its end.
// @ts-check
import assert from "node:assert/strict";
import { copyFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { place } from "../lib/place.mjs";
import { galley, runOf } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, press, untilThere } from "../lib/window-desk.mjs";

const DATABASE = "galley.sqlite3";
const BACKUP = "galley-backup-1-2026-06-01.sqlite3";
const TOPIC = "retrieval-augmented generation";

/**
 * A data folder with a run, a copy of it as a backup, and a damaged database. @param
 * {import("node:test").TestContext} t
 */
async function damaged(t) {
  const at = await place(t);
  await galley(at, runOf(TOPIC, "built-in"));
  const database = join(at.folder, DATABASE);
  await copyFile(database, join(at.folder, BACKUP));
  // The copy of the week, which each run brings along.
  for (const name of await readdir(at.folder)) if (name.includes("-weekly-")) await rm(join(at.folder, name));
  const broken = "this was a database ".repeat(500);
  await writeFile(database, broken);
  await writeFile(`${database}-wal`, "and this its log");
  return {
    at,
    broken,
    kept: async () => (await readdir(at.folder)).filter((name) => name.startsWith("galley-damaged-")).sort(),
  };
}

test("a window on a damaged database names it and its backups, starts from one, and keeps what was damaged", async (t) => {
  const { at, broken, kept } = await damaged(t);
  const window = await openWindow(at);
  await window.untilText("h1", "The history cannot be read");
  await window.untilText("main", /is damaged/);
  const shown = await window.untilText("main", BACKUP);
  assert.match(shown, /\d [kM]B/);
  assert.ok(!shown.includes("galley recover"), "what a button does is not left to a person");
  assert.equal(await window.count("nav"), 0);
  await window.picture("window-recovery");

  // A backup that is damaged too moves nothing, and says so.
  const whole = await readFile(join(at.folder, BACKUP));
  await writeFile(join(at.folder, BACKUP), broken);
  await press(window, button("Start from this backup"));
  await window.untilText('[data-code="database_corrupt"]', BACKUP);
  assert.deepEqual(await kept(), []);
  await writeFile(join(at.folder, BACKUP), whole);

  await press(window, button("Start from this backup"));
  await window.untilText("h1", "Galley can be opened again");
  const file = (await kept()).find((name) => name.endsWith(".sqlite3")) ?? "";
  await window.untilText("main", file);
  assert.equal(await readFile(join(at.folder, file), "utf8"), broken);
  assert.equal(await readFile(join(at.folder, `${file}-wal`), "utf8"), "and this its log");
  await press(window, button("Open Galley"));
  await untilThere(window, `[data-run][title="${TOPIC}"]`);
  await window.close();
  assert.match(await galley(at, ["runs"]), new RegExp(TOPIC));
});

test("a damaged database without a backup is set aside for an empty history, and can be left as it is", async (t) => {
  const { at, broken, kept } = await damaged(t);
  await writeFile(join(at.folder, BACKUP), "");
  const first = await openWindow(at);
  await untilThere(first, button("Quit"));
  await first.click(button("Quit")).catch(() => {});
  await first.close();
  assert.equal(await readFile(join(at.folder, DATABASE), "utf8"), broken);

  const window = await openWindow(at);
  await press(window, button("Start empty"));
  await window.untilText("h1", "Galley can be opened again");
  await press(window, button("Open Galley"));
  await window.untilText("nav", "No runs yet");
  const names = await kept();
  for (const end of [".sqlite3", ".sqlite3-wal"])
    assert.ok(
      names.some((name) => name.endsWith(end)),
      names.join(", "),
    );
});

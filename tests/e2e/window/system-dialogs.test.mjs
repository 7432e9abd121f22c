// What leaves the window: files by the system's own dialog, copies to the system's clipboard, links to the system's
// browser. Each is looked for where it must have arrived, outside the program.
// @ts-check
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { galley, runOf } from "../lib/terminal.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, press, untilThere } from "../lib/window-desk.mjs";

const TOPIC = "retrieval-augmented generation";
const run = promisify(execFile);

/** The windows on the screen. */
const windows = async () =>
  (await run("xdotool", ["search", "--onlyvisible", "--name", "."])).stdout.trim().split("\n");

/**
 * Does what opens the system's dialog, types a path into it and confirms with Enter, or leaves it with Escape.
 * @param {() => Promise<unknown>} open
 * @param {string | null} path
 */
async function answerDialog(open, path) {
  const before = new Set(await windows());
  await open();
  const dialog = await eventually("the system's dialog", async () =>
    (await windows()).find((window) => !before.has(window)),
  );
  // Without a window manager nobody gives it the focus.
  await run("xdotool", ["windowfocus", "--sync", dialog]);
  if (path !== null)
    await run("xdotool", ["key", "--clearmodifiers", "ctrl+a"]).then(() =>
      run("xdotool", ["type", "--delay", "20", path]),
    );
  await run("xdotool", ["key", path === null ? "Escape" : "Return"]);
  await eventually("a dialog that is gone", async () => !(await windows()).includes(dialog));
}

/**
 * Saves by the system's dialog. Keys that come before the dialog listens are lost: then it is asked again.
 * @param {() => Promise<unknown>} open
 * @param {string} path
 */
async function saveAs(open, path) {
  for (let attempt = 1; ; attempt += 1) {
    await answerDialog(open, path);
    for (let wait = 0; wait < 50; wait += 1) {
      if (existsSync(path)) return;
      await setTimeout(100);
    }
    assert.ok(attempt < 3, `${path} is not there after ${attempt} dialogs`);
  }
}

/** Chooses what a run is exported as. @param {Awaited<ReturnType<typeof openWindow>>} window @param {string} title */
const chooseFormat = (window, title) =>
  window.run(`
    const formats = document.querySelector('section[aria-label="Export"] select');
    formats.value = [...formats.options].find(({ textContent }) => textContent === ${JSON.stringify(title)}).value;
    formats.dispatchEvent(new Event("change", { bubbles: true }));`);

test("exports of a run and of the settings are files where the person chose, whole, and a dialog that is left writes none", async (t) => {
  const at = await place(t);
  await galley(at, runOf(TOPIC, "built-in"));
  await galley(at, ["config", "set", "theme", "dark"]);
  const folder = join(at.home, "taken along");
  await mkdir(folder);
  const window = await openWindow(at);
  await press(window, "[data-run]");
  await press(window, '//button[@title="Export"]');
  const save = '//section[@aria-label="Export"]//button[starts-with(normalize-space(), "Save as")]';
  await untilThere(window, save);

  await answerDialog(() => press(window, save), null);
  assert.deepEqual(await readdir(folder), []);
  assert.equal(await window.count('//section[@aria-label="Export"]//*[@role="status"]/p'), 0);

  const markdown = join(folder, "post of mine.md");
  await saveAs(() => press(window, save), markdown);
  await window.untilText('section[aria-label="Export"] [role="status"] p', markdown);
  await window.picture("window-exported");
  assert.equal(await readFile(markdown, "utf8"), await galley(at, ["export", "last", "--format", "md"]));

  await chooseFormat(window, "JSON with all events");
  await window.untilText('[data-testid="export-contents"]', /\d+ events/);
  const json = join(folder, "run.json");
  await saveAs(() => press(window, save), json);
  await window.untilText('section[aria-label="Export"] [role="status"] p', json);
  assert.ok(JSON.parse(await readFile(json, "utf8")).events.length > 20);

  for (const [title, name, begin] of [
    ["PDF", "post.pdf", "%PDF-"],
    ["Word document", "post.docx", "PK"],
    ["Web page", "post.html", "<!doctype html>"],
    ["Run report", "run.report.html", "<!doctype html>"],
    ["Journal as CSV", "journal.csv", "seq,at,"],
    ["ADK session", "session.adk.json", "{"],
    ["Events as partial states", "run.events.json", "["],
  ]) {
    await chooseFormat(window, title);
    const ending = name.slice(name.indexOf(".")).replaceAll(".", "\\.");
    await window.untilText("section[aria-label='Export'] button.primary", new RegExp(`${ending}$`));
    if (title === "PDF") await window.picture("window-first-page");
    const file = join(folder, name);
    await saveAs(() => press(window, save), file);
    assert.equal((await readFile(file)).subarray(0, begin.length).toString(), begin);
  }

  await press(window, button("Settings"));
  await press(window, '//nav//button[normalize-space()="Data"]');
  const settings = join(folder, "settings.toml");
  const take = '//section[.//h2[normalize-space()="Export or import settings"]]//button[normalize-space()="Export"]';
  await untilThere(window, take);
  await saveAs(() => press(window, take), settings);
  assert.match(await readFile(settings, "utf8"), /^theme = "dark"$/m);
  assert.deepEqual((await readdir(folder)).sort(), [
    "journal.csv",
    "post of mine.md",
    "post.docx",
    "post.html",
    "post.pdf",
    "run.events.json",
    "run.json",
    "run.report.html",
    "session.adk.json",
    "settings.toml",
  ]);
  // Each is opened by somebody who reads such files.
  assert.ok((await run("pdftotext", [join(folder, "post.pdf"), "-"])).stdout.includes("Sources"));
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(join(folder, name), "utf8"));
  assert.ok((await read("session.adk.json")).events.length > 5);
  assert.ok((await read("run.events.json")).length > 5);
  const elsewhere = await place(t);
  assert.match(
    await galley(elsewhere, ["library", "import", join(folder, "post.docx"), join(folder, "post.html")]),
    /2 added/,
  );
  await galley(elsewhere, ["import", join(folder, "run.report.html")]);
  assert.equal(
    (await galley(elsewhere, ["export", "last", "--format", "csv"])).trim(),
    (await readFile(join(folder, "journal.csv"), "utf8")).trim(),
  );
});

test("what is copied is in the system's clipboard, and a link is given to the system's browser", async (t) => {
  const at = await place(t);
  await galley(at, runOf(TOPIC, "built-in"));
  // Whoever opens links on this system: it notes what it was asked for.
  const programs = join(at.home, "programs");
  const opened = join(at.home, "opened");
  await mkdir(programs);
  await writeFile(join(programs, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`);
  await chmod(join(programs, "xdg-open"), 0o755);
  const window = await openWindow(at, { PATH: `${programs}:${process.env.PATH}` });
  await press(window, "[data-run]");
  await press(window, '//button[@title="Export"]');
  const copy = (/** @type {string} */ form) =>
    `//section[@aria-label="Export"]//button[normalize-space()="Copy as ${form}"]`;
  // Read by another program, while the window owns the selection.
  const held = async (/** @type {string} */ type) =>
    (await run("xclip", ["-selection", "clipboard", "-out", "-target", type])).stdout;
  const exported = await galley(at, ["export", "last", "--format", "md"]);
  await untilThere(window, copy("rich text"));
  await press(window, copy("rich text"));
  await eventually("the rich text in the clipboard", async () =>
    /Sources<\/h2>/.test(await held("text/html").catch(() => "")),
  );
  assert.equal(await held("UTF8_STRING"), exported);
  await press(window, copy("Markdown"));
  await eventually("the Markdown in the clipboard", async () => !(await held("TARGETS")).includes("text/html"));
  assert.equal(await held("UTF8_STRING"), exported);

  // The form lies over the panels.
  await press(window, '//section[@aria-label="Export"]//button[@aria-label="Close"]');
  await press(window, '//*[@role="tab"][starts-with(normalize-space(), "Sources")]');
  // On what the button holds: of a button whose words are broken into lines the driver finds no middle.
  const link = '//*[@role="tabpanel"]//li//button[starts-with(normalize-space(), "http")]/span';
  await untilThere(window, link);
  const address = await window.run(`
    const link = [...document.querySelectorAll('[role="tabpanel"] li button')].find((button) => button.textContent.trim().startsWith("http"));
    link.scrollIntoView({ block: "center" });
    return link.textContent.trim();`);
  await press(window, link);
  await eventually("the address given to the system", async () => (await readFile(opened, "utf8")).trim() === address);
  // The window itself has gone nowhere.
  assert.equal(await window.title(), "Galley");
  assert.match(await window.run("return location.protocol"), /^tauri:/);
});

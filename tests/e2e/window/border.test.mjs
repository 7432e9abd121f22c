// The shell around the page: that it opens, whom it lets in, what it keeps. What the page does is tested elsewhere, so
// nothing here looks for an element of it.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { binary, place } from "../lib/place.mjs";
import { eventually, start } from "../lib/processes.mjs";
import { openWindow } from "../lib/window.mjs";

/** What a command answers, or what it was refused with. */
const INVOKE = `
  const [command, request] = arguments;
  return window.__TAURI_INTERNALS__.invoke(command, request).then(
    (answer) => ({ answer }),
    (error) => ({ error }),
  );`;

test("the page reaches the program, which answers an unknown request with a code and a sentence", async (t) => {
  const window = await openWindow(await place(t));
  assert.equal(await window.title(), "Galley");
  const { error } = await window.run(INVOKE, "rpc", { cmd: "no_such_command", payload: null });
  assert.equal(typeof error.code, "string");
  assert.match(error.message, /no_such_command/);
});

test("of Tauri's own commands the page may call none", async (t) => {
  const window = await openWindow(await place(t));
  for (const command of [
    "plugin:window-state|filename",
    "plugin:opener|open_url",
    "plugin:app|version",
    "plugin:dialog|open",
    "plugin:fs|read_file",
  ]) {
    const { error } = await window.run(INVOKE, command, { url: "https://example.org/" });
    assert.match(String(error), /not allowed/, command);
  }
});

test("the content policy refuses code from text and lets styles be set", async (t) => {
  const window = await openWindow(await place(t));
  const verdict = await window.run(`
    const refused = [];
    for (const make of [() => eval("1"), () => new Function("return 1")()]) {
      try { make(); } catch (error) { refused.push(error.name); }
    }
    const probe = document.body.appendChild(document.createElement("p"));
    probe.setAttribute("style", "width: 321px");
    const width = probe.getBoundingClientRect().width;
    probe.remove();
    return { refused, width };`);
  assert.deepEqual(verdict, { refused: ["EvalError", "EvalError"], width: 321 });
});

test("under a locale without a language the page still has one", async (t) => {
  for (const locale of [{ LANG: "C.UTF-8" }, { LANG: "C.UTF-8", LC_ALL: "C" }]) {
    const window = await openWindow(await place(t), locale);
    assert.match(await window.run("return navigator.language"), /^[a-z]{2}(-[A-Z]{2})?$/);
    assert.equal(await window.run("return new Intl.NumberFormat(navigator.language).format(1234.5)"), "1,234.5");
    await window.close();
  }
});

test("a dark desktop has a dark page", async (t) => {
  const isDark = "return matchMedia('(prefers-color-scheme: dark)').matches";
  const at = await place(t);
  const light = await openWindow(at);
  assert.equal(await light.run(isDark), false);
  await light.close();
  const dark = await openWindow(at, { GTK_THEME: "Adwaita:dark" });
  assert.equal(await dark.run(isDark), true);
});

test("the theme and the language of the settings' file are the page's, whatever the desktop has and the page remembers", async (t) => {
  const at = await place(t);
  await writeFile(join(at.folder, "settings.toml"), 'theme = "dark"\n');
  const window = await openWindow(at);
  const ground = "return getComputedStyle(document.documentElement).backgroundColor";
  assert.equal(await window.run(ground), "rgb(27, 29, 32)");
  await window.close();
  // What the page remembers gives way.
  await writeFile(join(at.folder, "settings.toml"), 'theme = "light"\nlanguage = "ja"\n');
  const light = await openWindow(at, { GTK_THEME: "Adwaita:dark" });
  assert.equal(await light.run(ground), "rgb(246, 243, 236)");
  await eventually(
    "a page in Japanese",
    async () => (await light.run("return document.documentElement.lang")) === "ja",
  );
});

test("a data folder that cannot be had is told in the window", async (t) => {
  const at = await place(t);
  const file = join(at.folder, "a-file");
  await writeFile(file, "");
  const folder = join(file, "galley");
  const window = await openWindow(at, { GALLEY_DATA_DIR: folder });
  const { error } = await window.run(INVOKE, "rpc", { cmd: "no_such_command", payload: null });
  assert.ok(error.message.includes(folder), error.message);
  await window.picture("data-folder-refused");
});

test("a second start on the same data folder ends at once and the first window stays", async (t) => {
  const at = await place(t);
  const window = await openWindow(at);
  const second = start(binary("galley-desktop"), ["--data-dir", join(at.folder, "..", "data")], { env: at.env });
  at.atEnd(() => second.stop());
  await eventually("ended", () => !second.isRunning());
  assert.equal(await window.title(), "Galley");
});

test("the window comes back in the size it was left in", async (t) => {
  const at = await place(t);
  const size = "return [innerWidth, innerHeight]";
  const first = await openWindow(at);
  await first.resize(1010, 640);
  await eventually("resized", async () => String(await first.run(size)) === "1010,640");
  await first.close();
  const second = await openWindow(at);
  await eventually("the size it had", async () => {
    assert.deepEqual(await second.run(size), [1010, 640]);
    return true;
  });
});

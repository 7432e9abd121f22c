// The window keeps a key to itself as the bridge does: here what the page holds and asks for, and what WebKit keeps.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../lib/place.mjs";
import { refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";
import { files, traceOf } from "../lib/traces.mjs";
import { openWindow } from "../lib/window.mjs";
import { launch, STATUS } from "../lib/window-desk.mjs";

const KEY = "sk-e2e-Wd5qF8kT2yB6nJ9xM3cR7vL4";
const VARIABLE = "GALLEY_E2E_KEY";

test("an echoed key is neither in the page, nor in what the program answers it, nor in a file", async (t) => {
  const at = await place(t);
  const provider = await refusingProvider(at, (key) => ({
    status: 401,
    body: JSON.stringify({ error: { message: `No such key: ${key}` } }),
  }));
  await addProfile(at, "work", provider.baseUrl, VARIABLE);
  const window = await openWindow(at, { [VARIABLE]: KEY });
  await launch(window, "retrieval-augmented generation", "work");
  await window.untilText(STATUS, "needs you");
  await window.untilText('[data-testid="question"]', "No such key: [key]");

  const held = await window.run(
    "return document.documentElement.outerHTML + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })",
  );
  assert.equal(traceOf(held, KEY), null);
  const answers = await window.run(`
    const ask = (cmd, payload) => window.__TAURI_INTERNALS__.invoke("rpc", { cmd, payload }).catch((error) => error);
    const run = document.querySelector("[data-run]").dataset.run;
    const all = await Promise.all([
      ask("list_profiles", {}), ask("doctor", {}), ask("list_runs", { search: null, limit: null }),
      ask("open_run", { run }), ask("read_events", { run, from_seq: 1, limit: 100 }), ask("export_run", { run, format: "json" }),
    ]);
    // The profile says afterwards how its trial went.
    all.push(await ask("test_profile", { name: "work" }));
    return all.map((answer) => JSON.stringify(answer));`);
  assert.equal(answers.filter((/** @type {string} */ answer) => answer.includes("[key]")).length, 3);
  for (const answer of answers) assert.equal(traceOf(answer, KEY), null, answer);

  await window.close();
  assert.equal(traceOf(window.output(), KEY), null);
  for (const [path, bytes] of await files(at.home)) assert.equal(traceOf(bytes, KEY), null, path);
});

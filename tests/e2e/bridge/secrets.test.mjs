// A key stays in the environment of the program, also when the provider echoes it in every way it can think of.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, openTab, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { refusingProvider } from "../lib/provider.mjs";
import { addProfile, begin, galley, runOf } from "../lib/terminal.mjs";
import { files, recorded, traceOf } from "../lib/traces.mjs";
import { eventually } from "../lib/processes.mjs";

const KEY = "sk-e2e-Qz7vX2mK9pL4tR8wB3nY6c/+Hd5";
const VARIABLE = "GALLEY_E2E_KEY";
const TOPIC = "retrieval-augmented generation";

/**
 * First twice what is tried again, then a refusal: each echoes the key in its own way.
 * @param {string} key
 * @param {number} number
 */
function echo(key, number) {
  assert.equal(key, KEY);
  const headers = { "www-authenticate": `Bearer ${key}`, "x-key": key };
  const inPieces = `${key.slice(0, 12)}***${key.slice(-8)}`;
  const inAddress = `https://provider.example/v1?key=${encodeURIComponent(key)}`;
  switch (number % 3) {
    case 1:
      return {
        status: 503,
        body: `<html><h1>Busy</h1>authorization: Bearer ${key}</html>`,
        headers: { ...headers, "retry-after": "0" },
      };
    case 2:
      return {
        status: 429,
        body: JSON.stringify({
          error: {
            message: `Too many requests with ${key}`,
            param: key,
            type: key,
          },
        }),
        headers: { ...headers, "retry-after": "0" },
      };
    default:
      return {
        status: 401,
        body: JSON.stringify({
          error: {
            message: `Incorrect API key provided: ${key} (${inPieces}, ${key.toUpperCase()}, ${Buffer.from(`user:${key}`).toString("base64")}, ${inAddress})`,
            code: "invalid_api_key",
            param: key,
          },
        }),
        headers,
      };
  }
}

/** @param {string} what @param {Buffer | string} text */
const mustBeClean = (what, text) => assert.equal(traceOf(text, KEY), null, what);

test("the search for traces finds each way of echoing", () => {
  for (const number of [1, 2, 3]) assert.ok(traceOf(echo(KEY, number).body, KEY));
  for (const form of [
    KEY.slice(3, 12),
    KEY.toUpperCase(),
    encodeURIComponent(KEY),
    Buffer.from(`a:${KEY}!`).toString("base64"),
  ]) {
    assert.ok(traceOf(`before ${form} after`, KEY), form);
  }
  assert.equal(traceOf("Incorrect API key provided: [key]", KEY), null);
});

test("an echoed key reaches neither the page nor a file nor the output", async (t) => {
  const at = await place(t);
  const provider = await refusingProvider(at, echo);
  await addProfile(at, "work", provider.baseUrl, VARIABLE);
  const bridge = await startBridge(at, { [VARIABLE]: KEY, RUST_LOG: "trace" });
  const between = await recorded(at, bridge.url);
  const { page, complaints } = await openPage(at, between.url);

  await launch(page, { topic: TOPIC, profile: "work" });
  await untilStatus(page, "needs you");
  assert.equal(provider.asked(), 3);
  mustBeClean("the question", await page.content());
  await page.getByTestId("question").getByRole("button", { name: "Stop" }).click();
  await untilStatus(page, "failed");
  const refused = page.getByRole("alert", { name: "The key was refused" });
  await refused.getByText("Incorrect API key provided: [key]").waitFor();
  mustBeClean("the error card", await page.content());
  for (const name of ["State", "Journal"]) {
    await openTab(page, name);
    mustBeClean(name, await page.content());
  }
  // Only the rows in sight are drawn, and an opened one pushes others out of it: those are passed over.
  const rows = page.getByRole("list", { name: "Journal" }).getByRole("button");
  await expect(async () => {
    let opened = 0;
    for (const row of await rows.elementHandles()) {
      const isThere = await row.click({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
      if (!isThere) continue;
      opened += 1;
      mustBeClean("a record", await page.content());
    }
    assert.ok(opened > 3, `${opened} records were opened`);
  }).toPass({ timeout: 60_000 });
  await page.getByRole("slider", { name: "Moment of the run" }).press("End");
  await refused.getByRole("button", { name: "Open the profiles" }).click();
  await page.getByRole("button", { name: "Test the profile work" }).click();
  await page.getByText("[key]").first().waitFor();
  mustBeClean("the settings", await page.content());

  const received = between.received();
  // What was recorded is really what the page was sent.
  assert.ok(received.includes("Incorrect API key provided: [key]") && received.includes("run_ended"));
  mustBeClean("what the page received", received);
  mustBeClean("what the page complained of", complaints.join("\n"));
  mustBeClean("the bridge's output", bridge.output());

  const exported = await galley(at, ["export", "last", "--format", "json"]);
  assert.match(exported, /\[key\]/);
  mustBeClean("the export", exported);
  const kept = await files(at.home);
  assert.ok([...kept.keys()].some((path) => path.endsWith("galley.sqlite3")));
  for (const [path, bytes] of kept) mustBeClean(path, bytes);
});

test("the terminal tells nothing of an echoed key either, not even where it logs everything", async (t) => {
  const at = await place(t);
  const provider = await refusingProvider(at, echo);
  await addProfile(at, "work", provider.baseUrl, VARIABLE);
  const run = begin(at, [...runOf(TOPIC, "work"), "--json"], {
    [VARIABLE]: KEY,
    RUST_LOG: "trace",
  });
  await eventually("ended", () => !run.isRunning());
  assert.equal(run.exitCode(), 1);
  assert.match(run.output(), /"code":"key_refused"/);
  mustBeClean("its output", run.output());
  for (const [path, bytes] of await files(at.home)) mustBeClean(path, bytes);
});

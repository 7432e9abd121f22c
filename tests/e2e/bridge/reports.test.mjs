// A run that leaves as a report: what it holds is listed before it is saved, and the page shows every moment by itself.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, openRun, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";

/**
 * Opens a file in a browser without a network; whoever is asked for something and whatever is complained of is noted.
 * @param {import("../lib/desk.mjs").Page} page
 * @param {string} path
 */
async function openOffline(page, path) {
  const context = await page
    .context()
    .browser()
    ?.newContext({ offline: true, viewport: { width: 1280, height: 900 } });
  assert.ok(context);
  const file = await context.newPage();
  const asked = /** @type {string[]} */ ([]);
  const told = /** @type {string[]} */ ([]);
  file.on("request", (request) => asked.push(request.url()));
  file.on("console", (message) => told.push(message.text()));
  file.on("pageerror", (error) => told.push(error.message));
  await file.goto(pathToFileURL(path).href);
  return { file, asked, told, close: () => context.close() };
}

test("a text is seen as its first page before it is saved as PDF, and its web page is read without the network", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: "agents that use tools" });
  await untilFinished(page);
  const run = await openRun(page);
  await page.locator("body").press("Control+Shift+E");
  await page.getByLabel("Format").selectOption({ label: "PDF" });
  const first = page.getByRole("img", { name: "The first page" });
  await expect
    .poll(() => first.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)))
    .toBeGreaterThan(800);
  await picture("first-page");

  const { content } = await ask(bridge.url, "export_run", {
    run,
    format: "html",
  });
  const path = join(at.folder, "post.html");
  await writeFile(path, content);
  const { file, asked, told, close } = await openOffline(page, path);
  await file.getByRole("heading", { name: "Sources" }).waitFor();
  assert.ok((await file.getByRole("link", { name: /^\[\d+\]$/ }).count()) > 0);
  assert.deepEqual([asked.length, told, complaints], [1, [], []]);
  await close();
});

test("a report is read without the network, moves to every moment, and holds nothing of what was left out", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: "<b>agents</b> that use tools" });
  await untilFinished(page);
  const run = await openRun(page);
  await page.locator("body").press("Control+Shift+E");
  await page.getByLabel("Format").selectOption({ label: "Run report" });
  const prompts = page.getByRole("checkbox", { name: /^Prompts \([1-9]/ });
  await prompts.check();
  await expect(page.getByTestId("exported")).toContainText("Left out of this report: prompts");
  await picture("report-dialog");

  const { content } = await ask(bridge.url, "export_run", {
    run,
    format: "report",
    left_out: ["prompts"],
  });
  const file = join(at.folder, "run.report.html");
  await writeFile(file, content);
  const { file: report, asked, told, close } = await openOffline(page, file);
  await report.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(await report.locator("h1 b").count(), 0);
  const names = () => report.locator("#state th").allTextContents();
  for (const seq of [2, 9, 14]) {
    await report.locator("#moment").fill(String(seq));
    const { state } = await ask(bridge.url, "state_at", { run, seq });
    await expect.poll(names).toEqual(Object.keys(state).sort());
    const values = async () => (await report.locator("#state td").allTextContents()).map((text) => JSON.parse(text));
    const keys = Object.keys(state).sort();
    await expect.poll(values).toEqual(keys.map((key) => state[key]));
  }
  assert.deepEqual([asked.length, told, complaints], [1, [], []]);
  await close();

  // Elsewhere it is a run like any other that says where it comes from.
  const there = await place(t);
  const other = await startBridge(there);
  const { page: list } = await openPage(there, other.url);
  assert.deepEqual(await ask(other.url, "import_run", { path: file }), {
    run,
    was_here: false,
    left_out: ["prompts"],
  });
  await expect(list.getByRole("list", { name: "Runs" }).getByText("imported", { exact: true })).toBeVisible();
});

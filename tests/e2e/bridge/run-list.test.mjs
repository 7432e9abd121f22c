// The list of runs by keyboard: one Tab stop, several runs selected and handled together, searches that follow the
// focus, and files that are dropped on the page.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, openRun, openTab, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";

const TOPIC = "retrieval-augmented generation";

/** The run whose row has the focus. @param {import("playwright/test").Page} page */
const focusedRun = (page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset["run"] : undefined,
  );

test("runs are selected by keys and tagged, thrown away and taken back together", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  for (const topic of [TOPIC, "speech recognition", "agents that use tools"]) {
    await launch(page, { topic });
    await untilFinished(page);
  }
  const rows = page.locator("[data-run]");
  const runs = await rows.evaluateAll((all) => all.map((row) => /** @type {HTMLElement} */ (row).dataset["run"]));
  assert.equal(await page.locator('[data-run][tabindex="0"]').count(), 1, "the list has one Tab stop");

  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focusedRun(page), runs[0]);
  await page.keyboard.press("End");
  assert.equal(await focusedRun(page), runs[2]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  const bar = page.getByRole("group", { name: "Selected runs" });
  await bar.getByText("2 runs selected").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Space");
  await bar.getByText("3 runs selected").waitFor();
  await expect(bar.getByRole("button", { name: "Compare runs" })).toHaveCount(0);

  await bar.getByRole("button", { name: "Tags…" }).click();
  await page.keyboard.type("harbour");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("checkbox", { name: "harbour" })).toBeChecked();
  await page.keyboard.press("Escape");
  const tagged = async () =>
    (await ask(bridge.url, "list_runs", { search: null, limit: null })).runs.filter((/** @type {any} */ { tags }) =>
      tags.includes("harbour"),
    );
  assert.equal((await tagged()).length, 3);

  await bar.getByRole("button", { name: "Export…" }).click();
  const save = page.getByRole("dialog").getByRole("button", { name: "Save 3 files" });
  const saved = page.waitForEvent("download");
  await save.click();
  await saved;
  await page.getByText("Saved: 3 of 3").waitFor();
  await page.keyboard.press("Escape");

  await bar.getByRole("button", { name: "Move to the trash" }).click();
  await page.getByText("3 runs are in the trash.").waitFor();
  await expect(rows).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveCount(3);
  assert.deepEqual(complaints, []);
});

test("the header is near for Tab, F6 goes from part to part, and the keys of a search search what has the focus", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  await page.reload();
  await untilFinished(page);
  const isIn = (/** @type {string} */ selector) =>
    page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await isIn("main header"));
  for (const part of [".stages", ".column", ".side", ".time", ".message", "nav"]) {
    await page.keyboard.press("F6");
    assert.ok(await isIn(part), part);
  }
  await page.keyboard.press("Control+f");
  await expect(page.getByLabel("Search runs")).toBeFocused();
  await page.keyboard.press("F6");
  await page.keyboard.press("Control+f");
  await expect(page.getByRole("search", { name: "Find in the draft" }).getByRole("textbox")).toBeFocused();
  await openTab(page, "State");
  await page.keyboard.press("Control+f");
  await expect(page.getByRole("searchbox", { name: "Filter" })).toBeFocused();
  await openTab(page, "Journal");
  await page.keyboard.press("Control+f");
  await expect(page.getByRole("tabpanel").getByRole("searchbox")).toBeFocused();

  // What no run asks is said, too, and Escape leads back.
  await page.keyboard.press("Control+i");
  await page.getByText("No run is waiting for you.").waitFor();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("needs-you")).toHaveCount(0);
  await expect(page.getByRole("tabpanel").getByRole("searchbox")).toBeFocused();
});

test("files that are dropped on the page wait until it is chosen what to do with them", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  const first = await openRun(page);
  const [notes, own] = [join(at.home, "notes.md"), join(at.home, "My own.toml")];
  await writeFile(notes, "# Lanterns of the quay\n\n2026-06-20\n\nThe harbour has new lanterns.\n");
  await writeFile(own, "id = 'half'\n");
  const drop = (/** @type {string[]} */ ...paths) =>
    page.evaluate(
      (uris) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/uri-list", uris);
        document.querySelector("main")?.dispatchEvent(
          new DragEvent("drop", {
            dataTransfer,
            bubbles: true,
            cancelable: true,
          }),
        );
      },
      paths.map((path) => `file://${encodeURI(path)}`).join("\r\n"),
    );
  const total = async () => (await ask(bridge.url, "list_library", { search: "lanterns", limit: 9 })).entries.length;
  const before = await total();
  const sheet = page.getByRole("dialog", {
    name: "What should happen with these files?",
  });

  await drop(notes, own);
  await expect(sheet.getByRole("button", { name: "Add My own.toml to your pipelines" })).toBeFocused();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  assert.equal(await openRun(page), first);
  assert.equal(await total(), before, "something was imported without a choice");

  await drop(notes, own);
  await sheet.getByRole("button", { name: "Add notes.md to the library" }).click();
  await page.getByText("1 new or changed").waitFor();
  // The other file still waits.
  await sheet.getByRole("button", { name: "Add My own.toml to your pipelines" }).press("Enter");
  await sheet.waitFor({ state: "detached" });
  await expect(page.locator(".cm-content")).toContainText("half");
});

// Pipelines of the person in the window: duplicated, broken, mended, saved and run, with the keyboard alone where
// that is how one works.
// @ts-check
import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { strays, untilStatus } from "../lib/desk.mjs";
import { place, root } from "../lib/place.mjs";

/** @typedef {import("playwright/test").Page} Page */

/** A place with the worked example among the person's pipelines. @param {import("node:test").TestContext} t */
async function withPressNote(t) {
  const at = await place(t);
  const folder = join(at.folder, "pipelines");
  await mkdir(folder, { recursive: true });
  await copyFile(join(root, "docs/pipelines/press-note.toml"), join(folder, "press-note.toml"));
  return { at, folder };
}

/** @param {Page} page @param {"done" | "failed"} state */
const untilChecked = (page, state) => page.locator(`[data-testid="check"][data-state="${state}"]`).waitFor();
/** @param {Page} page */
const untilSaved = (page) => expect(page.getByTestId("saved")).toHaveText("Saved");
/** Sets the cursor to the end of a line of the text. @param {Page} page @param {string} line */
async function toEnd(page, line) {
  await page.locator(".cm-line", { hasText: line }).click();
  await page.keyboard.press("End");
}
/** @param {Page} page @param {string} file */
const textOf = (page, file) => page.getByRole("textbox", { name: `Text of ${file}` });
/** @param {Page} page @param {"Form" | "Text" | "Picture"} name */
const turnTo = (page, name) => page.getByRole("tab", { name }).click();

test("a pipeline is duplicated, broken, told where, mended, saved and run", async (t) => {
  const { at, folder } = await withPressNote(t);
  const original = await readFile(join(folder, "press-note.toml"), "utf8");
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("radio", { name: /^Press note/ }).check();
  await page.getByRole("button", { name: "Duplicate and edit" }).click();

  const file = "press-note-2.toml";
  await page.getByRole("heading", { name: file }).waitFor();
  await untilChecked(page, "done");
  await expect(textOf(page, file)).toBeFocused();
  await turnTo(page, "Picture");
  const drawn = page.getByRole("region", { name: "Picture" });
  await expect(drawn.locator("[data-agent]")).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();

  // A line that is wrong is named, marked and led to; the picture stays what it was.
  await toEnd(page, 'role = "sources"');
  await page.keyboard.press("Backspace");
  await page.keyboard.type('x"');
  await untilChecked(page, "failed");
  const fault = page.getByRole("button", {
    name: /^Line 13, column 8 there is no role/,
  });
  await fault.waitFor();
  await expect(page.locator(".cm-lint-marker-error")).toHaveCount(1);
  await expect(page.locator(".cm-lintRange-error")).toHaveText('"sourcesx"');
  await drawn.getByText("This is the last text without faults.").waitFor();
  await expect(drawn.locator("[data-agent]")).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeDisabled();
  await picture("pipeline-fault");
  await page.keyboard.press("Control+Home");
  await fault.click();
  await expect(textOf(page, file)).toBeFocused();

  // The cursor stands before the fault: what is typed comes there.
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type('"');
  await untilChecked(page, "done");
  await expect(drawn.getByRole("note")).toHaveCount(0);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# Mine.\n");
  await expect(page.getByTestId("saved")).toHaveText("Not saved");
  await page.keyboard.press("Control+s");
  await untilSaved(page);
  const expected = original
    .replace('id = "press-note"', 'id = "press-note-2"')
    .replace('title = "Press note"', 'title = "Press note 2"');
  assert.equal(await readFile(join(folder, file), "utf8"), `# Mine.\n${expected}`);
  assert.equal(await readFile(join(folder, "press-note.toml"), "utf8"), original);

  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("radio", { name: /^Press note 2/ })).toBeChecked();
  await page.getByRole("textbox", { name: "Topic" }).fill("retrieval-augmented generation");
  await page.locator("summary", { hasText: "More" }).click();
  await page.getByLabel("Search in").selectOption("library");
  await page.getByLabel("As of").fill("2026-07-01");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await untilStatus(page, "finished");
  assert.deepEqual(complaints, []);
});

test("a text is not left with changes unasked, nor written over a file that changed meanwhile", async (t) => {
  const { at, folder } = await withPressNote(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("radio", { name: /^Press note/ }).check();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await untilChecked(page, "done");
  assert.deepEqual(await strays(page), []);
  await turnTo(page, "Text");
  assert.deepEqual(await strays(page), []);
  await textOf(page, "press-note.toml").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# Mine.\n");
  await page.keyboard.press("Control+n");
  const asked = page.getByRole("dialog", {
    name: "press-note.toml has unsaved changes",
  });
  await asked.getByRole("button", { name: "Stay" }).click();
  await asked.waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "press-note.toml" }).waitFor();

  // What a page that went away had not saved is there again.
  await page.reload();
  await page.getByText("These changes were not saved last time.").waitFor();
  await expect(textOf(page, "press-note.toml")).toContainText("# Mine.");

  const theirs = `# Theirs.\n${await readFile(join(folder, "press-note.toml"), "utf8")}`;
  await writeFile(join(folder, "press-note.toml"), theirs);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const told = page.getByRole("alert").filter({ hasText: "Another program changed or removed press-note.toml" });
  await told.waitFor();
  assert.equal(await readFile(join(folder, "press-note.toml"), "utf8"), theirs);
  await told.getByRole("button", { name: "Load the file, discard my text" }).click();
  await expect(textOf(page, "press-note.toml")).toContainText("# Theirs.");
  await untilSaved(page);

  // Another id is another file.
  await toEnd(page, 'id = "press-note"');
  await page.keyboard.press("Shift+Home");
  await page.keyboard.type('id = "evening"');
  await page.getByText("Saving renames the file to evening.toml.").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { name: "evening.toml" }).waitFor();
  assert.deepEqual(await readdir(folder), ["evening.toml"]);

  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("Delete");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Delete evening.toml" });
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "New run" }).waitFor();
  await expect(page.getByRole("radio", { name: /^Press note/ })).toHaveCount(0);
  assert.deepEqual(await readdir(folder), []);
  assert.deepEqual(complaints, []);
});

test("a new pipeline begins as one that can run, and a file that cannot is named with the way to mend it", async (t) => {
  const { at, folder } = await withPressNote(t);
  await writeFile(join(folder, "broken.toml"), 'id = "broken"\ntitle = \n');
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  // A key that is pressed before the page is drawn is heard by nobody.
  await page.getByRole("button", { name: "New run" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("New pipeline");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "my-pipeline.toml" }).waitFor();
  await untilChecked(page, "done");

  await page.getByRole("button", { name: "Doctor" }).click();
  const line = page.getByRole("listitem").filter({ hasText: "Pipeline broken" });
  await expect(line).toContainText("line 2");
  await line.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: /^Line 2,/ }).waitFor();
  await turnTo(page, "Picture");
  await page.getByText("The picture appears when the text has no faults.").waitFor();
  assert.deepEqual(complaints, []);
});

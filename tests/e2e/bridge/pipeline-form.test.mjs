// The form of a pipeline beside its text: each shows the other, what the form changes is the least of the text, and
// what it makes runs.
// @ts-check
import assert from "node:assert/strict";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { untilStatus } from "../lib/desk.mjs";
import { place, root } from "../lib/place.mjs";

test("a pipeline is edited by its form, its text changes where the form did, and it runs", async (t) => {
  const at = await place(t);
  const file = join(at.folder, "pipelines", "press-note.toml");
  await mkdir(join(at.folder, "pipelines"), { recursive: true });
  await copyFile(join(root, "docs/pipelines/press-note.toml"), file);
  const original = await readFile(file, "utf8");
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 1440, height: 900 },
  });
  const untilChecked = (/** @type {"done" | "failed"} */ state) =>
    page.locator(`[data-testid="check"][data-state="${state}"]`).waitFor();
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByRole("radio", { name: /^Press note/ }).check();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await untilChecked("done");
  const form = page.getByRole("form", { name: "Pipeline" });
  const text = page.getByRole("textbox", { name: "Text of press-note.toml" });
  const entry = (/** @type {RegExp} */ name) => form.getByRole("button", { name });

  // A field changes its text, and the cursor goes there; what is taken back in the text is taken back in the form.
  await form.getByRole("textbox", { name: "Purpose" }).fill('A "short" note.');
  await expect(text).toContainText(String.raw`purpose = "A \"short\" note."`);
  await expect(page.locator(".cm-activeLine")).toContainText("purpose");
  await form.getByRole("textbox", { name: "Purpose" }).press("Control+z");
  await expect(form.getByRole("textbox", { name: "Purpose" })).toHaveValue(
    "A short note with citations, checked before it is published.",
  );

  // The cursor leads to the form; a text that cannot be read leaves it as it was.
  await page.locator(".cm-line", { hasText: 'title = "Reviewer"' }).click();
  await expect(form.locator("li[data-current=true]")).toContainText("Reviewer");
  await page.keyboard.press("End");
  await page.keyboard.type(" x");
  await form.getByText(/^The text cannot be read from line \d+ on/).waitFor();
  await expect(form.getByRole("textbox", { name: "Purpose" })).toBeDisabled();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect(form.getByRole("textbox", { name: "Purpose" })).toBeEnabled();

  // What is wrong is told at its field.
  await entry(/^Writer writer Asks a model/).click();
  await form.getByRole("combobox", { name: "Add to Reads" }).selectOption("note");
  await form.getByRole("button", { name: "Remove hits from Reads" }).click();
  await untilChecked("failed");
  await expect(entry(/^Writer writer Asks a model .*fault/)).toBeVisible();
  await picture("pipeline-form-fault");
  await text.click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("saved")).toHaveText("Saved");

  // An agent is made, named and set into the flow with the keyboard.
  await form.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("menuitem", { name: "Asks a model" }).click();
  const name = form.getByRole("textbox", { name: "Name", exact: true }).last();
  await expect(name).toBeFocused();
  await page.keyboard.type("titler");
  await page.keyboard.press("Enter");
  await form.getByRole("textbox", { name: "Instruction" }).last().fill("You find a title.");
  await form.locator("summary", { hasText: "Checks, model and limits" }).last().click();
  await form.getByRole("textbox", { name: "Without a model" }).last().fill("summarise");
  await form.getByRole("button", { name: "Add key" }).click();
  await page.keyboard.type("headline");
  await page.keyboard.press("Enter");
  await form.getByRole("combobox", { name: "Add to Reads" }).last().selectOption("draft");
  await form.getByRole("combobox", { name: "Add to Writes" }).last().selectOption("headline");
  await form.getByRole("button", { name: "Add step: Steps", exact: true }).click();
  await page.getByRole("menuitem", { name: "New agent" }).click();
  await expect(form.getByRole("button", { name: "New agent titler" }).last()).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(form.getByRole("button", { name: "New agent titler" }).last()).toBeFocused();
  await form.getByRole("button", { name: /^Loop/ }).click();
  await form.getByRole("textbox", { name: "Max rounds" }).fill("3");
  await untilChecked("done");
  await picture("pipeline-form");
  await page.keyboard.press("Control+s");
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const expected = original
    .replace('role = "final"\n', 'role = "final"\n\n[key.headline]\ntitle = "New key"\nrole = "data"\n')
    .replace(
      "\n[flow]",
      '\n[agent.titler]\ntitle = "New agent"\nreads = ["draft"]\nwrites = ["headline"]\ninstruction = "You find a title."\nwithout_model = "summarise"\n\n[flow]',
    )
    .replace("rounds = 2 },\n", 'rounds = 3 },\n  "titler",\n');
  assert.equal(await readFile(file, "utf8"), expected);

  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("textbox", { name: "Topic" }).fill("retrieval-augmented generation");
  await page.locator("summary", { hasText: "More" }).click();
  await page.getByLabel("Search in").selectOption("library");
  await page.getByLabel("As of").fill("2026-07-01");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await untilStatus(page, "finished");
  assert.deepEqual(complaints, []);
});

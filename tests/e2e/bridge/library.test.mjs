// The library: what is imported, how far it is, what is stopped, and what was removed by mistake.
// @ts-check
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";

test("an import tells how far it is, keeps what it has read when it is stopped, and what was removed is put back and read", async (t) => {
  const at = await place(t);
  const folder = join(at.home, "papers");
  await mkdir(folder);
  // Pages of so many parts take a while to read: there is time to stop on a busy machine too.
  const files = 900;
  const parts = "<p>Words <b>of</b> it, <a href='/more'>and</a> more of them.</p>".repeat(300);
  for (let number = 0; number < files; number++) {
    await writeFile(
      join(folder, `${number}.html`),
      `<title>Paper ${number}</title><article><h1>Paper ${number}</h1><p>About lantern ${number}.</p>${parts}</article>`,
    );
  }
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  const total = async () => (await ask(bridge.url, "list_library", { search: "", limit: 1 })).total;
  const before = await total();

  await page.getByRole("button", { name: "Library", exact: true }).click();
  await page.getByLabel("Files or folders on this computer").fill(folder);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText(new RegExp(`\\d+ of ${files} files`)).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped. What was read is kept.").waitFor();
  await page.getByText(/(entry has|entries have) no date/).waitFor();
  const after = await total();
  assert.ok(after > before && after < before + files, `${before} entries became ${after}`);

  await page.getByLabel("Search the library").fill("lantern 0");
  const entries = page.locator(".entries li");
  await page.getByRole("button", { name: "Remove Paper 0" }).click();
  await eventually("an entry less", async () => (await total()) === after - 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually("the entry again", async () => (await total()) === after);
  await entries.first().getByRole("button", { name: "Paper 0", exact: true }).click();
  const read = page.getByRole("dialog", { name: "Paper 0" });
  await read.getByText("About lantern 0.").waitFor();
  await page.keyboard.press("Escape");
  await expect(entries.first().getByRole("button", { name: "Paper 0", exact: true })).toBeFocused();
});

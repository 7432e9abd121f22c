// A newer version as the page tells of it: never during a run, away when it was put off, never more than told. And the
// language, which the settings keep beside it.
// @ts-check
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, strays, untilStatus } from "../lib/desk.mjs";
import { listening, place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { gatedModel } from "../lib/provider.mjs";
import { SCREENS } from "../lib/screens.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";

const NOTES = "Faster <b>proofs</b>.\nFewer clicks.";
const PAGE = "https://galley.example/releases/98.0.0";

test("a newer version waits for the end of a run, shows where it can be had, and stays away when put off", async (t) => {
  const at = await place(t);
  let asked = 0;
  /** @type {unknown} */
  let feed = { stable: { version: "98.0.0", notes: NOTES, page: PAGE } };
  const server = createServer((_request, response) => {
    asked++;
    response.end(JSON.stringify(feed));
  });
  const port = await listening(at, server);
  await galley(at, ["config", "set", "updates.address", `http://127.0.0.1:${port}/releases.json`]);
  assert.equal(asked, 0, "the terminal asks nobody");
  const model = await gatedModel(at, () => true);
  await addProfile(at, "held", model.baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  const banner = page.getByRole("region", { name: "A newer version" });

  await banner.getByText("Galley 98.0.0 is available").waitFor();
  await launch(page, {
    topic: "retrieval-augmented generation",
    profile: "held",
  });
  await untilStatus(page, "running");
  await banner.waitFor({ state: "detached" });
  await page.reload();
  await untilStatus(page, "running");
  await expect(banner).toHaveCount(0);
  model.pass(100_000);
  await untilStatus(page, "finished");
  await banner.waitFor();

  await banner.getByText("What is new").click();
  await expect.poll(() => banner.locator("p").textContent(), "notes are plain text").toBe(NOTES);
  await banner.getByRole("button", { name: "See the release" }).click();
  await banner.getByText(PAGE).waitFor();
  await picture("update");
  await page.setViewportSize({ width: 900, height: 600 });
  assert.deepEqual(await strays(page), []);
  await banner.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "New versions" }).waitFor();

  const answer = (/** @type {string} */ command) =>
    page.waitForResponse((response) => (response.request().postData() ?? "").includes(command));
  const putOff = answer("dismiss_update");
  await banner.getByRole("button", { name: "Later" }).click();
  await banner.waitFor({ state: "detached" });
  await putOff;
  const checked = answer("check_update");
  await page.reload();
  await checked;
  await page.getByRole("heading", { name: "New versions" }).waitFor();
  await expect(banner).toHaveCount(0);
  assert.equal(asked, 1, "once a day");

  // Whoever asks is told, also of what was put off, and of what went wrong.
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByRole("status").getByText("Galley 98.0.0 is available").waitFor();
  feed = "no feed";
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("no feed of releases").waitFor();
  await page.getByLabel("Check for new versions").selectOption("off");
  await banner.waitFor({ state: "detached" });
  await eventually("the setting", async () =>
    (await readFile(join(at.folder, "settings.toml"), "utf8")).includes('check = "off"'),
  );
  assert.equal(asked, 3);
  // The last but one answer was a refusal, which the browser notes.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes("Failed to load resource")),
    [],
  );
});

test("the language of the settings is the page's, and one chosen in the page is the settings'", async (t) => {
  const at = await place(t);
  await galley(at, ["config", "set", "language", "ja"]);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  await page.locator("html[lang=ja]").waitFor();
  await SCREENS["settings-appearance"]?.(page, null);
  await page.getByLabel("言語").selectOption("en");
  await page.locator("html[lang=en]").waitFor();
  await eventually("the setting", async () => (await galley(at, ["config", "get", "language"])).trim() === "en");
  await page.reload();
  await page.locator("html[lang=en]").waitFor();
  assert.deepEqual(complaints, []);
});

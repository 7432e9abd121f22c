// The map of a visit over tiles of a file of this machine: they come over the border of commands and nothing comes
// from elsewhere.
// @ts-check
import assert from "node:assert/strict";
import { mkdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openSettings, strays } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { galley, VISIT } from "../lib/terminal.mjs";
import { writeTiles } from "../lib/tiles.mjs";

/**
 * Which colours a picture has, each with its number of pixels.
 * @param {import("playwright/test").Page} page
 * @param {Buffer} picture
 * @returns {Promise<Record<string, number>>}
 */
const coloursOf = (page, picture) =>
  page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const { data: pixels } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
    /** @type {Record<string, number>} */
    const found = {};
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = `${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`;
      found[colour] = (found[colour] ?? 0) + 1;
    }
    return found;
  }, picture.toString("base64"));

test("a visit stands on the tiles of the person's file, and list and map choose in each other", async (t) => {
  const at = await place(t);
  const [tiles, folder] = [join(at.home, "town.pmtiles"), join(at.home, "folder.pmtiles")];
  await writeTiles(tiles);
  await mkdir(folder);
  await galley(at, VISIT);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  let asked = 0;
  page.on("request", (request) => void (asked += request.postData()?.includes("read_map_tile") ? 1 : 0));
  const open = () => page.locator("[data-run]").click();

  // The run is opened on its map, which is drawn as long as there are no tiles.
  await open();
  await expect(page.getByRole("tab", { name: "Map" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("img", { name: /Map of 24 points/ })).toBeVisible();

  await openSettings(page, "Map");
  const field = page.getByLabel("Tiles (PMTiles file)");
  await field.fill(folder);
  await field.press("Enter");
  await page.getByText(`The tiles file ${folder} cannot be opened`).waitFor();
  await field.fill(tiles);
  await field.press("Enter");
  await expect(page.getByText("cannot be opened")).toHaveCount(0);
  await expect
    .poll(async () => (await ask(bridge.url, "get_setting", { key: "map.tiles", value: "" })).value)
    .toBe(tiles);

  complaints.length = 0;
  await open();
  const idle = page.locator('[data-map="idle"]');
  await idle.waitFor();
  assert.ok(asked > 0, "tiles were asked for");
  const map = page.locator("[data-map]");
  await expect(page.getByRole("region", { name: /Map of 24 points/ })).toBeVisible();
  await expect(map.locator("[data-mark]")).toHaveCount(24);
  await expect(map).toContainText("Invented map for tests");
  await expect(map.locator(".maplibregl-ctrl-scale")).toHaveText(/^\d+\skm$/);
  // The lake of the tiles and the way of the run, in the colours of the page.
  const light = await coloursOf(page, await map.screenshot());
  assert.ok((light["227,234,244"] ?? 0) > 100, `water: ${JSON.stringify(light).slice(0, 500)}`);
  assert.ok((light["34,86,156"] ?? 0) > 100, "the way");

  const rows = page.getByRole("list", { name: "Visits in order" }).locator("[data-visit]");
  const ids = await rows.evaluateAll((found) => found.map((row) => row.getAttribute("data-visit")));
  /** @param {number} index */
  const row = (index) => page.locator(`[data-visit="${ids[index]}"]`);
  await map.locator(`[data-mark="${ids[20]}"]`).click();
  await expect(row(20).getByRole("button", { expanded: true })).toBeVisible();
  await page.getByRole("button", { name: "Show in the list" }).click();
  await expect(row(20).locator("button").first()).toBeFocused();
  // The panel may have scrolled to the row: what counts is that the map shows the point.
  const isShown = async () => {
    const [pin, around] = [await map.locator(`[data-mark="${ids[0]}"]`).boundingBox(), await map.boundingBox()];
    const isIn = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size) =>
      at >= from && at <= from + size;
    return (
      pin !== null && around !== null && isIn(pin.x, around.x, around.width) && isIn(pin.y, around.y, around.height)
    );
  };
  for (let step = 0; step < 6; step++) await page.getByRole("button", { name: "Zoom in" }).click();
  await idle.waitFor();
  assert.equal(await isShown(), false);
  await row(0).locator("button").first().click();
  await expect(map.locator(".chosen")).toHaveAttribute("data-mark", ids[0] ?? "");
  await expect.poll(isShown).toBe(true);
  await page.getByRole("button", { name: "Show all points" }).click();
  await idle.waitFor();

  await page.setViewportSize({ width: 900, height: 600 });
  assert.deepEqual(await strays(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(async () => (await coloursOf(page, await map.screenshot()))["27,29,32"] ?? 0).toBeGreaterThan(1000);
  assert.deepEqual(complaints, []);

  // What was chosen is remembered.
  await page.getByRole("button", { name: "Drawn", exact: true }).click();
  await expect(page.getByRole("img", { name: /Map of 24 points/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Drawn", exact: true })).toHaveAttribute("aria-pressed", "true");

  // A file that was cut off meanwhile is told, and the points stay.
  await truncate(tiles, 400);
  await page.getByRole("button", { name: "Map", exact: true }).click();
  await page.getByText(/The tile .* cannot be read/).waitFor();
  await expect(map.locator("[data-mark]")).toHaveCount(24);
});

test("where the page has no WebGL the map is drawn and says why", async (t) => {
  const at = await place(t);
  await galley(at, VISIT);
  const bridge = await startBridge(at);
  const { page } = await openPage(at, bridge.url);
  await page.addInitScript(() => {
    localStorage.setItem("galley.map", "tiles");
    const given = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = /** @type {any} */ (
      function (/** @type {HTMLCanvasElement} */ ...kind) {
        return String(kind[0]).startsWith("webgl") ? null : Reflect.apply(given, this, kind);
      }
    );
  });
  await page.reload();
  await page.locator("[data-run]").click();
  await expect(page.getByRole("img", { name: /Map of 24 points/ })).toBeVisible();
  await page.getByText("WebGL 2 is not available on this computer").waitFor();
});

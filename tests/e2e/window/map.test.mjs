// The map of a visit in the real window: WebKit draws it over tiles that come over the border of commands, or as a
// drawing.
// @ts-check
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { galley, VISIT } from "../lib/terminal.mjs";
import { writeTiles } from "../lib/tiles.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, press, untilThere } from "../lib/window-desk.mjs";

/** How many pixels of the screen have a colour. @param {number[]} colour */
async function painted(colour) {
  const { stdout } = await promisify(execFile)("import", ["-window", "root", "-depth", "8", "rgb:-"], {
    encoding: "buffer",
    maxBuffer: 1 << 24,
  });
  let found = 0;
  for (let at = 0; at < stdout.length; at += 3) if (colour.every((part, index) => stdout[at + index] === part)) found++;
  return found;
}

/** Of the two kinds of map; a tab is called like one of them. @param {string} words */
const kind = (words) => `//div[@aria-label="Kind of map"]${button(words)}`;

/** Water and land, as the page's tokens have them. */
const SCHEMES = /** @type {const} */ ([
  ["light", [227, 234, 244], [246, 243, 236]],
  ["dark", [37, 51, 71], [27, 29, 32]],
]);

test("the window shows a visit on the tiles of a file, light and dark, and drawn", async (t) => {
  const at = await place(t);
  const tiles = join(at.home, "town.pmtiles");
  await writeTiles(tiles);
  await galley(at, VISIT);
  await galley(at, ["config", "set", "map.tiles", tiles]);
  for (const [scheme, water, land] of SCHEMES) {
    const window = await openWindow(at, scheme === "dark" ? { GTK_THEME: "Adwaita:dark" } : {});
    await press(window, "[data-run]");
    await untilThere(window, '[data-map="idle"]');
    assert.equal(await window.count("[data-map] [data-mark]"), 24);
    await window.run('document.querySelector("[data-map]").scrollIntoView()');
    await eventually(
      "lake and land on the screen",
      async () => (await painted([...water])) > 100 && (await painted([...land])) > 1000,
    );
    await press(window, "[data-visit] .what");
    await untilThere(window, "[data-map] .chosen");
    await window.run('document.querySelector("[data-map]").scrollIntoView()');
    await window.picture(`window-map-${scheme}`);
    await press(window, kind("Drawn"));
    await untilThere(window, "svg [data-mark].chosen");
    await window.picture(`window-map-drawn-${scheme}`);
    await press(window, kind("Map"));
    await untilThere(window, '[data-map="idle"]');
    await window.close();
  }
});

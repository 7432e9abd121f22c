// Whether everybody can use it: no serious finding of axe on any screen in either theme, and nothing cut off at any
// zoom.
// @ts-check
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { strays } from "../lib/desk.mjs";
import { fillDesk } from "../lib/sample-desk.mjs";
import { place } from "../lib/place.mjs";
import { SCREENS } from "../lib/screens.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe finds that keeps somebody out.
 * @param {import("playwright/test").Page} page
 * @param {string[]} rules
 * @returns {Promise<string[]>}
 */
async function findings(page, rules) {
  // What is still coming into sight has no colour yet.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => {})),
    ),
  );
  await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // @ts-expect-error axe is what was just run
    const { violations } = await globalThis.axe.run(document, {
      runOnly,
      resultTypes: ["violations"],
    });
    return violations
      .filter((/** @type {any} */ { impact }) => impact === "serious" || impact === "critical")
      .flatMap((/** @type {any} */ { id, nodes }) =>
        nodes.map(
          (/** @type {any} */ node) =>
            `${id}: ${node.html.slice(0, 160)} ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ""}`,
        ),
      );
  }, rules);
}

/**
 * What is found and does not go: a screen that is still being put together is not done yet.
 * @param {() => Promise<string[]>} look
 * @returns {Promise<string[]>}
 */
async function lasting(look) {
  const until = Date.now() + 5_000;
  for (;;) {
    const found = await look();
    if (found.length === 0 || Date.now() > until) return found;
    await sleep(100);
  }
}

test("axe finds nothing serious on any screen in either theme", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const runs = await fillDesk(at, bridge.url);
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const { page } = await openPage(at, bridge.url, {
      colorScheme,
      reducedMotion: "reduce",
    });
    for (const [name, go] of Object.entries(SCREENS)) {
      await go(page, runs);
      // The two themes differ in their colours alone.
      const list = await lasting(() => findings(page, colorScheme === "light" ? RULES : ["color-contrast"]));
      if (list.length > 0) found[`${name}, ${colorScheme}`] = list;
    }
  }
  assert.deepEqual(found, {});
});

test("at the smallest and the largest zoom of the smallest window nothing is cut off, and the keys of the zoom work", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const runs = await fillDesk(at, bridge.url);
  const { page } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const zoom of [75, 200]) {
    await page.evaluate((percent) => localStorage.setItem("galley.zoom", String(percent)), zoom);
    for (const [name, go] of Object.entries(SCREENS)) {
      await go(page, runs);
      const list = await lasting(() => strays(page));
      if (list.length > 0) found[`${name} at ${zoom} %`] = list;
    }
  }
  assert.deepEqual(found, {});
  const is = (/** @type {string} */ size) => expect(page.locator("html")).toHaveCSS("font-size", size);
  await page.keyboard.press("Escape");
  await is("32px");
  await page.keyboard.press("Control+0");
  await is("16px");
  await page.keyboard.press("Control+Equal");
  await is("17.6px");
  await page.keyboard.press("Control+Minus");
  await page.keyboard.press("Control+Minus");
  await page.reload();
  await is("14.4px");
});

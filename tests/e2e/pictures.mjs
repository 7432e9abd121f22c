// Pictures of every screen for a person to look at: empty and full, light and dark, in two languages, at two sizes.
// Words in PICTURES choose among them: `PICTURES="dark 900" npm run pictures` takes those whose name has both.
// Nothing is judged.
// @ts-check
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, openPage, startBridge } from "./lib/bridge.mjs";
import { fillDesk } from "./lib/sample-desk.mjs";
import { pictures, place } from "./lib/place.mjs";
import { at as openAt, SCREENS } from "./lib/screens.mjs";
import { runSystems, SYSTEMS } from "./lib/systems.mjs";

const wanted = (process.env.PICTURES ?? "").split(/\s+/).filter((word) => word !== "");
const isWanted = (/** @type {string} */ name) => wanted.every((word) => name.includes(word));
const SIZES = [
  [1600, 1000],
  [900, 600],
];

for (const fill of /** @type {const} */ (["full", "empty"])) {
  test(`pictures of a desk that is ${fill}`, async (t) => {
    const names = ["light", "dark"].flatMap((scheme) =>
      ["en", "ja"].flatMap((language) => SIZES.map(([width = 0, height = 0]) => ({ scheme, language, width, height }))),
    );
    const at = await place(t);
    const bridge = await startBridge(at, {}, "unknown-pipeline");
    const runs = fill === "full" ? await fillDesk(at, bridge.url) : null;
    await mkdir(pictures, { recursive: true });
    for (const { scheme, language, width, height } of names) {
      const made = Object.entries(SCREENS).map(([screen, go]) => ({
        go,
        name: `${fill}-${screen}-${scheme}-${language}-${width}`,
      }));
      if (!made.some(({ name }) => isWanted(name))) continue;
      await ask(bridge.url, "set_setting", { key: "language", value: language });
      const { page } = await openPage(at, bridge.url, {
        colorScheme: scheme === "dark" ? "dark" : "light",
        viewport: { width, height },
      });
      for (const { go, name } of made) {
        if (!isWanted(name) || !(await go(page, runs))) continue;
        await page.waitForTimeout(350);
        await page.screenshot({ path: join(pictures, `${name}.png`) });
      }
    }
  });
}

test("pictures of each pipeline, for the README", async (t) => {
  const names = Object.keys(SYSTEMS).map((pipeline) => `system-${pipeline}`);
  if (!names.some(isWanted)) return;
  const at = await place(t);
  const bridge = await startBridge(at);
  const runs = await runSystems(at, bridge.url);
  await mkdir(pictures, { recursive: true });
  const { page } = await openPage(at, bridge.url, { colorScheme: "light", viewport: { width: 1600, height: 1000 } });
  for (const [pipeline, { tab }] of Object.entries(SYSTEMS)) {
    await openAt(page, { screen: "run", run: runs[pipeline] }, tab);
    await page.getByTestId("status").waitFor();
    await page.locator('[role="tab"]').first().waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(pictures, `system-${pipeline}.png`) });
  }
});

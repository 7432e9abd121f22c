// What a person opens can be seen and used at every size and zoom that the program offers.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, strays, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";
const ROOMS = /** @type {const} */ ([
  [1440, 900, 200],
  [1280, 800, 175],
  [1280, 800, 200],
  [900, 600, 100],
  [900, 600, 125],
  [900, 600, 200],
]);

/** How much of an element's height a person sees, in pixels. @param {import("playwright/test").Locator} part */
const seen = (part) =>
  part.evaluate((element) => {
    let { top, bottom } = element.getBoundingClientRect();
    for (let place = element.parentElement; place; place = place.parentElement) {
      if (getComputedStyle(place).overflowY === "visible") continue;
      const box = place.getBoundingClientRect();
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  });

/**
 * Goes through the rooms; gives the name of each once the page stands in it.
 * @param {import("playwright/test").Page}
 * page
 */
async function* rooms(page) {
  for (const [width, height, zoom] of ROOMS) {
    const where = `${width}×${height} at ${zoom} %`;
    await page.setViewportSize({ width, height });
    await page.evaluate((wanted) => localStorage.setItem("galley.zoom", wanted), String(zoom));
    await page.reload();
    await page.getByTestId("status").waitFor();
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize), { message: where })
      .toBe(`${(16 * zoom) / 100}px`);
    yield where;
  }
}

test("fork, export and an error are seen where they open, at every zoom, also from the end of a desk that scrolls", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  for await (const where of rooms(page)) {
    const toEnd = () => page.locator(".desk > .page").evaluate((desk) => desk.scrollTo(0, desk.scrollHeight));
    for (const [keys, name, button] of /** @type {const} */ ([
      ["Control+Shift+F", /^Fork after event/, "Start the fork"],
      ["Control+Shift+E", "Export", /^Save as/],
    ])) {
      await toEnd();
      await page.keyboard.press(keys);
      const tool = page.getByRole("region", { name });
      await tool.waitFor();
      await expect.poll(() => seen(tool), { message: `${name} in ${where}` }).toBeGreaterThan(90);
      const act = tool.getByRole("button", { name: button });
      await act.scrollIntoViewIfNeeded();
      await expect.poll(() => seen(act), { message: `${button} in ${where}` }).toBeGreaterThan(20);
      await tool.getByRole("button", { name: "Close" }).click();
    }
    // An error of something that the person asked for.
    await page.route("**/rpc", (route) =>
      route.request().postDataJSON()?.cmd === "replay_run"
        ? route.fulfill({
            status: 409,
            json: { code: "busy", message: "Somebody else works on this run" },
          })
        : route.fallback(),
    );
    await toEnd();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Replay");
    await page.keyboard.press("Enter");
    const card = page.getByRole("alert", {
      name: "Another process works on this run",
    });
    await expect.poll(() => seen(card), { message: `the error in ${where}` }).toBeGreaterThan(60);
    if (where.startsWith("900")) await picture(`zoom-${(where.match(/\d+/g) ?? []).join("-")}`);
    await card.getByRole("button", { name: "Close" }).click();
    await page.unroute("**/rpc");
    assert.deepEqual(await strays(page), [], where);
  }
  assert.deepEqual(
    complaints.filter((words) => !words.includes("409")),
    [],
  );
});

test("an answer is corrected by hand where it opens, at every zoom", async (t) => {
  const at = await place(t);
  const words = Array.from({ length: 300 }, (_, n) => `Line ${n} of what is no JSON.`).join("\n");
  const answer = {
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: words },
      },
    ],
  };
  const provider = await refusingProvider(at, () => ({
    status: 200,
    body: JSON.stringify(answer),
  }));
  await addProfile(at, "chatty", provider.baseUrl);
  const bridge = await startBridge(at);
  const { page, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, profile: "chatty" });
  await page.getByRole("button", { name: "Correct the answer" }).waitFor();
  for await (const where of rooms(page)) {
    await page.getByRole("button", { name: "Correct the answer" }).click();
    const answered = page.getByRole("textbox", {
      name: "Correct the answer by hand",
    });
    await expect.poll(() => seen(answered), { message: `the answer in ${where}` }).toBeGreaterThan(60);
    if (where.startsWith("900")) await picture(`correct-${(where.match(/\d+/g) ?? []).join("-")}`);
    const act = page.getByRole("button", { name: "Continue with this" });
    await act.scrollIntoViewIfNeeded();
    await expect.poll(() => seen(act), { message: `the button in ${where}` }).toBeGreaterThan(20);
    assert.deepEqual(await strays(page), [], where);
  }
});

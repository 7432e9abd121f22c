// What do you need? From words of one's own to a form that is filled in, by keyboard alone.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { place } from "../lib/place.mjs";

test("a request on the first screen opens the form that fits, filled in, and starts nothing", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  const box = page.getByRole("textbox", { name: "What do you need?" });
  await box.fill("latest headlines about solid-state batteries");
  await box.press("Enter");
  // The form that fits is there at once, and the focus with it.
  await page.getByRole("main").getByText("AI News fits:").waitFor();
  await expect(page.getByRole("textbox", { name: "Topic" })).toHaveValue("solid-state batteries");
  await expect(page.getByRole("textbox", { name: "Topic" })).toBeFocused();
  await page.getByText("from your request", { exact: true }).waitFor();
  await page.getByText("No runs yet").waitFor();

  // Of an unclear request the likeliest stand first, and any of them takes its words.
  await page.getByRole("textbox", { name: "What do you need?" }).fill("the usual, please");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByRole("main").getByText("Most likely first.").waitFor();
  await page.getByRole("radio", { name: /Content writing/ }).check();
  await expect(page.getByRole("textbox", { name: "Request" })).toHaveValue("the usual, please");
  assert.deepEqual(complaints, []);
});

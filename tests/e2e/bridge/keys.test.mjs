// A key that is typed into the page: it reaches the keyring and the provider, and stays nowhere else; without a
// keyring the page says so, and a key for the session works.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { fillProfile, keptIn, launch, openSettings, strays, untilStatus } from "../lib/desk.mjs";
import { keyring, NO_KEYRING, startedAnew, refusingKeyring } from "../lib/keyring.mjs";
import { place } from "../lib/place.mjs";
import { lockedModel } from "../lib/provider.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";
import { files, recorded, traceOf } from "../lib/traces.mjs";

const KEY = "sk-e2e-Wm4tZq81vXp0LrNc7yGd52HaUb";
const TOPIC = "retrieval-augmented generation";

/**
 * Fills in the form of a profile. The key is put in as a keyboard does it: no script of the test ever holds it.
 * @param {import("playwright/test").Page} page
 * @param {string} baseUrl
 * @param {"keyring" | "session"} from
 */
async function fill(page, baseUrl, from) {
  await page.getByRole("button", { name: /Add a key/ }).click();
  await fillProfile(page, { name: "work", baseUrl, from });
  await page.locator("#key").focus();
  await page.keyboard.insertText(KEY);
}

/** Everything on the page's heap, after what nobody holds is gone. @param {import("playwright/test").Page} page */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  /** @type {string[]} */
  const parts = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => parts.push(chunk));
  await session.send("HeapProfiler.takeHeapSnapshot", {
    reportProgress: false,
  });
  await session.detach();
  return parts.join("");
}

test("a key typed into the page goes to the keyring and the provider, and nothing of it stays anywhere else", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, KEY);
  const bridge = await startBridge(at, {
    ...(await keyring(at)),
    RUST_LOG: "trace",
  });
  const between = await recorded(at, bridge.url);
  const { page, complaints } = await openPage(at, between.url);
  await fill(page, model.baseUrl, "keyring");
  // What is looked for can be found: while it stands in the field the page holds it.
  assert.ok(traceOf(await heapOf(page), KEY), "the heap is searched in vain while the key is typed");
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
  await page.getByRole("button", { name: "All settings of the profile" }).click();
  await page.getByText("key ends in HaUb").waitFor();

  await launch(page, { topic: TOPIC, profile: "work" });
  await untilStatus(page, "finished");
  assert.ok(model.answered() > 0 && model.refused() === 0);

  assert.equal(traceOf(await heapOf(page), KEY), null, "the page's memory");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const [what, text] of /** @type {const} */ ([
    ["what the page keeps", stored],
    ["the page", await page.content()],
    ["what the page was sent", between.received()],
    ["the bridge's output", bridge.output()],
    ["the export", await galley(at, ["export", "last", "--format", "json"])],
  ])) {
    assert.equal(traceOf(text, KEY), null, what);
  }
  for (const [path, bytes] of await files(at.folder)) assert.equal(traceOf(bytes, KEY), null, path);
  assert.deepEqual(complaints, []);
});

/** @type {[string, (at: import("../lib/place.mjs").Place) => ReturnType<typeof refusingKeyring>, RegExp, number][]} */
const SAYING_NO = [
  [
    "without a keyring",
    async () => ({ env: NO_KEYRING, prompts: () => 0 }),
    /There is no keyring here: the system's Secret Service/,
    0,
  ],
  [
    "where the person dismisses the prompt of the keyring",
    (at) => refusingKeyring(at, "dismissing", "work"),
    /Secret Service is locked or was not unlocked/,
    1,
  ],
  ["where the keyring refuses", (at) => refusingKeyring(at, "refusing"), /Secret Service refused/, 0],
];
for (const [where, started, words, prompts] of SAYING_NO)
  test(`${where} the page says so by name, and a key for this session works`, async (t) => {
    const at = await place(t);
    const model = await lockedModel(at, KEY);
    const keyring = await started(at);
    const bridge = await startBridge(at, keyring.env);
    const { page } = await openPage(at, bridge.url);
    // That a prompt will be dismissed nobody knows before; else the keyring is not even offered.
    const isOffered = prompts > 0;
    await fill(page, model.baseUrl, isOffered ? "keyring" : "session");
    if (isOffered) {
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByRole("alert").getByText(words).first().waitFor();
      await page.getByRole("alert").getByText("work was not added").first().waitFor();
      assert.deepEqual(
        (await ask(bridge.url, "list_profiles", {})).profiles.map((/** @type {{ name: string }} */ { name }) => name),
        ["built-in"],
        "no profile waits for its key",
      );
      // What was typed is still there.
      await keptIn(page).selectOption("session");
    } else {
      await page.getByText(words).first().waitFor();
      await expect(keptIn(page).locator("option[value=keyring]")).toBeDisabled();
    }
    await page.getByRole("button", { name: "Save and test" }).click();
    await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
    await launch(page, { topic: TOPIC, profile: "work" });
    await untilStatus(page, "finished");
    assert.equal(model.refused(), 0);
    assert.equal(keyring.prompts(), prompts, "nobody is asked again");
    for (const [path, bytes] of await files(at.folder)) assert.equal(traceOf(bytes, KEY), null, path);
  });

test("from a pasted key three presses lead to a finished run, and nothing of the form is below the smallest window", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, KEY);
  const bridge = await startBridge(at, NO_KEYRING);
  await ask(bridge.url, "set_setting", {
    key: "default_source",
    value: "library",
  });
  const { page, complaints } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await page.getByRole("button", { name: /Add a key/ }).click();
  await page.getByRole("button", { name: /^OpenAI-compatible server/ }).click();
  const save = page.getByRole("button", { name: "Save and test" });
  await expect(page.getByText("Still needed: Address of the server, Model")).toBeInViewport();
  await page.getByLabel("Address of the server").fill(model.baseUrl);
  await page.getByLabel("Model", { exact: true }).fill("news-1");
  await keptIn(page).selectOption("session");
  await page.locator("#key").focus();
  await page.keyboard.insertText(KEY);
  await expect(save).toBeInViewport({ ratio: 1 });
  assert.deepEqual(await strays(page), []);

  await save.click();
  await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
  await page.getByRole("button", { name: /^AI News/ }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await untilStatus(page, "finished");
  assert.ok(model.answered() > 0 && model.refused() === 0);
  assert.deepEqual(complaints, []);
});

test("a keyring that was locked when a run needed it is read once it is open, although it was started anew meanwhile", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, KEY);
  const keyring = await startedAnew(at);
  const bridge = await startBridge(at, keyring.env);
  const { page } = await openPage(at, bridge.url);
  await addProfile(at, "work", model.baseUrl);
  await ask(bridge.url, "save_key", {
    profile: "work",
    key: KEY,
    for_session: false,
  });
  await bridge.stop();
  await keyring.begin(false);
  const again = await startBridge(at, keyring.env);
  await page.goto(again.url);
  await launch(page, { topic: TOPIC, profile: "work" });
  const question = page.getByTestId("question");
  await question
    .getByText(/Unlock it and try again/)
    .first()
    .waitFor();
  await keyring.begin(true);
  await question.getByRole("button", { name: "Try again" }).click();
  await untilStatus(page, "finished");
  // And anew under a program that has used it.
  await keyring.begin(true);
  await ask(again.url, "save_key", {
    profile: "work",
    key: KEY,
    for_session: false,
  });
});

test("a key for this session outlives a change that a keyring refuses", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, KEY);
  const keyring = await startedAnew(at);
  const before = await startBridge(at, keyring.env);
  await addProfile(at, "work", model.baseUrl);
  await ask(before.url, "save_key", {
    profile: "work",
    key: "sk-e2e-of-old-in-the-keyring",
    for_session: false,
  });
  await before.stop();
  const { url } = await startBridge(at, NO_KEYRING);
  await ask(url, "save_key", { profile: "work", key: KEY, for_session: true });
  const work = (await ask(url, "list_profiles", {})).profiles.find(
    (/** @type {{ name: string }} */ { name }) => name === "work",
  );
  await assert.rejects(ask(url, "add_profile", { ...work, base_url: "http://127.0.0.1:9/v1" }), /stays as it is/);
  await assert.rejects(ask(url, "remove_profile", { name: "work" }), /stays as it is/);
  await ask(url, "test_profile", { name: "work" });
  assert.ok(model.answered() > 0 && model.refused() === 0);
});

test("a key is seen only while the eye is held down, is pasted without what surrounds it, and never comes back into a field", async (t) => {
  const at = await place(t);
  const model = await lockedModel(at, KEY);
  const bridge = await startBridge(at, NO_KEYRING);
  const { page } = await openPage(at, bridge.url, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await fill(page, model.baseUrl, "session");
  const field = page.locator("#key");
  await field.fill("");
  await page.evaluate((key) => navigator.clipboard.writeText(` \t${key}\u00a0\r\n`), KEY);
  await field.press("Control+v");
  await expect(field).toHaveValue(KEY);
  // Pasted into what is there it stands where the caret was, as anywhere else.
  await field.press("Home");
  await page.evaluate(() => navigator.clipboard.writeText(" x\n"));
  await field.press("Control+v");
  await expect(field).toHaveValue(`x${KEY}`);
  await field.press("Backspace");
  await expect(field).toHaveValue(KEY);

  const eye = page.getByRole("button", { name: "Hold to show the key" });
  const isOfType = (/** @type {string} */ type) => expect(field).toHaveAttribute("type", type);
  await isOfType("password");
  await eye.hover();
  await page.mouse.down();
  await isOfType("text");
  await page.mouse.up();
  await isOfType("password");
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await isOfType("password");
  await page.mouse.up();
  await eye.focus();
  await page.keyboard.down("Space");
  await isOfType("text");
  await page.keyboard.up("Space");
  await isOfType("password");

  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByRole("status").filter({ hasText: "answered in" }).waitFor();
  assert.equal(model.refused(), 0);
  // The profile is opened again, and the page is: neither has anything to fill in.
  await openSettings(page, "Profiles and keys");
  const profile = page.getByRole("listitem").filter({ hasText: "news-1" });
  const empty = async () => {
    for (const input of await page.locator("input").all()) assert.ok(!(await input.inputValue()).includes(KEY));
    assert.equal(
      await page
        .locator('input[type="password"]')
        .evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).value).join("")),
      "",
    );
  };
  const change = profile.getByRole("button", {
    name: "Change the profile work",
  });
  await change.click();
  await page.getByLabel("Key of work").waitFor();
  await empty();
  await page.reload();
  // A key for the session is kept nowhere, and the row says so and no more.
  await profile.getByText("key for this session").waitFor();
  await change.click();
  await page.getByLabel("Key of work").waitFor();
  await empty();
});

// What is read on the desk: the calls of models as people read them, and words that are looked for in the draft.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, launch, openEvent, openTab, strays, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { newsModel, refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";

test("a call of a model is read by its parts, long ones folded, in every look of the page", async (t) => {
  const at = await place(t);
  await addProfile(at, "work", await newsModel(at));
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 1280, height: 800 },
  });
  await launch(page, { topic: TOPIC, profile: "work" });
  await untilFinished(page);
  await openTab(page, "Journal");
  const event = await openEvent(page, /asked news-1/);
  const request = event.getByRole("region", { name: "Request" });
  await expect(request).toContainText(`Topic: ${TOPIC}`);
  await expect(event.getByText("search_results", { exact: false }).or(event.getByText("Answer shape"))).not.toHaveCount(
    0,
  );
  await picture("call-light");
  const all = request.getByRole("button", {
    name: /^Show all [\d,]+ characters$/,
  });
  await all.click();
  await expect(request).toContainText("END HITS");
  await expect(request).not.toContainText('"title":');
  await request.getByRole("button", { name: "Show less" }).click();
  await expect(event.getByRole("region", { name: "Answer" })).toContainText("tokens out");
  await event.getByRole("button", { name: /^Answer: event/ }).click();
  await event.getByRole("button", { name: /^Request: event/ }).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 900, height: 600 });
  await event.getByRole("region", { name: "Answer" }).scrollIntoViewIfNeeded();
  await picture("call-dark-900");
  assert.deepEqual(await strays(page), []);
  assert.deepEqual(complaints, []);
});

test("what a model says as HTML stands in its call as text", async (t) => {
  const at = await place(t);
  const words = `<img src="x" onerror="document.title='owned'"><b>bold</b> <script>document.title='owned'</script>`;
  const answer = {
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: words },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  };
  const provider = await refusingProvider(at, () => ({
    status: 200,
    body: JSON.stringify(answer),
  }));
  await addProfile(at, "hostile", provider.baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  await launch(page, { topic: TOPIC, profile: "hostile" });
  await page.getByRole("button", { name: "Correct the answer" }).waitFor();
  await openTab(page, "Journal");
  const event = await openEvent(page, /asked news-1/);
  await expect(event.getByRole("region", { name: "Answer" })).toContainText(words);
  await expect(event.locator("img, b:text('bold'), script")).toHaveCount(0);
  assert.doesNotMatch(await page.title(), /owned/);
  assert.deepEqual(complaints, []);
});

test("words are found in the draft, read or edited, and looking for them changes nothing", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await launch(page, { topic: TOPIC });
  await untilFinished(page);
  const versions = page.getByRole("combobox", { name: "Version" }).locator("option");
  const [before, number] = [await draft(page).innerHTML(), await versions.count()];
  const highlighted = (/** @type {string} */ name) =>
    page.evaluate(
      (name) =>
        [...(CSS.highlights.get(name) ?? [])].map((range) => {
          const whole = document.createRange();
          whole.setStart(range.startContainer, range.startOffset);
          whole.setEnd(range.endContainer, range.endOffset);
          return whole.toString();
        }),
      name,
    );
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  await edit.focus();
  await page.keyboard.press("Control+f");
  const bar = page.getByRole("search", { name: "Find in the draft" });
  const field = bar.getByRole("textbox");
  await expect(field).toBeFocused();
  await page.keyboard.type("RETRIEVAL");
  await bar.getByText(/^1 of \d+$/).waitFor();
  const all = Number((await bar.getByRole("status").innerText()).split(" ").at(-1));
  assert.ok(all >= 3, `only ${all} matches`);
  assert.equal((await highlighted("find-match")).length, all - 1);
  assert.match((await highlighted("find-current")).join(), /^retrieval$/i);
  await picture("find-light");
  await page.keyboard.press("Enter");
  await bar.getByText(`2 of ${all}`).waitFor();
  await page.keyboard.press("F3");
  await bar.getByText(`3 of ${all}`).waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+F3");
  await page.keyboard.press("Shift+F3");
  await bar.getByText(`${all} of ${all}`).waitFor();

  // Through a citation and what follows it.
  const text = await draft(page).evaluate(
    (sheet) => sheet.querySelector("p .citations")?.closest("p")?.textContent ?? "",
  );
  const at2 = text.search(/\[\d/);
  await field.fill(text.slice(at2 - 12, at2 + 6).toUpperCase());
  await bar.getByText("1 of 1").waitFor();
  assert.equal((await highlighted("find-current")).join(), text.slice(at2 - 12, at2 + 6));
  await field.fill("no such words");
  await bar.getByText("No match").waitFor();
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  await expect(edit).toBeFocused();
  assert.deepEqual(
    [await highlighted("find-match"), await draft(page).innerHTML(), await versions.count()],
    [[], before, number],
  );

  // In the editor, with Japanese, and with nothing to be saved or undone by it.
  await edit.click();
  const editor = draft(page).getByRole("textbox");
  await editor.press("Control+End");
  await page.keyboard.insertText(" 検索拡張生成の検索。");
  await page.getByText(/^Saved as event \d+/).waitFor();
  const saved = await versions.count();
  await page.keyboard.press("Control+f");
  await field.fill("検索");
  await bar.getByText("1 of 2").waitFor();
  await expect(editor.locator(".find-match")).toHaveText(["検索", "検索"]);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("find-editor-dark");
  await page.keyboard.press("Enter");
  await expect(editor.locator(".find-current")).toHaveText("検索");
  await editor.press("Control+End");
  await page.keyboard.insertText("検索");
  await bar.getByText("2 of 3").waitFor();
  await page.keyboard.press("Control+z");
  await bar.getByText("2 of 2").waitFor();
  await field.press("Escape");
  await expect(editor.locator(".find-match")).toHaveCount(0);
  assert.equal(await versions.count(), saved);
  assert.deepEqual(await strays(page), []);
  assert.deepEqual(complaints, []);
});

test("a page of 200 kB is searched at once, in Japanese too", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  await ask(bridge.url, "set_setting", { key: "language", value: "ja" });
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  const { run } = await ask(bridge.url, "start_run", {
    pipeline: "ai-news",
    inputs: { user_topic: TOPIC },
    profile: "built-in",
    tools: { search: "library" },
    as_of: "2026-07-01",
    session: null,
    agents: {},
    limits: {},
    allow: [],
  });
  await page.locator(`[data-run="${run}"]`).click();
  const sheet = page.getByRole("region", { name: "草稿" }).locator(".page-sheet .text");
  await sheet.getByRole("heading", { name: "Retrieval-augmented generation", exact: true }).waitFor();
  // Set on the page itself: a text of this length that a person typed takes the review beside it long to go through.
  const size = await sheet.evaluate((place) => {
    const paragraph =
      '<p>A paragraph with <strong>bold</strong> words, a citation <button class="citation">[<span>1</span>]</button> and 検索拡張生成の話。 And on.</p>';
    place.innerHTML = paragraph.repeat(2_800);
    return new Blob([place.textContent ?? ""]).size;
  });
  assert.ok(size > 200_000, String(size));
  // The row that was clicked has the focus, and there the keys search the runs.
  await page.locator("main header h1").click();
  await page.keyboard.press("Control+f");
  const bar = page.getByRole("search", { name: "草稿内を検索" });
  const began = Date.now();
  await bar.getByRole("textbox").fill("BOLD words, a citation [1] and 検索");
  await bar.getByText("2,800 件中 1 件目").waitFor();
  await page.keyboard.press("Shift+Enter");
  await bar.getByText("2,800 件中 2,800 件目").waitFor();
  assert.ok(Date.now() - began < 10_000, `it took ${Date.now() - began} ms`);
  await expect(sheet.locator("p").last()).toBeInViewport();
  await picture("find-japanese");
  assert.deepEqual(await strays(page), []);
  assert.deepEqual(complaints, []);
});

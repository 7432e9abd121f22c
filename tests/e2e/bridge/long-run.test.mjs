// A run of some three thousand events is a run like any other: it opens at its end, any moment of it can be looked
// at, and what is shown there is what the program says. How fast that is, speed.mjs measures.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, exactState, figures, moveTo, openTab, untilStatus } from "../lib/desk.mjs";
import { makePattern, writeLong } from "../lib/long-runs.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";

const EVENTS = 3000;

test("a long run opens at its end, and every moment of it is what the program says", async (t) => {
  const at = await place(t);
  await makePattern(at);
  const run = await writeLong(at, EVENTS);
  const bridge = await startBridge(at);
  const { page, complaints } = await openPage(at, bridge.url);
  await page.locator(`[data-run="${run}"]`).click();
  await untilStatus(page, "finished");

  const end = await ask(bridge.url, "view_at", { run, seq: null });
  const last = end.seq;
  assert.ok(last > EVENTS - 50 && last <= EVENTS, `it has ${last} events`);
  const slider = page.getByLabel("Moment of the run");
  await expect(slider).toHaveAttribute("max", String(last));
  assert.equal((await figures(page)).calls, end.usage.calls.toLocaleString("en"));
  for (const stage of await page.locator("[data-stage]").all())
    await expect(stage).toHaveAttribute("data-state", "done");
  await expect(draft(page)).toContainText("arXiv");

  // Of what is older than the last events long values come by their hash, and are there when they are looked at.
  const older = end.entries.find((/** @type {any} */ { event }) =>
    Object.values(event.fact.delta?.set ?? {}).some((/** @type {any} */ value) => value?.$stored),
  );
  assert.ok(older && older.event.seq < end.whole_from, "nothing came by its hash");
  const version = page.getByLabel("Version", { exact: true });
  const chosen = await version.locator("option").nth(40).getAttribute("value");
  await version.selectOption(chosen);
  const { state } = await ask(bridge.url, "state_at", {
    run,
    seq: Number(chosen),
  });
  const stored = Object.values(state).flatMap((/** @type {any} */ value) =>
    typeof value?.post_markdown === "string" ? [value.post_markdown] : [],
  );
  await eventually("the text of an older version", async () => {
    const shown = (await draft(page).innerText()).replace(/\s+/g, " ");
    return stored.some((text) =>
      shown.includes(text.split("\n").at(-1)?.replace(/\s+/g, " ").slice(0, 40) ?? "nothing"),
    );
  });
  await page.reload();
  await untilStatus(page, "finished");

  await openTab(page, "State");
  const middle = last >> 1;
  const texts = new Set();
  for (const seq of [last, 1, middle, middle + 1, middle - 700, last]) {
    await moveTo(page, seq);
    const { text } = await ask(bridge.url, "state_at", { run, seq });
    assert.equal(await exactState(page, seq), text);
    const { usage } = await ask(bridge.url, "view_at", { run, seq });
    assert.equal((await figures(page)).calls, usage.calls.toLocaleString("en"), `at event ${seq}`);
    texts.add(text);
  }
  assert.ok(texts.size >= 4, "the moments do not differ");

  await openTab(page, "Journal");
  const asked = await askedIn(bridge.url, run);
  assert.ok(asked.length > 100, `only ${asked.length} events asked for something`);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Requests" }).click();
  await page.keyboard.press("Escape");
  await page.getByText(`${asked.length.toLocaleString("en")} of ${last.toLocaleString("en")} entries`).waitFor();

  const old = asked[20] ?? 1;
  await moveTo(page, old);
  await page.locator(`[data-seq="${old}"]`).click();
  const record = page.getByRole("region", { name: `Event ${old} as stored` }).locator("pre");
  await expect(record).not.toBeEmpty();
  const { entries } = await ask(bridge.url, "read_events", {
    run,
    from_seq: old,
    limit: 1,
  });
  assert.deepEqual(JSON.parse(await record.innerText()), entries[0].event);

  // The Tab key leads to the moment's row also where the list was scrolled away from it.
  const row = page.locator(`[data-seq="${old}"]`);
  await page.locator('[role="list"]', { has: row }).hover();
  await eventually("the row is out of sight", async () => {
    await page.mouse.wheel(0, 2000);
    return row.evaluate((one) => one.getBoundingClientRect().bottom < 0);
  });
  await expect(row).toHaveAttribute("tabindex", "0");
  assert.deepEqual(complaints, []);
});

/**
 * Numbers of the events in which something was asked, by the program's own index.
 * @param {string} url
 * @param {string} run
 * @returns {Promise<number[]>}
 */
async function askedIn(url, run) {
  const { kinds, marks } = await ask(url, "index_events", { run });
  return marks.flatMap((/** @type {number} */ mark, /** @type {number} */ at) =>
    kinds[mark & 127] === "asked" ? [at + 1] : [],
  );
}

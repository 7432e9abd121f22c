// What tools may do: two agents beside each other ask at once, each question is answered where it stands, in a run or
// from the list of what waits; a rule that was made at a question is revoked in the settings.
// @ts-check
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openEvent, openSettings, openTab, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { callingModel } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const HOST = "notes.example.org";
const HOSTILE = "<b>bold</b> \u202egnorw\u202c";
const OFFICE = `
id = "office"
title = "Office"
purpose = "Does what a letter asks for."

[input.letter]
title = "Letter"
kind = "long_text"

[key.posted]
title = "Posted"

[key.printed]
title = "Printed"
role = "final"

[agent.clerk]
title = "Clerk"
reads = ["letter"]
writes = "posted"
instruction = "You post the letter."
prompt = "{{ letter }}"
output = "text"
tools = ["post_note"]

[agent.printer]
title = "Printer"
reads = ["letter"]
writes = "printed"
instruction = "You print the letter."
prompt = "{{ letter }}"
output = "text"
tools = ["print_label"]

[flow]
name = "office_root"
steps = [{ parallel = ["clerk", "printer"], name = "desks", title = "Desks" }]
`;

/** What the model calls the tools with. @type {Record<string, object>} */
const INPUTS = {
  post_note: { host: HOST, text: HOSTILE },
  print_label: { text: "To the harbour" },
};

/** A bridge with the office among the person's pipelines. @param {import("node:test").TestContext} t */
async function office(t) {
  const at = await place(t);
  await mkdir(join(at.folder, "pipelines"), { recursive: true });
  await writeFile(join(at.folder, "pipelines", "office.toml"), OFFICE);
  await addProfile(at, "script", await callingModel(at, (tool) => INPUTS[tool] ?? {}));
  const bridge = await startBridge(at, {}, "unknown-pipeline");
  const start = async () => {
    const { run } = await ask(bridge.url, "start_run", {
      pipeline: "office",
      inputs: { letter: "a letter" },
      profile: "script",
    });
    await expect.poll(async () => (await ask(bridge.url, "list_questions", { run })).questions.length).toBe(2);
    return run;
  };
  return { at, bridge, start };
}

test("two agents ask at once: each question has its card, and is led to from the list of what waits", async (t) => {
  const { at, bridge, start } = await office(t);
  const run = await start();
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  const needs = page.getByTestId("needs-you");
  await expect(needs.getByRole("button")).toHaveCount(2);
  await expect(page).toHaveTitle("(2) Galley");
  await needs.getByRole("button", { name: /print_label/ }).click();
  const cards = page.getByTestId("question");
  await expect(cards).toHaveCount(2);
  const [print, post] = [cards.filter({ hasText: "print_label" }), cards.filter({ hasText: "post_note" })];
  // It is led to the card, not to a button that allows.
  await expect(print).toBeFocused();
  await picture("permission-two");

  // What a model wrote is read as it is.
  await expect(post.getByRole("region")).toContainText("<b>bold</b> U+202EgnorwU+202C");
  assert.equal(await post.getByRole("region").locator("b").count(), 0);
  await expect(post.getByRole("code")).toHaveText(HOST);

  await print.getByRole("button", { name: "Refuse with a reason…" }).click();
  await page.keyboard.type("no paper left");
  await page.keyboard.press("Enter");
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveTitle("(1) Galley");
  await post.getByRole("button", { name: "Change the arguments…" }).click();
  const input = post.getByRole("textbox");
  await input.fill(JSON.stringify({ host: HOST, words: "unknown" }));
  await post.getByRole("button", { name: "Allow once, as changed" }).click();
  await expect(post.getByRole("alert")).toContainText("does not fit");
  await input.fill(JSON.stringify({ host: HOST, text: "in other words" }));
  await post.getByRole("button", { name: "Allow once, as changed" }).click();
  await untilFinished(page);
  await expect(needs).toHaveCount(0);
  await expect(page).toHaveTitle("Galley");

  await openTab(page, "Journal");
  const event = await openEvent(page, /refused by you: no paper left/);
  await expect(event.getByTestId("decision")).toContainText("refused by you: no paper left");
  const { state } = await ask(bridge.url, "state_at", { run, seq: null });
  assert.match(String(state.posted), /posted at notes\.example\.org/);
  assert.match(String(state.printed), /no paper left/);
  // The server refuses what does not fit with an error, which the browser tells.
  assert.deepEqual(
    complaints.filter((text) => !/status of 4\d\d/.test(text)),
    [],
  );
});

test("a rule that was made at a question stands in the settings, and revoked it asks again", async (t) => {
  const { at, bridge, start } = await office(t);
  await start();
  const { page } = await openPage(at, bridge.url);
  await page
    .getByTestId("needs-you")
    .getByRole("button", { name: /post_note/ })
    .click();
  const post = page.getByTestId("question").filter({ hasText: "post_note" });
  await post
    .getByRole("button", {
      name: `Always allow: every call of “post_note” at ${HOST}`,
    })
    .click();
  await page
    .getByTestId("question")
    .filter({ hasText: "print_label" })
    .getByRole("button", { name: "Refuse", exact: true })
    .click();
  await untilFinished(page);

  await openSettings(page, "Tools and web");
  const rules = page.getByRole("region", { name: "What tools may do" });
  await rules.getByText(`post_note at ${HOST}`).waitFor();
  await rules.getByText("always allowed").first().waitFor();
  await rules.getByRole("button", { name: `Revoke: post_note at ${HOST}` }).click();
  await rules.getByText("There are no rules.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await rules.getByText(`post_note at ${HOST}`).waitFor();
  await rules.getByRole("button", { name: `Revoke: post_note at ${HOST}` }).click();
  await rules.getByText("There are no rules.", { exact: false }).waitFor();
  // Both ask again.
  await start();
  await expect(page.getByTestId("needs-you").getByRole("button")).toHaveCount(2);
});

// What is done once more: a run with its inputs, and its text in one step, by instructions of the program and of the
// person.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { draft, launch, openRun, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { refusingProvider } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

/**
 * A provider that rewrites every text to this.
 * @param {import("../lib/place.mjs").Place} at
 * @param {string} markdown
 */
const rewriter = (at, markdown) =>
  refusingProvider(at, () => {
    const message = {
      role: "assistant",
      content: JSON.stringify({ markdown }),
    };
    const answer = {
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "news-1",
      choices: [{ index: 0, finish_reason: "stop", message }],
      usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
    };
    return { status: 200, body: JSON.stringify(answer) };
  });

test("a run is run again from its form, and its text is rewritten by what the program and the person say", async (t) => {
  const at = await place(t);
  await addProfile(at, "desk", (await rewriter(at, "For the board it is said [1].")).baseUrl);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url);
  await launch(page, { topic: "retrieval-augmented generation" });
  await untilFinished(page);
  const first = await openRun(page);
  /** Waits until another run is open and has finished. @param {string} before */
  const next = async (before) => {
    await eventually("the next run", async () => ![before, ""].includes(await openRun(page)));
    await untilFinished(page);
    return openRun(page);
  };

  // The form is filled as the run was started, and starts a run of a session of its own.
  await page.getByRole("button", { name: "Menu of retrieval-augmented generation" }).click();
  await page.getByRole("menuitem", { name: "Run again…" }).click();
  await page.getByText("Filled in like “retrieval-augmented generation”.").waitFor();
  await expect(page.getByRole("textbox", { name: "Topic" })).toHaveValue("retrieval-augmented generation");
  await expect(page.getByLabel("Profile").first()).toHaveValue("built-in");
  await expect(page.getByLabel("Search in")).toHaveValue("library");
  await expect(page.getByLabel("As of")).toHaveValue("2026-07-01");
  await page.getByRole("textbox", { name: "Topic" }).fill("language models");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const second = await next(first);
  await page.getByRole("heading", { level: 1, name: /language models/ }).waitFor();

  // Without a model a text gets shorter, and what needs one says so where it was asked for.
  const length = async () => (await draft(page).innerText()).length;
  const before = await length();
  const form = page.getByRole("dialog", {
    name: "Rewrite the text in one step",
  });
  const open = () => page.getByRole("button", { name: "Rewrite…" }).click();
  await open();
  await form.getByRole("button", { name: "Say it in plainer words" }).click();
  await form
    .getByText("`plainer` needs a model", { exact: false })
    .or(form.getByText("plainer", { exact: false }))
    .first()
    .waitFor();
  await form.getByText(/Choose a profile with a model/).waitFor();
  await picture("rewrite-form");
  await form.getByRole("button", { name: "Make it shorter" }).click();
  const third = await next(second);
  assert.ok((await length()) < before, "the text is not shorter");

  // An instruction of one's own is saved, renamed and followed by its name.
  await open();
  await form.getByLabel("What to do with the text").fill("Write for the members of the board.");
  await form.getByLabel("Name, to save it").fill("shorter");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText(/Galley itself has the instruction/).waitFor();
  await form.getByLabel("Name, to save it").fill("board");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("button", { name: "Change “board”" }).click();
  await form.getByLabel("Name, to save it").fill("the board");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByLabel("Profile").selectOption("desk");
  await form.getByRole("button", { name: "the board", exact: true }).click();
  const fourth = await next(third);
  await draft(page).getByText("For the board it is said").waitFor();
  const { runs } = await ask(bridge.url, "list_runs", {});
  const session = (/** @type {string} */ run) => runs.find((/** @type {any} */ card) => card.run === run).session;
  assert.deepEqual(
    [session(third), session(fourth), session(first) === session(second)],
    [session(second), session(second), false],
  );

  await open();
  await form.getByRole("button", { name: "Remove “the board”" }).click();
  await expect(form.getByRole("button", { name: "the board", exact: true })).toHaveCount(0);
  assert.deepEqual((await ask(bridge.url, "list_instructions", {})).saved, []);
  // Chromium itself tells of the two answers that refuse.
  assert.deepEqual(
    complaints.filter((told) => !told.includes("400 (Bad Request)")),
    [],
  );
});

// What a person has done in the window is there when it is opened again.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { galley } from "../lib/terminal.mjs";
import { keys } from "../lib/webdriver.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, DRAFT, launch, press, STATUS, untilThere } from "../lib/window-desk.mjs";

const OWN = "My words.";

test("a run goes to its post, is edited, and is there with the edit after the window was closed and opened", async (t) => {
  const at = await place(t);
  const first = await openWindow(at);
  await launch(first, "retrieval-augmented generation");
  await first.untilText(STATUS, "finished");
  await first.untilText(DRAFT, "[1]");
  for (const agent of ["ai_news_searcher", "ai_news_writer", "ai_news_reviewer"]) {
    await untilThere(first, `[data-stage="${agent}"][data-state="done"]`);
  }

  await press(first, button("Edit"));
  await untilThere(first, `${DRAFT} .cm-content`);
  await first.type(`${DRAFT} .cm-content`, `${keys.control}${keys.end}${keys.control}${OWN}`);
  await first.untilText('[data-testid="saving"]', "Saved as event");
  // A pause between two keys is saved too: what counts is that the last word is.
  await eventually("the sentence in the program", async () =>
    (await galley(at, ["export", "last", "--format", "md"])).includes(OWN),
  );
  await first.picture("window-edited");
  await first.close();

  const second = await openWindow(at);
  await second.untilText(DRAFT, OWN);
  await second.untilText(STATUS, "finished");
  await second.picture("window-opened-again");
  await second.close();
  assert.match(await galley(at, ["show", "last", "--key", "final_post", "--history"]), /by user\b[^]*My words\./);
});

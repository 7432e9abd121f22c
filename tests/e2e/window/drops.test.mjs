// Files that are dragged onto the window from another program: the window learns their paths, and the library has them.
// @ts-check
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { place, root } from "../lib/place.mjs";
import { eventually, start } from "../lib/processes.mjs";
import { openWindow } from "../lib/window.mjs";
import { button, press, untilThere } from "../lib/window-desk.mjs";

const pointer = (/** @type {(string | number)[]} */ ...steps) => promisify(execFile)("xdotool", steps.map(String));

test("files that are dropped on the window come into the library, and it shows that they may be dropped while they are over it", async (t) => {
  const at = await place(t);
  const titles = ["Lanterns of the harbour", "港の灯り"];
  const paths = ["Field notes.md", "野帳.md"].map((name) => join(at.home, name));
  for (const [at, path] of paths.entries())
    await writeFile(path, `# ${titles[at]}\n\n2026-06-20\n\nThe harbour has new lanterns, which are lit at dusk.\n`);
  const window = await openWindow(at);
  await press(window, button("Library"));
  await untilThere(window, '[aria-label="Search the library"]');
  const files = start("/usr/bin/python3", [join(root, "tests/e2e/lib/drag-source.py"), ...paths], {
    env: { GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" },
  });
  at.atEnd(() => files.stop());
  await eventually("a window with files", () => {
    if (!files.isRunning()) throw new Error(files.output());
    return files.firstLine();
  });

  // A drag begins when the pointer has gone a little way with its button down.
  await pointer("mousemove", 40, 40, "mousedown", 1);
  for (let step = 1; step <= 10; step += 1) await pointer("mousemove", 40 + step * 50, 40 + step * 30);
  await eventually("that the files are over it", async () => {
    await pointer("mousemove_relative", "--", 3, 0, "mousemove_relative", "--", -3, 0);
    return (await window.count(".screen.over")) > 0;
  });
  await window.picture("window-drop");
  await pointer("mouseup", 1);
  await window.untilText("main", "2 new or changed");
  for (const title of titles) await window.untilText(".entries", title);
  assert.equal(await window.count('[role="alert"]'), 0);
});

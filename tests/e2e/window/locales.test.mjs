// The window paints in the locales for which GTK would choose the X server's input method where the person has set
// none.
// @ts-check
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";
import { openWindow } from "../lib/window.mjs";
import { press, untilThere } from "../lib/window-desk.mjs";

const run = promisify(execFile);

/** The colour in the middle of the screen. */
async function painted() {
  const { stdout } = await run("import", ["-window", "root", "-crop", "1x1+640+400", "-depth", "8", "rgb:-"], {
    encoding: "buffer",
  });
  return [...stdout].join(",");
}

for (const [locale, newRun] of [
  ["ja_JP", "新しい実行"],
  ["zh_CN", "新建运行"],
]) {
  test(`the window goes on painting behind a field of text under ${locale}.UTF-8 without an input method`, async (t) => {
    const at = await place(t);
    // GTK asks the C library for the locale: one that the system does not have would be "C".
    await run("localedef", ["-i", String(locale), "-f", "UTF-8", join(at.home, `${locale}.UTF-8`)]);
    const window = await openWindow(at, {
      LANG: `${locale}.UTF-8`,
      LOCPATH: at.home,
      GTK_IM_MODULE: undefined,
      XMODIFIERS: undefined,
      WAYLAND_DISPLAY: undefined,
    });
    await press(window, `//button[normalize-space()="${newRun}"]`);
    await untilThere(window, "form input[type=text]");
    await window.type("form input[type=text]", "x");
    for (const colour of ["255,0,0", "0,128,0"]) {
      await window.run(`
        const sheet = document.getElementById("painted") ?? document.body.appendChild(document.createElement("div"));
        sheet.id = "painted";
        sheet.style = "position: fixed; inset: 0; z-index: 99999; background: rgb(${colour})";`);
      await eventually(`${colour} on the screen`, async () => (await painted()) === colour);
    }
    await window.close();
  });
}

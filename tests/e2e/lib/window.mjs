// The real window, driven through WebKit's own driver. tauri-driver is not needed in between: on this system it only
// renames one capability and sets the variable below. Pictures are taken of the whole screen, because the driver's own
// screenshot has been seen to hang.
// @ts-check
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary, pictures } from "./place.mjs";
import { eventually, freePort, start } from "./processes.mjs";
import { openSession } from "./webdriver.mjs";

/**
 * Opens the window on the place's data folder. Close it to open another on the same folder.
 * @param {import("./place.mjs").Place} at
 * @param {Record<string, string | undefined>} [env] on top of the place's own: LANG, or GTK_THEME for the dark theme
 */
export async function openWindow(at, env = {}) {
  const port = await freePort();
  const driver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    env: {
      TAURI_WEBVIEW_AUTOMATION: "true",
      NO_AT_BRIDGE: "1",
      GDK_BACKEND: "x11",
      LANG: "en_US.UTF-8",
      LC_ALL: undefined,
      LC_MESSAGES: undefined,
      ...at.env,
      ...env,
    },
  });
  let isOpen = true;
  const base = `http://127.0.0.1:${port}`;
  await eventually("a driver that answers", async () => {
    if (!driver.isRunning()) throw new Error(driver.output());
    return (await fetch(`${base}/status`)).ok;
  }).catch(stopAndTell);

  // A program that fails at its start shows here only as a timeout; its own words are in the driver's output.
  const session = await openSession(base, binary("galley-desktop"), []).catch(stopAndTell);
  at.atEnd(close);

  // Not by the driver's own close, which kills the program instead of letting it end.
  async function close() {
    if (!isOpen) return;
    isOpen = false;
    await driver.stop();
  }

  /** @param {Error} error @returns {Promise<never>} */
  async function stopAndTell(error) {
    await driver.stop();
    throw new Error(`${error.message}\n${driver.output()}`, { cause: error });
  }

  return {
    ...session,
    /** Ends the window and its program as logging out does. */
    close,
    output: driver.output,
    /** Ends the window and its program as a power cut would. */
    async kill() {
      isOpen = false;
      await driver.stop("SIGKILL");
    },
    /**
     * Waits until the element's text fits.
     * @param {string} selector
     * @param {RegExp | string} wanted
     * @param {number}
     * [within]
     */
    untilText: (selector, wanted, within) =>
      eventually(
        `"${wanted}" in ${selector}`,
        async () => {
          const text = await session.text(selector);
          if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return text;
          throw new Error(`it says "${text.slice(0, 200)}"`);
        },
        within,
      ),
    /** @param {string} name */
    async picture(name) {
      await mkdir(pictures, { recursive: true });
      await promisify(execFile)("import", ["-window", "root", join(pictures, `${name}.png`)]);
    },
  };
}

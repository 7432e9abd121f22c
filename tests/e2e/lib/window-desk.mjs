// Steps in the real window, as `desk` has them for Chromium.
// @ts-check
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eventually } from "./processes.mjs";

/** @typedef {Awaited<ReturnType<typeof import("./window.mjs").openWindow>>} Window */

/** @param {string} words */
export const button = (words) => `//button[normalize-space()="${words}"]`;

export const STATUS = '[data-testid="status"]';
export const DRAFT = 'section[aria-label="Draft"]';

/** Clicks what may still be on its way. @param {Window} window @param {string} selector */
export const press = (window, selector) =>
  eventually(`clicked ${selector}`, async () => {
    await window.click(selector);
    return true;
  });

/** @param {Window} window @param {string} selector */
export const untilThere = (window, selector) =>
  eventually(`${selector} in the page`, async () => (await window.count(selector)) > 0);

/**
 * Fills the form of a new run on the sample library and starts it.
 * @param {Window} window
 * @param {string} topic
 * @param {string} [profile]
 */
export async function launch(window, topic, profile = "built-in") {
  await press(window, button("New run"));
  await untilThere(window, "form input[type=text]");
  await window.type("form input[type=text]", topic);
  await press(window, "form summary");
  for (const choice of [profile, "Library"]) await press(window, `//select/option[normalize-space()="${choice}"]`);
  // A date is typed in an order that the locale decides, so it is set as a picker sets it.
  await untilThere(window, "input[type=date]");
  await window.run(`
    const day = document.querySelector("input[type=date]");
    day.value = "2026-07-01";
    day.dispatchEvent(new Event("input", { bubbles: true }));`);
  await press(window, button("Start"));
}

/**
 * Closes the window as its title bar does, which has no button on a screen without a desktop.
 * @param {Window} window
 */
export const close = (window) =>
  window.run('document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "q", ctrlKey: true, bubbles: true }))');

/** Whether nothing is on the screen: a window that is away answers its driver late or not at all. */
async function isHidden() {
  const { stdout } = await promisify(execFile)(
    "import",
    ["-window", "root", "-crop", "1x1+640+400", "-depth", "8", "rgb:-"],
    { encoding: "buffer" },
  );
  return stdout.every((level) => level === 0);
}

/** Waits until the window is on the screen again. */
export const untilBack = () => eventually("a window that came back", async () => !(await isHidden()));

/** Closes the window and keeps its runs. @param {Window} window */
export async function hide(window) {
  await close(window);
  await untilThere(window, button("Keep running"));
  // It may be away before the driver has its answer.
  void window.click(button("Keep running")).catch(() => {});
  await eventually("a hidden window", isHidden);
}

/** @param {Window} window @param {string} run */
export const openRun = (window, run) => press(window, `[data-run="${run}"]`);

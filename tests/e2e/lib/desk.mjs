// Steps on the page in Chromium, in the words that a person reads. What they find is judged in the tests.
// @ts-check

import { expect } from "./bridge.mjs";

/** @typedef {import("playwright/test").Page} Page */

/**
 * Fills the form of a new run, on the sample library unless told otherwise, and starts it.
 * @param {Page} page
 * @param {{ topic: string, profile?: string, source?: string, limits?: string }} wanted
 */
export async function launch(page, { topic, profile = "built-in", source = "library", limits }) {
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await page.getByRole("textbox", { name: "Topic" }).fill(topic);
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Profile").selectOption(profile);
  await page.getByLabel("Search in").selectOption(source);
  await page.getByLabel("As of").fill("2026-07-01");
  if (limits) await page.getByLabel("Limits").selectOption(limits);
  await page.getByRole("button", { name: "Start", exact: true }).click();
}

/** Opens a section of the settings. @param {Page} page @param {string} section */
export async function openSettings(page, section) {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const sections = page.getByRole("navigation", { name: "Sections of the settings" });
  // Where there is no room for a list, they are a choice.
  const [button, choice] = [
    sections.getByRole("button", { name: section, exact: true }),
    sections.getByRole("combobox"),
  ];
  await button.or(choice).waitFor();
  if (await choice.isVisible()) await choice.selectOption({ label: section });
  else await button.click();
}

/**
 * Fills in the form of a new profile at a server with an address of its own; the key is another step.
 * @param {Page} page on which the providers can be chosen
 * @param {{ name: string, baseUrl: string, from: "keyring" | "session" | "none" }} wanted
 */
export async function fillProfile(page, { name, baseUrl, from }) {
  await page.getByRole("button", { name: /^OpenAI-compatible server/ }).click();
  await page.getByLabel("Address of the server").fill(baseUrl);
  await page.getByLabel("Model", { exact: true }).fill("news-1");
  await keptIn(page).selectOption(from);
  await page.locator("form summary", { hasText: "More" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
}

/** Where the key of a profile is to be kept. @param {Page} page */
export const keptIn = (page) =>
  page
    .locator("form label")
    .filter({ hasText: /^\s*Store key in/ })
    .locator("select");

/** Waits until the open run stands so. @param {Page} page @param {string} word */
export const untilStatus = (page, word) => page.getByTestId("status").getByText(word, { exact: true }).waitFor();

/**
 * Waits until the open run has finished and its last event is here: the list may know of the end a moment earlier, and
 * the slider goes only as far as the events.
 * @param {Page} page
 */
export async function untilFinished(page) {
  await untilStatus(page, "finished");
  await page.getByRole("region", { name: "Time", exact: true }).getByText("Run finished").waitFor();
}

/** Waits until an agent stands so. @param {Page} page @param {string} agent @param {string} state */
export const untilStage = (page, agent, state) =>
  page.locator(`[data-stage="${agent}"][data-state="${state}"]`).waitFor();

/** The page that the draft is set on. @param {Page} page */
export const draft = (page) => page.getByRole("region", { name: "Draft" }).locator(".page-sheet");

/** @param {Page} page @param {string} name */
export const openTab = (page, name) => page.getByRole("tab", { name }).click();

/**
 * Opens the first event of the journal whose sentence fits. The list scrolls to its end while it is filled, and a press
 * may come to nothing or meet another row, so the row is pressed until its own event is open.
 * @param {Page} page
 * @param {RegExp} sentence
 */
export async function openEvent(page, sentence) {
  const row = page.getByRole("list", { name: "Journal" }).getByRole("button", { name: sentence }).first();
  await expect(async () => {
    const seq = await row.getAttribute("data-seq", { timeout: 3_000 });
    const event = page.getByRole("region", { name: `Event ${seq} as stored`, exact: true });
    if (!(await event.isVisible())) await row.click({ timeout: 3_000 });
    await event.waitFor({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  return page.getByRole("region", { name: /^Event \d+ as stored$/ });
}

/** Moves the slider, and waits until what is shown is of that moment. @param {Page} page @param {number} seq */
export async function moveTo(page, seq) {
  await page.getByLabel("Moment of the run").fill(String(seq));
  await page.locator('.desk[aria-busy="false"]').waitFor();
}

/** The open run's id. @param {Page} page @returns {Promise<string>} */
export async function openRun(page) {
  return (await page.locator('[data-run][aria-current="page"]').getAttribute("data-run")) ?? "";
}

/**
 * The exact text of all states as the open tab shows it, without the buttons between its lines.
 * @param {Page} page
 * @param {number} seq the moment that it must be of
 * @returns {Promise<string>}
 */
export async function exactState(page, seq) {
  await page.getByText(`after event ${seq.toLocaleString("en")}`, { exact: true }).waitFor();
  return page.getByTestId("state").evaluate((state) => {
    const copy = /** @type {Element} */ (state.cloneNode(true));
    for (const button of copy.querySelectorAll("button")) button.remove();
    return copy.textContent ?? "";
  });
}

/** The figures at the head of the run, by their words. @param {Page} page @returns {Promise<Record<string, string>>} */
export const figures = (page) =>
  page
    .getByLabel("Used so far")
    .evaluate((list) =>
      Object.fromEntries(
        [...list.children].map((figure) => [
          figure.querySelector("dt")?.textContent,
          figure.querySelector("dd")?.textContent,
        ]),
      ),
    );

/**
 * What sticks out of the window to a side, where nobody can reach it, and what runs out of its own button.
 * @param {Page} page
 * @returns {Promise<string[]>} one sentence each
 */
export const strays = (page) =>
  page.evaluate(() => {
    const found = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    /**
     * What stands in a row that scrolls to the side is reached by that.
     * @param {Element | null} part @returns
     * {boolean}
     */
    const scrolls = (part) =>
      part !== null &&
      ((/auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth) ||
        scrolls(part.parentElement));
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
    for (const control of document.querySelectorAll("button, input, select, [role=tab]")) {
      const { left, right, width } = control.getBoundingClientRect();
      const name = control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";
      if (width > 0 && (left < 0 || right > innerWidth + 0.5) && !scrolls(control))
        found.push(`"${name}" ends at ${right} of ${innerWidth}`);
      const isCut = control.scrollWidth > control.clientWidth + 1 && getComputedStyle(control).overflow === "visible";
      if (control instanceof HTMLButtonElement && isCut)
        found.push(`"${name}" is ${control.scrollWidth} wide in ${control.clientWidth}`);
    }
    return found;
  });

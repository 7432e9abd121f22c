// Every screen and how to get there: for pictures, and for what holds on all of them. A way that has nothing to lead to
// says so.
// @ts-check

/** @typedef {import("playwright/test").Page} Page */
/** @typedef {Record<"plain" | "reviewed" | "failed" | "waiting" | "unknown-pipeline" | "japanese", string>} Runs */
/** @typedef {(page: Page, runs: Runs | null) => Promise<boolean>} Way */

/** Opens the page anew on a screen. @param {Page} page @param {object} route @param {string} [tab] */
export async function at(page, route, tab = "review") {
  await page.evaluate(
    ([where, beside]) => {
      localStorage.setItem("galley.opened", where ?? "");
      localStorage.setItem("galley.tab", beside ?? "");
    },
    [JSON.stringify(route), tab],
  );
  await page.reload();
  await page.locator("main > *").first().waitFor();
  return true;
}

/** @param {keyof Runs} name @param {string} tab @param {((page: Page) => Promise<unknown>)} [then] @returns {Way} */
const run = (name, tab, then) => async (page, runs) => {
  if (!runs) return false;
  await at(page, { screen: "run", run: runs[name] }, tab);
  await page.getByTestId("status").waitFor();
  await page.locator('[role="tab"]').first().waitFor();
  await then?.(page);
  return true;
};

/** @param {string} screen @param {((page: Page) => Promise<unknown>)} [then] @returns {Way} */
const screen = (screen, then) => async (page) => {
  await at(page, { screen });
  await then?.(page);
  return true;
};

/** @param {string} chord @returns {(page: Page) => Promise<unknown>} */
const press = (chord) => async (page) => {
  await page.locator("body").press(chord);
  await page.getByRole("dialog").waitFor();
};

/** @type {Record<string, Way>} */
export const SCREENS = {
  welcome: screen("welcome"),
  launch: screen("launch"),
  "launch-settings": screen("launch", async (page) => {
    for (const level of ["form details", "form details details"]) {
      await page.locator(level).first().locator("summary").first().click();
    }
    await page.locator("form fieldset select").first().selectOption({ index: 1 });
  }),
  library: screen("library"),
  schedules: screen("schedules"),
  ...Object.fromEntries(
    ["appearance", "runs", "profiles", "sources", "tools", "map", "updates", "data"].map((section) => [
      `settings-${section}`,
      async (/** @type {Page} */ page) => {
        await at(page, { screen: "settings", section });
        await page.locator("main section h2").first().waitFor();
        return true;
      },
    ]),
  ),
  "settings-found": screen("settings", (page) => page.getByLabel("Search the settings").fill("key")),
  "key-provider": screen("key", (page) => page.locator("main .offer").first().waitFor()),
  "key-form": screen("key", async (page) => {
    await page.locator("main .offer").first().click();
    await page.locator("main form summary").click();
  }),
  doctor: screen("doctor"),
  help: screen("help"),
  comparison: async (page, runs) =>
    runs !== null && at(page, { screen: "comparison", one: runs.plain, other: runs.reviewed }),
  pipeline: async (page, runs) => {
    // The smallest one that the program makes stands where the desk was filled.
    if (!runs) return false;
    await at(page, { screen: "pipeline", id: "my-pipeline" });
    await page.locator('[data-testid="check"][data-state="done"]').waitFor();
    // Where there is little room the text is behind a tab.
    await page.locator(".cm-content").waitFor({ state: "attached" });
    return true;
  },
  palette: screen("welcome", press("Control+k")),
  shortcuts: screen("welcome", press("Control+/")),
  review: run("reviewed", "review"),
  checks: run("plain", "checks"),
  sources: run("plain", "sources"),
  state: run("reviewed", "state"),
  contracts: run("reviewed", "state", async (page) => {
    // In whatever language: the last of its three looks.
    await page.locator('[role="tabpanel"] .choice button').nth(2).click();
    await page.locator('[role="tabpanel"] table tbody tr').first().waitFor();
  }),
  journal: run("reviewed", "journal"),
  family: run("reviewed", "family"),
  ledger: run("reviewed", "review", async (page) => {
    await page.getByTestId("ledger").click();
    await page.locator("section table tbody tr").first().waitFor();
  }),
  failed: run("failed", "journal"),
  question: run("waiting", "plan"),
  plan: run("unknown-pipeline", "plan"),
  rounds: run("unknown-pipeline", "rounds"),
  places: run("unknown-pipeline", "places"),
  japanese: run("japanese", "review"),
  fork: run("reviewed", "review", (page) => page.locator("body").press("Control+Shift+F")),
  instruct: run("reviewed", "review", async (page) => {
    await page.locator("#message-line").fill("display fewer words");
    await page.locator("#message-line").press("Enter");
    await page.locator(".tool textarea").waitFor();
    await page.locator("#message-line").fill("and once more");
  }),
  trash: async (page) => {
    await at(page, { screen: "welcome" });
    const way = page.locator("nav .way").first();
    // Where the list of runs has no room there is no trash to be seen either.
    if (!(await way.isVisible())) return false;
    await way.click();
    await page.locator("nav .trash").waitFor();
    return true;
  },
};

// The page in headless Chromium over the bridge host. The browser is Debian's own: Playwright's cannot be fetched
// everywhere and would be another one than people have.
// @ts-check
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { chromium, expect as patient } from "playwright/test";
import { binary, pictures } from "./place.mjs";
import { eventually, start } from "./processes.mjs";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function browserPath() {
  for (const name of BROWSERS) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // The next name may be there.
    }
  }
  throw new Error(`none of ${BROWSERS.join(", ")} is installed; \`scripts/prepare tests\` installs one`);
}

/**
 * Starts the bridge on a port of the system's choosing.
 * @param {import("./place.mjs").Place} at
 * @param {Record<string, string>} [env] on top of the place's own
 * @param {"bridge" | "unknown-pipeline"} [program] the bridge, or the one with a pipeline that the page never heard of
 * @returns {Promise<{ url: string, output(): string, stop(signal?: NodeJS.Signals): Promise<void> }>} the address
 * carries
 *   the token
 */
export async function startBridge(at, env = {}, program = "bridge") {
  const bridge = start(binary(program), [], { env: { ...at.env, ...env } });
  at.atEnd(() => bridge.stop());
  const url = await eventually("an address of the bridge", () => {
    if (!bridge.isRunning()) throw new Error(bridge.output());
    return bridge.firstLine();
  });
  return { url, output: bridge.output, stop: bridge.stop };
}

/**
 * Asks the bridge as the page does.
 * @param {string} url with the token
 * @param {string} command
 * @param {unknown} payload
 */
export async function ask(url, command, payload) {
  const address = new URL(url);
  const token = new URLSearchParams(address.hash.slice(1)).get("token");
  const response = await fetch(new URL("/rpc", address), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ cmd: command, payload }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${command}: ${JSON.stringify(answer)}`);
  return answer;
}

/** What is on the page is waited for: an answer to what a test did is on its way. */
export const expect = patient.configure({ timeout: 30_000 });

/**
 * Milliseconds by which answers and events come late, each by chance: a test that fails then waits for something that
 * it
 * does not name, and will fail by itself on a busy machine.
 */
const SLOWNESS = Number(process.env.GALLEY_SLOWNESS ?? 0);

/** Runs in the page before its own scripts. @param {number} most milliseconds */
function beSlow(most) {
  const { fetch, EventSource } = globalThis;
  /** @param {number} due */
  const until = (due) => new Promise((go) => setTimeout(go, due - Date.now()));
  const soon = () => Date.now() + Math.random() * most;
  globalThis.fetch = async (...request) => {
    const answer = await fetch(...request);
    await until(soon());
    return answer;
  };
  globalThis.EventSource = class extends EventSource {
    #told = Promise.resolve();
    /** @param {any} tell */
    set onmessage(tell) {
      super.onmessage = (message) => {
        const due = soon();
        this.#told = this.#told.then(() => until(due)).then(() => tell(message));
      };
    }
  };
}

/** @type {Promise<import("playwright/test").Browser> | undefined} one for all tests of a file */
let browser;
after(async () => (await browser)?.close());

/**
 * Opens the page as a person who has never been there.
 * @param {import("./place.mjs").Place} at
 * @param {string} url
 * @param {import("playwright/test").BrowserContextOptions} [options] `colorScheme`, say
 */
export async function openPage(at, url, options = {}) {
  browser ??= chromium.launch({ executablePath: browserPath(), args: FLAGS, headless: true });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(30_000);
  at.atEnd(() => context.close());
  const page = await context.newPage();
  if (SLOWNESS > 0) await context.addInitScript(beSlow, SLOWNESS);
  /** @type {string[]} what the page complained of: a test may ask that it is empty */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    complaints,
    /** @param {string} name */
    async picture(name) {
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    },
  };
}

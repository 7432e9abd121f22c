// The part of W3C WebDriver that the tests use, over fetch: a client library would bring hundreds of packages for it.
// @ts-check
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Keys that have no character of their own. */
export const keys = {
  backspace: "\uE003",
  enter: "\uE007",
  control: "\uE009",
  escape: "\uE00C",
  end: "\uE010",
  home: "\uE011",
  left: "\uE012",
  right: "\uE014",
};

/** @param {string} base @param {string} method @param {string} path @param {unknown} [body] @param {number} [within] */
async function ask(base, method, path, body, within = 60_000) {
  const response = await fetch(base + path, {
    method,
    headers: { "content-type": "application/json" },
    body: method === "POST" ? JSON.stringify(body ?? {}) : null,
    signal: AbortSignal.timeout(within),
  }).catch((error) => {
    throw new Error(`the driver gave no answer to ${method} ${path}: ${error.message}`, { cause: error });
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/**
 * Opens a session. Naming a browser as well would match none.
 * @param {string} base the driver's address
 * @param {string} application
 * @param {string[]} args
 */
export async function openSession(base, application, args) {
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary: application, args } } };
  const { sessionId } = await ask(base, "POST", "/session", { capabilities });
  const session = `${base}/session/${sessionId}`;

  /** By CSS, or by XPath where it begins with `//`. @param {string} value */
  const by = (value) => ({ using: value.startsWith("//") ? "xpath" : "css selector", value });
  /** @param {string} selector */
  const find = async (selector) => {
    const found = await ask(session, "POST", "/element", by(selector));
    return `/element/${found[ELEMENT]}`;
  };

  return {
    /** What a person reads there. @param {string} selector @returns {Promise<string>} */
    text: async (selector) => ask(session, "GET", `${await find(selector)}/text`),
    /** @param {string} selector @param {string} name @returns {Promise<unknown>} */
    property: async (selector, name) => ask(session, "GET", `${await find(selector)}/property/${name}`),
    /** @param {string} selector @returns {Promise<boolean>} */
    isEnabled: async (selector) => ask(session, "GET", `${await find(selector)}/enabled`),
    /** @param {string} selector @returns {Promise<number>} how many there are */
    count: async (selector) => (await ask(session, "POST", "/elements", by(selector))).length,
    /** @param {string} selector */
    click: async (selector) => ask(session, "POST", `${await find(selector)}/click`),
    /** @param {string} selector */
    clear: async (selector) => ask(session, "POST", `${await find(selector)}/clear`),
    /** @param {string} selector @param {string} text */
    type: async (selector, text) => ask(session, "POST", `${await find(selector)}/value`, { text }),
    /**
     * Runs the body of a function in the page; a promise is waited for.
     * @param {string} body
     * @param {unknown[]} args
     */
    run: (body, ...args) => ask(session, "POST", "/execute/sync", { script: body, args }),
    title: () => ask(session, "GET", "/title"),
    /** @param {number} width @param {number} height */
    resize: (width, height) => ask(session, "POST", "/window/rect", { width, height }),
    reload: () => ask(session, "POST", "/refresh"),
  };
}

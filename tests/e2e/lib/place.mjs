// Where a test lives: a data folder and a home of its own, removed when the test ends, and the binaries it runs.
// @ts-check
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const e2e = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(e2e));

/** Pictures of the last test run, for a person to look at. */
export const pictures = join(e2e, "out");

/** @param {string} name */
export function binary(name) {
  return join(process.env.GALLEY_BINARIES ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug"), name);
}

/**
 * @typedef {object} Place
 * @property {string} home what the programs take for the person's home
 * @property {string} folder the data folder, in it
 * @property {Record<string, string>} env leads every program there
 * @property {(end: () => Promise<void>) => void} atEnd what ends before the folder is removed, the last begun first
 *
 * @param {{ after(done: () => Promise<void>): void }} test the context of the test that the place belongs to
 * @returns {Promise<Place>}
 */
export async function place(test) {
  const home = await mkdtemp(join(tmpdir(), "galley-e2e-"));
  // Where the test is broken off, its end does not come to it.
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  /** @type {(() => Promise<void>)[]} */
  const endings = [];
  test.after(async () => {
    for (const end of endings.reverse()) await end();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const folder = join(home, "data");
  await mkdir(folder);
  return {
    home,
    folder,
    atEnd: (end) => void endings.push(end),
    env: {
      GALLEY_DATA_DIR: folder,
      // What happens to run on this machine is no part of a test: nobody listens there.
      OLLAMA_HOST: "127.0.0.1:9",
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_DATA_HOME: join(home, "share"),
      XDG_CACHE_HOME: join(home, "cache"),
    },
  };
}

/**
 * Lets a server listen on a free port of this machine until the test ends; gives the port.
 * @param {Place} at @param {import("node:http").Server} server
 */
export async function listening(at, server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  at.atEnd(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}

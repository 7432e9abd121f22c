// Programs that a test starts: each leads a process group of its own, so that ending it leaves nothing behind, also
// when the test itself is broken off, and keeps the end of its output, because that is where the reason of a failure
// stands.
// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

// More than any of the programs says in a test, so that what is looked for in its output is looked for in all of it.
const KEPT = 4_000_000;

/** @type {Set<number>} the groups that may still have somebody */
const groups = new Set();
process.on("exit", () => {
  for (const group of groups) signalGroup(group, "SIGKILL");
});
// Without a handler a signal ends this process on the spot, and nobody tidies up.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => process.exit(1));

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string }} [options] `env` is added to this process's own.
 */
export function start(program, args, options = {}) {
  const child = spawn(program, args, {
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid) groups.add(child.pid);
  let output = "";
  /** @param {Buffer} part */
  const keep = (part) => {
    output = (output + part.toString()).slice(-KEPT);
  };
  let beginning = "";
  child.stdout.on("data", (part) => {
    if (!beginning.includes("\n")) beginning += part.toString();
    keep(part);
  });
  child.stderr.on("data", keep);
  /** @type {Error | undefined} */
  let failure;
  child.on("error", (error) => {
    failure = error;
  });
  // Its last words may come after its end.
  let isClosed = false;
  child.on("close", () => {
    isClosed = true;
  });
  const isRunning = () => !failure && !isClosed;

  return {
    pid: child.pid,
    isRunning,
    /** Null while it runs, and when a signal ended it. */
    exitCode: () => child.exitCode,
    /** The end of what it printed. */
    output: () => (failure ? `${program} cannot be started: ${failure.message}` : output),
    /** The first line of standard output, when it is there. */
    firstLine: () => {
      const end = beginning.indexOf("\n");
      return end < 0 ? undefined : beginning.slice(0, end);
    },
    /**
     * Asks the whole group to end, waits until it has, and insists after twenty seconds.
     * @param {NodeJS.Signals} [signal]
     */
    async stop(signal = "SIGTERM") {
      if (!child.pid) return;
      const end = Date.now() + 20_000;
      signalGroup(child.pid, signal);
      while (Date.now() < end && signalGroup(child.pid, 0)) await delay(20);
      signalGroup(child.pid, "SIGKILL");
      groups.delete(child.pid);
    },
  };
}

/** False when nobody of the group is left. @param {number} pid @param {NodeJS.Signals | 0} signal */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** A port that nobody listens on: the system chooses it, and it is given back for the program under test. */
export async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (!address || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}

/** @param {number} ms */
export const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks again until the answer is neither undefined, null nor false; what it last threw explains a timeout.
 * @template T
 * @param {string} what
 * @param {() => Promise<T> | T} ask
 * @param {number} [within] milliseconds
 * @returns {Promise<NonNullable<T>>}
 */
export async function eventually(what, ask, within = 30_000) {
  const end = Date.now() + within;
  let reason = "";
  do {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
      reason = "";
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : error}`;
    }
    await delay(50);
  } while (Date.now() < end);
  throw new Error(`after ${within} ms still not ${what}${reason}`);
}

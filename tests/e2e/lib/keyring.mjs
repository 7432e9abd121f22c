// A Secret Service of the test's own: a session bus and on it a keyring that is unlocked, or one whose person or
// policy says no, so that keys are kept as on a person's machine and nothing of this one is touched.
// @ts-check
import { execFileSync, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { binary } from "./place.mjs";
import { eventually, start } from "./processes.mjs";

/** A bus that nobody answers on. */
export const NO_KEYRING = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" };

/**
 * @param {import("./place.mjs").Place} at
 * @returns {Promise<Record<string, string>>} what leads a program to it
 */
export const keyring = async (at) => (await startedAnew(at)).env;

/**
 * The same, which can be started anew with what it kept, as after a new login: unlocked, or not.
 * @param {import("./place.mjs").Place} at
 */
export async function startedAnew(at) {
  const env = await bus(at);
  /** @type {() => Promise<void>} */
  let end = async () => {};
  const begin = async (isUnlocked = true) => {
    await end();
    // Its password comes on standard input, which `start` closes.
    const daemon = spawn(
      "gnome-keyring-daemon",
      ["--foreground", "--components=secrets", ...(isUnlocked ? ["--unlock"] : [])],
      {
        env: { PATH: process.env.PATH, ...env },
        stdio: ["pipe", "ignore", "ignore"],
      },
    );
    const kill = () => void daemon.kill("SIGKILL");
    process.on("exit", kill);
    end = async () => {
      process.off("exit", kill);
      const ended = new Promise((done) => daemon.once("exit", done));
      if (daemon.exitCode === null && daemon.signalCode === null && daemon.kill("SIGKILL")) await ended;
    };
    daemon.stdin.end("a password");
    await answers(env);
  };
  at.atEnd(() => end());
  await begin();
  return { env: { DBUS_SESSION_BUS_ADDRESS: env.DBUS_SESSION_BUS_ADDRESS }, begin };
}

/**
 * @param {import("./place.mjs").Place} at
 * @param {string[]} how `dismissing` and the profiles it has a locked key of, or `refusing`
 * @returns {Promise<{ env: Record<string, string>, prompts: () => number }>} what leads a program to it, and how
 * often it asked
 */
export async function refusingKeyring(at, ...how) {
  const env = await bus(at);
  const service = start(binary("refusing-keyring"), how, { env });
  at.atEnd(() => service.stop());
  await answers(env);
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: env.DBUS_SESSION_BUS_ADDRESS },
    prompts: () => service.output().split("prompt\n").length - 1,
  };
}

/** @param {import("./place.mjs").Place} at */
async function bus(at) {
  const home = join(at.home, "keyring");
  await mkdir(home, { mode: 0o700 });
  const env = { HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  const daemon = start("dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1"], { env });
  at.atEnd(() => daemon.stop());
  const address = await eventually("an address of the bus", () => {
    if (!daemon.isRunning()) throw new Error(daemon.output());
    return daemon.firstLine();
  });
  return { ...env, DBUS_SESSION_BUS_ADDRESS: address };
}

/** @param {{ DBUS_SESSION_BUS_ADDRESS: string }} env */
const answers = (env) =>
  eventually("the Secret Service", () =>
    execFileSync(
      "dbus-send",
      [
        `--bus=${env.DBUS_SESSION_BUS_ADDRESS}`,
        "--print-reply",
        "--dest=org.freedesktop.DBus",
        "/",
        "org.freedesktop.DBus.NameHasOwner",
        "string:org.freedesktop.secrets",
      ],
      { encoding: "utf8" },
    ).includes("boolean true"),
  );

// A Secret Service of the test's own: a session bus and an unlocked keyring on it, so that keys are kept as on a person's
// machine and nothing of this one is touched.
// @ts-check
import { execFileSync, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { eventually, start } from "./processes.mjs";

/** A bus that nobody answers on. */
export const NO_KEYRING = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" };

/**
 * @param {import("./place.mjs").Place} at
 * @returns {Promise<Record<string, string>>} what leads a program to it
 */
export async function keyring(at) {
  const home = join(at.home, "keyring");
  await mkdir(home, { mode: 0o700 });
  const bus = start("dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1"], { env: { XDG_RUNTIME_DIR: home } });
  at.atEnd(() => bus.stop());
  const address = await eventually("an address of the bus", () => {
    if (!bus.isRunning()) throw new Error(bus.output());
    return bus.firstLine();
  });
  // Its password comes on standard input, which `start` closes.
  const daemon = spawn("gnome-keyring-daemon", ["--foreground", "--components=secrets", "--unlock"], {
    env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home, DBUS_SESSION_BUS_ADDRESS: address },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const kill = () => void daemon.kill("SIGKILL");
  process.on("exit", kill);
  at.atEnd(async () => {
    process.off("exit", kill);
    const ended = new Promise((done) => daemon.once("exit", done));
    if (daemon.exitCode === null && daemon.signalCode === null && daemon.kill("SIGKILL")) await ended;
  });
  daemon.stdin.end("a password");
  await eventually("the Secret Service", () =>
    execFileSync("dbus-send", [`--bus=${address}`, "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"], { encoding: "utf8" }).includes("boolean true"),
  );
  return { DBUS_SESSION_BUS_ADDRESS: address };
}

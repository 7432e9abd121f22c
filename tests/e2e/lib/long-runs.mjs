// Runs of many events, written after the pattern of a real one.
// @ts-check
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { binary } from "./place.mjs";
import { galley, runOf } from "./terminal.mjs";

/** Makes the run that long ones are written after. @param {import("./place.mjs").Place} at */
export const makePattern = (at) => galley(at, runOf("retrieval-augmented generation", "built-in"));

/**
 * Writes a run of so many events, or a few less, after the shortest finished one.
 * @param {import("./place.mjs").Place} at
 * @param {number} events
 * @returns {Promise<string>} its id
 */
export async function writeLong(at, events) {
  const { stdout } = await promisify(execFile)(binary("long-run"), ["--events", String(events)], {
    env: { ...process.env, ...at.env },
  });
  return stdout.trim();
}

// The terminal host, for what a test prepares or looks up beside the page: profiles, a run of another process, the
// exact records of a run. What the terminal itself does is tested elsewhere.
// @ts-check
import { binary } from "./place.mjs";
import { eventually, start } from "./processes.mjs";

/**
 * Runs `galley` to its end.
 * @param {import("./place.mjs").Place} at
 * @param {string[]} args
 * @param {Record<string, string>} [env] on top of the place's own
 * @returns {Promise<string>} what it printed
 */
export async function galley(at, args, env = {}) {
  const program = begin(at, args, env);
  await eventually(`an end of \`galley ${args[0]}\``, () => !program.isRunning());
  if (program.exitCode() !== 0)
    throw new Error(`galley ${args.join(" ")} exits ${program.exitCode()}: ${program.output()}`);
  return program.output();
}

/**
 * Starts `galley` and leaves it running.
 * @param {import("./place.mjs").Place} at
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function begin(at, args, env = {}) {
  const program = start(binary("galley"), args, { env: { ...at.env, ...env } });
  at.atEnd(() => program.stop());
  return program;
}

/**
 * A profile of a model on the loopback.
 * @param {import("./place.mjs").Place} at
 * @param {string} name
 * @param {string} baseUrl
 * @param {string} [keyVariable] the variable that holds the key; without it no key is sent
 */
export function addProfile(at, name, baseUrl, keyVariable) {
  const key = keyVariable ? ["--key-env", keyVariable] : ["--no-key"];
  // Only a variable that is set is taken for one.
  const env = keyVariable ? { [keyVariable]: "any" } : {};
  return galley(
    at,
    [
      "profile",
      "add",
      name,
      "--provider",
      "openai-compatible",
      "--base-url",
      baseUrl,
      "--model",
      "default=news-1",
      ...key,
    ],
    env,
  );
}

/** What a run on the sample library takes. @param {string} topic @param {string} profile */
export function runOf(topic, profile) {
  return [
    "run",
    "ai-news",
    "--input",
    `user_topic=${topic}`,
    "--source",
    "library",
    "--as-of",
    "2026-07-01",
    "--profile",
    profile,
  ];
}

/** What a visit with invented data takes. */
export const VISIT = [
  "run",
  "pilgrimage",
  "--source",
  "demonstration",
  "--profile",
  "built-in",
  "--input",
  "date=2026-12-05",
  "--input",
  "user_query=From Matsumoto station, visit the places of “The Lending Library on Glass Hill”",
];

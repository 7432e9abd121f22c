// The titles that stand for names: of limits, of the agents and keys of the run that is open.
import type { LimitName } from "../ipc/bindings";

let titles: ReadonlyMap<string, string> = new Map();
let known: ReadonlyMap<string, string> = new Map();

/** Takes the titles that stand for names in the run that is open. */
export function learnTitles(found: ReadonlyMap<string, string>): void {
  titles = found;
}

/** Takes the titles that stand for names in any run: the ones of the run that is open come before them. */
export function learnKnownTitles(found: ReadonlyMap<string, string>): void {
  known = found;
}

/** The title of an agent or a key; what has none stands by its name. */
export function titleOf(name: string): string {
  return titles.get(name) ?? known.get(name) ?? name;
}

/** The names of limits, which the program's sentences carry. */
export const LIMIT_NAMES = [
  "max_llm_calls",
  "max_output_tokens",
  "max_execution_time_s",
  "max_total_tokens",
  "max_tool_calls",
  "max_cost",
] as const satisfies readonly LimitName[];

/** A sentence where names cannot be set as code. */
export function unquoted(sentence: string): string {
  return sentence.replace(/`([^`\n]+)`/g, "“$1”");
}

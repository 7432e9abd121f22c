// What the program says, as the window says it: its sentences are for the terminal too, which knows commands and names.
import type { LimitName } from "../ipc/bindings";

/** What parts the clauses of a sentence, in the languages of the page. */
const PARTS = /(; |\. |, or |: |；|。|，或)/;
/** A command or an option of the terminal. */
const TERMINAL = /`galley |(^|\s)--[a-z]/;

let titles: ReadonlyMap<string, string> = new Map();
let names: RegExp | null = null;

/** Takes the titles that stand for names: of limits, of the agents and keys of the run that is open. */
export function learnTitles(found: ReadonlyMap<string, string>): void {
  titles = found;
  const all = [...found.keys()].map((name) => name.replace(/\W/g, "\\$&"));
  // Without backticks a name is one only where it is no ordinary word.
  const unmistakable = all.filter((name) => /_|[a-z][A-Z]/.test(name));
  names = unmistakable.length === 0 ? null : new RegExp(`\`(${all.join("|")})\`|(?<![\\w\`])(${unmistakable.join("|")})(?![\\w\`])`, "g");
}

/** The title of an agent or a key of the run that is open; what has none stands by its name. */
export function titleOf(name: string): string {
  return titles.get(name) ?? name;
}

/** The names of limits, which the program's sentences carry. */
export const LIMIT_NAMES = ["max_llm_calls", "max_output_tokens", "max_execution_time_s", "max_total_tokens", "max_tool_calls", "max_cost"] as const satisfies readonly LimitName[];

/** A sentence without what only a terminal can do, and with titles in place of names. */
export function plain(sentence: string): string {
  const said = TERMINAL.test(sentence) ? withoutTerminal(sentence) : sentence;
  return names ? said.replace(names, (whole, quoted: string | undefined, bare: string | undefined) => titles.get(quoted ?? bare ?? "") ?? whole) : said;
}

/** Leaves out the clauses that name a command; the rest ends as the sentence did. */
function withoutTerminal(sentence: string): string {
  const parts = sentence.split(PARTS);
  const kept: string[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [clause = "", before = ""] = [parts[index], index === 0 ? "" : parts[index - 1]];
    if (TERMINAL.test(clause)) continue;
    if (kept.length > 0) kept.push(before);
    kept.push(clause);
  }
  const said = kept.join("");
  return /[.。]$/.test(sentence) && said !== "" && !/[.。]$/.test(said) ? said + sentence.slice(-1) : said;
}

/** The same where names cannot be set as code. */
export function unquoted(sentence: string): string {
  return sentence.replace(/`([^`\n]+)`/g, "“$1”");
}

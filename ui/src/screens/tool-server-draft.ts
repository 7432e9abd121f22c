// A tool server as its form has it, and what the program is asked to keep of that.
import type { GivenValue, ToolServerSetup } from "../ipc/bindings";

/** A variable or header. What was typed as a secret is never shown as a plain value. */
export type GivenRow = {
  id: number;
  name: string;
  from: GivenValue["from"];
  text: string;
  variable: string;
  secret: string;
};
export type ToolServerDraft = {
  name: string;
  isAddress: boolean;
  command: string;
  /** One argument on each line. */
  args: string;
  folder: string;
  url: string;
  given: GivenRow[];
  timeout: number | null;
  /** Whether only chosen tools are offered. */
  isChosen: boolean;
  tools: string[];
};

export const emptyRow = (id: number): GivenRow => ({ id, name: "", from: "text", text: "", variable: "", secret: "" });

const rowOf = ([name, value]: [string, GivenValue | undefined], id: number): GivenRow => ({
  ...emptyRow(id),
  name,
  from: value?.from ?? "text",
  text: value?.from === "text" ? value.text : "",
  variable: value?.from === "variable" ? value.variable : "",
});

export function draftOf(setup: ToolServerSetup | null): ToolServerDraft {
  return {
    name: setup?.name ?? "",
    isAddress: (setup?.url ?? "") !== "",
    command: setup?.command ?? "",
    args: setup?.args.join("\n") ?? "",
    folder: setup?.folder ?? "",
    url: setup?.url ?? "",
    given: Object.entries(setup?.given ?? {}).map(rowOf),
    timeout: setup?.timeout_s ?? null,
    isChosen: (setup?.tools.length ?? 0) > 0,
    tools: [...(setup?.tools ?? [])],
  };
}

/** The rows in which something was typed. */
export const filledRows = ({ given }: ToolServerDraft): GivenRow[] =>
  given.filter((row) => row.name.trim() !== "" || row.text + row.variable + row.secret !== "");

const valueOf = ({ from, text, variable }: GivenRow): GivenValue =>
  from === "text" ? { from, text } : from === "variable" ? { from, variable: variable.trim() } : { from };

/** What the program is to keep of it, in place of `begun`. */
export function setupOf(draft: ToolServerDraft, begun: ToolServerSetup | null): ToolServerSetup {
  const { isAddress } = draft;
  // An argument may hold line breaks or nothing at all: those that nobody touched stay.
  const isUntouched = begun !== null && begun.args.join("\n") === draft.args;
  const args = isUntouched ? begun.args : draft.args.split("\n").filter((line) => line.trim() !== "");
  return {
    name: draft.name.trim(),
    command: isAddress ? "" : draft.command.trim(),
    args: isAddress ? [] : args,
    folder: isAddress ? "" : draft.folder.trim(),
    url: isAddress ? draft.url.trim() : "",
    given: Object.fromEntries(filledRows(draft).map((row) => [row.name.trim(), valueOf(row)])),
    tools: draft.isChosen ? [...draft.tools] : [],
    timeout_s: draft.timeout,
    is_off: begun?.is_off ?? false,
  };
}

/** The values for the keyring that were typed. */
export const secretsOf = (draft: ToolServerDraft): Record<string, string> =>
  Object.fromEntries(
    filledRows(draft)
      .filter(({ from, secret }) => from === "keyring" && secret !== "")
      .map(({ name, secret }) => [name.trim(), secret]),
  );

/** Whom the keyring gives a secret to: another name, command or address does not get it. */
export const receiverOf = ({ name, command, args, url }: ToolServerSetup): string =>
  JSON.stringify([name, url === "" ? [command, args] : url]);

/** The names of the secrets that are kept and stay good for what is saved. */
export function keptSecrets(setup: ToolServerSetup, begun: ToolServerSetup | null): string[] {
  if (begun === null || receiverOf(setup) !== receiverOf(begun)) return [];
  return Object.keys(begun.given).filter((name) => begun.given[name]?.from === "keyring");
}

/** The name that two rows have; headers are the same regardless of case. */
export function doubledName(draft: ToolServerDraft): string | null {
  const names = filledRows(draft).map(({ name }) => (draft.isAddress ? name.trim().toLowerCase() : name.trim()));
  return names.find((name, index) => name !== "" && names.indexOf(name) < index) ?? null;
}

/**
 * Whether there is somewhere to sign in: a program has none, and a header of the person's own takes the place of a
 * sign-in.
 */
export const canSignIn = ({ url, given }: ToolServerSetup): boolean =>
  url !== "" && !Object.keys(given).some((name) => name.toLowerCase() === "authorization");

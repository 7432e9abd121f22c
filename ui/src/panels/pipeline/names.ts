// The names that a pipeline has: which a field can hold, and who uses a key.
import type { TomlDocument } from "../../kit/toml-document";

/** Whose names a field can hold. */
export type NameKind = "keys" | "agents" | "on_demand" | "slots" | "notes";

/** The names that a field can hold. */
export function namesFor(document: TomlDocument, kind: NameKind): string[] {
  const onDemand = (name: string) => document.data(["agent", name, "on_demand"]) === true;
  switch (kind) {
    case "keys":
      return [...new Set([...document.names(["input"]), ...document.names(["key"])])];
    case "agents":
      return document.names(["agent"]).filter((name) => !onDemand(name));
    case "on_demand":
      return document.names(["agent"]).filter(onDemand);
    case "slots":
      return document.names(["tool"]);
    case "notes":
      return document.names(["note"]);
  }
}

/** The agents that write a key and those that read it, by title. */
export function usersOf(document: TomlDocument, key: string): { writers: string[]; readers: string[] } {
  const agents = document
    .names(["agent"])
    .map((name) => ({ name, data: (document.data(["agent", name]) ?? {}) as Record<string, unknown> }));
  const titles = (lists: readonly string[]) =>
    agents
      .filter(({ data }) => lists.some((list) => [data[list]].flat().includes(key)))
      .map(({ name, data }) => (typeof data["title"] === "string" ? data["title"] : name));
  return { writers: titles(["writes"]), readers: titles(["reads", "may_read"]) };
}

/** The title of an agent; one without a title stands by its name. */
export function titleIn(document: TomlDocument, agent: string): string {
  const title = document.data(["agent", agent, "title"]);
  return typeof title === "string" && title !== "" ? title : agent;
}

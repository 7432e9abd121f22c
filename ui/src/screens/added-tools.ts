// Which tools of servers are added to a pipeline: by server, as they are chosen, and as the program keeps them.
import type { ForeignToolCard, ToolServerCard } from "../ipc/bindings";

/** What stands for every tool of a server. */
const ALL = "*";

/** A server as a pipeline has it. */
export type AddedServer = {
  name: string;
  isOff: boolean;
  /** What it offers; at the end, what was added and is not offered any more. */
  tools: readonly ForeignToolCard[];
  /** Whether all of its tools are added, also later ones. */
  isWhole: boolean;
  /** The tools that are added one by one, by their names at the server. */
  chosen: readonly string[];
  /** About so many tokens the added tools take in each request to a model. */
  tokens: number;
};

const sum = (tools: readonly ForeignToolCard[]) => tools.reduce((tokens, tool) => tokens + tool.tokens, 0);

/** What a server offers of the tools that it listed. */
export const offeredOf = ({
  setup,
  listed,
}: Pick<ToolServerCard, "setup"> & { listed: readonly ForeignToolCard[] }): readonly ForeignToolCard[] =>
  setup.tools.length === 0 ? listed : listed.filter(({ name }) => setup.tools.includes(name));

/**
 * The servers with what of each is added; `added` is `SERVER/TOOL`, or `SERVER/*`. `gone` describes what is not
 * offered any more.
 */
export function addedServers(servers: readonly ToolServerCard[], added: readonly string[], gone = ""): AddedServer[] {
  return servers.map((card) => {
    const { name, is_off: isOff } = card.setup;
    const named = added.filter((tool) => tool.startsWith(`${name}/`)).map((tool) => tool.slice(name.length + 1));
    const [offered, isWhole] = [offeredOf(card), named.includes(ALL)];
    const chosen = isWhole ? [] : named;
    const lost = chosen.filter((tool) => !offered.some((one) => one.name === tool));
    const tools = [...offered, ...lost.map((tool) => ({ name: tool, description: gone, tokens: 0 }))];
    return {
      name,
      isOff,
      tools,
      isWhole,
      chosen,
      tokens: sum(isWhole ? offered : offered.filter((tool) => chosen.includes(tool.name))),
    };
  });
}

/** The added tools with one more or less. */
export function withTool(added: readonly string[], server: string, tool: string, isAdded: boolean): string[] {
  const name = `${server}/${tool}`;
  return [...added.filter((other) => other !== name), ...(isAdded ? [name] : [])];
}

/** The added tools with all of a server, or none of it. */
export const withServer = (added: readonly string[], server: string, isWhole: boolean): string[] =>
  withTool(
    added.filter((tool) => !tool.startsWith(`${server}/`)),
    server,
    ALL,
    isWhole,
  );

// What a fork asks again, from what the same calls used in this run: told before it is started.
import { money, t, wholeNumber } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import type { Outline } from "../ipc/bindings";
import { BUILT_IN } from "../ipc/names";
import { costText } from "./budget-text";
import { agents } from "./stages";
import type { Call, CallUsage, View } from "./view-types";

export type AskedAgain = {
  /**
   * Requests to models, with those that the built-in function answered in this run and a model would answer in the
   * fork.
   */
  requests: number;
  /** Whether there were more calls than are kept. */
  isAtLeast: boolean;
  /** What the same requests used; null where the run made none of them. */
  recorded: Pick<CallUsage, "tokens" | "cost" | "unpriced"> | null;
  /** How many stages are taken over whole. */
  reused: number;
  /** Titles of agents that ask models and have no call in this run. */
  unrun: string[];
};

/**
 * What runs again in a fork after event `at`. `before` is the run at that moment: what a call had asked by then is
 * taken
 * over. `chosen` is the profile that the person chose for an agent; nothing where it asks the one that it asked.
 */
export function askedAgain(
  head: View,
  outline: Outline,
  at: number,
  before: View | null = null,
  chosen: (agent: string) => string | undefined = () => undefined,
): AskedAgain {
  const all = agents(outline);
  const calls = [...head.calls.values()];
  const again = calls.filter(({ endedSeq }) => endedSeq === null || endedSeq > at);
  const parts = again.map((call) => ({
    call,
    used: without(call.used, call.startedSeq > at ? undefined : before?.calls.get(call.path)),
  }));
  const requests = parts.map(({ call: { agent }, used }) => {
    const profile = chosen(agent);
    if (profile === undefined) return used.requests;
    return profile === BUILT_IN ? 0 : used.requests + used.builtIn;
  });
  const recorded = parts.filter(({ used }, index) => used.requests > 0 && requests[index]! > 0).map(({ used }) => used);
  const sum = (of: (used: CallUsage) => number) => recorded.reduce((all, used) => all + of(used), 0);
  const isStage = ({ agent }: Call) => all.get(agent)?.children.length === 0;
  const hasRun = new Set(calls.map(({ agent }) => agent));
  return {
    requests: requests.reduce((all, n) => all + n, 0),
    isAtLeast: [...new Set(parts.filter(({ used }) => used.requests > 0).map(({ call }) => call.agent))].some((agent) =>
      isCut(head, calls, agent, at),
    ),
    recorded:
      recorded.length === 0
        ? null
        : {
            tokens: sum(({ tokens }) => tokens),
            cost: recorded.every(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
            unpriced: sum(({ unpriced }) => unpriced),
          },
    reused: new Set(calls.filter((call) => isStage(call) && !again.includes(call)).map(({ agent }) => agent)).size,
    unrun:
      head.outcome === "finished"
        ? []
        : [...all.values()]
            .filter(
              ({ name, agent }) =>
                agent.kind === "llm" && !hasRun.has(name) && !head.skipped.has(name) && chosen(name) !== BUILT_IN,
            )
            .map(({ title }) => pipelineText(title)),
  };
}

/** Whether older calls of an agent that run again too were let go of. */
function isCut(head: View, calls: readonly Call[], agent: string, at: number): boolean {
  const kept = calls.filter((call) => call.agent === agent);
  return kept.length < (head.times.get(agent) ?? 0) && kept.every(({ startedSeq }) => startedSeq > at);
}

function without(used: CallUsage, before: Call | undefined): CallUsage {
  if (!before) return used;
  const { requests, builtIn, tokens, cost, unpriced } = before.used;
  return {
    requests: used.requests - requests,
    builtIn: used.builtIn - builtIn,
    tokens: used.tokens - tokens,
    cost: used.cost === null ? null : used.cost - (cost ?? 0),
    unpriced: used.unpriced - unpriced,
  };
}

/** The estimate in one line: what is asked, what that used in this run, and what is taken over at no cost. */
export function askedAgainText({ requests, isAtLeast, recorded, reused, unrun }: AskedAgain): string {
  const asks =
    requests > 0
      ? t(isAtLeast ? "again.asks_at_least" : "again.asks", { n: requests })
      : unrun.length === 0
        ? t("again.asks_none")
        : "";
  const used = requests === 0 ? "" : recorded ? usedText(recorded) : t("again.unknown");
  const first = unrun.length === 0 ? "" : t("again.first", { who: unrun.join(t("remark.and")) });
  const taken = reused === 0 ? "" : t("again.reused", { n: reused, cost: money(0) });
  return [[asks, used].filter((part) => part !== "").join(t("again.then")), first, taken]
    .filter((part) => part !== "")
    .join(" · ");
}

function usedText({ tokens, cost, unpriced }: Pick<CallUsage, "tokens" | "cost" | "unpriced">): string {
  const told = { tokens: wholeNumber(tokens) };
  if (cost === null) return t("again.used_no_price", told);
  return t("again.used", { ...told, cost: costText(cost, unpriced) });
}

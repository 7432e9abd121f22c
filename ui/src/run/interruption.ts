// Where a run stood when its program ended, and what its resumption does: which stages keep their results, which run,
// and what is done a second time.
import { t } from "../i18n";
import { phraseText } from "../i18n/phrase";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import { titleOf } from "../i18n/titles";
import type { Outline } from "../ipc/bindings";
import { numberOf, ownInstance, segments } from "./place";
import { agents } from "./stages";
import type { Call, View } from "./view-types";

export type Interruption = {
  /** The stages that worked, with their round or item. */
  stoppedAt: string[];
  restored: string[];
  willRun: string[];
  /** What tools had begun to do outside of the run. Where it may be done only once, the person is asked first. */
  mayRepeat: { title: string; isAsked: boolean }[];
};

export function interruptionOf(view: View, outline: Outline): Interruption {
  const all = agents(outline);
  const leaves = [...all.values()].filter(({ children }) => children.length === 0);
  const calls = [...view.calls.values()];
  const isOpen = ({ endedSeq }: Call) => endedSeq === null;
  const of = ({ name }: Outline) => calls.filter(({ agent }) => agent === name);
  const open = leaves.flatMap((agent) => of(agent).filter(isOpen).slice(-MOST));
  /** An agent on demand may be started again as long as what starts it works. */
  const isStarted = ({ name, is_on_demand: onDemand }: Outline) =>
    onDemand === true &&
    [...all.values()].some((parent) => parent.children.some((child) => child.name === name) && of(parent).some(isOpen));
  const willRun = leaves.filter((agent) => {
    if (view.skipped.has(agent.name)) return false;
    const own = of(agent);
    return own.length === 0 || own.some(isOpen) || own.at(-1)?.error != null || isStarted(agent);
  });
  return {
    stoppedAt: open.map((call) => `${title(all.get(call.agent)!)}${placeIn(call.path, all)}`),
    restored: leaves
      .filter((agent) => of(agent).some((call) => !isOpen(call) && !call.error) && !of(agent).some(isOpen))
      .map(title),
    willRun: willRun.map(title),
    mayRepeat: [...view.waiting.values()]
      .filter(({ repeats }) => repeats !== null && repeats !== "pure")
      .map(({ title: what, agent, repeats }) => ({
        title: what ? phraseText(what) : titleOf(agent),
        isAsked: repeats === "once",
      })),
  };
}

/** So many calls of an agent are named; more worked beside each other. */
const MOST = 3;
const title = (agent: Outline): string => pipelineText(agent.title);

/** Its round of how many, or its item; empty where it has neither. */
function placeIn(path: string, all: ReadonlyMap<string, Outline>): string {
  const own = ownInstance(path);
  if (own !== null) return t("halted.item", { n: numberOf(own) });
  const [loop] = segments(path)
    .filter(({ round }) => round !== null)
    .slice(-1);
  const agent = loop && all.get(loop.agent)?.agent;
  return agent?.kind === "loop" ? t("halted.round", { n: loop?.round ?? 1, most: agent.max_rounds }) : "";
}

/** The same in sentences, one each. */
export function interruptionText({ stoppedAt, restored, willRun, mayRepeat }: Interruption): string[] {
  const list = (names: readonly string[]) => names.join(t("remark.and"));
  return [
    stoppedAt.length === 0 ? t("halted.between") : t("halted.at", { who: list(stoppedAt) }),
    restored.length === 0 ? "" : t("halted.restored", { who: list(restored) }),
    willRun.length === 0 ? "" : t("halted.will_run", { who: list(willRun) }),
    mayRepeat.length === 0
      ? t("halted.repeats_nothing")
      : t("halted.may_repeat", {
          what: list(
            mayRepeat.map(({ title: what, isAsked }) =>
              t(isAsked ? "halted.asked_first" : "halted.in_flight", { what }),
            ),
          ),
        }),
  ].filter((sentence) => sentence !== "");
}

// Reading places in the tree of a run: `root/writer#2`, `loop#1[2]/writer#1`, `both|left#1`.
import { t } from "../i18n";

export type Segment = { agent: string; round: number | null };

/** The segments of a path, outermost first. */
export function segments(path: string): Segment[] {
  return path.split(/[/|]/).map((text) => {
    const round = /\[(\d+)\]$/.exec(text);
    return { agent: (text.split(/[#[]/)[0] ?? text) || text, round: round ? Number(round[1]) : null };
  });
}

/** Whether a place is another, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path.startsWith(other) && /^([/|[]|$)/.test(path.slice(other.length));
}

/** The agent at a path: the name of the last segment. */
export function agentAt(path: string): string {
  return segments(path).at(-1)?.agent ?? path;
}

/** A call's place in words: its rounds and how often the agent was called there. */
export function placeOf(path: string): string {
  const way = segments(path);
  const rounds = way.flatMap(({ round }) => (round === null ? [] : [t("stage.in_round", { n: round })]));
  const call = /#(\d+)(?:\[\d+\])?$/.exec(path)?.[1] ?? "1";
  return [...rounds, t("stage.nth", { n: Number(call) })].join(" · ");
}

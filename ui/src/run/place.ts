// Reading places in the tree of a run: `root/writer#2`, `loop#1[2]/writer#1`, `both|left#1`, `each#1*research#17`.
import { t } from "../i18n";

/** A part of a path: `place` is the path up to it, without its round. */
export type Segment = { agent: string; round: number | null; place: string };

/** The segments of a path, outermost first. */
export function segments(path: string): Segment[] {
  return [...path.matchAll(/[^/|*]+/g)].map(({ 0: text, index }) => {
    const round = /\[(\d+)\]$/.exec(text);
    const place = path.slice(0, index + text.length - (round?.[0].length ?? 0));
    return { agent: (text.split(/[#[]/)[0] ?? text) || text, round: round ? Number(round[1]) : null, place };
  });
}

/** Whether a place is another, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path.startsWith(other) && /^([/|*[]|$)/.test(path.slice(other.length));
}

/** The agent at a path: the name of the last segment. */
export function agentAt(path: string): string {
  return segments(path).at(-1)?.agent ?? path;
}

/** The innermost instance of an agent on demand that a place is or lies in; what is written there is local to it. */
export function ownInstance(path: string): string | null {
  const begin = path.lastIndexOf("*") + 1;
  if (begin === 0) return null;
  const length = path.slice(begin).search(/[/|[]/);
  return length < 0 ? path : path.slice(0, begin + length);
}

/** Whether a place is an instance itself. */
export function isInstance(path: string): boolean {
  return ownInstance(path) === path;
}

/** The instances that a place is or lies in, the innermost first. */
export function instancesAbove(path: string): string[] {
  const own = ownInstance(path);
  return own === null ? [] : [own, ...instancesAbove(own.slice(0, own.lastIndexOf("*")))];
}

/** The number of an instance: of the item that it works on. */
export function numberOf(instance: string): number {
  return Number(/#(\d+)$/.exec(instance)?.[1] ?? 1);
}

/** Where the calls of an agent are counted: those within an instance apart from all others. */
export function countedAt(path: string, agent: string): string {
  const own = ownInstance(path);
  return own === null ? agent : `${own} ${agent}`;
}

/** A call's place in words: its items, its rounds and how often the agent was called there. */
export function placeOf(path: string): string {
  const items = instancesAbove(path).map((instance) => t("each.item", { n: numberOf(instance) }));
  const rounds = segments(path).flatMap(({ round }) => (round === null ? [] : [t("stage.in_round", { n: round })]));
  const call = /#(\d+)(?:\[\d+\])?$/.exec(path)?.[1] ?? "1";
  return [...items.reverse(), ...rounds, ...(isInstance(path) ? [] : [t("stage.nth", { n: Number(call) })])].join(
    " · ",
  );
}

// The rounds of loops as they are read: what was measured at the end of each, why the loop went on or ended, how an
// agent judged it where the pipeline has such a key, and which is the best. Pure.
import type { JudgedRound, Outline } from "../ipc/bindings";
import { lastWhere } from "../platform/last-where";
import { ownInstance, placeOf } from "./place";
import { heldBy, judgedIn } from "./role-values";
import { agents } from "./stages";
import type { Resolve, RoundEnd, Version, View } from "./view-types";

export type Row = {
  number: number;
  end: RoundEnd | null;
  judged: JudgedRound | null;
  score: number | null;
  isBest: boolean;
  /** The text that stood at its end. */ text: Version | undefined;
};
export type Board = {
  id: string;
  title: string;
  /** Where in the tree, of a loop that runs more than once. */ place: string;
  rows: readonly Row[];
  criteria: readonly string[];
};

/** The score of a round: its own, else the mean over the criteria. */
export function scoreOf({ score, scores }: JudgedRound): number | null {
  const each = Object.values(scores).filter((one) => one !== undefined);
  return score ?? (each.length > 0 ? each.reduce((sum, one) => sum + one, 0) / each.length : null);
}

/** The round with the highest score; a later one must be better to take the place of an earlier. */
function topOf(judged: readonly JudgedRound[]): number | null {
  const top = judged.reduce<JudgedRound | null>(
    (best, one) =>
      (scoreOf(one) ?? -Infinity) > (best === null ? -Infinity : (scoreOf(best) ?? -Infinity)) ? one : best,
    null,
  );
  return judged.length > 1 ? (top?.round ?? null) : null;
}

/** A board for each loop whose rounds ended, in order, and for each key of judgements that no loop writes. */
export function boardsOf(view: View, outline: Outline, resolve: Resolve): Board[] {
  const known = agents(outline);
  const loops = new Map<string, RoundEnd[]>();
  for (const end of view.roundEnds) loops.set(end.loop, [...(loops.get(end.loop) ?? []), end]);
  const keys = heldBy("rounds", view, resolve).flatMap(({ name, title, value }) => {
    const judged = judgedIn(value);
    return judged === null ? [] : [{ name, title, judged }];
  });
  const taken = new Set<string>();
  // The latest rounds are those that were judged last.
  const boards = [...loops].reverse().map(([loop, ends]): Board => {
    const agent = known.get(ends[0]?.agent ?? "");
    const key = keys.find(({ name }) => !taken.has(name) && agent && writes(agent, name));
    if (key) taken.add(key.name);
    const isOnly = [...loops.values()].filter((others) => others[0]?.agent === ends[0]?.agent).length === 1;
    return board(view, {
      id: loop,
      title: agent?.title ?? ends[0]?.agent ?? loop,
      place: isOnly ? "" : placeOf(loop),
      ends,
      judged: key?.judged ?? [],
    });
  });
  const others = keys
    .filter(({ name }) => !taken.has(name))
    .map(({ name, title, judged }) => board(view, { id: name, title, place: "", ends: [], judged }));
  return [...boards.reverse(), ...others];
}

function board(
  view: View,
  {
    id,
    title,
    place,
    ends,
    judged,
  }: { id: string; title: string; place: string; ends: readonly RoundEnd[]; judged: readonly JudgedRound[] },
): Board {
  const best = ends.at(-1)?.best ?? topOf(judged);
  const numbers = new Set([...ends.map(({ round }) => round.number), ...judged.map(({ round }) => round)]);
  const rows = [...numbers]
    .sort((a, b) => a - b)
    .map((number): Row => {
      const end = ends.find(({ round }) => round.number === number) ?? null;
      // What an instance writes is no version of the run.
      const text =
        end &&
        ownInstance(end.loop) === null &&
        lastWhere(
          view.versions,
          (version) => version.key === end.round.draft && version.seq < end.seq && version.holds,
        );
      const own = judged.find((one) => one.round === number) ?? null;
      return { number, end, judged: own, score: own && scoreOf(own), isBest: number === best, text: text || undefined };
    });
  return { id, title, place, rows, criteria: [...new Set(judged.flatMap(({ scores }) => Object.keys(scores)))] };
}

function writes(agent: Outline, key: string): boolean {
  return agent.contract.writes.includes(key) || agent.children.some((child) => writes(child, key));
}

/**
 * The scores as points in a box of this size, rounds from left to right, zero at the bottom; gaps where nothing is
 * known.
 */
export function curveOf(
  scores: readonly (number | null)[],
  width: number,
  height: number,
): { x: number; y: number; index: number; score: number }[] {
  const known = scores.flatMap((score, index) => (score === null ? [] : [{ index, score }]));
  const low = Math.min(0, ...known.map(({ score }) => score));
  const high = Math.max(1, ...known.map(({ score }) => score));
  const step = scores.length > 1 ? width / (scores.length - 1) : 0;
  return known.map(({ index, score }) => ({
    index,
    score,
    x: scores.length > 1 ? index * step : width / 2,
    y: height - ((score - low) / (high - low)) * height,
  }));
}

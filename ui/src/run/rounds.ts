// The rounds of loops as they are read: what was measured at the end of each, why the loop went on or ended, how an agent
// judged it where the pipeline has such a key, and which is the best. Pure.
//
// What an agent judged is a list of rounds, or an object with it under `rounds`. A round there is
// `{round, score, scores: {criterion: number}, verdict, changed}`.
import type { Outline } from "../ipc/bindings";
import { lastWhere } from "./last-where";
import { placeOf } from "./place";
import { agents } from "./stages";
import type { Resolve } from "./texts";
import { field, listOf, textOf } from "./value";
import type { RoundEnd, Version, View } from "./view-types";

export type Judged = { number: number; score: number | null; scores: readonly { name: string; score: number }[]; verdict: string; changed: string };
export type Row = { number: number; end: RoundEnd | null; judged: Judged | null; isBest: boolean; /** The text that stood at its end. */ text: Version | undefined };
export type Board = { id: string; title: string; /** Where in the tree, of a loop that runs more than once. */ place: string; rows: readonly Row[]; criteria: readonly string[] };

const numberIn = (value: unknown, name: string): number | null => {
  const found = field(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

/** What an agent judged of the rounds, in order. */
export function judgedIn(value: unknown): Judged[] {
  return listOf(value, Array.isArray(value) ? "" : "rounds").map((item, index) => {
    const scores = Object.entries((field(item, "scores") ?? {}) as Record<string, unknown>).flatMap(([name, score]) => (typeof score === "number" && Number.isFinite(score) ? [{ name, score }] : []));
    return {
      number: numberIn(item, "round") ?? index + 1,
      score: numberIn(item, "score") ?? (scores.length > 0 ? scores.reduce((sum, { score }) => sum + score, 0) / scores.length : null),
      scores,
      verdict: textOf(item, "verdict"),
      changed: textOf(item, "changed"),
    };
  });
}

/** The round with the highest score; a later one must be better to take the place of an earlier. */
function topOf(judged: readonly Judged[]): number | null {
  const top = judged.reduce<Judged | null>((best, one) => (one.score !== null && (best?.score ?? -Infinity) < one.score ? one : best), null);
  return judged.length > 1 ? (top?.number ?? null) : null;
}

/** A board for each loop whose rounds ended, in order, and for each key of judgements that no loop writes. */
export function boardsOf(view: View, outline: Outline, resolve: Resolve): Board[] {
  const known = agents(outline);
  const loops = new Map<string, RoundEnd[]>();
  for (const end of view.roundEnds) loops.set(end.loop, [...(loops.get(end.loop) ?? []), end]);
  const keys = view.declarations.flatMap(({ name, title, role }) => {
    const held = role.kind === "rounds" ? view.state.get(name) : undefined;
    const value = held ? resolve(name, held.seq, held.value) : undefined;
    return value === undefined || value === null ? [] : [{ name, title, judged: judgedIn(value) }];
  });
  const taken = new Set<string>();
  // The latest rounds are those that were judged last.
  const boards = [...loops].reverse().map(([loop, ends]): Board => {
    const agent = known.get(ends[0]?.agent ?? "");
    const key = keys.find(({ name }) => !taken.has(name) && agent && writes(agent, name));
    if (key) taken.add(key.name);
    const isOnly = [...loops.values()].filter((others) => others[0]?.agent === ends[0]?.agent).length === 1;
    return board(view, { id: loop, title: agent?.title ?? ends[0]?.agent ?? loop, place: isOnly ? "" : placeOf(loop), ends, judged: key?.judged ?? [] });
  });
  const others = keys.filter(({ name }) => !taken.has(name)).map(({ name, title, judged }) => board(view, { id: name, title, place: "", ends: [], judged }));
  return [...boards.reverse(), ...others];
}

function board(view: View, { id, title, place, ends, judged }: { id: string; title: string; place: string; ends: readonly RoundEnd[]; judged: readonly Judged[] }): Board {
  const best = ends.at(-1)?.best ?? topOf(judged);
  const numbers = new Set([...ends.map(({ round }) => round.number), ...judged.map(({ number }) => number)]);
  const rows = [...numbers].sort((a, b) => a - b).map((number): Row => {
    const end = ends.find(({ round }) => round.number === number) ?? null;
    const text = end && lastWhere(view.versions, (version) => version.key === end.round.draft && version.seq < end.seq && version.holds);
    return { number, end, judged: judged.find((one) => one.number === number) ?? null, isBest: number === best, text: text ?? undefined };
  });
  return { id, title, place, rows, criteria: [...new Set(judged.flatMap(({ scores }) => scores.map(({ name }) => name)))] };
}

function writes(agent: Outline, key: string): boolean {
  return agent.contract.writes.includes(key) || agent.children.some((child) => writes(child, key));
}

/** The scores as points in a box of this size, rounds from left to right, zero at the bottom; gaps where nothing is known. */
export function curveOf(rounds: readonly (Judged | null)[], width: number, height: number): { x: number; y: number; judged: Judged; score: number }[] {
  const known = rounds.flatMap((judged, index) => (judged === null || judged.score === null ? [] : [{ judged, index, score: judged.score }]));
  const low = Math.min(0, ...known.map(({ score }) => score));
  const high = Math.max(1, ...known.map(({ score }) => score));
  const step = rounds.length > 1 ? width / (rounds.length - 1) : 0;
  return known.map(({ judged, index, score }) => ({ judged, score, x: rounds.length > 1 ? index * step : width / 2, y: height - ((score - low) / (high - low)) * height }));
}

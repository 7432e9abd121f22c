// The rounds of a loop as they are read: score, verdict, what changed; and which is the best. Pure.
//
// A list of rounds, or an object with it under `rounds` and the number of the one that was taken under `best`, and why it
// ended under `ended`. A round is `{round, score, scores: {criterion: number}, verdict, changed, words, issues}`.
import { field, listOf, textOf } from "./value";

export type Round = {
  number: number;
  score: number | null;
  scores: readonly { name: string; score: number }[];
  verdict: string;
  changed: string;
  words: number | null;
  issues: number | null;
  isBest: boolean;
};
export type Board = { rounds: readonly Round[]; criteria: readonly string[]; ended: string };

const numberIn = (value: unknown, name: string): number | null => {
  const found = field(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

export function boardOf(value: unknown): Board {
  const listed = listOf(value, Array.isArray(value) ? "" : "rounds");
  const read = listed.map((item, index) => {
    const scores = Object.entries((field(item, "scores") ?? {}) as Record<string, unknown>).flatMap(([name, score]) => (typeof score === "number" && Number.isFinite(score) ? [{ name, score }] : []));
    const issues = field(item, "issues");
    return {
      number: numberIn(item, "round") ?? index + 1,
      score: numberIn(item, "score") ?? (scores.length > 0 ? scores.reduce((sum, { score }) => sum + score, 0) / scores.length : null),
      scores,
      verdict: textOf(item, "verdict"),
      changed: textOf(item, "changed") || textOf(item, "feedback"),
      words: numberIn(item, "words"),
      issues: Array.isArray(issues) ? issues.length : numberIn(item, "issues"),
    };
  });
  // A later round must be better to take the place of an earlier one.
  const said = numberIn(value, "best");
  const top = read.reduce<(typeof read)[number] | null>((best, round) => (round.score !== null && (best?.score ?? -Infinity) < round.score ? round : best), null);
  const best = said ?? (read.length > 1 ? (top?.number ?? null) : null);
  return {
    rounds: read.map((round) => ({ ...round, isBest: round.number === best })),
    criteria: [...new Set(read.flatMap(({ scores }) => scores.map(({ name }) => name)))],
    ended: textOf(value, "ended"),
  };
}

/** The scores as points in a box of this size, rounds from left to right, zero at the bottom; gaps where nothing is known. */
export function curveOf(rounds: readonly Round[], width: number, height: number): { x: number; y: number; round: Round }[] {
  const known = rounds.flatMap((round, index) => (round.score === null ? [] : [{ round, index, score: round.score }]));
  const low = Math.min(0, ...known.map(({ score }) => score));
  const high = Math.max(1, ...known.map(({ score }) => score));
  const step = rounds.length > 1 ? width / (rounds.length - 1) : 0;
  return known.map(({ round, index, score }) => ({ round, x: rounds.length > 1 ? index * step : width / 2, y: height - ((score - low) / (high - low)) * height }));
}

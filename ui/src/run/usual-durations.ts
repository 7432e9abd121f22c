// How long answers usually take: from what this page has seen of each model, kept between two starts. Not here: what a
// run that is merely looked back at took, which was seen once already.
import { remember, remembered } from "../platform/storage";

const KEPT = 60;
/** Fewer than these tell nothing. */
const LEAST = 5;

const times = new Map<string, number[]>(read());

/** Takes in how long an answer took, in milliseconds. */
export function took(model: string, ms: number): void {
  times.set(model, [...(times.get(model) ?? []), Math.round(ms)].slice(-KEPT));
  remember("took", JSON.stringify([...times].slice(-20)));
}

/** What 19 of 20 answers stay under, in milliseconds, or null where too few are known. */
export function usualMs(model: string, here: readonly number[] = []): number | null {
  const known = [...(times.get(model) ?? []), ...here].sort((a, b) => a - b);
  if (known.length < LEAST) return null;
  return known[Math.min(known.length - 1, Math.floor(known.length * 0.95))] ?? null;
}

function read(): [string, number[]][] {
  try {
    const kept: unknown = JSON.parse(remembered("took") ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (entry): entry is [string, number[]] =>
        Array.isArray(entry) && typeof entry[0] === "string" && Array.isArray(entry[1]),
    );
  } catch {
    return [];
  }
}

// Up to which event a person has looked at a run's state, so that what changed since can be marked. Forgotten with
// the page.
const seen = new Map<string, number>();

export const seenUntil = (run: string): number | null => seen.get(run) ?? null;
export const see = (run: string, seq: number): void => void seen.set(run, seq);

// What a delta means on screen: keys, versions of texts, reviews; and what a resumption takes back.
import type { Delta, Event } from "../ipc/bindings";
import { USER } from "../ipc/names";
import { takeBack } from "./calls";
import type { Fold } from "./fold";
import { lastWhere } from "../platform/last-where";
import type { Landmark, RoundEnd } from "./view-types";
import { unwrapped } from "./value";

/** Applies a delta; what a resumption brings back is no new version of anything. */
export function change(fold: Fold, event: Event, delta: Delta, isReturn: boolean): void {
  const { seq, author, path } = event;
  fold.changed = [...Object.keys(delta.set), ...delta.removed];
  for (const key of delta.removed) fold.state.delete(key);
  // What a person types is saved again and again: it is one version, until something else happens or they keep it.
  const typed = fold.typed;
  const isTyped = (key: string) => delta.set[key] !== undefined && unwrapped(delta.set[key]) !== null;
  fold.typed =
    author === USER && !isReturn
      ? new Set(fold.changed.filter(isTyped))
      : new Set([...typed].filter((key) => !fold.changed.includes(key)));
  for (const [key, sent] of Object.entries(delta.set)) {
    const value = unwrapped(sent);
    fold.state.set(key, { value, seq, author });
    const role = fold.roles.get(key);
    if (value === null || isReturn) continue;
    if (role?.kind === "review") {
      const last = lastWhere(fold.reviews, (review) => review.key === key);
      fold.reviews = newest(
        [...fold.reviews, { seq, key, number: (last?.number ?? 0) + 1, author, value, holds: true }],
        key,
      );
      mark(fold, { seq, kind: "review" });
    }
    if (role?.kind === "draft" || role?.kind === "final") {
      const title = fold.declarations.find((declaration) => declaration.name === key)?.title ?? key;
      const last = lastWhere(fold.versions, (version) => version.key === key);
      const continues = author === USER && typed.has(key) && last?.author === USER && last.holds;
      const number = continues ? last.number : (last?.number ?? 0) + 1;
      if (continues) fold.versions.splice(fold.versions.indexOf(last), 1);
      fold.versions.push({
        seq,
        key,
        title,
        isFinal: role.kind === "final",
        isRaised: event.surface,
        number,
        author,
        path,
        value,
        holds: true,
      });
      fold.versions = newest(fold.versions, key);
      mark(fold, { seq, kind: "text" });
    }
  }
  // The draft and what is published of it change together: that is one text, told once.
  const made = fold.versions.filter((version) => version.seq === seq);
  const told = made.find((version) => version.isFinal) ?? made.at(-1);
  if (made.length > 1) fold.versions = fold.versions.filter((version) => version.seq !== seq || version === told);
}

/** A round of a loop ended. */
export function endRound(
  fold: Fold,
  { seq, path, author }: Event,
  { round, exit, best }: Pick<RoundEnd, "round" | "exit" | "best">,
): void {
  fold.typed = new Set();
  fold.roundEnds = [
    ...fold.roundEnds,
    { seq, loop: path.replace(/\[\d+\]$/, ""), agent: author, round, exit, best },
  ].slice(-ROUNDS);
}

/** So many ends of rounds are kept; the program remembers as many. */
const ROUNDS = 200;
/** So many versions of a key are kept; the program remembers as many. */
const VERSIONS = 100;
/** More marks than this are thinned: a slider has fewer pixels. */
const MARKS = 1200;

/** Without the oldest of a key where there are too many. */
function newest<T extends { key: string }>(list: T[], key: string): T[] {
  const count = list.reduce((sum, one) => sum + (one.key === key ? 1 : 0), 0);
  const oldest = list.findIndex((one) => one.key === key);
  return count > VERSIONS ? list.filter((_, index) => index !== oldest) : list;
}

/** Marks an event on the slider. */
export function mark(fold: Fold, landmark: Landmark): void {
  fold.landmarks.push(landmark);
  if (fold.landmarks.length > MARKS)
    fold.landmarks = fold.landmarks.filter((_, index) => index > MARKS / 2 || index % 2 === 0);
}

/** Takes back what no longer holds; versions and reviews stay to be read, marked. */
export function setAside(fold: Fold, drops: ReadonlySet<number>): void {
  if (drops.size === 0) return;
  for (const [path, call] of fold.calls) {
    if (drops.has(call.startedSeq)) {
      takeBack(fold, call);
    } else if (call.endedSeq !== null && drops.has(call.endedSeq)) {
      fold.calls.set(path, { ...call, endedSeq: null, tookMs: 0, error: null, output: null, edited: null });
    } else if (call.edited && drops.has(call.edited.seq)) {
      fold.calls.set(path, { ...call, edited: null });
    }
  }
  for (const [place, waiting] of fold.waiting) if (drops.has(waiting.seq)) fold.waiting.delete(place);
  fold.versions = fold.versions.map((version) => (drops.has(version.seq) ? { ...version, holds: false } : version));
  fold.reviews = fold.reviews.map((review) => (drops.has(review.seq) ? { ...review, holds: false } : review));
  fold.remarks = fold.remarks.filter((remark) => !drops.has(remark.seq));
  fold.roundEnds = fold.roundEnds.filter((end) => !drops.has(end.seq));
}

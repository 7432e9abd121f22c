// How far the parts of the open run are scrolled, kept so that a reload or the next start shows the same lines. Of
// one run only: the one that is opened again.
import { remember, remembered } from "../platform/storage";

const PAUSE_MS = 150;
/** For how long a place waits to become as long as it was: what it shows comes over the border. */
const PATIENCE_MS = 4_000;

type Kept = { run: string; at: Record<string, number> };

function read(run: string): Kept {
  try {
    const kept = JSON.parse(remembered("scroll") ?? "null") as Kept | null;
    if (kept?.run === run && typeof kept.at === "object" && kept.at !== null) return kept;
  } catch {
    // What was kept is of another version.
  }
  return { run, at: {} };
}

/** An attachment: the element goes back to where this part of the run was left, and its way is kept from then on. */
export function keptScroll(run: string, part: string): (place: HTMLElement) => () => void {
  return (place) => {
    const wanted = read(run).at[part] ?? 0;
    const end = Date.now() + PATIENCE_MS;
    let isBack = wanted <= 0;
    let pause: ReturnType<typeof setTimeout> | undefined;
    const waiting = setInterval(() => {
      if (!isBack && place.scrollHeight - place.clientHeight >= wanted - 1) {
        place.scrollTop = wanted;
        isBack = true;
      }
      if (isBack || Date.now() > end) give();
    }, 50);
    // Whoever scrolls by hand wants no other place any more.
    const give = () => {
      isBack = true;
      clearInterval(waiting);
    };
    const moved = () => {
      if (!isBack) return;
      clearTimeout(pause);
      pause = setTimeout(() => {
        const kept = read(run);
        remember("scroll", JSON.stringify({ run, at: { ...kept.at, [part]: Math.round(place.scrollTop) } }));
      }, PAUSE_MS);
    };
    place.addEventListener("scroll", moved, { passive: true });
    place.addEventListener("wheel", give, { passive: true });
    place.addEventListener("pointerdown", give);
    return () => {
      clearInterval(waiting);
      place.removeEventListener("scroll", moved);
      place.removeEventListener("wheel", give);
      place.removeEventListener("pointerdown", give);
    };
  };
}

/** Brings what has just opened into sight, wherever around it scrolls: at a large zoom the desk does as a whole. */
export function inSight(node: HTMLElement): void {
  for (let place = node.parentElement; place; place = place.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(place).overflowY)) continue;
    const below = node.getBoundingClientRect().top - place.getBoundingClientRect().top;
    if (below < 0 || below > place.clientHeight / 2) place.scrollTop += below;
  }
}

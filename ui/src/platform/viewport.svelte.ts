// How much room the page has, in rem: what fits beside each other is decided by it, at any size and any zoom.
import { createSubscriber } from "svelte/reactivity";

/** The zoom of the page, in percent. The preferences set it. */
export const zoom = $state({ percent: 100 });

const subscribe = createSubscriber((update) => {
  addEventListener("resize", update);
  return () => removeEventListener("resize", update);
});

/** The page's width and height in rem, and a rem in pixels; reading it follows the window and the zoom. */
export function room(): { width: number; height: number; rem: number } {
  subscribe();
  const rem = (16 * zoom.percent) / 100;
  return { width: innerWidth / rem, height: innerHeight / rem, rem };
}

/** So many rem as a share of the page's width or of a part of it, in percent, as panes are measured. */
export function share(rem: number, of: number = room().width): number {
  return Math.min(100, (100 * rem) / Math.max(1, of));
}

/**
 * Words for how little room there is, in rem: the page has them in its `data-room`, and what has no room for itself
 * asks there.
 */
const WIDTHS = { medium: 77.5, narrow: 60, small: 46 };
const HEIGHTS = { low: 42, flat: 32 };

/** Those of these words that hold. A query of a media or container would not follow the zoom everywhere. */
export function scarce(): string {
  const { width, height } = room();
  const under = (sizes: Record<string, number>, size: number) =>
    Object.keys(sizes).filter((word) => size < (sizes[word] ?? 0));
  return [...under(WIDTHS, width), ...under(HEIGHTS, height)].join(" ");
}

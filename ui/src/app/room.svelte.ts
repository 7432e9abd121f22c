// How much room the page has, in rem: what fits beside each other is decided by it, at any size and any zoom.
import { createSubscriber } from "svelte/reactivity";
import { preferences } from "./preferences.svelte";

const subscribe = createSubscriber((update) => {
  addEventListener("resize", update);
  return () => removeEventListener("resize", update);
});

/** The page's width and height in rem, and a rem in pixels; reading it follows the window and the zoom. */
export function room(): { width: number; height: number; rem: number } {
  subscribe();
  const rem = (16 * preferences.zoom) / 100;
  return { width: innerWidth / rem, height: innerHeight / rem, rem };
}

/** So many rem as a share of the page's width or of a part of it, in percent, as panes are measured. */
export function share(rem: number, of: number = room().width): number {
  return Math.min(100, (100 * rem) / Math.max(1, of));
}

// The present, for elapsed times: ticks only while somebody looks at it.
import { createSubscriber } from "svelte/reactivity";

const EVERY_MS = 200;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** Milliseconds since 1970; reading it in a component draws that component anew as time passes. */
export function now(): number {
  subscribe();
  return Date.now();
}

// What a map shows and tells, however it is made.
import type { Snippet } from "svelte";
import type { Coordinates } from "../../ipc/bindings";
import type { Mark, Way } from "../../run/places";

export type MapProps = {
  /** What it is called for who does not see it. */
  label: string;
  /** Numbered from 1. */
  marks: readonly Mark[];
  start: { name: string; place: Coordinates } | null;
  ways: readonly Way[];
  /** Places that are not on the way. */
  hollow: readonly Mark[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** Whether the map itself says what the chosen place is. */
  isTold: boolean;
  /** What it says then. */
  children?: Snippet;
};

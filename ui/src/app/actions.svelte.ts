// Everything a person can do by a key or from the palette: what always holds, and what the open screen adds.
import { t, type Words } from "../i18n";
import { keymap } from "./keymap.svelte";

export type Section = "go" | "favourites" | "run" | "pipeline" | "panels" | "look";
export type Action = {
  id: string;
  title: Words;
  /** What it is called now, where that changes with the screen. */
  label?: () => string | undefined;
  section: Section;
  keys: string;
  run: () => void;
  /** The action that gives its keys to this one as long as this one can be done. */
  replaces?: string;
};

/** What an action is called now. */
export const titleOf = ({ title, label }: Pick<Action, "title" | "label">): string => label?.() ?? t(title);

class Actions {
  #always = $state.raw<readonly Action[]>([]);
  #favourites = $state.raw<readonly Action[]>([]);
  #here = $state.raw<readonly Action[]>([]);
  readonly all = $derived([...this.#always, ...this.#favourites, ...this.#here]);

  /** Sets what always holds, once. */
  always(actions: readonly Action[]): void {
    this.#always = actions;
  }

  /** Adds to what always holds. */
  add(action: Action): void {
    this.#always = [...this.#always.filter(({ id }) => id !== action.id), action];
  }

  /** Sets the actions of the favourites. */
  setFavourites(actions: readonly Action[]): void {
    this.#favourites = actions;
  }

  /** Adds what the open screen can do, until the returned function is called. */
  here(actions: readonly Action[]): () => void {
    this.#here = actions;
    return () => {
      if (this.#here === actions) this.#here = [];
    };
  }

  /** The chord of an action; empty when it has none, or when another has it for now. */
  keysOf(action: Action): string {
    const keys = keymap.of(action.id, action.keys);
    return this.all.some((other) => other.replaces === action.id && keymap.of(other.id, other.keys) === keys)
      ? ""
      : keys;
  }

  /** The action of a chord. */
  by(chord: string): Action | undefined {
    return this.all.find((action) => this.keysOf(action) === chord);
  }

  /** Another action that wants the same chord. */
  rival(action: Action): Action | undefined {
    const keys = this.keysOf(action);
    return keys === "" ? undefined : this.all.find((other) => other.id !== action.id && this.keysOf(other) === keys);
  }
}

export const actions = new Actions();

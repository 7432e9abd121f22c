// Which keys do what: chords as text, defaults that may be changed, and which two want the same.
import { SvelteMap } from "svelte/reactivity";
import { remember, remembered } from "../platform/storage";

export const isMac = /Mac/.test(globalThis.navigator?.platform ?? "");

/** A key press as `mod+shift+s`; Control and Command are the same. Null while only modifiers are held. */
export function chordOf(event: KeyboardEvent): string | null {
  // With Alt, some keyboards type another sign than the digit. A plus is typed with Shift on some keyboards and
  // without on others; the chord of both is the same.
  const digit = event.altKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
  const key =
    digit ??
    (event.key === "+" || (event.key === "=" && (event.ctrlKey || event.metaKey)) ? "plus" : event.key.toLowerCase());
  if (["control", "meta", "shift", "alt", "altgraph"].includes(key)) return null;
  const isSign = key === "plus" || (key.length === 1 && !/[a-z0-9]/.test(key));
  return [
    event.ctrlKey || event.metaKey ? "mod" : "",
    event.altKey ? "alt" : "",
    event.shiftKey && !isSign ? "shift" : "",
    key === " " ? "space" : key,
  ]
    .filter((part) => part !== "")
    .join("+");
}

/** A chord as it is read. */
export function written(chord: string): string {
  const names: Record<string, string> = {
    mod: isMac ? "⌘" : "Ctrl",
    shift: "⇧",
    alt: isMac ? "⌥" : "Alt",
    enter: "↵",
    escape: "Esc",
    arrowleft: "←",
    arrowright: "→",
    arrowup: "↑",
    arrowdown: "↓",
    home: "Home",
    end: "End",
    delete: isMac ? "⌦" : "Del",
    space: "␣",
    plus: "+",
  };
  return chord
    .split("+")
    .map((part) => names[part] ?? part.toUpperCase())
    .join(isMac ? "" : " ");
}

class Keymap {
  #changed = new SvelteMap<string, string>(read());

  /** The chord of an action; empty when it has none. */
  of(id: string, usual: string): string {
    return this.#changed.get(id) ?? usual;
  }

  isChanged(id: string): boolean {
    return this.#changed.has(id);
  }

  set(id: string, chord: string): void {
    this.#changed.set(id, chord);
    this.#keep();
  }

  reset(id: string): void {
    this.#changed.delete(id);
    this.#keep();
  }

  #keep(): void {
    remember("keys", JSON.stringify([...this.#changed]));
  }
}

function read(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(remembered("keys") ?? "[]");
    return Array.isArray(kept)
      ? kept.filter(
          (entry): entry is [string, string] => Array.isArray(entry) && entry.every((part) => typeof part === "string"),
        )
      : [];
  } catch {
    return [];
  }
}

export const keymap = new Keymap();

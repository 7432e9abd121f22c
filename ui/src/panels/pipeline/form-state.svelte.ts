// The form of a pipeline beside its text. The text is the only thing that is kept: the form reads it, and changes it
// through its editor, so that the editor's undo covers both.
import { tick } from "svelte";
import { SvelteSet } from "svelte/reactivity";
import type { DefinitionFault } from "../../ipc/bindings";
import type { Editor } from "../../kit/editor";
import { withChanges, type Change } from "../../kit/text-change";
import { pathText, TomlDocument, type Path, type TomlProblem } from "../../kit/toml-document";
import { allFields, SECTIONS, type PlacedField } from "./fields";
import { PARTS, stepsOf } from "./steps";

export type FormSource = { text(): string; editor(): Editor | undefined; faults(): readonly DefinitionFault[] };

/** The paths of all steps of a list, with those within them. */
function stepPaths(document: TomlDocument, list: Path): Path[] {
  return stepsOf(document, list).flatMap((path) => [
    path,
    ...PARTS.flatMap((part) => stepPaths(document, [...path, part])),
  ]);
}

/** Where a line and a column are, both from 1, the column in characters. */
function offsetIn(text: string, line: number, column: number): number {
  const lines = text.split("\n").slice(0, line);
  const last = lines.pop() ?? "";
  return lines.reduce((sum, { length }) => sum + length + 1, 0) + [...last].slice(0, column - 1).join("").length;
}

export class FormState {
  /** The part of the form that belongs to the place of the cursor, as a text. */
  current = $state("");
  /** Entries and steps that are unfolded. */
  readonly opened = new SvelteSet<string>();
  /** An entry that was just made: its name is written next. */
  fresh = $state("");
  #last: TomlDocument | null = null;

  readonly #parsed = $derived.by(() => this.#parse(this.source.text()));
  /** The text as it was readable last. */
  readonly document = $derived.by(() => (this.#parsed instanceof TomlDocument ? this.#parsed : this.#last));
  /** Where the text is no TOML; the form stays as it was until it is. */
  readonly problem = $derived.by((): TomlProblem | null =>
    this.#parsed instanceof TomlDocument ? null : this.#parsed,
  );
  readonly canEdit = $derived.by(() => this.problem === null && this.source.editor() !== undefined);
  /** What the form shows, by path. */
  readonly #shown = $derived.by(() => {
    const { document } = this;
    if (!document) return new Set<string>();
    const entries = SECTIONS.flatMap((section) => document.names([section]).map((name): Path => [section, name]));
    const fields = allFields(document).map(({ table, field }): Path => [...table, ...field.at]);
    return new Set([...entries, ...stepPaths(document, ["flow", "steps"]), ...fields].map(pathText));
  });
  /** What is wrong, by the part of the form that it concerns. */
  readonly #faults = $derived.by(() => {
    const found = new Map<string, DefinitionFault[]>();
    if (!this.document || this.problem) return found;
    for (const fault of this.source.faults()) {
      if (fault.line < 1) continue;
      const at = this.#shownAt(offsetIn(this.document.text, fault.line, fault.column));
      found.set(at, [...(found.get(at) ?? []), fault]);
    }
    return found;
  });

  constructor(private readonly source: FormSource) {}

  #parse(text: string): TomlDocument | TomlProblem {
    if (this.#last?.text === text) return this.#last;
    const parsed = TomlDocument.parse(text);
    if (parsed instanceof TomlDocument) this.#last = parsed;
    return parsed;
  }

  /** The deepest part of the form to which a place of the text belongs. */
  #shownAt(at: number): string {
    const path = this.document?.pathAt(at) ?? [];
    for (let depth = path.length; depth > 0; depth -= 1) {
      const shown = pathText(path.slice(0, depth));
      if (this.#shown.has(shown)) return shown;
    }
    return "";
  }

  faultsAt(path: Path): readonly DefinitionFault[] {
    return this.#faults.get(pathText(path)) ?? [];
  }

  /** How many faults a part has, with those of what is within it. */
  countWithin(path: Path): number {
    const own = pathText(path).slice(0, -1);
    return [...this.#faults].reduce(
      (sum, [at, { length }]) => (at === `${own}]` || at.startsWith(`${own},`) ? sum + length : sum),
      0,
    );
  }

  /** Changes the text and returns whether it changed. A text that is no TOML, or would be none, stays as it is. */
  change(make: (document: TomlDocument) => Change[], isTyped = false): boolean {
    const editor = this.source.editor();
    const document = this.#parse(editor?.text() ?? "");
    if (!editor || !(document instanceof TomlDocument)) return false;
    const changes = make(document);
    const next = withChanges(document.text, changes);
    if (next === document.text || !(this.#parse(next) instanceof TomlDocument)) return false;
    editor.change(changes, isTyped);
    return true;
  }

  undo(isBack: boolean): void {
    const editor = this.source.editor();
    if (isBack) editor?.undo();
    else editor?.redo();
  }

  /** Shows in the text what a part of the form is about; of a field that is not written, its table. */
  reveal(path: Path): void {
    this.current = pathText(path);
    for (let depth = path.length; depth > 0; depth -= 1) {
      const place = this.problem ? null : this.document?.place(path.slice(0, depth));
      if (place) return this.source.editor()?.show(place.from);
    }
  }

  /** Takes over where the cursor is in the text. */
  follow(at: number): void {
    if (!this.problem) this.current = this.#shownAt(at);
  }

  /** Brings a part of the form into sight when the cursor comes to its place; an attachment. */
  seen(path: Path, isFolded = false): (element: HTMLElement) => void {
    const own = pathText(path);
    return (element) => {
      // What is folded away is seen in the line that unfolds it.
      if (this.current === own || (isFolded && this.current.startsWith(`${own.slice(0, -1)},`)))
        element.scrollIntoView({ block: "nearest" });
    };
  }

  /** Sets the focus to a part of the form, once it is drawn. */
  async focus(selector: string, fallback = ""): Promise<void> {
    await tick();
    const found = document.querySelector<HTMLElement & { disabled?: boolean }>(selector);
    (found && !found.disabled ? found : document.querySelector<HTMLElement>(fallback || selector))?.focus();
  }
}

/** Takes over what is typed in a field that otherwise tells its change only when it loses the focus. */
export function commitField(): void {
  const field = document.activeElement;
  if (field?.matches('.pipeline-form :is(input:not([type="checkbox"]), textarea)'))
    field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The path of a field. */
export const fieldPath = ({ table, field }: PlacedField): Path => [...table, ...field.at];

// Searches the text of an editor. Matches are decorations of what is drawn: the text and what can be undone stay as
// they are.
import { foldedRanges, unfoldEffect } from "@codemirror/language";
import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { firstFrom, fold, offsetsOf, type TextSearch } from "./text-search";

type Matches = { offsets: readonly number[]; length: number; current: number };
const NONE: Matches = { offsets: [], length: 0, current: -1 };

const setMatches = StateEffect.define<Matches>();
const match = Decoration.mark({ class: "find-match" });
const current = Decoration.mark({ class: "find-match find-current" });

const drawn = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMatches)) continue;
      const { offsets, length, current: at } = effect.value;
      return Decoration.set(offsets.map((from, index) => (index === at ? current : match).range(from, from + length)));
    }
    return decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const searchExtension: Extension = drawn;

export function searchOf(view: EditorView): TextSearch {
  let matches = NONE;
  /** What was searched last, so that an unchanged text is not searched again. */
  let last: { query: string; doc: unknown } | null = null;

  function draw(next: Matches): void {
    matches = next;
    view.dispatch({ effects: setMatches.of(next) });
  }

  return {
    find(query) {
      if (last?.query === query && last.doc === view.state.doc) return matches.offsets.length;
      last = { query, doc: view.state.doc };
      draw({ offsets: offsetsOf(fold(view.state.doc.toString()), query), length: query.length, current: -1 });
      return matches.offsets.length;
    },
    nearest() {
      const top = view.scrollDOM.closest(".scrolls")?.getBoundingClientRect().top ?? 0;
      const from = view.lineBlockAtHeight(Math.max(0, top - view.documentTop)).from;
      const index = firstFrom(matches.offsets, from);
      return index < matches.offsets.length ? index : 0;
    },
    show(index, isSought) {
      const at = matches.offsets[index];
      if (at === undefined || (index === matches.current && !isSought)) return;
      draw({ ...matches, current: index });
      if (!isSought) return;
      const folds: StateEffect<unknown>[] = [];
      foldedRanges(view.state).between(at, at, (from, to) => void folds.push(unfoldEffect.of({ from, to })));
      view.dispatch({ effects: [...folds, EditorView.scrollIntoView(at, { y: "nearest", yMargin: 60 })] });
    },
    // It is told apart by the document itself.
    forget() {},
    clear() {
      last = null;
      if (matches.offsets.length > 0) draw(NONE);
    },
  };
}

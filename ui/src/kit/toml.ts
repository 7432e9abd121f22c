// How TOML is edited: its words by their kind, its lines numbered, its faults beside them.
import {
  codeFolding,
  foldEffect,
  foldGutter,
  foldKeymap,
  foldService,
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { toml as mode } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { t } from "../i18n";

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-faint)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--blue)" },
  // Headers of tables, and what is true or false.
  { tag: tags.atom, fontWeight: "600" },
  { tag: tags.number, color: "var(--ink-soft)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--text-small)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-exact)", lineHeight: "1.6", overflow: "visible" },
  ".cm-content": { padding: "var(--space-2) 0", caretColor: "var(--blue)" },
  ".cm-cursor": { borderLeftColor: "var(--blue)", borderLeftWidth: "2px" },
  ".cm-gutters": { border: "0", backgroundColor: "var(--sheet)", color: "var(--ink-faint)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--blue-wash) 55%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--blue-wash)" },
  ".cm-foldGutter span": { cursor: "pointer" },
  ".cm-foldPlaceholder": {
    padding: "0 0.5em",
    border: "1px solid var(--rule)",
    backgroundColor: "var(--shade)",
    color: "var(--ink-soft)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--rule)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--sheet)",
    color: "var(--ink)",
    boxShadow: "var(--shadow-float)",
  },
  ".cm-diagnostic": { maxWidth: "26rem", whiteSpace: "pre-wrap", fontFamily: "var(--font-interface)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--red)" },
});

/** What can be folded under a line: the lines of an array that begins there, or a table under its header. */
export function foldable(state: EditorState, from: number): { from: number; to: number } | null {
  const { doc } = state;
  const first = doc.lineAt(from);
  const isArray = /^[\w."-]+\s*=\s*\[\s*$/.test(first.text);
  if (!isArray && !first.text.startsWith("[")) return null;
  let last = first.number;
  for (let number = first.number + 1; number <= doc.lines; number += 1) {
    const { text } = doc.line(number);
    if (isArray && text.startsWith("]")) return { from: first.to, to: doc.line(number).from };
    if (!isArray && /^\[|^#/.test(text)) break;
    if (text.trim() !== "") last = number;
  }
  return last > first.number && !isArray ? { from: first.to, to: doc.line(last).to } : null;
}

const ROUTING = "[routing]";

/**
 * Folds the requests that a pipeline serves: a long list in a table of its own or, in older files, before everything
 * else.
 */
export function foldExamples(view: EditorView): void {
  const at = /^(\[routing\]|examples\s*=\s*\[)\s*$/m.exec(view.state.doc.toString());
  const range = at && foldable(view.state, at.index);
  if (range) view.dispatch({ effects: foldEffect.of(range) });
}

/** What stands for folded lines: for requests, what they are. */
const folding = codeFolding({
  preparePlaceholder: ({ doc }, { from }) => (doc.lineAt(from).text.trim() === ROUTING ? "examples …" : "…"),
  placeholderDOM(view, onclick, text: string) {
    const placeholder = document.createElement("span");
    Object.assign(placeholder, {
      className: "cm-foldPlaceholder",
      textContent: text,
      title: view.state.phrase("unfold"),
      onclick,
    });
    placeholder.setAttribute("aria-label", view.state.phrase("folded code"));
    return placeholder;
  },
});

/** The words of folds; read where an editor is made. */
const words = () =>
  EditorState.phrases.of({
    "Fold line": t("editor.fold"),
    "Unfold line": t("editor.unfold"),
    unfold: t("editor.unfold"),
    "folded code": t("editor.folded"),
    "Folded lines": t("editor.folded"),
    "Unfolded lines": t("editor.unfold"),
  });

export const toml = (): Extension => [
  StreamLanguage.define(mode),
  syntaxHighlighting(style),
  lineNumbers(),
  lintGutter(),
  foldService.of(foldable),
  folding,
  foldGutter(),
  keymap.of(foldKeymap),
  words(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  theme,
];

// How TOML is edited: its words by their kind, its lines numbered, its faults beside them.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml as mode } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

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

export const toml: Extension = [
  StreamLanguage.define(mode),
  syntaxHighlighting(style),
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  theme,
];

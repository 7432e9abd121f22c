// The editor of a text, apart so that the page starts without it. Markdown set like the page it will become, TOML
// with its lines numbered.
import { defaultKeymap, history, historyField, historyKeymap, redo, undo } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { searchExtension, searchOf } from "./editor-search";
import { editorSearches } from "./text-search";
import { diagnosticsOf, offsetOf, type EditorFault } from "./faults";
import type { Change } from "./text-change";
import { foldExamples, toml } from "./toml";

const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--blue)" },
  { tag: [tags.processingInstruction, tags.meta], color: "var(--ink-faint)" },
  { tag: tags.monospace, fontFamily: "var(--font-exact)", fontSize: "0.86em" },
]);

const theme = EditorView.theme({
  "&": {
    font: "var(--text-draft) / var(--line-draft) var(--font-draft)",
    color: "var(--ink)",
    backgroundColor: "transparent",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0", caretColor: "var(--blue)" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--blue)", borderLeftWidth: "2px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--blue-wash)" },
});

/**
 * The side of a line break that the cursor is on is set anew after each change of the focus, and a browser focuses
 * the editor
 * for that. Without a side, the editor gives the focus away.
 */
const giveFocusAway = EditorView.domEventHandlers({
  blur(_, view) {
    const { main } = view.state.selection;
    if (main.empty && main.assoc !== 0) view.dispatch({ selection: EditorSelection.cursor(main.head) });
  },
});

export type TextKind = "markdown" | "toml";
export type Editor = {
  focus(): void;
  text(): string;
  replace(text: string): void;
  /** Marks what is wrong in the text, in place of what was marked before. */
  mark(faults: readonly EditorFault[]): void;
  /**
   * Changes parts of the text, as one step that can be taken back; what is typed elsewhere in one go is one step,
   * too.
   */
  change(changes: readonly Change[], isTyped: boolean): void;
  undo(): void;
  redo(): void;
  /** Sets the cursor to a place and brings it into sight, without the focus. */
  show(at: number): void;
  /** Tells where the cursor is whenever the person moves it. */
  onMove: (at: number) => void;
  /** Sets the cursor to a line and a column, both from 1, and brings them into sight. */
  jump(line: number, column: number): void;
  destroy(): void;
};

const KINDS: Record<TextKind, { extensions: () => Extension; attributes: Record<string, string> }> = {
  markdown: { extensions: () => [markdown(), syntaxHighlighting(style), theme], attributes: { spellcheck: "true" } },
  toml: { extensions: toml, attributes: { spellcheck: "false" } },
};

const FIELDS = { history: historyField };
/** What can be taken back in the texts edited last, by name: it outlives its editor. */
const pasts = new Map<string, unknown>();
const MOST_PASTS = 8;

/**
 * `name` is of the text itself: a later editor of it can take back what was done in this one, and what became of it
 * since.
 */
export function makeEditor(
  parent: Element,
  kind: TextKind,
  text: string,
  label: string,
  language: string | undefined,
  onChange: (text: string) => void,
  name = "",
): Editor {
  const { extensions, attributes } = KINDS[kind];
  const config = {
    extensions: [
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap, { key: "F8", run: nextDiagnostic, shift: previousDiagnostic }]),
      extensions(),
      EditorView.lineWrapping,
      searchExtension,
      giveFocusAway,
      EditorView.contentAttributes.of({ "aria-label": label, ...attributes, ...(language ? { lang: language } : {}) }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
        if (update.selectionSet && update.view.hasFocus) editor.onMove(update.state.selection.main.head);
      }),
    ],
  };
  const view = new EditorView({ parent, state: begun() });
  if (kind === "toml") foldExamples(view);
  editorSearches.set(view.dom, searchOf(view));

  function begun(): EditorState {
    if (!pasts.has(name)) return EditorState.create({ ...config, doc: text });
    const past = EditorState.fromJSON(pasts.get(name), config, FIELDS);
    return past.doc.toString() === text
      ? past
      : past.update({ changes: { from: 0, to: past.doc.length, insert: text } }).state;
  }

  const editor: Editor = {
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    replace(next) {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    change: (changes, isTyped) =>
      view.dispatch({ changes: [...changes], userEvent: isTyped ? "input.type.form" : "input.form" }),
    undo: () => void undo(view),
    redo: () => void redo(view),
    show: (at) =>
      view.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: "nearest", yMargin: 160 }),
      }),
    onMove: () => {},
    mark: (faults) => view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, faults))),
    jump(line, column) {
      const at = offsetOf(view.state.doc, line, column);
      view.focus();
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    },
    destroy() {
      pasts.delete(name);
      if (name !== "") pasts.set(name, view.state.toJSON(FIELDS));
      for (const oldest of pasts.keys()) if (pasts.size > MOST_PASTS) pasts.delete(oldest);
      view.destroy();
    },
  };
  return editor;
}

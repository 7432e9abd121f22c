// The editor of a text, apart so that the page starts without it. Markdown set like the page it will become.
import { defaultKeymap, history, historyField, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--blue)" },
  { tag: [tags.processingInstruction, tags.meta], color: "var(--ink-faint)" },
  { tag: tags.monospace, fontFamily: "var(--font-exact)", fontSize: "0.86em" },
]);

const theme = EditorView.theme({
  "&": { font: "var(--text-draft) / var(--line-draft) var(--font-draft)", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0", caretColor: "var(--blue)" },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--blue)", borderLeftWidth: "2px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--blue-wash)" },
});

export type Editor = { focus(): void; text(): string; replace(text: string): void; destroy(): void };

const FIELDS = { history: historyField };
/** What can be taken back in the texts edited last, by name: it outlives its editor. */
const pasts = new Map<string, unknown>();
const MOST_PASTS = 8;

/** `name` is of the text itself: a later editor of it can take back what was done in this one, and what became of it since. */
export function makeEditor(parent: Element, text: string, label: string, language: string | undefined, onChange: (text: string) => void, name = ""): Editor {
  const config = {
    extensions: [
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      markdown(),
      syntaxHighlighting(style),
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", ...(language ? { lang: language } : {}) }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  };
  const view = new EditorView({ parent, state: begun() });

  function begun(): EditorState {
    if (!pasts.has(name)) return EditorState.create({ ...config, doc: text });
    const past = EditorState.fromJSON(pasts.get(name), config, FIELDS);
    return past.doc.toString() === text ? past : past.update({ changes: { from: 0, to: past.doc.length, insert: text } }).state;
  }

  return {
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    replace(next) {
      if (next !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    destroy() {
      pasts.delete(name);
      if (name !== "") pasts.set(name, view.state.toJSON(FIELDS));
      for (const oldest of pasts.keys()) if (pasts.size > MOST_PASTS) pasts.delete(oldest);
      view.destroy();
    },
  };
}

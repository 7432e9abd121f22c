// Faults of a text as the editor marks them: from lines and columns in characters to places in its document.
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { DefinitionFault } from "../ipc/bindings";

/** A fault with its words. */
export type EditorFault = Omit<DefinitionFault, "reason"> & { reason: string };

/**
 * The place of a line and a column, both from 1 and the column in characters; what lies behind the end becomes the
 * end.
 */
export function offsetOf(doc: Text, line: number, column: number): number {
  if (line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  return from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
}

/** Marks from where a fault begins to the end of its line. A fault of the whole text has no place and no mark. */
export function diagnosticsOf(doc: Text, faults: readonly EditorFault[]): Diagnostic[] {
  const placed = faults.filter(({ line }) => line > 0);
  return placed.map(({ line, column, reason }) => {
    const at = offsetOf(doc, line, column);
    const { from, to } = doc.lineAt(at);
    // A fault at the end of a line is marked on the whole line: a mark of no width cannot be seen.
    return { from: at === to ? from : at, to, severity: "error" as const, message: reason };
  });
}

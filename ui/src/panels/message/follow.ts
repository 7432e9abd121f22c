// What is said in the message line, as a request: the next run takes the words for its first text, and everything else
// from the run that it follows.
import type { PipelineCard, StartRun } from "../../ipc/bindings";
import type { View } from "../../run/shape";
import { isStored, listOf } from "../../run/value";

/** The phrases that show the exact state, whatever their case and spaces; no model is asked. */
export function isStatePhrase(said: string): boolean {
  return /^\s*(display\s+all\s+states?|show\s+saved\s+states?)\s*[.!]?\s*$/i.test(said);
}

/** Whether the run has ended and its search brought nothing to write from. */
export function foundNothing(view: View): boolean {
  const hasSome = view.declarations.flatMap(({ name, role }) => {
    const held = view.state.get(name);
    // What stands by its hash is long, and so not empty.
    return role.kind === "sources" && held ? [isStored(held.value) || listOf(held.value, role.items).length > 0] : [];
  });
  return view.outcome === "finished" && hasSome.includes(false) && !hasSome.includes(true);
}

/** The run that follows, or null when the pipeline takes no text. */
export function followUp(pipeline: PipelineCard, view: View, said: string, { profile, source, asOf, session }: { profile: string; source: string | null; asOf: string | null; session: string }): StartRun | null {
  const main = pipeline.inputs.find(({ kind, is_required }) => is_required && (kind === "text" || kind === "long_text")) ?? pipeline.inputs.find(({ kind }) => kind === "text" || kind === "long_text");
  if (!main) return null;
  const before = Object.fromEntries(pipeline.inputs.flatMap(({ key }) => (view.state.get(key)?.value !== undefined ? [[key, view.state.get(key)?.value]] : [])));
  return { pipeline: pipeline.id, inputs: { ...before, [main.key]: said }, profile: profile === "" ? null : profile, source, as_of: asOf, session, instructions: {}, models: {}, profiles: {}, limits: {}, allow: [] };
}

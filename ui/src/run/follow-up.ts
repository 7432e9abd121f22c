// What can come of what is said in the message line: the next run takes the words for its first text and everything
// else from the run that it follows; or the stage that wrote the text is told them, in a fork before it.
import type { InputField, Outline, PipelineCard, StartRun } from "../ipc/bindings";
import { lastWhere } from "../platform/last-where";
import type { Call, View } from "./view-types";
import { agents } from "./stages";
import { sourcesIn } from "./role-values";
import { isStored } from "./value";

/** The phrases that show the exact state, whatever their case and spaces; no model is asked. */
export function isStatePhrase(said: string): boolean {
  return /^\s*(display\s+all\s+states?|show\s+saved\s+states?)\s*[.!]?\s*$/i.test(said);
}

/** Whether the run has ended and its search brought nothing to write from. */
export function foundNothing(view: View): boolean {
  const hasSome = view.declarations.flatMap(({ name, role }) => {
    const held = view.state.get(name);
    // What stands by its hash is long, and so not empty.
    return role.kind === "sources" && held ? [isStored(held.value) || sourcesIn(role, held.value)?.length !== 0] : [];
  });
  return view.outcome === "finished" && hasSome.includes(false) && !hasSome.includes(true);
}

/**
 * The call that wrote the text which stands, when a model wrote it and the run has ended: it can be told something
 * else.
 */
export function writerOf(view: View, outline: Outline): Call | null {
  if (view.outcome === null || view.outcome === "waiting") return null;
  const known = agents(outline);
  const written = lastWhere(view.versions, ({ author, holds }) => holds && known.get(author)?.agent.kind === "llm");
  return (written && view.calls.get(written.path)) ?? null;
}

/** The input that takes what is said; none when the pipeline takes no text. */
export function mainInput({ inputs }: PipelineCard): InputField | undefined {
  const texts = inputs.filter(({ kind }) => ["text", "long_text", "document"].includes(kind));
  return texts.find(({ is_required }) => is_required) ?? texts[0];
}

/** The run that follows, or null when the pipeline takes no text. */
export function followUp(
  pipeline: PipelineCard,
  view: View,
  said: string,
  {
    profile,
    tools,
    asOf,
    session,
  }: { profile: string; tools: Record<string, string>; asOf: string | null; session: string },
): StartRun | null {
  const main = mainInput(pipeline);
  if (!main) return null;
  const before = Object.fromEntries(
    pipeline.inputs.flatMap(({ key }) =>
      view.state.get(key)?.value !== undefined ? [[key, view.state.get(key)?.value]] : [],
    ),
  );
  return {
    pipeline: pipeline.id,
    inputs: { ...before, [main.key]: said },
    profile: profile === "" ? null : profile,
    tools,
    as_of: asOf,
    session,
    agents: {},
    limits: {},
    allow: [],
  };
}

// Versions of texts as they are read: their words, their limits, who wrote them. Pure, over the view.
import type { Outline } from "../ipc/bindings";
import { USER } from "../ipc/names";
import { t } from "../i18n";
import { pipelineText, remarkText } from "../i18n/pipeline-text.svelte";
import { citationsIn } from "./passages";
import { agentAt, ownInstance } from "./place";
import { lastWhere } from "../platform/last-where";
import { heldBy, sourcesIn } from "./role-values";
import type { Resolve, Version, View } from "./view-types";
import { agents } from "./stages";
import { field, textOf } from "./value";
import { countWords } from "./word-count";

/** The text of a version, or undefined while its value is being fetched. */
export function textIn(view: View, version: Version, resolve: Resolve): string | undefined {
  const value = resolve(version.key, version.seq, version.value);
  return value === undefined ? undefined : textOf(value, editedField(view, version.key));
}

/** The nearest text before a version that is another than its own; undefined where there is none. While its own text is
 * being fetched, the version before it: comparing would fetch every earlier text. */
export function otherBefore(view: View, version: Version, resolve: Resolve): Version | undefined {
  const text = textIn(view, version, resolve);
  return lastWhere(
    view.versions,
    (one) => one.seq < version.seq && (text === undefined || textIn(view, one, resolve) !== text),
  );
}

/** The field of a key that a person edits; empty for the value itself. */
export function editedField(view: View, key: string): string {
  const role = view.roles.get(key);
  return role?.kind === "draft" ? role.edit : "";
}

/** Words of a version and the most allowed: as the program measured them, or counted here where it has not. */
export function wordsOf(view: View, version: Version, resolve: Resolve): { words: number; most: number } | null {
  const role = view.roles.get(version.key);
  if (role?.kind === "draft") {
    const words = field(resolve(version.key, version.seq, version.value), role.words);
    if (typeof words === "number") return { words, most: role.word_limit };
  }
  const text = textIn(view, version, resolve);
  if (text === undefined) return null;
  // What is published is mostly the draft before it; older ones are not fetched for this.
  const same = version.isFinal
    ? lastWhere(view.versions, (other) => !other.isFinal && other.seq < version.seq)
    : undefined;
  return same && textIn(view, same, resolve) === text
    ? wordsOf(view, same, resolve)
    : { words: countWords(text), most: limitOf(view, version.key) };
}

/** The most words of a text; what is published may have as many as the draft it was made from. */
export function limitOf(view: View, key: string): number {
  const role = view.roles.get(key);
  if (role?.kind === "draft") return role.word_limit;
  const drafts = [...view.roles.values()].flatMap((other) => (other.kind === "draft" ? [other.word_limit] : []));
  return drafts.length === 1 ? (drafts[0] ?? 0) : 0;
}

/** The number of the last draft before an event; null where there was none. */
export function draftBefore(view: View, seq: number): number | null {
  return lastWhere(view.versions, (version) => !version.isFinal && version.seq < seq)?.number ?? null;
}

/** The version that stands at this moment. */
export function latest(view: View): Version | undefined {
  return lastWhere(view.versions, (version) => version.holds) ?? view.versions.at(-1);
}

/** The text that is just being written, if a stage streams one that becomes a draft. */
export function streaming(
  view: View,
  outline: Outline,
  text: ReadonlyMap<string, string>,
): { title: string; text: string } | null {
  const known = agents(outline);
  for (const [path, said] of text) {
    // What an instance writes becomes no draft of the run.
    if (ownInstance(path) !== null) continue;
    const agent = known.get(agentAt(path));
    const kind = agent?.stream ? view.roles.get(agent.stream.key)?.kind : undefined;
    if (agent && (kind === "draft" || kind === "final")) return { title: agent.title, text: said };
  }
  return null;
}

/** Who an author is to a reader. */
export function nameOf(author: string, outline: Outline, you: string): string {
  return author === USER ? you : pipelineText(agents(outline).get(author)?.title ?? author);
}

/**
 * Sentences that must stand beside the text: a remark of the pipeline, that an agent had no model, that nothing is
 * cited.
 */
export function caveats(view: View, version: Version | undefined, resolve: Resolve, outline?: Outline): string[] {
  const found: string[] = [];
  for (const { name, role } of view.declarations) {
    if (role.kind !== "remark") continue;
    const held = view.state.get(name);
    const value = held ? resolve(name, held.seq, held.value) : null;
    if (typeof value === "string" && value !== "") found.push(remarkText(value));
  }
  const without = new Set(view.remarks.filter(({ note }) => note.kind === "without_model").map(({ author }) => author));
  if (without.size > 0)
    found.push(
      t("draft.without_model", {
        names: [...without].map((agent) => (outline ? nameOf(agent, outline, agent) : agent)).join(t("remark.and")),
      }),
    );
  const text = version ? textIn(view, version, resolve) : undefined;
  // Where nothing was found there is nothing to point to.
  const hasSources = heldBy("sources", view, resolve).some(
    ({ role, value }) => (sourcesIn(role, value)?.length ?? 0) > 0,
  );
  if (hasSources && text && countWords(text) > 0 && citationsIn(text).length === 0) found.push(t("draft.uncited"));
  return found;
}

/** What a version of a text is called: its key, its number, its author, and whether it still holds. */
export function labelOf(one: Version, outline: Outline, you: string): string {
  const number = one.isFinal && one.number === 1 ? "" : ` ${one.number}`;
  const aside = one.holds ? "" : ` · ${t("draft.set_aside")}`;
  return `${pipelineText(one.title)}${number} · ${t("draft.by", { author: nameOf(one.author, outline, you) })}${aside}`;
}

// The titles of what the program's sentences call by name: limits, and the agents and keys of the run that is open.
import { t, type Words } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import { LIMIT_NAMES } from "../i18n/titles";
import type { KeyDeclaration, Outline } from "../ipc/bindings";
import { USER_WORDS } from "../ipc/names";
import { agents } from "./stages";

/**
 * Keys of the program that no pipeline declares: the item of an agent on demand, its result, the words of the person.
 */
const LOCAL: Partial<Record<string, Words>> = { item: "each.input", result: "each.output", [USER_WORDS]: "words.key" };

/** The title of a key, as far as it has one. */
export function keyTitle(name: string, title: string | undefined): string {
  const local = Object.hasOwn(LOCAL, name) ? LOCAL[name] : undefined;
  return title === undefined && local ? t(local) : pipelineText(title ?? name);
}

export function titlesOf(page?: { outline: Outline; keys: readonly KeyDeclaration[] }): Map<string, string> {
  return new Map([
    ...LIMIT_NAMES.map((name): [string, string] => [name, t(`limit.${name}`)]),
    [USER_WORDS, t("words.key")],
    ...(page?.keys ?? []).map(({ name, title }): [string, string] => [name, pipelineText(title)]),
    ...(page
      ? [...agents(page.outline).values()].map(({ name, title }): [string, string] => [name, pipelineText(title)])
      : []),
  ]);
}

/** The titles of the agents and keys of all pipelines, except of names that stand for something else in another. */
export function knownTitles(
  pipelines: readonly { outline: Outline; keys: readonly KeyDeclaration[] }[],
): Map<string, string> {
  const all = new Map<string, string | null>();
  for (const [name, title] of pipelines.flatMap((pipeline) => [...titlesOf(pipeline)]))
    all.set(name, (all.get(name) ?? title) === title ? title : null);
  return new Map([
    ...titlesOf(),
    ...[...all].flatMap(([name, title]): [string, string][] => (title === null ? [] : [[name, title]])),
  ]);
}

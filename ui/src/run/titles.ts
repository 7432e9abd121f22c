// The titles of what the program's sentences call by name: limits, and the agents and keys of the run that is open.
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import { LIMIT_NAMES } from "../i18n/titles";
import type { KeyDeclaration, Outline } from "../ipc/bindings";
import { agents } from "./stages";

export function titlesOf(page?: { outline: Outline; keys: readonly KeyDeclaration[] }): Map<string, string> {
  return new Map([
    ...LIMIT_NAMES.map((name): [string, string] => [name, t(`limit.${name}`)]),
    ...(page?.keys ?? []).map(({ name, title }): [string, string] => [name, pipelineText(title)]),
    ...(page ? [...agents(page.outline).values()].map(({ name, title }): [string, string] => [name, pipelineText(title)]) : []),
  ]);
}

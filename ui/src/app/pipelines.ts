// Pipelines as the page knows them wherever it is: their words in other languages, and the way into a new one.
import { learn } from "../i18n/pipeline-text.svelte";
import type { PipelineCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import { router } from "./route.svelte";
import { toastError } from "./toast-error";

let known: readonly PipelineCard[] = [];

/** Takes the words of pipelines, in place of those that were known under their ids. */
export function learnPipelines(cards: readonly PipelineCard[]): void {
  known = [...known.filter(({ id }) => !cards.some((card) => card.id === id)), ...cards];
  learn(known.map(({ words }) => words));
}

/** Makes a file, a copy of a pipeline or the smallest one there is, and opens it. */
export function makePipeline(of: string | null): void {
  router.leave(() => {
    void call("create_pipeline", { of }).then(({ id }) => router.go({ screen: "pipeline", id }), toastError);
  });
}

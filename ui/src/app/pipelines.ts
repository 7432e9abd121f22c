// Pipelines as the page knows them wherever it is: their words in other languages, and the way into a new one.
import { learn } from "../i18n/pipeline-text.svelte";
import { t } from "../i18n";
import type { PipelineCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";
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

/** So many numbers are tried for a file whose name is taken. */
const MOST_NUMBERS = 20;

/** Takes in the file of a pipeline as one of the person's own, under its name or with the next number, and opens it. */
export async function takePipeline(path: string, name: string): Promise<void> {
  const plain = name
    .replace(/\.toml$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  try {
    const { text } = await call("read_document", { path });
    for (let number = 1; number <= MOST_NUMBERS; number++) {
      const saved = await saveNew(`${plain === "" ? "pipeline" : plain}${number === 1 ? "" : `-${number}`}`, text);
      if (saved !== null) return router.go({ screen: "pipeline", id: saved });
    }
    toastError(t("drops.too_many", { name }));
  } catch (thrown) {
    toastError(thrown);
  }
}

/** The id under which a text is saved; null where the wanted one is taken. */
async function saveNew(id: string, text: string): Promise<string | null> {
  try {
    const saved = await call("save_pipeline", { id, text, revision: null });
    return saved.kind === "saved" ? saved.id : null;
  } catch (thrown) {
    if (toApiError(thrown).code === "not_found") return null;
    throw thrown;
  }
}

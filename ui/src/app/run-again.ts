// A run begun once more: its form opens, filled as the run was started. Where the form of its pipeline is not
// offered, as for a rewrite in one step, the run begins at once.
import type { RunCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import { filledAgain } from "../run/filled";
import { router } from "./route.svelte";
import { toastError } from "./toast-error";

export async function runAgain({ run, title }: Pick<RunCard, "run" | "title">): Promise<void> {
  try {
    const [request, { pipelines }] = await Promise.all([call("read_request", { run }), call("list_pipelines", {})]);
    const isOffered = pipelines.some(({ id }) => id === request.pipeline);
    if (isOffered) router.go({ screen: "launch", pipeline: request.pipeline, filled: filledAgain(request, title) });
    else router.go({ screen: "run", run: (await call("start_run", request)).run });
  } catch (thrown) {
    toastError(thrown);
  }
}

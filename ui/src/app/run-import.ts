// A run that somebody exported, taken in from its file and opened.
import { toast } from "svelte-sonner";
import { t } from "../i18n";
import { call } from "../ipc/client";
import { router } from "./route.svelte";
import { toastError } from "./toast-error";

/** Takes in the run of a file. */
export async function bringRun(path: string): Promise<void> {
  try {
    const { run, was_here: wasHere, left_out: leftOut } = await call("import_run", { path });
    if (wasHere) toast.info(t("import.was_here"));
    else if (leftOut.length > 0) toast.warning(t("import.left_out"));
    router.go({ screen: "run", run });
  } catch (thrown) {
    toastError(thrown);
  }
}

/** Lets the person choose the file. */
export async function chooseRun(): Promise<void> {
  try {
    const [path] = (await call("choose_paths", { kind: "files" })).paths;
    if (path !== undefined) await bringRun(path);
  } catch (thrown) {
    toastError(thrown);
  }
}

// What went wrong where no card has a place, in a notice that goes by itself.
import { toast } from "svelte-sonner";
import { translateProgramText } from "../i18n/program-text.svelte";
import { unquoted } from "../i18n/plain-text";
import { toApiError } from "../ipc/errors";

export function toastError(thrown: unknown): void {
  toast.error(unquoted(translateProgramText(toApiError(thrown).message)));
}

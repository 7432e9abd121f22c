// What went wrong where no card has a place, in a notice that goes by itself.
import { toast } from "svelte-sonner";
import { phraseText } from "../i18n/phrase";
import { unquoted } from "../i18n/titles";
import { toApiError } from "../ipc/errors";

export function toastError(thrown: unknown): void {
  toast.error(unquoted(phraseText(toApiError(thrown).phrase)));
}

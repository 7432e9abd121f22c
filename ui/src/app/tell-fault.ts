// What went wrong where no card has a place, in a notice that goes by itself.
import { toast } from "svelte-sonner";
import { own } from "../i18n/own.svelte";
import { unquoted } from "../i18n/plain";
import { toFault } from "../ipc/errors";

export function tellFault(error: unknown): void {
  toast.error(unquoted(own(toFault(error).message)));
}

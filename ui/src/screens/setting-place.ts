// Where a setting stands on the page: one that was looked for is marked, scrolled to and gets the focus.
import type { Attachment } from "svelte/attachments";
import { router } from "../app/route.svelte";

/** The last route whose setting got the focus; each way to a setting is a new route. */
let shown: unknown = null;

/** Marks its element as the place of a setting. */
export function settingPlace(name: string): Attachment<HTMLElement> {
  return (element) => {
    const { route } = router;
    const isWanted = route.screen === "settings" && route.setting === name;
    element.toggleAttribute("data-found", isWanted);
    // The attachment runs again when the setting changes; the focus moves only once.
    if (!isWanted || shown === route) return;
    shown = route;
    element.scrollIntoView({ block: "center" });
    const control = element.querySelector<HTMLElement>("select, input, button, textarea, summary, a[href]");
    if (!control) element.tabIndex = -1;
    (control ?? element).focus({ preventScroll: true });
  };
}

// The tray: the runs that work or wait, in the language of the page. The window shows them where the system has a tray.
import { t } from "../i18n";
import type { RunCard, ShowTray } from "../ipc/bindings";
import { call } from "../ipc/client";

/** The runs that the tray lists, those that wait for the person first. */
const LISTED: readonly RunCard["status"][] = ["waiting", "waiting_for_disk", "running"];
/** A menu of the tray does not scroll everywhere. */
const MOST = 12;

let lastSent = "";

/** Tells the window what its tray holds, where that is something else than before. */
export function tellTray(runs: readonly RunCard[]): void {
  const tray = trayOf(runs);
  const text = JSON.stringify(tray);
  if (text === lastSent) return;
  lastSent = text;
  // Without a tray the runs are still in the list.
  void call("show_tray", tray).catch(() => {});
}

export function trayOf(runs: readonly RunCard[]): ShowTray {
  const listed = runs
    .filter(({ status }) => LISTED.includes(status))
    .sort((a, b) => LISTED.indexOf(a.status) - LISTED.indexOf(b.status) || b.started_at_ms - a.started_at_ms);
  const waiting = listed.filter(({ status }) => status === "waiting").length;
  return {
    title: t("tray.title", { running: listed.length - waiting, waiting }),
    runs: listed
      .slice(0, MOST)
      .map(({ run, title, status }) => ({ run, title: `${title} · ${t(`status.${status}`)}` })),
    show: t("tray.show"),
    quit: t("action.close"),
  };
}

// What can be done with the run that is open, by a key or from the palette.
import type { Action } from "../app/actions.svelte";

type Deeds = { stop: () => void; resume: () => void; fork: () => void; replay: () => void; export: () => void; ledger: () => void; state: () => void };

export type ToolName = "fork" | "export" | "replay" | "correct" | "ledger";

export function deskActions(deeds: Deeds, isRunning: boolean): Action[] {
  const tab = (number: number) => () => {
    const found = document.querySelectorAll<HTMLElement>('[role="tab"]')[number - 1];
    found?.focus();
    found?.click();
  };
  const numbered = ([1, 2, 3, 4, 5, 6] as const).map((number): Action => ({ id: `tab-${number}`, title: `action.tab.${number}`, section: "panels", keys: `mod+${number}`, run: tab(number) }));
  return [
    { id: "state", title: "action.state", section: "run", keys: "mod+shift+s", run: deeds.state },
    { id: "message", title: "action.message", section: "run", keys: "mod+j", run: () => document.getElementById("message-line")?.focus() },
    // The keys that started it stop it.
    isRunning ? { id: "stop", title: "action.stop", section: "run", keys: "mod+enter", run: deeds.stop } : { id: "resume", title: "action.resume", section: "run", keys: "", run: deeds.resume },
    { id: "fork", title: "action.fork", section: "run", keys: "mod+shift+f", run: deeds.fork },
    { id: "replay", title: "action.replay", section: "run", keys: "", run: deeds.replay },
    { id: "export", title: "action.export", section: "run", keys: "mod+shift+e", run: deeds.export },
    { id: "ledger", title: "action.ledger", section: "run", keys: "", run: deeds.ledger },
    ...numbered,
  ];
}

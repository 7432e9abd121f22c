// What can be done with the run that is open, by a key or from the palette.
import { tick } from "svelte";
import type { Action } from "../app/actions.svelte";
import { router } from "../app/route.svelte";
import type { LiveRun } from "../run/live-run.svelte";
import { questions } from "../run/stages";
import { preferences } from "../app/preferences.svelte";

type Handlers = {
  stop: () => void;
  answer: () => void;
  resume: () => void;
  fork: () => void;
  replay: () => void;
  export: () => void;
  ledger: () => void;
  state: () => void;
  again: () => void;
};

export type ToolName = "fork" | "export" | "replay" | "correct" | "ledger";

/**
 * The moment that a key leads to, wherever nothing else wants it: with the focus nowhere, at a heading, or at a run
 * of the list.
 */
export function momentOf(event: KeyboardEvent, at: number, last: number): number | undefined {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.shiftKey ||
    event.defaultPrevented ||
    !(event.target as Element).matches("body, h1, [data-run]")
  )
    return undefined;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: last }[event.key];
  if (to !== undefined) event.preventDefault();
  return to;
}

/** What cannot be done is not offered. */
export function deskActions(
  handlers: Handlers,
  can: { stop: boolean; goOn: boolean; write: boolean; answer: boolean },
): Action[] {
  const tabOf = (number: number) => document.querySelectorAll<HTMLElement>('[role="tab"]')[number - 1];
  const tab = (number: number) => async () => {
    preferences.hasSide = true;
    await tick();
    const found = tabOf(number);
    found?.focus();
    found?.click();
  };
  const numbered = ([1, 2, 3, 4, 5, 6] as const).map((number): Action => ({
    id: `tab-${number}`,
    title: `action.tab.${number}`,
    label: () => tabOf(number)?.firstChild?.textContent?.trim(),
    section: "panels",
    keys: `mod+${number}`,
    run: () => void tab(number)(),
  }));
  return [
    { id: "state", title: "action.state", section: "run", keys: "mod+shift+s", run: handlers.state },
    {
      id: "message",
      title: "action.message",
      section: "run",
      keys: "mod+j",
      run: () => document.getElementById("message-line")?.focus(),
    },
    // The other of reading and writing, or what leads to where one can write.
    ...when(can.write, {
      id: "write",
      title: "action.write",
      section: "run",
      keys: "mod+e",
      run: () => otherOf("draft-mode"),
    }),
    // The keys that started it stop it.
    ...when(can.stop, { id: "stop", title: "action.stop", section: "run", keys: "mod+enter", run: handlers.stop }),
    // While the run waits for an answer they give the suggested one.
    ...when(can.answer, {
      id: "answer",
      title: "action.answer",
      section: "run",
      keys: "mod+enter",
      run: handlers.answer,
      replaces: "stop",
    }),
    ...when(can.goOn, { id: "resume", title: "action.resume", section: "run", keys: "", run: handlers.resume }),
    { id: "fork", title: "action.fork", section: "run", keys: "mod+shift+f", run: handlers.fork },
    { id: "again", title: "action.again", section: "run", keys: "", run: handlers.again },
    ...when(!can.stop, { id: "replay", title: "action.replay", section: "run", keys: "", run: handlers.replay }),
    { id: "export", title: "action.export", section: "run", keys: "mod+shift+e", run: handlers.export },
    { id: "ledger", title: "action.ledger", section: "run", keys: "", run: handlers.ledger },
    ...numbered,
    {
      id: "side",
      title: "action.side",
      section: "look",
      keys: "mod+shift+b",
      run: () => (preferences.hasSide = !preferences.hasSide),
    },
    {
      id: "stages",
      title: "action.stages",
      section: "look",
      keys: "mod+shift+g",
      run: () => (preferences.hasBoxes = !preferences.hasBoxes),
    },
  ];
}

const when = (isPossible: boolean, action: Action): Action[] => (isPossible ? [action] : []);

/**
 * Presses the button of a question that has the focus, else the primary one of the question that has the focus, else
 * of the
 * oldest: refusing is primary where a tool wants to be allowed. A question without a primary button has a field for
 * words.
 * While an earlier moment is shown, the question is shown first: an answer is given only to a visible question.
 * Of a permission only the primary button is pressed, so that this action never allows a call.
 */
export function answer(live: LiveRun): void {
  const [first] = questions(live.head);
  if (!live.isAtEnd && first) return router.go({ screen: "run", run: live.run, question: first.seq });
  const focused = document.activeElement;
  const around = focused?.closest<HTMLElement>('[data-testid="question"]');
  const open = around ?? document.querySelector<HTMLElement>('[data-testid="question"]:not([hidden])');
  const isOwn = around && focused instanceof HTMLButtonElement && !around.hasAttribute("data-permission");
  const button = isOwn ? focused : open?.querySelector<HTMLElement>(".button.primary");
  if (button) button.click();
  else open?.querySelector<HTMLElement>("input, textarea")?.focus();
}

/** Presses the button of a choice that is not pressed. */
function otherOf(choice: string): void {
  const found = document.getElementById(choice)?.querySelector<HTMLElement>('button:not([aria-pressed="true"])');
  found?.focus();
  found?.click();
}

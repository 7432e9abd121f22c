import { expect, test, vi } from "vitest";

vi.hoisted(() => Object.defineProperty(navigator, "platform", { value: "MacIntel", configurable: true }));
import { actions } from "./actions.svelte";
import { listenForKeys } from "./key-events";

test("on a Mac, Option with a digit types a sign in a field and is an action's key elsewhere", () => {
  const run = vi.fn();
  actions.always([{ id: "first", title: "action.palette", section: "go", keys: "alt+5", run }]);
  const leave = listenForKeys({ openPalette: () => {}, openSheet: () => {}, closeDrawer: () => false });
  const field = document.body.appendChild(document.createElement("input"));
  const press = (target: Element) => {
    const event = new KeyboardEvent("keydown", {
      key: "[",
      code: "Digit5",
      altKey: true,
      bubbles: true,
      cancelable: true,
    });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([press(field), run.mock.calls.length]).toEqual([false, 0]);
  expect([press(document.body), run.mock.calls.length]).toEqual([true, 1]);
  leave();
  field.remove();
});

test("a popover is closed before the action of a key, which may open what wants the focus", async () => {
  const done: string[] = [];
  actions.always([
    { id: "fork", title: "action.palette", section: "go", keys: "mod+shift+f", run: () => void done.push("action") },
  ]);
  const leave = listenForKeys({ openPalette: () => {}, openSheet: () => {}, closeDrawer: () => false });
  const popover = document.body.appendChild(document.createElement("div"));
  popover.dataset.popoverContent = "";
  popover.addEventListener("keydown", ({ key }) => key === "Escape" && done.push("closed"));
  popover.dispatchEvent(
    new KeyboardEvent("keydown", { key: "F", ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true }),
  );
  await new Promise((go) => setTimeout(go));
  expect(done).toEqual(["closed", "action"]);
  leave();
  popover.remove();
});

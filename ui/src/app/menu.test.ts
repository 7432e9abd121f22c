// What the menu bar holds, and what choosing in it does.
import { afterEach, expect, test } from "vitest";
import type { MenuEntry } from "../ipc/bindings";
import type { Action } from "./actions.svelte";
import { chordOf } from "./keymap.svelte";
import { choose, menuOf } from "./menu";

const done: string[] = [];
const action = (id: string, section: Action["section"], keys: string): Action => ({
  id,
  title: "action.palette",
  section,
  keys,
  run: () => void done.push(id),
});
const actions = [
  action("palette", "go", "mod+k"),
  action("settings", "go", "mod+,"),
  action("close", "go", "mod+q"),
  action("zoom-in", "look", "mod+plus"),
  action("state", "run", "mod+shift+s"),
  action("library", "go", ""),
];

afterEach(() => void done.splice(0));

test("every action stands in the menu bar once, with its keys, and a column without entries is none", () => {
  const menus = menuOf(actions, ({ keys }) => keys);
  const commands = menus
    .flatMap(({ entries }) => entries)
    .filter((entry): entry is MenuEntry & { kind: "command" } => entry.kind === "command");
  expect(commands.map(({ id, keys }) => [id, keys]).sort()).toEqual(actions.map(({ id, keys }) => [id, keys]).sort());
  expect(menus[0]?.entries.at(-1)).toMatchObject({ id: "close" });
  expect(menus.some(({ entries }) => entries.length === 0)).toBe(false);
  expect(
    menus
      .flatMap(({ entries }) => entries)
      .filter(({ kind }) => kind === "standard")
      .map((entry) => "title" in entry && entry.title),
  ).not.toContain("");
});

test("what is chosen is pressed where the focus is, and what has no keys is done", () => {
  const pressed: (string | null)[] = [];
  const field = document.body.appendChild(document.createElement("input"));
  field.focus();
  field.addEventListener("keydown", (event) => pressed.push(chordOf(event)));
  for (const one of actions) choose(one, one.keys);
  expect(pressed).toEqual(["mod+k", "mod+,", "mod+q", "mod+plus", "mod+shift+s"]);
  expect(done).toEqual(["library"]);
  field.remove();
});

// The menu bar, where the system has one: every action of the page once, in the order of the palette, and what the
// system does itself. What is chosen there does what its keys do here, so that whoever wants those keys in a panel
// still gets them.
import { t, type Words } from "../i18n";
import type { Menu, MenuEntry, StandardCommand } from "../ipc/bindings";
import { titleOf, type Action, type Section } from "./actions.svelte";

/** Stand in the program's own column, as a person on that system expects. */
const OF_PROGRAM = ["help", "settings", "close"];

const rule: MenuEntry = { kind: "rule" };
const standard = (command: StandardCommand): MenuEntry => ({
  kind: "standard",
  command,
  title: t(`menu.${command}` satisfies Words),
});

export function menuOf(actions: readonly Action[], keysOf: (action: Action) => string): Menu[] {
  const entry = (action: Action): MenuEntry => ({
    kind: "command",
    id: action.id,
    title: titleOf(action),
    keys: keysOf(action),
  });
  const named = (id: string) => actions.filter((action) => action.id === id).map(entry);
  const section = (name: Section): Menu => ({
    title: t(`palette.${name}`),
    entries: actions.filter((action) => action.section === name && !OF_PROGRAM.includes(action.id)).map(entry),
  });
  const menus: Menu[] = [
    {
      title: "Galley",
      entries: [...named("help"), ...named("settings"), rule, standard("hide"), rule, ...named("close")],
    },
    section("go"),
    section("favourites"),
    {
      title: t("menu.edit"),
      entries: [
        standard("undo"),
        standard("redo"),
        rule,
        standard("cut"),
        standard("copy"),
        standard("paste"),
        standard("select_all"),
      ],
    },
    section("run"),
    section("pipeline"),
    section("panels"),
    section("look"),
    { title: t("menu.window"), entries: [standard("minimize"), standard("full_screen")] },
  ];
  return menus.filter(({ entries }) => entries.length > 0);
}

/** Does what was chosen: presses the action's keys where the focus is, or, where it has none, does it. */
export function choose(action: Action, keys: string): void {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  if (!parts.includes("mod")) return action.run();
  const press = new KeyboardEvent("keydown", {
    key: key === "plus" ? "+" : key,
    metaKey: true,
    shiftKey: parts.includes("shift"),
    altKey: parts.includes("alt"),
    bubbles: true,
    cancelable: true,
  });
  (document.activeElement ?? document.body).dispatchEvent(press);
}

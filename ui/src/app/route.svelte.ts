// Which screen is open. Kept, so that the next start opens where this one was left.
import type { Filled, Found } from "../run/filled";
import { isSettingsSection, type SettingsSection } from "./settings-sections";
import { remember, remembered } from "../platform/storage";

export type Route =
  | { screen: "welcome" }
  /** With the pipeline whose form is wanted and what it is filled with, or what came of a request. */
  | { screen: "launch"; pipeline?: string; filled?: Filled; found?: Found }
  /** With the question that is wanted, by the number of its event. */
  | { screen: "run"; run: string; question?: number }
  /** The text of a pipeline of the person. */
  | { screen: "pipeline"; id: string }
  | { screen: "library" }
  | { screen: "schedules" }
  /** With the section, the setting that is looked for in it, and the profile whose key is to be given. */
  | { screen: "settings"; section?: SettingsSection; setting?: string; profile?: string }
  /** The way from a provider's key to a first run; with the provider, where it is known. */
  | { screen: "key"; provider?: string }
  | { screen: "doctor" }
  | { screen: "help" }
  | { screen: "comparison"; one: string; other: string };

class Router {
  route = $state.raw<Route>(read());
  #ask: (leave: () => void) => void = (leave) => leave();

  go(route: Route): void {
    this.leave(() => {
      this.route = route;
      // What the person said is no place to come back to.
      remember(
        "opened",
        JSON.stringify(route, (key, value: unknown) => (key === "filled" || key === "found" ? undefined : value)),
      );
    });
  }

  /** Does what leaves the open screen, once that screen agrees. */
  leave(act: () => void): void {
    this.#ask(act);
  }

  /** Lets the open screen ask the person before it is left, until the returned function is called. */
  guard(ask: (leave: () => void) => void): () => void {
    this.#ask = ask;
    return () => {
      if (this.#ask === ask) this.#ask = (leave) => leave();
    };
  }
}

function read(): Route {
  try {
    const kept = JSON.parse(remembered("opened") ?? "null") as Partial<
      Record<"screen" | "run" | "one" | "other" | "id" | "section", unknown>
    > | null;
    if (kept?.screen === "run" && typeof kept.run === "string") return { screen: "run", run: kept.run };
    if (kept?.screen === "pipeline" && typeof kept.id === "string") return { screen: "pipeline", id: kept.id };
    if (kept?.screen === "comparison" && typeof kept.one === "string" && typeof kept.other === "string")
      return { screen: "comparison", one: kept.one, other: kept.other };
    if (kept?.screen === "settings")
      return { screen: "settings", ...(isSettingsSection(kept.section) ? { section: kept.section } : {}) };
    if (
      kept?.screen === "launch" ||
      kept?.screen === "library" ||
      kept?.screen === "schedules" ||
      kept?.screen === "key" ||
      kept?.screen === "doctor" ||
      kept?.screen === "help"
    )
      return { screen: kept.screen };
  } catch {
    // What was kept is of another version.
  }
  return { screen: "welcome" };
}

export const router = new Router();

// Which screen is open. Kept, so that the next start opens where this one was left.
import { remember, remembered } from "./storage";

export type Route =
  | { screen: "welcome" }
  | { screen: "launch"; pipeline?: string }
  | { screen: "run"; run: string }
  | { screen: "library" }
  /** With the profile whose key is to be given; an empty name is the form of a new one. */
  | { screen: "settings"; profile?: string }
  | { screen: "doctor" }
  | { screen: "help" }
  | { screen: "comparison"; one: string; other: string };

class Router {
  route = $state.raw<Route>(read());

  go(route: Route): void {
    this.route = route;
    remember("route", JSON.stringify(route));
  }
}

function read(): Route {
  try {
    const kept = JSON.parse(remembered("route") ?? "null") as { screen?: unknown; run?: unknown; one?: unknown; other?: unknown } | null;
    if (kept?.screen === "run" && typeof kept.run === "string") return { screen: "run", run: kept.run };
    if (kept?.screen === "comparison" && typeof kept.one === "string" && typeof kept.other === "string") return { screen: "comparison", one: kept.one, other: kept.other };
    if (kept?.screen === "launch" || kept?.screen === "library" || kept?.screen === "settings" || kept?.screen === "doctor" || kept?.screen === "help") return { screen: kept.screen };
  } catch {
    // What was kept is of another version.
  }
  return { screen: "welcome" };
}

export const router = new Router();

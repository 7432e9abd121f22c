// What a finished stage left behind, in two words: how long the text is, how many issues there are, how many sources.
import type { Outline } from "../ipc/bindings";
import { decimal, t } from "../i18n";
import { planOf } from "./plan";
import { mapOf } from "./places";
import { tripPlanIn } from "./trip-values";
import { lengthText } from "./visit-words";
import { judgedIn, reviewIn, sourcesIn } from "./role-values";
import { scoreOf } from "./rounds";
import type { Resolve, View } from "./view-types";
import { field } from "./value";

export function summaryOf(view: View, agent: Outline, resolve: Resolve): string {
  for (const key of agent.contract.writes) {
    const [held, role] = [view.state.get(key), view.roles.get(key)];
    if (!held || !role) continue;
    const value = resolve(key, held.seq, held.value);
    if (role.kind === "draft" && role.words !== "") {
      const words = field(value, role.words);
      if (typeof words === "number") return `${words} ${t("draft.words")}`;
    }
    if (role.kind === "review") {
      const review = reviewIn(role, value);
      if (!review) continue;
      if (review.ready) return t("review.ready");
      return review.issues.length > 0 ? t("review.issues", { n: review.issues.length }) : t("review.not_ready");
    }
    const [plan, map] = [role.kind === "plan" ? planOf(value) : null, role.kind === "places" ? mapOf(value) : null];
    if (plan) return t("plan.steps", { n: plan.steps.length });
    const trip = map ? tripPlanIn(value)?.itinerary : null;
    if (trip) return t("visit.summary", { n: trip.visits.length, distance: lengthText(trip.totals.distance_m) });
    if (map) return t("places.count", { n: map.places.length });
    if (role.kind === "rounds") {
      const last = judgedIn(value)?.at(-1);
      const score = last ? scoreOf(last) : null;
      if (last) return [last.verdict, score === null ? "" : decimal(score)].filter((part) => part !== "").join(" · ");
    }
    const sources = role.kind === "sources" ? sourcesIn(role, value) : null;
    if (sources) return t("sources.found", { n: sources.length });
  }
  return "";
}

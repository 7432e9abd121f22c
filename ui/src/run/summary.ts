// What a finished stage left behind, in two words: how long the text is, how many issues there are, how many sources.
import type { Outline } from "../ipc/bindings";
import { decimal, t } from "../i18n";
import { planOf } from "./plan";
import { mapOf } from "./places";
import { judgedIn } from "./rounds";
import type { View } from "./view-types";
import type { Resolve } from "./texts";
import { field, listOf } from "./value";

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
      const issues = listOf(value, role.issues).length;
      if (field(value, role.ready) === true) return t("review.ready");
      return issues > 0 ? t("review.issues", { n: issues }) : t("review.not_ready");
    }
    if (role.kind === "plan") return t("plan.steps", { n: planOf(value).steps.length });
    if (role.kind === "places") return t("places.count", { n: mapOf(value).places.length });
    if (role.kind === "rounds") {
      const last = judgedIn(value).at(-1);
      if (last) return [last.verdict, last.score === null ? "" : decimal(last.score)].filter((part) => part !== "").join(" · ");
    }
    if (role.kind === "sources") return t("sources.found", { n: listOf(value, role.items).length });
  }
  return "";
}

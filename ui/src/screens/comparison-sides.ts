// What two runs are compared by: the text that stands at the end of each, and the issues that were found in it.
import type { Event, RunPage } from "../ipc/bindings";
import { reviewIn } from "../run/role-values";
import { textOf } from "../run/value";

export type Side = {
  page: RunPage;
  state: Record<string, unknown>;
  /** What it changed, if it is a fork. */ changes: Event[] | null;
};

/** The text that stands at the end, and where: what was published, else the draft. */
export function placeOf({ page, state }: Side): { key: string; field: string; text: string } | null {
  for (const kind of ["final", "draft"]) {
    for (const { name, role } of page.keys) {
      const edited = role.kind === "draft" ? role.edit : "";
      const text = role.kind === kind ? textOf(state[name], edited) : "";
      if (text !== "") return { key: name, field: edited, text };
    }
  }
  return null;
}

export const textOfSide = (side: Side) => placeOf(side)?.text ?? "";

/** How many issues the reviews at the end hold; null where there is no review. */
export function issuesOf({ page, state }: Side): number | null {
  const found = page.keys.flatMap(({ name, role }) =>
    role.kind === "review" ? [reviewIn(role, state[name])?.issues.length ?? []].flat() : [],
  );
  return found.length === 0 ? null : found.reduce((sum, n) => sum + n, 0);
}

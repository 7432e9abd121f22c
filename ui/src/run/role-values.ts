// The values of keys with a role, by the types of the program. A value may be anything that a person edited in: what
// has not the shape of its role is read as null, and is then shown as it is. This is the only place that reads their
// fields.
import type {
  Anchor,
  Checks,
  CheckResult,
  Coordinates,
  Collision,
  Issue,
  Issues,
  JudgedRound,
  JudgedRounds,
  OwnSentence,
  OwnText,
  Phrase,
  Place,
  Places,
  Plan,
  PlanStep,
  RaisedIssue,
  Review,
  Role,
  Source,
  Sources,
  StepError,
  StepRecord,
  StepStatus,
} from "../ipc/bindings";
import { anything, count, figure, flag, list, object, oneOf, or, table, text, within, type Read } from "./reading";
import { field } from "./value";
import type { Resolve, View } from "./view-types";

const phrase: Read<Phrase> = object<Phrase>({ id: text, parameters: table(anything) });

const STATUSES: Readonly<Record<StepStatus, true>> = {
  planned: true,
  running: true,
  waiting: true,
  done: true,
  failed: true,
  skipped: true,
  unknown: true,
};
const status: Read<StepStatus> = (value) =>
  typeof value === "string" && Object.hasOwn(STATUSES, value) ? (value as StepStatus) : undefined;

const checks: Read<Checks> = list(
  object<CheckResult>({ name: text, passed: flag, detail: text, phrase: or(phrase, null), places: or(count, 0) }),
);
const detailed = object<Exclude<RaisedIssue, string>>({ text, passage: or(text, ""), severity: or(text, "") });
const raised: Read<RaisedIssue> = (value) => text(value) ?? detailed(value);
const anchor = object<Anchor>({ exact: text, prefix: or(text, ""), suffix: or(text, "") });
const issues = object<Issues>({
  is_draft_accepted: or(flag, false),
  reviews: count,
  issues: list(
    object<Issue>({
      id: count,
      text,
      severity: or(text, ""),
      anchor: or(anchor, null),
      standing: oneOf("open", "came_back", "resolved"),
      first_review: count,
      last_review: count,
      decision: or(oneOf("accepted", "dismissed"), null),
      reply: or(text, ""),
    }),
  ),
});
const ownText = object<OwnText>({
  base: or(text, null),
  sentences: list(object<OwnSentence>({ anchor, base: or(text, ""), is_typed: flag, is_locked: flag })),
  collisions: or(list(object<Collision>({ id: count, base: text, yours: text, agents: text })), []),
});
const source = object<Source>({
  title: text,
  url: or(text, ""),
  source: or(text, ""),
  published: or(text, ""),
  summary: or(text, ""),
  text: or(text, ""),
});
const step = object<PlanStep>({
  stepId: text,
  narrative_step: or(text, ""),
  assigned_agent_role: or(text, ""),
  tool_name: or(text, ""),
  sub_task_input: anything as Read<PlanStep["sub_task_input"]>,
  depends_on: or(list(text), []),
  status: or(status, "planned"),
  outcome: or(text, ""),
});
const stepError = object<StepError>({ message: text, type: text as Read<StepError["type"]> });
const stepRecord = object<StepRecord>({
  stepId: text,
  narrative_step: or(text, ""),
  assigned_agent_role: or(text, ""),
  tool_name: or(text, ""),
  sub_task_input: anything as Read<StepRecord["sub_task_input"]>,
  depends_on: or(list(text), []),
  status: or(status, "planned"),
  outcome: or(text, ""),
  resolved_input: anything as Read<StepRecord["resolved_input"]>,
  result_data: anything as Read<StepRecord["result_data"]>,
  processed_result_data: anything as Read<StepRecord["processed_result_data"]>,
  error_details: or(stepError, null),
  cost: or(figure, null),
  worked_ms: or(count, 0),
});
const plan = object<Plan>({
  stages: list(list(step)),
  revision: or(count, 0),
  most_revisions: or(count, null),
  reason: or(text, ""),
});
const judged: Read<JudgedRounds> = list(
  object<JudgedRound>({
    round: count,
    score: or(figure, null),
    scores: or(table(figure), {}),
    verdict: or(text, ""),
    changed: or(text, ""),
  }),
);
export const coordinates = object<Coordinates>({ latitude: within(90), longitude: within(180) });
const places = object<Places>({
  places: list(
    object<Place>({ name: text, coordinates: or(coordinates, null), description: or(text, ""), title: or(text, "") }),
  ),
  route: or(list(count), []),
});

type Of<Kind extends Role["kind"]> = Extract<Role, { kind: Kind }>;

export const checksIn = (value: unknown): Checks | null => checks(value) ?? null;
export const issuesIn = (value: unknown): Issues | null => issues(value) ?? null;
export const ownTextIn = (value: unknown): OwnText | null => ownText(value) ?? null;
export const planIn = (value: unknown): Plan | null => plan(value) ?? null;
export const stepsIn = (value: unknown): StepRecord[] | null => list(stepRecord)(value) ?? null;
export const placesIn = (value: unknown): Places | null => places(value) ?? null;
export const judgedIn = (value: unknown): JudgedRounds | null => judged(value) ?? null;
export const sourcesIn = (role: Of<"sources">, value: unknown): Sources | null =>
  list(source)(field(value, role.items)) ?? null;
export const reviewIn = ({ notes, issues, ready }: Of<"review">, value: unknown): Review | null =>
  object<Review>({ notes: or(text, ""), issues: or(list(raised), []), ready: flag }, { notes, issues, ready })(value) ??
  null;

/**
 * What stands under the keys of a role at this moment, each with its declaration; without what is empty or being
 * fetched.
 */
export function heldBy<Kind extends Role["kind"]>(
  kind: Kind,
  view: View,
  resolve: Resolve,
): { name: string; title: string; role: Of<Kind>; seq: number; author: string; value: unknown }[] {
  return view.declarations.flatMap(({ name, title, role }) => {
    const held = role.kind === kind ? view.state.get(name) : undefined;
    const value = held ? resolve(name, held.seq, held.value) : undefined;
    return !held || value === undefined || value === null
      ? []
      : [{ name, title, role: role as Of<Kind>, seq: held.seq, author: held.author, value }];
  });
}

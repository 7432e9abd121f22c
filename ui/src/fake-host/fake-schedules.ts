// The schedules of the host without a program: kept in memory, and nothing fires.
import type { Commands, ScheduleCard, ScheduledTime, Schedules } from "../ipc/bindings";
import { apiError } from "./fake-error";

type Names =
  "list_schedules" | "pause_schedule" | "preview_schedule" | "remove_schedule" | "resume_schedule" | "save_schedule";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

const EXAMPLES = ["every weekday at 7", "every 6 hours", "on the 1st at 9"];
const DAY_MS = 24 * 3_600_000;

/** The same hour of the next days in UTC; no other rule is read here. */
function upcoming(hour: number): ScheduledTime[] {
  const today = new Date().setUTCHours(hour, 0, 0, 0);
  const first = today > Date.now() ? today : today + DAY_MS;
  return [0, 1, 2].map((days) => {
    const at_ms = first + days * DAY_MS;
    return { at_ms, local: `${new Date(at_ms).toISOString().slice(0, 16).replace("T", " ")} +00:00` };
  });
}

function hourOf(when: string): number | null {
  const hour = Number(/ at (\d{1,2})$/.exec(when.trim())?.[1] ?? Number.NaN);
  return hour < 24 ? hour : null;
}

export function schedules(): Handlers {
  let all: ScheduleCard[] = [];
  const list = (): Schedules => ({ schedules: all, timer: null });
  function change(name: string, changed: (card: ScheduleCard) => ScheduleCard | null): Schedules {
    const known = all.some((card) => card.name === name);
    if (!known) throw apiError("not_found", `There is no schedule “${name}”`);
    all = all.flatMap((card) => (card.name === name ? (changed(card) ?? []) : [card]));
    return list();
  }
  return {
    list_schedules: list,
    pause_schedule: ({ name }) => change(name, (card) => ({ ...card, status: "paused", next: [] })),
    remove_schedule: ({ name }) => change(name, () => null),
    resume_schedule: ({ name }) =>
      change(name, (card) => ({
        ...card,
        status: "active",
        failures: 0,
        needs: [],
        next: upcoming(hourOf(card.when) ?? 0),
      })),
    preview_schedule({ when, zone }) {
      const hour = hourOf(when);
      return {
        cron: hour === null ? "" : `0 ${hour} * * *`,
        zone: zone ?? "UTC",
        next: hour === null ? [] : upcoming(hour),
        problem: hour === null ? apiError("bad_input", `“${when}” is not understood as a time`) : null,
        examples: EXAMPLES,
      };
    },
    save_schedule({ name, replaces, when, zone, missed, request, ...more }) {
      const hour = hourOf(when);
      if (hour === null) throw apiError("bad_input", `“${when}” is not understood as a time`);
      if (all.some((card) => card.name === name && card.name !== replaces))
        throw apiError("bad_input", `You have a schedule “${name}” already; choose another name`);
      const card: ScheduleCard = {
        name,
        when,
        cron: `0 ${hour} * * *`,
        zone: zone ?? "UTC",
        missed,
        status: "active",
        request,
        fallback_profiles: more.fallback_profiles ?? [],
        time_limit_minutes: more.time_limit_minutes ?? 240,
        monthly_cost: more.monthly_cost ?? null,
        monthly_tokens: more.monthly_tokens ?? null,
        month_cost: 0,
        month_tokens: 0,
        next: upcoming(hour),
        last: [],
        failures: 0,
        needs: [],
      };
      all = [...all.filter((other) => other.name !== replaces), card].sort((one, other) =>
        one.name.localeCompare(other.name),
      );
      return list();
    },
  };
}

// The schedules: runs that begin by themselves. What one of them needs from the person stands in the inbox as well.
import { toast } from "svelte-sonner";
import { t } from "../i18n";
import type { SaveSchedule, ScheduleCard, ScheduleNeed, Schedules as List, TimerCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toastError } from "./toast-error";

class Schedules {
  /** By name; nothing until they were read. */
  list = $state.raw<readonly ScheduleCard[] | null>(null);
  /** The system's timer; nothing where this host sets none. */
  timer = $state.raw<TimerCard | null>(null);
  /** What waits for the person, each with its schedule. A run that waits is not among them: its question is. */
  readonly needs = $derived<readonly { schedule: string; need: ScheduleNeed }[]>(
    (this.list ?? []).flatMap(({ name, needs }) =>
      needs.filter(({ kind }) => kind !== "waiting").map((need) => ({ schedule: name, need })),
    ),
  );

  /** Reads the schedules. Rejects with what the program refuses. */
  async load(): Promise<void> {
    this.#take(await call("list_schedules", {}));
  }

  /** The same, where nobody waits for the list: what was known stands if it cannot be read. */
  async refresh(): Promise<void> {
    try {
      await this.load();
    } catch {
      // The screen of the schedules tells why.
    }
  }

  /** Rejects with what the program refuses. */
  async save(schedule: SaveSchedule): Promise<void> {
    this.#take(await call("save_schedule", schedule));
  }

  /** Lets a schedule fire, or no longer. Rejects with what the program refuses. */
  async setPaused(name: string, isPaused: boolean): Promise<void> {
    this.#take(await call(isPaused ? "pause_schedule" : "resume_schedule", { name }));
  }

  /** Removes a schedule, and for a while offers to make it again. Rejects with what the program refuses. */
  async remove(card: ScheduleCard): Promise<void> {
    this.#take(await call("remove_schedule", { name: card.name }));
    toast(t("schedules.removed", { name: card.name }), {
      duration: 10_000,
      action: {
        label: t("runs.undo"),
        onClick: () => void this.save(savedAs(card)).catch((thrown: unknown) => toastError(thrown)),
      },
    });
  }

  #take({ schedules, timer }: List): void {
    this.list = schedules;
    this.timer = timer;
  }
}

/** What a schedule is made with. */
function savedAs(card: ScheduleCard): SaveSchedule {
  const { name, when, zone, missed, request, fallback_profiles, time_limit_minutes, monthly_cost, monthly_tokens } =
    card;
  return {
    ...{ name, when, zone, missed, request, fallback_profiles, time_limit_minutes },
    ...(monthly_cost === null ? {} : { monthly_cost }),
    ...(monthly_tokens === null ? {} : { monthly_tokens }),
  };
}

export const schedules = new Schedules();

// What is said of a run before it is started, in words.
import type { Preflight, TimeLimitReason } from "../../ipc/bindings";
import { money, rough, t } from "../../i18n";

/**
 * How often and with how much text models are asked, what it costs, and how long the run may work, as far as it is
 * known.
 */
export function costsOf(preflight: Preflight): string {
  const {
    calls,
    tokens,
    cost,
    unpriced,
    limits,
    time_limit: reason,
    earlier_runs: runs,
    bound_tokens: bound,
  } = preflight;
  const words = [
    calls.most === 0
      ? t("launch.calls.none")
      : calls.least === calls.most
        ? t("launch.calls.exact", { n: calls.most })
        : t("launch.calls", { least: calls.least, n: calls.most }),
  ];
  if (calls.most > 0) {
    words.push(t("launch.tokens", { least: rough(tokens.least), most: rough(tokens.most) }));
    if (runs > 0) words.push(t("launch.earlier", { n: runs, most: rough(bound) }));
    words.push(
      cost
        ? t("launch.cost", { least: money(cost.least), most: money(cost.most) })
        : t("launch.cost.unknown", { models: unpriced.join(t("remark.and")) }),
    );
  }
  if (limits.max_execution_time_s !== null) words.push(timeLimit(limits.max_execution_time_s, reason));
  return words.join(" · ");
}

/** Who does the work, in words. */
export function whoIsAsked({ models, profiles: names }: Preflight): string {
  return models.length === 0
    ? t("launch.asks.none")
    : t("launch.asks", { models: models.join(t("remark.and")), names: names.join(t("remark.and")) });
}

/** How much active time the run gets, and why. */
function timeLimit(n: number, reason: TimeLimitReason | undefined): string {
  switch (reason?.kind) {
    case undefined:
      return t("launch.seconds", { n });
    case "set":
      return t("launch.seconds.set", { n });
    case "local_server":
      return t("launch.seconds.local", { n, name: reason.profile });
    case "measured":
      return t("launch.seconds.measured", { n, name: reason.profile, speed: reason.tokens_per_second.toFixed(1) });
  }
}

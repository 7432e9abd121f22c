// One event as a sentence in the reader's language, with titles in place of names.
import { bytes, seconds, t, type Words } from "../i18n";
import { phraseText } from "../i18n/phrase";
import { verbatim } from "../ipc/verbatim";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import type {
  Answer,
  Decision,
  Effect,
  Event,
  AnswerSummary,
  JournalEntry,
  ModelRequest,
  Outcome,
  Outline,
  KeyDeclaration,
  Question,
  Role,
} from "../ipc/bindings";
import { BUILT_IN, USER } from "../ipc/names";
import { labelOf, lineOf } from "./question-text";
import { lastWhere } from "../platform/last-where";
import { decisionText } from "./permission";
import { gateText } from "./gate";
import { agentAt, numberOf, ownInstance, segments } from "./place";
import { noteOf, roundEndOf, whyOf } from "./remarks";
import { verdictSentence } from "./review-sentence";
import { agents, isEndedEarly } from "./stages";
import { keyTitle } from "./titles";
import { field, isStored, summaryIn, unwrapped } from "./value";
import { lastWord } from "./words";
import { valueLine } from "./value-line";

/** So many characters of an item, or of what came of it, stand in a sentence. */
const LINE = 60;

/** The ordinal of the request that an event answers in its place, if it answers one. */
export function askedBy({ fact }: Event): number | null {
  return fact.kind === "effect_answered" ? fact.asked : null;
}

/** The call of a model that an event asks; null where it asks none. */
export function modelRequestIn(event: Event | null): ModelRequest | null {
  const fact = event?.fact;
  return fact?.kind === "effect_asked" && fact.effect.effect === "model" ? fact.effect.request : null;
}

/** The answer that an event brings, if it brings one. */
export function answerIn(event: Event | null): Answer | null {
  return event?.fact.kind === "effect_answered" ? event.fact.answer : null;
}

/**
 * The output of a tool, or the text of a model, in an answer to what was asked; null where nothing of it can be
 * replaced.
 */
export function replaceable(asked: Event | null, answered: Event | null): { value: unknown } | null {
  const answer = answerIn(answered);
  if (asked?.fact.kind !== "effect_asked" || !answer) return null;
  const result = answer.status === "done" ? answer.result : null;
  if (asked.fact.effect.effect === "tool") return { value: field(result, "output") ?? null };
  return modelRequestIn(asked) && result !== null ? { value: field(result, "text") ?? "" } : null;
}

/** A question of an agent, and what the person answered. */
export type AnsweredQuestion = { question: Question; given: unknown };

/** The question of an agent that an event answers, and what was said; null where none does. */
export function answeredQuestion(asked: Event | null, answered: Event | null): AnsweredQuestion | null {
  const answer = answerIn(answered);
  if (asked?.fact.kind !== "effect_asked" || asked.fact.effect.effect !== "question" || answer?.status !== "done")
    return null;
  const { question } = asked.fact.effect;
  return question.kind.kind === "agent" ? { question, given: unwrapped(answer.result) } : null;
}

/** Who decided about the call of a tool that an event asks, or that came to nothing because it was refused. */
export function decisionIn(event: Event | null): Decision | null {
  const fact = event?.fact;
  if (fact?.kind === "effect_asked" && fact.effect.effect === "tool") return fact.effect.call.decision ?? null;
  const failure =
    fact?.kind === "effect_answered" && fact.answer.status === "failed" ? fact.answer.error.tool_failure : undefined;
  return failure?.failure === "refused" ? failure.decision : null;
}

export class EventFormatter {
  readonly #agents: ReadonlyMap<string, Outline>;
  readonly #keys: ReadonlyMap<string, string>;
  readonly #roles: ReadonlyMap<string, Role>;

  /** `draftBefore` gives the number of the last draft before an event; null where it is not known. */
  constructor(
    outline: Outline,
    keys: readonly KeyDeclaration[],
    readonly draftBefore: (seq: number) => number | null = () => null,
  ) {
    this.#agents = agents(outline);
    this.#roles = new Map(keys.map(({ name, role }) => [name, role]));
    this.#keys = new Map(keys.map(({ name, title }) => [name, title]));
  }

  name(author: string): string {
    return author === USER ? t("draft.you") : pipelineText(this.#agents.get(author)?.title ?? author);
  }

  keys(names: readonly string[]): string {
    return names.map((name) => keyTitle(name, this.#keys.get(name))).join(t("remark.and"));
  }

  /** The sentence of an entry. `asked` is what it answers, where that is at hand. */
  format({ event }: JournalEntry, asked?: Event): string {
    const { fact } = event;
    const who = this.#whoIn(event);
    switch (fact.kind) {
      case "run_started":
        return t(fact.origin ? "told.forked" : "told.run_started", { n: fact.origin?.seq ?? 0 });
      case "run_resumed":
        return fact.drops.length === 0 ? t("told.goes_on") : t("told.resumed", { n: fact.drops.length });
      case "gates_set":
        return t("told.gates_set", {
          where: Object.entries(fact.gates)
            .map(([place, gate]) => gateText(this.name(agentAt(place)), gate))
            .join(t("remark.and")),
        });
      case "agent_started": {
        if (fact.instance) return this.#startedForItem(event, unwrapped(fact.instance.input));
        const round = lastWhere(segments(event.path), (segment) => segment.round !== null)?.round ?? null;
        return round === null ? t("told.started", { who }) : t("told.started_round", { who, n: round });
      }
      case "agent_ended":
        if (fact.ended === "failed" && isEndedEarly(fact.error))
          return t("told.ended_early", { who, why: whyOf(fact.error) });
        if (fact.ended === "failed") return t("told.failed", { who, why: whyOf(fact.error) });
        return this.#finished(who, fact.exits_loop, valueLine(unwrapped(fact.output), LINE));
      case "round_ended":
        return roundEndOf(fact, who, (name) => this.name(name));
      case "state_changed": {
        const set = Object.keys(fact.delta.set);
        const said = event.author === USER ? lastWord(fact.delta) : null;
        if (said !== null) return t("told.said", { words: said });
        const verdict = event.author === USER ? null : this.#verdict(event, who, fact.delta.set);
        if (verdict !== null) return verdict;
        return set.length > 0
          ? t("told.wrote", { who, what: this.keys(set) })
          : t("told.removed", { who, what: this.keys(fact.delta.removed) });
      }
      case "effect_asked":
        return this.#asking(who, fact.effect);
      case "effect_answered":
        return this.#answering(who, fact.answer, fact.took_ms, asked, fact.summary);
      case "request_failed":
      case "request_sent":
      case "fell_back":
        return noteOf(fact, event.author, (name) => this.name(name));
      case "noted":
        return noteOf(fact.note, event.author, (name) => (this.#keys.has(name) ? this.keys([name]) : this.name(name)));
      case "run_ended":
        return [t(ENDED[fact.outcome]), fact.error && fact.outcome !== "waiting" ? whyOf(fact.error) : ""]
          .filter((part) => part !== "")
          .join(": ");
      default:
        return fact satisfies never;
    }
  }

  /** What the person changed with an event, one each: what holds from there on, or the values that were set. */
  changed({ author, fact }: Event): string[] {
    if (fact.kind === "state_changed") return author === USER ? [this.keys(Object.keys(fact.delta.set))] : [];
    if (fact.kind !== "run_resumed") return [];
    const changes = Object.entries(fact.overrides.agents).flatMap(([agent, change]) =>
      change ? [{ who: this.name(agent), change }] : [],
    );
    const profiles = new Set(changes.flatMap(({ change }) => change.profile ?? []));
    return [
      ...changes.flatMap(({ who, change }) => (change.instruction == null ? [] : [t("compare.instruction", { who })])),
      ...changes.flatMap(({ who, change }) =>
        change.profile != null || change.model == null ? [] : [t("compare.model", { who, model: change.model })],
      ),
      ...[...profiles].map((profile) => t("compare.profile", { profile })),
      ...(Object.keys(fact.overrides.limits).length > 0 ? [t("compare.limits")] : []),
    ];
  }

  /** Who does something; beside others of its kind, for which item. */
  #whoIn({ author, path }: Event): string {
    const [who, own] = [this.name(author), ownInstance(path)];
    return own === null ? who : t("told.of_item", { who, n: numberOf(own) });
  }

  /** What a review came to that an event brings. */
  #verdict({ seq }: Event, who: string, set: Readonly<Record<string, unknown>>): string | null {
    for (const [key, value] of Object.entries(set)) {
      const sentence = verdictSentence(this.#roles.get(key), unwrapped(value), who, this.draftBefore(seq));
      if (sentence !== null) return sentence;
    }
    return null;
  }

  #startedForItem({ author, path }: Event, input: unknown): string {
    const told = { who: this.name(author), n: numberOf(ownInstance(path) ?? path), line: valueLine(input, LINE) };
    return t(told.line === "" ? "told.started_item" : "told.started_item_line", told);
  }

  #finished(who: string, exitsLoop: boolean, line: string): string {
    return line === ""
      ? t(exitsLoop ? "told.exits" : "told.finished", { who })
      : t("told.finished_line", { who, line });
  }

  #asking(who: string, effect: Effect): string {
    switch (effect.effect) {
      case "model":
        return effect.request.profile === BUILT_IN
          ? t("told.built_in", { who })
          : t("told.asked", { who, model: effect.request.model });
      case "tool": {
        const { title, decision } = effect.call;
        const told = `${who}: ${phraseText(title)}`;
        // What needs no permission is not worth a word in every line.
        return decision === undefined || (decision.is_allowed && decision.by === "default")
          ? told
          : `${told} · ${decisionText(decision)}`;
      }
      case "clock":
        return t("told.clock", { who });
      case "id":
        return t("told.id", { who });
      case "question":
        return t("told.question", { who, text: lineOf(effect.question) });
    }
  }

  #answering(
    who: string,
    answer: Answer,
    tookMs: number,
    asked: Event | undefined,
    answerSummary: AnswerSummary | undefined,
  ): string {
    const s = seconds(tookMs);
    if (answer.status === "failed" && answer.error.tool_failure?.failure === "needs_input")
      return `${who}: ${whyOf(answer.error)}`;
    if (answer.status === "failed") return t("told.no_answer", { who, why: whyOf(answer.error) });
    if (answer.status === "interrupted")
      return t(answer.reason === "cancelled" ? "told.stopped" : "told.time", { who });
    const summary = summaryIn(answerSummary);
    if (summary) return `${who}: ${phraseText(summary)}`;
    const effect = asked?.fact.kind === "effect_asked" ? asked.fact.effect : null;
    // A long result stands only by its hash: what was asked and how long the answer is are known all the same.
    if (isStored(answer.result) && effect?.effect === "tool")
      return t("told.long_answer", { who, what: phraseText(effect.call.title), size: bytes(answer.result.bytes), s });
    if (effect?.effect === "question" && effect.question.kind.kind === "permission") {
      const { refuse_because: reason, change } = (answer.result ?? {}) as {
        refuse_because?: unknown;
        change?: unknown;
      };
      if (typeof reason === "string") return t("told.refused_because", { reason });
      if (change !== undefined) return t("told.changed");
      if (answer.result === "nobody") return t("told.nobody");
    }
    if (effect?.effect === "question" && effect.question.kind.kind === "gate") {
      const { ask_for_changes: words, go_on_with: edit } = (answer.result ?? {}) as {
        ask_for_changes?: unknown;
        go_on_with?: unknown;
      };
      if (typeof words === "string") return t("told.changes_asked", { words });
      if (edit !== undefined) return t("told.went_on_edited");
    }
    if (effect?.effect === "question" && typeof answer.result === "string") {
      const chosen = effect.question.choices.find(({ value }) => value === answer.result);
      return t("told.decided", {
        what: labelOf(effect.question, chosen ?? { value: answer.result, label: verbatim(answer.result) }),
      });
    }
    return t("told.answered", { who, s });
  }
}

const ENDED: Record<Outcome, Words> = {
  finished: "run.ended.finished",
  failed: "run.ended.failed",
  limited: "run.ended.limited",
  waiting: "run.ended.waiting",
  cancelled: "run.ended.cancelled",
};

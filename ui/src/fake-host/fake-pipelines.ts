// Pipelines of the host without a program: their files, and what a run of one would cost. Its check knows one fault:
// a line that begins with `!`.
import { verbatim } from "../ipc/verbatim";
import type { Commands } from "../ipc/bindings";
import { offer } from "./fake-records";
import { apiError } from "./fake-error";

type Names =
  | "list_pipelines"
  | "check_pipeline"
  | "create_pipeline"
  | "delete_pipeline"
  | "open_pipeline"
  | "save_pipeline"
  | "save_plan_template"
  | "preflight"
  | "route_request";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

export function pipelineFiles(): Handlers {
  const files = new Map<string, { text: string; revision: number }>();
  const first = () => {
    const [card] = offer().pipelines;
    if (!card) throw apiError("not_found", "there is no pipeline");
    return card;
  };
  const find = (id: string) => {
    const found = files.get(id);
    if (!found) throw apiError("not_found", `there is no file of a pipeline \`${id}\``);
    return found;
  };
  const idOf = (text: string) => /^id = "([a-z][a-z0-9-]*)"$/m.exec(text)?.[1];
  const cardOf = (id: string) => ({ ...first(), id, title: id, is_own_file: true, is_text: true });

  return {
    preflight: ({ limits, profile }) => ({
      calls: { least: 3, most: 7 },
      tokens: { least: 1_450, most: 61_000 },
      earlier_runs: 0,
      bound_tokens: 61_000,
      cost: null,
      unpriced: ["medium-2"],
      profiles: [profile ?? "work"],
      models: ["medium-2"],
      limits: {
        max_llm_calls: 7,
        max_output_tokens: 2048,
        max_execution_time_s: 90,
        max_total_tokens: null,
        max_tool_calls: null,
        max_cost: null,
        ...limits,
      },
      recent_as_of: null,
      remarks:
        (limits.max_llm_calls ?? 7) < 5 ? [verbatim("With 4 calls a rewritten draft is not reviewed again.")] : [],
    }),
    /** A request is for the pipelines whose title it says; one that says none is unclear. */
    route_request({ text }) {
      const cards = offer().pipelines;
      const named = cards.filter(({ title }) => text.toLowerCase().includes(title.toLowerCase()));
      const candidates = (named.length > 0 ? named : cards).map(({ id, inputs }, place) => ({
        pipeline: id,
        confidence: named.length === 1 ? 0.9 : 0.4 - place / 10,
        inputs: inputs[0] ? { [inputs[0].key]: text } : {},
      }));
      const [best] = named.length === 1 ? candidates : [];
      return {
        pipeline: best?.pipeline ?? null,
        confidence: candidates[0]?.confidence ?? 0,
        reason: verbatim("By its title."),
        candidates,
        run: null,
        remark: null,
      };
    },
    list_pipelines: () => ({ pipelines: [...offer().pipelines, ...[...files.keys()].map(cardOf)], faulty: [] }),
    check_pipeline({ text, id }) {
      const faults = text
        .split("\n")
        .flatMap((line, index) =>
          line.startsWith("!")
            ? [{ line: index + 1, column: 1, reason: verbatim("a line does not begin with `!`") }]
            : [],
        );
      return {
        saved_as: id === null ? null : (idOf(text) ?? id),
        card: faults.length > 0 ? null : cardOf(idOf(text) ?? "text"),
        faults,
      };
    },
    create_pipeline({ of }) {
      const stem = of ?? "my-pipeline";
      let number = 2;
      while (files.has(`${stem}-${number}`)) number += 1;
      const id = `${stem}-${number}`;
      files.set(id, { text: `id = "${id}"\n`, revision: 1 });
      return { id };
    },
    delete_pipeline({ id }) {
      find(id);
      files.delete(id);
      return {};
    },
    open_pipeline({ id }) {
      const { text, revision } = find(id);
      return { id, text, revision: String(revision) };
    },
    save_plan_template: ({ name }) => ({ path: `/data/templates/${name}.toml` }),
    save_pipeline({ id, text, revision }) {
      const found = files.get(id);
      if ((found ? String(found.revision) : null) !== revision) return { kind: "changed" };
      const now = idOf(text) ?? id;
      const next = (found?.revision ?? 0) + 1;
      files.delete(id);
      files.set(now, { text, revision: next });
      return { kind: "saved", id: now, revision: String(next) };
    },
  };
}

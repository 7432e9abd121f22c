// The pipeline of the recordings of an agent on demand: what it is, what it runs for, and what it tells of each.
import { nothingUsed } from "../run/usage";
import type { KeyDeclaration, Outline, RunPage } from "../ipc/bindings";

type Item = { place: string; country: string; nights: number };

/** So many at once. */
export const SEATS = 4;
export const PLACES = [
  "Bergen",
  "京都",
  "Łódź",
  "San Miguel de Allende",
  "Évora",
  "長崎",
  "Tbilisi",
  "Valparaíso",
  "杭州",
  "Sighișoara",
  "Luang Prabang",
  "Kotor",
];
const COUNTRIES = [
  "Norway",
  "Japan",
  "Poland",
  "Mexico",
  "Portugal",
  "Japan",
  "Georgia",
  "Chile",
  "China",
  "Romania",
  "Laos",
  "Montenegro",
];
export const TALES = [
  "Take the funicular before nine: the harbour lies in the first light and the fish market is still setting up its stalls.",
  "Three temples within a walk, one of them without a crowd; the evening belongs to the covered market and its pickles.",
  "Mill yards turned into galleries, and the longest street of cafés in the country; on Mondays most of it is shut.",
  "Two days are enough for the churches and the bookshops, a third for the hot springs on the road to the north.",
];

export const item = (number: number): Item => ({
  place:
    PLACES[(number - 1) % PLACES.length] +
    (number > PLACES.length ? `, quarter ${Math.ceil(number / PLACES.length)}` : ""),
  country: COUNTRIES[(number - 1) % COUNTRIES.length] ?? "",
  nights: 1 + (number % 4),
});
export const tale = (number: number) => TALES[(number - 1) % TALES.length] ?? "";

function agent(
  name: string,
  title: string,
  kind: Outline["agent"],
  children: Outline[],
  reads: string[],
  writes: string[],
  isOnDemand = false,
): Outline {
  const stream = kind.kind === "llm" ? { key: writes[0] ?? "", field: "" } : null;
  const outline = {
    name,
    title,
    agent: kind,
    contract: { reads, may_read: [], writes },
    stream,
    calls: { least: 0, most: 9 },
    children,
  };
  return isOnDemand ? { ...outline, is_on_demand: true } : outline;
}
const llm = (name: string, title: string, reads: string[], writes: string[], isOnDemand = false) =>
  agent(name, title, { kind: "llm" }, [], reads, writes, isOnDemand);

function outlineOf(isComposed: boolean): Outline {
  const guide = isComposed
    ? agent(
        "guide",
        "Guide to a place",
        { kind: "sequential" },
        [llm("finder", "Finder", ["item"], ["found"]), llm("teller", "Teller", ["found"], ["result"])],
        ["item"],
        [],
        true,
      )
    : llm("guide", "Guide to a place", ["item"], ["result"], true);
  return agent(
    "journey",
    "Journey",
    { kind: "sequential" },
    [
      llm("scout", "Scout", ["wish"], ["places"]),
      agent("visits", "Every place", { kind: "for_each", at_most: SEATS }, [guide], ["places"], ["tales"]),
      llm("binder", "Binder", ["tales"], ["booklet"]),
    ],
    [],
    [],
  );
}

const keys: KeyDeclaration[] = [
  { name: "wish", title: "Wish", role: { kind: "input" }, schema: { type: "string" } },
  { name: "places", title: "Places", role: { kind: "data" }, schema: { type: "array" } },
  { name: "tales", title: "Tales", role: { kind: "data" }, schema: { type: "array" } },
  { name: "found", title: "Findings", role: { kind: "data" }, schema: {} },
  {
    name: "booklet",
    title: "Booklet",
    role: { kind: "draft", edit: "", words: "", word_limit: 400 },
    schema: { type: "string" },
  },
];
const WORDS = {
  zh: {
    Journey: "旅程",
    Scout: "探路者",
    "Every place": "每个地方",
    "Guide to a place": "地方向导",
    Binder: "装订者",
    Finder: "查找者",
    Teller: "讲述者",
  },
  ja: {
    Journey: "旅",
    Scout: "下調べ",
    "Every place": "すべての場所",
    "Guide to a place": "場所の案内",
    Binder: "とりまとめ",
    Finder: "調査",
    Teller: "語り手",
  },
};
/** What is known of a run over so many items. */
export function pageOf(
  count: number,
  started: number,
  lastSeq: number,
  lastMs: number,
  isComposed: boolean,
  isOver: boolean,
): RunPage {
  return {
    card: {
      run: `run-each-${count}`,
      session: `session-each-${count}`,
      pipeline: "journey",
      title: `${count} small towns by the water`,
      status: isOver ? "finished" : "waiting",
      started_at_ms: started,
      last_at_ms: started + lastMs,
      last_seq: lastSeq,
      origin: null,
      is_raised: false,
      is_pinned: false,
      tags: [],
      imported: null,
      trashed_at_ms: null,
      snippet: null,
    },
    outline: outlineOf(isComposed),
    keys,
    notes: {},
    words: WORDS,
    inherited: nothingUsed(),
    usage: {
      ...nothingUsed(),
      calls: count,
      input_tokens: 380 * count,
      output_tokens: 64 * count,
      cost: 0.0021 * count,
      active_ms: lastMs,
    },
    limits: {
      max_llm_calls: 400,
      max_output_tokens: 512,
      max_execution_time_s: 900,
      max_total_tokens: null,
      max_tool_calls: null,
      max_cost: null,
    },
    most_attempts: 5,
    profile: "work",
    profiles: {},
    tools: {},
    as_of: null,
    outcome: isOver ? "finished" : null,
    error: null,
  };
}

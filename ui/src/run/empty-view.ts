import type { Gate, KeyDeclaration, Limits } from "../ipc/bindings";
import { budgetsOf } from "./budgets";
import { nothingUsed } from "./usage";
import type { View } from "./view-types";

/** The view before the first event; `gates` and `limits` of its agents are those that the run begins with. */
export function empty(
  declarations: readonly KeyDeclaration[],
  gates: Readonly<Record<string, Gate>> = {},
  limits: Readonly<Record<string, Limits>> = {},
): View {
  return {
    seq: 0,
    pieces: [],
    lastAtMs: 0,
    filesSeq: 0,
    countedToMs: 0,
    countedRanMs: 0,
    origin: null,
    profiles: new Map(),
    budgets: budgetsOf(limits),
    declarations,
    roles: new Map(declarations.map((declaration) => [declaration.name, declaration.role])),
    calls: new Map(),
    callsOf: new Map(),
    instances: new Map(),
    times: new Map(),
    touched: new Map(),
    took: new Map(),
    skipped: new Set(),
    rounds: new Map(),
    roundEnds: [],
    gates: new Map(Object.entries(gates)),
    words: [],
    waiting: new Map(),
    state: new Map(),
    changed: [],
    typed: new Set(),
    versions: [],
    reviews: [],
    remarks: [],
    landmarks: [],
    used: nothingUsed(),
    outcome: null,
    error: null,
  };
}

// A view while events are applied to it.
import type { Budget, Gate } from "../ipc/bindings";
import type { Flights } from "./in-flight";
import type { Call, Held, Landmark, Remark, Reviewed, Touched, Version, View, Waiting } from "./view-types";

/** A view under construction: its collections are its own, and are frozen by giving it away. */
export type Fold = Omit<
  View,
  | "budgets"
  | "calls"
  | "callsOf"
  | "instances"
  | "times"
  | "touched"
  | "took"
  | "skipped"
  | "rounds"
  | "gates"
  | "waiting"
  | "state"
  | "versions"
  | "reviews"
> & {
  calls: Map<string, Call>;
  callsOf: Map<string, readonly string[]>;
  instances: Map<string, readonly string[]>;
  times: Map<string, number>;
  touched: Map<string, Touched>;
  took: Map<string, readonly number[]>;
  skipped: Set<string>;
  profiles: Map<string, string>;
  budgets: Map<string, Budget>;
  rounds: Map<string, number>;
  gates: Map<string, Gate>;
  waiting: Map<string, Waiting>;
  state: Map<string, Held>;
  versions: Version[];
  reviews: Reviewed[];
  remarks: Remark[];
  landmarks: Landmark[];
  inFlight: Flights;
};

// What agents declare to read and write beside what they did: from the outline and from what a run did.
import type { Outline } from "../ipc/bindings";
import { USER } from "../ipc/names";
import type { View } from "./view-types";
import { agents } from "./stages";

/** `kept`: declared and happened; `open`: declared, not happened yet; `broken`: happened and not declared. */
export type Touch = "none" | "kept" | "open" | "broken";
export type Cell = { reads: Touch; writes: Touch };
export type Matrix = {
  agents: { name: string; title: string }[];
  rows: { key: string; title: string; cells: Cell[] }[];
};

/** Agents beside keys; what an agent may write it may read back; agents that declare and touch nothing are left out. */
export function matrixOf(view: View, outline: Outline, you: string): Matrix {
  const yours = new Set([...view.state].filter(([, held]) => held.author === USER).map(([key]) => key));
  const columns = [...agents(outline).values()]
    .map(({ name, title, contract }) => ({
      name,
      title,
      may: new Set([...contract.reads, ...contract.may_read]),
      writes: new Set(contract.writes),
      did: view.touched.get(name) ?? { reads: new Set<string>(), wrote: new Set<string>() },
    }))
    .filter(({ may, writes, did }) => may.size + writes.size + did.reads.size + did.wrote.size > 0);
  const touch = (isDeclared: boolean, isDone: boolean): Touch =>
    isDone ? (isDeclared ? "kept" : "broken") : isDeclared ? "open" : "none";
  return {
    agents: [{ name: USER, title: you }, ...columns.map(({ name, title }) => ({ name, title }))],
    rows: view.declarations.map(({ name, title }) => ({
      key: name,
      title,
      cells: [
        { reads: "none", writes: yours.has(name) ? "kept" : "none" },
        ...columns.map(({ may, writes, did }): Cell => ({
          reads: touch(may.has(name) || (writes.has(name) && did.reads.has(name)), did.reads.has(name)),
          writes: touch(writes.has(name), did.wrote.has(name)),
        })),
      ],
    })),
  };
}

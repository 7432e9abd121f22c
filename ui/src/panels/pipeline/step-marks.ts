// The marks of unfolded steps when a step moves or goes: each mark is the path of a step, so it moves with its step.
import { pathText, type Path } from "../../kit/toml-document";

const isWithin = (path: Path, outer: Path) => outer.every((name, index) => path[index] === name);

/** A path after the items of a list from an index on have moved by a number of places. */
function shifted(path: Path, list: Path, from: number, by: number): Path {
  const index = path[list.length];
  if (!isWithin(path, list) || typeof index !== "number" || index < from) return path;
  return [...list, index + by, ...path.slice(list.length + 1)];
}

/** Moves the marks of a step to where it is afterwards, or drops them where it is removed. */
export function moveMarks(opened: Set<string>, path: Path, to: Path | null): void {
  const marks = [...opened].map((mark) => JSON.parse(mark) as Path);
  opened.clear();
  for (const mark of marks) {
    if (isWithin(mark, path)) {
      if (to) opened.add(pathText([...to, ...mark.slice(path.length)]));
      continue;
    }
    const left = shifted(mark, path.slice(0, -1), Number(path.at(-1)) + 1, -1);
    opened.add(pathText(to ? shifted(left, to.slice(0, -1), Number(to.at(-1)), 1) : left));
  }
}

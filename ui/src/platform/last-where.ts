// `Array.findLast`, which the oldest web view of our systems does not have.

/** The last element that passes, if any. */
export function lastWhere<T>(list: readonly T[], passes: (element: T) => boolean): T | undefined {
  for (let index = list.length - 1; index >= 0; index--) {
    const element = list[index] as T;
    if (passes(element)) return element;
  }
  return undefined;
}

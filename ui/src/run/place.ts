// Reading places in the tree of a run: `root/writer#2`, `loop#1[2]/writer#1`, `both|left#1`.

export type Segment = { agent: string; round: number | null };

/** The segments of a path, outermost first. */
export function segments(path: string): Segment[] {
  return path.split(/[/|]/).map((text) => {
    const round = /\[(\d+)\]$/.exec(text);
    return { agent: (text.split(/[#[]/)[0] ?? text) || text, round: round ? Number(round[1]) : null };
  });
}

/** The agent at a path: the name of the last segment. */
export function agentAt(path: string): string {
  return segments(path).at(-1)?.agent ?? path;
}

// The recordings of the host without a program: events of the real shape, of a pipeline that the product does not have.
import failed from "../fixtures/failed.json";
import japanese from "../fixtures/japanese.json";
import limited from "../fixtures/limited.json";
import nested from "../fixtures/nested.json";
import nothingFound from "../fixtures/nothing-found.json";
import offered from "../fixtures/offer.json";
import surfaced from "../fixtures/surfaced.json";
import twoDrafts from "../fixtures/two-drafts.json";
import waiting from "../fixtures/waiting.json";
import { deep } from "./fake-deep";
import { each } from "./fake-each";
import { gated } from "./fake-gates";
import { asking } from "./fake-questions";
import { journalEntry, type Recorded } from "./fake-view";
import { nothingUsed } from "../run/usage";
import type { Event, PipelineCard, RunPage } from "../ipc/bindings";

/** `streams` is what is being said where it ends, by path. */
export type Recording = Recorded & { streams?: Record<string, string> };

const kept = [twoDrafts, japanese, limited, surfaced, failed, waiting, nested, nothingFound] as unknown as {
  page: RunPage;
  entries: { event: Event }[];
}[];
const all: Recording[] = [
  ...kept.map(({ page, entries }) => ({
    page: { ...page, notes: page.notes ?? {}, words: {} },
    entries: entries.map(({ event }) => journalEntry(event)),
  })),
  deep(),
  asking(),
  each(3),
  each(5),
  each(50),
  each(200),
  gated(),
];

/** Every recording, the newest first. */
export function recordings(): Recording[] {
  return all.map(({ page, streams = {}, ...rest }, index) => {
    const at = page.card.started_at_ms - index * 5_400_000;
    return {
      ...rest,
      streams,
      page: {
        ...page,
        as_of: page.as_of ?? null,
        most_attempts: 5,
        inherited: nothingUsed(),
        card: { ...page.card, is_pinned: false, is_raised: false, tags: [], trashed_at_ms: null, started_at_ms: at },
      },
    };
  });
}

export function recording(run: string): Recording {
  const found = all.find(({ page }) => page.card.run === run);
  if (!found) throw new Error(`there is no recording ${run}`);
  return found;
}

export const offer = (): { pipelines: PipelineCard[] } => offered as unknown as { pipelines: PipelineCard[] };

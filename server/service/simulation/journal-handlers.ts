/** Handlers of the journal of calls under /sim/v1. */

import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

export function journalHandlers({ journal }: Simulation): Handlers {
  return {
    searchJournal: ({ body }) => answer({ entries: journal.search(body), lost: journal.lost }),
    verifyJournal: ({ body }) => answer(journal.verify(body, body.body_sha256)),
    clearJournal() {
      journal.clear();
      return EMPTY;
    },
  };
}

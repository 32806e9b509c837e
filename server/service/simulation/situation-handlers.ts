/** Handlers of named situations under /sim/v1. */

import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

export function situationHandlers({ situations }: Simulation): Handlers {
  return {
    listSituations: () => answer({ situations: situations.list() }),
    beginSituation({ body }) {
      const situation = situations.begin(body);
      return 'refused' in situation ? situation : answer({ situation });
    },
    endSituation: ({ names }) => situations.end(names['situation_name']!) ?? EMPTY,
    endSituations() {
      situations.endAll();
      return EMPTY;
    },
  };
}

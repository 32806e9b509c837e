/** Handlers of injected faults under /sim/v1. */

import { refuse } from '../../../contract/refusal.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

export function faultHandlers(simulation: Simulation): Handlers {
  const { faults } = simulation;
  return {
    listFaults: () => answer({ faults: faults.list() }),
    addFault({ body }) {
      const fault = faults.add(body);
      return 'refused' in fault ? fault : answer({ fault });
    },
    clearFault({ parameters }) {
      const id = parameters['fault_id']!;
      return faults.clear(id) ? EMPTY : refuse('not_found', `There is no fault ${id}`);
    },
    clearFaults() {
      faults.clearAll();
      return EMPTY;
    },
  };
}

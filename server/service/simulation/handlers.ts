/** All handlers of the simulation control API (/sim/v1), keyed by route id. */

import { cellHandlers } from '../../cell/cell-handlers.ts';
import type { Handlers } from '../http/handler.ts';
import { EMPTY } from '../http/reply.ts';
import { clockHandlers } from './clock-handlers.ts';
import { inSteps } from './in-steps.ts';
import { journalHandlers } from './journal-handlers.ts';
import { recordingHandlers } from './recording-handlers.ts';
import { resetTwin } from './reset.ts';
import { robotRunHandlers } from './robot-run-handlers.ts';
import { applySeed } from './seed.ts';
import type { Simulation } from './simulation.ts';
import { snapshotHandlers } from './snapshot-handlers.ts';
import { worldHandlers } from './world-handlers.ts';

/** Handlers of reset, seed, named snapshots and journal. */
function stateHandlers(simulation: Simulation): Handlers {
  return {
    async resetTwin({ body, session, recheck }) {
      const { initialState } = simulation;
      if (!initialState || simulation.worldRefusal) return simulation.worldRefusal ?? EMPTY;
      return simulation.inTurn(recheck, async () => {
        await inSteps(resetTwin(simulation, initialState, { body, session }));
        return EMPTY;
      });
    },
    seedTwin: ({ body, recheck }) =>
      simulation.inTurn(recheck, async () => (await inSteps(applySeed(simulation, body))) ?? EMPTY),
    ...snapshotHandlers(simulation),
    ...journalHandlers(simulation),
  };
}

/** Creates the handlers for one twin. */
export function simulationHandlers(simulation: Simulation): Handlers {
  return {
    ...clockHandlers(simulation),
    ...worldHandlers(simulation),
    ...cellHandlers(simulation),
    ...stateHandlers(simulation),
    ...recordingHandlers(simulation),
    ...robotRunHandlers(simulation),
  };
}

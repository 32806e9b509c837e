/**
 * All handlers of the simulated world under /sim/v1 (decisions D34, D36). Calls that need a
 * simulated world return 501 without one.
 */

import type { Handlers } from '../http/handler.ts';
import { contactHandlers } from './contact-handlers.ts';
import { faultHandlers } from './fault-handlers.ts';
import { forceHandlers } from './force-handlers.ts';
import { obstacleHandlers } from './obstacle-handlers.ts';
import { powerHandlers } from './power-handlers.ts';
import { signalHandlers } from './signal-handlers.ts';
import type { Simulation } from './simulation.ts';
import { situationHandlers } from './situation-handlers.ts';

/** All handlers of this file. */
export function worldHandlers(simulation: Simulation): Handlers {
  return {
    ...signalHandlers(simulation),
    ...forceHandlers(simulation),
    ...obstacleHandlers(simulation),
    ...contactHandlers(simulation),
    ...faultHandlers(simulation),
    ...situationHandlers(simulation),
    ...powerHandlers(simulation),
  };
}

/** Handlers of external forces on the flange under /sim/v1. */

import type { Handlers } from '../http/handler.ts';
import { EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

export function forceHandlers(simulation: Simulation): Handlers {
  return {
    pushArm({ body: { force, duration_s } }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      simulation.forces.apply([force.x, force.y, force.z], duration_s ?? null);
      return EMPTY;
    },
  };
}

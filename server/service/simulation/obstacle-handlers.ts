/** Handlers of obstacles under /sim/v1. */

import { refuse } from '../../../contract/refusal.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

export function obstacleHandlers(simulation: Simulation): Handlers {
  const { obstacles } = simulation;
  return {
    listObstacles: () => simulation.worldRefusal ?? answer({ obstacles: obstacles.list() }),
    addObstacle({ body }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const obstacle = obstacles.add(body);
      return 'refused' in obstacle ? obstacle : answer({ obstacle });
    },
    removeObstacle({ parameters }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const id = parameters['obstacle_id']!;
      return obstacles.remove(id) ? EMPTY : refuse('not_found', `There is no obstacle ${id}`);
    },
  };
}

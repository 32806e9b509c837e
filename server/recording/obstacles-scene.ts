import type { SimObstacle } from '../../contract/types.generated.ts';
import { NO_ROTATION } from './foxglove-pose.ts';
import { sceneMessage } from './scene-message.ts';
import type { Stamp } from './stamp.ts';

const OBSTACLE_COLOR = { r: 0.6, g: 0.6, b: 0.6, a: 0.7 };

/** The obstacles of the simulated world. */
export function obstaclesMessage(obstacles: readonly SimObstacle[], timestamp: Stamp): object {
  const entities = obstacles.map(({ id, name, position, half, orientation }) => ({
    id: `obstacle ${id}`,
    metadata: [{ key: 'name', value: name }],
    cubes: [
      {
        pose: { position, orientation: orientation ?? NO_ROTATION },
        size: { x: 2 * half.x, y: 2 * half.y, z: 2 * half.z },
        color: OBSTACLE_COLOR,
      },
    ],
  }));
  return sceneMessage(entities, timestamp);
}

/** A scene in Foxglove's schema. Units m, in the base. */

import { FRAME_NAMES } from '../../physics/arm/arm-model.ts';
import type { Stamp } from './stamp.ts';

export interface Entity {
  readonly id: string;
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  readonly cubes?: readonly object[];
  readonly spheres?: readonly object[];
  readonly cylinders?: readonly object[];
  readonly lines?: readonly object[];
}

/** Kinds of deletions. */
export const WITH_ID = 0;
const ALL = 1;

interface Deletion {
  readonly type: number;
  readonly id: string;
}

/** A scene; without deletions it replaces all entities of its channel. */
export function sceneMessage(
  entities: readonly Entity[],
  timestamp: Stamp,
  deletions: readonly Deletion[] = [{ type: ALL, id: '' }],
): object {
  return {
    deletions: deletions.map((deletion) => ({ timestamp, ...deletion })),
    entities: entities.map((entity) => ({
      timestamp,
      frame_id: FRAME_NAMES[0],
      lifetime: { sec: 0, nsec: 0 },
      frame_locked: true,
      metadata: [],
      arrows: [],
      cubes: [],
      spheres: [],
      cylinders: [],
      lines: [],
      triangles: [],
      texts: [],
      models: [],
      ...entity,
    })),
  };
}

/**
 * Scenes in Foxglove's schema: the path of the loaded toolpath, obstacles and contacts. Each
 * message replaces all entities of its channel. Units m, in the base.
 */
import type { SimContact, SimObstacle } from '../../contract/types.ts';
import { FRAME_NAMES } from '../../physics/arm/arm-model.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { createPathSample, samplePath } from '../../physics/motion/path.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { NO_ROTATION, pointOf, type Stamp } from './channels.ts';

const frames = createFrames();

interface Entity {
  readonly id: string;
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  readonly cubes?: readonly object[];
  readonly spheres?: readonly object[];
  readonly lines?: readonly object[];
}

/** A scene that replaces all entities of its channel. */
function sceneMessage(entities: readonly Entity[], timestamp: Stamp): object {
  const ALL = 1;
  return {
    deletions: [{ timestamp, type: ALL, id: '' }],
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

/** Samples of a move, and points of the whole path, at most: more would not be seen. */
const SAMPLES_PER_MOVE = 24;
const PATH_POINTS_MAX = 6000;
const PATH_COLOR = { r: 0.1, g: 0.5, b: 0.9, a: 1 };
const UNTURNED = { position: { x: 0, y: 0, z: 0 }, orientation: NO_ROTATION };

/** The way of the tool's tip through each move of a loaded toolpath. */
export function pathMessage(program: Program | null, timestamp: Stamp): object {
  const moves = (program?.steps ?? []).filter((step) => 'move' in step);
  const most = Math.floor(PATH_POINTS_MAX / Math.max(moves.length, 1));
  const samples = Math.max(2, Math.min(SAMPLES_PER_MOVE, most));
  const sample = createPathSample();
  const [x, y, z] = program?.tool_offset_m ?? [0, 0, 0];
  const at = FLANGE_FRAME * FRAME_SIZE;
  const lines = moves.slice(0, PATH_POINTS_MAX / 2).map(({ move }) => ({
    type: 0,
    pose: UNTURNED,
    thickness: 2,
    scale_invariant: true,
    points: Array.from({ length: samples }, (_, i) => {
      samplePath(move.path, i / (samples - 1), sample);
      forward(sample.q, frames);
      const f = frames.subarray(at, at + FRAME_SIZE);
      const tip = (row: number) =>
        f[3 * row]! * x + f[3 * row + 1]! * y + f[3 * row + 2]! * z + f[9 + row]!;
      return pointOf([tip(0), tip(1), tip(2)]);
    }),
    color: PATH_COLOR,
    colors: [],
    indices: [],
  }));
  return sceneMessage(lines.length > 0 ? [{ id: 'toolpath', lines }] : [], timestamp);
}

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

const CONTACT_COLOR = { r: 0.9, g: 0.1, b: 0.1, a: 1 };
const CONTACT_SIZE_M = 0.03;

/** The contacts that last, each a ball where the bodies met. */
export function contactsMessage(contacts: readonly SimContact[], timestamp: Stamp): object {
  const size = { x: CONTACT_SIZE_M, y: CONTACT_SIZE_M, z: CONTACT_SIZE_M };
  const entities = contacts
    .filter(({ ended_s }) => ended_s === null)
    .map(({ id, body, obstacle, place, peak_force_n }) => ({
      id: `contact ${id}`,
      metadata: [
        { key: 'body', value: body },
        { key: 'obstacle', value: obstacle },
        { key: 'peak_force_n', value: peak_force_n.toFixed(1) },
      ],
      spheres: [
        { pose: { position: place, orientation: NO_ROTATION }, size, color: CONTACT_COLOR },
      ],
    }));
  return sceneMessage(entities, timestamp);
}

/**
 * Scenes in Foxglove's schema: the path of the loaded toolpath, obstacles, contacts and the cell.
 * Each message replaces all entities of its channel, except changes of the cell. Units m, in the
 * base.
 */
import type { SimContact, SimObstacle } from '../../contract/types.ts';
import { FRAME_NAMES } from '../../physics/arm/arm-model.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { BODY_STATUS, type Status } from '../../physics/cell/loose-bodies.ts';
import { SOLID_POSE, type Solid } from '../../physics/cell/solids.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { createPathSample, samplePath } from '../../physics/motion/segment.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { NO_ROTATION, pointOf, type Stamp } from './channels.ts';

const frames = createFrames();

interface Entity {
  readonly id: string;
  readonly metadata?: readonly { readonly key: string; readonly value: string }[];
  readonly cubes?: readonly object[];
  readonly spheres?: readonly object[];
  readonly cylinders?: readonly object[];
  readonly lines?: readonly object[];
}

/** Kinds of deletions. */
const WITH_ID = 0;
const ALL = 1;

interface Deletion {
  readonly type: number;
  readonly id: string;
}

/** A scene; without deletions it replaces all entities of its channel. */
function sceneMessage(
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

const FIXTURE_COLOR = { r: 0.7, g: 0.72, b: 0.75, a: 1 };
const CONVEYOR_COLOR = { r: 0.3, g: 0.3, b: 0.33, a: 1 };
const OBJECT_COLOR = { r: 0.2, g: 0.5, b: 0.9, a: 1 };

type Color = typeof OBJECT_COLOR;

/** A solid at a pose: position and quaternion w, x, y, z. */
function solidEntity({ isRound, half }: Solid, pose: Float64Array, color: Color) {
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = pose;
  const orientation = { x: qx, y: qy, z: qz, w: qw };
  const size = { x: 2 * half[0]!, y: 2 * half[1]!, z: 2 * half[2]! };
  const body = { pose: { position: { x, y, z }, orientation }, size, color };
  return isRound ? { cylinders: [{ ...body, bottom_scale: 1, top_scale: 1 }] } : { cubes: [body] };
}

const STATUS_TEXT = Object.fromEntries(
  Object.entries(BODY_STATUS).map(([text, status]) => [status, text]),
) as Readonly<Record<Status, string>>;

/** The fixtures and conveyors of a cell. */
function standingEntities({ model }: CellPlant): readonly Entity[] {
  return model.statics.map((solid, i) => ({
    id: `${solid.name} ${i}`,
    metadata: [{ key: 'name', value: solid.name }],
    ...solidEntity(solid, solid.pose, solid.belt < 0 ? FIXTURE_COLOR : CONVEYOR_COLOR),
  }));
}

/** Object `i` where it is; none where it is missing. */
function objectEntities({ model, states }: CellPlant, i: number): readonly Entity[] {
  const body = model.bodies[i]!;
  const status = states.status[i] as Status;
  if (status === BODY_STATUS.missing) return [];
  const pose = states.poses.subarray(SOLID_POSE * i, SOLID_POSE * (i + 1));
  const metadata = [
    { key: 'name', value: body.name },
    { key: 'status', value: STATUS_TEXT[status] },
  ];
  return [{ id: body.name, metadata, ...solidEntity(body, pose, OBJECT_COLOR) }];
}

/** A smaller change of a position (m) or of a number of a quaternion is not seen. */
const SEEN = 1e-5;

/** The fixtures, conveyors and objects of the cell where they are; nothing without a cell. */
export class CellScene {
  private readonly cellOf: () => CellPlant | null;
  private cell: CellPlant | null = null;
  /** Poses and statuses that the version stands for. */
  private poses = new Float64Array();
  private statuses = new Float64Array();
  private count = 0;
  /** Objects that changed since the last message of changes. */
  private readonly changed = new Set<number>();
  private isOther = true;

  constructor(cellOf: () => CellPlant | null) {
    this.cellOf = cellOf;
  }

  /** A number that changes when the cell is another one, or one of its objects has changed. */
  version(): number {
    const cell = this.cellOf();
    if (cell !== this.cell) {
      this.cell = cell;
      this.isOther = true;
      this.poses = new Float64Array(cell?.states.poses ?? []);
      this.statuses = new Float64Array(cell?.states.status ?? []);
      this.count += 1;
    }
    if (cell) for (let i = 0; i < this.statuses.length; i++) this.look(cell, i);
    return this.count;
  }

  private look({ states: { poses, status } }: CellPlant, i: number): void {
    const [from, to] = [SOLID_POSE * i, SOLID_POSE * (i + 1)];
    let isSame = status[i] === this.statuses[i];
    for (let k = from; isSame && k < to; k++) {
      isSame = Math.abs(poses[k]! - this.poses[k]!) < SEEN;
    }
    if (isSame) return;
    this.statuses[i] = status[i]!;
    this.poses.set(poses.subarray(from, to), from);
    this.changed.add(i);
    this.count += 1;
  }

  /** All of the cell. */
  message(timestamp: Stamp): object {
    const cell = this.cellOf();
    if (!cell) return sceneMessage([], timestamp);
    const objects = cell.model.bodies.flatMap((_, i) => objectEntities(cell, i));
    return sceneMessage([...standingEntities(cell), ...objects], timestamp);
  }

  /** What changed since the last call; all of another cell. */
  changes(timestamp: Stamp): object {
    const { cell, changed, isOther } = this;
    const places = [...changed];
    changed.clear();
    this.isOther = false;
    if (isOther || !cell) return this.message(timestamp);
    const { model, states } = cell;
    const gone = places.filter((i) => states.status[i] === BODY_STATUS.missing);
    return sceneMessage(
      places.flatMap((i) => objectEntities(cell, i)),
      timestamp,
      gone.map((i) => ({ type: WITH_ID, id: model.bodies[i]!.name })),
    );
  }
}

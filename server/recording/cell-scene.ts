/**
 * The cell as a scene: all of it, or what has changed since the last message. Units m, in the
 * base.
 */

import { BODY_STATUS, type Status } from '../../physics/cell/body-states.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { SOLID_POSE } from '../../physics/cell/pose.ts';
import type { Solid } from '../../physics/cell/solids/solids.ts';
import { type Entity, sceneMessage, WITH_ID } from './scene-message.ts';
import type { Stamp } from './stamp.ts';

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

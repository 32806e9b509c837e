/**
 * What happened in a cell, in order, each with a sentence, and the state of the cell as the API
 * shows it.
 */
import { limits } from '../../contract/limits.ts';
import type { CellEvent, CellObjectState, CellSensor, CellState } from '../../contract/types.ts';
import { PLANT_STEP_S } from '../dynamics/drives.ts';
import type { Numbers } from '../math/rotation.ts';
import type { BodyModel, CellModel } from './cell-model.ts';
import type { CellPlant } from './cell-plant.ts';
import { BODY_STATUS, type BodyStates } from './loose-bodies.ts';
import { bottomOf, SOLID_POSE } from './solids.ts';

/** Divided by it, a time has no more digits than it needs. */
const STEPS_PER_S = Math.round(1 / PLANT_STEP_S);
/** Steps of a control tick. */
const TICK_STEPS = 4;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;
const ORIGIN = { x: 0, y: 0, z: 0 } as const;

/** An event as the cell reports it. */
interface Happening {
  readonly kind: CellEvent['kind'];
  readonly body: number | null;
  readonly by: string | null;
  readonly at: string | null;
  /** What the part says about it; empty where the kind says it all. */
  readonly text: string;
  readonly steps: number;
}

const bottom = new Float64Array(3);

/** The text of a digital sensor that becomes active; the name of the object follows. */
export const DETECTS = 'detects';

/** Where a sensor is: the middle of a beam; null for one that weighs. */
function placeOfSensor(sensor: CellSensor) {
  if (sensor.kind === 'weight') return null;
  if (sensor.kind !== 'beam') return sensor.position;
  const { from, to } = sensor;
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, z: (from.z + to.z) / 2 };
}

/** The sentence of an event; `name` is the object, `at` its place. */
function sentenceOf({ kind, by, body, text }: Happening, name: string, at: string | null): string {
  const where = at === null ? '' : ` at ${at}`;
  switch (kind) {
    case 'missed':
    case 'jammed':
      return text;
    case 'grasped':
    case 'released':
      return `${text} ${name}${where}`;
    case 'dropped':
    case 'slipped':
      return `${name}: ${text}`;
    case 'settled':
      return `${name} came to rest${where}`;
    case 'tipped':
      return `${name} fell over${where}`;
    case 'sensor':
      return body === null || text !== DETECTS ? `${by} ${text}` : `${by} ${text} ${name}`;
    case 'passed':
      return `${name} passed ${by}`;
  }
}

export class CellEvents {
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private events: CellEvent[] = [];
  private lastId = 0;

  /** Grasp centre of a gripper in the world, by its name; null for another part. */
  private readonly graspOf: (name: string) => Float64Array | null;

  constructor(model: CellModel, states: BodyStates, graspOf: CellEvents['graspOf']) {
    this.model = model;
    this.states = states;
    this.graspOf = graspOf;
  }

  /** The latest events, oldest first. */
  list(): readonly CellEvent[] {
    return this.events;
  }

  /** Id of the latest event. */
  get last(): number {
    return this.lastId;
  }

  add(happening: Happening): void {
    const { kind, body, by, at, steps } = happening;
    this.lastId += 1;
    const name = body === null ? '' : this.model.bodies[body]!.name;
    const event: CellEvent = {
      id: this.lastId,
      kind,
      at_s: steps / STEPS_PER_S,
      tick: Math.ceil(steps / TICK_STEPS),
      object: body === null ? null : name,
      by,
      at,
      ...(body === null ? this.poseOfPart(by) : this.poseOf(body)),
      text: sentenceOf(happening, name, at),
    };
    this.events = [...this.events, event].slice(-limits.cell_events);
  }

  /** The pose of a gripper or sensor; one that weighs is where what it weighs is. */
  private poseOfPart(name: string | null): Pick<CellEvent, 'position' | 'orientation'> {
    const { sensors = [], fixtures = [] } = this.model.description;
    const grasp = name === null ? null : this.graspOf(name);
    if (grasp) return { position: wireVector(grasp), orientation: wireQuaternion(grasp, 3) };
    const sensor = sensors.find((each) => each.name === name);
    if (sensor?.kind === 'weight') return this.poseOfPart(sensor.of);
    const fixture = fixtures.find((each) => each.name === name);
    const position = (sensor && placeOfSensor(sensor)) ?? fixture?.position ?? ORIGIN;
    return { position, orientation: UPRIGHT };
  }

  private poseOf(i: number) {
    const at = SOLID_POSE * i;
    bottomOf(this.model.bodies[i]!, this.states.poses, at, bottom);
    return { position: wireVector(bottom), orientation: wireQuaternion(this.states.poses, at + 3) };
  }

  save(): { readonly events: readonly CellEvent[]; readonly last_id: number } {
    return { events: this.events, last_id: this.lastId };
  }

  load({ events, last_id }: ReturnType<CellEvents['save']>): void {
    this.events = [...events];
    this.lastId = last_id;
  }
}

function wireVector(v: Numbers, at = 0): { x: number; y: number; z: number } {
  return { x: v[at]!, y: v[at + 1]!, z: v[at + 2]! };
}

function wireQuaternion(q: Numbers, at: number): { w: number; x: number; y: number; z: number } {
  return { w: q[at]!, x: q[at + 1]!, y: q[at + 2]!, z: q[at + 3]! };
}

const STATUS_NAMES = Object.keys(BODY_STATUS) as (keyof typeof BODY_STATUS)[];

/** Whether a body of this status rests somewhere: what moves or is held is nowhere. */
function hasPlace(status: number): boolean {
  return status === BODY_STATUS.resting || status === BODY_STATUS.tipped;
}

/** One object of the cell now. */
export function objectState(cell: CellPlant, i: number): CellObjectState {
  const { model, states } = cell;
  bottomOf(model.bodies[i]!, states.poses, SOLID_POSE * i, bottom);
  const holder = cell.grippers.find(({ holds }) => holds === i);
  return {
    name: model.bodies[i]!.name,
    position: wireVector(bottom),
    orientation: wireQuaternion(states.poses, SOLID_POSE * i + 3),
    status: STATUS_NAMES[states.status[i]!]!,
    at: hasPlace(states.status[i]!) ? cell.places.of(i) : null,
    held_by: holder?.name ?? null,
  };
}

/** Pose of a held body's bottom face in the flange frame. */
function heldPose(body: BodyModel, held: Numbers) {
  bottomOf(body, held, 0, bottom);
  return { position: wireVector(bottom), orientation: wireQuaternion(held, 3) };
}

/** The whole cell now. */
export function cellState(cell: CellPlant): CellState {
  const { model, signals, grippers } = cell;
  return {
    objects: model.bodies.map((_, i) => objectState(cell, i)),
    grippers: grippers.map((gripper) => ({
      name: gripper.name,
      opening_m: gripper.model.description.kind === 'jaws' ? gripper.opening : 0,
      closed: gripper.isClosed,
      holds: gripper.holds < 0 ? null : model.bodies[gripper.holds]!.name,
      ...(gripper.holds >= 0 && { holds_at: heldPose(model.bodies[gripper.holds]!, gripper.held) }),
    })),
    sensors: signals.sensors.map(({ description: { name }, isActive: active, level: value }) => ({
      name,
      active,
      value,
    })),
    conveyors: signals.belts.map(({ model: { name }, isRunning: running, travel_m }) => ({
      name,
      running,
      travel_m,
    })),
    controls: model.controls.map(({ name }, i) => ({ name, active: signals.controls[i] === 1 })),
  };
}

const PARTS = ['objects', 'grippers', 'sensors', 'conveyors', 'controls'] as const;

/** The parts of a cell that differ from what was taken last, each whole. */
export class CellChanges {
  private readonly last = new Map<string, string>();

  /** The changed parts; null without any. */
  take(state: CellState): CellState | null {
    const part = <Key extends (typeof PARTS)[number]>(key: Key) =>
      this.changed<{ readonly name: string }>(key, state[key]) as CellState[Key];
    const now: CellState = {
      objects: part('objects'),
      grippers: part('grippers'),
      sensors: part('sensors'),
      conveyors: part('conveyors'),
      controls: part('controls'),
    };
    return PARTS.some((key) => now[key].length > 0) ? now : null;
  }

  private changed<Entry extends { readonly name: string }>(
    part: string,
    entries: readonly Entry[],
  ): Entry[] {
    return entries.filter((entry) => {
      const text = JSON.stringify(entry);
      const key = `${part} ${entry.name}`;
      const isNew = this.last.get(key) !== text;
      this.last.set(key, text);
      return isNew;
    });
  }
}

/** What is in the cell with every bit, as text. */
export function cellFingerprint(cell: CellPlant): string {
  return JSON.stringify([Array.from(cell.states.memory), cell.events.last, cell.signals.save()]);
}

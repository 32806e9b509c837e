/** What happened in a cell, in order, each with a sentence. */

import { limits } from '../../contract/limits.ts';
import type { CellEvent, CellSensor } from '../../contract/types.generated.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import type { BodyStates } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import { SOLID_POSE } from './pose.ts';
import { DETECTS } from './sensors.ts';
import { bottomOf } from './solids/solids.ts';
import { wireQuaternion, wireVector } from './wire-pose.ts';

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
    case 'carried':
      return `${by} carries ${name} on ${text}`;
    case 'slid':
    case 'fell_off':
      return `${name} ${text}`;
    case 'settled':
      return `${name} came to rest${where}${text}`;
    case 'tipped':
      return `${name} fell over${where}${text}`;
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

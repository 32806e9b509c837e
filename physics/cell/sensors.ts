/**
 * Sensors of a cell: beams, presence in a volume, distance and weight, each with a delay. They are
 * read once a control tick.
 */

import type { CellSensor, Vector } from '../../contract/types.generated.ts';
import { length3 } from '../math/vector.ts';
import { BODY_STATUS, type BodyStates } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { Gripper } from './grippers/gripper.ts';
import { frameOf, SOLID_POSE } from './pose.ts';
import { type Scale, type SignalLevel, scaled } from './signal-level.ts';
import { contains, crosses, crossing, type Solid } from './solids/solids.ts';

/** The text of a digital sensor that becomes active; the name of the object follows. */
export const DETECTS = 'detects';

/** What sensors look at. */
export interface SensedWorld {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly grippers: readonly Gripper[];
  /** Weight on a fixture, and in a gripper with what stands on that (kg). */
  readonly weightOn: (fixture: string) => number;
  readonly weightIn: (gripper: Gripper) => number;
  readonly report: (
    kind: 'sensor' | 'passed',
    by: string,
    body: number | null,
    text: string,
  ) => void;
}

/** Injected faults of a sensor: it keeps its value, or is late (s). */
export interface SensorFault {
  readonly isStuck: boolean;
  readonly late_s: number;
}

/** A sensor without faults. */
export const SOUND_SENSOR: SensorFault = { isStuck: false, late_s: 0 };

const from = new Float64Array(3);
const way = new Float64Array(3);

function writeVector(v: Vector, out: Float64Array): void {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

/** What a bounding ball is larger than its solid, so that rounding hides none: share, and m². */
const BALL_MARGIN = { share: 1.1, area_m2: 1e-6 };

/** Whether the line from `from` along `way` passes the bounding ball of a solid by. */
function passesBy({ half }: Solid, pose: Float64Array, at: number): boolean {
  const x = pose[at]! - from[0]!;
  const y = pose[at + 1]! - from[1]!;
  const z = pose[at + 2]! - from[2]!;
  const [u, v, w] = [way[0]!, way[1]!, way[2]!];
  const along = x * u + y * v + z * w;
  const length2 = u * u + v * v + w * w;
  const size2 = half[0]! * half[0]! + half[1]! * half[1]! + half[2]! * half[2]!;
  const ball2 = BALL_MARGIN.share * size2 + BALL_MARGIN.area_m2;
  return (x * x + y * y + z * z - ball2) * length2 > along * along;
}

/** First body that a line meets within `most` lengths of `way`, or -1; `nearest` says where. */
let nearest = 0;
function firstOnLine({ model, states }: SensedWorld, most: number): number {
  let found = -1;
  nearest = most;
  for (let i = 0; i < model.bodies.length; i++) {
    if (states.status[i] === BODY_STATUS.missing) continue;
    const body = model.bodies[i]!;
    if (passesBy(body, states.poses, SOLID_POSE * i)) continue;
    if (!crosses(body, states.poses, SOLID_POSE * i, from, way)) continue;
    if (crossing.leave < 0 || crossing.enter > nearest) continue;
    nearest = Math.max(0, crossing.enter);
    found = i;
  }
  return found;
}

/** The state of a sensor; its fields are those of Sensor. */
export interface SensorMemory {
  readonly reading: SignalLevel;
  readonly reported: SignalLevel;
  readonly waited_s: number;
  readonly body: number;
}

/** One sensor: its reading, and the value at its input after the delay. */
export class Sensor {
  readonly description: CellSensor;
  fault = SOUND_SENSOR;
  /** What it detects now. */
  private reading: SignalLevel;
  /** What it reports. */
  reported: SignalLevel;
  /** Time for which the reading has differed from the report (s). */
  private waited_s = 0;
  /** The body in a beam, or -1. */
  private body = -1;
  private readonly volume: { readonly solid: Solid; readonly pose: Float64Array } | null;

  constructor(description: CellSensor) {
    this.description = description;
    this.reading = 'at_zero' in description ? description.at_zero : false;
    this.reported = this.reading;
    const { kind } = description;
    if (kind !== 'presence') this.volume = null;
    else {
      const { x, y, z } = description.size_m;
      const solid = { isRound: false, half: Float64Array.of(x / 2, y / 2, z / 2) };
      this.volume = { solid, pose: frameOf(description.position, description.orientation) };
    }
  }

  get isActive(): boolean {
    const { description } = this;
    return 'at_zero' in description
      ? this.reported !== idleLevel(description)
      : this.reported === true;
  }

  /** The value at the input. */
  get level(): SignalLevel {
    const { description, reported } = this;
    if (typeof reported === 'number') return reported;
    return reported !== ('inverted' in description && description.inverted === true);
  }

  get isPending(): boolean {
    return this.reading !== this.reported && !this.fault.isStuck;
  }

  update(world: SensedWorld, dt_s: number): void {
    if (this.fault.isStuck) return;
    this.read(world);
    if (this.reading === this.reported) {
      this.waited_s = 0;
      return;
    }
    // Rounding must not add a tick to a delay of whole ticks.
    const delay_s = (this.description.delay_s ?? 0) + this.fault.late_s - 1e-9;
    if (this.waited_s < delay_s) {
      this.waited_s += dt_s;
      return;
    }
    this.waited_s = 0;
    this.publish(world);
  }

  private publish(world: SensedWorld): void {
    const isDigital = typeof this.reading === 'boolean';
    const before = this.isActive;
    this.reported = this.reading;
    if (isDigital || before !== this.isActive) {
      const body = this.body < 0 ? null : this.body;
      world.report('sensor', this.description.name, body, this.changeText(isDigital));
    }
    if (this.description.kind !== 'beam') return;
    if (!this.isActive && this.body >= 0) {
      world.report('passed', this.description.name, this.body, '');
      this.body = -1;
    }
  }

  /** What a change says, after the name of the sensor. */
  private changeText(isDigital: boolean): string {
    if (!isDigital) return this.isActive ? 'measures something' : 'measures nothing';
    return this.isActive ? DETECTS : 'is free';
  }

  private read(world: SensedWorld): void {
    const { description } = this;
    switch (description.kind) {
      case 'beam': {
        writeVector(description.from, from);
        writeVector(description.to, way);
        for (let k = 0; k < 3; k++) way[k]! -= from[k]!;
        const body = firstOnLine(world, 1);
        if (body >= 0) this.body = body;
        this.reading = body >= 0;
        return;
      }
      case 'presence':
        this.body = this.bodyInside(world);
        this.reading = this.body >= 0;
        return;
      case 'distance':
        this.reading = this.readDistance(world, description);
        return;
      case 'weight': {
        const gripper = world.grippers.find(({ name }) => name === description.of);
        const weight = gripper ? world.weightIn(gripper) : world.weightOn(description.of);
        this.reading = scaled(description, weight / description.full_scale_kg);
      }
    }
  }

  private bodyInside({ model, states }: SensedWorld): number {
    const { solid, pose } = this.volume!;
    for (let i = 0; i < model.bodies.length; i++) {
      if (states.status[i] === BODY_STATUS.missing) continue;
      for (let k = 0; k < 3; k++) from[k] = states.poses[SOLID_POSE * i + k]!;
      if (contains(solid, pose, 0, from)) return i;
    }
    return -1;
  }

  private readDistance(
    world: SensedWorld,
    description: Extract<CellSensor, { kind: 'distance' }>,
  ): number {
    const { direction, range_m } = description;
    writeVector(description.position, from);
    writeVector(direction, way);
    // Of a short direction the squares would be 0.
    const largest = Math.max(Math.abs(way[0]!), Math.abs(way[1]!), Math.abs(way[2]!));
    for (let k = 0; k < 3; k++) way[k]! /= largest;
    const length = length3(way[0]!, way[1]!, way[2]!);
    for (let k = 0; k < 3; k++) way[k]! /= length;
    firstOnLine(world, range_m);
    return scaled(description, nearest / range_m);
  }

  save(): SensorMemory {
    const { reading, reported, waited_s, body } = this;
    return { reading, reported, waited_s, body };
  }

  load({ reading, reported, waited_s, body }: SensorMemory): void {
    this.reading = reading;
    this.reported = reported;
    this.waited_s = waited_s;
    this.body = body;
  }
}

/** The level of an analog sensor that detects nothing. */
function idleLevel(description: CellSensor & Scale): number {
  return description.kind === 'distance' ? description.at_full_scale : description.at_zero;
}

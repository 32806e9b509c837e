import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { Layout } from '../../math/layout.ts';
import type { Numbers } from '../../math/vector.ts';
import { SOLID_POSE } from '../pose.ts';

/** Share of a new velocity in the filtered one, per step: 4 ms, as of a held body. */
const FILTER_SHARE = 0.25;
/** Steps after which the filter is full. */
const FILTER_STEPS = 20;

/** Numbers of a motion: the last pose, linear and angular rates and accelerations, and steps. */
export const RIGID_MOTION = new Layout({
  last: SOLID_POSE,
  velocity: 3,
  spin: 3,
  acceleration: 3,
  angular: 3,
  steps: 1,
});

/** The motion of a rigid body, filtered, from its poses. World axes. */
export class RigidMotion {
  private readonly last: Float64Array;
  /** Of its centre (m/s), and about it (rad/s). */
  readonly velocity: Float64Array;
  readonly spin: Float64Array;
  /** Of its centre (m/s²), and about it (rad/s²). */
  readonly acceleration: Float64Array;
  readonly angular: Float64Array;
  private readonly steps: Float64Array;
  private readonly memory: Float64Array;

  /** Uses `memory`, of the layout RIGID_MOTION, for its whole state. */
  constructor(memory: Float64Array) {
    const { last, velocity, spin, acceleration, angular, steps } = RIGID_MOTION.views(memory);
    this.memory = memory;
    this.last = last;
    this.velocity = velocity;
    this.spin = spin;
    this.acceleration = acceleration;
    this.angular = angular;
    this.steps = steps;
  }

  /** Starts at a pose, at rest. */
  reset(poses: Numbers, at: number): void {
    this.memory.fill(0);
    for (let k = 0; k < SOLID_POSE; k++) this.last[k] = poses[at + k]!;
  }

  /** True once the filter is full. */
  get isKnown(): boolean {
    return this.steps[0]! > FILTER_STEPS;
  }

  /** The body has slipped upwards in a step (m), which is no motion of what holds it. */
  slip(up_m: number): void {
    this.last[2]! += up_m;
  }

  private filter(k: number, raw: number, rate: Float64Array, change: Float64Array): void {
    const before = rate[k]!;
    const now = this.steps[0] === 0 ? raw : before + FILTER_SHARE * (raw - before);
    change[k] = (now - before) / PLANT_STEP_S;
    rate[k] = now;
  }

  /** Follows the pose at `at` for one step. */
  update(poses: Numbers, at: number): void {
    const { last } = this;
    const [w, x, y, z] = [last[3]!, -last[4]!, -last[5]!, -last[6]!];
    const [W, X, Y, Z] = [poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!];
    // The turn since the last step is small: twice its vector part, on the nearer side.
    const twice = (W * w - X * x - Y * y - Z * z < 0 ? -2 : 2) / PLANT_STEP_S;
    const turns = [
      W * x + X * w + Y * z - Z * y,
      W * y - X * z + Y * w + Z * x,
      W * z + X * y - Y * x + Z * w,
    ];
    for (let k = 0; k < 3; k++) {
      this.filter(k, (poses[at + k]! - last[k]!) / PLANT_STEP_S, this.velocity, this.acceleration);
      this.filter(k, twice * turns[k]!, this.spin, this.angular);
    }
    for (let k = 0; k < SOLID_POSE; k++) last[k] = poses[at + k]!;
    this.steps[0]! += 1;
  }

  /** Writes the velocity of a point that moves with the body (m/s). */
  writeVelocityAt(poses: Numbers, at: number, out: Float64Array, to: number): void {
    const { last, velocity, spin } = this;
    const [x, y, z] = [0, 1, 2].map((k) => poses[at + k]! - last[k]!) as [number, number, number];
    const [a, b, c] = [spin[0]!, spin[1]!, spin[2]!];
    out[to] = velocity[0]! + b * z - c * y;
    out[to + 1] = velocity[1]! + c * x - a * z;
    out[to + 2] = velocity[2]! + a * y - b * x;
  }

  /** Writes the acceleration of a point that moves with the body (m/s²). */
  writeAccelerationAt(poses: Numbers, at: number, out: Float64Array, to: number): void {
    const { last, acceleration, spin, angular } = this;
    const x = poses[at]! - last[0]!;
    const y = poses[at + 1]! - last[1]!;
    const z = poses[at + 2]! - last[2]!;
    const [a, b, c] = [spin[0]!, spin[1]!, spin[2]!];
    const [i, j, k] = [angular[0]!, angular[1]!, angular[2]!];
    const along = a * x + b * y + c * z;
    const square = a * a + b * b + c * c;
    out[to] = acceleration[0]! + j * z - k * y + a * along - x * square;
    out[to + 1] = acceleration[1]! + k * x - i * z + b * along - y * square;
    out[to + 2] = acceleration[2]! + i * y - j * x + c * along - z * square;
  }
}

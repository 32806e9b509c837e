/**
 * The way that an arm has come: poses with the torque residuals that it had there, as a ring. After
 * a contact the arm goes back along it, and it says what the arm carried before the contact. The
 * state is a part of the plant's array.
 */
import { JOINT_COUNT, JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import type { ExternalForce } from './external-force.ts';

/** One pose each time a joint has turned by this angle (rad). */
const SPACING_RAD = 0.008;
/** A power of two: 1 rad of the fastest joint. */
const LENGTH = 128;

/** Numbers of the state of a way. */
export const WAY_STATE = new Layout({
  /** Number of the newest pose plus one, and of the oldest one that is still there. */
  count: 1,
  oldest: 1,
  /** Number of the pose that the arm goes back to next; below the oldest at the end of the way. */
  next: 1,
  /** How far the arm stands beside the way that it goes back along. */
  offset: JOINT_COUNT,
  /** A copy of the newest pose, at a place that each step finds at once. */
  newest: JOINT_COUNT,
  poses: LENGTH * JOINT_COUNT,
  residuals: LENGTH * JOINT_COUNT,
});
const { count: COUNT, oldest: OLDEST, next: NEXT } = WAY_STATE.at;

/** Where pose `i` is stored, as an integer: a remainder or index of doubles is slow. */
function placeOf(i: number): number {
  return JOINT_COUNT * (i & (LENGTH - 1));
}

/** Copies one value a joint; `set` of an array takes longer than six numbers. */
function write(values: Float64Array, out: Float64Array, at: number): void {
  for (let j = 0; j < JOINT_COUNT; j++) out[at + j] = values[j]!;
}

export class TraversedWay {
  private readonly memory: Float64Array;
  private readonly offset: Float64Array;
  private readonly newest: Float64Array;
  private readonly poses: Float64Array;
  private readonly residuals: Float64Array;
  private readonly target = new Float64Array(JOINT_COUNT);

  /** Its whole state lies in `memory`, an array of the layout WAY_STATE. */
  constructor(memory: Float64Array) {
    const parts = WAY_STATE.views(memory);
    this.memory = memory;
    this.offset = parts.offset;
    this.newest = parts.newest;
    this.poses = parts.poses;
    this.residuals = parts.residuals;
  }

  /** Forgets the way: the arm stands where it did not go by itself. */
  reset(): void {
    this.memory.fill(0);
  }

  /**
   * Records the pose (rad) and the residuals (N m) of a step. Where the way starts, they count until
   * the arm moves: those of an observer that starts are not yet true. No allocation.
   */
  record(position: Float64Array, residual: Float64Array): void {
    const { memory, newest } = this;
    let isNear = memory[COUNT]! - memory[OLDEST]! > 1;
    for (let j = 0; j < JOINT_COUNT && isNear; j++) {
      isNear = Math.abs(position[j]! - newest[j]!) <= SPACING_RAD;
    }
    if (!isNear) this.keep(position, residual);
  }

  private keep(position: Float64Array, residual: Float64Array): void {
    const { memory, newest } = this;
    const count = memory[COUNT]!;
    const known = count - memory[OLDEST]!;
    const isNear = position.every((angle, j) => Math.abs(angle - newest[j]!) <= SPACING_RAD);
    if (known === 1 && isNear) write(residual, this.residuals, placeOf(count - 1));
    else {
      write(position, this.poses, placeOf(count));
      write(position, newest, 0);
      write(residual, this.residuals, placeOf(count));
      memory[COUNT] = count + 1;
      if (known === LENGTH) memory[OLDEST]! += 1;
    }
  }

  /**
   * The undeclared load (kg) that the arm carried before the contact in which it stands. In free
   * air a weight explains the residuals, and it is the same everywhere on the way; a contact adds
   * to it or is no weight. So the least one counts; 0 where nothing of the way was free.
   */
  load_kg(force: ExternalForce): number {
    const { memory, poses, residuals } = this;
    let least = Number.POSITIVE_INFINITY;
    for (let i = memory[OLDEST]!; i < memory[COUNT]!; i++) {
      const at = placeOf(i);
      force.place(poses.subarray(at, at + JOINT_COUNT));
      const load = force.load_kg(residuals, at);
      if (Math.abs(load) < Math.abs(least) && force.isExplained(residuals, at, load)) least = load;
    }
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }

  /**
   * Prepares to go back from `position` (rad). The contact may have bent the arm off its way: it
   * goes back beside the way by as much, so it does not push against what bent it.
   */
  turnBack(position: Float64Array): void {
    const { memory, poses, offset } = this;
    const nearest = this.nearest(position);
    memory[NEXT] = nearest - 1;
    if (nearest < memory[OLDEST]!) return;
    const at = placeOf(nearest);
    for (let j = 0; j < JOINT_COUNT; j++) offset[j] = position[j]! - poses[at + j]!;
  }

  /** Number of the pose nearest to the measured one; below the oldest where there is none. */
  private nearest(position: Float64Array): number {
    const { memory, poses } = this;
    let best = memory[OLDEST]! - 1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = memory[COUNT]! - 1; i >= memory[OLDEST]!; i--) {
      const at = placeOf(i);
      let sum = 0;
      for (let j = 0; j < JOINT_COUNT; j++) {
        const apart = poses[at + j]! - position[j]!;
        sum += apart * apart;
      }
      if (sum >= least) continue;
      least = sum;
      best = i;
    }
    return best;
  }

  /** True where no pose is left to go back to. */
  get isAtEnd(): boolean {
    return this.memory[NEXT]! < this.memory[OLDEST]!;
  }

  /**
   * Moves `pose` (rad, in place) back along the way, and into the ranges of the joints;
   * `travel_rad` is that of the fastest joint.
   */
  goBack(pose: Float64Array, travel_rad: number): void {
    const { memory, poses, offset, target } = this;
    let left = travel_rad;
    while (left > 0 && !this.isAtEnd) {
      const at = placeOf(memory[NEXT]!);
      let far = 0;
      for (let j = 0; j < JOINT_COUNT; j++) {
        target[j] = Math.min(
          Math.max(poses[at + j]! + offset[j]!, JOINT_MIN_RAD[j]!),
          JOINT_MAX_RAD[j]!,
        );
        far = Math.max(far, Math.abs(target[j]! - pose[j]!));
      }
      const share = far > left ? left / far : 1;
      for (let j = 0; j < JOINT_COUNT; j++) pose[j]! += share * (target[j]! - pose[j]!);
      left -= far;
      if (share === 1) memory[NEXT]! -= 1;
    }
  }

  /** Drops the part of the way that the arm has gone back along: it ends where the arm stands. */
  shorten(): void {
    const { memory } = this;
    memory[COUNT] = Math.max(memory[NEXT]! + 1, memory[OLDEST]!);
    const at = placeOf(memory[COUNT]! - 1);
    for (let j = 0; j < JOINT_COUNT; j++) this.newest[j] = this.poses[at + j]!;
  }
}

/**
 * What the invariant monitor measures besides the robot's memory: speed of the flange (m/s),
 * distance of the setpoints from the planned path (rad), and the snapshot that a subscriber of the
 * stream has put together from its changes (§6.1). None of them allocates in a motion.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import * as kinematics from '../../physics/kinematics/forward.ts';
import { createPathSample, type JointPath, samplePathAt } from '../../physics/motion/segment.ts';
import type { SectionChanges } from './commands.ts';
import type { RobotMemory } from './robot-context.ts';
import type { SnapshotSections, SnapshotSource } from './snapshot.ts';

/** The robot as the monitor reads it. */
export interface MonitoredRobot {
  readonly memory: Readonly<RobotMemory>;
  readonly isMoving: boolean;
  /** Identity of the present change tracking; null while changes are not tracked. */
  readonly changeTracker: object | null;
  /** Reference of the joints at the end of the last tick (rad). */
  readonly reference: Float64Array;
  /** The path of the motion that is played; null at rest and in an emergency stop. */
  readonly plannedPath: JointPath | null;
  readonly source: SnapshotSource;
  snapshot(): SnapshotSections;
}

/** Steps of the search for the nearest point; its distance has a quadratic error. */
const SEARCH_STEPS = 4;

/** Measures the speed of the flange between two consecutive ticks. */
export class FlangeObserver {
  private readonly frames = kinematics.createFrames();
  private readonly flange_m = new Float64Array(3);
  private last_tick = -1;

  /** Speed since the tick before (m/s); 0 when that tick was not observed. */
  speed_m_s(position_rad: Float64Array, tick: number): number {
    const { frames, flange_m } = this;
    const isSecond = tick === this.last_tick + 1;
    this.last_tick = tick;
    kinematics.forward(position_rad, frames);
    const at = kinematics.FLANGE_FRAME * kinematics.FRAME_SIZE + 9;
    const x = frames[at]! - flange_m[0]!;
    const y = frames[at + 1]! - flange_m[1]!;
    const z = frames[at + 2]! - flange_m[2]!;
    for (let axis = 0; axis < 3; axis++) flange_m[axis] = frames[at + axis]!;
    return isSecond ? Math.sqrt(x * x + y * y + z * z) / TICK_S : 0;
  }
}

/** Finds the point of a path that is nearest to a pose. */
export class PathObserver {
  private path: JointPath | null = null;
  private node = 0;
  private readonly at = { s: 0 };
  private readonly sample = createPathSample();

  /**
   * Distance of `pose` from the path (rad, Euclidean over the joints). Poses along a path are found
   * from one call to the next; `tolerance_rad` decides when the whole path is searched.
   */
  distance_rad(path: JointPath, pose: Float64Array, tolerance_rad: number): number {
    if (path !== this.path) this.node = 0;
    const isKnown = path === this.path;
    this.path = path;
    if (path.kind === 'line') return this.refine(path, pose, 0.5);
    if (isKnown) {
      const nodes = path.s.length;
      let best = squaredDistance(path.q, this.node, pose);
      while (this.node + 1 < nodes) {
        const next = squaredDistance(path.q, this.node + 1, pose);
        if (next > best) break;
        best = next;
        this.node += 1;
      }
      const near = this.refine(path, pose, path.s[this.node]!);
      if (near <= tolerance_rad) return near;
    }
    this.node = nearestNode(path.q, pose);
    return this.refine(path, pose, path.s[this.node]!);
  }

  /** Gauss-Newton on s, from a node or a point of a line. */
  private refine(path: JointPath, pose: Float64Array, start_s: number): number {
    const { at, sample } = this;
    at.s = start_s;
    for (let step = 0; ; step++) {
      samplePathAt(path, at, sample);
      let gradient = 0;
      let curvature = 0;
      let squared = 0;
      for (let j = 0; j < 6; j++) {
        const apart = sample.q[j]! - pose[j]!;
        squared += apart * apart;
        gradient += apart * sample.q1[j]!;
        curvature += sample.q1[j]! * sample.q1[j]!;
      }
      if (step === SEARCH_STEPS || curvature === 0) return Math.sqrt(squared);
      const next = at.s - gradient / curvature;
      at.s = next < 0 ? 0 : next > 1 ? 1 : next;
    }
  }
}

function squaredDistance(q: Float64Array, node: number, pose: Float64Array): number {
  let squared = 0;
  for (let j = 0; j < 6; j++) {
    const apart = q[6 * node + j]! - pose[j]!;
    squared += apart * apart;
  }
  return squared;
}

function nearestNode(q: Float64Array, pose: Float64Array): number {
  let nearest = 0;
  let best = Number.POSITIVE_INFINITY;
  for (let node = 0; node < q.length / 6; node++) {
    const squared = squaredDistance(q, node, pose);
    if (squared >= best) continue;
    best = squared;
    nearest = node;
  }
  return nearest;
}

type Values = Readonly<Record<string, unknown>>;

/** The snapshot as a subscriber knows it: the one at its start, with all changes since. */
export class StreamObserver {
  private known: SnapshotSections | null = null;

  /** Starts again from a snapshot; null without a subscriber. */
  start(snapshot: SnapshotSections | null): void {
    this.known = snapshot;
  }

  add(changes: SectionChanges): void {
    const { known } = this;
    if (known === null) return;
    for (const [name, change] of Object.entries(changes)) {
      known[name] = Array.isArray(change)
        ? change
        : { ...(known[name] as Values), ...(change as Values) };
    }
  }

  /** The first field in which the known snapshot differs from another one; null for none. */
  difference(snapshot: SnapshotSections, names: readonly string[]): string | null {
    const { known } = this;
    if (known === null) return null;
    for (const name of names) {
      const own = known[name] as Values;
      for (const [key, value] of Object.entries(snapshot[name] as Values)) {
        if (own[key] !== value) return `${name}.${key} is ${value}, published: ${own[key]}`;
      }
    }
    return null;
  }
}

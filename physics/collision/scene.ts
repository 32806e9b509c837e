/**
 * Collision scene: the arm's bodies at one pose (capsules, the tool's cylinder as body 12), their
 * bounds, the zones and the reach table that bounds approach speeds, flat for the hot loops. A
 * scene is also scratch space: it belongs to one thread and one check at a time. §2.6, §2.7.
 */
import type { AvoidanceZone, TcpConfig } from '../../contract/types.generated.ts';
import {
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
  FIRST_CAPSULE,
  SELF_PAIRS,
  TOOL_LINK,
  TOOL_PAIRS,
} from '../arm/geometry.ts';
import { FLANGE_FRAME, FRAME_SIZE } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';
import { createReachTable, tipLength } from './approach-speeds.ts';
import { type CompiledZones, compileZones } from './zones.ts';

/** The parts of a tool configuration that collision needs (§2.6). */
export type ToolShape = Pick<TcpConfig, 'offsets' | 'radius'>;

export interface SceneOptions {
  readonly tool?: ToolShape;
  readonly zones?: readonly AvoidanceZone[];
}

/** Index of the tool among the bodies; the capsules come before it. */
export const TOOL_BODY = CAPSULE_COUNT;
export const BODY_COUNT = CAPSULE_COUNT + 1;

/** A tool shorter than this has no body (m). */
const TOOL_LENGTH_MIN_M = 1e-6;

export interface CollisionScene {
  /** Tip of the tool in the flange frame (m), or null without a tool body. */
  readonly tip_m: Float64Array | null;
  readonly zones: CompiledZones;
  /** Number of bodies, with or without the tool. */
  readonly bodies: number;
  readonly linkOf: Int32Array;
  readonly radius_m: Float64Array;
  /** Radius of the bounding ball around a body's middle. */
  readonly ball_m: Float64Array;
  /** Reach table, see `createReachTable`. */
  readonly reach_m: Float64Array;
  /** Pairs of bodies that can meet, two numbers a pair. */
  readonly pairs: Int32Array;
  /** Both axis ends of each body in the world (m), six numbers a body. */
  readonly ends: Float64Array;
  readonly middles: Float64Array;
  /** World-aligned bounds, low then high, six numbers a body; and of all moving bodies last. */
  readonly bounds: Float64Array;
}

function bodyPairs(hasTool: boolean): Int32Array {
  const pairs: number[] = [];
  for (const [a, b] of SELF_PAIRS) {
    for (let i = FIRST_CAPSULE[a]!; i < FIRST_CAPSULE[a + 1]!; i++) {
      for (let j = FIRST_CAPSULE[b]!; j < FIRST_CAPSULE[b + 1]!; j++) pairs.push(i, j);
    }
  }
  if (hasTool) {
    for (let i = 0; i < CAPSULE_COUNT; i++) {
      if (TOOL_PAIRS.includes(CAPSULE_LINK[i]!)) pairs.push(i, TOOL_BODY);
    }
  }
  return Int32Array.from(pairs);
}

function balls(tip: Float64Array | null, radius: Float64Array): Float64Array {
  const out = new Float64Array(BODY_COUNT);
  const e = CAPSULE_ENDS_M;
  for (let i = 0; i < CAPSULE_COUNT; i++) {
    const x = e[6 * i + 3]! - e[6 * i]!;
    const y = e[6 * i + 4]! - e[6 * i + 1]!;
    const z = e[6 * i + 5]! - e[6 * i + 2]!;
    out[i] = 0.5 * Math.sqrt(x * x + y * y + z * z) + radius[i]!;
  }
  out[TOOL_BODY] = tip ? 0.5 * tipLength(tip) + radius[TOOL_BODY]! : 0;
  return out;
}

/** Compiles tool and zones into a scene; without them it holds the arm and the ground. */
export function createCollisionScene(options: SceneOptions = {}): CollisionScene {
  const offsets = options.tool?.offsets;
  const offered = offsets && Float64Array.of(offsets.x, offsets.y, offsets.z);
  const tip = offered && tipLength(offered) >= TOOL_LENGTH_MIN_M ? offered : null;
  const radius = new Float64Array(BODY_COUNT);
  radius.set(CAPSULE_RADIUS_M);
  radius[TOOL_BODY] = tip ? options.tool!.radius : 0;
  const linkOf = new Int32Array(BODY_COUNT);
  linkOf.set(CAPSULE_LINK);
  linkOf[TOOL_BODY] = TOOL_LINK;
  return {
    tip_m: tip,
    zones: compileZones(options.zones ?? []),
    bodies: tip ? BODY_COUNT : CAPSULE_COUNT,
    linkOf,
    radius_m: radius,
    ball_m: balls(tip, radius),
    reach_m: createReachTable(tip, radius[TOOL_BODY]!),
    pairs: bodyPairs(tip !== null),
    ends: new Float64Array(6 * BODY_COUNT),
    middles: new Float64Array(3 * BODY_COUNT),
    bounds: new Float64Array(6 * (BODY_COUNT + 1)),
  };
}

/** Writes the world coordinates of a point of a frame. */
function writeWorldPoint(
  f: Numbers,
  at: number,
  p: Numbers,
  i: number,
  out: Float64Array,
  o: number,
): void {
  const x = p[i]!;
  const y = p[i + 1]!;
  const z = p[i + 2]!;
  out[o] = f[at]! * x + f[at + 1]! * y + f[at + 2]! * z + f[at + 9]!;
  out[o + 1] = f[at + 3]! * x + f[at + 4]! * y + f[at + 5]! * z + f[at + 10]!;
  out[o + 2] = f[at + 6]! * x + f[at + 7]! * y + f[at + 8]! * z + f[at + 11]!;
}

/** Writes the axis ends of one capsule at the pose of `frames` into `out` (six numbers). */
export function placeCapsule(
  frames: Numbers,
  capsule: number,
  out: Float64Array,
  at: number,
): void {
  const frame = CAPSULE_LINK[capsule]! * FRAME_SIZE;
  writeWorldPoint(frames, frame, CAPSULE_ENDS_M, 6 * capsule, out, at);
  writeWorldPoint(frames, frame, CAPSULE_ENDS_M, 6 * capsule + 3, out, at + 3);
}

/** Places every body of the scene at the pose of `frames` (of `forward`). */
export function placeBodies(scene: CollisionScene, frames: Numbers): void {
  const ends = scene.ends;
  for (let i = 0; i < CAPSULE_COUNT; i++) placeCapsule(frames, i, ends, 6 * i);
  if (scene.tip_m) {
    const flange = FLANGE_FRAME * FRAME_SIZE;
    for (let k = 0; k < 3; k++) ends[6 * TOOL_BODY + k] = frames[flange + 9 + k]!;
    writeWorldPoint(frames, flange, scene.tip_m, 0, ends, 6 * TOOL_BODY + 3);
  }
  for (let i = 0; i < scene.bodies; i++) {
    for (let k = 0; k < 3; k++) {
      scene.middles[3 * i + k] = 0.5 * (ends[6 * i + k]! + ends[6 * i + 3 + k]!);
    }
  }
  if (scene.zones.keepOut.count > 0) boundBodies(scene);
}

/** First body checked against keep-out boxes; the base is exempt. */
export const FIRST_MOVING_BODY = FIRST_CAPSULE[1]!;

function boundBodies(scene: CollisionScene): void {
  const { ends, bounds } = scene;
  const whole = 6 * BODY_COUNT;
  for (let k = 0; k < 3; k++) {
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = FIRST_MOVING_BODY; i < scene.bodies; i++) {
      const a = ends[6 * i + k]!;
      const b = ends[6 * i + 3 + k]!;
      const r = scene.radius_m[i]!;
      const low = (a < b ? a : b) - r;
      const high = (a < b ? b : a) + r;
      bounds[6 * i + k] = low;
      bounds[6 * i + 3 + k] = high;
      if (low < lowest) lowest = low;
      if (high > highest) highest = high;
    }
    bounds[whole + k] = lowest;
    bounds[whole + 3 + k] = highest;
  }
}

export type { AvoidanceZone };

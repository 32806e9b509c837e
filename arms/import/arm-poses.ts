/**
 * What an arm can reach and needs over its poses: distances from axes, pairs of links that meet,
 * torques that hold it and inertias about its axes. Sampled from a fixed seed.
 */
import { GRAVITY_M_S2 } from '../../physics/dynamics/gravity.ts';
import { createPrng } from '../../physics/math/prng.ts';
import type { Arm, ArmCapsule, ArmJoint, ArmLink } from '../arm.ts';
import {
  cross,
  dot,
  IDENTITY,
  length,
  minus,
  moved,
  plus,
  rotated,
  scaled,
  type Transform,
  type Vector,
  ZERO,
} from './transform.ts';

const SEED = 1;

/** The numbers of an arm that its poses depend on. */
export interface PosedArm {
  readonly joints: readonly ArmJoint[];
  readonly flange_m: readonly number[];
  readonly links: readonly ArmLink[];
  readonly capsules: readonly ArmCapsule[];
  readonly payload: Pick<Arm['payload'], 'radius_m' | 'offset_beyond_flange_m'>;
}

const vectorOf = ([x = 0, y = 0, z = 0]: readonly number[]): Vector => [x, y, z];

function axisOf({ axis }: ArmJoint): Vector {
  const sense = axis.startsWith('-') ? -1 : 1;
  return axis.endsWith('z') ? [0, 0, sense] : [0, sense, 0];
}

/** The rotation of a frame that is turned about its z or y. */
function turnedAbout(r: readonly number[], isAboutZ: boolean, angle_rad: number): number[] {
  const [sine, cosine] = [Math.sin(angle_rad), Math.cos(angle_rad)];
  const out = [...r];
  for (let row = 0; row < 9; row += 3) {
    const [x, y, z] = [r[row]!, r[row + 1]!, r[row + 2]!];
    out[row] = isAboutZ ? cosine * x + sine * y : cosine * x - sine * z;
    if (isAboutZ) out[row + 1] = cosine * y - sine * x;
    else out[row + 2] = cosine * z + sine * x;
  }
  return out;
}

/** The frames of base, links 1 to 6 and flange at joint angles (rad). */
export function framesAt(
  { joints, flange_m }: Pick<PosedArm, 'joints' | 'flange_m'>,
  q: readonly number[],
): Transform[] {
  const frames: Transform[] = [IDENTITY];
  joints.forEach(({ axis, offset_m, zero_rad = 0 }, j) => {
    const before = frames[j]!;
    const angle = axis.startsWith('-') ? -q[j]! - zero_rad : q[j]! + zero_rad;
    frames.push({
      rotation: turnedAbout(before.rotation, axis.endsWith('z'), angle),
      shift_m: moved(before, vectorOf(offset_m)),
    });
  });
  const { rotation } = frames[6]!;
  return [...frames, { rotation, shift_m: moved(frames[6]!, vectorOf(flange_m)) }];
}

/** Random joint angles in the ranges of the joints. */
export function anglesOf(joints: readonly ArmJoint[], count: number): number[][] {
  const random = createPrng(SEED);
  return Array.from({ length: count }, () =>
    joints.map(({ software_limit_rad: [low = 0, high = 0] }) => low + (high - low) * random()),
  );
}

/** The square of the distance of two segments, by alternating projections. */
function segmentDistance(a: readonly [Vector, Vector], b: readonly [Vector, Vector]): number {
  const nearest = ([from, to]: readonly [Vector, Vector], point: Vector): Vector => {
    const along = minus(to, from);
    const long = dot(along, along);
    const share = long === 0 ? 0 : Math.min(1, Math.max(0, dot(minus(point, from), along) / long));
    return plus(from, scaled(along, share));
  };
  let on = scaled(plus(a[0], a[1]), 0.5);
  let other = nearest(b, on);
  for (let i = 0; i < 12; i++) {
    on = nearest(a, other);
    other = nearest(b, on);
  }
  return length(minus(on, other));
}

type Placed = ArmCapsule & { readonly segment: readonly [Vector, Vector] };

function placedCapsules({ capsules }: PosedArm, frames: readonly Transform[]): Placed[] {
  return capsules.map((capsule) => ({
    ...capsule,
    segment: [
      moved(frames[capsule.link]!, vectorOf(capsule.from_m)),
      moved(frames[capsule.link]!, vectorOf(capsule.to_m)),
    ],
  }));
}

function meets(a: Placed, b: Placed): boolean {
  const radii_m = a.radius_m + b.radius_m;
  const middles = scaled(minus(plus(...a.segment), plus(...b.segment)), 0.5);
  const lengths_m = length(minus(...a.segment)) + length(minus(...b.segment));
  // Far apart even if both lay along the line between their middles.
  if (length(middles) > radii_m + lengths_m / 2) return false;
  return segmentDistance(a.segment, b.segment) < radii_m;
}

const POSES_TO_MEET = 1000;
/** Pairs that meet at as many poses always do: they are neighbours in all but name. */
const ALWAYS_SHARE = 0.95;

export interface LinkPairs {
  readonly self_pairs: number[][];
  readonly tool_pairs: number[];
  /** Pairs that meet at the zero angles, or always, and are not checked. */
  readonly unchecked: number[][];
}

/** The ball of the payload, as a capsule of link 7. */
function payloadCapsule({ payload }: PosedArm): ArmCapsule {
  const centre_m = [0, 0, payload.offset_beyond_flange_m];
  return { name: 'payload', link: 7, from_m: centre_m, to_m: centre_m, radius_m: payload.radius_m };
}

/**
 * The pairs of links, not neighbours, that can meet in the ranges of the joints. As in the set-up of
 * planners, pairs that meet at the zero angles or nearly always are left out.
 */
export function linkPairs(arm: PosedArm): LinkPairs {
  const full = { ...arm, capsules: [...arm.capsules, payloadCapsule(arm)] };
  const counts = new Map<string, number>();
  const pairs: [number, number][] = [];
  for (let a = 0; a < 7; a++) for (let b = a + 2; b <= 7; b++) pairs.push([a, b]);
  const meetingAt = (q: readonly number[]) => {
    const placed = placedCapsules(full, framesAt(arm, q));
    const of = (link: number) => placed.filter((capsule) => capsule.link === link);
    return pairs.filter(([a, b]) => of(a).some((one) => of(b).some((two) => meets(one, two))));
  };
  for (const q of anglesOf(arm.joints, POSES_TO_MEET)) {
    for (const pair of meetingAt(q)) {
      counts.set(String(pair), (counts.get(String(pair)) ?? 0) + 1);
    }
  }
  const atZero = meetingAt([0, 0, 0, 0, 0, 0]).map(String);
  const isUnchecked = (pair: readonly number[]) =>
    atZero.includes(String(pair)) ||
    (counts.get(String(pair)) ?? 0) >= ALWAYS_SHARE * POSES_TO_MEET;
  const checked = pairs.filter((pair) => counts.has(String(pair)) && !isUnchecked(pair));
  return {
    self_pairs: checked.filter(([, b]) => b < 7),
    tool_pairs: pairs
      .filter((pair) => pair[1] === 7 && pair[0] < 5 && !isUnchecked(pair))
      .map(([a]) => a),
    unchecked: pairs.filter(isUnchecked),
  };
}

const POSES_TO_REACH = 6;
const REACH_SWEEPS = 3;
/** Angles that are tried of a joint: over its range, then around the best of them. */
const COARSE_ANGLES = 24;
const FINE_ANGLES = 12;

/** The farthest that a value grows over some joints: from random angles, a joint at a time. */
function mostOver(
  joints: readonly ArmJoint[],
  moving: readonly number[],
  valueAt: (q: readonly number[]) => number,
): number {
  let most = 0;
  for (const start of anglesOf(joints, POSES_TO_REACH)) {
    const q = [...start];
    let value = valueAt(q);
    const tryBetween = (j: number, [low, high]: readonly [number, number], count: number) => {
      let best = q[j]!;
      for (let i = 0; i <= count; i++) {
        q[j] = low + ((high - low) * i) / count;
        const here = valueAt(q);
        if (here > value) [value, best] = [here, q[j]!];
      }
      q[j] = best;
    };
    for (let sweep = 0; sweep < REACH_SWEEPS; sweep++) {
      for (const j of moving) {
        const [low = 0, high = 0] = joints[j]!.software_limit_rad;
        const step = (high - low) / COARSE_ANGLES;
        tryBetween(j, [low, high], COARSE_ANGLES);
        const around = [Math.max(low, q[j]! - step), Math.min(high, q[j]! + step)] as const;
        tryBetween(j, around, FINE_ANGLES);
      }
    }
    most = Math.max(most, value);
  }
  return most;
}

const MILLIMETRES = 1000;
const upToMillimetre = (value_m: number) => Math.ceil(value_m * MILLIMETRES) / MILLIMETRES;

/**
 * Largest distance of the capsule ends of links 1 to 6 and of the flange (columns) from each axis
 * (rows) over the joints between, up to the next millimetre.
 */
export function axisReach(arm: PosedArm): number[][] {
  const pointsOf = (link: number): Vector[] =>
    link === 7
      ? [ZERO]
      : arm.capsules
          .filter((capsule) => capsule.link === link)
          .flatMap(({ from_m, to_m }) => [vectorOf(from_m), vectorOf(to_m)]);
  return arm.joints.map((joint, j) =>
    [1, 2, 3, 4, 5, 6, 7].map((link) => {
      if (link <= j) return 0;
      const points = pointsOf(link);
      const between = [1, 2, 3, 4, 5].filter((k) => k > j && k < link);
      const reach = mostOver(arm.joints, between, (q) => {
        const frames = framesAt(arm, q);
        const along = rotated(frames[j + 1]!, axisOf(joint));
        const origin = frames[j + 1]!.shift_m;
        return Math.max(
          ...points.map((point) =>
            length(cross(minus(moved(frames[link]!, point), origin), along)),
          ),
        );
      });
      return upToMillimetre(reach);
    }),
  );
}

export interface JointLoads {
  /** Most torque that gravity needs at a joint, with the payload (N m). */
  readonly holding_n_m: number[];
  /** Most inertia of the arm alone about an axis, without that of the rotor (kg m²). */
  readonly inertia_kg_m2: number[];
}

const POSES_TO_HOLD = 1000;

/** Inertia of a link about an axis of direction `along` through `origin`. */
function inertiaAbout(link: ArmLink, frame: Transform, [origin, along]: readonly [Vector, Vector]) {
  const lever = cross(along, minus(moved(frame, vectorOf(link.com_m)), origin));
  const back = [0, 1, 2].map(
    (k) =>
      frame.rotation[k]! * along[0] +
      frame.rotation[3 + k]! * along[1] +
      frame.rotation[6 + k]! * along[2],
  );
  const [x = 0, y = 0, z = 0] = back;
  const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = link.inertia_kg_m2;
  const own = xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z);
  return own + link.mass_kg * dot(lever, lever);
}

/** What the joints of an arm carry at the worst of many poses. */
export function jointLoads(arm: PosedArm, payload_kg: number): JointLoads {
  const holding_n_m = new Array<number>(6).fill(0);
  const inertia_kg_m2 = new Array<number>(6).fill(0);
  for (const q of anglesOf(arm.joints, POSES_TO_HOLD)) {
    const frames = framesAt(arm, q);
    arm.joints.forEach((joint, j) => {
      const origin = frames[j + 1]!.shift_m;
      const along = rotated(frames[j + 1]!, axisOf(joint));
      const torqueOf = (mass_kg: number, centre: Vector) =>
        dot(along, cross(minus(centre, origin), [0, 0, -mass_kg * GRAVITY_M_S2]));
      let torque = torqueOf(payload_kg, frames[7]!.shift_m);
      let inertia = 0;
      arm.links.slice(j + 1).forEach((link, i) => {
        const frame = frames[j + 1 + i]!;
        torque += torqueOf(link.mass_kg, moved(frame, vectorOf(link.com_m)));
        inertia += inertiaAbout(link, frame, [origin, along]);
      });
      holding_n_m[j] = Math.max(holding_n_m[j]!, Math.abs(torque));
      inertia_kg_m2[j] = Math.max(inertia_kg_m2[j]!, inertia);
    });
  }
  return { holding_n_m, inertia_kg_m2 };
}

/**
 * Lays the arrangement of the twin over a chain: a frame on each joint, all of them parallel in the
 * upright arm, and the zero angles between. What does not fit is said by joint, axis and amount.
 */
import type { ArmJoint, JointAxis } from '../arm.ts';
import { ARRANGEMENT, AXES, LEAST_OFFSET_M } from '../arrangement.ts';
import { type Chain, type ChainJoint, calledJoint } from './chain.ts';
import {
  across,
  columnOf,
  compose,
  dot,
  frameOf,
  inverse,
  length,
  minus,
  moved,
  normalised,
  plus,
  rotated,
  scaled,
  type Transform,
  type Vector,
} from './transform.ts';
import { UrdfError } from './urdf-error.ts';

/** By how much an axis may deviate: descriptions round a quarter turn to 1.57 (rad). */
const MOST_TURNED_RAD = 1e-3;
/** By how much an axis may lie beside its place (m). */
const MOST_ASIDE_M = LEAST_OFFSET_M;
/** Turns below this are rounding of the computation (rad). */
const ROUNDING = 1e-12;

export interface FittedChain {
  /** Without limits, which have their own rules. */
  readonly joints: readonly Pick<ArmJoint, 'offset_m' | 'axis' | 'zero_rad'>[];
  readonly flange_m: Vector;
  /** The frames of the twin (robot, joints) in those of the file (base, joints). */
  readonly frames: readonly Transform[];
  /** The frame of the tip in the flange of the twin. */
  readonly tip: Transform;
}

const degrees = (angle_rad: number) => `${((180 * angle_rad) / Math.PI).toFixed(2)}°`;
const clean = (value: number) => (Math.abs(value) < ROUNDING ? 0 : value);

/** What the axis of each joint must be to that of the joint before. */
const RELATIONS = [
  'parallel to z of the base',
  'at a right angle to axis 1',
  'parallel to axis 2',
  'at a right angle to axis 3',
  'at a right angle to axis 4',
  'at a right angle to axis 5',
] as const;

const unitAxis = (joint: ChainJoint): Vector => normalised(joint.axis);

/** The axis of a joint in the frame of the joint before. */
const axisBefore = (joint: ChainJoint): Vector => rotated(joint.before, unitAxis(joint));

function axisProblems(joints: readonly ChainJoint[]): string[] {
  const problems = joints.flatMap((joint, j) => {
    const before: Vector = j === 0 ? [0, 0, 1] : unitAxis(joints[j - 1]!);
    const along = Math.min(1, Math.abs(dot(axisBefore(joint), before)));
    const isParallel = RELATIONS[j]!.startsWith('parallel');
    const off = isParallel ? Math.acos(along) : Math.asin(along);
    if (off <= MOST_TURNED_RAD) return [];
    return [`${calledJoint(j, joint)} must turn ${RELATIONS[j]}; it is ${degrees(off)} off.`];
  });
  return problems.length === 0 ? [] : [...problems, ARRANGEMENT];
}

/** A right-handed frame from its z and a direction that becomes its y, or from its y and its z. */
function frameFrom(letter: 'y' | 'z', own: Vector, other: Vector): number[] {
  const next = normalised(across(other, own));
  const [y, z] = letter === 'y' ? [own, next] : [next, own];
  const x: Vector = [
    y[1] * z[2] - y[2] * z[1],
    y[2] * z[0] - y[0] * z[2],
    y[0] * z[1] - y[1] * z[0],
  ];
  return frameOf(x, y, z);
}

/** Angle about z, or y, of a frame that is turned about it alone. */
function angleAbout(letter: 'y' | 'z', { rotation: r }: Transform): number {
  return letter === 'z' ? Math.atan2(r[3]!, r[0]!) : Math.atan2(r[2]!, r[0]!);
}

/** Where the axis of a joint, a line in the frame before, has the twin's origin of that joint. */
function originOn(letter: 'y' | 'z', at: Vector): Vector {
  return letter === 'z' ? at : [at[0], 0, at[2]];
}

/** The directions, in the frame of joint `j`, that its frame of the twin may have beside its axis. */
function asideOf({ joints, tip_place }: Chain, j: number, own: Vector): Vector[] {
  const next = joints[j + 1];
  const either = (direction: Vector) => [direction, scaled(direction, -1)];
  if (!next) {
    if (dot(columnOf(tip_place, 2), own) > Math.SQRT1_2) return [columnOf(tip_place, 1)];
    // The tip points elsewhere than the flange: its axes at a right angle are as good.
    return [0, 1, 2]
      .map((axis) => columnOf(tip_place, axis))
      .filter((direction) => length(across(direction, own)) > Math.SQRT1_2)
      .flatMap(either);
  }
  if (j === 1) return [across(next.before.shift_m, own)];
  return either(axisBefore(next));
}

/** How far the wrist, or the tip, lies ahead along a direction; null where it does not matter. */
function aheadOf({ joints, tip_place }: Chain, j: number, direction: Vector): number | null {
  const [next, wrist] = [joints[j + 1], joints[j + 2]];
  if (j === 2) {
    return dot(plus(next!.before.shift_m, rotated(next!.before, wrist!.before.shift_m)), direction);
  }
  if (j === 4) {
    // The z of a tip along axis 6 is that of the flange; of another one, its place says which end.
    const along = dot(columnOf(tip_place, 2), unitAxis(next!));
    if (Math.abs(along) > Math.SQRT1_2) return along * dot(axisBefore(next!), direction);
    const tip = plus(next!.before.shift_m, rotated(next!.before, tip_place.shift_m));
    return dot(tip, direction);
  }
  return null;
}

interface Choice {
  readonly frame: Transform;
  readonly zero_rad: number;
}

/** The frame of joint `j` of the twin in that of the file; `before` is that of the joint before. */
function chooseFrame(chain: Chain, j: number, before: Transform, sense: 1 | -1): Choice {
  const joint = chain.joints[j]!;
  const letter = AXES[j]!;
  const own = scaled(unitAxis(joint), sense);
  const back = compose(inverse(before), joint.before);
  const choices = asideOf(chain, j, own).map((aside): Choice & { readonly ahead: number } => {
    const frame = { rotation: frameFrom(letter, own, aside), shift_m: [0, 0, 0] as const };
    const zero_rad = sense * angleAbout(letter, compose(back, frame));
    return { frame, zero_rad, ahead: aheadOf(chain, j, aside) ?? 0 };
  });
  const isBetter = (one: (typeof choices)[number], best: (typeof choices)[number]) => {
    if (Math.abs(one.ahead - best.ahead) > MOST_ASIDE_M) return one.ahead > best.ahead;
    return Math.abs(one.zero_rad) < Math.abs(best.zero_rad) - ROUNDING;
  };
  return choices.reduce((best, one) => (isBetter(one, best) ? one : best));
}

/** Distances that the arrangement has not: joint (6 is the tip), axis, and what it lies beside. */
const ZERO_DISTANCES = [
  [3, 1, 'beside the plane of the arm'],
  [4, 0, 'beside axis 4'],
  [5, 1, 'beside the plane of the arm'],
  [6, 0, 'beside axis 6'],
  [6, 1, 'beside axis 6'],
] as const;

/** Why the origins of the joints do not lie as the arrangement has them. */
function asideProblems(chain: Chain, origins: readonly Vector[]): string[] {
  const called = (j: number) =>
    j < chain.joints.length ? calledJoint(j, chain.joints[j]!) : `The tip (${chain.tip})`;
  const [upper, forearm] = [origins[2]!, plus(origins[3]!, origins[4]!)];
  // Without an upper arm nothing beyond it has a place.
  if (!(upper[2] >= LEAST_OFFSET_M)) {
    return [`${called(2)} has the axis of J2: no upper arm.`, ARRANGEMENT];
  }
  const problems = ZERO_DISTANCES.flatMap(([j, axis, where]) => {
    const aside_m = origins[j]![axis];
    if (Math.abs(aside_m) <= MOST_ASIDE_M) return [];
    const along = `along ${'xyz'[axis]} of the upright arm`;
    return [`${called(j)} lies ${where} by ${(1000 * aside_m).toFixed(3)} mm ${along}.`];
  });
  if (Math.hypot(forearm[0], forearm[2]) < LEAST_OFFSET_M) {
    problems.push(`${called(4)} meets axis 3: there is no forearm.`);
  }
  return problems.length === 0 ? [] : [...problems, ARRANGEMENT];
}

/** Offsets with what is rounding of a description left out. */
function snapped(j: number, [x, , z]: Vector): Vector {
  const hasAside = j === 1 || j === 3 || j === 5;
  const aside = hasAside && Math.abs(x) >= (j === 3 ? ROUNDING : LEAST_OFFSET_M) ? x : 0;
  return [aside, 0, clean(z)];
}

/** Lays the arrangement over a chain. Throws a `UrdfError` where it does not fit. */
export function fitArrangement(chain: Chain): FittedChain {
  const problems = axisProblems(chain.joints);
  if (problems.length > 0) throw new UrdfError(...problems);
  const first = chain.joints[0]!.before.shift_m;
  const frames: Transform[] = [
    { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], shift_m: [first[0], first[1], 0] },
  ];
  const joints: { offset_m: Vector; axis: JointAxis; zero_rad: number }[] = [];
  const origins: Vector[] = [];
  chain.joints.forEach((joint, j) => {
    const letter = AXES[j]!;
    const before = frames[j]!;
    const inBefore = compose(inverse(before), joint.before);
    const along = rotated(inBefore, unitAxis(joint));
    const sense = along['xyz'.indexOf(letter)]! > 0 ? 1 : -1;
    const { frame, zero_rad } = chooseFrame(chain, j, before, sense);
    const origin = originOn(letter, inBefore.shift_m);
    origins.push(origin);
    joints.push({
      offset_m: snapped(j, origin),
      axis: `${sense > 0 ? '+' : '-'}${letter}`,
      zero_rad: clean(zero_rad),
    });
    // The origin may slide along the axis: the frame of the file is elsewhere on it.
    const shift_m = moved(inverse(inBefore), origin);
    const slid = scaled(unitAxis(joint), dot(shift_m, unitAxis(joint)));
    frames.push({ ...frame, shift_m: slid });
  });
  const tip = compose(inverse(frames[6]!), chain.tip_place);
  origins.push(tip.shift_m);
  const aside = asideProblems(chain, origins);
  if (aside.length > 0) throw new UrdfError(...aside);
  const flange_m: Vector = [0, 0, clean(tip.shift_m[2])];
  return {
    joints,
    flange_m,
    frames,
    tip: { rotation: tip.rotation, shift_m: minus(tip.shift_m, flange_m) },
  };
}

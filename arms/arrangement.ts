/**
 * What stays bound to six joints and to their arrangement: the one place where it is said. The
 * closed forms of the kinematics presume it; every other number of an arm is data.
 */
import type { ArmJoint } from './arm.ts';

/** The sentence for people. */
export const ARRANGEMENT =
  'An arm has six turning joints: yaw, pitch, pitch, roll, pitch, roll. Axes 2 and 3 are parallel ' +
  'and cross axis 1 at a right angle, axes 4 and 5 meet, axis 6 is parallel to axis 4 in the zero ' +
  'pose of the chain, and all axes of yaw and roll lie in one plane there.';

/** The letter of each joint's axis. */
export const AXES = ['z', 'y', 'y', 'z', 'y', 'z'] as const;

/** Components of each joint's offset that are zero by the arrangement, and of the flange's. */
const ZERO_OFFSETS = ['xy', 'y', 'xy', 'y', 'xy', 'y', 'xy'] as const;

/** Distances of axes are zero or at least this (m): between, the closed forms lose accuracy. */
export const LEAST_OFFSET_M = 1e-4;

/** Where each joint is called as on the page, the flange by its name. */
const nameOf = (joint: number): string => (joint < 6 ? `J${joint + 1}` : 'The flange');

/** Why offsets do not fit the arrangement: those of six joints, and of the flange. */
function offsetProblems(offsets_m: readonly (readonly number[])[]): string[] {
  return offsets_m.flatMap((offset_m, joint) =>
    [...ZERO_OFFSETS[joint]!].flatMap((letter) => {
      const aside_mm = 1000 * offset_m['xyz'.indexOf(letter)]!;
      if (aside_mm === 0) return [];
      const reason =
        letter === 'y' ? 'lies beside the plane of the arm' : 'lies beside the axis before it';
      return [`${nameOf(joint)} ${reason} by ${aside_mm.toFixed(3)} mm along ${letter}`];
    }),
  );
}

/** Distances of axes that are too small to be told from zero. */
function smallOffsetProblems(offsets_m: readonly (readonly number[])[]): string[] {
  return [1, 5].flatMap((joint) => {
    const aside_m = Math.abs(offsets_m[joint]![0]!);
    if (aside_m === 0 || aside_m >= LEAST_OFFSET_M) return [];
    const least = `${1000 * LEAST_OFFSET_M} mm`;
    const aside = `${(1000 * aside_m).toPrecision(2)} mm`;
    return [
      `${nameOf(joint)} lies ${aside} beside the axis before it; make it 0 or at least ${least}`,
    ];
  });
}

/** Why a chain does not have the arrangement, in sentences that name the joint; empty if it has. */
export function arrangementProblems(
  joints: readonly Pick<ArmJoint, 'axis' | 'offset_m'>[],
  flange_m: readonly number[],
): string[] {
  if (joints.length !== AXES.length) return [`It has ${joints.length} joints. ${ARRANGEMENT}`];
  const turned = joints.flatMap(({ axis }, joint) =>
    axis.endsWith(AXES[joint]!)
      ? []
      : [`${nameOf(joint)} turns about ${axis.slice(1)}, not about ${AXES[joint]}`],
  );
  const offsets_m = [...joints.map((joint) => joint.offset_m), flange_m];
  const upper_m = offsets_m[2]![2]!;
  const forearm_m = Math.hypot(offsets_m[3]![0]!, offsets_m[3]![2]! + offsets_m[4]![2]!);
  const lengths = [
    ...(upper_m >= LEAST_OFFSET_M
      ? []
      : ['J3 does not lie above J2: its offset along z is too small']),
    ...(forearm_m >= LEAST_OFFSET_M ? [] : ['J5 meets axis 3: there is no forearm']),
  ];
  const found = [
    ...turned,
    ...offsetProblems(offsets_m),
    ...smallOffsetProblems(offsets_m),
    ...lengths,
  ];
  return found.length === 0 ? [] : [...found, ARRANGEMENT];
}

/** The ranges of the joints of a description, as the twin can have them. */
import { FARTHEST_RAD, FASTEST_RAD_S } from '../arm-problems.ts';
import { type ChainJoint, calledJoint } from './chain.ts';

const TURN = 2 * Math.PI;
/** End stops lie this far beyond what programs may use (rad). */
export const STOP_BEYOND_RAD = 0.01;

export interface JointRange {
  /** Null where the description has none that can be used. */
  readonly range_rad: readonly [number, number] | null;
  /** What is wrong with it, or what was changed. */
  readonly problem?: string;
  readonly remark?: string;
}

const degrees = (angle_rad: number) => `${((360 * angle_rad) / TURN).toFixed(1)}°`;

/** A turn of a wider range: about 0 where both ends allow it. */
function narrowed(low: number, high: number): readonly [number, number] {
  if (low <= -TURN / 2 && high >= TURN / 2) return [-TURN / 2, TURN / 2];
  return -low < high ? [low, low + TURN] : [high - TURN, high];
}

/** Why the speed of joint `j` is none; null where it can be one. */
export function speedProblem(joint: ChainJoint, j: number): string | null {
  const { velocity } = joint;
  if (velocity <= FASTEST_RAD_S) return null;
  return `${calledJoint(j, joint)} has a velocity of ${velocity}, in radians a second; is it in degrees?`;
}

/** The range of joint `j`. */
export function jointRange(joint: ChainJoint, j: number): JointRange {
  const name = calledJoint(j, joint);
  const refused = (problem: string) => ({ range_rad: null, problem: `${name} ${problem}` });
  if (joint.type === 'continuous') {
    return {
      range_rad: [-TURN / 2, TURN / 2],
      remark: `${name} is continuous; its range is a turn, -180.0° to 180.0°.`,
    };
  }
  if (joint.range_rad === null)
    return refused('has no <limit> with lower and upper; add its range.');
  const [low, high] = joint.range_rad;
  if (Math.max(Math.abs(low), Math.abs(high)) > FARTHEST_RAD) {
    return refused(`has the limits ${low} and ${high}, in radians; are they degrees?`);
  }
  if (!(low < high)) {
    return refused(
      `has reversed limits: ${degrees(low)} to ${degrees(high)}; lower must be lower.`,
    );
  }
  if (low > 0 || high < 0) {
    return refused(
      `does not reach its angle 0, at which the arm starts: ${degrees(low)} to ${degrees(high)}; ` +
        'turn the <origin> of the joint by an angle within, and take it off both limits.',
    );
  }
  if (high - low <= TURN) return { range_rad: [low, high] };
  const range_rad = narrowed(low, high);
  const [from, to] = range_rad.map(degrees);
  return {
    range_rad,
    remark: `${name} turns by ${degrees(high - low)}; its range is a turn, ${from} to ${to}.`,
  };
}

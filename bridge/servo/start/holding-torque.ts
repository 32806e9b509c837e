/**
 * The torque that the settings of the servos leave a joint, against the load of a pose: an arm
 * whose servos answer and have torque may still fall by a limit that is too low.
 */

import { jointName } from '../../../physics/arm/arm-model.ts';
import { InverseDynamics } from '../../../physics/dynamics/inverse-dynamics.ts';
import type { Calibration } from '../calibration/calibration.ts';
import type { ServoSlot } from '../calibration/servo-slot.ts';

/** What a setting leaves a servo of its stall torque: the share, and the name of the setting. */
export interface ServoStrength {
  readonly share: number;
  readonly by: string;
}

/** What a joint can hold, and what it has to hold in a pose. */
export interface JointHold {
  readonly joint: number;
  /** Share of the stall torque, and the setting that leaves no more. */
  readonly share: number;
  readonly by: string;
  /** Torque that its servos have together (N m); null without a model of its drive. */
  readonly available_n_m: number | null;
  /** Its load in the pose without payload (N m); null without a model of all drives. */
  readonly load_n_m: number | null;
}

/** A joint has to have this multiple of its load, for what accelerates it and for a warm motor. */
const MARGIN = 1.25;
/** Less than this share holds no arm in any other pose. */
export const SHARE_MIN = 0.25;

/** The smallest of what the settings of a servo leave it. */
export function weakest(settings: readonly ServoStrength[]): ServoStrength {
  return settings.reduce((least, one) => (one.share < least.share ? one : least), {
    share: 1,
    by: 'its motor',
  });
}

/** What each joint can hold and has to hold at `position_rad`, by the strength of its servos. */
export function jointHolds(
  calibration: Calibration,
  position_rad: readonly number[],
  servos: readonly { readonly slot: ServoSlot; readonly strength: ServoStrength }[],
): readonly JointHold[] {
  const { joints } = calibration;
  const gravity_n_m = new Float64Array(6);
  new InverseDynamics().gravity(Float64Array.from(position_rad), gravity_n_m);
  const knows = joints.every(({ drive }) => drive !== undefined);
  return joints.map(({ drive, limits }, joint) => {
    const percent = limits?.pwm_percent ?? 100;
    const calibrated = { share: percent / 100, by: `the calibration (pwm_percent ${percent})` };
    const own = servos
      .filter(({ slot }) => slot.joint === joint)
      .map(({ strength }) => weakest([strength, calibrated]));
    const share = own.reduce((sum, one) => sum + one.share, 0) / own.length;
    return {
      joint,
      share,
      by: weakest(own).by,
      available_n_m: drive ? share * drive.stall_torque_n_m : null,
      load_n_m: knows ? Math.abs(gravity_n_m[joint]!) : null,
    };
  });
}

/** Why a joint would not hold where it stands, as the rest of a sentence about it; or null. */
export function holdProblem({ by, available_n_m, load_n_m }: JointHold): string | null {
  if (available_n_m === null || load_n_m === null) return null;
  if (available_n_m >= MARGIN * load_n_m) return null;
  const can = `can hold ${available_n_m.toFixed(1)} N m by ${by}`;
  return `${can}, and its load here is ${load_n_m.toFixed(1)} N m: raise that setting`;
}

/** What a start says of the torque of the joints, in one sentence. */
export function holdsText(holds: readonly JointHold[]): string {
  const each = holds.map(({ joint, share, by, available_n_m, load_n_m }) => {
    const name = jointName(joint);
    if (available_n_m === null) return `${name} ${Math.round(100 * share)} % of its torque (${by})`;
    const load = load_n_m === null ? '' : `, its load here is ${load_n_m.toFixed(1)}`;
    return `${name} ${available_n_m.toFixed(1)} N m (${by})${load}`;
  });
  return `The settings of the servos let the joints hold: ${each.join('; ')}`;
}

/** The motor configuration of Interbotix arms. */

import { VELOCITY_STEP_RAD_S } from '../joint-units.ts';
import {
  entryOf,
  type Fields,
  type ForeignJoint,
  type ImportOptions,
  isRecord,
  selected,
  whole,
} from './foreign-joint.ts';

/** Position at which Interbotix arms are at zero (steps). */
const INTERBOTIX_ZERO = 2048;

/** Interbotix: position 2048 is zero; drive modes and second servos are set in the servos. */
export function fromInterbotix(file: Fields, { joints }: ImportOptions) {
  const motors = entryOf(file, 'motors');
  const groups = isRecord(file['groups']) ? file['groups'] : {};
  const arm = groups['arm'];
  const listed = Array.isArray(arm) ? arm.map(String) : Object.keys(motors);
  const shadows = isRecord(file['shadows']) ? file['shadows'] : {};
  return selected(listed, joints).map((name): ForeignJoint => {
    const motor = entryOf(motors, name);
    const shadow = shadows[name];
    const list = isRecord(shadow) ? shadow['shadow_list'] : [];
    const followers = (Array.isArray(list) ? list : []).map((one) =>
      whole(entryOf(motors, String(one)), 'ID', String(one)),
    );
    const low = whole(motor, 'Min_Position_Limit', name);
    const high = whole(motor, 'Max_Position_Limit', name);
    return {
      name,
      id: whole(motor, 'ID', name),
      followers,
      direction: 1,
      zero_ticks: INTERBOTIX_ZERO,
      range_ticks: [low, high],
      velocity_max_rad_s: whole(motor, 'Velocity_Limit', name) * VELOCITY_STEP_RAD_S,
    };
  });
}

/** Remarks on drive modes, which must be in the servos already. */
export function driveModes(file: Fields): string[] {
  const motors = isRecord(file['motors']) ? file['motors'] : {};
  const reversed = Object.entries(motors).filter(
    ([, motor]) => isRecord(motor) && motor['Drive_Mode'] === 1,
  );
  if (reversed.length === 0) return [];
  const ids = reversed.map(([, motor]) => (motor as Fields)['ID']).join(', ');
  return [`servos ${ids} must have drive mode 1 (reverse), as the file says: it is not written`];
}

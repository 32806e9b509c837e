/** The motor configuration of Interbotix arms, in YAML. */

import type { ForeignFormat } from '../servo/calibration/import/foreign-format.ts';
import {
  entryOf,
  type ForeignJoint,
  JOINTS,
  selected,
  whole,
} from '../servo/calibration/import/foreign-joint.ts';
import { parseMaps } from '../servo/calibration/import/yaml-maps.ts';
import { type Fields, isRecord } from '../servo/calibration/record.ts';
import { REVERSE_BIT } from './drive-mode.ts';
import { VELOCITY_STEP_RAD_S } from './registers.ts';

/** Position at which Interbotix arms are at zero (steps). */
const INTERBOTIX_ZERO = 2048;

function jointsOf(file: Fields, joints: readonly string[] | undefined): readonly ForeignJoint[] {
  const motors = entryOf(file, 'motors');
  const groups = isRecord(file['groups']) ? file['groups'] : {};
  const arm = groups['arm'];
  const named = Array.isArray(arm) ? arm.map(String) : Object.keys(motors);
  const shadows = isRecord(file['shadows']) ? file['shadows'] : {};
  return selected(named, joints).map((name): ForeignJoint => {
    const motor = entryOf(motors, name);
    const shadow = shadows[name];
    const listed = isRecord(shadow) ? shadow['shadow_list'] : [];
    const list = Array.isArray(listed) ? listed : [];
    const followers = list.map((one) => whole(entryOf(motors, String(one)), 'ID', String(one)));
    const reverse = [name, ...list.map(String)].map((one) => isReversed(entryOf(motors, one)));
    // A start sets the homing offset of the first servo to 0; a second one keeps its own.
    const offset = motor['Homing_Offset'] === undefined ? 0 : whole(motor, 'Homing_Offset', name);
    const low = whole(motor, 'Min_Position_Limit', name);
    const high = whole(motor, 'Max_Position_Limit', name);
    return {
      name,
      id: whole(motor, 'ID', name),
      followers,
      reverse,
      direction: 1,
      zero_ticks: INTERBOTIX_ZERO - offset,
      range_ticks: [low - offset, high - offset],
      velocity_max_rad_s: whole(motor, 'Velocity_Limit', name) * VELOCITY_STEP_RAD_S,
    };
  });
}

/** Whether a motor counts in reverse: a bit of its drive mode, which may have others. */
function isReversed(motor: Fields): boolean {
  return (Number(motor['Drive_Mode'] ?? 0) & REVERSE_BIT) !== 0;
}

/** Remarks on drive modes, which must be in the servos already. */
function driveModes(file: Fields): string[] {
  const motors = isRecord(file['motors']) ? file['motors'] : {};
  const reversed = Object.entries(motors).filter(
    ([, motor]) => isRecord(motor) && isReversed(motor),
  );
  if (reversed.length === 0) return [];
  const ids = reversed.map(([, motor]) => (motor as Fields)['ID']).join(', ');
  return [`servos ${ids} must have drive mode 1 (reverse), as the file says: it is not written`];
}

function parkOf(file: Fields): { readonly park_rad?: readonly number[] } {
  const park = file['sleep_positions'];
  if (!Array.isArray(park) || park.length < JOINTS) return {};
  const park_rad = park.slice(0, JOINTS);
  return park_rad.every(Number.isFinite) ? { park_rad } : {};
}

/** Interbotix: position 2048 is zero; drive modes and second servos are set in the servos. */
export const INTERBOTIX: ForeignFormat = {
  program: 'Interbotix',
  read(text, { joints }) {
    if (text.trimStart().startsWith('{')) return null;
    const file = parseMaps(text);
    return {
      joints: jointsOf(file, joints),
      ...parkOf(file),
      remarks: [
        'zero is position 2048: correct zero_ticks for the upright arm',
        ...driveModes(file),
      ],
    };
  },
};

/** The calibrations of LeRobot, in JSON. */

import { intoOneTurn } from '../joint-units.ts';
import { type Fields, isRecord } from '../record.ts';
import type { ForeignFormat, ForeignOptions } from './foreign-format.ts';
import { entryOf, type ForeignJoint, SHADOW, selected, whole } from './foreign-joint.ts';

/**
 * Where LeRobot applies the drive mode of a file: `servo`, it is the register of the servo, whose
 * positions have the sign already; `program`, any value but 0 turns the joint round in LeRobot
 * itself, and the servo knows nothing of it.
 */
type DriveMode = 'servo' | 'program';

/** Bit of the drive mode register that makes a servo count in reverse. */
const REVERSE_BIT = 1;

function jointOf(
  file: Fields,
  name: string,
  { keeps_correction, drive_mode }: ForeignOptions & { readonly drive_mode: DriveMode },
): ForeignJoint {
  const entry = entryOf(file, name);
  const [low, high] = [whole(entry, 'range_min', name), whole(entry, 'range_max', name)];
  if (low >= high) throw new Error(`${name}: range_min must be lower than range_max`);
  const offset = whole(entry, 'homing_offset', name);
  // A start sets a correction to 0 that the servos do not keep.
  const shift = keeps_correction ? 0 : offset;
  const shadow = file[`${name}${SHADOW}`];
  const servos: (readonly [string, Fields])[] = [[name, entry]];
  if (isRecord(shadow)) servos.push([`${name}${SHADOW}`, shadow]);
  const modes = servos.map(([of, fields]) => whole(fields, 'drive_mode', of));
  const isTurned = drive_mode === 'program' && modes[0] !== 0;
  const zero = intoOneTurn(Math.round((low + high) / 2) - shift);
  const half = (high - low) / 2;
  return {
    name,
    id: whole(entry, 'id', name),
    followers: servos.slice(1).map(([of, fields]) => whole(fields, 'id', of)),
    ...(drive_mode === 'servo' && { reverse: modes.map((mode) => (mode & REVERSE_BIT) !== 0) }),
    direction: isTurned ? -1 : 1,
    zero_ticks: zero,
    ...(keeps_correction && { homing_ticks: offset }),
    range_ticks: [zero - half, zero + half],
  };
}

/** LeRobot: positions are corrected by the servo, and the middle of the range is zero. */
export function lerobotFormat(drive_mode: DriveMode): ForeignFormat {
  return {
    program: 'LeRobot',
    read(text, options) {
      if (!text.trimStart().startsWith('{')) return null;
      const file = JSON.parse(text) as Fields;
      const names = selected(Object.keys(file), options.joints);
      return {
        joints: names.map((name) => jointOf(file, name, { ...options, drive_mode })),
        remarks: ['zero is the middle of each range: correct zero_ticks for the upright arm'],
      };
    },
  };
}

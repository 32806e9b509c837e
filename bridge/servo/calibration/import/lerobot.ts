/** The calibrations of LeRobot, in JSON. */

import { intoOneTurn } from '../joint-units.ts';
import { type Fields, isRecord } from '../record.ts';
import type { ForeignFormat, ForeignOptions } from './foreign-format.ts';
import { entryOf, type ForeignJoint, SHADOW, selected, whole } from './foreign-joint.ts';

function jointOf(file: Fields, name: string, { keeps_correction }: ForeignOptions): ForeignJoint {
  const entry = entryOf(file, name);
  const [low, high] = [whole(entry, 'range_min', name), whole(entry, 'range_max', name)];
  if (low >= high) throw new Error(`${name}: range_min must be lower than range_max`);
  const offset = whole(entry, 'homing_offset', name);
  // A start sets a correction to 0 that the servos do not keep.
  const shift = keeps_correction ? 0 : offset;
  const shadow = file[`${name}${SHADOW}`];
  const zero = intoOneTurn(Math.round((low + high) / 2) - shift);
  const half = (high - low) / 2;
  return {
    name,
    id: whole(entry, 'id', name),
    followers: isRecord(shadow) ? [whole(shadow, 'id', `${name}${SHADOW}`)] : [],
    direction: entry['drive_mode'] === 1 ? -1 : 1,
    zero_ticks: zero,
    ...(keeps_correction && { homing_ticks: offset }),
    range_ticks: [Math.max(0, zero - half), Math.min(4095, zero + half)],
  };
}

/** LeRobot: positions are corrected by the servo, and the middle of the range is zero. */
export const LEROBOT: ForeignFormat = {
  program: 'LeRobot',
  read(text, options) {
    if (!text.trimStart().startsWith('{')) return null;
    const file = JSON.parse(text) as Fields;
    const names = selected(Object.keys(file), options.joints);
    return {
      joints: names.map((name) => jointOf(file, name, options)),
      remarks: ['zero is the middle of each range: correct zero_ticks for the upright arm'],
    };
  },
};

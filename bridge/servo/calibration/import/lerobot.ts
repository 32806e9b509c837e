import { intoOneTurn } from '../joint-units.ts';
import {
  entryOf,
  type Fields,
  type ForeignJoint,
  type ImportOptions,
  isRecord,
  SHADOW,
  selected,
  whole,
} from './foreign-joint.ts';

/** LeRobot: positions are corrected by the servo, and the middle of the range is zero. */
export function fromLerobot(file: Fields, { family, joints }: ImportOptions) {
  const names = selected(Object.keys(file), joints);
  return names.map((name): ForeignJoint => {
    const entry = entryOf(file, name);
    const [low, high] = [whole(entry, 'range_min', name), whole(entry, 'range_max', name)];
    if (low >= high) throw new Error(`${name}: range_min must be lower than range_max`);
    const offset = whole(entry, 'homing_offset', name);
    // Feetech servos keep the correction; a start of DYNAMIXEL servos sets theirs to 0.
    const shift = family === 'feetech' ? 0 : offset;
    const shadow = file[`${name}${SHADOW}`];
    const zero = intoOneTurn(Math.round((low + high) / 2) - shift);
    const half = (high - low) / 2;
    return {
      name,
      id: whole(entry, 'id', name),
      followers: isRecord(shadow) ? [whole(shadow, 'id', `${name}${SHADOW}`)] : [],
      direction: entry['drive_mode'] === 1 ? -1 : 1,
      zero_ticks: zero,
      ...(family === 'feetech' && { homing_ticks: offset }),
      range_ticks: [Math.max(0, zero - half), Math.min(4095, zero + half)],
    };
  });
}

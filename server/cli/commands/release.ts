/**
 * `armtwin release --bus NAME [--calibration FILE] --arm-is-supported`: takes the torque off servos
 * that hold an arm, from the last joint to the base, once the operator says that it is supported.
 * Exits with 0 when none has torque (any more), 1 when one may have, 2 on invalid flags or without
 * the operator's word: then it lists the servos that hold, and changes nothing.
 */

import type { Bus } from '../../../bridge/servo/bus/bus.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import type { Calibration } from '../../../bridge/servo/calibration/calibration.ts';
import { readCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { servoSlots } from '../../../bridge/servo/calibration/servo-slot.ts';
import {
  type ReleasedServo,
  releaseServos,
  servosWithTorque,
} from '../../../bridge/servo/release-servos.ts';
import type { ServoFamily } from '../../../bridge/servo/servo-family.ts';
import { FAMILIES, familyHint, familyOf } from '../../../bridge/servo-families.ts';
import { parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import type { CommandOutput } from '../command-output.ts';

const SAYS: Readonly<Record<ReleasedServo['outcome'], string>> = {
  released: 'has let go',
  'was limp': 'had no torque',
  'holds on': 'keeps its torque: cut its supply',
  silent: 'does not answer, and may hold on: cut its supply',
};

/** Ids from the last joint to the base, as a calibration has them, or as they answer. */
async function idsOf(
  family: ServoFamily,
  bus: Bus,
  calibration: Calibration | null,
): Promise<readonly number[]> {
  if (calibration) {
    const ids = servoSlots(calibration).map(({ id }) => id);
    return [...(calibration.gripper ? [calibration.gripper.id] : []), ...ids.toReversed()];
  }
  return [...(await family.scan(bus))].sort((a, b) => b - a);
}

async function releaseOn(
  bus: Bus,
  who: { readonly family: ServoFamily; readonly calibration: Calibration | null },
  { isSupported, out, err }: CommandOutput & { readonly isSupported: boolean },
): Promise<number> {
  const { family, calibration } = who;
  const ids = await idsOf(family, bus, calibration);
  if (ids.length === 0) {
    const hint = `check supply, cable, baud and adapter, and the family: ${familyHint(family)}`;
    err.write(`No servo answers on ${bus.name}: ${hint}\n`);
    return 1;
  }
  if (!isSupported) {
    const torque = await servosWithTorque(family, bus, ids);
    const holding = ids.filter((id) => torque.get(id) === true);
    const silent = ids.filter((id) => torque.get(id) === null);
    if (holding.length === 0 && silent.length === 0) {
      out.write('No servo has torque: there is nothing to release\n');
      return 0;
    }
    const which = [
      ...(holding.length > 0 ? [`Servos ${holding.join(', ')} hold`] : []),
      ...(silent.length > 0 ? [`No answer of servo ${silent.join(', ')}, which may hold`] : []),
    ];
    const falls = 'an arm without torque falls: support it, then add --arm-is-supported';
    err.write(`${which.join('; ')}; ${falls}\n`);
    return 2;
  }
  const rows = await releaseServos(family, bus, ids);
  for (const { id, outcome } of rows) out.write(`Servo ${id} ${SAYS[outcome]}\n`);
  const isLimp = ({ outcome }: ReleasedServo) => outcome === 'released' || outcome === 'was limp';
  return rows.every(isLimp) ? 0 : 1;
}

/** Runs the command; returns the exit code. */
export async function runRelease(
  flags: Readonly<Record<string, unknown>>,
  { out, err }: CommandOutput,
): Promise<number> {
  const address = parseBusAddress(String(flags['bus']));
  if (!address.ok) {
    err.write(`${address.error}\n`);
    return 2;
  }
  const file = flags['calibration'];
  const read = typeof file === 'string' ? readCalibration(file, FAMILIES) : null;
  if (read && !read.ok) {
    err.write(`${read.error}\n`);
    return 2;
  }
  const calibration = read?.value ?? null;
  const family = familyOf(calibration?.family ?? (flags['servoFamily'] as string | undefined));
  const bus = createBus(family, address.value, systemBusClock);
  await bus.open();
  try {
    const isSupported = flags['armIsSupported'] === true;
    return await releaseOn(bus, { family, calibration }, { isSupported, out, err });
  } finally {
    await bus.close();
  }
}

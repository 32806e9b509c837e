/** Takes the torque off servos that hold an arm which is supported. */

import type { Bus } from './bus/bus.ts';
import type { ServoFamily } from './servo-family.ts';

/** What became of a servo: `silent` ones do not answer, and may hold on. */
export interface ReleasedServo {
  readonly id: number;
  readonly outcome: 'released' | 'was limp' | 'holds on' | 'silent';
}

/** Ids of those servos that have torque; null: it does not answer. */
export async function servosWithTorque(
  family: ServoFamily,
  bus: Bus,
  ids: readonly number[],
): Promise<ReadonlyMap<number, boolean | null>> {
  const servos = family.settings(bus);
  const holds = new Map<number, boolean | null>();
  for (const id of ids) {
    const torque = await servos.read(id, 'torque');
    holds.set(id, torque === null ? null : torque === 1);
  }
  return holds;
}

/** Releases servos one after the other, in this order, and reads back that each has let go. */
export async function releaseServos(
  family: ServoFamily,
  bus: Bus,
  ids: readonly number[],
): Promise<readonly ReleasedServo[]> {
  const servos = family.settings(bus);
  const rows: ReleasedServo[] = [];
  for (const id of ids) {
    const before = await servos.read(id, 'torque');
    if (before === 1) await servos.write(id, { name: 'torque', value: 0 });
    const after = before === 1 ? await servos.read(id, 'torque') : before;
    const done = before === 1 ? 'released' : 'was limp';
    rows.push({ id, outcome: after === null ? 'silent' : after === 0 ? done : 'holds on' });
  }
  return rows;
}

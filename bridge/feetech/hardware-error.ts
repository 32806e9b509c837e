/** The status register of an STS servo: what its bits say. */
import type { ArmFaultKind } from '../arm-driver.ts';

const ERRORS: readonly [number, ArmFaultKind, string][] = [
  [0x04, 'overheated', 'it is too hot'],
  [0x20, 'overload', 'it is overloaded'],
  [0x02, 'encoder', 'its encoder has failed'],
  [0x08, 'overload', 'its current is too high'],
  [0x01, 'voltage', 'its supply voltage is out of range'],
];
/** The error that stays until the torque is switched on again. */
export const OVERLOAD_BIT = 0x20;

/** The status register as a fault; the first of the table counts. */
export function stsError(bits: number) {
  const named = ERRORS.filter(([bit]) => (bits & bit) !== 0);
  const text = named.map(([, , one]) => one).join(', ') || `error ${bits}`;
  return { kind: named[0]?.[1] ?? ('overload' as const), text };
}

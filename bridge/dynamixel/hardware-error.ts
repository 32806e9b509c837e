/** The hardware error register of a DYNAMIXEL servo: what its bits say. */
import type { ArmFaultKind } from '../arm-driver.ts';

const HARDWARE_ERRORS: readonly [number, ArmFaultKind, string][] = [
  [0x04, 'overheated', 'it is too hot'],
  [0x20, 'overload', 'it is overloaded'],
  [0x08, 'encoder', 'its encoder has failed'],
  [0x01, 'voltage', 'its supply voltage is out of range'],
  [0x10, 'voltage', 'it had an electrical shock or too little power'],
];

/** The hardware error register as text. */
export function hardwareErrorText(bits: number): string {
  const named = HARDWARE_ERRORS.filter(([bit]) => (bits & bit) !== 0).map(([, , text]) => text);
  return named.length > 0 ? named.join(', ') : `hardware error ${bits}`;
}

/** The hardware error register as a fault; the first of the table counts. */
export function hardwareError(bits: number) {
  const kind = HARDWARE_ERRORS.find(([bit]) => (bits & bit) !== 0)?.[1] ?? ('overload' as const);
  return { kind, text: hardwareErrorText(bits) };
}

/**
 * Properties of the supported servo models, from the maker's manual: names, current units, firmware
 * versions.
 */
import type { ArmFaultKind } from '../arm-driver.ts';

/** Drive mode bit of a servo that counts the other way. */
export const REVERSE_BIT = 1;

/** What is wrong with the direction of a servo, against the one that was calibrated; or null. */
export function reverseProblem(
  { reverse }: { readonly reverse?: boolean },
  drive_mode: number,
): string | null {
  const found = (drive_mode & REVERSE_BIT) !== 0;
  if (reverse === undefined || reverse === found) return null;
  const [has, had] = found
    ? ['counts in reverse', 'did not']
    : ['does not count in reverse', 'did'];
  const bit = `set bit 0 of its drive mode (register 10) to ${reverse ? 1 : 0} with torque off`;
  return `${has} and ${had} when it was calibrated: ${bit}, or calibrate again`;
}

/** Limits that a model leaves the factory with. */
export interface ServoLimits {
  readonly temperature_c: number;
  /** Lowest and highest supply (0.1 V). */
  readonly voltage: readonly [number, number];
  /** Faults that switch torque off (bits of the shutdown register). */
  readonly shutdown: number;
}
/** Full scale of the PWM registers: the whole supply voltage. */
export const PWM_SCALE = 885;

const XM_LIMITS: ServoLimits = { temperature_c: 80, voltage: [95, 160], shutdown: 0x34 };
const XL330_LIMITS: ServoLimits = { temperature_c: 70, voltage: [35, 70], shutdown: 0x35 };

/** By model number; models whose table is not known here have none. */
export const FACTORY_LIMITS: Readonly<Record<number, ServoLimits>> = {
  1020: XM_LIMITS,
  1030: XM_LIMITS,
  1120: XM_LIMITS,
  1130: XM_LIMITS,
  1190: XL330_LIMITS,
  1200: XL330_LIMITS,
};

export interface ServoModel {
  readonly name: string;
  /**
   * Unit of the current registers (A); null without a current sensor (the register shows a load).
   */
  readonly current_step_a: number | null;
  /** First firmware with fast reads; null: none has them. */
  readonly fast_read_from: number | null;
  /** True when it has external port pins. */
  readonly ports?: true;
}

/** Unit of the current registers of most models (A). */
const STEP_A = 0.00269;
/** Of the 24 V models of the 430 size. */
const V430_STEP_A = 0.00134;
const X330_STEP_A = 0.001;

function servo430(name: string, current_step_a = STEP_A): ServoModel {
  return { name, current_step_a, fast_read_from: 45 };
}

/** With external ports, except for the waterproof XW models. */
function servo540(name: string): ServoModel {
  return { ...servo430(name), ports: true };
}

function servo330(name: string): ServoModel {
  return { name, current_step_a: X330_STEP_A, fast_read_from: 46 };
}

function servoWithoutCurrentSensor(name: string, fast_read_from: number | null = 45): ServoModel {
  return { name, current_step_a: null, fast_read_from };
}

/**
 * By model number: all models of the X series in the manufacturer's SDK (control_table, 31 models),
 * whose registers up to 146 have the same addresses. The two axes of a 2XL430 or 2XC430 have an id
 * each and count as two servos.
 */
export const SERVO_MODELS: Readonly<Record<number, ServoModel>> = {
  1000: servo430('XH430-W350'),
  1001: servo430('XD430-T350'),
  1010: servo430('XH430-W210'),
  1011: servo430('XD430-T210'),
  1020: servo430('XM430-W350'),
  1030: servo430('XM430-W210'),
  1040: servo430('XH430-V350', V430_STEP_A),
  1050: servo430('XH430-V210', V430_STEP_A),
  1060: servoWithoutCurrentSensor('XL430-W250'),
  1070: servoWithoutCurrentSensor('XC430-W150'),
  1080: servoWithoutCurrentSensor('XC430-W240'),
  1090: servoWithoutCurrentSensor('2XL430-W250', null),
  1100: servo540('XH540-W270'),
  1101: servo540('XD540-T270'),
  1110: servo540('XH540-W150'),
  1111: servo540('XD540-T150'),
  1120: servo540('XM540-W270'),
  1130: servo540('XM540-W150'),
  1140: servo540('XH540-V270'),
  1150: servo540('XH540-V150'),
  1160: servoWithoutCurrentSensor('2XC430-W250', null),
  1170: servo430('XW540-T260'),
  1180: servo430('XW540-T140'),
  1190: servo330('XL330-M077'),
  1200: servo330('XL330-M288'),
  1210: servo330('XC330-T181'),
  1220: servo330('XC330-T288'),
  1230: servo330('XC330-M181'),
  1240: servo330('XC330-M288'),
  1270: servo430('XW430-T333'),
  1310: servo430('XW540-H260'),
};

/** First firmware with a watchdog; without one a servo keeps moving when the driver dies. */
export const WATCHDOG_FROM = 38;

/** Baud rates by their code in the servo. */
export const BAUD_CODES: readonly number[] = [
  9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000,
];

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

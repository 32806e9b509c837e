/**
 * Properties of the supported servo models, from the maker's manual: names, current units, firmware
 * versions.
 */

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

const XM_STEP_A = 0.00269;
const XL_STEP_A = 0.001;

function xmServo(name: string): ServoModel {
  return { name, current_step_a: XM_STEP_A, fast_read_from: 45 };
}

function xlServo(name: string): ServoModel {
  return { name, current_step_a: XL_STEP_A, fast_read_from: 46 };
}

function servoWithoutCurrentSensor(name: string): ServoModel {
  return { name, current_step_a: null, fast_read_from: 45 };
}

/** By model number. */
export const SERVO_MODELS: Readonly<Record<number, ServoModel>> = {
  1020: xmServo('XM430-W350'),
  1030: xmServo('XM430-W210'),
  1060: servoWithoutCurrentSensor('XL430-W250'),
  1070: servoWithoutCurrentSensor('XC430-W150'),
  1080: servoWithoutCurrentSensor('XC430-W240'),
  1100: xmServo('XH540-W270'),
  1120: { ...xmServo('XM540-W270'), ports: true },
  1130: { ...xmServo('XM540-W150'), ports: true },
  1170: xmServo('XW540-T260'),
  1190: xlServo('XL330-M077'),
  1200: xlServo('XL330-M288'),
  1210: xlServo('XC330-T181'),
  1220: xlServo('XC330-T288'),
  1230: xlServo('XC330-M181'),
  1240: xlServo('XC330-M288'),
};

/** First firmware with a watchdog; without one a servo keeps moving when the driver dies. */
export const WATCHDOG_FROM = 38;

/** Baud rates by their code in the servo. */
export const BAUD_CODES: readonly number[] = [
  9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000,
];

const HARDWARE_ERRORS: readonly [number, string][] = [
  [0x01, 'its supply voltage is out of range'],
  [0x04, 'it is too hot'],
  [0x08, 'its encoder has failed'],
  [0x10, 'it had an electrical shock or too little power'],
  [0x20, 'it is overloaded'],
];

/** The hardware error register as text. */
export function hardwareErrorText(bits: number): string {
  const named = HARDWARE_ERRORS.filter(([bit]) => (bits & bit) !== 0).map(([, text]) => text);
  return named.length > 0 ? named.join(', ') : `hardware error ${bits}`;
}

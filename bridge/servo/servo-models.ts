/** What the driver must know of each kind of servo (maker's manual): names, currents, firmware. */

export interface ServoModel {
  readonly name: string;
  /** One step of the current registers (A); null: no current sensor, the register shows a load. */
  readonly current_step_a: number | null;
  /** First firmware that answers together with others; null: none does. */
  readonly joined_from: number | null;
  /** It has pins for signals of the arm's builder. */
  readonly ports?: true;
}

const XM_STEP_A = 0.00269;
const XL_STEP_A = 0.001;

function strong(name: string): ServoModel {
  return { name, current_step_a: XM_STEP_A, joined_from: 45 };
}

function small(name: string): ServoModel {
  return { name, current_step_a: XL_STEP_A, joined_from: 46 };
}

function plain(name: string): ServoModel {
  return { name, current_step_a: null, joined_from: 45 };
}

/** By model number. */
export const SERVO_MODELS: Readonly<Record<number, ServoModel>> = {
  1020: strong('XM430-W350'),
  1030: strong('XM430-W210'),
  1060: plain('XL430-W250'),
  1070: plain('XC430-W150'),
  1080: plain('XC430-W240'),
  1100: strong('XH540-W270'),
  1120: { ...strong('XM540-W270'), ports: true },
  1130: { ...strong('XM540-W150'), ports: true },
  1170: strong('XW540-T260'),
  1190: small('XL330-M077'),
  1200: small('XL330-M288'),
  1210: small('XC330-T181'),
  1220: small('XC330-T288'),
  1230: small('XC330-M181'),
  1240: small('XC330-M288'),
};

/** First firmware with a watchdog: without one a servo goes on when the driver dies. */
export const WATCHDOG_FROM = 38;

/** Speeds of the line by their code in the servo. */
export const BAUD_CODES: readonly number[] = [
  9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000,
];

const HARDWARE_ERRORS: readonly [number, string][] = [
  [0x01, 'its supply voltage is out of range'],
  [0x04, 'it is too hot'],
  [0x08, 'its encoder has failed'],
  [0x10, 'its electronics had a shock or too little power'],
  [0x20, 'it is overloaded'],
];

/** The hardware error register in words. */
export function hardwareErrorText(bits: number): string {
  const named = HARDWARE_ERRORS.filter(([bit]) => (bits & bit) !== 0).map(([, text]) => text);
  return named.length > 0 ? named.join(', ') : `hardware error ${bits}`;
}

/**
 * The supported models of DYNAMIXEL servos, from the maker's manual: names, current units,
 * firmware versions.
 */

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

/** What the models of DYNAMIXEL servos leave the factory with, from the maker's manual. */

/** Limits that a model leaves the factory with. */
export interface ServoLimits {
  readonly temperature_c: number;
  /** Lowest and highest supply (0.1 V). */
  readonly voltage: readonly [number, number];
  /** Faults that switch torque off (bits of the shutdown register). */
  readonly shutdown: number;
}

/** Shutdown by heat, electrical shock and overload, which all models have. */
export const SHUTDOWN_ALWAYS = 0x34;

function limits(
  temperature_c: number,
  voltage: readonly [number, number],
  shutdown = SHUTDOWN_ALWAYS,
): ServoLimits {
  return { temperature_c, voltage, shutdown };
}

/** The 12 V models with a current sensor, and the 24 V ones. */
const V12 = limits(80, [95, 160]);
const V24 = limits(80, [110, 300]);
const XC430 = limits(80, [60, 160]);
const XL430 = limits(72, [60, 140]);
/** Of the 330 size the XL also shuts down for its supply. */
const XL330 = limits(70, [35, 70], 0x35);
const XC330_M = limits(70, [35, 70]);
const XC330_T = limits(70, [55, 140]);

/** By model number, of all models; the XD share the tables of the XH. */
export const FACTORY_LIMITS: Readonly<Record<number, ServoLimits>> = {
  1000: V12,
  1001: V12,
  1010: V12,
  1011: V12,
  1020: V12,
  1030: V12,
  1040: V24,
  1050: V24,
  1060: XL430,
  1070: XC430,
  1080: XC430,
  1090: XL430,
  1100: V12,
  1101: V12,
  1110: V12,
  1111: V12,
  1120: V12,
  1130: V12,
  1140: V24,
  1150: V24,
  1160: XC430,
  1170: V12,
  1180: V12,
  1190: XL330,
  1200: XL330,
  1210: XC330_T,
  1220: XC330_T,
  1230: XC330_M,
  1240: XC330_M,
  1270: V12,
  1310: V24,
};

/** Limits that a model leaves the factory with. */
export interface ServoLimits {
  readonly temperature_c: number;
  /** Lowest and highest supply (0.1 V). */
  readonly voltage: readonly [number, number];
  /** Faults that switch torque off (bits of the shutdown register). */
  readonly shutdown: number;
}

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

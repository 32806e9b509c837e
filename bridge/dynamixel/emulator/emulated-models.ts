/** The models that are emulated, from the maker's tables. */

export type ModelName = 'XM430-W350' | 'XM540-W270' | 'XL430-W250' | 'XL330-M288';

/** The motor of a model at its nominal supply, from the maker's tables. */
export interface MotorTraits {
  /** Current at stall (units of the current registers). */
  readonly stall_current: number;
  /** Speed without load (rad/s). */
  readonly no_load_rad_s: number;
}

export interface ModelTraits extends MotorTraits {
  readonly number: number;
  /** Newest firmware without fast reads. */
  readonly firmware_without_fast: number;
  readonly temperature_c: number;
  readonly voltage: readonly [number, number];
  readonly current: number;
  readonly velocity: number;
  readonly shutdown: number;
  readonly position_p: number;
  readonly baud_max: number;
  /** Nominal supply voltage (0.1 V). */
  readonly supply: number;
  /** External port pins. */
  readonly ports: boolean;
  /** Indirect addresses: two blocks of pointers, each with a block of data. */
  readonly indirect: readonly IndirectBlock[];
}

/** Pointers of two bytes each, and the bytes that read and write where they point. */
export interface IndirectBlock {
  readonly pointers: number;
  readonly data: number;
  readonly count: number;
}

const INDIRECT_XM: readonly IndirectBlock[] = [
  { pointers: 168, data: 224, count: 28 },
  { pointers: 578, data: 634, count: 28 },
];
const INDIRECT_X330: readonly IndirectBlock[] = [{ pointers: 168, data: 208, count: 20 }];

export const MODELS: Readonly<Record<ModelName, ModelTraits>> = {
  'XM430-W350': {
    number: 1020,
    firmware_without_fast: 44,
    temperature_c: 80,
    voltage: [95, 160],
    current: 1193,
    velocity: 350,
    shutdown: 52,
    position_p: 800,
    baud_max: 7,
    supply: 120,
    // 2.3 A and 46 turns a minute at 12 V.
    stall_current: 855,
    no_load_rad_s: 4.817,
    ports: false,
    indirect: INDIRECT_XM,
  },
  'XM540-W270': {
    number: 1120,
    firmware_without_fast: 44,
    temperature_c: 80,
    voltage: [95, 160],
    current: 2047,
    velocity: 128,
    shutdown: 52,
    position_p: 800,
    baud_max: 7,
    supply: 120,
    // 4.4 A and 30 turns a minute at 12 V.
    stall_current: 1636,
    no_load_rad_s: Math.PI,
    ports: true,
    indirect: INDIRECT_XM,
  },
  // Without a current sensor: its register shows the load, in 0.1 % of that at stall.
  'XL430-W250': {
    number: 1060,
    firmware_without_fast: 44,
    temperature_c: 72,
    voltage: [60, 140],
    current: 1000,
    velocity: 265,
    shutdown: 52,
    position_p: 800,
    baud_max: 7,
    supply: 120,
    // 61 turns a minute at 12 V.
    stall_current: 1000,
    no_load_rad_s: 6.388,
    ports: false,
    indirect: INDIRECT_XM,
  },
  'XL330-M288': {
    number: 1200,
    firmware_without_fast: 45,
    temperature_c: 70,
    voltage: [35, 70],
    current: 1750,
    velocity: 445,
    shutdown: 53,
    position_p: 400,
    baud_max: 6,
    supply: 50,
    // 1.47 A and 103 turns a minute at 5 V.
    stall_current: 1470,
    no_load_rad_s: 10.786,
    ports: false,
    indirect: INDIRECT_X330,
  },
};

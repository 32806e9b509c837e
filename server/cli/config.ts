/** The configuration of a twin, from flags, environment and `createTwin` options. */

import { BOUND_ARM } from '../../arms/bound-arm.ts';
import { FAMILY_NAMES, type FamilyName } from '../../bridge/servo-families.ts';
import type { ArmProfile, Cell, SeedBody } from '../../contract/types.generated.ts';
import type { Realism } from '../../physics/arm/arm-model.ts';
import type { Pace } from '../clock/clock.ts';
import type { DialectSetting } from '../service/http/dialect.ts';
import type { LogLevel } from '../service/logging/log.ts';

/** The drivers of simulated arms: there is a world around them, and time passes at any pace. */
export const SIMULATED_DRIVERS = ['rapier', 'fast'] as const;
/** The drivers of real arms, which run in real time. */
const REAL_DRIVERS = ['servo', 'mirrored', 'external'] as const;

export type SimulatedDriver = (typeof SIMULATED_DRIVERS)[number];
export type DriverName = SimulatedDriver | (typeof REAL_DRIVERS)[number];

/** Whether a driver simulates its arm; also for the name of a driver in a file. */
export function isSimulated(driver: string): driver is SimulatedDriver {
  return SIMULATED_DRIVERS.some((name) => name === driver);
}

/** Where the service listens, and who may reach it. */
interface NetworkOptions {
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 for a free one. */
  readonly port: number;
  /** Origins of pages elsewhere that may call the service; `*` for any. */
  readonly allowedOrigins: readonly string[];
  /** Host names that are answered besides addresses and private names; `*` for any. */
  readonly allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-For names the client. */
  readonly trustedProxies: readonly string[];
  /** Whether the arm is advertised on the local network. */
  readonly discover: boolean;
  /** Port of the live connection for Foxglove; null: none. */
  readonly foxglove: number | null;
  /** Base URL of an arm to proxy instead of running a twin; null: none. */
  readonly upstream: string | null;
}

/** The first admin. */
interface AdminOptions {
  /** API token of the first admin; null: generated. */
  readonly token: string | null;
  /** E-mail of the first admin; null: a default one. */
  readonly admin_email: string | null;
  /** Password of the first admin; null: generated if it is shown, else there is none. */
  readonly admin_password: string | null;
  /** Whether generated credentials are shown: to hash a password takes as long as the rest. */
  readonly showsCredentials: boolean;
}

/** The joints behind the robot. */
interface ArmOptions {
  /** Name of the arm of this process; no other can be asked for. */
  readonly arm: string;
  /** What moves: a simulated arm with or without a physics engine, servos, both, or a program. */
  readonly driver: DriverName;
  /** Imperfections of a simulated arm (docs/not-simulated.md). */
  readonly realism: Realism;
  /** What `armtwin fit` found of the arm that the simulated one stands for; null: nothing. */
  readonly profile: ArmProfile | null;
  /** Seed of the sensor noise. */
  readonly noise_seed: number;
}

/** The servos of the drivers servo and mirrored. */
interface ServoOptions {
  /** Servo bus: memory, tcp://host:port, serial:path[@baud]. */
  readonly bus: string;
  /** Calibration file of the servos; null: the emulator's calibration. */
  readonly calibration: string | null;
  /** Family of the servos; null: that of the calibration. */
  readonly servoFamily: FamilyName | null;
  /** True: the operator says that the arm of servos is supported (docs/hardware.md). */
  readonly armIsSupported: boolean;
  /** Cycles of the servo bus a second. */
  readonly busRate_hz: 125 | 250;
}

/** What the twin starts with, keeps and records. */
interface StateOptions {
  /** Folder of the data, or `:memory:`. */
  readonly data: string;
  /** Initial state; null: factory state. */
  readonly seed: SeedBody | null;
  /** The cell around the arm; null: the seed's, or none. */
  readonly cell: Cell | null;
  /** File that the whole session is recorded to; null for none. */
  readonly record: string | null;
  /** Name of the robot; null: a generated one. */
  readonly name: string | null;
}

/** How the service answers. */
interface ServiceOptions {
  /** How replies look: as documented, as arms in the field answer, or by the client (D1). */
  readonly dialect: DialectSetting;
  /** Time zone of the robot's schedule, as `Europe/Zurich`. */
  readonly timezone: string;
  /** Least level of the log. */
  readonly logLevel: LogLevel;
  /** Whether the simulation control API (/sim/v1) is enabled. */
  readonly sim: boolean;
  /** Retry profile of webhook deliveries; `off` sends none. */
  readonly webhooks: 'ci' | 'standard' | 'off';
  /** Whether webhooks may target loopback and private addresses. */
  readonly privateHooks: boolean;
  /** Whether plans are made on the thread of the control loop: for commands without callers. */
  readonly plansInline: boolean;
}

/** All options, by group. */
export interface Config
  extends NetworkOptions,
    AdminOptions,
    ArmOptions,
    ServoOptions,
    StateOptions,
    ServiceOptions {
  /** How twin time passes. */
  readonly pace: Pace;
}

/** The values of options that have a fixed list. */
export const CHOICES = {
  driver: [...SIMULATED_DRIVERS, ...REAL_DRIVERS],
  dialect: ['auto', 'documented', 'fielded'],
  webhooks: ['ci', 'standard', 'off'],
  realism: ['ideal', 'typical', 'worn'],
  servoFamily: FAMILY_NAMES,
  logLevel: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
} as const satisfies { [Name in keyof Config]?: readonly Config[Name][] };

/** Defaults of `armtwin serve` (D41). */
export const SERVE_DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8080,
  arm: BOUND_ARM.name,
  data: ':memory:',
  driver: 'rapier',
  bus: 'memory',
  calibration: null,
  servoFamily: null,
  armIsSupported: false,
  busRate_hz: 125,
  pace: { kind: 'scaled', factor: 1 },
  dialect: 'auto',
  timezone: 'UTC',
  name: null,
  token: null,
  admin_email: null,
  admin_password: null,
  showsCredentials: true,
  allowedOrigins: [],
  allowedHosts: [],
  trustedProxies: [],
  logLevel: 'info',
  seed: null,
  cell: null,
  record: null,
  foxglove: null,
  discover: false,
  sim: true,
  noise_seed: 1,
  realism: 'ideal',
  profile: null,
  webhooks: 'ci',
  privateHooks: true,
  plansInline: false,
  upstream: null,
};

/** Defaults of `createTwin()` (D41). */
export const TWIN_DEFAULTS: Config = {
  ...SERVE_DEFAULTS,
  port: 0,
  driver: 'fast',
  showsCredentials: false,
  pace: { kind: 'stepped' },
  logLevel: 'silent',
};

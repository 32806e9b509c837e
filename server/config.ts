/** The settings of a twin, frozen: what flags, environment and `createTwin` options end up as. */

import type { SeedBody } from '../contract/types.ts';
import type { Pace } from './clock/clock.ts';
import type { DialectSetting } from './http/dialect.ts';
import type { LogLevel } from './metrics/log.ts';

export type DriverName = 'rapier' | 'fast' | 'servo' | 'mirrored';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Folder, or `:memory:`. */
  readonly data: string;
  readonly driver: DriverName;
  /** Servo bus of the drivers servo and mirrored: memory, tcp://host:port, serial:path[@baud]. */
  readonly bus: string;
  /** File that says how the servos are mounted; null: as the emulator's. */
  readonly calibration: string | null;
  readonly pace: Pace;
  readonly dialect: DialectSetting;
  readonly timezone: string;
  readonly name: string | null;
  readonly token: string | null;
  readonly admin_email: string | null;
  readonly admin_password: string | null;
  readonly allowedOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** How the twin shall stand when it has come up; null: as out of the box. */
  readonly seed: SeedBody | null;
  /** File into which everything is recorded; null for none. */
  readonly record: string | null;
  /** Whether the local network is told that an arm is here. */
  readonly discover: boolean;
  /** Whether the hand on the twin (/sim/v1) is there. */
  readonly sim: boolean;
  /** Seed of the twin's noise. */
  readonly noise_seed: number;
  /** How patient deliveries to hooks are; `off` sends none. */
  readonly webhooks: 'ci' | 'standard' | 'off';
  /** Address of an arm whose API is passed through in place of a twin of one's own; null: none. */
  readonly upstream: string | null;
  /** Whether hooks may be on loopback and private addresses. */
  readonly privateHooks: boolean;
}

/** What `armtwin serve` does without flags (decision D41). */
export const SERVE_DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8080,
  data: ':memory:',
  driver: 'rapier',
  bus: 'memory',
  calibration: null,
  pace: { kind: 'scaled', factor: 1 },
  dialect: 'auto',
  timezone: 'UTC',
  name: null,
  token: null,
  admin_email: null,
  admin_password: null,
  allowedOrigins: [],
  logLevel: 'info',
  seed: null,
  record: null,
  discover: false,
  sim: true,
  noise_seed: 1,
  webhooks: 'ci',
  privateHooks: true,
  upstream: null,
};

/** What `createTwin()` does without options (decision D41). */
export const TWIN_DEFAULTS: Config = {
  ...SERVE_DEFAULTS,
  port: 0,
  driver: 'fast',
  pace: { kind: 'stepped' },
  logLevel: 'silent',
};

/** A pace from its name: a positive number, `max` or `stepped`; null for anything else. */
export function paceOf(text: string): Pace | null {
  if (text === 'max' || text === 'stepped') return { kind: text };
  const factor = Number(text);
  return Number.isFinite(factor) && factor > 0 && factor <= 1000
    ? { kind: 'scaled', factor }
    : null;
}

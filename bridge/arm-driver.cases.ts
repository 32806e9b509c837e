/**
 * Conformance suite of the driver port. The simulated arms, the servo arm against its emulator and
 * the mirrored arm run it. A case that a driver cannot pass is skipped with a written reason.
 */
import { describe, expect, it } from 'vitest';
import {
  type ArmDriver,
  type Feedback,
  SETPOINT_SAMPLES,
  type Setpoint,
  TICK_S,
} from './arm-driver.ts';

/** Makes a driver, not yet started. */
export type CreateDriver<Driver extends ArmDriver = ArmDriver> = () => Promise<Driver> | Driver;

export interface CaseOptions {
  /** Case titles to skip, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Tolerances while tracking a moving goal and while holding a pose (rad). */
  readonly tracking_rad?: number;
  readonly holding_rad?: number;
  /** Awaited after each exchange when the joints have their own clock; lets a tick pass. */
  readonly afterTick?: (driver: ArmDriver) => Promise<void>;
}

/** Defines the cases of a suite and skips those of the options. */
export function caseRunner(options: CaseOptions) {
  return (title: string, body: () => Promise<void>): void => {
    const reason = options.skip?.[title];
    if (reason) it.skip(`${title} (${reason})`, body);
    else it(title, body);
  };
}

/** A setpoint without motion. */
export function stationarySetpoint(
  mode: 'hold' | 'backdrive',
  changes: Partial<Setpoint> = {},
): Setpoint {
  const samples = new Float64Array(6 * SETPOINT_SAMPLES);
  return { mode, samples, payload_kg: 0, detection: null, ...changes };
}

/** Exchanges `count` ticks of one setpoint. */
export function exchangeFor(driver: ArmDriver, setpoint: Setpoint, count: number): Feedback {
  let feedback = driver.exchange(setpoint, TICK_S);
  for (let i = 1; i < count; i++) feedback = driver.exchange(setpoint, TICK_S);
  return feedback;
}

/** Share (0..1) at time t of a quintic move of one second, at rest at both ends. */
function smooth(t_s: number): number {
  const u = Math.min(Math.max(t_s, 0), 1);
  return u * u * u * (10 + u * (6 * u - 15));
}

export interface DriverTestMove {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly ticks: number;
  readonly changes?: Partial<Setpoint>;
}

function goalOf({ start, end }: DriverTestMove, t_s: number, j: number): number {
  return start[j]! + (end[j]! - start[j]!) * smooth(t_s);
}

/** Writes the samples of one tick of a move into a setpoint. */
function writeSamples(move: DriverTestMove, tick: number, { samples }: Setpoint): void {
  for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
    const row = Math.floor(i / 6);
    samples[i] = goalOf(move, tick * TICK_S + (row - 1) * 0.001, i % 6);
  }
}

/** Largest distance from the goal at the end of a tick (rad). */
function lagOf(move: DriverTestMove, tick: number, { position_rad }: Feedback): number {
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    const off = Math.abs(position_rad[j]! - goalOf(move, (tick + 1) * TICK_S, j));
    worst = Math.max(worst, off);
  }
  return worst;
}

/** Plays a smooth move of one second; returns the largest tracking error (rad). */
export function playMove(driver: ArmDriver, move: DriverTestMove): number {
  const setpoint = { ...stationarySetpoint('hold', move.changes), mode: 'follow' as const };
  let worst = 0;
  for (let tick = 0; tick < move.ticks; tick++) {
    writeSamples(move, tick, setpoint);
    worst = Math.max(worst, lagOf(move, tick, driver.exchange(setpoint, TICK_S)));
  }
  return worst;
}

/** exchangeFor and playMove; with `afterTick`, joint time passes only while the caller awaits. */
export function pacedBy(afterTick?: (driver: ArmDriver) => Promise<void>) {
  if (!afterTick) {
    return {
      exchangeFor: async (driver: ArmDriver, setpoint: Setpoint, count: number) =>
        exchangeFor(driver, setpoint, count),
      playMove: async (driver: ArmDriver, move: DriverTestMove) => playMove(driver, move),
    };
  }
  const exchangePaced = async (driver: ArmDriver, setpoint: Setpoint, count: number) => {
    let feedback = driver.exchange(setpoint, TICK_S);
    for (let i = 1; i < count; i++) {
      await afterTick(driver);
      feedback = driver.exchange(setpoint, TICK_S);
    }
    await afterTick(driver);
    return feedback;
  };
  const playPaced = async (driver: ArmDriver, move: DriverTestMove) => {
    const setpoint = { ...stationarySetpoint('hold', move.changes), mode: 'follow' as const };
    let worst = 0;
    for (let tick = 0; tick < move.ticks; tick++) {
      writeSamples(move, tick, setpoint);
      const feedback = await exchangePaced(driver, setpoint, 1);
      worst = Math.max(worst, lagOf(move, tick, feedback));
    }
    return worst;
  };
  return { exchangeFor: exchangePaced, playMove: playPaced };
}

const AWAY = [0.2, -0.3, -0.25, 0.2, -0.3, 0.4];

function endOf(feedback: Feedback): number[] {
  return Array.from(feedback.position_rad, (angle, j) => angle + AWAY[j]!);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, j) => Math.abs(value - b[j]!)));
}

/** The suite of the port. `create` makes a fresh driver for each case. */
export function armDriverCases(
  name: string,
  create: CreateDriver,
  options: CaseOptions = {},
): void {
  const check = caseRunner(options);
  const tracking_rad = options.tracking_rad ?? 5e-5;
  const holding_rad = options.holding_rad ?? 1e-6;
  const { exchangeFor, playMove } = pacedBy(options.afterTick);
  const started = async (body: (driver: ArmDriver, feedback: Feedback) => void | Promise<void>) => {
    const driver = await create();
    try {
      await body(driver, await driver.start());
    } finally {
      await driver.stop();
    }
  };

  describe(`driver port of ${name}`, () => {
    check('starting never moves the arm', () =>
      started(async (driver, feedback) => {
        const before = Array.from(feedback.position_rad);
        const after = await exchangeFor(driver, stationarySetpoint('hold'), 25);
        expect(distance(before, after.position_rad)).toBeLessThanOrEqual(holding_rad);
      }),
    );

    check('feedback is six finite values of each kind with an age', () =>
      started(async (driver) => {
        const feedback = driver.exchange(stationarySetpoint('hold'), TICK_S);
        const kinds = ['position_rad', 'velocity_rad_s', 'temperature_c', 'torque_n_m'] as const;
        for (const kind of kinds) {
          expect(feedback[kind]).toHaveLength(6);
          expect(Array.from(feedback[kind]).every(Number.isFinite), kind).toBe(true);
        }
        expect(feedback.age_s).toBeGreaterThanOrEqual(0);
        expect(feedback.fault).toBeNull();
        expect(feedback.contact).toBeNull();
      }),
    );

    check('a moving goal is tracked', () =>
      started(async (driver, feedback) => {
        const start = Array.from(feedback.position_rad);
        const end = endOf(feedback);
        expect(await playMove(driver, { start, end, ticks: 255 })).toBeLessThanOrEqual(
          tracking_rad,
        );
      }),
    );

    check('hold stays where the motion ended', () =>
      started(async (driver, feedback) => {
        const start = Array.from(feedback.position_rad);
        await playMove(driver, { start, end: endOf(feedback), ticks: 255 });
        const entry = Array.from(
          (await exchangeFor(driver, stationarySetpoint('hold'), 1)).position_rad,
        );
        const later = await exchangeFor(driver, stationarySetpoint('hold'), 200);
        expect(distance(entry, later.position_rad)).toBeLessThanOrEqual(holding_rad);
      }),
    );

    check('hold in the middle of a motion brings the arm to rest', () =>
      started(async (driver, feedback) => {
        const start = Array.from(feedback.position_rad);
        await playMove(driver, { start, end: endOf(feedback), ticks: 125 });
        const braked = Array.from(
          (await exchangeFor(driver, stationarySetpoint('hold'), 100)).position_rad,
        );
        const later = await exchangeFor(driver, stationarySetpoint('hold'), 50);
        expect(distance(braked, later.position_rad)).toBeLessThanOrEqual(holding_rad);
        expect(later.fault).toBeNull();
      }),
    );

    check('an arm in backdrive mode does not sink', () =>
      started(async (driver, feedback) => {
        const start = Array.from(feedback.position_rad);
        await playMove(driver, { start, end: endOf(feedback), ticks: 255 });
        const released = Array.from(
          (await exchangeFor(driver, stationarySetpoint('backdrive'), 1)).position_rad,
        );
        const later = await exchangeFor(driver, stationarySetpoint('backdrive'), 250);
        expect(distance(released, later.position_rad)).toBeLessThanOrEqual(
          Math.max(1e-4, holding_rad),
        );
      }),
    );

    check('recovering never moves the arm and leaves no fault', () =>
      started(async (driver, feedback) => {
        const before = Array.from(feedback.position_rad);
        expect(driver.recover()).toBe(true);
        const after = await exchangeFor(driver, stationarySetpoint('hold'), 25);
        expect(distance(before, after.position_rad)).toBeLessThanOrEqual(holding_rad);
      }),
    );

    check('a setpoint far from the position is rejected with a fault', () =>
      started(async (driver, feedback) => {
        const before = Array.from(feedback.position_rad);
        const jump = { ...stationarySetpoint('hold'), mode: 'follow' as const };
        for (let i = 0; i < jump.samples.length; i++) jump.samples[i] = before[i % 6]! - 0.5;
        const after = driver.exchange(jump, TICK_S);
        expect(after.fault).toMatchObject({ kind: 'following_error', joint: 0 });
        await exchangeFor(driver, stationarySetpoint('hold'), 25);
        expect(distance(before, after.position_rad)).toBeLessThanOrEqual(holding_rad);
        expect(driver.recover()).toBe(true);
        expect(driver.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
      }),
    );

    check('a setpoint that is not a number is rejected with a fault', () =>
      started(async (driver) => {
        const broken = { ...stationarySetpoint('hold'), mode: 'follow' as const };
        broken.samples.fill(Number.NaN);
        const after = driver.exchange(broken, TICK_S);
        expect(after.fault).not.toBeNull();
        expect(Array.from(after.position_rad).every(Number.isFinite)).toBe(true);
      }),
    );

    check('an exchange after stop returns a fault, and stopping twice is safe', () =>
      started(async (driver) => {
        await driver.stop();
        await driver.stop();
        expect(driver.exchange(stationarySetpoint('hold'), TICK_S).fault).not.toBeNull();
        expect(driver.recover()).toBe(false);
      }),
    );
  });
}

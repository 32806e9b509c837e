/**
 * What an arm of servos with factory gains does when a failure meets it in a phase of a motion: the
 * table of docs/evidence/servo-failures.md, computed on emulated servos and a stepped clock, so that it is the
 * same in each run. `npm run generate servo-failures` writes it.
 */

import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type Setpoint, TICK_S } from '../arm-driver.ts';
import { type ArmFixture, FAMILIES, passTick } from './servo-arm.cases.ts';

type Family = (typeof FAMILIES)[number];

/** The arm lifts its stretched shoulder, with the other joints at rest (rad). */
const START_RAD = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];
const LIFT_RAD = -1.2;
const DURATION_S = 1.1;
/** Shares of the motion at which failures come. */
export const PHASES = { accelerating: 0.2, 'at full speed': 0.5, braking: 0.8, holding: 1.4 };
export type Phase = keyof typeof PHASES;

/** Time that is watched after the failure (s), and the speed of a joint at rest (rad/s). */
const WATCHED_S = 3;
const REST_RAD_S = 0.02;
const TICK_MS = 1000 * TICK_S;

interface Event {
  readonly begin?: (fixture: ArmFixture) => void;
  /** Time without a control loop (s); none: it goes on. */
  readonly silent_s?: number;
  /** Ends the cause, so long after it began (s). */
  readonly end?: readonly [number, (fixture: ArmFixture) => void];
}

export const EVENTS: Readonly<Record<string, Event>> = {
  'kill -9': { silent_s: WATCHED_S },
  'SIGSTOP for 1 s': { silent_s: 1 },
  'the gateway is unplugged for 0.2 s': {
    begin: ({ faults }) => Object.assign(faults, { cut: true }),
    end: [0.2, ({ faults }) => Object.assign(faults, { cut: false })],
  },
  'the gateway is unplugged for 1 s': {
    begin: ({ faults }) => Object.assign(faults, { cut: true }),
    end: [1, ({ faults }) => Object.assign(faults, { cut: false })],
  },
  'the servo of the shoulder resets': { begin: ({ emulator }) => emulator.servo(2).reboot() },
  'all lose their supply for 0.1 s': {
    begin: ({ emulator }) => supply(emulator.servos, 10),
    end: [0.1, ({ emulator }) => supply(emulator.servos, 120)],
  },
};

function supply(servos: ArmFixture['emulator']['servos'], voltage: number): void {
  for (const servo of servos) servo.setSupply(voltage);
}

/** What the arm did. */
export interface FailureRow {
  readonly family: string;
  readonly event: string;
  readonly phase: Phase;
  /** Time from the failure to rest (s); null: not within the time that is watched. */
  readonly rest_s: number | null;
  /** Largest travel of a joint after the failure (rad). */
  readonly travel_rad: number;
  /** Highest speed of a joint after the failure (rad/s). */
  readonly fastest_rad_s: number;
  /** Kind of the fault that the driver reports; null: none. */
  readonly fault: string | null;
  /** What a reset of the errors, or a new start, does: the largest motion (rad), or the refusal. */
  readonly after: number | string;
}

function setpointAt(base: readonly number[], t_s: number): Setpoint {
  const setpoint: Setpoint = { ...stationarySetpoint('hold'), mode: 'follow' };
  for (let i = 0; i < setpoint.samples.length; i++) {
    const at_s = t_s + (Math.floor(i / 6) - 1) * 0.001;
    const u = Math.min(1, Math.max(0, at_s / DURATION_S));
    const share = u * u * u * (10 + u * (6 * u - 15));
    setpoint.samples[i] = base[i % 6]! + (i % 6 === 1 ? share * LIFT_RAD : 0);
  }
  return setpoint;
}

function farthest(position_rad: ArrayLike<number>, from: ArrayLike<number>): number {
  return Math.max(...Array.from(position_rad, (angle, j) => Math.abs(angle - from[j]!)));
}

/** Resets errors, or starts a new process after a kill; the arm must not move by it. */
async function recovered(fixture: ArmFixture, { armOn }: Family, killed: boolean) {
  const { clock, bus, emulator } = fixture;
  const hold = stationarySetpoint('hold');
  emulator.catchUp();
  const before = Array.from(emulator.plant.position_rad);
  let arm = fixture.arm;
  if (killed) {
    arm = armOn(bus, clock);
    const problem = await clock.until(
      arm.start().then(
        () => null,
        (error: Error) => error.message,
      ),
    );
    if (problem) return problem;
  } else {
    let isReady = arm.recover();
    for (let i = 0; i < 8 && !isReady; i++) {
      for (let k = 0; k < 300; k++) {
        arm.exchange(hold, TICK_S);
        await passTick(fixture);
      }
      isReady = arm.recover();
    }
    if (!isReady) return arm.read().fault?.message ?? 'not ready';
  }
  for (let k = 0; k < 100; k++) {
    arm.exchange(hold, TICK_S);
    await passTick(fixture);
  }
  emulator.catchUp();
  return farthest(emulator.plant.position_rad, before);
}

/** One row: a failure of a family in a phase. */
export async function failureRow(family: Family, name: string, phase: Phase): Promise<FailureRow> {
  const event = EVENTS[name]!;
  const fixture = await family.create({ start: START_RAD, supported: true });
  const { arm, clock, emulator } = fixture;
  const { plant } = emulator;
  await clock.until(arm.start());
  for (let i = 0; i < 300; i++) {
    arm.exchange(stationarySetpoint('hold'), TICK_S);
    await passTick(fixture);
  }
  const base = Array.from(fixture.joints.measured.position_rad);
  let t_s = 0;
  const drive = () => {
    const { fault } = arm.read();
    arm.exchange(fault ? stationarySetpoint('hold') : setpointAt(base, t_s), TICK_S);
    t_s += TICK_S;
  };
  for (; t_s < PHASES[phase] * DURATION_S; ) {
    drive();
    await passTick(fixture);
  }
  emulator.catchUp();
  const at = Array.from(plant.position_rad);
  event.begin?.(fixture);
  let rest_s: number | null = 0;
  let travel_rad = 0;
  let fastest_rad_s = 0;
  for (let passed_s = 0; passed_s < WATCHED_S; passed_s += TICK_S) {
    const [end_s, end] = event.end ?? [Number.POSITIVE_INFINITY, () => {}];
    if (passed_s >= end_s && passed_s < end_s + TICK_S) end(fixture);
    if (passed_s >= (event.silent_s ?? 0)) {
      drive();
      await passTick(fixture);
    } else clock.advance(TICK_MS);
    emulator.catchUp();
    travel_rad = Math.max(travel_rad, farthest(plant.position_rad, at));
    for (const rate of plant.velocity_rad_s) {
      fastest_rad_s = Math.max(fastest_rad_s, Math.abs(rate));
    }
    const moves = plant.velocity_rad_s.some((rate) => Math.abs(rate) > REST_RAD_S);
    if (moves) rest_s = passed_s + 2 * TICK_S < WATCHED_S ? passed_s + TICK_S : null;
  }
  const killed = event.silent_s === WATCHED_S;
  const fault = killed ? null : (arm.read().fault?.kind ?? null);
  const after = await recovered(fixture, family, killed);
  return {
    family: family.family,
    event: name,
    phase,
    rest_s,
    travel_rad,
    fastest_rad_s,
    fault,
    after,
  };
}

/** All rows. */
export async function failureRows(): Promise<FailureRow[]> {
  const rows: FailureRow[] = [];
  for (const family of FAMILIES) {
    for (const name of Object.keys(EVENTS)) {
      for (const phase of Object.keys(PHASES) as Phase[]) {
        rows.push(await failureRow(family, name, phase));
      }
    }
  }
  return rows;
}

/** A row of the table as text. */
export function rowText(row: FailureRow): string {
  const { family, event, phase, rest_s, travel_rad, fastest_rad_s, fault, after } = row;
  const rest = rest_s === null ? 'moves' : `${rest_s.toFixed(2)} s`;
  const moved = typeof after === 'number' ? `${after.toFixed(3)} rad` : after;
  const [travel, speed] = [`${travel_rad.toFixed(2)} rad`, `${fastest_rad_s.toFixed(1)} rad/s`];
  const cells = [family, event, phase, rest, travel, speed, fault ?? '–', moved];
  return `| ${cells.join(' | ')} |`;
}

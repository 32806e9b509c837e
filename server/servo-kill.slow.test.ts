/**
 * The built program is killed, or stopped for a second, in each phase of a motion over emulated
 * servos with factory gains behind TCP: what the arm does then, and that neither the next start nor
 * a reset of the errors moves it. In real time; the servos are emulated in this process, which sees
 * the arm as it is. `npm run build` comes first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBus } from '../bridge/servo/bus/create-bus.ts';
import { createEmulator } from '../bridge/servo/emulator/create-emulator.ts';
import type { ServoFamily } from '../bridge/servo/servo-family.ts';
import { FAMILIES } from '../bridge/servo-families.ts';
import { systemBusClock as clock, delay } from '../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../bridge/transport/tcp-peer.ts';
import { type ArmClient, connect } from '../contract/client.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const MAIN = pathOf('../dist/server/main.js');
const TOKEN = 'token-of-the-kills';

/** The shoulder of a stretched arm leans by so much (rad), in so long (s). */
const LEAN_RAD = -0.9;
const MOTION_S = 3;
/** Shares of the way at which the signals come; the last is after the motion. */
const PHASES = { accelerating: 0.1, 'in mid-motion': 0.5, braking: 0.8, holding: 1 } as const;
type Phase = keyof typeof PHASES;
/** A joint slower than this rests, a faster one moves (rad/s). */
const REST_RAD_S = 0.02;
const MOVES_RAD_S = 0.1;
/**
 * Longest travel after a signal (rad): at 0.6 rad/s for the 0.3 s of the watchdog, and a sag; and
 * after what must not move the arm.
 */
const TRAVEL_MAX_RAD = 0.3;
const MOVED_MAX_RAD = 0.02;
const STOP_MS = 1000;
/** Longest wait for what shall happen (ms). */
const PATIENCE_MS = 20_000;
/** Attempts to bring an arm into a phase of its motion without a fault. */
const TRIES = 6;
const PRIORITY = -15;

type Emulator = ReturnType<typeof createEmulator>;
const running = new Set<ChildProcess>();
const closing: (() => Promise<void>)[] = [];

async function endAll(): Promise<void> {
  for (const child of running) child.removeAllListeners('exit').kill('SIGKILL');
  running.clear();
  for (const close of closing.splice(0)) await close();
}

/** Other work delays program and servos, which shows as faults: both get a higher priority. */
function raisePriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // Not allowed here: a busy machine then needs more attempts.
  }
}

beforeAll(() => raisePriority(process.pid));
afterEach(endAll);

/** Calibrations of the emulated servos. */
const folder = mkdtempSync(join(tmpdir(), 'armtwin-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Waits until something is true; fails with what it was. */
async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end_ms = clock.now_ms() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (clock.now_ms() > end_ms) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await delay(clock, 10);
  }
}

/** Emulated servos behind TCP that turn whether a program asks them or not. */
async function emulated(family: ServoFamily) {
  const emulator = createEmulator(family, clock);
  const served = await serveTcpPeer(emulator, 0);
  let open = true;
  const advance = () => {
    emulator.catchUp();
    if (open) clock.after(10, advance);
  };
  advance();
  closing.push(() => {
    open = false;
    return served.close();
  });
  return { emulator, bus: `tcp://127.0.0.1:${served.port}` };
}

/** Starts the built program on a bus of servos. */
function launched(family: ServoFamily, bus: string) {
  const calibration = join(folder, `${family.name}.json`);
  writeFileSync(calibration, JSON.stringify(family.emulated));
  return launchedWith(['--driver', 'servo', '--bus', bus, '--calibration', calibration]);
}

async function launchedWith(joints: readonly string[]) {
  const flags = [MAIN, '--port', '0', '--token', TOKEN, ...joints];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  if (child.pid !== undefined) raisePriority(child.pid);
  let text = '';
  const url = await new Promise<string>((done, fail) => {
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+:\d+/.exec(text);
      if (found) done(found[0]);
    });
    child.once('exit', (code) => fail(new Error(`the program ended with ${code}: ${text}`)));
  });
  return { child, arm: connect({ baseUrl: url, token: TOKEN }) };
}

async function stateOf(arm: ArmClient) {
  return (await arm.getSnapshot()).snapshot.control.state;
}

/** Brings an arm into a phase of its motion; null where this machine was too busy for that. */
async function tryPhase(family: ServoFamily, phase: Phase) {
  const { emulator, bus } = await emulated(family);
  const program = await launched(family, bus);
  const { plant } = emulator;
  const start_rad = plant.position_rad[1]!;
  const share = () => (plant.position_rad[1]! - start_rad) / LEAN_RAD;
  const faulted = async () => (await stateOf(program.arm)) === 'error';
  await program.arm.takeLock();
  const joints = [0, LEAN_RAD, 0, 0, 0, 0] as [number, number, number, number, number, number];
  const moves = program.arm.goTo({ mode: 'automatic', joints, time: MOTION_S });
  if (!(await moves.then(() => true).catch(() => false))) return null;
  if (phase === 'holding') {
    await until('the end of the motion', async () => (await stateOf(program.arm)) !== 'running');
    return (await faulted()) ? null : { emulator, bus, ...program };
  }
  const end_ms = clock.now_ms() + 1000 * (MOTION_S + 2);
  while (share() < PHASES[phase] && clock.now_ms() < end_ms) await delay(clock, 5);
  const moving = Math.abs(plant.velocity_rad_s[1]!) > MOVES_RAD_S;
  return moving ? { emulator, bus, ...program } : null;
}

/** An arm in a phase of its motion; again where a busy machine stops it with an error before. */
async function inPhase(family: ServoFamily, phase: Phase) {
  for (let i = 0; i < TRIES; i++) {
    const found = await tryPhase(family, phase);
    if (found) return found;
    await endAll();
  }
  throw new Error(`this machine is too busy: the arm is not ${phase} in ${TRIES} attempts`);
}

/** Waits for rest; returns its duration (s), the largest travel of a joint, and the pose. */
async function rests({ plant }: Emulator) {
  const from = Array.from(plant.position_rad);
  const start_ms = clock.now_ms();
  let moved_ms = start_ms;
  let travel_rad = 0;
  await until('rest', () => {
    if (plant.velocity_rad_s.some((rate) => Math.abs(rate) > REST_RAD_S)) moved_ms = clock.now_ms();
    travel_rad = Math.max(travel_rad, movedFrom(plant.position_rad, from));
    return clock.now_ms() - moved_ms > 700;
  });
  const rest_s = (moved_ms - start_ms) / 1000;
  return { rest_s, travel_rad, position_rad: Array.from(plant.position_rad) };
}

function movedFrom(position_rad: ArrayLike<number>, from: readonly number[]): number {
  return Math.max(...from.map((angle, j) => Math.abs(position_rad[j]! - angle)));
}

function report(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** Resets errors until the robot is ready; what it said instead explains a failure. */
async function resetErrors(arm: ArmClient): Promise<number> {
  const start_ms = clock.now_ms();
  let refusals = '';
  while ((await stateOf(arm)) !== 'ready') {
    if (clock.now_ms() - start_ms > PATIENCE_MS) throw new Error(`not ready:${refusals}`);
    await arm.takeLock().catch(() => undefined);
    await arm.resetErrors().catch((error: Error) => {
      if (!refusals.endsWith(error.message)) refusals += `\n${error.message}`;
    });
    await delay(clock, 150);
  }
  return (clock.now_ms() - start_ms) / 1000;
}

beforeAll(() => {
  expect(existsSync(MAIN), 'there is a built program (npm run build)').toBe(true);
});

const NAMES = Object.keys(PHASES) as Phase[];

function hasWatchdog(family: ServoFamily): boolean {
  const bus = createBus(family, { kind: 'memory' }, clock);
  return family.createJoints({ bus, clock, calibration: family.emulated }).has_watchdog;
}

describe.each(FAMILIES)('the program over $name servos', (family) => {
  it.each(NAMES)(
    'killed while %s: the arm rests and holds, and a start moves nothing',
    async (phase) => {
      const { emulator, bus, child } = await inPhase(family, phase);
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      const { rest_s, travel_rad, position_rad } = await rests(emulator);
      expect(travel_rad).toBeLessThan(TRAVEL_MAX_RAD);
      expect(emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
      const next = await launched(family, bus);
      await delay(clock, 500);
      const moved_rad = movedFrom(emulator.plant.position_rad, position_rad);
      const cells = [`${rest_s.toFixed(2)} s`, `${travel_rad.toFixed(3)} rad`];
      report([family.name, 'kill -9', phase, ...cells, '–', `${moved_rad.toFixed(3)} rad`]);
      expect(moved_rad).toBeLessThan(MOVED_MAX_RAD);
      expect(await stateOf(next.arm)).not.toBe('error');
    },
  );

  it.each(NAMES)('stopped for 1 s while %s: the motion has ended', async (phase) => {
    const { emulator, child, arm } = await inPhase(family, phase);
    const { plant } = emulator;
    const before_rad = Array.from(plant.position_rad);
    child.kill('SIGSTOP');
    await delay(clock, STOP_MS);
    const stopped_rad = Array.from(plant.position_rad);
    child.kill('SIGCONT');
    const { position_rad } = await rests(emulator);
    const travel_rad = movedFrom(position_rad, before_rad);
    const state = await stateOf(arm);
    // Servos that hold go on holding; those with a watchdog have stopped themselves.
    expect(state).toBe(phase === 'holding' && !hasWatchdog(family) ? 'ready' : 'error');
    expect(travel_rad).toBeLessThan(TRAVEL_MAX_RAD);
    expect(movedFrom(position_rad, stopped_rad), 'after SIGCONT').toBeLessThan(MOVED_MAX_RAD);
    const reset_s = await resetErrors(arm);
    await delay(clock, 500);
    const moved_rad = movedFrom(plant.position_rad, position_rad);
    const cells = [`${travel_rad.toFixed(3)} rad`, state, `${reset_s.toFixed(2)} s`];
    report([family.name, 'SIGSTOP', phase, ...cells, `${moved_rad.toFixed(3)} rad`]);
    expect(moved_rad).toBeLessThan(MOVED_MAX_RAD);
    expect(await stateOf(arm)).toBe('ready');
  });
});

describe('the program over joints of another program', () => {
  it('moves them, ends a motion after SIGSTOP, and reports that they are gone', async () => {
    const joints = spawn(process.execPath, [pathOf('../fixtures/drivers/joints.mjs')]);
    running.add(joints);
    const bus = await new Promise<string>((done) => {
      joints.stdout.on('data', (text) => done(String(text).trim()));
    });
    const { child, arm } = await launchedWith(['--driver', 'external', '--bus', bus]);
    const angleOf = async () => (await arm.getSnapshot()).snapshot['servos.telemetry.position'][1]!;
    const isIn = (state: string) => async () => (await stateOf(arm)) === state;
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [0, LEAN_RAD, 0, 0, 0, 0], time: MOTION_S });
    await until('the end of the motion', isIn('ready'));
    expect(await angleOf()).toBeCloseTo(LEAN_RAD, 4);
    await arm.goTo({ mode: 'automatic', joints: [0, 0, 0, 0, 0, 0], time: MOTION_S });
    await delay(clock, STOP_MS);
    child.kill('SIGSTOP');
    await delay(clock, STOP_MS);
    child.kill('SIGCONT');
    await until('the error', isIn('error'));
    await delay(clock, STOP_MS);
    const stopped_rad = await angleOf();
    expect(stopped_rad).toBeLessThan(-0.1);
    await resetErrors(arm);
    expect(await angleOf()).toBeCloseTo(stopped_rad, 4);
    joints.kill('SIGKILL');
    await until('the error', isIn('error'));
    await expect(arm.resetErrors()).rejects.toThrow(/was lost/);
  });
});

import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { DETECTION } from '../../physics/arm/arm-model.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { type ArmRun, CALLER, DRIVERS, type DriverName, startRun } from './arm-run.cases.ts';

const START = [-0.7, -0.9, -0.6, 0, -1.2, 0];
const END = [1.5, -0.9, -0.6, 0, -1.2, 0];
const HALF_M = 0.3;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };
const BOUND_N = DETECTION.reaction.force_bound_n;

/** Where the flange is at a share of the way (m). */
function flangeAt(share: number): readonly [number, number, number] {
  return flangeOf(START.map((angle, j) => angle + share * (END[j]! - angle)));
}

function flangeOf(joints: ArrayLike<number>): readonly [number, number, number] {
  const frames = createFrames();
  forward(joints, frames);
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  return [frames[at]!, frames[at + 1]!, frames[at + 2]!];
}

/** Puts a wall in the way that starts `nearer_m` before half of it. */
function putWall(run: ArmRun, nearer_m: number, stiffness_n_per_m: number): void {
  const [x, y, z] = flangeAt(0.5);
  const position = { x, y: y + HALF_M - nearer_m, z };
  const half = { x: HALF_M, y: HALF_M, z: HALF_M };
  run.arm.world.setObstacles([
    { name: 'wall', position, half, orientation: UPRIGHT, stiffness_n_per_m },
  ]);
}

/** Presses a wall against the arm, wherever it goes; the largest force of the time (N). */
function pressAlong(run: ArmRun, force_n: number, time_s: number): number {
  const stiffness_n_per_m = 5000;
  const half = { x: HALF_M, y: HALF_M, z: HALF_M };
  const { world } = run.arm;
  const position = { x: 0, y: 0, z: 0 };
  const putIt = () =>
    world.setObstacles([{ name: 'hand', position, half, orientation: UPRIGHT, stiffness_n_per_m }]);
  let most_n = 0;
  for (let tick = 0; tick < Math.round(time_s / TICK_S); tick++) {
    const pose = Float64Array.from(run.feedback.position_rad);
    const [x, y, z] = flangeOf(pose);
    Object.assign(position, { x, y: y + HALF_M, z });
    putIt();
    const gap_m = world.nearestTo([pose], HALF_M)?.distance_m ?? HALF_M;
    position.y -= gap_m + force_n / stiffness_n_per_m;
    putIt();
    run.step();
    most_n = Math.max(most_n, run.force_n);
  }
  return most_n;
}

/** An arm that has just run into a wall. */
async function met(
  driver: DriverName,
  options: { stiffness_n_per_m?: number; speed_m_s?: number; detects?: boolean } = {},
): Promise<ArmRun> {
  const { stiffness_n_per_m = 5000, speed_m_s = 0.5, detects = true } = options;
  const run = await startRun(driver, { start: START });
  run.apply({ kind: 'lock', caller: CALLER });
  run.apply({
    kind: 'collision_detection',
    caller: CALLER,
    enabled: detects,
    sensitivity: 'medium',
  });
  putWall(run, 0, stiffness_n_per_m);
  run.goTo(END, speed_m_s);
  run.until(() => run.state !== 'running');
  expect(run.state).toBe(detects ? 'collision' : 'error');
  return run;
}

/** Looks on for five seconds: at their end the arm is at rest and nothing presses. */
function expectAtRest(run: ArmRun, state: string): void {
  run.watch(4);
  expect(run.watch(1)).toBeLessThanOrEqual(BOUND_N);
  expect(run.isStill).toBe(true);
  expect(run.state).toBe(state);
}

function expectReadyAfter(run: ArmRun, kind: 'acknowledge_collision' | 'reset_errors'): void {
  run.apply({ kind, caller: CALLER });
  run.until(() => run.robot.memory.awaited === null);
  expectAtRest(run, 'ready');
  run.goTo(START, 0.5);
  run.until(() => run.state !== 'running');
  expect(run.state).toBe('ready');
}

it('a line that is cut while an external arm lets go leaves it at rest, in error', async () => {
  const run = await met('external', { stiffness_n_per_m: 1000 });
  run.watch(0.05);
  run.program!.cut = true;
  run.watch(4);
  expect(run.watch(1)).toBeLessThanOrEqual(BOUND_N);
  expect([run.state, run.robot.memory.error]).toEqual([
    'error',
    expect.stringMatching(/does not answer/),
  ]);
  run.program!.cut = false;
  // The first reset starts the joints again.
  run.command({ kind: 'reset_errors', caller: CALLER });
  run.watch(0.1);
  expect(run.isStill).toBe(true);
  expectReadyAfter(run, 'reset_errors');
  await run.arm.stop();
});

describe.each(DRIVERS)(
  'after a contact on %s',
  (driver) => {
    it('a hand that holds on for 3 s is given way to', async () => {
      const run = await met(driver);
      run.watch(0.5);
      run.arm.world.push([0, 30, 0]);
      run.watch(3);
      run.arm.world.push([0, 0, 0]);
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });

    it('what still presses 5 s after the acknowledgement is a new collision', async () => {
      const run = await met(driver);
      run.watch(2);
      run.apply({ kind: 'acknowledge_collision', caller: CALLER });
      run.arm.world.push([0, 0, 11]);
      run.until(() => run.robot.memory.awaited === null);
      expect(run.state).toBe('ready');
      const acknowledged = run.tick;
      run.until(() => run.state !== 'ready');
      expect([run.state, Math.round((run.tick - acknowledged) * 0.004)]).toEqual(['collision', 5]);
      run.arm.world.push([0, 0, 0]);
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });

    it('an obstacle that follows is given way to', async () => {
      const run = await met(driver);
      for (let i = 0; i < 40; i++) {
        putWall(run, 0.003 * i, 5000);
        run.watch(0.06);
      }
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });

    it('an emergency stop during the retreat leaves nothing pressed', async () => {
      const run = await met(driver, { stiffness_n_per_m: 1000 });
      run.watch(0.2);
      run.apply({ kind: 'estop', engaged: true });
      expectAtRest(run, 'disabled');
      run.apply({ kind: 'estop', engaged: false });
      run.until(() => run.state !== 'disabled');
      // The collision is still to be acknowledged.
      run.step();
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });

    it('a hand that goes along with 30 N for 3 s is given way to', async () => {
      const run = await met(driver);
      run.watch(0.5);
      const most_n = pressAlong(run, 30, 3);
      expect(most_n).toBeGreaterThan(25);
      run.arm.world.setObstacles([]);
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });

    it.each([0, 0.1, 0.3])('an acknowledgement %d s after it waits until it is left', async (s) => {
      const run = await met(driver, { stiffness_n_per_m: 1000 });
      run.watch(s);
      run.apply({ kind: 'acknowledge_collision', caller: CALLER });
      run.until(() => run.robot.memory.awaited === null);
      expect([run.state, run.isStill]).toEqual(['ready', true]);
      expect(run.force_n).toBeLessThanOrEqual(BOUND_N);
      expectAtRest(run, 'ready');
      run.goTo(START, 0.5);
      run.until(() => run.state !== 'running');
      expect(run.state).toBe('ready');
      await run.arm.stop();
    });

    it.each([
      [true, 'collision', 'acknowledge_collision'],
      [false, 'error', 'reset_errors'],
    ] as const)(
      'an obstacle that is removed meanwhile leaves the arm at rest (detection %s)',
      async (detects, state, end) => {
        const run = await met(driver, { detects, stiffness_n_per_m: 2000 });
        run.watch(0.1);
        run.arm.world.setObstacles([]);
        expectAtRest(run, state);
        expectReadyAfter(run, end);
        await run.arm.stop();
      },
    );

    it('a reset behind an emergency stop during the retreat waits for its end', async () => {
      const run = await met(driver, { detects: false, stiffness_n_per_m: 25_000 });
      run.apply({ kind: 'estop', engaged: true });
      run.watch(0.1);
      run.apply({ kind: 'estop', engaged: false });
      run.until(() => run.state !== 'disabled');
      expect(run.state).toBe('error');
      expectReadyAfter(run, 'reset_errors');
      await run.arm.stop();
    });

    it('a reset during the release waits for its end', async () => {
      const run = await met(driver, { detects: false, stiffness_n_per_m: 25_000 });
      run.step();
      expectReadyAfter(run, 'reset_errors');
      await run.arm.stop();
    });

    it('a move further in raises it again', async () => {
      const run = await met(driver, { detects: false, stiffness_n_per_m: 25_000 });
      run.watch(3);
      run.apply({ kind: 'reset_errors', caller: CALLER });
      run.until(() => run.state === 'ready');
      run.goTo(END, 0.25);
      run.until(() => run.state !== 'running');
      expectAtRest(run, 'error');
      await run.arm.stop();
    });

    it('twenty times in a row the arm goes on', async () => {
      const run = await met(driver, { stiffness_n_per_m: 10_000 });
      for (let i = 0; i < 20; i++) {
        run.watch(1);
        expect(run.watch(0.5)).toBeLessThanOrEqual(BOUND_N);
        run.apply({ kind: 'acknowledge_collision', caller: CALLER });
        run.until(() => run.robot.memory.awaited === null);
        expect(run.state).toBe('ready');
        run.goTo(END, 0.25);
        run.until(() => run.state !== 'running');
        expect(run.state).toBe('collision');
      }
      expectAtRest(run, 'collision');
      expectReadyAfter(run, 'acknowledge_collision');
      await run.arm.stop();
    });
  },
  60_000,
);

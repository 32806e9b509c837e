import { describe, expect, it } from 'vitest';
import { DETECTION } from '../../physics/arm/arm-model.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { END_OF_LOOP } from '../../physics/toolpath/program.ts';
import { type ArmRun, CALLER, DRIVERS, type DriverName, startRun } from './arm-run.cases.ts';
import { moveStep, toolpathOf } from './robot-harness.cases.ts';

const START = [-0.7, -0.9, -0.6, 0, -1.2, 0];
const END = [1.5, -0.9, -0.6, 0, -1.2, 0];
const BOUND_N = DETECTION.reaction.force_bound_n;
const HALF_M = 0.05;

function flangeAt(turn_rad: number): { x: number; y: number; z: number } {
  const frames = createFrames();
  forward([turn_rad, ...START.slice(1)], frames);
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  return { x: frames[at]!, y: frames[at + 1]!, z: frames[at + 2]! };
}

function post(name: string, turn_rad: number, above_m = 0) {
  const { x, y, z } = flangeAt(turn_rad);
  const half = { x: HALF_M, y: HALF_M, z: HALF_M };
  const orientation = { w: 1, x: 0, y: 0, z: 0 };
  const position = { x, y, z: z + above_m };
  return { name, position, half, orientation, stiffness_n_per_m: 25_000 };
}

/** Starts a motion that leads into the post half way. */
const MOTIONS: Readonly<Record<string, (run: ArmRun) => void>> = {
  home: (run) => run.apply({ kind: 'home', caller: CALLER }),
  'the approach of a run': (run) =>
    run.apply({ kind: 'run', caller: CALLER, mode: 'automatic', loop: 1 }),
  'the approach of a run in teach': (run) =>
    run.apply({ kind: 'run', caller: CALLER, mode: 'teach', loop: 1 }),
  'a motion that is being paused': (run) => {
    run.goTo(END, 0.75);
    const [from, post_rad] = [START[0]!, 0.5 * (START[0]! + END[0]!)];
    run.until(() => run.robot.reference[0]! > from + 0.8 * (post_rad - from));
    run.apply({ kind: 'pause', caller: CALLER });
  },
};

async function standing(driver: DriverName): Promise<ArmRun> {
  const run = await startRun(driver, { start: START });
  run.apply({ kind: 'lock', caller: CALLER });
  const toolpath = toolpathOf([moveStep(END, START, END_OF_LOOP)], {
    home: Float64Array.from(END),
  });
  run.apply({ kind: 'load', caller: CALLER, toolpath });
  run.apply({ kind: 'collision_detection', caller: CALLER, enabled: true, sensitivity: 'medium' });
  return run;
}

/** Five seconds after a collision nothing presses; acknowledged, the arm can go away. */
function expectLeft(run: ArmRun): void {
  run.watch(4);
  expect(run.watch(1)).toBeLessThanOrEqual(BOUND_N);
  expect([run.state, run.isStill]).toEqual(['collision', true]);
  run.apply({ kind: 'acknowledge_collision', caller: CALLER });
  run.until(() => run.robot.memory.awaited === null);
  expect(run.state).toBe('ready');
  run.goTo(START, 0.25);
  run.until(() => run.state !== 'running');
  expect(run.state).toBe('ready');
}

describe.each(DRIVERS)(
  'a contact on %s is left',
  (driver) => {
    it.each(Object.keys(MOTIONS))('in %s', async (name) => {
      const run = await standing(driver);
      const middle = 0.5 * (START[0]! + END[0]!);
      run.arm.world.setObstacles([post('post', middle)]);
      MOTIONS[name]!(run);
      run.until(() => run.state !== 'running');
      expectLeft(run);
      await run.arm.stop();
    });

    it('with two bodies at once', async () => {
      const run = await standing(driver);
      run.arm.world.setObstacles([post('low', 0.4), post('high', 0.4, 0.11)]);
      run.goTo(END, 1);
      run.until(() => run.state !== 'running');
      expectLeft(run);
      expect(run.bodies.size).toBeGreaterThan(0);
      await run.arm.stop();
    });

    it('while the arm is paused', async () => {
      const run = await standing(driver);
      run.goTo(END, 0.5);
      run.watch(0.5);
      run.apply({ kind: 'pause', caller: CALLER });
      run.until(() => run.state === 'paused');
      run.arm.world.push([0, -40, 0]);
      run.watch(1);
      run.arm.world.push([0, 0, 0]);
      expectLeft(run);
      await run.arm.stop();
    });

    it('while a person guides the arm into it', async () => {
      const run = await standing(driver);
      run.arm.world.setObstacles([post('post', -0.2)]);
      run.apply({ kind: 'backdriving', pressed: true });
      run.arm.world.push([0, 15, 0]);
      run.watch(2.5);
      expect(run.peak_n).toBeGreaterThan(0);
      run.arm.world.push([0, 0, 0]);
      run.apply({ kind: 'backdriving', pressed: false });
      run.watch(4);
      expect(run.watch(1)).toBeLessThanOrEqual(BOUND_N);
      expect([run.state, run.isStill]).toEqual(['ready', true]);
      // The person has bent the wrist, too: straight away from the post, not to where it was.
      const [turn, ...others] = Array.from(run.robot.restPose);
      run.goTo([turn! - 0.3, ...others], 0.25);
      run.until(() => run.state !== 'running');
      expect(run.state).toBe('ready');
      await run.arm.stop();
    });
  },
  60_000,
);

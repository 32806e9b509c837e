/** A fast contact of what the gripper holds: the arm leaves it, and the cell says what became of it. */
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../contract/types.generated.ts';
import { DETECTION } from '../../physics/arm/arm-model.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { type ArmRun, CALLER, DRIVERS, type DriverName, startRun } from './arm-run.cases.ts';

/** The arm points down, the jaws close along x; their tip is at (0.35, -0.2, 0.13). */
const GRASP = [-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191];
const ABOVE = GRASP.map((angle, j) => angle + (j === 1 ? 0.25 : 0));
const BESIDE = ABOVE.map((angle, j) => angle + (j === 0 ? 1.6 : 0));
const BOUND_N = DETECTION.reaction.force_bound_n;
const HALF_M = 0.04;
const [X_M, Y_M, Z_M] = [0.35, -0.2, 0.11];

const CELL: Cell = {
  name: 'c',
  fixtures: [
    {
      ...{ name: 'table', position: { x: X_M, y: Y_M, z: 0 } },
      boxes: [{ size_m: { x: 0.2, y: 0.2, z: Z_M } }],
    },
  ],
  objects: [
    {
      ...{ name: 'part', mass_kg: 0.1, position: { x: X_M, y: Y_M, z: Z_M } },
      shape: { kind: 'box', size_m: { x: 0.03, y: 0.03, z: 0.06 } },
    },
  ],
  grippers: [
    {
      ...{ kind: 'jaws', name: 'jaws', output: 'ee_d0', tip_m: { x: 0, y: 0, z: 0.1 } },
      ...{ stroke_m: 0.06, force_n: 20, closing_time_s: 0.1 },
      ...{ pad_width_m: 0.02, pad_height_m: 0.015 },
    },
  ],
};

/** A point `beyond_m` in front of the flange (m). */
function before(joints: readonly number[], beyond_m: number) {
  const frames = createFrames();
  forward(joints, frames);
  const at = FLANGE_FRAME * FRAME_SIZE;
  const [x, y, z] = [0, 1, 2].map((k) => frames[at + 9 + k]! + beyond_m * frames[at + 3 * k + 2]!);
  return { x: x!, y: y!, z: z! };
}

/** An arm that has lifted the part and is about to run into a post with it. */
async function carrying(driver: DriverName, detects: boolean, beyond_m: number): Promise<ArmRun> {
  const run = await startRun(driver, { start: GRASP });
  const { arm } = run;
  arm.world.setCell(CELL);
  run.apply({ kind: 'lock', caller: CALLER });
  arm.world.cell!.setOutputs({ ee_d0: true });
  run.watch(0.5);
  run.goTo(ABOVE, 0.2);
  run.until(() => run.state !== 'running');
  expect(storyOf(run)).toEqual(['grasped']);
  const enabled = { enabled: detects, sensitivity: 'medium' } as const;
  run.apply({ kind: 'collision_detection', caller: CALLER, ...enabled });
  const middle = ABOVE.map((angle, j) => angle + (j === 0 ? 0.8 : 0));
  const half = { x: HALF_M, y: HALF_M, z: HALF_M };
  const orientation = { w: 1, x: 0, y: 0, z: 0 };
  arm.world.setObstacles([
    {
      ...{ name: 'post', position: before(middle, beyond_m), half, orientation },
      stiffness_n_per_m: 25_000,
    },
  ]);
  return run;
}

const storyOf = ({ arm }: ArmRun) => arm.world.cell!.events.list().map(({ kind }) => kind);

describe.each(DRIVERS)(
  'on %s',
  (driver) => {
    it.each([
      { of: 'the part', bodies: [8], speed_m_s: 0.4, detects: true, beyond_m: 0.12 + HALF_M },
      { of: 'the part', bodies: [8], speed_m_s: 1, detects: true, beyond_m: 0.12 + HALF_M },
      { of: 'the part', bodies: [8], speed_m_s: 1, detects: false, beyond_m: 0.12 + HALF_M },
      { of: 'gripper and part', bodies: [8, 9], speed_m_s: 1, detects: true, beyond_m: 0.06 },
    ])(
      'a contact of $of at $speed_m_s m/s (detection $detects) is left, and the cell says what became of it',
      async ({ speed_m_s, detects, beyond_m, bodies }) => {
        const run = await carrying(driver, detects, beyond_m);
        run.goTo(BESIDE, speed_m_s);
        run.until(() => run.state !== 'running');
        const found = run.state;
        run.watch(4);
        expect(run.watch(1)).toBeLessThanOrEqual(BOUND_N);
        expect([found, run.state, run.isStill]).toEqual([
          detects ? 'collision' : 'ready',
          found,
          true,
        ]);
        expect([...run.bodies].sort()).toEqual(bodies);
        // Pushed beyond its friction, the part has slipped, and the jaws still hold it.
        expect(storyOf(run)).toEqual(['grasped', 'slipped']);
        const [, slipped] = run.arm.world.cell!.events.list();
        expect(slipped!.text).toMatch(
          /^part: slipped in jaws: [\d.]+ N needed \(.*contact [\d.]+ N.*\), friction holds 20.0 N/,
        );
        expect(run.arm.world.cell!.grippers[0]!.holds).toBe(0);
        if (found === 'collision') {
          run.apply({ kind: 'acknowledge_collision', caller: CALLER });
          run.until(() => run.robot.memory.awaited === null);
          expect(run.state).toBe('ready');
        }
        run.goTo(detects ? ABOVE : BESIDE, 0.25);
        run.until(() => run.state !== 'running');
        expect(run.state).toBe('ready');
        await run.arm.stop();
      },
    );
  },
  60_000,
);

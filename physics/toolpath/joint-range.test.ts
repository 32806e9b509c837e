/** A narrower range of the joints than the model's holds for every calculation that gets it. */

import { expect, it } from 'vitest';
import type { Joints } from '../../contract/types.generated.ts';
import { type ArmRange, MODEL_RANGE } from '../arm/arm-range.ts';
import { solveInverse } from '../kinematics/inverse.ts';
import { nudge } from '../kinematics/nudge-rotate.ts';
import { createPoseReader, createTool } from '../kinematics/tool.ts';
import { boundaryProblem } from '../motion/motion-problem.ts';
import { buildToolpath } from './build.ts';
import { planGoTo } from './go-to.ts';

const HOME: Joints = [0, 0.5, -1.7, 0, -1.2, 0];
const INSIDE: Joints = [0.45, 0.5, -1.7, 0, -1.2, 0];
const BEYOND: Joints = [0.7, 0.5, -1.7, 0, -1.2, 0];
const RANGE: ArmRange = {
  min_rad: MODEL_RANGE.min_rad,
  max_rad: [0.5, ...Array.from(MODEL_RANGE.max_rad).slice(1)],
};
const OUTSIDE = { code: 'j0_boundary_limit' };
const tool = createTool();

it('a problem names the limits of the range', () => {
  const pose = Float64Array.from(BEYOND);
  expect(boundaryProblem(pose, RANGE)).toMatchObject({
    ...OUTSIDE,
    message: expect.stringMatching(/its limits are -\d\.\d+ to 0\.5000 rad/),
  });
  expect(boundaryProblem(pose, MODEL_RANGE)).toBeNull();
});

it.each(['joint_space', 'linear'] as const)('a %s go_to keeps to it', (trajectory) => {
  const request = { start: HOME, joints: BEYOND, mode: 'automatic', trajectory } as const;
  expect(planGoTo({ ...request, range: RANGE })).toMatchObject({ ok: false, ...OUTSIDE });
  expect(planGoTo({ ...request, range: null }).ok).toBe(true);
});

it('a tracked path keeps to it', () => {
  const move = { joints: INSIDE, axis: 'y', offset: 0.1, tool, check: () => null } as const;
  expect(nudge({ ...move, range: RANGE })).toMatchObject({ ok: false, ...OUTSIDE });
  expect(nudge({ ...move, range: MODEL_RANGE }).ok).toBe(true);
});

it('inverse kinematics keeps to it', () => {
  const request = { pose: createPoseReader()(BEYOND, tool), guess: BEYOND, tool };
  const found = solveInverse({ ...request, range: RANGE });
  expect(found).toMatchObject({ ok: false, ...OUTSIDE });
  expect(solveInverse({ ...request, range: MODEL_RANGE })).toMatchObject({ ok: true });
});

it('a build keeps to it', () => {
  const toolpath = {
    metadata: {
      ...{ version: 2, default_max_speed: 0.5, payload: 0, next_label_id: 3 },
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: [HOME, BEYOND].map((joints, i) => ({ label_id: i + 1, joints })),
    timeline: [
      { type: 'home', waypoint_id: 0 },
      { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 },
    ],
  } satisfies Parameters<typeof buildToolpath>[0];
  const options = { program: true, trajectory: false };
  expect(buildToolpath(toolpath, { ...options, range: RANGE })).toMatchObject(OUTSIDE);
  expect(buildToolpath(toolpath, { ...options, range: null }).kind).toBe('built');
});

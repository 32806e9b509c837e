/** Ticks during a motion and sampling of paths allocate no heap memory. */
import { expect, it } from 'vitest';
import { leavesNothing } from '../../physics/dynamics/heap.cases.ts';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { createPathSample, samplePath } from '../../physics/motion/joint-path.ts';
import {
  createProfilePoint,
  dilateProfile,
  sampleProfile,
} from '../../physics/motion/time-profile.ts';
import { ADA, AWAY, HOME, moveStep, RobotHarness, toolpathOf } from './robot-harness.cases.ts';

/** Enough calls to detect a few bytes per call. */
const CALLS = 20_000;

it('sampling a profile and its path allocates nothing', () => {
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const [start, end] = [Float64Array.from(HOME), Float64Array.from(AWAY)];
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  const point = createProfilePoint();
  const sample = createPathSample();
  const body = () => {
    for (let i = 0; i < CALLS; i++) {
      sampleProfile(profile, (i / CALLS) * profile.duration_s, point);
      samplePath(path, point.s, sample);
    }
  };
  expect(leavesNothing(body)).toBe(true);
});

it('robot ticks during a motion allocate nothing', () => {
  const step = moveStep(HOME, AWAY, -1);
  if (step.kind !== 'move') throw new Error('not a move');
  // So slow that one motion outlasts all calls: what begins a motion is not part of a tick.
  const move = { ...step.move, automatic: dilateProfile(step.move.automatic, 20_000) };
  const harness = new RobotHarness().prepare(toolpathOf([{ ...step, move }]));
  harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
  const body = () => {
    for (let i = 0; i < CALLS; i++) {
      harness.arm.exchange(harness.robot.tick(harness.arm.feedback, harness.tick));
      harness.tick += 1;
    }
  };
  expect(leavesNothing(body)).toBe(true);
  expect(harness.state).toBe('running');
});

import { describe, expect, it } from 'vitest';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createPrng } from '../math/prng.ts';
import { createLineBy } from './cartesian-line.ts';
import { createFrames, forward } from './forward.ts';
import { bytesPerCall, poseAt, randomJoints } from './joint-samples.cases.ts';
import { solveLocally } from './local-solve.ts';
import { allSolutions, SOLUTIONS_MAX, solutionsNear } from './solution-search.ts';
import { FLANGE_TOOL } from './tool.ts';
import { createTracker, startTracking, trackTo } from './tracking.ts';

const random = createPrng(14);
const joints = Array.from({ length: 32 }, () => randomJoints(random));
const poses = joints.map((q) => poseAt(q));

describe('hot kinematics allocate nothing:', () => {
  it('forward kinematics', () => {
    const frames = createFrames();
    expect(bytesPerCall((i) => forward(joints[i & 31]!, frames), 4000)).toBeLessThan(1);
  });
  it('local solver', () => {
    const q = new Float64Array(6);
    const want = { target: 1e-24, accepted: 1e-18, iterations: 12 };
    const bytes = bytesPerCall((i) => {
      for (let j = 0; j < 6; j++) q[j] = joints[i & 31]![j]! + 0.05;
      solveLocally(q, poses[i & 31]!, FLANGE_TOOL, want);
    }, 400);
    expect(bytes).toBeLessThan(4);
  });
  it('complete search', () => {
    const out = new Float64Array(6 * SOLUTIONS_MAX);
    const bytes = bytesPerCall((i) => {
      allSolutions(poses[i & 31]!, FLANGE_TOOL, joints[0]!, out);
    }, 400);
    expect(bytes).toBeLessThan(4);
  });
  it('search near a guess', () => {
    const out = new Float64Array(6 * SOLUTIONS_MAX);
    const requests = poses.map((pose, i) => ({
      pose,
      tool: FLANGE_TOOL,
      guess: joints[i]!.map((angle) => angle + 0.1),
    }));
    const bytes = bytesPerCall((i) => {
      solutionsNear(requests[i & 31]!, 0.3, out);
    }, 400);
    expect(bytes).toBeLessThan(8);
  });
  it('tracking, over whole lines of 40 steps', () => {
    const trackers = poses.map((pose) =>
      createTracker(
        createLineBy(pose, [0.05, -0.1, 0.05], [0.1, 0.2, -0.1]),
        FLANGE_TOOL,
        MODEL_RANGE,
      ),
    );
    const places = Array.from({ length: 41 }, (_, k) => k / 40);
    const bytes = bytesPerCall((i) => {
      const tracker = trackers[i & 31]!;
      startTracking(tracker, joints[i & 31]!, 0);
      for (let k = 1; k <= 40; k++) if (trackTo(tracker, places[k]!) !== 'arrived') return;
    }, 200);
    expect(bytes).toBeLessThan(16);
  });
});

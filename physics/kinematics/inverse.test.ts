import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { wrapAngle } from '../math/portable.ts';
import { createPrng } from '../math/prng.ts';
import { solveInverse } from './inverse.ts';
import { LIMIT_TOLERANCE_RAD, rangeExcess, worstJointOutside } from './joint-limits.ts';
import { foldedJoints, jointDistance, poseAt, randomJoints } from './joint-samples.cases.ts';
import { allSolutions, SOLUTIONS_MAX, searchStatus } from './solution-search.ts';
import { createTool, FLANGE_TOOL } from './tool.ts';

const out = new Float64Array(6 * SOLUTIONS_MAX);
const guess = Float64Array.of(0, -0.5, -1.2, 0, -1.2, 0);
const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const DOWN = [1, 0, 0, 0, -1, 0, 0, 0, -1];
const DOWN_TURNED = [-1, 0, 0, 0, 1, 0, 0, 0, -1];
const BACKWARD = [0, 0, -1, 0, 1, 0, 1, 0, 0];
const FORWARD = [0, 0, 1, 0, 1, 0, -1, 0, 0];

function codeOf(rotation: number[], position: number[]): string {
  const pose = Float64Array.from([...rotation, ...position]);
  const reply = solveInverse({ pose, guess, tool: FLANGE_TOOL, range: MODEL_RANGE });
  return reply.ok ? 'ok' : reply.code;
}

/** Weights of the distance to the guess; the same as documented for the reply. */
const WEIGHTS = [1, 1, 0.8, 0.5, 0.5, 0.3];

function distanceTo(near: Float64Array, q: ArrayLike<number>, at = 0): number {
  return Math.hypot(...WEIGHTS.map((weight, j) => weight * (q[at + j]! - near[j]!)));
}

/** Least distance to the guess among all solutions inside the ranges, `q` included. */
function leastDistance(pose: Float64Array, near: Float64Array, q: Float64Array): number {
  const count = allSolutions(pose, FLANGE_TOOL, near, out);
  let least = distanceTo(near, q);
  for (let at = 0; at < 6 * count; at += 6) {
    const isInside = WEIGHTS.every(
      (_, j) => rangeExcess(MODEL_RANGE, out, at, j) <= LIMIT_TOLERANCE_RAD,
    );
    if (isInside) least = Math.min(least, distanceTo(near, out, at));
  }
  return least;
}

/** Puts one to three joints exactly onto a limit. */
function ontoLimits(q: Float64Array, random: () => number): void {
  for (let left = 1 + Math.floor(3 * random()); left > 0; left--) {
    const j = Math.floor(6 * random());
    q[j] = (random() < 0.5 ? JOINT_MIN_RAD : JOINT_MAX_RAD)[j]!;
  }
}

/** Targets that are refused or answered outside the limits, and those with a nearer solution. */
function faultyTargets(count: number, seed: number, atLimits: boolean) {
  const random = createPrng(seed);
  const refused: number[] = [];
  const farther: number[] = [];
  for (let n = 0; n < count; n++) {
    const q = randomJoints(random);
    if (atLimits) ontoLimits(q, random);
    const pose = poseAt(q);
    const spread = [0.01, 0.2, 0.5][n % 4];
    const near = spread ? q.map((x) => x + spread * (2 * random() - 1)) : randomJoints(random);
    const reply = solveInverse({ pose, guess: near, tool: FLANGE_TOOL, range: MODEL_RANGE });
    if (!reply.ok) {
      refused.push(n);
      continue;
    }
    if (!(distanceTo(near, reply.joints) <= leastDistance(pose, near, q) + 1e-6)) farther.push(n);
    if (reply.joints.some((_, j) => rangeExcess(MODEL_RANGE, reply.joints, 0, j) > 0))
      refused.push(n);
  }
  return { refused, farther };
}

describe('inverse kinematics', () => {
  it.each([
    ['with joints exactly at limits', 10_000, 41, true],
    ['inside the limits', 4_000, 42, false],
  ])('answers %s with the nearest of all solutions', (_name, count, seed, atLimits) => {
    expect(faultyTargets(count, seed, atLimits)).toEqual({ refused: [], farther: [] });
  });

  it('puts a guess that is beyond a limit by rounding onto the limit', () => {
    const q = Float64Array.of(0.3, -0.5, JOINT_MAX_RAD[2]! + 0.9e-9, 0.2, -1.2, 0.1);
    const reply = solveInverse({
      pose: poseAt(q),
      guess: q,
      tool: FLANGE_TOOL,
      range: MODEL_RANGE,
    });
    expect(reply).toEqual({ ok: true, joints: q.with(2, JOINT_MAX_RAD[2]!) });
  });

  it.each([
    ['reach_limit', UPRIGHT, [-0.065, 0, 1.0]],
    ['reach_limit', DOWN, [0.9, 0, 0.3]],
    ['reach_limit', BACKWARD, [0.5, 0, 0.4]],
    ['j5_boundary_limit', DOWN, [0.35, 0, 0.2]],
    ['ok', DOWN_TURNED, [0.35, 0, 0.2]],
    ['j4_boundary_limit', UPRIGHT, [0.3, 0, 0.2]],
    ['j4_boundary_limit', FORWARD, [0.5, 0, 0.4]],
    ['j1_boundary_limit', DOWN, [0.12, 0, 0.45]],
    ['j2_boundary_limit', BACKWARD, [0.1, 0, 0.28]],
    ['ik_failure', UPRIGHT, [Number.NaN, 0, 0.4]],
    ['ik_failure', [1, 0, 0, 0, 1, 0, 0, 0, -1], [0.3, 0, 0.4]],
    ['ik_failure', [1, 0, 0, 0, 1, 0, 0, 0, 0.9], [0.3, 0, 0.4]],
  ])('answers %s', (code, rotation, position) => {
    expect(codeOf(rotation, position)).toBe(code);
  });

  it('rejects a guess that is not a number', () => {
    const request = {
      pose: poseAt(guess),
      guess: guess.with(2, Number.NaN),
      tool: FLANGE_TOOL,
      range: MODEL_RANGE,
    };
    expect(solveInverse(request)).toMatchObject({ ok: false, code: 'ik_failure' });
  });

  it('returns an exact guess bit by bit', () => {
    const random = createPrng(21);
    const tool = createTool({ offsets: { x: 0, y: 0.01, z: 0.1 } });
    for (let n = 0; n < 500; n++) {
      const q = randomJoints(random);
      const reply = solveInverse({ pose: poseAt(q, tool), guess: q, tool, range: MODEL_RANGE });
      expect(reply).toEqual({ ok: true, joints: q });
    }
  });

  it('stays close to a close guess', () => {
    const random = createPrng(22);
    let same = 0;
    for (let n = 0; n < 2000; n++) {
      const q = randomJoints(random);
      const near = q.map((x) => x + 0.02 * (random() - 0.5));
      const reply = solveInverse({
        pose: poseAt(q),
        guess: near,
        tool: FLANGE_TOOL,
        range: MODEL_RANGE,
      });
      if (reply.ok && jointDistance(reply.joints, 0, q) < 1e-6) same++;
    }
    expect(same).toBeGreaterThan(1980);
  });

  it('solves every reachable pose from a far guess, exactly and inside the limits', () => {
    const random = createPrng(23);
    for (let n = 0; n < 1000; n++) {
      const pose = poseAt(randomJoints(random));
      const reply = solveInverse({
        pose,
        guess: randomJoints(random),
        tool: FLANGE_TOOL,
        range: MODEL_RANGE,
      });
      if (!reply.ok) throw new Error(`seed 23, pose ${n}: ${reply.code}`);
      const back = poseAt(reply.joints);
      const worst = back.reduce((most, x, i) => Math.max(most, Math.abs(x - pose[i]!)), 0);
      expect(worst).toBeLessThan(1e-9);
    }
  });

  it('keeps q6 of the guess where axis 6 lies on axis 1 and every q6 solves', () => {
    for (const height of [0.45, 0.5, 0.55]) {
      const pose = Float64Array.from([...DOWN, 0, 0, 0]);
      pose[11] = height - 0.3;
      const tried = [...UPRIGHT, 0, 0, height].map(Number);
      for (const goal of [pose, Float64Array.from(tried)]) {
        const wanted = guess.with(5, 0.7);
        const count = allSolutions(goal, FLANGE_TOOL, wanted, out);
        if (count === 0) continue;
        expect(searchStatus.continuum).toBe(true);
        expect(searchStatus.exhausted).toBe(0);
        for (let i = 0; i < count; i++) expect(out[6 * i + 5]).toBeCloseTo(0.7, 9);
      }
    }
  });

  it('returns to a stretched double root from a guess nearby', () => {
    const random = createPrng(24);
    for (let n = 0; n < 100; n++) {
      const q = randomJoints(random).fill(-0.19036303, 2, 3).fill(0, 3, 4);
      const near = q.map((x) => x + 0.01 * (random() - 0.5));
      if (worstJointOutside(MODEL_RANGE, near) >= 0) continue;
      const reply = solveInverse({
        pose: poseAt(q),
        guess: near,
        tool: FLANGE_TOOL,
        range: MODEL_RANGE,
      });
      if (!reply.ok) throw new Error(`seed 24, pose ${n}: ${reply.code}`);
      expect(jointDistance(reply.joints, 0, q)).toBeLessThan(0.1);
    }
  });

  it('returns to a continuum of solutions from a guess nearby', () => {
    const random = createPrng(25);
    let answered = 0;
    for (let n = 0; n < 100; n++) {
      const q = randomJoints(random).fill(0, 1, 3);
      const near = q.map((x) => x + 0.01 * (random() - 0.5));
      const reply = solveInverse({
        pose: poseAt(q),
        guess: near,
        tool: FLANGE_TOOL,
        range: MODEL_RANGE,
      });
      if (!reply.ok) continue;
      answered++;
      expect(jointDistance(reply.joints, 0, q)).toBeLessThan(0.1);
    }
    expect(answered).toBeGreaterThan(90);
  });

  it('answers every pose on the singular surface from a guess that is far, no farther than it', () => {
    const random = createPrng(26);
    for (let n = 0; n < 150; n++) {
      const q = foldedJoints(random);
      const far = randomJoints(random);
      const request = { pose: poseAt(q), guess: far, tool: FLANGE_TOOL, range: MODEL_RANGE };
      const reply = solveInverse(request);
      if (!reply.ok) throw new Error(`seed 26, pose ${n}: ${reply.code}`);
      // A double root is known to the root of the working precision.
      expect(distanceTo(far, reply.joints), `pose ${n}`).toBeLessThan(distanceTo(far, q) + 1e-4);
    }
  });

  /** Joints with axis 6 on axis 1: in one plane, the flange upright or upside down, above the base. */
  function onAxis1(random: () => number): Float64Array | null {
    const q = randomJoints(random).fill(0, 3, 4);
    const turn = random() < 0.5 ? 0 : Math.PI;
    const place = (q3: number) => {
      q[2] = q3;
      q[4] = turn - q[1]! - q3;
      const at = poseAt(q);
      return Math.cos(q[0]!) * at[9]! + Math.sin(q[0]!) * at[10]!;
    };
    let low = JOINT_MIN_RAD[2]!;
    let high = JOINT_MAX_RAD[2]!;
    const rises = place(high) > 0;
    if (rises === place(low) > 0) return null;
    for (let i = 0; i < 100; i++) {
      const middle = 0.5 * (low + high);
      if (place(middle) > 0 === rises) high = middle;
      else low = middle;
    }
    place(low);
    return worstJointOutside(MODEL_RANGE, q) < 0 ? q : null;
  }

  it.each([
    ['axis 4', 3, (random: () => number) => randomJoints(random).fill(0, 1, 3)],
    ['axis 6', 5, onAxis1],
  ] as const)('answers with the nearest point of a continuum, %s on axis 1', (_, joint, build) => {
    const random = createPrng(27);
    for (let n = 0; n < 75; ) {
      const q = build(random);
      if (!q) continue;
      n++;
      const pose = poseAt(q);
      const far = randomJoints(random);
      const reply = solveInverse({ pose, guess: far, tool: FLANGE_TOOL, range: MODEL_RANGE });
      if (!reply.ok) throw new Error(`seed 27, pose ${n}: ${reply.code}`);
      const answered = distanceTo(far, reply.joints);
      const sense = apart(poseAt(turned(q, joint, 0.1)), pose) < 1e-9 ? 1 : -1;
      for (let k = -314; k < 314; k++) {
        const point = turned(q, joint, 0.01 * k, sense);
        if (worstJointOutside(MODEL_RANGE, point) >= 0) continue;
        expect(apart(poseAt(point), pose)).toBeLessThan(1e-9);
        expect(answered, `pose ${n}`).toBeLessThan(distanceTo(far, point) + 1e-6);
      }
    }
  });

  /** q1 and another joint turned against each other. */
  function turned(q: Float64Array, joint: number, angle: number, sense = 1): Float64Array {
    const out = Float64Array.from(q);
    out[0] = wrapAngle(out[0]! + angle);
    out[joint] = wrapAngle(out[joint]! - sense * angle);
    return out;
  }

  function apart(pose: Float64Array, other: Float64Array): number {
    return Math.max(...pose.map((x, i) => Math.abs(x - other[i]!)));
  }
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { TOOL_LINK } from '../arm/geometry.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { approachSpeeds } from './approach-speeds.ts';
import { createCollisionScene, placeBodies, TOOL_BODY, type ToolShape } from './scene.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const pose = fc
  .tuple(share, share, share, share, share, share)
  .map((shares) =>
    shares.map((s, j) => JOINT_MIN_RAD[j]! + s * (JOINT_MAX_RAD[j]! - JOINT_MIN_RAD[j]!)),
  );
const rates = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 6, maxLength: 6 });
const bent: ToolShape = { offsets: { x: 0.06, y: -0.03, z: 0.08 }, radius: 0.05 };
const scene = createCollisionScene({ tool: bent });
const table = scene.reach_m;
const DIFFERENCE = 1e-6;

/** World points of a body: the ends of its axis, and for the tool the rims of its flat ends. */
function pointsAt(q: readonly number[]): number[][][] {
  const frames = createFrames();
  forward(q, frames);
  placeBodies(scene, frames);
  const bodies: number[][][] = [];
  for (let i = 0; i < scene.bodies; i++) {
    bodies.push([0, 3].map((k) => [...scene.ends.slice(6 * i + k, 6 * i + k + 3)]));
  }
  bodies[TOOL_BODY]!.push(...rims(frames));
  return bodies;
}

/** Points of the two rims, fixed to the flange. */
function rims(frames: Float64Array): number[][] {
  const { x, y, z } = bent.offsets;
  const length = Math.hypot(x, y, z);
  const u = [x / length, y / length, z / length] as const;
  const side = Math.hypot(u[1], u[0]);
  const a = [u[1] / side, -u[0] / side, 0] as const;
  const b = [a[1] * u[2], -a[0] * u[2], a[0] * u[1] - a[1] * u[0]] as const;
  const f = FLANGE_FRAME * FRAME_SIZE;
  return Array.from({ length: 16 }, (_, i) => {
    const [c, s] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    const end = i < 8 ? 0 : 1;
    const p = [0, 1, 2].map((k) => end * length * u[k]! + bent.radius * (c * a[k]! + s * b[k]!));
    return [0, 1, 2].map(
      (row) =>
        frames[f + 9 + row]! + p.reduce((sum, v, k) => sum + frames[f + 3 * row + k]! * v, 0),
    );
  });
}

it('bounds the speed of every body, by the joints that move it', () => {
  fc.assert(
    fc.property(pose, rates, (q, rate) => {
      const speeds = new Float64Array(64);
      approachSpeeds(table, Float64Array.from(rate, Math.abs), speeds);
      const before = pointsAt(q);
      const after = pointsAt(q.map((angle, j) => angle + DIFFERENCE * rate[j]!));
      before.forEach((points, body) => {
        points.forEach((point, i) => {
          const moved = Math.hypot(...point.map((v, k) => after[body]![i]![k]! - v));
          const bound = speeds[scene.linkOf[body]!]!;
          expect(moved / DIFFERENCE).toBeLessThanOrEqual(bound + 1e-6);
        });
      });
    }),
    { numRuns: 300 },
  );
});

it('counts a rotation of joint 6 only for the tool, with a small overestimate', () => {
  const speeds = new Float64Array(64);
  approachSpeeds(table, Float64Array.of(0, 0, 0, 0, 0, 1), speeds);
  expect(speeds[TOOL_LINK]).toBeCloseTo(Math.hypot(0.06, 0.03) + 0.05, 12);
  expect(speeds[8 * 5 + TOOL_LINK]).toBe(speeds[TOOL_LINK]);
});

it('counts only the joints between two links', () => {
  const speeds = new Float64Array(64);
  approachSpeeds(table, Float64Array.of(1, 1, 0, 0, 0, 0), speeds);
  expect(speeds[8 * 2 + 6]).toBe(0);
  expect(speeds[8 * 1 + 6]).toBeCloseTo(0.603, 12);
  expect(speeds[6]).toBeCloseTo(0.603 + 0.659, 12);
});

import { describe, expect, it } from 'vitest';
import { PAYLOAD_BALL } from '../arm/arm-model.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { jacobian } from '../kinematics/jacobian.ts';
import { ExternalForce } from './external-force.ts';

const POSE = Float64Array.of(0.4, -0.7, -1.1, 0.6, -1.2, 0.3);
const FORCES_N = [
  [20, 0, 0],
  [0, -12, 5],
  [-8, 6, 30],
] as const;

/** Joint torques of a force on the flange's axis, so far beyond the flange (m). */
function torquesOf(force_n: readonly number[], beyond_m: number): Float64Array {
  const frames = createFrames();
  forward(POSE, frames);
  const at = FLANGE_FRAME * FRAME_SIZE;
  const point = [0, 1, 2].map((k) => frames[at + 9 + k]! + beyond_m * frames[at + 3 * k + 2]!);
  const rows = new Float64Array(36);
  jacobian(frames, point, 0, rows);
  return Float64Array.from([0, 1, 2, 3, 4, 5], (j) => {
    return force_n.reduce((sum, part, k) => sum + part * rows[6 * k + j]!, 0);
  });
}

function placed(): ExternalForce {
  const force = new ExternalForce();
  force.place(POSE);
  return force;
}

describe('an external force', () => {
  it.each(FORCES_N)('at the flange is found in the torques: %d, %d, %d N', (...force_n) => {
    const size = placed().size_n(torquesOf(force_n, 0));
    expect(size / Math.hypot(...force_n)).toBeCloseTo(1, 1);
  });

  it('is none without torques', () => {
    expect(placed().size_n(new Float64Array(6))).toBe(0);
  });

  it('is told apart from a weight at the flange', () => {
    const force = placed();
    const weight = torquesOf([0, 0, -9.81 * 0.25], PAYLOAD_BALL.offset_beyond_flange_m);
    expect(force.load_kg(weight, 0)).toBeCloseTo(0.25, 6);
    expect(force.isExplained(weight, 0, 0.25)).toBe(true);
    const push = torquesOf([25, 0, 0], 0);
    expect(force.isExplained(push, 0, force.load_kg(push, 0))).toBe(false);
    const external = new Float64Array(6);
    force.writeExternal(weight, 0.25, external);
    expect(force.size_n(external)).toBeLessThan(1e-9);
    const both = weight.map((torque, j) => torque + push[j]!);
    force.writeExternal(both, 0.25, external);
    const size = force.size_n(external);
    expect(size).toBeGreaterThan(20);
    expect(size).toBeLessThan(30);
  });
});

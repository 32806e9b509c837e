import { expect, test } from 'vitest';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from './forward.ts';
import { createToolMotion, toolMotion, toolSpeed_m_s } from './tool-motion.ts';

const Q = Float64Array.of(0.4, -0.7, -1.1, 0.9, -1.3, 0.2);
const V = Float64Array.of(0.3, -0.5, 0.8, 1.1, -0.4, 0.9);
const A = Float64Array.of(1.2, 0.7, -0.9, 0.4, 1.5, -0.6);
const TOOL = [0.02, -0.03, 0.12];
const STEP = 1e-4;

function placeAt(t: number): Float64Array {
  const frames = createFrames();
  forward(
    Q.map((q, j) => q + V[j]! * t + (A[j]! * t * t) / 2),
    frames,
  );
  const f = frames.subarray(FLANGE_FRAME * FRAME_SIZE);
  return Float64Array.from({ length: 3 }, (_, row) =>
    TOOL.reduce((sum, x, k) => sum + f[3 * row + k]! * x, f[9 + row]!),
  );
}

function motion(): Float64Array {
  const frames = createFrames();
  forward(Q, frames);
  const out = createToolMotion();
  toolMotion(frames, V, A, TOOL, out);
  return out;
}

test('velocity and acceleration of the tool point agree with differences', () => {
  const out = motion();
  const before = placeAt(-STEP);
  const here = placeAt(0);
  const after = placeAt(STEP);
  for (let k = 0; k < 3; k++) {
    expect(out[k]).toBeCloseTo((after[k]! - before[k]!) / (2 * STEP), 6);
    expect(out[6 + k]).toBeCloseTo((after[k]! - 2 * here[k]! + before[k]!) / STEP ** 2, 5);
  }
});

test('the speed of the tool point is the length of its velocity', () => {
  const frames = createFrames();
  forward(Q, frames);
  expect(toolSpeed_m_s(frames, V, placeAt(0))).toBeCloseTo(Math.hypot(...motion().slice(0, 3)), 12);
});

test('angular rates agree with differences of the rotation', () => {
  const out = motion();
  const frames = [-STEP, 0, STEP].map((t) => {
    const f = createFrames();
    forward(
      Q.map((q, j) => q + V[j]! * t + (A[j]! * t * t) / 2),
      f,
    );
    return f.subarray(FLANGE_FRAME * FRAME_SIZE);
  });
  // dR/dt R^T is the cross-product matrix of the angular velocity.
  const rate = (i: number, j: number) =>
    [0, 1, 2].reduce(
      (sum, k) =>
        sum +
        ((frames[2]![3 * i + k]! - frames[0]![3 * i + k]!) / (2 * STEP)) * frames[1]![3 * j + k]!,
      0,
    );
  expect(out[3]).toBeCloseTo(rate(2, 1), 6);
  expect(out[4]).toBeCloseTo(rate(0, 2), 6);
  expect(out[5]).toBeCloseTo(rate(1, 0), 6);
});

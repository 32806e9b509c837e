import { describe, expect, it } from 'vitest';
import { atan2, cbrt, exp, sincos, trig } from '../math/portable.ts';
import { matrixToQuaternion } from '../math/rotation.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from './forward.ts';

describe('forward kinematics', () => {
  it('matches the published reply of the upright pose', () => {
    const frames = createFrames();
    forward([0, 0, 0, 0, 0, 0], frames);
    const at = FLANGE_FRAME * FRAME_SIZE;
    expect(frames[at + 9]).toBeCloseTo(-0.065, 9);
    expect(frames[at + 10]).toBeCloseTo(0, 9);
    expect(frames[at + 11]).toBeCloseTo(0.8784, 9);
    expect(matrixToQuaternion(frames, at)).toEqual({ w: 1, x: 0, y: 0, z: 0 });
  });
  it('rotates a positive J2 about -y: the arm leans backward for positive angles', () => {
    const frames = createFrames();
    forward([0, 0.5, 0, 0, 0, 0], frames);
    expect(frames[FLANGE_FRAME * FRAME_SIZE + 9]).toBeLessThan(-0.2);
    forward([0, -0.5, 0, 0, 0, 0], frames);
    expect(frames[FLANGE_FRAME * FRAME_SIZE + 9]).toBeGreaterThan(0.2);
  });
});

describe('portable math', () => {
  it('agrees with Math to a few units in the last place', () => {
    for (let i = -4000; i <= 4000; i++) {
      const x = i * 0.0037 + 1e-7 * i * i;
      sincos(x);
      expect(Math.abs(trig.sin - Math.sin(x))).toBeLessThan(3e-16);
      expect(Math.abs(trig.cos - Math.cos(x))).toBeLessThan(3e-16);
      expect(
        Math.abs(
          atan2(Math.sin(x), Math.cos(x) + 0.1) - Math.atan2(Math.sin(x), Math.cos(x) + 0.1),
        ),
      ).toBeLessThan(9e-16);
      const e = Math.exp(x / 3);
      expect(Math.abs(exp(x / 3) - e) / e).toBeLessThan(1e-15);
      expect(Math.abs(cbrt(x) - Math.cbrt(x))).toBeLessThan(
        4e-16 * Math.max(1, Math.abs(Math.cbrt(x))),
      );
    }
  });
});

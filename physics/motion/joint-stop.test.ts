import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jointStops } from './joint-stop.ts';
import { PROTECTIVE_LIMITS } from './limits.ts';
import { createProfilePoint, sampleProfile, type TimeProfile } from './time-profile.ts';

const six = (size: number) =>
  fc.array(fc.double({ min: -size, max: size, noNaN: true }), { minLength: 6, maxLength: 6 });
const point = createProfilePoint();

/** Where a joint stands after its stop. */
function endOf(joint: TimeProfile): number {
  sampleProfile(joint, joint.duration_s, point);
  return point.s;
}

test('an arm at rest needs no stop', () => {
  const q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
  const stops = jointStops(q, [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
  expect(stops.map(({ duration_s }) => duration_s)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(stops.map(endOf)).toEqual(q);
});

test('full speed ends in the closed-form time', () => {
  const [stop] = jointStops([0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
  const a = PROTECTIVE_LIMITS.acceleration_rad_s2[0]!;
  const j = PROTECTIVE_LIMITS.jerk_rad_s3[0]!;
  expect(stop!.duration_s).toBeCloseTo(2 / a + a / j, 12);
});

test('every joint comes to rest within its limits, from any state', () => {
  fc.assert(
    fc.property(six(2.1), six(25), (velocity, acceleration) => {
      const stops = jointStops([0, 0, 0, 0, 0, 0], velocity, acceleration);
      stops.forEach((joint, j) => {
        expect(joint.duration_s).toBeLessThan(1);
        sampleProfile(joint, joint.duration_s * (1 - 1e-13), point);
        expect(Math.abs(point.v)).toBeLessThan(1e-8);
        expect(Math.abs(point.a)).toBeLessThan(1e-6);
        const most = Math.max(
          Math.abs(acceleration[j]!),
          PROTECTIVE_LIMITS.acceleration_rad_s2[j]!,
        );
        for (let i = 0; i < 20; i++) {
          sampleProfile(joint, (joint.duration_s * i) / 20, point);
          expect(Math.abs(point.a)).toBeLessThan(most + 1e-9);
          expect(Math.abs(point.j)).toBeLessThan(PROTECTIVE_LIMITS.jerk_rad_s3[j]! + 1e-9);
        }
      });
    }),
    { numRuns: 60 },
  );
});

test('a joint that brakes too hard reverses as little as its jerk allows', () => {
  const [stop] = jointStops([0, 0, 0, 0, 0, 0], [0.01, 0, 0, 0, 0, 0], [-10, 0, 0, 0, 0, 0]);
  expect(Math.abs(endOf(stop!))).toBeLessThan(0.01);
});

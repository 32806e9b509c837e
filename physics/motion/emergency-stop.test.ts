import { describe, expect, it } from 'vitest';
import { randomStops, STOPPED_KINDS } from './emergency-stop.cases.ts';
import {
  planEmergencyStop,
  posesOfStop,
  sampleEmergencyStop,
  stopDeviation_m,
} from './emergency-stop.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import { jointStateAt } from './joint-stop.ts';
import { PROTECTIVE_LIMITS } from './limits.ts';
import { planStop } from './stop.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

const COUNT = 40;
const STEP_S = 1e-3;
const point = createProfilePoint();
const sample = createPathSample();

/** Rows of a stop, 1 ms apart. */
function rowsOf(stop: ReturnType<typeof planEmergencyStop>): number[][] {
  const at = new Float64Array(1);
  return Array.from({ length: Math.ceil(stop.duration_s / STEP_S) + 3 }, (_, k) => {
    const row = new Float64Array(6);
    at[0] = k * STEP_S;
    sampleEmergencyStop(stop, at, row);
    return Array.from(row);
  });
}

describe.each(STOPPED_KINDS)('stops of $name', (kind) => {
  const stops = randomStops(kind, COUNT);

  it('take at most a tenth longer than the joints by themselves, and begin in their state', () => {
    for (const { stop, own_s, segment, elapsed_s } of stops) {
      expect(stop.duration_s).toBeLessThanOrEqual(1.1 * own_s + 1e-12);
      const { path, profile } = segment;
      const { position, velocity } = jointStateAt(path, profile, elapsed_s);
      const [first, second] = rowsOf(stop);
      for (let j = 0; j < 6; j++) {
        expect(first![j]).toBeCloseTo(position[j]!, 12);
        // An acceleration of 10 rad/s² changes the place by 5e-6 rad in 1 ms.
        expect(Math.abs(second![j]! - first![j]! - STEP_S * velocity[j]!)).toBeLessThan(1e-5);
      }
    }
  });

  it('end at rest, within the limits of a protective stop', () => {
    for (const { stop, segment, elapsed_s } of stops) {
      const rows = rowsOf(stop);
      expect(rows.at(-1)).toEqual(rows.at(-2));
      const { acceleration } = jointStateAt(segment.path, segment.profile, elapsed_s);
      for (let k = 1; k < rows.length - 1; k++) {
        for (let j = 0; j < 6; j++) {
          const rate = rows[k + 1]![j]! - 2 * rows[k]![j]! + rows[k - 1]![j]!;
          const most = Math.max(PROTECTIVE_LIMITS.acceleration_rad_s2[j]!, acceleration[j]!);
          expect(Math.abs(rate) / STEP_S ** 2).toBeLessThan(most + 0.5);
        }
      }
    }
  });

  it('keep the joints on the path that do not brake by themselves', () => {
    for (const { stop, segment } of stops) {
      for (let k = 0; k <= 10; k++) {
        const at = Float64Array.of((stop.duration_s * k) / 10);
        const row = new Float64Array(6);
        sampleEmergencyStop(stop, at, row);
        sampleProfile(stop.profile, at[0]!, point);
        samplePath(segment.path, point.s, sample);
        const kept = stop.joints.map((own, j) => (own ? row[j]! : sample.q[j]!));
        expect(Array.from(row)).toEqual(kept);
      }
    }
  });

  it('leave the path by far less than joints that brake by themselves', () => {
    const sum = (of: (one: (typeof stops)[number]) => number) =>
      stops.reduce((total, one) => total + of(one), 0);
    expect(sum(({ deviation_m }) => deviation_m)).toBeLessThan(0.3 * sum(({ own_m }) => own_m));
    expect(Math.max(...stops.map(({ deviation_m }) => deviation_m))).toBeLessThan(8e-3);
    const kept = stops.filter(({ stop }) => stop.joints.every((own) => own === null));
    expect(kept.length).toBeGreaterThan(0.7 * COUNT);
    for (const { deviation_m } of kept) expect(deviation_m).toBe(0);
  });
});

it('a straight joint move is always stopped on its line, as fast as its slowest joint', () => {
  for (const { stop, own_s, deviation_m } of randomStops(STOPPED_KINDS[0]!, COUNT)) {
    expect(stop.joints).toEqual([null, null, null, null, null, null]);
    expect(deviation_m).toBe(0);
    expect(stop.duration_s).toBeCloseTo(own_s, 3);
  }
});

it.each([0.5, 0.9, 0.99])('stays on the path of a protective stop after %d of it', (share) => {
  for (const kind of STOPPED_KINDS) {
    for (const { segment, elapsed_s } of randomStops(kind, 10)) {
      const { path } = segment;
      sampleProfile(segment.profile, elapsed_s, point);
      const motion = { profile: segment.profile, elapsed_s };
      const profile = planStop({ path, point: { ...point }, kind: 'protective', motion });
      const { duration_s } = profile!;
      const during = { profile: profile!, elapsed_s: share * duration_s };
      const stop = planEmergencyStop(path, during, PROTECTIVE_LIMITS);
      expect(stopDeviation_m(stop)).toBeLessThan(1e-3);
      expect(stop.duration_s).toBeLessThan((1 - share) * duration_s * (1 + 1e-9) + 1e-9);
    }
  }
});

it('an arm that stands stays', () => {
  const [{ segment }] = randomStops(STOPPED_KINDS[0]!, 1) as [ReturnType<typeof randomStops>[0]];
  const { path, profile } = segment;
  const stop = planEmergencyStop(path, { profile, elapsed_s: 0 }, PROTECTIVE_LIMITS);
  expect(stop.duration_s).toBeLessThan(0.02);
  samplePath(path, 0, sample);
  const end = posesOfStop(stop).at(-1)!;
  for (let j = 0; j < 6; j++) expect(end[j]).toBeCloseTo(sample.q[j]!, 4);
});

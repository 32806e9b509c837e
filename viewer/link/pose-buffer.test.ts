import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PoseBuffer } from './pose-buffer.ts';

const at = (angle: number) => [angle, -angle, 2 * angle, 0, 0, 0];
const out = () => new Float64Array(6);

/** Drawn angle of joint 1 at 60 Hz, while a ramp of 1 rad/s arrives at the given times. */
function drawRamp(arrivals_ms: readonly number[], sent_ms: readonly number[]): number[] {
  const buffer = new PoseBuffer();
  const drawn: number[] = [];
  let next = 0;
  for (let now = arrivals_ms[0]!; now < arrivals_ms.at(-1)!; now += 1000 / 60) {
    while (next < arrivals_ms.length && arrivals_ms[next]! <= now) {
      buffer.push(at(sent_ms[next]! / 1000), arrivals_ms[next]!);
      next++;
    }
    const pose = out();
    buffer.sample(now, pose);
    drawn.push(pose[0]!);
  }
  return drawn;
}

describe('pose buffer', () => {
  it('leaves the pose unchanged before the first sample', () => {
    const pose = out().fill(7);
    expect(new PoseBuffer().sample(0, pose)).toBe(false);
    expect(pose[0]).toBe(7);
  });

  it('shows the first sample at once', () => {
    const buffer = new PoseBuffer();
    buffer.push(at(0.5), 100);
    const pose = out();
    buffer.sample(100, pose);
    expect([...pose]).toEqual(at(0.5));
  });

  it('ends exactly on the last sample, then reports no pending samples', () => {
    const buffer = new PoseBuffer();
    for (let i = 0; i <= 10; i++) buffer.push(at(i / 10), i * 20);
    const pose = out();
    expect(buffer.sample(200 + 151, pose)).toBe(false);
    expect([...pose]).toEqual(at(1));
  });

  it.each([20, 33, 50])('moves evenly at display rate with a sample each %d ms', (interval) => {
    const times = Array.from({ length: 80 }, (_, i) => i * interval);
    const drawn = drawRamp(times, times).slice(30);
    const steps = drawn.slice(1).map((angle, i) => angle - drawn[i]!);
    const even = 1 / 60;
    for (const step of steps) expect(Math.abs(step - even)).toBeLessThan(0.25 * even);
  });

  it('compensates network jitter', () => {
    const sent = Array.from({ length: 200 }, (_, i) => i * 20);
    const arrivals = sent.map((time, i) => time + [0, 7, 2, 9, 4, 1][i % 6]!);
    const drawn = drawRamp(arrivals, sent).slice(60);
    const steps = drawn.slice(1).map((angle, i) => angle - drawn[i]!);
    expect(Math.min(...steps)).toBeGreaterThan(0.5 / 60);
    expect(Math.max(...steps)).toBeLessThan(1.5 / 60);
  });

  it('holds the pose during a gap, then moves', () => {
    const buffer = new PoseBuffer();
    buffer.push(at(0), 0);
    buffer.push(at(0.1), 5000);
    const pose = out();
    buffer.sample(5000 - 20, pose);
    expect(pose[0]).toBe(0);
    expect(buffer.sample(5000, pose)).toBe(true);
    expect(pose[0]).toBeLessThan(0.1);
    buffer.sample(5200, pose);
    expect(pose[0]).toBe(0.1);
  });

  it('limits its delay to 150 ms', () => {
    const buffer = new PoseBuffer();
    for (let i = 0; i < 500; i++) buffer.push(at(i), i * 110);
    expect(buffer.delay_ms()).toBeLessThanOrEqual(150);
  });

  it('never extrapolates beyond the received samples', () => {
    const steps = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 5, max: 60 }), (angles, interval) => {
        const buffer = new PoseBuffer();
        const pose = out();
        angles.forEach((angle, i) => {
          buffer.push(at(angle), i * interval);
          for (let t = 0; t < interval; t += 4) {
            buffer.sample(i * interval + t, pose);
            const seen = angles.slice(0, i + 1);
            expect(pose[0]).toBeGreaterThanOrEqual(Math.min(...seen) - 1e-12);
            expect(pose[0]).toBeLessThanOrEqual(Math.max(...seen) + 1e-12);
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});

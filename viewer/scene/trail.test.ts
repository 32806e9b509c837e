import type { BufferGeometry, InterleavedBufferAttribute } from 'three';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { describe, expect, it } from 'vitest';
import { createTrail } from './trail.ts';

type Tip = readonly [number, number, number];

/** A tip on a spiral, 3 mm further each time. */
const tipAt = (i: number): Tip => [0.3 * Math.cos(i / 100), 0.3 * Math.sin(i / 100), i / 1000];

function bufferOf(geometry: BufferGeometry) {
  return (geometry.getAttribute('instanceStart') as InterleavedBufferAttribute).data;
}

describe('trail', () => {
  it.each([
    [2, 20],
    [100, 20],
    [400, 20],
    [700, 2],
  ])('draws %i tips, one each %i ms, in one buffer as a new line would', (count, step_ms) => {
    const trail = createTrail();
    const { geometry } = trail.object;
    const buffer = bufferOf(geometry);
    const tips = Array.from({ length: count }, (_, i) => tipAt(i));
    for (const [i, tip] of tips.entries()) trail.add(tip, i * step_ms);
    // The last 2.5 s, and at most 512 tips before the newest.
    const shown = tips.slice(-Math.min(2500 / step_ms, 513));
    const fresh = new LineGeometry();
    fresh.setPositions(shown.flat());
    expect(trail.object.geometry).toBe(geometry);
    expect(bufferOf(geometry)).toBe(buffer);
    expect(trail.object.visible).toBe(true);
    expect(geometry.instanceCount).toBe(shown.length - 1);
    expect(buffer.array.slice(0, 6 * (shown.length - 1))).toEqual(bufferOf(fresh).array);
    expect(buffer.updateRanges).toEqual([{ start: 0, count: 6 * (shown.length - 1) }]);
    fresh.computeBoundingSphere();
    const between = geometry.boundingSphere!.center.distanceTo(fresh.boundingSphere!.center);
    expect(between).toBeLessThan(1e-6);
  });
});

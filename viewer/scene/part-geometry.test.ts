import { type BufferGeometry, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { armParts } from './arm-parts.ts';
import { lathe, plug } from './part-geometry.ts';

const corner = (geometry: BufferGeometry, name: string, i: number) =>
  new Vector3().fromBufferAttribute(geometry.attributes[name]!, geometry.index!.getX(i));

/** Facing of the worst triangle relative to its corner normals; 1 is perfect. */
function worstFacing(geometry: BufferGeometry): number {
  let worst = 1;
  for (let i = 0; i < geometry.index!.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(geometry, 'position', i + k));
    const facing = b!.sub(a!).cross(c!.sub(a!)).normalize();
    for (const k of [0, 1, 2])
      worst = Math.min(worst, facing.dot(corner(geometry, 'normal', i + k)));
  }
  return worst;
}

/** Signed volume (mm³) of a closed part; positive if its triangles face outwards. */
function volume(geometry: BufferGeometry): number {
  let sum = 0;
  for (let i = 0; i < geometry.index!.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(geometry, 'position', i + k));
    sum += a!.dot(b!.cross(c!)) / 6;
  }
  return sum * 1e9;
}

it('builds a cylinder of the right volume with outward faces', () => {
  const cylinder = plug(40, 10);
  expect(volume(cylinder) / (Math.PI * 1600 * 10)).toBeCloseTo(1, 1);
  expect(worstFacing(cylinder)).toBeGreaterThan(0.99);
});

it('keeps flat faces flat up to a sharp corner', () => {
  const { normal } = plug(40, 10).attributes;
  const tilted = Array.from({ length: normal!.count }, (_, i) => Math.abs(normal!.getZ(i)));
  expect(tilted.every((z) => z < 1e-9 || z > 1 - 1e-9)).toBe(true);
});

it('rounds a corner with normals between those of its neighbours', () => {
  const rounded = lathe([
    [0, 0],
    [20, 0, 5],
    [20, 30],
  ]);
  const { normal } = rounded.attributes;
  const between = Array.from({ length: normal!.count }, (_, i) => normal!.getZ(i));
  expect(between.some((z) => z < -0.3 && z > -0.95)).toBe(true);
  expect(worstFacing(rounded)).toBeGreaterThan(0.9);
});

it('makes all turned parts of the arm face outwards in at most 13,000 triangles', () => {
  const parts = armParts().map(({ geometry }) => geometry);
  for (const geometry of parts) expect(worstFacing(geometry)).toBeGreaterThan(0.7);
  expect(parts.reduce((sum, { index }) => sum + index!.count / 3, 0)).toBeLessThan(13_000);
});

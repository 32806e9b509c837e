import { describe, expect, it } from 'vitest';
import { SHELLS } from './arm-shells.ts';
import { type DistanceField, roundCone, subtract } from './distance-solids.ts';
import { surfaceNets, type Triangles } from './surface-nets.ts';

const ball: DistanceField = (x, y, z) => Math.sqrt(x * x + y * y + z * z) - 50;
const box = { low: [-60, -60, -60], high: [60, 60, 60] } as const;

function edgeUses(indices: Uint32Array): Map<string, number> {
  const uses = new Map<string, number>();
  for (let t = 0; t < indices.length; t += 3) {
    for (let e = 0; e < 3; e++) {
      const key = `${indices[t + e]}>${indices[t + ((e + 1) % 3)]}`;
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  return uses;
}

/** Signed volume; positive if the triangles face outwards. */
function volume({ positions: p, indices }: Triangles): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
    sum +=
      p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!) +
      p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!) +
      p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!);
  }
  return sum / 6;
}

describe('surface nets', () => {
  it('places every vertex on the surface with an outward normal', () => {
    const { positions, normals } = surfaceNets(ball, box, 8);
    for (let p = 0; p < positions.length; p += 3) {
      const [x, y, z] = [positions[p]!, positions[p + 1]!, positions[p + 2]!];
      expect(Math.hypot(x, y, z)).toBeCloseTo(50, 3);
      const facing = (normals[p]! * x + normals[p + 1]! * y + normals[p + 2]! * z) / 50;
      expect(facing).toBeCloseTo(1, 4);
    }
  });

  it('is closed and faces outwards', () => {
    const mesh = surfaceNets(ball, box, 8);
    const exact = (4 / 3) * Math.PI * 50 ** 3;
    expect(volume(mesh) / exact).toBeGreaterThan(0.97);
    expect(volume(mesh) / exact).toBeLessThan(1);
  });

  it('removes the cut part', () => {
    const cut = subtract(2, ball, (_x, _y, z) => -z);
    const { positions } = surfaceNets(cut, box, 8);
    for (let p = 2; p < positions.length; p += 3) expect(positions[p]).toBeLessThan(0.5);
  });
});

describe('a round cone', () => {
  it('is the hull of its two balls', () => {
    const cone = roundCone([0, 0, 0], 10, [0, 0, 40], 5);
    expect(cone(0, 0, -10)).toBeCloseTo(0, 9);
    expect(cone(0, 0, 45)).toBeCloseTo(0, 9);
    expect(cone(0, 0, 20)).toBeLessThan(-7);
    expect(cone(100, 0, 20)).toBeGreaterThan(90);
  });
});

describe.each(SHELLS)('the shell of link $link', ({ solid, low, high }) => {
  const mesh = surfaceNets(solid, { low, high }, 8);

  it('is closed: every edge is used once in each direction', () => {
    const uses = edgeUses(mesh.indices);
    let open = 0;
    for (const [key, count] of uses) {
      const [a, b] = key.split('>');
      if (uses.get(`${b}>${a}`) !== count) open++;
    }
    expect(open).toBe(0);
    expect(volume(mesh)).toBeGreaterThan(0);
  });

  it('lies inside its box with a margin of one cell', () => {
    for (let p = 0; p < mesh.positions.length; p++) {
      const axis = p % 3;
      expect(mesh.positions[p]).toBeGreaterThan(low[axis]! + 1);
      expect(mesh.positions[p]).toBeLessThan(high[axis]! - 1);
    }
  });
});

it('needs at most 45,000 triangles for the five shells at 5 mm', () => {
  let triangles = 0;
  for (const { solid, low, high } of SHELLS) {
    triangles += surfaceNets(solid, { low, high }, 5).indices.length / 3;
  }
  expect(triangles).toBeGreaterThan(20_000);
  expect(triangles).toBeLessThan(45_000);
});

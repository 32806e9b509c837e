import { describe, expect, it } from 'vitest';
import { createPrng } from '../math/prng.ts';
import { poseAt, randomJoints } from './joint-samples.cases.ts';
import { polynomial, rootsInUnit, unitRoots } from './quartic-roots.ts';
import { backWindows, findWindows, frontWindows, type Windows } from './reach-windows.ts';
import { isWithinReach } from './solution-search.ts';
import { FLANGE_TOOL } from './tool.ts';
import {
  closingCondition,
  ELBOW_SQUARE,
  evaluateCondition,
  PHI,
  setTarget,
} from './wrist-condition.ts';

function holds(windows: Windows, phi: number): boolean {
  if (windows.full) return true;
  for (let i = 0; i < windows.count; i++) {
    for (const turn of [0, 2 * Math.PI, -2 * Math.PI]) {
      if (phi + turn >= windows.start[i]! && phi + turn <= windows.end[i]!) return true;
    }
  }
  return false;
}

describe('reach windows', () => {
  it('contain exactly the phi where the elbow closes', () => {
    const random = createPrng(71);
    const wrong: number[] = [];
    for (let n = 0; n < 300; n++) {
      setTarget(poseAt(randomJoints(random)));
      expect(findWindows()).toBe(true);
      for (let i = 0; i < 100; i++) {
        const phi = -Math.PI + (2 * Math.PI * (i + random())) / 100;
        for (const [windows, side] of [
          [frontWindows, 1],
          [backWindows, -1],
        ] as const) {
          closingCondition[PHI] = phi;
          evaluateCondition(side);
          if (Math.abs(closingCondition[ELBOW_SQUARE]!) < 1e-9) continue;
          if (holds(windows, phi) !== closingCondition[ELBOW_SQUARE]! > 0) wrong.push(n);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
  it('are none out of reach', () => {
    const far = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0.3);
    expect(isWithinReach(far, FLANGE_TOOL)).toBe(false);
    expect(isWithinReach(poseAt(new Float64Array(6)), FLANGE_TOOL)).toBe(true);
  });
});

describe('quartic roots in the unit interval', () => {
  function rootsOf(roots: number[]): number[] {
    let coefficients = [1];
    for (const root of roots) {
      const shifted = [0, ...coefficients];
      coefficients = shifted.map((c, i) => c - root * (coefficients[i] ?? 0));
    }
    polynomial.fill(0);
    polynomial.set(coefficients);
    return Array.from(unitRoots.subarray(0, rootsInUnit())).sort((a, b) => a - b);
  }
  it.each([
    [[-0.9, -0.2, 0.3, 0.8]],
    [[-0.1, 0.1, 5, -7]],
    [[0.2, 0.2001, -0.7, 3]],
    [[-0.5, 0.25, 0.75, 40]],
  ])('%j', (roots) => {
    const inside = roots.filter((x) => Math.abs(x) < 1).sort((a, b) => a - b);
    const found = rootsOf(roots);
    expect(found.length).toBe(inside.length);
    found.forEach((x, i) => {
      expect(x).toBeCloseTo(inside[i]!, 9);
    });
  });
  it('list a double root twice, as an empty window', () => {
    const found = rootsOf([0.3, 0.3, 4, 5]);
    expect(found.length).toBeGreaterThanOrEqual(2);
    for (const x of found) expect(x).toBeCloseTo(0.3, 5);
  });
  it('follow random roots', () => {
    const random = createPrng(72);
    for (let n = 0; n < 2000; n++) {
      const roots = Array.from({ length: 4 }, () => 4 * random() - 2);
      const inside = roots.filter((x) => Math.abs(x) < 1).sort((a, b) => a - b);
      const gap = Math.min(
        ...roots.flatMap((x, i) => roots.slice(i + 1).map((y) => Math.abs(x - y))),
      );
      if (gap < 1e-3 || roots.some((x) => Math.abs(Math.abs(x) - 1) < 1e-9)) continue;
      const found = rootsOf(roots);
      expect(found.length).toBe(inside.length);
      found.forEach((x, i) => {
        expect(Math.abs(x - inside[i]!)).toBeLessThan(1e-9);
      });
    }
  });
});

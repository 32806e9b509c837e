import { expect, it } from 'vitest';
import { snapAmount } from './handle-kinds.ts';

it.each([
  ['move', 0.01249, 0.012],
  ['move', -0.0006, -0.001],
  ['turn', 0.05, (3 * Math.PI) / 180],
] as const)('snaps a %s of %d to %d', (kind, amount, wanted) => {
  expect(snapAmount(kind, amount)).toBeCloseTo(wanted, 12);
});

/**
 * kill -9 during saves: no acknowledged change is lost. The slow test does it 200 times.
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import { killAtSteps, killRepeatedly } from './kill-writer.cases.ts';

it('loses nothing acknowledged in 3 kills', async () => {
  const { lost, acknowledged } = await killRepeatedly(3);
  expect(lost).toEqual([]);
  // The rounds are killed 0, 1 and 2 acknowledgements after the start, or later.
  expect(acknowledged).toBeGreaterThanOrEqual(0 + 1 + 2);
});

it('loses nothing acknowledged when killed at exactly each step of a write', async () => {
  const { lost, acknowledged } = await killAtSteps([0, 2, 7]);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThan(5);
});

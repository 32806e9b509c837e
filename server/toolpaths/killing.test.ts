/** kill -9 in a loop of saves: everything acknowledged is there afterwards (200 times: slow). */
import { expect, it } from 'vitest';
import { killAtSteps, killRepeatedly } from './killing.cases.ts';

it('loses nothing acknowledged in 10 kills', async () => {
  const { lost, acknowledged } = await killRepeatedly(10);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThan(10);
});

it('loses nothing acknowledged when killed at exactly each step of a write', async () => {
  const { lost, acknowledged } = await killAtSteps([0, 1, 4]);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThan(5);
});

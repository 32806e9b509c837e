/** The fit of captures on arms with hidden parameters: ten arms, MuJoCo as the arm. */
import { expect, it } from 'vitest';
import { judgeFit, judgeRecorded, missesGoal } from './fit-judge.ts';

const SEED = 20261122;

it('brings durations, friction and load of ten hidden arms to their goals', async () => {
  const missed = [];
  for (let i = 0; i < 10; i++) {
    const outcome = await judgeFit(SEED + 7919 * i);
    expect(outcome.before, 'the arms differ from the model').toBeGreaterThan(0.05);
    if (missesGoal(outcome)) missed.push(outcome);
  }
  expect(missed).toEqual([]);
}, 900_000);

it('fits an arm that is recorded over a line that is cut and falls silent', async () => {
  const cuts = [
    { from_s: 21, to_s: 24, how: 'close' },
    { from_s: 40, to_s: 42.3, how: 'close' },
    { from_s: 55, to_s: 63, how: 'silent' },
  ] as const;
  const outcome = await judgeRecorded(SEED, { cuts, pace: 1, captured: 36 });
  expect(outcome.losses).toBe(cuts.length);
  expect(outcome.lost_s).toBeGreaterThan(13);
  expect(outcome.lost_s).toBeLessThan(30);
  expect(outcome.before).toBeGreaterThan(0.05);
  expect(outcome.after).toBeLessThan(0.02);
}, 300_000);

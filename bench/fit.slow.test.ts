/** The fit of captures on arms with hidden parameters: ten arms, MuJoCo as the arm. */
import { expect, it } from 'vitest';
import { judgeFit, missesGoal } from './fit-judge.ts';

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

/** kill -9 during saves, 200 times: no acknowledged change is lost. */
import { expect, it } from 'vitest';
import { killRepeatedly } from './kill-writer.cases.ts';

it('loses nothing acknowledged in 200 kills', async () => {
  const { lost, acknowledged } = await killRepeatedly(200);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThan(200);
});

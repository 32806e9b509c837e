/** kill -9 in a loop of saves, 200 times: everything acknowledged is there afterwards. */
import { expect, it } from 'vitest';
import { killRepeatedly } from './killing.cases.ts';

it('loses nothing acknowledged in 200 kills', async () => {
  const { lost, acknowledged } = await killRepeatedly(200);
  expect(lost).toEqual([]);
  expect(acknowledged).toBeGreaterThan(200);
});

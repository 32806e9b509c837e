/** The same with the test runner of Node: docs/testing.md shows it. */
import assert from 'node:assert';
import { test } from 'node:test';
import { useStage } from '../index.ts';

test('the arm arrives, and no later than it says', async (context) => {
  const { twin, arm } = await useStage(context);
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0], time: 4 });
  assert.equal(await twin.until('ready', 10), true);
  assert.ok(twin.now_s() < 4.1);
});

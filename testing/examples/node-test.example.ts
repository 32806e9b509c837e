/** The same with the test runner of Node, shown in docs/testing.md. */
import assert from 'node:assert';
import { test } from 'node:test';
import { useTwinFixture } from '../index.ts';

test('the arm arrives within the requested time', async (context) => {
  const { twin, arm } = await useTwinFixture(context);
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0], time: 4 });
  assert.equal(await twin.until('ready', 10), true);
  assert.ok(twin.now_s() < 4.1);
});

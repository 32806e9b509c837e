/** A test file as a user writes one: docs/testing.md shows it. */
import { readFileSync } from 'node:fs';
import { test as base, expect } from 'vitest';
import { stageFixture, type TwinMatchers, twinMatchers } from '../index.ts';

declare module 'vitest' {
  interface Matchers<T> extends TwinMatchers<T> {}
}

expect.extend(twinMatchers);
const test = base.extend(stageFixture());
const toolpath = JSON.parse(readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'));

test('an emergency stop ends the run', async ({ stage }) => {
  const { twin, arm } = stage;
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath });
  const events = await stage.listen();
  await arm.run({ mode: 'automatic', loop: 0 });
  await stage.advance(50);
  await arm.setEmergencyStop({ engaged: true });
  await stage.advance(1);
  expect(twin).toBeInState('disabled');
  expect(events).toAnnounceStates(['running', 'disabled']);
});

test('a joint that overheats leads to error, and back once it has cooled', async ({ stage }) => {
  const { twin, arm } = stage;
  await arm.takeLock();
  const { fault } = await arm.addFault({ kind: 'driver', joint: 2, fault: 'overheated' });
  await stage.advance(0.1);
  expect(twin).toBeInState('error');
  await arm.clearFault({ fault_id: fault.id });
  await arm.resetErrors();
  expect(twin).toBeInState('ready');
});

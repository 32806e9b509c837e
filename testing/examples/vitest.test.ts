/** A Vitest file of a user of the package, shown in docs/testing.md. */
import { createRequire } from 'node:module';
import { test as base, expect } from 'vitest';
import { type TwinMatchers, twinMatchers, vitestFixture } from '../index.ts';

declare module 'vitest' {
  interface Matchers<T> extends TwinMatchers<T> {}
}

expect.extend(twinMatchers);
const test = base.extend(vitestFixture());
const toolpath = createRequire(import.meta.url)('armtwin/fixtures/toolpaths/pick-and-place.json');

test('an emergency stop ends the run', async ({ fixture }) => {
  const { twin, arm } = fixture;
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath });
  const events = await fixture.listen();
  await arm.run({ mode: 'automatic', loop: 0 });
  await fixture.advance(50);
  await arm.setEmergencyStop({ engaged: true });
  await fixture.advance(1);
  expect(twin).toBeInState('disabled');
  expect(events).toAnnounceStates(['running', 'disabled']);
});

test('an overheated joint leads to error until it is cleared', async ({ fixture }) => {
  const { twin, arm } = fixture;
  await arm.takeLock();
  const { fault } = await arm.addFault({ kind: 'driver', joint: 2, fault: 'overheated' });
  await fixture.advance(0.1);
  expect(twin).toBeInState('error');
  await arm.clearFault({ fault_id: fault.id });
  await arm.resetErrors();
  expect(twin).toBeInState('ready');
});

/** Calls that are answered once the arm stands, where the clock is stopped meanwhile (D29). */
import { expect, it } from 'vitest';
import { sampleToolpath } from '../../../conformance/samples/sample-toolpath.ts';
import { limits } from '../../../contract/limits.ts';
import { ROUTES } from '../../../contract/routes.ts';
import type { ClockBody } from '../../../contract/types.generated.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';

const POSES = [
  [0, 0.5, -1.7, 0, -1.2, 0],
  [0.8, 0.5, -1.7, 0, -1.2, 0],
] as [
  [number, number, number, number, number, number],
  [number, number, number, number, number, number],
];

it('calls that wait for the arm have its time at a slow pace', () => {
  const waiting = ROUTES.filter(({ id }) =>
    ['pause', 'cancel', 'resetErrors', 'acknowledgeCollision'].includes(id),
  );
  expect(waiting.map(({ timeout_s }) => timeout_s)).toEqual(Array(4).fill(limits.call_advance_s));
});

it.each<ClockBody>([{ paused: true }, { pace: 'stepped' }])(
  'a pause is answered when the clock is set to %j while the arm brakes',
  async (change) => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'There', toolpath: sampleToolpath(POSES) });
      await arm.run({ mode: 'automatic', loop: 1 });
      await twin.advance(0.5);
      // Braking takes several seconds of wall time at this pace.
      await arm.setClock({ pace: 0.01 });
      const pausing = arm.pause();
      await arm.getSnapshot();
      const { tick } = await arm.setClock(change);
      await pausing;
      const { state } = await arm.getStatus();
      expect([state, (await arm.getClock()).tick]).toEqual(['paused', tick]);
    });
  },
);

/**
 * Delayed replies and plans do not survive the twin.
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import type { Joints } from '../../../contract/types.generated.ts';
import { withTwinClient } from './twin-client.cases.ts';

/** Timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('leaves no timer that keeps the process alive after the twin is closed', async () => {
  const before = timers();
  await withTwinClient({}, async ({ arm }) => {
    const delay_s = 600;
    await arm.addFault({ kind: 'slow_planner', delay_s });
    await arm.addFault({ kind: 'reply', effect: 'delay', delay_s, path: '/api/v1/name' });
    await arm.takeLock();
    const joints: Joints = [0.1, 0, 0, 0, 0, 0];
    void arm.goTo({ mode: 'automatic', joints, time: 1 }).catch(() => {});
    void arm.getName().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  expect(timers()).toBeLessThanOrEqual(before);
});

/** Replies and plans that are held back: nothing of it outlives the twin. */
import { expect, it } from 'vitest';
import type { Joints } from '../../contract/types.ts';
import { onStage } from './sim.cases.ts';

/** Timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('keeps nobody waiting after the end of the twin', async () => {
  const before = timers();
  await onStage({}, async ({ arm }) => {
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

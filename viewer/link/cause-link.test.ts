/** The cause of a stop for a user without simulation control. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { success } from '../../contract/result.ts';
import type { RobotStateName } from '../../contract/types.generated.ts';
import type { ArmCalls } from './arm-calls.ts';
import { ArmStore } from './arm-store.ts';
import { followCause } from './cause-link.ts';
import { mergeChanges } from './merge-changes.ts';
import { EMPTY_SIM, SNAPSHOT, STATUS } from './snapshot.cases.ts';

let arm: ArmStore;
let asked: number;
beforeEach(() => {
  vi.useFakeTimers();
  [arm, asked] = [new ArmStore(), 0];
  const client = {
    getStatus: async () => {
      asked += 1;
      return { ...STATUS, state: 'error' as const, error: 'J4 is too hot' };
    },
    listContacts: async () => ({ contacts: [], force_limits: [], note: '' }),
  };
  const call: ArmCalls['call'] = async (act) => success(await act(client as object as ArmClient));
  followCause(arm, { call });
});
afterEach(() => vi.useRealTimers());

/** The stream says that the robot is in a state. */
async function hear(state: RobotStateName): Promise<void> {
  arm.set({
    ...{ link: 'live', driver: 'fast' },
    snapshot: mergeChanges(SNAPSHOT, { control: { state } }),
  });
  await vi.advanceTimersByTimeAsync(0);
}

it('is asked for when the robot has stopped, and forgotten when it goes on', async () => {
  await hear('running');
  await vi.advanceTimersByTimeAsync(5000);
  expect([asked, arm.view().cause]).toEqual([0, null]);
  await hear('error');
  expect(arm.view().cause?.status.error).toBe('J4 is too hot');
  const first = arm.view().cause;
  await vi.advanceTimersByTimeAsync(1000);
  expect([asked, arm.view().cause]).toEqual([2, first]);
  await hear('ready');
  expect(arm.view().cause).toBeNull();
});

it.each([
  ['an admin, who has it already', { sim: EMPTY_SIM }],
  ['an arm that is no twin', { driver: 'upstream' }],
])('is not asked for by %s', async (_whose, patch) => {
  await hear('running');
  arm.set({ ...patch, snapshot: mergeChanges(SNAPSHOT, { control: { state: 'error' } }) });
  await vi.advanceTimersByTimeAsync(3000);
  expect([asked, arm.view().cause]).toEqual([0, null]);
});

/** Tests as a user would write them, and a run of all in any order that leaves nothing over. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { sampleToolpath } from '../contract/rules/samples.ts';
import type { Joints } from '../contract/types.ts';
import { statesIn, twinMatchers } from './matchers.ts';
import { openStage, type Stage } from './stage.ts';

const POSES: readonly Joints[] = [
  [0, 0.5, -1.7, 0, -1.2, 0],
  [0.6, 0.5, -1.7, 0, -1.2, 0],
];

/** Tests as a user would write them, each on a stage of its own. */
const STORIES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'log in, use, run, let time pass, stop'({ twin, arm, advance, listen }) {
    await arm.takeLock();
    await arm.useUnsavedToolpath({ toolpath: sampleToolpath(POSES) });
    const events = await listen();
    await arm.run({ mode: 'automatic', loop: 0 });
    await advance(50);
    await arm.setEmergencyStop({ engaged: true });
    await advance(1);
    expect(statesIn(events)).toEqual(['running', 'disabled']);
    expect(twinMatchers.toBeInState(twin, 'disabled').pass).toBe(true);
  },
  async 'a motion arrives'({ twin, arm }) {
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] });
    expect(await twin.until('ready', 20)).toBe(true);
    expect(twinMatchers.toStandAt(twin, [0.2, 0, 0, 0, 0, 0]).pass).toBe(true);
  },
  async 'a fault and the way back'({ arm, advance, listen }) {
    const events = await listen();
    await arm.takeLock();
    await arm.addFault({ kind: 'driver', joint: 0, fault: 'lost' });
    await advance(0.1);
    await arm.clearFaults();
    await arm.resetErrors();
    await advance(0.1);
    expect(twinMatchers.toAnnounceStates(events, ['error', 'ready']).pass).toBe(true);
  },
  async 'a reset in the middle'({ twin, arm }) {
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [0.2, 0, 0, 0, 0, 0] });
    await twin.advance(0.3);
    await arm.resetTwin({});
    expect(twin.now_s()).toBe(0);
    expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
  },
};

/** Timers and sockets that keep a process alive, and how many of each. */
function handles(): string[] {
  const kinds = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'FSReqCallback'];
  return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind));
}

/** Runs all stories so many times, each time in another order and on twins of their own. */
export async function tellInAnyOrder(rounds: number): Promise<void> {
  // A twin that stays keeps the planning threads, which all twins of a process share.
  const warm = await openStage();
  await STORIES['log in, use, run, let time pass, stop']!(warm);
  const before = handles().length;
  const names = Object.keys(STORIES);
  const order = fc.shuffledSubarray(names, { minLength: names.length });
  const tell = async (chosen: readonly string[]) => {
    for (const name of chosen) {
      const stage = await openStage();
      await STORIES[name]!(stage).finally(() => stage.close());
    }
  };
  await fc.assert(fc.asyncProperty(order, tell), { numRuns: rounds });
  await expect.poll(() => handles().length, { timeout: 3000 }).toBeLessThanOrEqual(before);
  await warm.close();
  await expect.poll(handles, { timeout: 3000 }).toEqual([]);
}

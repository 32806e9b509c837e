/**
 * Test scenarios as users of the package write them, and a run of all in random order that checks
 * for open handles.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { sampleToolpath } from '../conformance/samples/sample-toolpath.ts';
import type { Joints } from '../contract/types.generated.ts';
import { statesIn, twinMatchers } from './matchers.ts';
import { openTwinFixture, type TwinFixture } from './twin-fixture.ts';

const POSES: readonly Joints[] = [
  [0, 0.5, -1.7, 0, -1.2, 0],
  [0.6, 0.5, -1.7, 0, -1.2, 0],
];

/** Each scenario runs on its own fixture. */
const SCENARIOS: Readonly<Record<string, (fixture: TwinFixture) => Promise<void>>> = {
  async 'log in, use, run, advance, stop'({ twin, arm, advance, listen }) {
    await arm.takeLock();
    await arm.useUnsavedToolpath({ toolpath: sampleToolpath(POSES) });
    const events = await listen();
    await arm.run({ mode: 'automatic', loop: 0 });
    await advance(3);
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
  async 'a fault and its recovery'({ arm, advance, listen }) {
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

/** Timers and sockets that keep the process alive. */
function handles(): string[] {
  const kinds = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'FSReqCallback'];
  return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind));
}

/** Runs all scenarios `rounds` times, each time in another order and on new twins. */
export async function runInRandomOrder(rounds: number): Promise<void> {
  // A twin that stays open keeps the planning threads, which all twins of a process share.
  const warm = await openTwinFixture();
  await SCENARIOS['log in, use, run, advance, stop']!(warm);
  const before = handles().length;
  const names = Object.keys(SCENARIOS);
  const order = fc.shuffledSubarray(names, { minLength: names.length });
  const run = async (chosen: readonly string[]) => {
    for (const name of chosen) {
      const fixture = await openTwinFixture();
      await SCENARIOS[name]!(fixture).finally(() => fixture.close());
    }
  };
  await fc.assert(fc.asyncProperty(order, run), { numRuns: rounds });
  await expect.poll(() => handles().length, { timeout: 3000 }).toBeLessThanOrEqual(before);
  await warm.close();
  await expect.poll(handles, { timeout: 3000 }).toEqual([]);
}

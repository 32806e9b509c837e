/** The helpers as a user meets them: a story in any order, twenty times, with nothing left over. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleToolpath } from '../contract/rules/samples.ts';
import type { Joints } from '../contract/types.ts';
import { stageFixture, useStage } from './fixtures.ts';
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

describe('stages', () => {
  it('bear a test file twenty times in random order, and leave nothing over', async () => {
    // A twin that stays keeps the planning threads, which all twins of a process share.
    const warm = await openStage();
    await STORIES['log in, use, run, let time pass, stop']!(warm);
    const before = handles().length;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(STORIES), { minLength: Object.keys(STORIES).length }),
        async (order) => {
          for (const name of order) {
            const stage = await openStage();
            try {
              await STORIES[name]!(stage);
            } finally {
              await stage.close();
            }
          }
        },
      ),
      { numRuns: 20 },
    );
    await expect.poll(() => handles().length, { timeout: 3000 }).toBeLessThanOrEqual(before);
    await warm.close();
    await expect.poll(handles, { timeout: 3000 }).toEqual([]);
  }, 120_000);

  it('stand side by side in one process', async () => {
    const stages = await Promise.all(Array.from({ length: 5 }, () => openStage()));
    expect(new Set(stages.map(({ twin }) => twin.port)).size).toBe(5);
    await stages[0]!.arm.setEmergencyStop({ engaged: true });
    expect(twinMatchers.toBeInState(stages[1]!.twin, 'ready').pass).toBe(true);
    await Promise.all(stages.map((stage) => stage.close()));
  });
});

describe('fixtures', () => {
  it('close the stage when the test is over, also when it fails', async () => {
    let url = '';
    const { stage } = stageFixture();
    const failing = stage({ task: null }, async ({ twin }) => {
      url = twin.url;
      throw new Error('the test fails');
    });
    await expect(failing).rejects.toThrow('the test fails');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('close the stage of node:test by its own hook', async () => {
    const hooks: (() => Promise<void>)[] = [];
    const { twin } = await useStage({ after: (clean) => hooks.push(clean) });
    for (const hook of hooks) await hook();
    await expect(fetch(twin.url)).rejects.toThrow();
  });
});

describe('matchers', () => {
  it('say what was seen when they fail', async () => {
    const stage = await openStage();
    const { twin } = stage;
    expect(twinMatchers.toBeInState(twin, 'error').message()).toContain('ready');
    expect(twinMatchers.toStandAt(twin, [0, 0, 1, 0, 0, 0]).message()).toContain('joint 2');
    expect(twinMatchers.toAnnounceStates([], ['ready'])).toMatchObject({ pass: false });
    await stage.close();
  });
});

/** The helpers as a user meets them: a story in any order, twenty times, with nothing left over. */
import { describe, expect, it } from 'vitest';
import { stageFixture, useStage } from './fixtures.ts';
import { twinMatchers } from './matchers.ts';
import { openStage } from './stage.ts';
import { tellInAnyOrder } from './stories.cases.ts';

describe('stages', () => {
  it('bear a test file twenty times in random order, and leave nothing over', async () => {
    await tellInAnyOrder(20);
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

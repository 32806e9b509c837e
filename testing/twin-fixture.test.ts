/** The fixture as users of the package use it; the slow tests run scenarios in random orders. */
import { describe, expect, it } from 'vitest';
import { openTwinFixture, twinMatchers, useTwinFixture, vitestFixture } from './twin-fixture.ts';

describe('the twin fixture', () => {
  it('runs several times in one process', async () => {
    const fixtures = await Promise.all(Array.from({ length: 5 }, () => openTwinFixture()));
    expect(new Set(fixtures.map(({ twin }) => twin.port)).size).toBe(5);
    await fixtures[0]!.arm.setEmergencyStop({ engaged: true });
    expect(twinMatchers.toBeInState(fixtures[1]!.twin, 'ready').pass).toBe(true);
    await Promise.all(fixtures.map((fixture) => fixture.close()));
  });
});

describe('adapters of the fixture', () => {
  it('close it after the test, also after a failure', async () => {
    let url = '';
    const { fixture } = vitestFixture();
    const failing = fixture({ task: null }, async ({ twin }) => {
      url = twin.url;
      throw new Error('the test fails');
    });
    await expect(failing).rejects.toThrow('the test fails');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('close it by the after hook of node:test', async () => {
    const hooks: (() => Promise<void>)[] = [];
    const { twin } = await useTwinFixture({ after: (cleanUp) => hooks.push(cleanUp) });
    for (const hook of hooks) await hook();
    await expect(fetch(twin.url)).rejects.toThrow();
  });
});

describe('matchers', () => {
  it('report the actual value when they fail', async () => {
    const fixture = await openTwinFixture();
    const { twin } = fixture;
    expect(twinMatchers.toBeInState(twin, 'error').message()).toContain('ready');
    expect(twinMatchers.toStandAt(twin, [0, 0, 1, 0, 0, 0]).message()).toContain('J3');
    expect(twinMatchers.toAnnounceStates([], ['ready'])).toMatchObject({ pass: false });
    // @ts-expect-error not a state of the robot
    await expect(twin.until('redy', 0.01)).rejects.toThrow('did you mean ready');
    await fixture.close();
  });

  it('throw for what can never hold: a matcher after `not` would hold by mistake', async () => {
    const fixture = await openTwinFixture();
    const { twin } = fixture;
    // @ts-expect-error not a state of the robot
    expect(() => twinMatchers.toBeInState(twin, 'moving')).toThrow('moving is no state');
    // @ts-expect-error not a state of the robot
    expect(() => twinMatchers.toAnnounceStates([], ['moving'])).toThrow('moving is no state');
    expect(() => twinMatchers.toStandAt(twin, [0, 0, 0])).toThrow('6 joints, not 3');
    for (const wrong of [fixture, null, 'twin']) {
      // @ts-expect-error not a twin
      expect(() => twinMatchers.toBeInState(wrong, 'ready')).toThrow('takes a twin');
      // @ts-expect-error not a twin
      expect(() => twinMatchers.toHold(wrong, 'gripper', 'part')).toThrow('takes a twin');
      // @ts-expect-error not a twin
      expect(() => twinMatchers.toStandAt(wrong, [])).toThrow('takes a twin');
    }
    // @ts-expect-error not a list of events
    expect(() => twinMatchers.toAnnounceStates(twin, ['ready'])).toThrow('takes the list');
    await fixture.close();
  });
});

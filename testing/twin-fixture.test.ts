/**
 * The fixture as users of the package use it; the slow tests run scenarios in random orders.
 * @module-tag ci
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RobotEvent } from '../contract/types.generated.ts';
import { statesIn, type TwinMatchers, twinMatchers } from './matchers.ts';
import {
  openTwinFixture,
  type TwinFixture,
  useTwinFixture,
  vitestFixture,
} from './twin-fixture.ts';

expect.extend(twinMatchers);

function fixtureFile(path: string) {
  return JSON.parse(readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8'));
}

describe('the twin fixture', () => {
  it('runs several times in one process', async () => {
    const fixtures = await Promise.all(Array.from({ length: 5 }, () => openTwinFixture()));
    expect(new Set(fixtures.map(({ twin }) => twin.port)).size).toBe(5);
    await fixtures[0]!.arm.setEmergencyStop({ engaged: true });
    expect(twinMatchers.toBeInState(fixtures[1]!.twin, 'ready').pass).toBe(true);
    await Promise.all(fixtures.map((fixture) => fixture.close()));
  });
});

describe('listen', () => {
  /** What may end the session of the fixture's client. */
  const ends: Record<string, (fixture: TwinFixture) => Promise<unknown>> = {
    'half an hour': ({ advance }) => advance(1801),
    'a power cycle': async ({ arm, advance }) => {
      await arm.cyclePower();
      await advance(60);
    },
    'a log-out': ({ arm }) => arm.endSession(),
    'a reset': ({ arm }) => arm.resetTwin({}),
  };

  it.each(Object.entries(ends))('goes on after %s', async (_name, end) => {
    const fixture = await openTwinFixture();
    const { arm, twin } = fixture;
    const events = await fixture.listen();
    await end(fixture);
    const before = events.length;
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [0.3, 0, 0, 0, 0, 0] });
    await twin.until('ready', 20);
    expect(statesIn(events.slice(before))).toEqual(['running', 'ready']);
    const lock = { owner: 'you', status: 'locked' };
    expect(events.slice(before)).toContainEqual({ type: 'lock_status', lock });
    await fixture.close();
    await expect(fixture.listen()).rejects.toThrow('The twin is closed');
    await expect(fixture.advance(1)).rejects.toThrow('The twin is closed');
    expect(() => twinMatchers.toBeInState(twin, 'running')).toThrow('The twin is closed');
  });

  it('has the events of the stream, in order', async () => {
    const fixture = await openTwinFixture();
    const { arm } = fixture;
    const streamed: RobotEvent[] = [];
    await arm.events({ onEvent: (event) => streamed.push(event) }).opened;
    const events = await fixture.listen();
    await arm.takeLock();
    await arm.createUser({ email: 'u@x.org', password: 'a long and good one' });
    await arm.goTo({ mode: 'automatic', joints: [0.3, 0, 0, 0, 0, 0] });
    await fixture.advance(5);
    expect(events.length).toBeGreaterThan(20);
    expect(events).toEqual(streamed);
    await fixture.close();
  });
});

it('closes with the fixture what its client started', async () => {
  const fixture = await openTwinFixture();
  const { arm } = fixture;
  const statuses: string[] = [];
  const onStatus = (status: string) => statuses.push(status);
  await arm.events({ onEvent: () => {}, reconnect: true, onStatus }).opened;
  const lock = await arm.keepLock();
  await fixture.close();
  expect([lock.held, statuses.at(-1)]).toEqual([false, 'closed']);
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

describe('useTwinFixture', () => {
  it.each([undefined, null, {}, 'a test'])('refuses %o as a context', async (context) => {
    // @ts-expect-error no context of a test
    await expect(useTwinFixture(context)).rejects.toThrow('needs the context of a test');
  });
});

describe('matchers', () => {
  it('report the actual value when they fail', async () => {
    const fixture = await openTwinFixture();
    const { twin } = fixture;
    expect(twinMatchers.toBeInState(twin, 'error').message()).toContain('ready');
    expect(twinMatchers.toStandAt(twin, [0, 0, 0.5, 0, 0, 0]).message()).toContain('J3');
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

  it('say what carries an object, and that it fell off', async () => {
    const cell = fixtureFile('cells/trays.json');
    const fixture = await openTwinFixture({ cell });
    const part = fixture.twin.cellObject('part 1')!;
    const fell = {
      kind: 'fell_off',
      at_s: 1,
      text: 'part 1 fell off plate: it slid over the edge',
    };
    const sourceOf = (carriedBy: string | null, events: readonly object[]) => ({
      cellObject: () => ({ ...part, carriedBy, events: events as typeof part.events }),
    });
    const carried = sourceOf('gripper', []);
    expect(twinMatchers.toCarry(carried, 'gripper', 'part 1').pass).toBe(true);
    expect(twinMatchers.toHaveDropped(carried, 'part 1').pass).toBe(false);
    const lost = sourceOf(null, [fell]);
    const { pass, message } = twinMatchers.toCarry(lost, 'gripper', 'part 1');
    expect(pass).toBe(false);
    expect(message()).toContain('it slid over the edge at 1.00 s');
    expect(twinMatchers.toHaveDropped(lost, 'part 1').pass).toBe(true);
    await fixture.close();
  });

  it('check every argument, also after `not`', async () => {
    const fixture = await openTwinFixture({ cell: fixtureFile('cells/trays.json') });
    const { twin } = fixture;
    // As plain JavaScript calls them, with and without `not`.
    const calls = (subject: unknown, name: string, given: unknown[]) => {
      const plain: object = expect(subject);
      const negated: object = Reflect.get(plain, 'not');
      return [plain, negated].map((one) => () => Reflect.apply(Reflect.get(one, name), one, given));
    };
    const rest = [0, 0, 0, 0, 0];
    const wrong: [unknown, keyof TwinMatchers, unknown[], string][] = [
      [twin, 'toBeInState', [], 'undefined is no state'],
      [twin, 'toBeInState', ['ready', 1], 'toBeInState takes at most 1 arguments'],
      [twin, 'toStandAt', [[Number.NaN, ...rest]], 'J1 needs a number of radians, not NaN'],
      [twin, 'toStandAt', [['0', ...rest]], 'J1 needs a number of radians, not “0”'],
      [twin, 'toStandAt', [[...rest, null]], 'J6 needs a number of radians, not null'],
      [twin, 'toStandAt', [[90, ...rest]], 'J1 cannot be at 90: angles are radians'],
      [twin, 'toStandAt', [new Array(6)], 'J1 needs a number of radians, not undefined'],
      [twin, 'toStandAt', [], 'takes a list of angles (rad)'],
      ...[Number.NaN, -1, Number.POSITIVE_INFINITY, 'x', null].map(
        (tolerance): [unknown, keyof TwinMatchers, unknown[], string] => {
          return [twin, 'toStandAt', [[0, ...rest], tolerance], 'takes a tolerance in radians'];
        },
      ),
      [twin, 'toHaveObjectAt', ['part 1', 'A1', 0], 'options such as { within_mm: 1 }, not 0'],
      [twin, 'toHaveObjectAt', ['part 1', 'A1', null], 'options such as { within_mm: 1 }, not nu'],
      [twin, 'toHaveObjectAt', ['part 1', 'A1', { within: 1 }], 'no option “within”'],
      [twin, 'toHaveObjectAt', ['part 1', 'A1', { within_mm: -1 }], 'at least 0'],
      [twin, 'toHaveObjectAt', ['part 1'], 'takes the name of a place, not undefined'],
      [twin, 'toHaveObjectAt', [], 'takes the name of an object, not undefined'],
      [twin, 'toHold', ['gripper'], 'takes the name of an object, not undefined'],
      [twin, 'toHold', [5, 'part 1'], 'takes the name of a gripper, not 5'],
      [twin, 'toCarry', ['gripper'], 'takes the name of an object, not undefined'],
      [twin, 'toCarry', ['hand', 'part 1'], 'the cell has no gripper “hand”'],
      [twin, 'toHaveDropped', [], 'takes the name of an object'],
      [[{}, 1], 'toAnnounceStates', [[]], 'whose entry 0 is no event'],
      [[], 'toAnnounceStates', ['ready'], 'takes a list of states, not “ready”'],
      [[], 'toAnnounceStates', [], 'takes a list of states, not undefined'],
    ];
    for (const [subject, name, given, message] of wrong) {
      for (const call of calls(subject, name, given)) expect(call).toThrow(message);
    }
    for (const name of Object.keys(twinMatchers)) {
      for (const call of calls(null, name, [])) expect(call).toThrow(/takes (a twin|the list)/);
    }
    await fixture.close();
  });
});

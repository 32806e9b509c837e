/** The list of active faults, their rules, and the planner that injects them, without a twin. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import type { AddFaultBody } from '../../../../contract/types.generated.ts';
import type { WallClock } from '../../../clock/wall-clock.ts';
import type { Planner } from '../../../planning/planner.ts';
import { EVERYONE } from '../../stream/audience.ts';
import { undrained } from '../../stream/undrained-socket.cases.ts';
import type { UpdatesParts } from '../../updates/updates.ts';
import { FaultInjectingHub } from './fault-injecting-hub.ts';
import { FaultInjectingPlanner } from './fault-injecting-planner.ts';
import { FaultInjectingUpdates } from './fault-injecting-updates.ts';
import type { FaultReporter, FaultTable } from './fault-kind.ts';
import { createFaultTable } from './fault-kinds.ts';
import { FaultList } from './fault-list.ts';
import type { FaultPorts } from './fault-ports.ts';
import { FaultRules } from './fault-rules.ts';
import type { MessageFault } from './message-fault.ts';

const driver = (joint: number): AddFaultBody => ({ kind: 'driver', joint, fault: 'encoder' });
const gripper = (name: string): AddFaultBody => ({
  kind: 'gripper',
  gripper: name,
  fault: 'jammed',
});
const object = (name: string): AddFaultBody => ({ kind: 'object', object: name, fault: 'missing' });
const sensor = (name: string): AddFaultBody => ({ kind: 'sensor', sensor: name, fault: 'stuck' });
const conveyor = (name: string): AddFaultBody => ({ kind: 'conveyor', conveyor: name });
const noise: AddFaultBody = { kind: 'sensor_noise', position_rad: 0.1 };

/** A list with the kinds of the table, whose faults only note that they began and ended. */
function listOfFaults() {
  const log: string[] = [];
  const reporters: FaultReporter[] = [];
  const produce = (fault: AddFaultBody, reporter: FaultReporter) => {
    const text = Object.values(fault).slice(0, 2).join(' ');
    log.push(`+ ${text}`);
    reporters.push(reporter);
    return () => void log.push(`- ${text}`);
  };
  const rows = Object.entries(createFaultTable({} as FaultPorts));
  const table = Object.fromEntries(rows.map(([kind, row]) => [kind, { ...row, produce }]));
  return { list: new FaultList(table as object as FaultTable), log, reporters };
}

const REPORTER: FaultReporter = { applied: () => {}, expired: () => {} };

const shown = (list: FaultList) => list.list().map(({ id, fault }) => [id, fault]);

describe('the list of faults', () => {
  it.each([
    ['driver', driver(1), driver(2)],
    ['gripper', gripper('a'), gripper('b')],
    ['object', object('a'), object('b')],
    ['sensor', sensor('a'), sensor('b')],
    ['conveyor', conveyor('a'), conveyor('b')],
  ] as const)('has one fault of each part: %s', (_kind, one, other) => {
    const { list, log } = listOfFaults();
    for (const fault of [one, other, one]) list.add(fault);
    expect(shown(list)).toEqual([
      [2, other],
      [3, one],
    ]);
    expect(log.map(([sign]) => sign)).toEqual(['+', '+', '-', '+']);
    expect(log[2]!.slice(1)).toBe(log[0]!.slice(1));
  });

  it('keeps faults of parts of different kinds with the same name, and of no part', () => {
    const { list } = listOfFaults();
    const all = [gripper('a'), object('a'), sensor('a'), conveyor('a'), noise, noise];
    for (const fault of all) list.add(fault);
    expect(shown(list).map(([, fault]) => fault)).toEqual(all);
  });

  it('has at most as many as the limit', () => {
    const { list } = listOfFaults();
    for (let i = 0; i < limits.faults; i++) expect(list.add(noise)).toMatchObject({ id: i + 1 });
    expect(list.add(noise)).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ problem: expect.stringContaining(`already ${limits.faults} faults`) }],
    });
    expect(list.list()).toHaveLength(limits.faults);
    list.clear(1);
    expect(list.add(noise)).toMatchObject({ id: limits.faults + 1 });
  });

  it('ends the fault that is meant, once', () => {
    const { list, log } = listOfFaults();
    for (const joint of [0, 1, 2]) list.add(driver(joint));
    expect([list.clear(2), list.clear(2), list.clear(9)]).toEqual([true, false, false]);
    expect(log.slice(3)).toEqual(['- driver 1']);
    expect(list.list().map(({ id }) => id)).toEqual([1, 3]);
  });

  it('counts effects, and leaves out a fault that is over', () => {
    const { list, log, reporters } = listOfFaults();
    list.add(noise);
    list.add(driver(0));
    reporters[0]!.applied();
    reporters[0]!.applied();
    expect(list.list().map(({ acted }) => acted)).toEqual([2, 0]);
    reporters[0]!.expired();
    expect(list.list().map(({ id }) => id)).toEqual([2]);
    expect(log.at(-1)).toBe('- sensor_noise 0.1');
  });

  it('ends the faults of the parts of a cell, and no others, when the cell is replaced', () => {
    const { list } = listOfFaults();
    const kept = [driver(0), noise];
    for (const fault of [gripper('a'), driver(0), object('a'), sensor('a'), noise, conveyor('a')]) {
      list.add(fault);
    }
    list.clearCell();
    expect(list.list().map(({ fault }) => fault)).toEqual(kept);
  });

  it('is replaced with the ids kept and the counts at 0; new ids go on', () => {
    const { list, log } = listOfFaults();
    list.add(noise);
    list.replaceAll([
      { id: 7, fault: driver(3), acted: 5 },
      { id: 4, fault: noise, acted: 1 },
    ]);
    expect(log.slice(1)).toEqual(['- sensor_noise 0.1', '+ driver 3', '+ sensor_noise 0.1']);
    expect(list.list()).toEqual([
      { id: 7, fault: driver(3), acted: 0 },
      { id: 4, fault: noise, acted: 0 },
    ]);
    expect(list.add(driver(0))).toMatchObject({ id: 8 });
  });
});

describe('rules of faults', () => {
  it('apply in the order in which they were added, each as often as it says', () => {
    const rules = new FaultRules<string, string>();
    const events: string[] = [];
    const reporter = (name: string) => ({
      applied: () => void events.push(`${name} applied`),
      expired: () => {
        events.push(`${name} expired`);
        removeFirst();
      },
    });
    const isA = (event: string) => event === 'a';
    const first = { matches: isA, effect: 'first', times: 2 };
    const removeFirst = rules.add(first, reporter('first'));
    const removeSecond = rules.add({ matches: () => true, effect: 'second' }, reporter('second'));
    expect(['b', 'a', 'a', 'a'].map((event) => rules.match(event))).toEqual([
      'second',
      'first',
      'first',
      'second',
    ]);
    expect(events.filter((text) => text.startsWith('first'))).toEqual([
      'first applied',
      'first applied',
      'first expired',
    ]);
    removeSecond();
    expect(rules.match('b')).toBe(null);
  });
});

describe('the planner that injects faults', () => {
  const waits_ms: number[] = [];
  const wall = {
    afterUnreferenced: (delay_ms: number, callback: () => void) => {
      waits_ms.push(delay_ms);
      callback();
      return () => {};
    },
  } as Partial<WallClock> as WallClock;
  const planned = { build: 'built', load: 'loaded', goTo: 'planned' };
  const inner: Planner = {
    build: async () => planned.build,
    load: async () => planned.load,
    goTo: async () => planned.goTo,
  } as never;

  /** What the three kinds of plans come to with a fault. */
  async function plansWith(effect: { readonly delay_s: number; readonly fails: boolean } | null) {
    waits_ms.length = 0;
    const rules = new FaultRules<null, { readonly delay_s: number; readonly fails: boolean }>();
    if (effect) rules.add({ matches: () => true, effect }, REPORTER);
    const planner = new FaultInjectingPlanner(inner, wall, rules);
    const any = {} as never;
    return [await planner.build(any, any), await planner.load(any), await planner.goTo(any)];
  }

  it('plans at once without a fault', async () => {
    expect(await plansWith(null)).toEqual(Object.values(planned));
    expect(waits_ms).toEqual([]);
  });

  it('plans after a delay', async () => {
    expect(await plansWith({ delay_s: 1.5, fails: false })).toEqual(Object.values(planned));
    expect(waits_ms).toEqual([1500, 1500, 1500]);
  });

  it('fails at once, each plan in its form', async () => {
    const error = 'Planning failed because of an injected fault (generation_error).';
    const outcome = { kind: 'hard', error, code: 'generation_error', path: '' };
    const message = 'Planning failed because of an injected fault';
    const [build, load, goTo] = await plansWith({ delay_s: 0, fails: true });
    expect(build).toEqual({
      outcome,
      json: new TextEncoder().encode(JSON.stringify({ error })),
      trajectory: { error },
    });
    expect(load).toEqual(outcome);
    expect(goTo).toEqual({ ok: false, code: 'generation_error', path: '', message });
    expect(waits_ms).toEqual([]);
  });
});

describe('the hub that injects faults', () => {
  it('sends, drops or delays each message as faults demand', () => {
    const rules = new FaultRules<string, MessageFault>();
    const due: { delay_ms: number; send: () => void }[] = [];
    const wall = {
      afterUnreferenced: (delay_ms: number, send: () => void) => {
        due.push({ delay_ms, send });
        return () => {};
      },
    } as Partial<WallClock> as WallClock;
    const options = { onSubscribersChange: () => {}, lockHolder: () => null };
    const hub = new FaultInjectingHub(options, wall, rules);
    const caller = { user_id: 1, token_id: 1, role: 'admin' } as const;
    const session = { ...caller, created_s: 0, expires_s: 1800 };
    const { socket, subscriber } = undrained({ session, caller });
    hub.add(subscriber);
    rules.add({ matches: (type) => type === 'lock_status', effect: 'drop' }, REPORTER);
    const isUpdate = (type: string) => type === 'update_in_progress';
    rules.add({ matches: isUpdate, effect: { delay_s: 1.5 } }, REPORTER);
    const sent = () => socket.sent.splice(0).map((text) => JSON.parse(text).type);
    hub.publishRobotEvents([
      { kind: 'lock_status', holder: null },
      { kind: 'state_change', changes: {} },
    ]);
    hub.publish({ type: 'update_in_progress', message: 'Installing' }, EVERYONE);
    expect([sent(), due.map(({ delay_ms }) => delay_ms)]).toEqual([['state_change'], [1500]]);
    for (const { send } of due) send();
    expect(sent()).toEqual(['update_in_progress']);
  });
});

describe('updates that can fail', () => {
  it('keep the version and say so where a fault demands it, and install it else', () => {
    const rules = new FaultRules<null, 'fails'>();
    const failed: string[] = [];
    const due: (() => void)[] = [];
    const database = {
      software_version: '4.9.0',
      change: async (edit: (draft: object) => void) => edit(database),
    };
    const parts: UpdatesParts = {
      database,
      loop: { apply: () => null },
      time: { now_s: 0 },
      timers: { at: (_tick: number, finish: () => void) => due.push(finish) },
      sessions: { endWhere: () => {} },
      announce: () => {},
      onUnsaved: () => {},
    } as never;
    const onFailed = (message: string) => void failed.push(message);
    const updates = new FaultInjectingUpdates(parts, { rules, onFailed });
    const install = () => {
      expect(updates.apply('4.10.0')).toBeNull();
      due.shift()?.();
      return database.software_version;
    };
    const remove = rules.add({ matches: () => true, effect: 'fails' }, REPORTER);
    expect(install()).toBe('4.9.0');
    const text = 'Version 4.10.0 was not installed; the previous version remains';
    expect(failed).toEqual([text]);
    remove();
    expect([install(), failed]).toEqual(['4.10.0', [text]]);
  });
});

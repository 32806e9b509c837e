/** Which hook an event fires, row by row of webhooks §2.2, and the JSON text of a body. */

import { describe, expect, it } from 'vitest';
import type { Hook, RunEvent } from '../../contract/types.generated.ts';
import { hookBodyText, hookMatches } from './hook-events.ts';

const parameters = { url: 'http://127.0.0.1:1/' };
const head = { timestamp: '2020-01-01T00:00:00.000Z', run_id: '1' };

function movement(state: 'started' | 'finished' | 'failed', labware_id = 'plate'): RunEvent {
  const body = {
    destination_slot: 2,
    source_slot: 1,
    destination_instrument_id: 'washer',
    source_instrument_id: 'hotel',
    state,
    labware_id,
    ...head,
  };
  return { sequence: 1, hook_type: 'LabwareMovementHook', body };
}

function taskEvent(task_id: string): RunEvent {
  const body = {
    error: '',
    action: 'wash',
    state: 'started' as const,
    instrument_id: 'w',
    task_id,
  };
  return { sequence: 1, hook_type: 'TaskStateChangeHook', body: { ...body, ...head } };
}

const planned: RunEvent = {
  sequence: 1,
  hook_type: 'NewPlanHook',
  body: { remaining_worktime: 9, ...head },
};

describe('a hook on labware', () => {
  const rows: readonly [Partial<Hook>, readonly string[]][] = [
    [{}, ['started', 'finished', 'failed']],
    [{ trigger_on: 'both' }, ['started', 'finished', 'failed']],
    [{ trigger_on: 'start' }, ['started']],
    [{ trigger_on: 'end' }, ['finished', 'failed']],
    [{ labware_ids: [] }, ['started', 'finished', 'failed']],
    [{ labware_ids: ['plate', 'lid'], trigger_on: 'start' }, ['started']],
    [{ labware_ids: ['lid'] }, []],
  ];

  it.each(rows)('%j fires on %j', (rest, states) => {
    const hook = { type: 'LabwareMovementHook', parameters, ...rest } as Hook;
    const all = ['started', 'finished', 'failed'] as const;
    expect(all.filter((state) => hookMatches(hook, movement(state)))).toEqual(states);
    expect(hookMatches(hook, planned)).toBe(false);
  });
});

describe('a hook on tasks', () => {
  it.each<[readonly string[] | undefined, boolean]>([
    [undefined, true],
    [[], true],
    [['wash', 'read'], true],
    [['read'], false],
  ])('of %j fires: %s', (task_ids, isFired) => {
    const hook = { type: 'TaskStateChangeHook', parameters, ...(task_ids && { task_ids }) };
    expect(hookMatches(hook as Hook, taskEvent('wash'))).toBe(isFired);
  });
});

it('a hook on plans fires whatever it holds for labware', () => {
  const hook: Hook = { type: 'NewPlanHook', parameters, labware_ids: ['lid'], trigger_on: 'end' };
  expect(hookMatches(hook, planned)).toBe(true);
});

describe('the type of a hook', () => {
  it.each([
    ['on_new_plan', planned],
    ['on_task_state_change', taskEvent('wash')],
    ['on_labware_movement', movement('finished')],
  ] as const)('may be given by the filter %s', (filter, event) => {
    const hook: Hook = { filter, parameters };
    expect(
      [planned, taskEvent('wash'), movement('finished')].filter((e) => hookMatches(hook, e)),
    ).toEqual([event]);
  });
});

describe('a body', () => {
  it('has the fields of the specification in its order, and no other', () => {
    expect(hookBodyText(movement('started'))).toBe(
      '{"run_id":"1","timestamp":"2020-01-01T00:00:00.000Z","labware_id":"plate",' +
        '"state":"started","source_instrument_id":"hotel","destination_instrument_id":"washer",' +
        '"source_slot":1,"destination_slot":2}',
    );
    const secret = { ...planned.body, secret: 'x' };
    expect(hookBodyText({ ...planned, body: secret } as RunEvent)).toBe(
      '{"run_id":"1","timestamp":"2020-01-01T00:00:00.000Z","remaining_worktime":9}',
    );
  });
});

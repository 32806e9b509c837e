/** The types of hooks: which events fire one, the fields of its body, and a sample. */

import { hookTypeOf } from '../../contract/hook-type.ts';
import type { Hook, HookTypeName, RunEvent } from '../../contract/types.ts';
import { type TwinTime, timestamp } from '../clock/twin-time.ts';

const FIELDS: { readonly [Type in HookTypeName]: readonly string[] } = {
  RunStateChangeHook: ['run_id', 'timestamp', 'state', 'message'],
  TaskStateChangeHook: [
    'run_id',
    'timestamp',
    'task_id',
    'instrument_id',
    'state',
    'action',
    'error',
  ],
  SafetyStateChangeHook: ['run_id', 'timestamp', 'state'],
  LabwareMovementHook: [
    'run_id',
    'timestamp',
    'labware_id',
    'state',
    'source_instrument_id',
    'destination_instrument_id',
    'source_slot',
    'destination_slot',
  ],
  NewPlanHook: ['run_id', 'timestamp', 'remaining_worktime'],
};

/** Returns the JSON body of an event. */
export function hookBodyText({ hook_type, body }: RunEvent): string {
  const values = new Map<string, unknown>(Object.entries(body));
  const fields = FIELDS[hook_type].map((name) => [name, values.get(name)] as const);
  return JSON.stringify(Object.fromEntries(fields));
}

function includesId(list: readonly string[] | undefined, id: string): boolean {
  return list === undefined || list.length === 0 || list.includes(id);
}

/** Whether an event fires a hook. */
export function hookMatches(hook: Hook, event: RunEvent): boolean {
  if (hookTypeOf(hook) !== event.hook_type) return false;
  if (event.hook_type === 'TaskStateChangeHook')
    return includesId(hook.task_ids, event.body.task_id);
  if (event.hook_type !== 'LabwareMovementHook') return true;
  const { trigger_on = 'both' } = hook;
  const isStart = event.body.state === 'started';
  const fits = trigger_on === 'both' || (trigger_on === 'start') === isStart;
  return fits && includesId(hook.labware_ids, event.body.labware_id);
}

/** Returns a sample event of a type for test calls, with the twin's time. */
export function sampleEvent(type: HookTypeName, time: TwinTime): RunEvent {
  const base = { run_id: 'test', timestamp: timestamp(time) };
  const samples: { readonly [Type in HookTypeName]: RunEvent } = {
    RunStateChangeHook: {
      sequence: 1,
      hook_type: 'RunStateChangeHook',
      body: { ...base, state: 'started', message: 'test' },
    },
    TaskStateChangeHook: {
      sequence: 1,
      hook_type: 'TaskStateChangeHook',
      body: {
        ...base,
        task_id: 'test',
        instrument_id: 'test',
        state: 'started',
        action: 'test',
        error: '',
      },
    },
    SafetyStateChangeHook: {
      sequence: 1,
      hook_type: 'SafetyStateChangeHook',
      body: { ...base, state: 'ok' },
    },
    LabwareMovementHook: {
      sequence: 1,
      hook_type: 'LabwareMovementHook',
      body: {
        ...base,
        labware_id: 'test',
        state: 'started',
        source_instrument_id: 'test',
        destination_instrument_id: 'test',
        source_slot: 1,
        destination_slot: 1,
      },
    },
    NewPlanHook: {
      sequence: 1,
      hook_type: 'NewPlanHook',
      body: { ...base, remaining_worktime: 0 },
    },
  };
  return samples[type];
}

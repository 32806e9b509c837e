/**
 * Which hooks an event fires, and the exact text each body has: the fields of the specification, in
 * its order, nothing added (spec/webhooks §2.2, §2.3, §4).
 */
import { hookTypeOf } from '../../contract/hook-types.ts';
import type { Hook, HookTypeName, RunEvent } from '../../contract/types.ts';

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

/** The body of an event as it is sent. */
export function bodyText({ hook_type, body }: RunEvent): string {
  const values = new Map<string, unknown>(Object.entries(body));
  const fields = FIELDS[hook_type].map((name) => [name, values.get(name)] as const);
  return JSON.stringify(Object.fromEntries(fields));
}

function isMeant(list: readonly string[] | undefined, id: string): boolean {
  return list === undefined || list.length === 0 || list.includes(id);
}

/** Whether an event fires a hook. */
export function fires(hook: Hook, event: RunEvent): boolean {
  if (hookTypeOf(hook) !== event.hook_type) return false;
  if (event.hook_type === 'TaskStateChangeHook') return isMeant(hook.task_ids, event.body.task_id);
  if (event.hook_type !== 'LabwareMovementHook') return true;
  const { trigger_on = 'both' } = hook;
  const isStart = event.body.state === 'started';
  const fits = trigger_on === 'both' || (trigger_on === 'start') === isStart;
  return fits && isMeant(hook.labware_ids, event.body.labware_id);
}

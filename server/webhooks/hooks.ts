/**
 * Matches run events with hooks and writes their JSON bodies: exactly the fields of the
 * specification, in its order (webhooks §2.2, §2.3, §4).
 */
import { hookTypeOf } from '../../contract/hooks.ts';
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

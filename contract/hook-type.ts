/** The event type of a webhook definition, which schemas cannot say (webhooks §2.1, §2.2, D42). */
import type { Hook, HookTypeName } from './types.ts';

const BY_FILTER: { readonly [Filter in NonNullable<Hook['filter']>]: HookTypeName } = {
  on_run_state_change: 'RunStateChangeHook',
  on_task_state_change: 'TaskStateChangeHook',
  on_safety_state_change: 'SafetyStateChangeHook',
  on_labware_movement: 'LabwareMovementHook',
  on_new_plan: 'NewPlanHook',
};

/** The type of a hook: from `type`, the deprecated `filter`, or type-specific fields; else null. */
export function hookTypeOf(hook: Hook): HookTypeName | null {
  if (hook.type !== undefined) return hook.type;
  if (hook.filter !== undefined) return BY_FILTER[hook.filter];
  if (hook.task_ids !== undefined) return 'TaskStateChangeHook';
  if (hook.labware_ids !== undefined || hook.trigger_on !== undefined) return 'LabwareMovementHook';
  return null;
}

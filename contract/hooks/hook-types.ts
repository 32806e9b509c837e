/** The types of hooks: one row each. A type is described in its own file. */

import type { Hook, HookTypeName } from '../types.generated.ts';
import type { AnyHookKind, HookKind } from './hook-kind.ts';
import { labwareMovement } from './labware-movement.ts';
import { newPlan } from './new-plan.ts';
import { runStateChange } from './run-state-change.ts';
import { safetyStateChange } from './safety-state-change.ts';
import { taskStateChange } from './task-state-change.ts';

/** The types by name; of two whose members a hook without `type` has, the first counts. */
export const HOOK_TYPES: { readonly [Type in HookTypeName]: HookKind<Type> } = {
  RunStateChangeHook: runStateChange,
  TaskStateChangeHook: taskStateChange,
  SafetyStateChangeHook: safetyStateChange,
  LabwareMovementHook: labwareMovement,
  NewPlanHook: newPlan,
};

/** The names of all types. */
export const HOOK_TYPE_NAMES = Object.keys(HOOK_TYPES) as readonly HookTypeName[];

/** The type of that name. */
export function hookKind(type: HookTypeName): AnyHookKind {
  return HOOK_TYPES[type];
}

/**
 * The type of a hook, which schemas cannot say: from `type`, the deprecated `filter`, or members
 * that only one type has; else null (webhooks §2.1, §2.2, D42).
 */
export function hookTypeOf(hook: Hook): HookTypeName | null {
  if (hook.type !== undefined) return hook.type;
  const found = HOOK_TYPE_NAMES.find((type) => {
    const { filter, ownMembers } = HOOK_TYPES[type];
    if (hook.filter !== undefined) return filter === hook.filter;
    return ownMembers.some((member) => hook[member] !== undefined);
  });
  return found ?? null;
}

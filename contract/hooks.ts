/**
 * Webhook definitions: determines the event type of a hook (webhooks §2.1, §2.2, D42) and
 * checks its custom headers. A hook cannot override headers that the sender sets or that frame the
 * message.
 */
import { limits } from './limits.ts';
import type { Hook, HookTypeName } from './types.ts';

const BY_FILTER: { readonly [Filter in NonNullable<Hook['filter']>]: HookTypeName } = {
  on_run_state_change: 'RunStateChangeHook',
  on_task_state_change: 'TaskStateChangeHook',
  on_safety_state_change: 'SafetyStateChangeHook',
  on_labware_movement: 'LabwareMovementHook',
  on_new_plan: 'NewPlanHook',
};

/** All types of hooks. */
export const HOOK_TYPES: readonly HookTypeName[] = Object.values(BY_FILTER);

/** The type of a hook: from `type`, the deprecated `filter`, or type-specific fields; else null. */
export function hookTypeOf(hook: Hook): HookTypeName | null {
  if (hook.type !== undefined) return hook.type;
  if (hook.filter !== undefined) return BY_FILTER[hook.filter];
  if (hook.task_ids !== undefined) return 'TaskStateChangeHook';
  if (hook.labware_ids !== undefined || hook.trigger_on !== undefined) return 'LabwareMovementHook';
  return null;
}

const NAME = /^[A-Za-z0-9-]{1,64}$/;
const VALUE = /^[\t\x20-\x7e]{0,1024}$/;
const OWN = /^(content-(type|length|encoding)|user-agent|webhook-.*|x-hook-.*)$/;
const FRAMING =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** The problem of one custom header, or null. */
function hookHeaderProblem(name: string, value: unknown): string | null {
  if (!NAME.test(name) || typeof value !== 'string' || !VALUE.test(value)) {
    return 'must be a valid header name with a printable text value';
  }
  const lower = name.toLowerCase();
  if (OWN.test(lower)) return 'is set by the sender; remove it';
  return FRAMING.test(lower) ? 'controls the framing of the message; remove it' : null;
}

/** The problems of the custom headers of a hook, by header name; no more than a reply lists. */
export function hookHeaderProblems(headers: object = {}): (readonly [string, string])[] {
  const names = Object.keys(headers);
  if (names.length > limits.hook_headers) {
    return [[names[limits.hook_headers]!, `is one of more than ${limits.hook_headers} headers`]];
  }
  const problems: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const fault = hookHeaderProblem(name, value);
    if (fault !== null) problems.push([name, fault]);
    if (problems.length >= limits.reported_problems) break;
  }
  return problems;
}

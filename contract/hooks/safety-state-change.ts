import type { HookKind } from './hook-kind.ts';

/** The safety state of the workcell changes. */
export const safetyStateChange: HookKind<'SafetyStateChangeHook'> = {
  title: 'Safety state',
  filter: 'on_safety_state_change',
  ownMembers: [],
  isUrgent: true,
  fields: ['run_id', 'timestamp', 'state'],
  matches: () => true,
  sample: { state: 'ok' },
};

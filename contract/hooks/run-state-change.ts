import type { HookKind } from './hook-kind.ts';

/** A run starts, pauses, resumes or stops. */
export const runStateChange: HookKind<'RunStateChangeHook'> = {
  title: 'Run state',
  filter: 'on_run_state_change',
  ownMembers: [],
  fields: ['run_id', 'timestamp', 'state', 'message'],
  matches: () => true,
  sample: { state: 'started', message: 'test' },
};

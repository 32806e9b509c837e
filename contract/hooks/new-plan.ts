import type { HookKind } from './hook-kind.ts';

/** There is a new plan. */
export const newPlan: HookKind<'NewPlanHook'> = {
  title: 'New plan',
  filter: 'on_new_plan',
  ownMembers: [],
  fields: ['run_id', 'timestamp', 'remaining_worktime'],
  matches: () => true,
  sample: { remaining_worktime: 0 },
};

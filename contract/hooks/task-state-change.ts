import { type HookKind, isListed } from './hook-kind.ts';

/** A task starts, fails or succeeds. */
export const taskStateChange: HookKind<'TaskStateChangeHook'> = {
  title: 'Task state',
  filter: 'on_task_state_change',
  ownMembers: ['task_ids'],
  fields: ['run_id', 'timestamp', 'task_id', 'instrument_id', 'state', 'action', 'error'],
  matches: ({ task_ids }, { task_id }) => isListed(task_ids, task_id),
  sample: { task_id: 'test', instrument_id: 'test', state: 'started', action: 'test', error: '' },
  span: {
    subjectOf: ({ task_id }) => task_id,
    isBegin: ({ state }) => state === 'started',
    failed: (begin, error) => ({ ...begin, state: 'failed', error }),
  },
};

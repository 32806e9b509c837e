/**
 * What becomes of a run that the end of its process interrupted: its tasks have failed, and it has
 * stopped.
 */

import type { RunEvent } from '../../contract/types.ts';
import type { RunHistory } from './run-history.ts';
import type { RunRecord } from './run-record.ts';

export const RESTARTED = 'the process was restarted';

/** Returns the history of an interrupted run: running tasks have failed. */
export function interruptedHistory(history: RunHistory, error: string): RunHistory {
  const tasks = history.tasks.map((task) =>
    task.state === 'running' ? { ...task, state: 'failed' as const, error } : task,
  );
  return { ...history, tasks };
}

/** Returns the task or labware of an event, as a key; null for the other events. */
function subjectOf({ body }: RunEvent): string | null {
  if ('task_id' in body) return `task ${body.task_id}`;
  return 'labware_id' in body ? `labware ${body.labware_id}` : null;
}

function failedEvent(
  { hook_type, body }: RunEvent,
  { timestamp, error }: { readonly timestamp: string; readonly error: string },
): RunEvent | null {
  const state = 'failed' as const;
  if (hook_type === 'TaskStateChangeHook')
    return { sequence: 0, hook_type, body: { ...body, timestamp, state, error } };
  if (hook_type === 'LabwareMovementHook')
    return { sequence: 0, hook_type, body: { ...body, timestamp, state } };
  return null;
}

/**
 * Returns the last events of an interrupted run: the failures of tasks and movements whose latest
 * event is `started`, the pause that was requested, as the arm stands, and the stop.
 */
export function interruptedEvents(
  { head, events, pausing }: Pick<RunRecord, 'head' | 'events' | 'pausing'>,
  timestamp: string,
  message: string,
): RunEvent[] {
  const latest = new Map<string, RunEvent>();
  for (const event of events) {
    const subject = subjectOf(event);
    if (subject !== null) latest.set(subject, event);
  }
  const open = [...latest.values()].filter(
    ({ body }) => 'state' in body && body.state === 'started',
  );
  const failures = open.flatMap((event) => failedEvent(event, { timestamp, error: message }) ?? []);
  const change = (state: 'paused' | 'stopped', text: string): RunEvent => {
    const body = { run_id: String(head.id), timestamp, state, message: text };
    return { sequence: 0, hook_type: 'RunStateChangeHook', body };
  };
  const changes = [...(pausing ? [change('paused', '')] : []), change('stopped', message)];
  const last = events.at(-1)?.sequence ?? 0;
  return [...failures, ...changes].map(
    (event, i): RunEvent => ({ ...event, sequence: last + 1 + i }),
  );
}

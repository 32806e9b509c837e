/**
 * What becomes of a run that the end of its process interrupted: its tasks have failed, and it has
 * stopped.
 */

import { hookKind } from '../../contract/hooks/hook-types.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
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

/** Returns the failures of what has begun and not ended, by its latest events. */
function failuresOf(
  events: readonly RunEvent[],
  { timestamp, error }: { readonly timestamp: string; readonly error: string },
): RunEvent[] {
  const latest = new Map<string, RunEvent>();
  for (const event of events) {
    const subject = hookKind(event.hook_type).span?.subjectOf(event.body);
    if (subject !== undefined) latest.set(`${event.hook_type} ${subject}`, event);
  }
  return [...latest.values()].flatMap(({ hook_type, body: begin }): RunEvent[] => {
    const span = hookKind(hook_type).span!;
    if (!span.isBegin(begin)) return [];
    const body = { ...span.failed(begin, error), timestamp };
    return [{ sequence: 0, hook_type, body } as RunEvent];
  });
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
  const failures = failuresOf(events, { timestamp, error: message });
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

/** Figures of a run: state, progress, remaining time and delay, with their texts. Pure. */
import type {
  Delivery,
  RunDetails,
  RunEvent,
  WorkflowPlan,
} from '../../../contract/types.generated.ts';
import { clockText } from '../../ui/value-text.ts';

export interface RunFigures {
  readonly elapsed_s: number;
  /** Planned time left; null after the run has ended. */
  readonly left_s: number | null;
  /** How much later than first planned the run ends; 0 if on time. */
  readonly behind_s: number;
  readonly done: number;
  readonly tasks: number;
}

const COMPLETED_STATES: readonly string[] = [
  'succeeded',
  'completed_manually',
  'skipped',
  'cancelled',
];
const FINISHED_STATES: readonly string[] = [...COMPLETED_STATES, 'aborted'];

const RUN_TEXT = { started: 'Running', paused: 'Paused', stopped: 'Stopped' } as const;

/** State of a run in words; the API calls a run that has completed its tasks stopped, too. */
export function runStateText({
  state,
  pausing,
  tasks,
}: Pick<RunDetails, 'state' | 'pausing' | 'tasks'>): string {
  if (pausing) return 'Pausing after the running tasks';
  const isCompleted = tasks.every((task) => COMPLETED_STATES.includes(task.state));
  return state === 'stopped' && isCompleted ? 'Completed' : RUN_TEXT[state];
}

/** Whether the message of a state says it, too, as "stopped by user" and "completed" do. */
export function statesItself(message: string | null, state: string): boolean {
  const [word] = message?.split(/[ ;]/) ?? [];
  return state !== '' && (word === state || (state === 'stopped' && word === 'completed'));
}

/** State and message of a run in a list, where its tasks are not known. */
export function runHeadText({ state, message }: Pick<RunDetails, 'state' | 'message'>): string {
  if (message && statesItself(message, state))
    return message.charAt(0).toUpperCase() + message.slice(1);
  return message ? `${RUN_TEXT[state]}: ${message}` : RUN_TEXT[state];
}

/** Elapsed time (s); of a stopped run, the time at which it stopped. */
export function elapsed_s({ now_s, started_at, stopped_at }: RunDetails): number {
  return stopped_at === null ? now_s : (Date.parse(stopped_at) - Date.parse(started_at)) / 1000;
}

/**
 * Since when the plan of a paused run waits (s since its start): since the pause, or since a newer
 * plan. Null while it runs.
 */
export function waitsSince_s(run: RunDetails | null, events: readonly RunEvent[]): number | null {
  if (run?.state !== 'paused') return null;
  const last = events.findLast(
    ({ hook_type }) => hook_type === 'RunStateChangeHook' || hook_type === 'NewPlanHook',
  );
  if (!last) return null;
  const since_s = (Date.parse(last.body.timestamp) - Date.parse(run.started_at)) / 1000;
  return Math.min(since_s, run.now_s);
}

/** Figures of `run` relative to the plan it started with; `delay_s` is that of unstarted work. */
export function runFigures(run: RunDetails, first: WorkflowPlan | null, delay_s = 0): RunFigures {
  const passed_s = elapsed_s(run);
  const makespan_s = (run.plan?.makespan ?? passed_s) + delay_s;
  const ended = run.state === 'stopped';
  const end_s = ended ? passed_s : Math.max(makespan_s, passed_s);
  const over = run.tasks.filter(({ state }) => FINISHED_STATES.includes(state)).length;
  return {
    elapsed_s: passed_s,
    left_s: ended ? null : Math.max(makespan_s - passed_s, 0),
    behind_s: first ? Math.max(end_s - first.makespan, 0) : 0,
    done: over,
    tasks: run.tasks.length,
  };
}

/** "31 sent, 1 waiting, 2 failed"; zero counts are omitted, "none" without deliveries. */
export function deliveryCountText(deliveries: readonly Delivery[]): string {
  const count = (...states: readonly Delivery['state'][]) =>
    deliveries.filter(({ state }) => states.includes(state)).length;
  const parts = [`${count('delivered')} sent`];
  if (count('pending') > 0) parts.push(`${count('pending')} waiting`);
  if (count('dead', 'disabled') > 0) parts.push(`${count('dead', 'disabled')} failed`);
  return deliveries.length === 0 ? 'none' : parts.join(', ');
}

/** Minutes and seconds, with hours if needed: 15:12, 1:02:03. */
export function durationText(time_s: number): string {
  return clockText(Math.max(Math.round(time_s), 0));
}

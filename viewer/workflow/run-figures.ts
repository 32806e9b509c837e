/** Figures of a run's header: progress, remaining time and delay. Pure. */
import type { Delivery, RunDetails, RunEvent, WorkflowPlan } from '../../contract/types.ts';

export interface RunFigures {
  readonly elapsed_s: number;
  /** Planned time left; null after the run has ended. */
  readonly left_s: number | null;
  /** How much later than first planned the run ends; 0 if on time. */
  readonly behind_s: number;
  readonly done: number;
  readonly tasks: number;
}

const FINISHED_STATES: readonly string[] = [
  'succeeded',
  'completed_manually',
  'skipped',
  'aborted',
];

/** Elapsed time (s); after the end, the time of the last event. */
export function elapsed_s({ state, now_s, tasks, moves }: RunDetails): number {
  if (state !== 'stopped') return now_s;
  const times = [...tasks, ...moves].flatMap((one) => [one.started_at_s, one.ended_at_s]);
  return Math.max(0, ...times.map((time) => time ?? 0));
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
  const whole = Math.max(Math.round(time_s), 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const STEPS_S = [
  1, 2, 5, 10, 20, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400,
];

/** Round times (s) from 0 to `end_s` with labels, at least `least_s` apart. */
export function ticksUntil(end_s: number, least_s: number): { time_s: number; label: string }[] {
  const step_s = STEPS_S.find((step) => step >= least_s) ?? Math.ceil(least_s / 86400) * 86400;
  const [unit_s, unit] = step_s >= 3600 ? [3600, 'h'] : step_s >= 60 ? [60, 'min'] : [1, 's'];
  return Array.from({ length: Math.floor(end_s / step_s) + 1 }, (_, i) => {
    const time_s = i * step_s;
    return { time_s, label: `${Number((time_s / unit_s).toFixed(2))} ${unit}` };
  });
}
